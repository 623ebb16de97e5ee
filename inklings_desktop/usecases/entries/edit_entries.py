"""Write named entries: the author's alone; every save keeps what was there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import (
    EntryAction,
    EntryRef,
    NamedEntry,
    checked_body,
    checked_entry_name,
    entry_scope,
    require_distinct,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.entries.named_entries import (
    require_author,
    stored_entry,
)
from inklings_desktop.usecases.steps.recording import record_entry
from inklings_desktop.usecases.steps.refusals import Attempt, require_person

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store, StoreView, UnitOfWork


@dataclass(frozen=True, slots=True)
class CreateEntry:
    """Add a companion to VOICE or SOUL."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self, caller: Caller, tier: Tier, workspace_id: str | None, name: str, body: str = ""
    ) -> NamedEntry:
        """The new companion; ``workspace_id`` does not matter in the account tier.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The name or body cannot be kept, the name imitates another, or the
                tier has no named entries.
            ConflictError: The name is taken.
        """
        file = None if tier is Tier.ACCOUNT else workspace_id
        attempt = Attempt("named_entry.create", tier, file)
        require_person(self.store, self.clock, caller, attempt)
        entry_scope(tier, file)
        now = self.clock()
        with self.store.write(file, initiator=caller.name) as unit:
            require_free_name(unit, name)
            ref = EntryRef(tier, file, self.new_id())
            stored = add_companion(
                unit, caller, ref, name, body, action=EntryAction.CREATED, now=now
            )
            unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class SaveEntry:
    """Replace the body of a named entry that the author has seen in a known version."""

    store: Store
    clock: Clock

    def __call__(
        self,
        caller: Caller,
        ref: EntryRef,
        body: str,
        *,
        expected_version: int,
        settles_draft: bool = False,
    ) -> NamedEntry:
        """The entry as it is now; unchanged, without a revision, if the body is the same.

        Unsaved typing that is now saved is no longer kept as a draft; any other stays, unless
        this is what became of it.

        Args:
            caller: The person.
            ref: The entry.
            body: The whole new text.
            expected_version: The version that the author has seen.
            settles_draft: Whether this is what the kept typing has become: the draft goes in the
                same transaction, however much of the text it held.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The body cannot be kept.
            NotFoundError: It is not there, or deleted.
            ConflictError: Somebody saved a newer version first.
        """
        require_author(self.store, self.clock, caller, "save", ref)
        text = checked_body(body)
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            before = present(unit, ref, expected_version)
            stored = write_body(unit, caller, before, text, EntryAction.SAVED, self.clock())
            drafts = [one for one in unit.drafts.drafts() if one.entry_id == ref.id]
            is_settled = any(settles_draft or one.body == text for one in drafts)
            if is_settled:
                unit.drafts.drop(ref.id)
            if stored is not before or is_settled:
                unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class RestoreRevision:
    """Bring an earlier body back, as a new revision."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, ref: EntryRef, number: int, *, expected_version: int
    ) -> NamedEntry:
        """The entry as it is now; unchanged if it reads so already.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: The entry or the revision is not there.
            ConflictError: Somebody saved a newer version first.
        """
        require_author(self.store, self.clock, caller, "restore", ref)
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            before = present(unit, ref, expected_version)
            body = unit.entries.revision(ref.id, number).body
            stored = write_body(unit, caller, before, body, EntryAction.RESTORED, self.clock())
            if stored is not before:
                unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class DeleteEntry:
    """Take a companion away; it can be brought back until it is scrubbed."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, ref: EntryRef, *, expected_version: int) -> NamedEntry:
        """The deleted companion.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: It is built in: it can be emptied, not deleted.
            NotFoundError: It is not there, or deleted already.
            ConflictError: Somebody saved a newer version first.
        """
        require_author(self.store, self.clock, caller, "delete", ref)
        now = self.clock()
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            stored = take_away(unit, caller, present(unit, ref, expected_version), now)
            unit.commit()
        return stored


