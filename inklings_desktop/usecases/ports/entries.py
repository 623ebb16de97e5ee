"""What the use cases need of named entries: their revisions, unsaved typing, and proposals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import (
        EntryAction,
        EntryDraft,
        EntryRevision,
        NamedEntry,
        RevisionHead,
    )
    from inklings_desktop.domain.entries.proposals import Proposal, ProposalState
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import ScopeKey


class NamedEntryRepository(Protocol):
    """The named entries of one database file; its built-in one is there from the first moment."""

    def entries(self, *, deleted: bool = False) -> tuple[NamedEntry, ...]:
        """Those that are there, the built-in one first, then by name; or only deleted ones.

        Deleted ones come with the latest deleted first.
        """
        ...

    def get(self, entry_id: str) -> NamedEntry:
        """One named entry, deleted ones included.

        Raises:
            NotFoundError: There is none with this id.
        """
        ...

    def find(self, name: str) -> NamedEntry:
        """The one that is there under exactly this name.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def add(
        self, entry: NamedEntry, *, action: EntryAction, saved_by: str, door: str
    ) -> NamedEntry:
        """Store a new named entry with its body as its first revision.

        The revision is dated with the last edit, else with the creation.

        Raises:
            ConflictError: Its name or id is taken.
            InvalidValueError: It belongs to another file.
        """
        ...

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
        """Replace body, curator and dates, and keep the body as the next revision.

        Returns:
            The entry with its new version, which is the number of the revision.

        Raises:
            NotFoundError: It is not there.
            ConflictError: Its version is no longer the expected one, or its name was taken while
                it was deleted.
        """
        ...

    def revisions(self, entry_id: str) -> tuple[RevisionHead, ...]:
        """Its revisions, newest first, without loading a body."""
        ...

    def revision(self, entry_id: str, number: int) -> EntryRevision:
        """One revision with its body.

        Raises:
            NotFoundError: There is none with this number.
        """
        ...


class DraftRepository(Protocol):
    """Unsaved typing in the named entries and memories of one file, one draft of each."""

    def keep(self, draft: EntryDraft) -> None:
        """Store or replace the unsaved text of an entry.

        Raises:
            NotFoundError: There is no such entry.
        """
        ...

    def drafts(self) -> tuple[EntryDraft, ...]:
        """All of them, the latest kept first."""
        ...

    def drop(self, entry_id: str) -> bool:
        """Forget the unsaved text of an entry; whether there was one."""
        ...

    def keep_typing(self, typing: MemoryTyping) -> None:
        """Store or replace the unsaved values of a memory, or of the new one of a scope.

        Raises:
            NotFoundError: There is no such memory in this scope.
            InvalidValueError: The scope belongs to another file.
        """
        ...

    def typings(self) -> tuple[MemoryTyping, ...]:
        """Unsaved values of memories, the latest kept first."""
        ...

    def typing(self, scope: ScopeKey, memory_id: str) -> MemoryTyping | None:
        """Unsaved values of one memory; None where there are none."""
        ...

    def drop_typing(self, scope: ScopeKey, memory_id: str) -> bool:
        """Forget the unsaved values of a memory; whether there were any."""
        ...


class ProposalRepository(Protocol):
    """What agents ask the author to accept in one file; never retrieved by any search."""

    def add(self, proposal: Proposal) -> Proposal:
        """Store a new proposal."""
        ...

    def get(self, proposal_id: str) -> Proposal:
        """One proposal.

        Raises:
            NotFoundError: There is none with this id.
        """
        ...

    def proposals(
        self, *, states: Collection[ProposalState], client: str | None = None
    ) -> tuple[Proposal, ...]:
        """Those in these states, the latest made first; of one client or of all."""
        ...

    def decide(
        self, proposal_id: str, state: ProposalState, *, note: str, decided_at: datetime | None
    ) -> Proposal:
        """Note what became of an undecided one.

        Raises:
            NotFoundError: There is none with this id.
            ConflictError: It was accepted or rejected before.
        """
        ...
