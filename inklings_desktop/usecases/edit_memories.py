"""Write, change, forget and restore memories: the one road for every door."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Action, Caller, CallerKind, authorize
from inklings_desktop.domain.errors import (
    CapReachedError,
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.events import EventKind
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryAction,
    MemoryDraft,
    MemoryEntry,
    MemoryPatch,
    MemoryRef,
    Tier,
    change_action,
    checked_lifetime,
    checked_reason,
    checked_tags,
)
from inklings_desktop.usecases.making_room import make_room
from inklings_desktop.usecases.recording import record_memories

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.decay import DecayConfig
    from inklings_desktop.usecases.ports import Clock, IdSource, Store, UnitOfWork


@dataclass(frozen=True, slots=True)
class PutMemory:
    """Remember something new."""

    store: Store
    clock: Clock
    new_id: IdSource
    decay: DecayConfig
    cap: int

    def __call__(self, caller: Caller, draft: MemoryDraft) -> MemoryEntry:
        """The memory as it was stored.

        At the cap, the least relevant memory that may be forgotten makes room in the same
        transaction.

        Raises:
            ScopeDeniedError: The caller may not write there.
            NotFoundError: The conversation or channel does not exist, or the conversation it is
                said to come from.
            CapReachedError: The scope is full of protected memories.
        """
        authorize(caller, Action.WRITE, draft.scope)
        if caller.is_agent and draft.private_to not in {None, caller.name}:
            raise ScopeDeniedError(Action.WRITE.value, draft.scope.tier.value)
        now = self.clock()
        entry = MemoryEntry(
            id=self.new_id(),
            sequence=0,
            version=1,
            scope=draft.scope,
            content=draft.content,
            lifetime=checked_lifetime(draft.lifetime, draft.scope.tier),
            source=draft.source,
            curator=caller.curator,
            importance=draft.importance,
            tags=draft.tags,
            created_at=now,
            agent_id=draft.private_to,
            source_conversation=draft.source_conversation,
            derived_from=draft.derived_from,
            locked=caller.curator is Curator.AUTHOR,
        )
        with self.store.write(draft.scope.workspace_id, initiator=caller.name) as unit:
            _require_room(unit, draft.scope.tier, draft.scope.key)
            if draft.source_conversation is not None:
                _require_room(unit, Tier.CONVERSATION, draft.source_conversation)
            make_room(unit, caller, entry.scope, 1, decay=self.decay, cap=self.cap, now=now)
            (stored,) = unit.memories.add([entry])
            record_memories(unit, caller, EventKind.MEMORY_CREATED, [stored], now)
            unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class UpdateMemory:
    """Change one memory that the caller has seen in a known version."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, ref: MemoryRef, patch: MemoryPatch, *, expected_version: int
    ) -> MemoryEntry:
        """The memory as it is now; unchanged if the patch changes nothing.

        Raises:
            ScopeDeniedError: The caller may not write there, or an agent met a locked entry.
            NotFoundError: No such memory in this scope, or it is forgotten.
            ConflictError: Somebody saved a newer version first.
        """
        authorize(caller, Action.WRITE, ref.scope)
        now = self.clock()
        with self.store.write(ref.scope.workspace_id, initiator=caller.name) as unit:
            before = _changeable(unit, caller, ref)
            if before.is_forgotten:
                raise NotFoundError("memory", ref.id)
            if before.version != expected_version:
                raise ConflictError("memory", ref.id, expected_version, before.version)
            stored = _save_patch(unit, caller, before, patch, now)
            if stored is not before:
                record_memories(unit, caller, EventKind.MEMORY_EDITED, [stored], now)
                unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class ChangeMemories:
    """Apply one change to many memories of one file, all or none."""

    store: Store
    clock: Clock

    def __call__(
        self,
        caller: Caller,
        refs: Sequence[MemoryRef],
        *,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        lifetime: Lifetime | None = None,
        importance: float | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """The memories that changed.

        Raises:
            InvalidValueError: The memories lie in different files, or a value is wrong.
            ScopeDeniedError: The caller may not write one of them.
            NotFoundError: One of them is not in its scope.
        """
        _authorize_all(caller, refs)
        adding, removing = checked_tags(list(add_tags)), set(checked_tags(list(remove_tags)))
        now = self.clock()
        changed = []
        with self.store.write(_one_file(refs), initiator=caller.name) as unit:
            for ref in dict.fromkeys(refs):
                before = _changeable(unit, caller, ref)
                kept = [tag for tag in before.tags if tag not in removing]
                patch = MemoryPatch(importance=importance, lifetime=lifetime, tags=(*kept, *adding))
                after = _save_patch(unit, caller, before, patch, now)
                if after is not before:
                    changed.append(after)
            if changed:
                record_memories(unit, caller, EventKind.MEMORY_EDITED, changed, now)
                unit.commit()
        return tuple(changed)


@dataclass(frozen=True, slots=True)
class ForgetMemories:
    """Mark memories of one file inactive: never retrieved again, still restorable."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, refs: Sequence[MemoryRef], *, reason: str = ""
    ) -> tuple[MemoryEntry, ...]:
        """The memories that are now forgotten and were not before.

        Raises:
            InvalidValueError: The memories lie in different files, or the reason is no single
                line of text.
            ScopeDeniedError: The caller may not write one of them.
            NotFoundError: One of them is not in its scope.
        """
        _authorize_all(caller, refs)
        why = checked_reason(reason)
        return _toggle(self.store, self.clock, caller, refs, MemoryAction.FORGOTTEN, reason=why)


@dataclass(frozen=True, slots=True)
class RestoreMemories:
    """Make forgotten memories of one file active again."""

    store: Store
    clock: Clock
    cap: int

    def __call__(self, caller: Caller, refs: Sequence[MemoryRef]) -> tuple[MemoryEntry, ...]:
        """The memories that are active again and were not before.

        Raises:
            InvalidValueError: The memories lie in different files.
            ScopeDeniedError: The caller is an agent.
            NotFoundError: One of them is not in its scope.
            CapReachedError: Its scope is full.
        """
        _authorize_all(caller, refs)
        if caller.is_agent:
            raise ScopeDeniedError(Action.WRITE.value, refs[0].scope.tier.value)
        return _toggle(self.store, self.clock, caller, refs, MemoryAction.RESTORED, cap=self.cap)


@dataclass(frozen=True, slots=True)
class ConfirmMemories:
    """Say that memories are *still true*: their hours count from now."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, refs: Sequence[MemoryRef]) -> tuple[MemoryEntry, ...]:
        """The memories as they are now.

        Raises:
            ScopeDeniedError: The caller is not a person, or may not write one of them.
            NotFoundError: One of them is not in its scope, or is forgotten.
        """
        _authorize_all(caller, refs)
        if caller.kind is not CallerKind.PERSON:
            raise ScopeDeniedError(Action.WRITE.value, refs[0].scope.tier.value)
        now = self.clock()
        confirmed = []
        with self.store.write(_one_file(refs), initiator=caller.name) as unit:
            for ref in dict.fromkeys(refs):
                before = _changeable(unit, caller, ref)
                if before.is_forgotten:
                    raise NotFoundError("memory", ref.id)
                confirmed.append(
                    unit.memories.save(
                        replace(before, confirmed_at=now),
                        expected_version=before.version,
                        action=MemoryAction.CONFIRMED,
                        changed_by=caller.name,
                        door=caller.door.value,
                        changed_at=now,
                    )
                )
            record_memories(unit, caller, EventKind.MEMORY_CONFIRMED, confirmed, now)
            unit.commit()
        return tuple(confirmed)


def _toggle(
    store: Store,
    clock: Clock,
    caller: Caller,
    refs: Sequence[MemoryRef],
    action: MemoryAction,
    *,
    reason: str | None = None,
    cap: int | None = None,
) -> tuple[MemoryEntry, ...]:
    """Forget or restore; what already is as wanted stays untouched."""
    forgetting = action is MemoryAction.FORGOTTEN
    now = clock()
    done = []
    with store.write(_one_file(refs), initiator=caller.name) as unit:
        for ref in dict.fromkeys(refs):
            before = _changeable(unit, caller, ref)
            if before.is_forgotten == forgetting:
                continue
            if cap is not None and unit.memories.active_count(ref.scope) >= cap:
                raise CapReachedError(ref.scope.tier.value, cap)
            after = replace(
                before,
                forgotten_at=now if forgetting else None,
                forgotten_reason=reason if forgetting else None,
                successor_id=before.successor_id if forgetting else None,
            )
            done.append(
                unit.memories.save(
                    after,
                    expected_version=before.version,
                    action=action,
                    changed_by=caller.name,
                    door=caller.door.value,
                    changed_at=now,
                )
            )
        kind = EventKind.MEMORY_FORGOTTEN if forgetting else EventKind.MEMORY_RESTORED
        if done:
            record_memories(unit, caller, kind, done, now)
            unit.commit()
    return tuple(done)


def _authorize_all(caller: Caller, refs: Sequence[MemoryRef]) -> None:
    if not refs:
        raise InvalidValueError("ids", "empty")
    authorize(caller, Action.WRITE, *{ref.scope for ref in refs})


def _one_file(refs: Sequence[MemoryRef]) -> str | None:
    files = {ref.scope.workspace_id for ref in refs}
    if len(files) != 1:
        raise InvalidValueError("ids", "several_files")
    return files.pop()


def _changeable(unit: UnitOfWork, caller: Caller, ref: MemoryRef) -> MemoryEntry:
    """The memory, if this caller may change it; agents may only propose changes to locked ones.

    What an agent cannot find any more, forgotten or paused, does not exist for it.
    """
    entry = unit.memories.get(ref, caller.sees_private_of)
    if caller.is_agent and not entry.is_retrievable:
        raise NotFoundError("memory", ref.id)
    if caller.is_agent and (entry.locked or entry.curator is Curator.AUTHOR):
        raise ScopeDeniedError(Action.WRITE.value, ref.scope.tier.value)
    return entry


def _save_patch(
    unit: UnitOfWork, caller: Caller, before: MemoryEntry, patch: MemoryPatch, now: datetime
) -> MemoryEntry:
    after = before.patched(patch)
    checked_lifetime(after.lifetime, after.scope.tier)
    action = change_action(before, after)
    if action is None:
        return before
    return unit.memories.save(
        replace(after, edited_at=now),
        expected_version=before.version,
        action=action,
        changed_by=caller.name,
        door=caller.door.value,
        changed_at=now,
    )


def _require_room(unit: UnitOfWork, tier: Tier, key: str) -> None:
    """Raise unless the conversation or channel exists in this file."""
    if tier is Tier.CONVERSATION:
        found = unit.conversations.get(key).id
    elif tier is Tier.CHANNEL:
        found = unit.conversations.get_channel(key).id
    else:
        return
    if found != key:  # a ref code or name is not a scope key
        raise NotFoundError(tier.value, key)
