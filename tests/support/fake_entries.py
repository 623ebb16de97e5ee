"""Named entries, unsaved typing and proposals in memory."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import (
    BUILT_IN_OF_TIER,
    EntryAction,
    EntryRevision,
    NamedEntry,
    standing_order,
)
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import Curator, Tier
from tests.support.builders import NOON, a_template
from tests.support.fake_file import FakeChanges, FakeFile

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import EntryDraft, RevisionHead
    from inklings_desktop.domain.entries.proposals import Proposal, ProposalState
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import ScopeKey


def new_file(workspace_id: str | None, created_at: datetime = NOON) -> FakeFile:
    """A file as it is made: with its built-in named entry and nothing else."""
    tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
    name = BUILT_IN_OF_TIER[tier]
    id_ = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{workspace_id} {name}"))
    body = a_template(name)
    entry = NamedEntry(
        id=id_,
        tier=tier,
        workspace_id=workspace_id,
        name=name,
        body=body,
        curator=Curator.IMPORT,
        is_built_in=True,
        version=1,
        created_at=created_at,
        is_template=True,
    )
    first = EntryRevision(
        id_, 1, body, created_at, "Inklings", "program", Curator.IMPORT, EntryAction.SHIPPED
    )
    return FakeFile(entries={id_: entry}, revisions={id_: (first,)})


class FakeNamedEntryRepository:
    """The ``NamedEntryRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges, workspace_id: str | None) -> None:
        self._file = file
        self._changes = changes
        self._workspace_id = workspace_id

    def entries(self, *, deleted: bool = False) -> tuple[NamedEntry, ...]:
        """Those that are there, or only deleted ones."""
        found = [one for one in self._file.entries.values() if one.is_deleted == deleted]
        if deleted:
            return tuple(sorted(found, key=lambda one: one.deleted_at or NOON, reverse=True))
        return tuple(sorted(found, key=standing_order))

    def get(self, entry_id: str) -> NamedEntry:
        """One named entry."""
        try:
            return self._file.entries[entry_id]
        except KeyError:
            raise NotFoundError("named_entry", entry_id) from None

    def find(self, name: str) -> NamedEntry:
        """The one that is there under this name."""
        for entry in self.entries():
            if entry.name == name:
                return entry
        raise NotFoundError("named_entry", name)

    def add(
        self, entry: NamedEntry, *, action: EntryAction, saved_by: str, door: str
    ) -> NamedEntry:
        """Store a new named entry."""
        if entry.workspace_id != self._workspace_id:
            raise InvalidValueError("scope", "other_file")
        if entry.id in self._file.entries:
            raise ConflictError("named_entry", entry.name)
        self._require_free_name(entry)
        fresh = replace(entry, version=1)
        self._append(fresh, action, saved_by, door, entry.edited_at or entry.created_at)
        return fresh

    def save(
        self,
        entry: NamedEntry,
        *,
        expected_version: int,
        action: EntryAction,
        saved_by: str,
        door: str,
        saved_at: datetime,
    ) -> NamedEntry:
        """Replace body, curator and dates."""
        found = self.get(entry.id)
        if found.version != expected_version:
            raise ConflictError("named_entry", entry.id, expected_version, found.version)
        if not entry.is_deleted:
            self._require_free_name(entry)
        after = replace(
            found,
            body=entry.body,
            curator=entry.curator,
            edited_at=entry.edited_at,
            deleted_at=entry.deleted_at,
            is_template=entry.is_template,
            version=found.version + 1,
        )
        self._append(after, action, saved_by, door, saved_at)
        return after

    def revisions(self, entry_id: str) -> tuple[RevisionHead, ...]:
        """Its revisions, newest first."""
        return tuple(one.head for one in reversed(self._file.revisions.get(entry_id, ())))

    def revision(self, entry_id: str, number: int) -> EntryRevision:
        """One revision with its body."""
        for one in self._file.revisions.get(entry_id, ()):
            if one.number == number:
                return one
        raise NotFoundError("revision", str(number))

    def _require_free_name(self, entry: NamedEntry) -> None:
        for other in self.entries():
            if other.id != entry.id and other.name == entry.name:
                raise ConflictError("named_entry", entry.name)

    def _append(
        self, entry: NamedEntry, action: EntryAction, saved_by: str, door: str, saved_at: datetime
    ) -> None:
        revision = EntryRevision(
            entry.id, entry.version, entry.body, saved_at, saved_by, door, entry.curator, action
        )
        earlier = self._file.revisions.get(entry.id, ())
        self._file.revisions[entry.id] = (*earlier, revision)
        self._file.entries[entry.id] = entry
        self._changes.entries.add(entry.id)


