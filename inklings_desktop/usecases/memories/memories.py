"""Remember, change, forget and bring back: the one road for every door."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize,
    authorize_person,
    authorize_write,
    refuse_agents,
)
from inklings_desktop.domain.entries.proposals import HeldReason
from inklings_desktop.domain.errors import (
    ConflictError,
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.memory_history import version_state
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY
from inklings_desktop.domain.memories.text_replacement import plan_replacements
from inklings_desktop.domain.memory import (
    MAX_DERIVATIONS,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryDraft,
    MemoryEntry,
    MemoryKind,
    MemoryPatch,
    MemoryRef,
    Tier,
)
from inklings_desktop.domain.memory_values import checked_reason, checked_tags
from inklings_desktop.usecases.memories.find_known import known_already, repeat_for, sources_for
from inklings_desktop.usecases.memories.revert_memories import reverted
from inklings_desktop.usecases.memories.values import VersionChange, Written
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.search.browse_memories import Listing
from inklings_desktop.usecases.steps.caps import refuse_full
from inklings_desktop.usecases.steps.changing_memories import (
    active_all,
    authorize_all,
    one_file,
    reachable,
    reachable_all,
    refuse_imitation,
    require_domain,
    require_open,
    require_room,
    save_confirmed,
    save_forgotten,
    save_marked,
    save_patch,
    save_restored,
    save_version,
)
from inklings_desktop.usecases.steps.holding import Asking, hold, why_held
from inklings_desktop.usecases.steps.putting import Putting, Waiting, forgotten_before
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.repeats import refuse_repeat, world_names
from inklings_desktop.usecases.steps.sources import FROM_MEMORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from inklings_desktop.domain.memories.memory_history import MemoryMark
    from inklings_desktop.domain.memories.text_replacement import ReplacementPlan, ReplacementWish
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, ScopeKey
    from inklings_desktop.usecases.memories.values import Edit, Known, Reversion
    from inklings_desktop.usecases.ports.store import UnitOfWork
    from inklings_desktop.usecases.steps.putting import Remembered


class Memories(Asked):
    """What is done to memories; those of one call lie in one file, and change all or not at all.

    ``expected`` says by id which version of a memory the caller has seen.
    """

    def put(self, draft: MemoryDraft, *, settles_typing: bool = False) -> MemoryEntry:
        """The memory that says it now, as ``put_outcome`` has it."""
        return self.put_outcome(draft, settles_typing=settles_typing).memory

    def put_outcome(
        self,
        draft: MemoryDraft,
        *,
        replaces: str | None = None,
        settles_typing: bool = False,
        insists: bool = False,
    ) -> Remembered:
        """Remembers something; what the scope says already is confirmed as still true instead.

        That gets the new tags if the caller may change it. At the cap, the least relevant memory
        that may be forgotten makes room in the same transaction.

        Args:
            replaces: Id of the memory of the scope that is no longer true: it is forgotten, and
                knows what took its place.
            settles_typing: Whether this is what the person typed as the new memory of the scope:
                what is kept of that typing goes in the same transaction, so that nothing which
                ends the program in between has it offered, and saved, twice.
            insists: Whether the author is asked where a page says it already.

        Raises:
            ScopeDeniedError: The caller may not write there, or an agent would settle what the
                person typed.
            DerivableError: A page that the agent may read says it already.
            HeldForReviewError: An agent may only propose there, would replace a locked or
                author-made memory, its text looks like a key or a password, or the author forgot
                what it says; now the author decides.
            InvalidValueError: An agent's memory claims to come from the person, VOICE or SOUL, the
                conversation is over, or a reference means no page or several.
            NotFoundError: The conversation or channel does not exist, or the conversation it is
                said to come from, or the memory that it replaces.
            CapReachedError: The scope is full of protected memories.
        """
        caller = self.caller
        scope, whole = draft.scope, draft.completed(caller.curator)
        with self.attempt("memory.put", scope.tier, scope.workspace_id):
            authorize_write(caller, scope)
            if settles_typing:
                authorize_person(caller, Action.WRITE, scope.tier)
            if not caller.may_keep_for(draft.private_to):
                raise ScopeDeniedError(Action.WRITE.value, scope.tier.value)
            refuse_imitation(caller, whole.source or "")
            sources = sources_for(self, scope.workspace_id, whole.derived_from)
            whole = replace(whole, derived_from=sources.references)
            names = self._world_names(scope, whole.content)
            repeat, now = repeat_for(self, scope, whole.content), self.clock()
            with self.writing(scope.workspace_id) as unit:
                refuse_repeat(unit, caller, scope, None if insists else repeat, now)
                require_open(unit, scope, now)
                if whole.source_conversation is not None:
                    require_room(unit, Tier.CONVERSATION, whole.source_conversation)
                put = Putting(unit, caller, self.new_id, self.parts.settings(), now)
                remembered = put(whole, replaces, is_in_page=repeat is not None, world_names=names)
                if isinstance(remembered, Waiting):
                    unit.commit()
                    raise HeldForReviewError(remembered.proposal.id, reason=remembered.why.value)
                if settles_typing:
                    unit.drafts.drop_typing(scope, NEW_MEMORY)
                if not remembered.was_known:
                    sources.keep(unit, remembered.memory.id)
                unit.commit()
        return remembered

    def find_known(self, draft: MemoryDraft) -> Known | None:
        """What says the same as a draft in a wider scope or a named entry; None if nothing does.

        What its own scope holds is left to the put, which confirms it and unites the tags.

        Raises:
            ScopeDeniedError: The caller may not write there.
        """
        authorize_write(self.caller, draft.scope)
        return known_already(self, draft)

    def copy(self, ref: MemoryRef, target: ScopeKey) -> MemoryEntry:
        """The memory that says it there, as ``copy_outcome`` has it."""
        return self.copy_outcome(ref, target).memory

    def copy_outcome(self, ref: MemoryRef, target: ScopeKey) -> Remembered:
        """Writes what a memory says into another scope; the memory itself stays as it is.

        It refers to the one it was copied from where both lie in one file. Nothing in the
        account refers to a workspace, and nothing in a workspace to the account.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: The target is the scope that it is in.
            NotFoundError: No such memory in its scope, it is forgotten, or the target's
                conversation or channel does not exist.
            CapReachedError: The target is full of protected memories.
        """
        caller = self.caller
        with self._attempt_on("memory.copy", [ref]):
            authorize(caller, Action.READ, ref.scope)
            authorize_person(caller, Action.WRITE, target.tier)
        if target == ref.scope:
            raise InvalidValueError("scope", "same")
        with self.store.read(ref.scope.workspace_id) as view:
            entry = view.memories.get(ref, caller.walls)
        if entry.is_forgotten:
            raise NotFoundError("memory", ref.id)
        return self.put_outcome(_draft_of_copy(entry, target))

    def update(
        self,
        ref: MemoryRef,
        patch: MemoryPatch,
        *,
        expected_version: int,
        settles_typing: bool = False,
        insists: bool = False,
    ) -> MemoryEntry:
        """Changes one memory that the caller has seen in a known version.

        Args:
            settles_typing: Whether this is what the person typed into it: what is kept of that
                typing goes in the same transaction.
            insists: Whether the author is asked where a page says the new text already.

        Raises:
            ScopeDeniedError: The caller may not write there, or an agent would settle what the
                person typed.
            DerivableError: A page that the agent may read says the new text already.
            HeldForReviewError: An agent met a locked or author-made memory, may only propose
                there, its text looks like a key or a password, or the author forgot what it
                says; the author decides.
            NotFoundError: No such memory in this scope, or it is forgotten.
            ConflictError: Somebody saved a newer version first.
        """
        caller = self.caller
        with self._attempt_on("memory.update", [ref]):
            authorize_write(caller, ref.scope)
            if settles_typing:
                authorize_person(caller, Action.WRITE, ref.scope.tier)
            repeat, now = repeat_for(self, ref.scope, patch.content), self.clock()
            with self.writing(ref.scope.workspace_id) as unit:
                before = self._seen(unit, ref, expected_version)
                text = patch.content if patch.content != before.content else None
                if text is not None and before.kind is MemoryKind.FACT:
                    raise InvalidValueError("content", "use_supersede")
                repeat = None if text is None else repeat
                refuse_repeat(unit, caller, ref.scope, None if insists else repeat, now)
                gone = None if text is None else forgotten_before(unit, caller, ref.scope, text)
                why = why_held(caller, before, patch.content, *(patch.tags or ()))
                if why is None and gone is not None:
                    why = HeldReason.FORGOTTEN
                if why is None and repeat is not None:
                    why = HeldReason.DERIVABLE
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

    def change(
        self,
        refs: Sequence[MemoryRef],
        *,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        lifetime: Lifetime | None = None,
        importance: float | None = None,
        expected: Mapping[str, int] | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """Applies one change to many memories; those that changed.

        Raises:
            InvalidValueError: The memories lie in different files, or a value is wrong.
            ScopeDeniedError: The caller may not write one of them.
            HeldForReviewError: An agent named locked or author-made memories: the changes of these
                became proposals, and none of the memories was changed.
            NotFoundError: One of them is not in its scope, or is forgotten.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        caller = self.caller
        adding, removing = checked_tags(list(add_tags)), set(checked_tags(list(remove_tags)))

        def patch_of(entry: MemoryEntry) -> MemoryPatch:
            kept = [tag for tag in entry.tags if tag not in removing]
            return MemoryPatch(importance=importance, lifetime=lifetime, tags=(*kept, *adding))

        with self._attempt_on("memory.update", refs):
            authorize_all(caller, refs)
            now = self.clock()
            with self.writing(one_file(refs)) as unit:
                found = active_all(unit, caller, refs, expected)
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
                return self._changed(unit, saved, now)

    def edit_each(self, edits: Sequence[Edit]) -> tuple[MemoryEntry, ...]:
        """Gives each memory its own change; those that changed, in the order of the edits.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: There are no edits, the memories lie in different files, or a
                lifetime does not fit its tier.
            NotFoundError: One of them is not in its scope, or is forgotten.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        caller = self.caller
        refs = [edit.ref for edit in edits]
        self._require_author("memory.update", refs)
        expected = {edit.ref.id: edit.expected_version for edit in edits}
        patches = {edit.ref.id: edit.patch for edit in edits}
        now = self.clock()
        with self.writing(one_file(refs)) as unit:
            found = active_all(unit, caller, refs, expected)
            saved = [(one, save_patch(unit, caller, one, patches[one.id], now)) for one in found]
            return self._changed(unit, saved, now)

    def mark(
        self,
        refs: Sequence[MemoryRef],
        mark: MemoryMark,
        *,
        on: bool,
        expected: Mapping[str, int] | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """Sets or lifts one mark; the memories that changed.

        Args:
            mark: Pinned, paused or locked.
            on: Whether it is set or lifted.

        Raises:
            ScopeDeniedError: The caller is not a person, or may not write one of them.
            InvalidValueError: The memories lie in different files, or one that is to be resumed
                cannot be read.
            NotFoundError: One of them is not in its scope, or is forgotten.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        caller = self.caller
        self._require_author("memory.mark", refs)
        now = self.clock()
        with self.writing(one_file(refs)) as unit:
            found = active_all(unit, caller, refs, expected)
            saved = [(one, save_marked(unit, caller, one, mark, now, on=on)) for one in found]
            return self._changed(unit, saved, now)

    def confirm(self, refs: Sequence[MemoryRef]) -> tuple[MemoryEntry, ...]:
        """Says that memories are *still true*: their hours count from now.

        Raises:
            ScopeDeniedError: The caller is not a person, or may not write one of them.
            NotFoundError: One of them is not in its scope, or is forgotten.
        """
        caller = self.caller
        self._require_author("memory.confirm", refs)
        now = self.clock()
        with self.writing(one_file(refs)) as unit:
            found = active_all(unit, caller, refs)
            confirmed = [save_confirmed(unit, caller, one, now) for one in found]
            record_memories(unit, caller, EventKind.MEMORY_CONFIRMED, confirmed, now)
            unit.commit()
        return tuple(confirmed)

    def forget(
        self,
        refs: Sequence[MemoryRef],
        *,
        reason: str = "",
        expected: Mapping[str, int] | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """Makes memories inactive: never retrieved again, still restorable.

        Raises:
            InvalidValueError: The memories lie in different files, or the reason is no single
                line of text.
            ScopeDeniedError: The caller may not write one of them.
            HeldForReviewError: An agent named locked or author-made memories: forgetting these
                became proposals, and none of the memories was forgotten.
            NotFoundError: One of them is not in its scope.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        caller = self.caller
        with self._attempt_on("memory.forget", refs):
            authorize_all(caller, refs)
            reason_given = checked_reason(reason)
            now = self.clock()
            with self.writing(one_file(refs)) as unit:
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

    def restore(
        self, refs: Sequence[MemoryRef], *, expected: Mapping[str, int] | None = None
    ) -> tuple[MemoryEntry, ...]:
        """Makes forgotten memories active again; those that were not before.

        Raises:
            InvalidValueError: The memories lie in different files.
            ScopeDeniedError: The caller is an agent.
            NotFoundError: One of them is not in its scope.
            ConflictError: Somebody saved a newer version of one of them first.
            CapReachedError: Its scope is full.
        """
        caller = self.caller
        with self._attempt_on("memory.restore", refs):
            authorize_all(caller, refs)
            refuse_agents(caller, Action.WRITE, refs[0].scope.tier)
        now, cap = self.clock(), self.parts.settings().cap
        done = []
        with self.writing(one_file(refs)) as unit:
            for before in reachable_all(unit, caller, refs, expected):
                if not before.is_forgotten:
                    continue
                refuse_full(unit, before, cap)
                done.append(save_restored(unit, caller, before, now))
            if done:
                record_memories(unit, caller, EventKind.MEMORY_RESTORED, done, now)
                unit.commit()
        return tuple(done)

    def restore_own(self, ref: MemoryRef, *, version: int | None = None) -> MemoryEntry:
        """Brings back a memory that an agent itself has forgotten: its undo.

        Args:
            version: The version that the change ended; None where it was forgotten.

        Raises:
            ScopeDeniedError: The caller may not write there.
            DomainDeniedError: It is a fact of a domain that the caller may only read by now.
            NotFoundError: It is not in this scope, paused, or that was not its last change.
            CapReachedError: Its scope is full.
        """
        caller = self.caller
        with self._attempt_on("memory.restore", [ref]):
            authorize_all(caller, [ref])
            now, cap = self.clock(), self.parts.settings().cap
            with self.writing(one_file([ref])) as unit:
                before = unit.memories.get(ref, caller.walls)
                if not before.is_forgotten and version in {None, before.version}:
                    return reachable(unit, caller, ref)
                require_domain(unit, caller, before)
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
                refuse_full(unit, before, cap)
                restored = save_restored(unit, caller, before, now)
                record_memories(unit, caller, EventKind.MEMORY_RESTORED, [restored], now)
                unit.commit()
        return restored

    def revert(self, wanted: Sequence[Reversion]) -> tuple[MemoryEntry, ...]:
        """Brings memories to an earlier or later version, each as a new version of itself.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: None is named.
            NotFoundError: One of them, or a version of it, is not there.
            ConflictError: One of them does not stand any more as it is held to.
            CapReachedError: A scope is full.
        """
        self._require_author("memory.update", [one.ref for one in wanted])
        return reverted(self, wanted)

    def restore_version(
        self, ref: MemoryRef, number: int, *, expected_version: int
    ) -> VersionChange:
        """Makes what one version said and weighed the newest version.

        Raises:
            ScopeDeniedError: The caller is not a person.
            NotFoundError: The memory is not in this scope, is forgotten, or has no such version.
            ConflictError: Somebody saved a newer version first.
        """
        caller = self.caller
        self._require_author("memory.update", [ref])
        now = self.clock()
        with self.writing(ref.scope.workspace_id) as unit:
            before = self._seen(unit, ref, expected_version)
            state = version_state(before, unit.memories.history(ref.id), number)
            after = save_version(unit, caller, before, state, now)
            if after is not before:
                record_memories(unit, caller, EventKind.MEMORY_EDITED, [after], now)
                unit.commit()
        return VersionChange(before, after)

    def find_written(self, name: str, workspace_id: str | None) -> Written:
        """What one client wrote, whatever its tier, in a workspace, if any, and in the account.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(self.caller, Action.READ, Tier.WORKSPACE)
        found: list[MemoryEntry] = []
        n_rewritten = 0
        for file in dict.fromkeys((workspace_id, None)):
            with self.store.read(file) as view:
                found.extend(view.memories.by_writer(name))
                n_rewritten += view.memories.count_rewritten(name)
        free = tuple(one for one in found if not one.locked)
        return Written(free, len(found) - len(free), n_rewritten)

    def preview_replacement(
        self, refs: Sequence[MemoryRef], wish: ReplacementWish
    ) -> ReplacementPlan:
        """Every change that replacing a text would make, each with its version; nothing is written.

        Forgotten memories and those that are gone are left out.

        Raises:
            ScopeDeniedError: The caller is not a person.
        """
        for tier in {ref.scope.tier for ref in refs}:
            authorize_person(self.caller, Action.WRITE, tier)
        found = Listing(self.parts, self.caller).show_all(refs)
        return plan_replacements([one for one in found if not one.is_forgotten], wish)

    def _world_names(self, scope: ScopeKey, text: str) -> tuple[str, ...]:
        """What of a text the author is told where an agent asks for it in the account."""
        caller = self.caller
        if not caller.has_to_ask_before_adding(scope):
            return ()
        ids = dict.fromkeys(one.workspace_id for one in caller.grants)
        indexes = [index for one in ids if (index := self.pages_of(one)) is not None]

        def is_known(name: str) -> bool:
            if not caller.may(Action.READ, scope):
                return False
            where = MemoryFilter(phrases=frozenset({name}))
            return bool(Listing(self.parts, caller).browse([scope], where=where, limit=1).entries)

        return world_names(text, indexes, is_known) if indexes else ()

    def _attempt_on(self, verb: str, refs: Sequence[MemoryRef]) -> AbstractContextManager[None]:
        """Records the refusal of an act on memories."""
        scope = refs[0].scope if refs else None
        tier, file = (scope.tier, scope.workspace_id) if scope else (Tier.WORKSPACE, None)
        return self.attempt(verb, tier, file, tuple(one.id for one in refs))

    def _require_author(self, verb: str, refs: Sequence[MemoryRef]) -> None:
        with self._attempt_on(verb, refs):
            authorize_all(self.caller, refs)
            authorize_person(self.caller, Action.WRITE, refs[0].scope.tier)

    def _seen(self, unit: UnitOfWork, ref: MemoryRef, expected_version: int) -> MemoryEntry:
        """The memory, active and in the version that the caller has seen."""
        before = reachable(unit, self.caller, ref)
        if before.is_forgotten:
            raise NotFoundError("memory", ref.id)
        if before.version != expected_version:
            raise ConflictError("memory", ref.id, expected_version, before.version)
        return before

    def _changed(
        self, unit: UnitOfWork, saved: Iterable[tuple[MemoryEntry, MemoryEntry]], now: datetime
    ) -> tuple[MemoryEntry, ...]:
        """Commits with an event of those that changed."""
        changed = tuple(after for before, after in saved if after is not before)
        if changed:
            record_memories(unit, self.caller, EventKind.MEMORY_EDITED, changed, now)
            unit.commit()
        return changed


def _draft_of_copy(entry: MemoryEntry, target: ScopeKey) -> MemoryDraft:
    """What is written when a memory is copied into a scope; private to whom the memory is."""
    lifetime = None if entry.lifetime is Lifetime.CONVERSATION else entry.lifetime
    is_one_file = target.workspace_id == entry.scope.workspace_id
    back = (Derivation(entry.id, FROM_MEMORY),) if is_one_file else ()
    kept = entry.derived_from[: MAX_DERIVATIONS - 1] if is_one_file else ()
    return MemoryDraft(
        target,
        entry.content,
        entry.importance,
        lifetime=None if target.tier is Tier.CONVERSATION else lifetime,
        tags=entry.tags,
        derived_from=(*back, *kept),
        private_to=entry.agent_id,
    )
