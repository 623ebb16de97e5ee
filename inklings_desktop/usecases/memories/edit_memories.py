"""Change, forget, restore and confirm memories: the one road for every door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_person,
    authorize_write,
    refuse_agents,
)
from inklings_desktop.domain.entries.proposals import HeldReason
from inklings_desktop.domain.errors import (
    CapReachedError,
    ConflictError,
    NotFoundError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.memory_history import version_state
from inklings_desktop.domain.memory import (
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryPatch,
    MemoryRef,
)
from inklings_desktop.domain.memory_values import checked_reason, checked_tags
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import (
    reachable,
    save_confirmed,
    save_forgotten,
    save_patch,
    save_restored,
    save_version,
)
from inklings_desktop.usecases.steps.holding import Asking, hold, why_held
from inklings_desktop.usecases.steps.put_away import forgotten_before
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.refusals import refusals_recorded
from inklings_desktop.usecases.steps.several_memories import (
    attempt_on,
    authorize_all,
    one_file,
    reachable_all,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.usecases.ports.store import Clock, IdSource, SettingsSource, Store


@dataclass(frozen=True, slots=True)
class UpdateMemory:
    """Change one memory that the caller has seen in a known version."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        ref: MemoryRef,
        patch: MemoryPatch,
        *,
        expected_version: int,
        settles_typing: bool = False,
    ) -> MemoryEntry:
        """The memory as it is now; unchanged if the patch changes nothing.

        Args:
            caller: Who changes it.
            ref: The memory.
            patch: What is to be different.
            expected_version: The version that the caller has seen.
            settles_typing: Whether this is what the person typed into it: what is kept of that
                typing goes in the same transaction.

        Raises:
            ScopeDeniedError: The caller may not write there, or an agent would settle what the
                person typed.
            HeldForReviewError: An agent met a locked or author-made memory, may only propose
                there, its text looks like a key or a password, or the author forgot what it
                says; the author decides.
            NotFoundError: No such memory in this scope, or it is forgotten.
            ConflictError: Somebody saved a newer version first.
        """
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.update", [ref])):
            authorize_write(caller, ref.scope)
            if settles_typing:
                authorize_person(caller, Action.WRITE, ref.scope.tier)
            return self._updated(
                caller, ref, patch, expected_version, settles_typing=settles_typing
            )

    def _updated(
        self,
        caller: Caller,
        ref: MemoryRef,
        patch: MemoryPatch,
        expected_version: int,
        *,
        settles_typing: bool,
    ) -> MemoryEntry:
        now = self.clock()
        with self.store.write(ref.scope.workspace_id, initiator=caller.name) as unit:
            before = reachable(unit, caller, ref)
            if before.is_forgotten:
                raise NotFoundError("memory", ref.id)
            if before.version != expected_version:
                raise ConflictError("memory", ref.id, expected_version, before.version)
            text = patch.content if patch.content != before.content else None
            gone = None if text is None else forgotten_before(unit, caller, ref.scope, text)
            why = why_held(caller, before, patch.content, *(patch.tags or ()))
            if why is None and gone is not None:
                why = HeldReason.FORGOTTEN
            if why is not None:
                held = Asking(unit, caller, self.new_id, now).for_edit(before, patch, gone)
                if held is None:
                    return before
                hold(unit, [(held, why)])
            stored = save_patch(unit, caller, before, patch, now)
            is_settled = settles_typing and unit.drafts.drop_typing(ref.scope, ref.id)
            if stored is not before:
                record_memories(unit, caller, EventKind.MEMORY_EDITED, [stored], now)
            if stored is not before or is_settled:
                unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class ChangeMemories:
    """Apply one change to many memories of one file, all or none."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        refs: Sequence[MemoryRef],
        *,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        lifetime: Lifetime | None = None,
        importance: float | None = None,
        expected: Mapping[str, int] | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """The memories that changed.

        Args:
            caller: Who asks.
            refs: The memories.
            add_tags: Tags that all of them get.
            remove_tags: Tags that all of them lose.
            lifetime: Their new lifetime.
            importance: Their new importance.
            expected: By id, the version that the caller has seen.

        Raises:
            InvalidValueError: The memories lie in different files, or a value is wrong.
            ScopeDeniedError: The caller may not write one of them.
            HeldForReviewError: An agent named locked or author-made memories: the changes of these
                became proposals, and none of the memories was changed.
            NotFoundError: One of them is not in its scope, or is forgotten.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        adding, removing = checked_tags(list(add_tags)), set(checked_tags(list(remove_tags)))

        def patch_of(entry: MemoryEntry) -> MemoryPatch:
            kept = [tag for tag in entry.tags if tag not in removing]
            return MemoryPatch(importance=importance, lifetime=lifetime, tags=(*kept, *adding))

        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.update", refs)):
            authorize_all(caller, refs)
            now = self.clock()
            with self.store.write(one_file(refs), initiator=caller.name) as unit:
                found = reachable_all(unit, caller, refs, expected)
                for entry in found:
                    if entry.is_forgotten:
                        raise NotFoundError("memory", entry.id)
                asking = Asking(unit, caller, self.new_id, now)
                hold(
                    unit,
                    [
                        (asking.for_edit(one, patch_of(one)), why)
                        for one in found
                        if (why := why_held(caller, one, *(patch_of(one).tags or ())))
                    ],
                )
                saved = [(one, save_patch(unit, caller, one, patch_of(one), now)) for one in found]
                changed = [after for before, after in saved if after is not before]
                if changed:
                    record_memories(unit, caller, EventKind.MEMORY_EDITED, changed, now)
                    unit.commit()
        return tuple(changed)