class FakeDraftRepository:
    """The ``DraftRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, workspace_id: str | None) -> None:
        self._file = file
        self._workspace_id = workspace_id

    def keep(self, draft: EntryDraft) -> None:
        """Store or replace the unsaved text of an entry."""
        if draft.entry_id not in self._file.entries:
            raise NotFoundError("named_entry", draft.entry_id)
        self._file.drafts[draft.entry_id] = draft

    def drafts(self) -> tuple[EntryDraft, ...]:
        """All of them, the latest kept first."""
        found = sorted(self._file.drafts.values(), key=lambda one: one.entry_id)
        return tuple(sorted(found, key=lambda one: one.kept_at, reverse=True))

    def drop(self, entry_id: str) -> bool:
        """Forget the unsaved text of an entry."""
        return self._file.drafts.pop(entry_id, None) is not None

    def keep_typing(self, typing: MemoryTyping) -> None:
        """Store or replace the unsaved values of a memory."""
        if typing.scope.workspace_id != self._workspace_id:
            raise InvalidValueError("scope", "other_file")
        stored = self._file.memories.get(typing.memory_id)
        if not typing.is_new and (stored is None or stored.scope != typing.scope):
            raise NotFoundError("memory", typing.memory_id)
        self._file.typings[typing.scope, typing.memory_id] = typing

    def typings(self) -> tuple[MemoryTyping, ...]:
        """All of them, the latest kept first."""
        found = sorted(self._file.typings.values(), key=lambda one: (one.memory_id, one.scope.key))
        return tuple(sorted(found, key=lambda one: one.kept_at, reverse=True))

    def typing(self, scope: ScopeKey, memory_id: str) -> MemoryTyping | None:
        """Unsaved values of one memory."""
        return self._file.typings.get((scope, memory_id))

    def drop_typing(self, scope: ScopeKey, memory_id: str) -> bool:
        """Forget the unsaved values of a memory."""
        return self._file.typings.pop((scope, memory_id), None) is not None


class FakeProposalRepository:
    """The ``ProposalRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges) -> None:
        self._file = file
        self._changes = changes

    def add(self, proposal: Proposal) -> Proposal:
        """Store a new proposal."""
        self._file.proposals[proposal.id] = proposal
        self._changes.proposals = True
        return proposal

    def get(self, proposal_id: str) -> Proposal:
        """One proposal."""
        try:
            return self._file.proposals[proposal_id]
        except KeyError:
            raise NotFoundError("proposal", proposal_id) from None

    def proposals(
        self, *, states: Collection[ProposalState], client: str | None = None
    ) -> tuple[Proposal, ...]:
        """Those in these states, the latest made first."""
        return tuple(
            one
            for one in reversed(self._file.proposals.values())
            if one.state in states and client in {None, one.client}
        )

    def decide(
        self, proposal_id: str, state: ProposalState, *, note: str, decided_at: datetime | None
    ) -> Proposal:
        """Note what became of an undecided one."""
        before = self.get(proposal_id)
        if not before.is_undecided:
            raise ConflictError("proposal", proposal_id)
        after = replace(before, state=state, note=note, decided_at=decided_at)
        self._file.proposals[proposal_id] = after
        self._changes.proposals = True
        return after
