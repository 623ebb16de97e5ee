"""Use cases over a few memories in hand, for presenters: no store, no files."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.errors import ConflictError, InklingsError, NotFoundError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import (
    OWN_SOURCE,
    MemoryAction,
    MemoryDraft,
    MemoryEntry,
    MemoryPatch,
    MemoryRef,
    MemoryVersion,
    change_action,
    own_lifetime,
)
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.search.browse_memories import MemoryWithHistory
from inklings_desktop.usecases.steps.putting import Remembered
from tests.support.builders import NOON, WORKSPACE_ID, FixedClock, SeededIds, a_person, set_to
from tests.support.stand_ins import played
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.rooms.conversation import Channel, Conversation, WorkingNote
    from inklings_desktop.usecases.bundle import Inklings


class FakeUseCases:
    """Memories by id, and the use cases that an inspector calls.

    Attributes:
        fails_with: Raised by every call while it is set.
        gate: Calls wait for it; open by default.
        n_begun: Calls that began, waiting ones included.
    """

    def __init__(self, *entries: MemoryEntry) -> None:
        self.entries = {entry.id: entry for entry in entries}
        self.versions: dict[str, list[MemoryVersion]] = {entry.id: [] for entry in entries}
        self.notes: list[WorkingNote] = []
        self.channels: list[Channel] = []
        self.conversations: list[Conversation] = []
        self.clock = FixedClock()
        self.fails_with: InklingsError | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.n_begun = 0
        self._ids = SeededIds(seed=7)

    def inklings(self) -> Inklings:
        """The bundle, with this desk behind the use cases it knows and nothing behind the rest."""
        parts = {
            "settings": set_to(display_name="Ada"),
            "clock": self.clock,
            "embedder": NullEmbedder("a-model"),
        }
        known: dict[str, Callable[..., object]] = {
            "listing.show": self.show,
            "memories.update": self.update,
            "memories.put_outcome": self.put,
            "memories.restore": self.restore,
            "notes.read": self.read_note,
            "drafts.find_typing": lambda *_asked: None,
            "places.channels": self.list_channels,
            "conversations.get": self.get_conversation,
            "workspaces.find": self.find_workspace,
        }
        return played(a_person(), parts, known)

    def show(self, _caller: Caller, ref: MemoryRef) -> MemoryWithHistory:
        """As ``Listing.show``."""
        self._begin()
        return MemoryWithHistory(self._get(ref), tuple(reversed(self.versions[ref.id])))

    def update(
        self,
        caller: Caller,
        ref: MemoryRef,
        patch: MemoryPatch,
        *,
        expected_version: int,
        settles_typing: bool = False,
    ) -> MemoryEntry:
        """As ``Memories.update``."""
        self._begin()
        assert settles_typing, "what is saved in the window is what was typed there"
        before = self._get(ref)
        if before.is_forgotten:
            raise NotFoundError("memory", ref.id)
        if before.version != expected_version:
            raise ConflictError("memory", ref.id, expected_version, before.version)
        after = before.patched(patch)
        action = change_action(before, after)
        return self._keep(before, after, action, caller) if action else before

    def put(
        self, caller: Caller, draft: MemoryDraft, *, settles_typing: bool = False
    ) -> Remembered:
        """As ``Memories.put_outcome``."""
        self._begin()
        assert settles_typing, "what is saved in the window is what was typed there"
        entry = MemoryEntry(
            id=self._ids(),
            sequence=len(self.entries) + 1,
            version=1,
            scope=draft.scope,
            content=draft.content,
            lifetime=draft.lifetime or own_lifetime(draft.scope.tier, caller.curator),
            source=draft.source or OWN_SOURCE[caller.curator],
            curator=caller.curator,
            importance=draft.importance,
            tags=draft.tags,
            created_at=self.clock(),
        )
        self.entries[entry.id] = entry
        self.versions[entry.id] = []
        return Remembered(entry)

    def restore(self, caller: Caller, refs: Sequence[MemoryRef]) -> tuple[MemoryEntry, ...]:
        """As ``Memories.restore``."""
        self._begin()
        forgotten = [entry for entry in map(self._get, refs) if entry.is_forgotten]
        return tuple(
            self._keep(entry, replace(entry, forgotten_at=None), MemoryAction.RESTORED, caller)
            for entry in forgotten
        )

    def read_note(
        self, _caller: Caller, _workspace_id: str, conversation: str, key: str
    ) -> WorkingNote:
        """As ``Notes.read``."""
        self._begin()
        for note in self.notes:
            if (note.conversation_id, note.key) == (conversation, key):
                return note
        raise NotFoundError("note", key)

    def list_channels(
        self, _caller: Caller, _workspace_id: str, *, include_archived: bool = False
    ) -> tuple[Channel, ...]:
        """As ``Places.channels``."""
        return tuple(one for one in self.channels if include_archived or not one.archived_at)

    def get_conversation(self, _caller: Caller, _workspace_id: str, key: str) -> Conversation:
        """As ``Conversations.get``."""
        for one in self.conversations:
            if one.id == key:
                return one
        raise NotFoundError("conversation", key)

    def find_workspace(self, _caller: Caller, key: str) -> Workspace:
        """As ``Workspaces.find``."""
        return Workspace(key, "The Saltglass Cartographers", NOON)

    # -- another hand -------------------------------------------------------------------

    def change_elsewhere(self, entry: MemoryEntry, patch: MemoryPatch) -> MemoryChanges:
        """Another caller saves; what its change record says."""
        before = self.entries[entry.id]
        self._keep(before, before.patched(patch), MemoryAction.EDITED, _a_script())
        return changes_of(entry)

    def read_elsewhere(self, entry: MemoryEntry) -> MemoryChanges:
        """An agent reads it: a counter rises, no version."""
        before = self.entries[entry.id]
        self.entries[entry.id] = replace(
            before, access_count=before.access_count + 1, accessed_at=self.clock()
        )
        return changes_of(entry)

    def forget_elsewhere(self, entry: MemoryEntry, reason: str | None = None) -> MemoryChanges:
        """Another caller forgets it."""
        before = self.entries[entry.id]
        after = replace(before, forgotten_at=self.clock(), forgotten_reason=reason)
        self._keep(before, after, MemoryAction.FORGOTTEN, _a_script())
        return changes_of(entry)

    def remove_elsewhere(self, entry: MemoryEntry) -> MemoryChanges:
        """It is gone for good."""
        del self.entries[entry.id]
        return changes_of(entry)

    # -- inside -------------------------------------------------------------------------

    def _begin(self) -> None:
        self.n_begun += 1
        assert self.gate.wait(HANG_SECONDS)
        if self.fails_with is not None:
            raise self.fails_with

    def _get(self, ref: MemoryRef) -> MemoryEntry:
        entry = self.entries.get(ref.id)
        if entry is None or entry.scope != ref.scope:
            raise NotFoundError("memory", ref.id)
        return entry

    def _keep(
        self, before: MemoryEntry, after: MemoryEntry, action: MemoryAction, caller: Caller
    ) -> MemoryEntry:
        self.versions[before.id].append(
            MemoryVersion(
                before.id,
                before.version,
                before.content if before.content != after.content else None,
                before.importance,
                before.lifetime,
                before.tags,
                action,
                self.clock(),
                caller.name,
                caller.door.value,
            )
        )
        self.entries[before.id] = replace(after, version=before.version + 1)
        return self.entries[before.id]


def changes_of(entry: MemoryEntry) -> MemoryChanges:
    """The record of a commit that touched one memory."""
    return MemoryChanges(
        workspace_id=entry.scope.workspace_id,
        scopes=frozenset({entry.scope}),
        updated=(entry.id,),
        own=False,
    )


def note_changes(note: WorkingNote) -> MemoryChanges:
    """The record of a commit that touched the notes of one conversation."""
    return MemoryChanges(WORKSPACE_ID, note_conversations=frozenset({note.conversation_id}))


def _a_script() -> Caller:
    return Caller.person("a script", Door.CLI)
