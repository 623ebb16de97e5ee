"""How several texts become one, and what of them did not come along word for word.

Deterministic: a language model may take this place later, behind the ``Consolidator`` port. No
sentence is lost, and what says the same is said once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.sameness import key_of, says_the_same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
_BETWEEN = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n+")


def merged_text(texts: Sequence[str]) -> str:
    """The first text whole, then every sentence of the others that nothing before it says.

    Args:
        texts: At least one; the best first.

    Returns:
        Maybe more than a memory holds: whoever wants to keep it has to shorten it.
    """
    result, *others = texts
    whole, sentences = _Said([result]), _Said(_sentences(result))
    for text in others:
        if whole.says(text):
            continue
        whole.add(text)
        for sentence in _sentences(text):
            if not sentences.says(sentence):
                sentences.add(sentence)
                before = result.rstrip()
                flows = "\n" not in before and before.endswith(_ENDS)
                result = f"{before}{' ' if flows else chr(10)}{sentence}"
    return result


def left_out(source: str, merged: str) -> tuple[str, ...]:
    """Sentences of a source that the text it was merged into does not hold word for word."""
    kept = frozenset(_sentences(merged))
    return tuple(one for one in _sentences(source) if one not in kept)


class _Said:
    """Texts, to be asked whether one of them says the same as another."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_key: defaultdict[bytes, list[str]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self._by_key[key_of(text)].append(text)

    def says(self, text: str) -> bool:
        return any(says_the_same(one, text) for one in self._by_key[key_of(text)])


def _sentences(text: str) -> Iterable[str]:
    return (part.strip() for part in _BETWEEN.split(text) if part.strip())
