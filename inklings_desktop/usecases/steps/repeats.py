"""What the pages of a world have to say to a text that is about to be remembered.

What a page says already is read, not remembered; and of names in an account memory that only pages
know the author is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DerivableError
from inklings_desktop.domain.likeness.grounding import sentences_of
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.world.derivable import N_PASSAGES, repeated_by, words_to_find
from inklings_desktop.usecases.steps.sources import reads_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.store import UnitOfWork
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


_TIERS = frozenset({Tier.WORKSPACE, Tier.CHANNEL})


def is_sent_to_pages(caller: Caller, scope: ScopeKey) -> bool:
    """Whether a text is looked for in pages before it is stored here.

    Never the author's, and not that of an agent who may not read pages: a refusal would tell it
    what they say.
    """
    workspace_id = scope.workspace_id
    is_here = caller.is_agent and scope.tier in _TIERS and workspace_id is not None
    return is_here and reads_world(caller, workspace_id or "")


def repeat_of(index: WorldIndex, text: str) -> DerivableError | None:
    """The refusal that names the block which says a text; None where no page says it."""
    words = words_to_find(text)
    passages = index.passages_sharing(words, N_PASSAGES) if words else ()
    place = repeated_by(text, [said for _, said in passages])
    if place is None:
        return None
    block_id = passages[place][0]
    for page, block in index.blocks([block_id]).values():  # none where a look took it just now
        heading = block.heading.rpartition("/")[2]
        return DerivableError(page.title, heading, block.first_line, block_id)
    return None


def record_repeat(
    unit: UnitOfWork, caller: Caller, scope: ScopeKey, repeat: DerivableError, now: datetime
) -> None:
    """Append that a text was sent to its page: which block, never what it says."""
    of = (caller.name, caller.kind.value, caller.door.value, scope.tier.value, scope.key)
    draft = EventDraft(EventKind.MEMORY_DERIVABLE, *of, (repeat.block_id,), {"memories": 1})
    unit.events.append(draft, now)


def refuse_repeat(
    unit: UnitOfWork,
    caller: Caller,
    scope: ScopeKey,
    repeat: DerivableError | None,
    now: datetime,
) -> None:
    """Return unless a page says it already; that is recorded.

    Raises:
        DerivableError: It does.
    """
    if repeat is not None:
        record_repeat(unit, caller, scope, repeat, now)
        unit.commit()
        raise repeat