@dataclass(frozen=True, slots=True)
class UndeleteEntry:
    """Bring a deleted companion back."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, ref: EntryRef) -> NamedEntry:
        """The companion; as it is if it was not deleted.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It never was there, or is scrubbed.
            ConflictError: Another one has its name by now.
            InvalidValueError: Another one's name looks like its name by now.
        """
        require_author(self.store, self.clock, caller, "undelete", ref)
        now = self.clock()
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            before = stored_entry(unit, ref)
            if not before.is_deleted:
                return before
            stored = bring_back(unit, caller, before, now)
            unit.commit()
        return stored


def require_free_name(view: StoreView, name: str) -> None:
    """Return only if a companion may have this name, and nothing in the file has one like it.

    Raises:
        InvalidValueError: It cannot be a name, or imitates another.
        ConflictError: It is taken.
    """
    require_distinct(name, [one.name for one in view.entries.entries()])
    checked_entry_name(name)


def add_companion(
    unit: UnitOfWork,
    caller: Caller,
    ref: EntryRef,
    name: str,
    body: str,
    *,
    action: EntryAction,
    now: datetime,
) -> NamedEntry:
    """A new named entry under a free name, with its first revision.

    Raises:
        InvalidValueError: The body cannot be kept.
    """
    entry = NamedEntry(
        id=ref.id,
        tier=ref.tier,
        workspace_id=ref.workspace_id,
        name=name,
        body=checked_body(body),
        curator=Curator.AUTHOR,
        is_built_in=False,
        version=1,
        created_at=now,
        edited_at=now,
    )
    stored = unit.entries.add(entry, action=action, saved_by=caller.name, door=caller.door.value)
    record_entry(unit, caller, EventKind.ENTRY_SAVED, stored, now)
    return stored


def present(unit: StoreView, ref: EntryRef, expected_version: int | None = None) -> NamedEntry:
    """The entry, if it is there and still in the version expected.

    Raises:
        NotFoundError: It is not there, or deleted.
        ConflictError: Somebody saved a newer version first.
    """
    entry = stored_entry(unit, ref)
    if entry.is_deleted:
        raise NotFoundError("named_entry", ref.id)
    if expected_version is not None and entry.version != expected_version:
        raise ConflictError("named_entry", ref.id, expected_version, entry.version)
    return entry


def take_away(unit: UnitOfWork, caller: Caller, before: NamedEntry, now: datetime) -> NamedEntry:
    """Delete a companion and record it.

    Raises:
        InvalidValueError: It is built in.
    """
    if before.is_built_in:
        raise InvalidValueError("name", "built_in")
    stored = _save(unit, caller, replace(before, deleted_at=now), EntryAction.DELETED, now)
    record_entry(unit, caller, EventKind.ENTRY_DELETED, stored, now)
    return stored


def bring_back(unit: UnitOfWork, caller: Caller, before: NamedEntry, now: datetime) -> NamedEntry:
    """Let a deleted companion be there again and record it.

    Raises:
        ConflictError: Another one has its name by now.
        InvalidValueError: Another one's name looks like its name by now.
    """
    require_distinct(before.name, [one.name for one in unit.entries.entries()])
    stored = _save(unit, caller, replace(before, deleted_at=None), EntryAction.UNDELETED, now)
    record_entry(unit, caller, EventKind.ENTRY_RESTORED, stored, now)
    return stored


def write_body(
    unit: UnitOfWork,
    caller: Caller,
    before: NamedEntry,
    body: str,
    action: EntryAction,
    now: datetime,
) -> NamedEntry:
    """Save a body as the next revision and record it; the same entry if nothing changes."""
    if body == before.body:
        return before
    after = replace(
        before,
        body=body,
        curator=Curator.AUTHOR,
        edited_at=now,
        is_template=before.is_built_in and body == _shipped_body(unit, before),
    )
    is_restored = action is EntryAction.RESTORED
    kind = EventKind.ENTRY_RESTORED if is_restored else EventKind.ENTRY_SAVED
    stored = _save(unit, caller, after, action, now)
    record_entry(unit, caller, kind, stored, now)
    return stored


def _save(
    unit: UnitOfWork, caller: Caller, entry: NamedEntry, action: EntryAction, now: datetime
) -> NamedEntry:
    return unit.entries.save(
        entry,
        expected_version=entry.version,
        action=action,
        saved_by=caller.name,
        door=caller.door.value,
        saved_at=now,
    )


def _shipped_body(unit: UnitOfWork, entry: NamedEntry) -> str | None:
    """The template that the program made this entry with."""
    first = unit.entries.revision(entry.id, 1)
    return first.body if first.action is EntryAction.SHIPPED else None