@dataclass(frozen=True, slots=True)
class ForgetMemories:
    """Mark memories of one file inactive: never retrieved again, still restorable."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        refs: Sequence[MemoryRef],
        *,
        reason: str = "",
        expected: Mapping[str, int] | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """The memories that are now forgotten and were not before.

        Args:
            caller: Who asks.
            refs: The memories.
            reason: Why, a phrase; may be empty.
            expected: By id, the version that the caller has seen.

        Raises:
            InvalidValueError: The memories lie in different files, or the reason is no single
                line of text.
            ScopeDeniedError: The caller may not write one of them.
            HeldForReviewError: An agent named locked or author-made memories: forgetting these
                became proposals, and none of the memories was forgotten.
            NotFoundError: One of them is not in its scope.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.forget", refs)):
            authorize_all(caller, refs)
            reason_given = checked_reason(reason)
            now = self.clock()
            with self.store.write(one_file(refs), initiator=caller.name) as unit:
                active, asked = [], []
                for one in reachable_all(unit, caller, refs, expected):
                    if one.is_forgotten:
                        continue
                    active.append(one)
                    if why := why_held(caller, one, reason_given):
                        asking = Asking(unit, caller, self.new_id, now)
                        asked.append((asking.for_forgetting(one, reason_given), why))
                if asked:
                    hold(unit, asked)
                done = [save_forgotten(unit, caller, one, reason_given, now) for one in active]
                if done:
                    record_memories(unit, caller, EventKind.MEMORY_FORGOTTEN, done, now)
                    unit.commit()
        return tuple(done)


@dataclass(frozen=True, slots=True)
class RestoreMemories:
    """Make forgotten memories of one file active again."""

    store: Store
    clock: Clock
    settings: SettingsSource

    def __call__(
        self,
        caller: Caller,
        refs: Sequence[MemoryRef],
        *,
        expected: Mapping[str, int] | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """The memories that are active again and were not before.

        Args:
            caller: Who asks.
            refs: The memories.
            expected: By id, the version that the caller has seen.

        Raises:
            InvalidValueError: The memories lie in different files.
            ScopeDeniedError: The caller is an agent.
            NotFoundError: One of them is not in its scope.
            ConflictError: Somebody saved a newer version of one of them first.
            CapReachedError: Its scope is full.
        """
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.restore", refs)):
            authorize_all(caller, refs)
            refuse_agents(caller, Action.WRITE, refs[0].scope.tier)
        now, cap = self.clock(), self.settings().cap
        done = []
        with self.store.write(one_file(refs), initiator=caller.name) as unit:
            for before in reachable_all(unit, caller, refs, expected):
                if not before.is_forgotten:
                    continue
                if unit.memories.active_count(before.scope) >= cap:
                    raise CapReachedError(before.scope.tier.value, cap)
                done.append(save_restored(unit, caller, before, now))
            if done:
                record_memories(unit, caller, EventKind.MEMORY_RESTORED, done, now)
                unit.commit()
        return tuple(done)


@dataclass(frozen=True, slots=True)
class RestoreOwn:
    """Bring back a memory that an agent itself forgot or changed last: its undo."""

    store: Store
    clock: Clock
    settings: SettingsSource

    def __call__(
        self, caller: Caller, ref: MemoryRef, *, version: int | None = None
    ) -> MemoryEntry:
        """The memory, as it was; one that is so already is answered as it is.

        Args:
            caller: Who forgot or changed it.
            ref: The memory.
            version: The version that the change ended; None where it was forgotten.

        Raises:
            ScopeDeniedError: The caller may not write there.
            NotFoundError: It is not in this scope, paused, or that was not its last change.
            CapReachedError: Its scope is full.
        """
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.restore", [ref])):
            authorize_all(caller, [ref])
            now, cap = self.clock(), self.settings().cap
            with self.store.write(one_file([ref]), initiator=caller.name) as unit:
                before = unit.memories.get(ref, caller.sees_private_of)
                if not before.is_forgotten and version in {None, before.version}:
                    return reachable(unit, caller, ref)
                history = unit.memories.history(before.id)
                last = history[0] if history else None
                # A person of the same name came through another door.
                own = (caller.name, caller.door.value)
                if last is None or (last.changed_by, last.door) != own:
                    raise NotFoundError("memory", ref.id)
                if version is not None and version == last.version and not before.is_forgotten:
                    state = version_state(before, history, version)
                    earlier = save_version(unit, caller, before, state, now)
                    record_memories(unit, caller, EventKind.MEMORY_EDITED, [earlier], now)
                    unit.commit()
                    return earlier
                if version is not None or last.action is not MemoryAction.FORGOTTEN:
                    raise NotFoundError("memory", ref.id)
                if unit.memories.active_count(before.scope) >= cap:
                    raise CapReachedError(before.scope.tier.value, cap)
                restored = save_restored(unit, caller, before, now)
                record_memories(unit, caller, EventKind.MEMORY_RESTORED, [restored], now)
                unit.commit()
        return restored


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
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.confirm", refs)):
            authorize_all(caller, refs)
            authorize_person(caller, Action.WRITE, refs[0].scope.tier)
        now = self.clock()
        confirmed = []
        with self.store.write(one_file(refs), initiator=caller.name) as unit:
            for before in reachable_all(unit, caller, refs):
                if before.is_forgotten:
                    raise NotFoundError("memory", before.id)
                confirmed.append(save_confirmed(unit, caller, before, now))
            record_memories(unit, caller, EventKind.MEMORY_CONFIRMED, confirmed, now)
            unit.commit()
        return tuple(confirmed)
