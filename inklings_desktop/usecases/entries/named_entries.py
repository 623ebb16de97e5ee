"""The steps by which named entries are read and written, whoever asks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.entries.named_entry import (
    EntryAction,
    EntryRef,
    NamedEntry,
    checked_body,
    checked_entry_name,
    require_distinct,
    standing_order,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, ScopeKey, Tier
from inklings_desktop.usecases.steps.recording import record_entry

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import Store, StoreView, UnitOfWork


def readable_scopes(caller: Caller, workspace_id: str | None) -> tuple[ScopeKey, ...]:
    """The tiers of named entries that a caller may read, the workspace's first.

    Raises:
        ScopeDeniedError: None of them.
    """
    own = () if workspace_id is None else (ScopeKey.workspace(workspace_id),)
    scopes = (*own, ScopeKey.account())
    found = tuple(scope for scope in scopes if caller.may(Action.READ, scope))
    if not found:
        raise ScopeDeniedError(Action.READ.value, scopes[0].tier.value)
    return found


def entries_of(store: Store, scope: ScopeKey, *, deleted: bool = False) -> tuple[NamedEntry, ...]:
    """The named entries of one tier."""
    with store.read(scope.workspace_id) as view:
        return view.entries.entries(deleted=deleted)


def stored_entry(view: StoreView, ref: EntryRef) -> NamedEntry:
    """The entry, deleted or not.

    Raises:
        NotFoundError: It is not in this tier.
    """
    entry = view.entries.get(ref.id)
    if entry.ref != ref:
        raise NotFoundError("named_entry", ref.id)
    return entry


def list_entries(
    store: Store, caller: Caller, workspace_id: str | None, tier: Tier | None = None
) -> tuple[NamedEntry, ...]:
    """The named entries that stand over a workspace, or those of one tier, as a caller sees them.

    Raises:
        ScopeDeniedError: An agent that may read neither tier.
        NotFoundError: There is no such workspace.
    """
    found = [
        as_seen_by(caller, entry)
        for scope in readable_scopes(caller, workspace_id)
        if tier in {None, scope.tier}
        for entry in entries_of(store, scope)
    ]
    return tuple(sorted(found, key=standing_order))


def standing_slice(
    store: Store, caller: Caller, workspace_id: str | None
) -> tuple[NamedEntry, ...]:
    """The entries that say something, whole: no unedited templates, no emptied entries.

    Raises:
        ScopeDeniedError: An agent that may read neither tier.
        NotFoundError: There is no such workspace.
    """
    entries = list_entries(store, caller, workspace_id)
    return tuple(entry for entry in entries if entry.is_standing)


def require_author(asked: Asked, verb: str, ref: EntryRef) -> None:
    """Returns only for the person; a machine's attempt on a named entry becomes an event.

    Raises:
        ScopeDeniedError: The caller is an agent or the clock.
    """
    asked.require_person(f"named_entry.{verb}", ref.tier, ref.workspace_id, (ref.id,))


def as_seen_by(caller: Caller, entry: NamedEntry) -> NamedEntry:
    """What an agent would take for the author's words and is not, is for the author alone.

    These are a template's words, and those of which damage left a part.
    """
    is_withheld = caller.is_agent and (entry.is_template or entry.is_unreadable)
    return replace(entry, body="") if is_withheld else entry


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
