"""Names in an account memory that only the pages of a world know: the author is told of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.grounding import sentences_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.usecases.ports.world import WorldIndex

_MOST_NAMES = 8
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


def world_names(
    text: str, indexes: Sequence[WorldIndex], is_known: Callable[[str], bool]
) -> tuple[str, ...]:
    """Names of a text that stand in pages and that nothing else knows.

    A page that is called so counts wherever the name stands; any other word with a capital only
    where no sentence begins with it.

    Args:
        text: What is to be remembered.
        indexes: Of the pages of the caller's worlds.
        is_known: Whether the account knows a name.
    """
    found = [
        name
        for name, begins in _capital(text)
        if any(_knows(one, name, begins=begins) for one in indexes) and not is_known(name)
    ]
    return tuple(dict.fromkeys(found))[:_MOST_NAMES]


def _capital(text: str) -> Iterator[tuple[str, bool]]:
    """Runs of words with a capital, and whether a sentence begins with them."""
    for sentence in sentences_of(text):
        run: list[str] = []
        begins = True
        for word in (*_WORD.findall(sentence), ""):
            if word and word[0].isupper():
                run.append(word)
                continue
            if run:
                yield " ".join(run), begins
            run, begins = [], False


def _knows(index: WorldIndex, name: str, *, begins: bool) -> bool:
    return bool(index.named(name)) or (not begins and index.knows_name(name))
