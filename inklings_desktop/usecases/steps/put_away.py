"""What the author forgot by hand, so that nothing brings it back without asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.background.consolidation import MERGED_REASON, PRUNED_REASON
from inklings_desktop.domain.likeness.sameness import key_of, says_the_same
from inklings_desktop.domain.log.backup_comparison import SET_BACK_REASON
from inklings_desktop.domain.memories.forgetting import CAP_REASON, CLOSED_REASON, UNDONE_REASON
from inklings_desktop.domain.memory import MemoryAction
from inklings_desktop.domain.transfer.document import WITHDRAWN_REASON

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports.store import StoreView

NOT_BY_CHOICE = frozenset(
    {
        CAP_REASON,
        CLOSED_REASON,
        UNDONE_REASON,
        MERGED_REASON,
        PRUNED_REASON,
        SET_BACK_REASON,
        WITHDRAWN_REASON,
    }
)
"""What a person started had this effect, but nobody chose to forget what these memories say."""
_OF_PERSONS = frozenset({Door.WINDOW.value, Door.CLI.value})


def put_away(
    view: StoreView, caller: Caller, scope: ScopeKey, texts: Sequence[str]
) -> Mapping[str, MemoryEntry]:
    """For each of these texts that the author forgot in this scope, the forgotten memory.

    What the program forgot (to make room, as a duplicate, with its conversation) does not count,
    nor what an agent forgot; where the same was forgotten several times, the last one decides.
    What an active memory says, of those that this caller may know of, is not put away.
    """
    by_key: dict[bytes, list[MemoryEntry]] = {}
    for one in view.memories.forgotten_like(scope, texts):
        if caller.may_know_of(one):
            by_key.setdefault(key_of(one.content), []).append(one)
    last = {
        text: next((one for one in by_key[key_of(text)] if says_the_same(one.content, text)), None)
        for text in texts
        if key_of(text) in by_key
    }
    return {text: one for text, one in last.items() if one is not None and _is_by_choice(view, one)}


def forgotten_before(
    view: StoreView, caller: Caller, scope: ScopeKey, text: str
) -> MemoryEntry | None:
    """What the author forgot that said the same, where an agent would say it again.

    Nothing that a person writes is ever held up for it.
    """
    return put_away(view, caller, scope, (text,)).get(text) if caller.is_agent else None


def _is_by_choice(view: StoreView, entry: MemoryEntry) -> bool:
    """Whether a person chose to forget it."""
    if entry.forgotten_reason in NOT_BY_CHOICE:
        return False
    how = (one for one in view.memories.history(entry.id) if one.action is MemoryAction.FORGOTTEN)
    last = next(how, None)
    return last is not None and last.door in _OF_PERSONS
