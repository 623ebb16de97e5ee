"""Unsaved typing in memories, kept so that a killed program loses next to nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_person
from inklings_desktop.domain.memories.memory_typing import checked_typing
from inklings_desktop.domain.memory import MemoryRef, Tier
from inklings_desktop.domain.memory_values import checked_importance, checked_tags
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import require_room
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded, require_person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.store import Clock, Store


@dataclass(frozen=True, slots=True)
class KeepTyping:
    """Keep unsaved typing in a memory, so that a killed program does not lose it."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, typing: MemoryTyping) -> MemoryTyping:
        """The typing as it is kept, on the disk; what is stored already is not kept.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: A value cannot be kept.
            NotFoundError: The memory, or the room it would belong to, is not there.
        """
        _require_author(self.store, self.clock, caller, typing.scope)
        kept = replace(
            typing,
            content=checked_typing(typing.content),
            importance=checked_importance(typing.importance),
            tags=checked_tags(typing.tags),
            kept_at=self.clock(),
        )
        scope = typing.scope
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            if typing.is_new or typing.is_message:
                require_room(unit, scope.tier, scope.key)
                is_stored = False
            else:
                entry = unit.memories.get(MemoryRef(scope, typing.memory_id), None)
                is_stored = kept.says_as(entry)
            if is_stored:
                unit.drafts.drop_typing(scope, typing.memory_id)
            else:
                unit.drafts.keep_typing(kept)
            unit.commit()
        return kept


@dataclass(frozen=True, slots=True)
class FindTypings:
    """Unsaved typing in memories of a workspace and the account, to be offered again."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str | None) -> tuple[MemoryTyping, ...]:
        """Typing in memories that are there and read otherwise, and in new ones; latest first.

        A memory that somebody forgot meanwhile is there: what was typed into it is not lost.

        Args:
            caller: The person.
            workspace_id: The workspace; None for the account alone.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        attempt = Attempt("memory.draft", tier, workspace_id)
        require_person(self.store, self.clock, caller, attempt)
        found = [
            typing
            for file in dict.fromkeys((workspace_id, None))
            for typing in _typings_in(self.store, file)
        ]
        return tuple(sorted(found, key=lambda one: one.kept_at, reverse=True))


@dataclass(frozen=True, slots=True)
class FindTyping:
    """Unsaved typing in one memory."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, ref: MemoryRef) -> MemoryTyping | None:
        """What was typed into it and reads otherwise than the memory does; None if nothing.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        scope = ref.scope
        attempt = Attempt("memory.draft", scope.tier, scope.workspace_id)
        require_person(self.store, self.clock, caller, attempt)
        with self.store.read(scope.workspace_id) as view:
            typing = view.drafts.typing(scope, ref.id)
            is_memorys = typing is not None and not typing.is_message
            if typing is None or (is_memorys and typing.says_as(view.memories.get(ref, None))):
                return None
        return typing


@dataclass(frozen=True, slots=True)
class DropTyping:
    """Forget unsaved typing, because it was saved or is not wanted."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, scope: ScopeKey, memory_id: str) -> bool:
        """Whether there was any; an empty id means the new memory of the scope.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        _require_author(self.store, self.clock, caller, scope)
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            was_kept = unit.drafts.drop_typing(scope, memory_id)
            if was_kept:
                unit.commit()
        return was_kept


def _require_author(store: Store, clock: Clock, caller: Caller, scope: ScopeKey) -> None:
    attempt = Attempt("memory.draft", scope.tier, scope.workspace_id)
    with refusals_recorded(store, clock, caller, attempt):
        authorize(caller, Action.WRITE, scope)
        authorize_person(caller, Action.WRITE, scope.tier)


def _typings_in(store: Store, workspace_id: str | None) -> Iterator[MemoryTyping]:
    with store.read(workspace_id) as view:
        typings = view.drafts.typings()
        entries = view.memories.get_many([one.memory_id for one in typings if not one.is_new])
    for typing in typings:
        entry = entries.get(typing.memory_id)
        is_lost_without = entry is not None and not typing.says_as(entry)
        if typing.is_new or is_lost_without:
            yield typing
