"""Find memories for an agent by their ids, whole or the first characters of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.rooms.orientation import framing_of
from inklings_desktop.usecases.search.read_memories import ReadMemory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView

WHOLE_ID = 36
SHORT_ID = 8
"""Characters by which a memory is named to agents: one in four billion is another's."""
MAX_GOTTEN = 50
_LOOKED_AT = 20
"""Memories with one beginning that are looked through for the one that is meant."""


def gotten(
    asked: Asked,
    workspace_id: str,
    ids: Sequence[str],
    hand_over: Callable[[Sequence[ReadMemory]], Sequence[ReadMemory]] = tuple,
) -> tuple[ReadMemory, ...]:
    """The memories in the order of their ids, each counted as one read of an agent's."""
    caller = asked.caller
    if not 1 <= len(ids) <= MAX_GOTTEN:
        raise InvalidValueError("ids", "range", MAX_GOTTEN)

    found: dict[str, MemoryEntry] = {}
    for file in (workspace_id, None):
        with asked.store.read(file) as view:
            for beginning in dict.fromkeys(ids):
                entry = _only_one(
                    view, caller, beginning, lambda one: caller.may(Action.READ, one.scope)
                )
                if entry is not None:
                    found.setdefault(beginning, entry)
    if not found:
        raise NotFoundError("memory", ids[0])
    entries = {found[one].id: found[one] for one in ids if one in found}.values()
    now, decay = asked.clock(), asked.parts.settings().decay
    every = tuple(
        ReadMemory(one, framing_of(one), relevance_of(one, decay, now), None) for one in entries
    )
    handed = [one.entry for one in hand_over(every)]
    if caller.is_agent:
        for file in (workspace_id, None):
            read = [one.id for one in handed if one.scope.workspace_id == file]
            asked.parts.count_reads(caller, file, read, now)
    return every


def named(
    asked: Asked, scope: ScopeKey, beginning: str, *, also_forgotten: bool = False
) -> MemoryRef:
    """A reference to the memory of one scope that the first characters of an id mean."""
    caller = asked.caller
    if len(beginning) >= WHOLE_ID:
        return MemoryRef(scope, beginning)
    if not any(caller.may(action, scope) for action in Action):
        raise NotFoundError("memory", beginning)
    with asked.store.read(scope.workspace_id) as view:
        entry = _only_one(view, caller, beginning, lambda one: one.scope == scope, also_forgotten)
    if entry is None:
        raise NotFoundError("memory", beginning)
    return entry.ref


def _only_one(
    view: StoreView,
    caller: Caller,
    beginning: str,
    is_meant: Callable[[MemoryEntry], bool],
    also_forgotten: bool = False,  # noqa: FBT001, FBT002 - of this module alone
) -> MemoryEntry | None:
    """The one memory that begins so among those that the caller can know of.

    Raises:
        InvalidValueError: Several begin so, or too little of the id was given.
    """
    if len(beginning) < SHORT_ID:
        raise InvalidValueError("id", "too_short", SHORT_ID)
    found = [
        one
        for one in view.memories.beginning_with(beginning.lower(), limit=_LOOKED_AT)
        if is_meant(one)
        and (not caller.is_agent or also_forgotten or one.is_retrievable)
        and caller.may_know_of(one)
    ]
    if len(found) > 1:
        raise InvalidValueError("id", "ambiguous")
    return found[0] if found else None
