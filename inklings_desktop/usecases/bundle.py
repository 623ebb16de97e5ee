"""Every use case of one opened data root, by noun: ``inklings.memories.forget(...)``."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.parts import By

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.access.clients import Clients
    from inklings_desktop.usecases.background.background_work import BackgroundWork
    from inklings_desktop.usecases.background.models import Models
    from inklings_desktop.usecases.background.tasks import Tasks
    from inklings_desktop.usecases.consolidation.consolidation import Consolidation
    from inklings_desktop.usecases.consolidation.golden_questions import Golden
    from inklings_desktop.usecases.entries.drafts import Drafts
    from inklings_desktop.usecases.entries.entries import Entries
    from inklings_desktop.usecases.entries.proposals import Proposals
    from inklings_desktop.usecases.groups.scrub import Scrub
    from inklings_desktop.usecases.keeping.event_history import Log
    from inklings_desktop.usecases.keeping.keeping import Keeping
    from inklings_desktop.usecases.keeping.preferences import Preferences
    from inklings_desktop.usecases.memories.memories import Memories
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.store import Clock, Embedder
    from inklings_desktop.usecases.rooms.channels import Channels
    from inklings_desktop.usecases.rooms.conversations import Conversations
    from inklings_desktop.usecases.rooms.list_places import Places
    from inklings_desktop.usecases.rooms.messages import Messages
    from inklings_desktop.usecases.rooms.orient import Orientation
    from inklings_desktop.usecases.rooms.working_notes import Notes
    from inklings_desktop.usecases.rooms.workspaces import Workspaces
    from inklings_desktop.usecases.search.browse_memories import Listing
    from inklings_desktop.usecases.search.search import Search
    from inklings_desktop.usecases.steps.change_feed import ChangeFeed
    from inklings_desktop.usecases.transfer.transfer import Transfer
    from inklings_desktop.usecases.writing.spelling import Spelling


@dataclass(frozen=True, kw_only=True, eq=False)
class Inklings:
    """An opened data root as somebody asks it: what the doors and scripts hold.

    A group is imported and made when it is first touched. For whoever else asks, or with a clock
    beside it, ``replace`` makes another one of the same parts; that costs next to nothing.

    Attributes:
        parts: What the use cases are made of.
        caller: Who asks.
        workspace: The one that was asked for, or the only one there is; else None.
        background: The clock's work; None where no clock runs. In the window it is a QObject with
            the signals ``task_started``, ``task_progressed``, ``task_finished``,
            ``task_failed`` and ``state_changed``.
        is_read_only: Whether nothing can be stored, because the disk refuses it.
        was_open: Whether other users of the machine could open the data root before this start.
    """

    parts: Parts
    caller: Caller
    workspace: Workspace | None = None
    background: BackgroundWork | None = None
    is_read_only: bool = False
    was_open: bool = False

    @property
    def data_dir(self) -> Path:
        """The data root."""
        return self.parts.root

    @property
    def settings(self) -> Settings:
        """What is set now."""
        return self.parts.settings()

    @property
    def clock(self) -> Clock:
        """Tells the time."""
        return self.parts.clock

    @property
    def feed(self) -> ChangeFeed:
        """Says what changed, in this process or another."""
        return self.parts.feed

    @property
    def embedder(self) -> Embedder:
        """The model in use, or the null embedder."""
        return self.parts.embedder

    def as_caller(self, caller: Caller) -> Inklings:
        """The same for somebody else."""
        return replace(self, caller=caller)

    def view_as(self, client: str, workspace_id: str) -> Inklings:
        """The use cases as a client would call them in one workspace, where none can write.

        Args:
            client: Name of the client.
            workspace_id: The workspace that it would be bound to.

        Raises:
            ScopeDeniedError: The caller is an agent, or the client may read nothing there.
            NotFoundError: There is no such client or workspace.
        """
        from inklings_desktop.usecases.access.view_as import LookingStore, count_nothing, see_as

        eyes = see_as(self.parts.store, self.caller, client, workspace_id)
        store = LookingStore(self.parts.store)
        return Inklings(
            parts=replace(self.parts, store=store, count_reads=count_nothing),
            caller=eyes,
            workspace=self.parts.directory.get(workspace_id),
        )

    def complete(self) -> None:
        """Makes every noun, off the UI thread: it takes a tenth of a second or more."""
        for name, one in vars(Inklings).items():
            if isinstance(one, cached_property):
                getattr(self, name)
        self.parts.adapters()

    @cached_property
    def listing(self) -> Listing:
        """Memories in lists, and one by one."""
        from inklings_desktop.usecases.search.browse_memories import Listing

        return Listing(self.parts, self.caller)

    @cached_property
    def places(self) -> Places:
        """Which workspaces and rooms there are."""
        from inklings_desktop.usecases.rooms.list_places import Places

        return Places(self.parts, self.caller)

    @cached_property
    def memories(self) -> Memories:
        """What is done to memories."""
        from inklings_desktop.usecases.memories.memories import Memories

        return Memories(self.parts, self.caller)

    @cached_property
    def search(self) -> Search:
        """Finding and reading memories."""
        from inklings_desktop.usecases.search.search import Search

        return Search(self.parts, self.caller)

    @cached_property
    def orientation(self) -> Orientation:
        """What an agent is given at the beginning of a turn."""
        from inklings_desktop.usecases.rooms.orient import Orientation

        return Orientation(self.parts, self.caller)

    @cached_property
    def entries(self) -> Entries:
        """Named entries and their revisions."""
        from inklings_desktop.usecases.entries.entries import Entries

        return Entries(self.parts, self.caller)

    @cached_property
    def proposals(self) -> Proposals:
        """What agents propose."""
        from inklings_desktop.usecases.entries.proposals import Proposals

        return Proposals(self.parts, self.caller)

    @cached_property
    def drafts(self) -> Drafts:
        """What is typed and not saved."""
        from inklings_desktop.usecases.entries.drafts import Drafts

        return Drafts(self.parts, self.caller)

    @cached_property
    def workspaces(self) -> Workspaces:
        """Workspaces as a whole."""
        from inklings_desktop.usecases.rooms.workspaces import Workspaces

        return Workspaces(self.parts, self.caller)

    @cached_property
    def channels(self) -> Channels:
        """Channels of a workspace."""
        from inklings_desktop.usecases.rooms.channels import Channels

        return Channels(self.parts, self.caller)

    @cached_property
    def conversations(self) -> Conversations:
        """Conversations and their life."""
        from inklings_desktop.usecases.rooms.conversations import Conversations

        return Conversations(self.parts, self.caller)

    @cached_property
    def messages(self) -> Messages:
        """What is said in conversations."""
        from inklings_desktop.usecases.rooms.messages import Messages

        return Messages(self.parts, self.caller)

    @cached_property
    def notes(self) -> Notes:
        """Working notes of conversations."""
        from inklings_desktop.usecases.rooms.working_notes import Notes

        return Notes(self.parts, self.caller)

    @cached_property
    def keeping(self) -> Keeping:
        """Backups, checks and repairs."""
        from inklings_desktop.usecases.keeping.keeping import Keeping

        return Keeping(self.parts, self.caller)

    @cached_property
    def preferences(self) -> Preferences:
        """What a person has set."""
        from inklings_desktop.usecases.keeping.preferences import Preferences

        return Preferences(self.parts, self.caller)

    @cached_property
    def log(self) -> Log:
        """What happened, and whether all of it is there."""
        from inklings_desktop.usecases.keeping.event_history import Log

        return Log(self.parts, self.caller)

    @cached_property
    def scrub(self) -> Scrub:
        """Removing memory for good."""
        from inklings_desktop.usecases.groups.scrub import Scrub

        return Scrub(self.parts, By(self.caller, self.parts))

    @cached_property
    def transfer(self) -> Transfer:
        """Exports and imports."""
        from inklings_desktop.usecases.transfer.transfer import Transfer

        return Transfer(self.parts, self.caller)

    @cached_property
    def clients(self) -> Clients:
        """Clients of the agent's door."""
        from inklings_desktop.usecases.access.clients import Clients

        return Clients(self.parts, self.caller)

    @cached_property
    def consolidation(self) -> Consolidation:
        """Merging, pruning and taking it back."""
        from inklings_desktop.usecases.consolidation.consolidation import Consolidation

        return Consolidation(self.parts, self.caller)

    @cached_property
    def golden(self) -> Golden:
        """Golden questions."""
        from inklings_desktop.usecases.consolidation.golden_questions import Golden

        return Golden(self.parts, self.caller)

    @cached_property
    def tasks(self) -> Tasks:
        """Work that waits, and missing vectors."""
        from inklings_desktop.usecases.background.tasks import Tasks

        return Tasks(self.parts, self.caller)

    @cached_property
    def spelling(self) -> Spelling:
        """How words are spelt."""
        from inklings_desktop.usecases.writing.spelling import Spelling

        return Spelling(self.parts, self.caller)

    @cached_property
    def models(self) -> Models:
        """Models that turn texts into vectors."""
        from inklings_desktop.usecases.background.models import Models

        return Models(self.parts, self.caller)
