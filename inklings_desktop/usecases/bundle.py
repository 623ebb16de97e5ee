"""Every use case of one opened data root, by noun: ``inklings.memories.forget(...)``."""

# A noun has no body: its annotation says what is made.
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.parts import Asked, signing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.access.clients import Clients
    from inklings_desktop.usecases.background.activities import Activities
    from inklings_desktop.usecases.background.background_work import BackgroundWork
    from inklings_desktop.usecases.background.models import Models
    from inklings_desktop.usecases.background.tasks import Tasks
    from inklings_desktop.usecases.consolidation.consolidation import Consolidation
    from inklings_desktop.usecases.consolidation.golden_questions import Golden
    from inklings_desktop.usecases.entries.drafts import Drafts
    from inklings_desktop.usecases.entries.entries import Entries
    from inklings_desktop.usecases.entries.proposals import Proposals
    from inklings_desktop.usecases.keeping.event_history import Log
    from inklings_desktop.usecases.keeping.keeping import Keeping
    from inklings_desktop.usecases.keeping.preferences import Preferences
    from inklings_desktop.usecases.knowledge.could_be import CouldBeFacts
    from inklings_desktop.usecases.knowledge.domains import Domains
    from inklings_desktop.usecases.knowledge.facts import Facts
    from inklings_desktop.usecases.knowledge.policies import Policies
    from inklings_desktop.usecases.knowledge.working_memory import WorkingMemories
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
    from inklings_desktop.usecases.scrubbing.scrubs import Scrub
    from inklings_desktop.usecases.search.browse_memories import Listing
    from inklings_desktop.usecases.search.past import Past
    from inklings_desktop.usecases.search.search import Search
    from inklings_desktop.usecases.skills.folders import SkillTransfer
    from inklings_desktop.usecases.skills.proposed import SkillProposals
    from inklings_desktop.usecases.skills.runs import SkillRuns
    from inklings_desktop.usecases.skills.skills import Skills
    from inklings_desktop.usecases.steps.change_feed import ChangeFeed
    from inklings_desktop.usecases.transfer.transfer import Transfer
    from inklings_desktop.usecases.world.derivations import Derivations
    from inklings_desktop.usecases.world.page_proposals import PageProposals
    from inklings_desktop.usecases.world.world import World
    from inklings_desktop.usecases.writing.spelling import Spelling


N = TypeVar("N", bound=Asked)


def _noun(module: str) -> Callable[[Callable[[Inklings], N]], cached_property[N]]:
    """What is annotated, from a module that is imported when it is first touched."""

    def of(named: Callable[[Inklings], N]) -> cached_property[N]:
        def make(inklings: Inklings) -> N:
            noun: type[N] = getattr(import_module(module), named.__annotations__["return"])
            return noun(inklings.parts, inklings.caller)

        make.__doc__ = named.__doc__
        return cached_property(make)

    return of


@dataclass(frozen=True, kw_only=True, eq=False)
class Inklings:
    """An opened data root as somebody asks it: what the doors and scripts hold.

    A noun is imported and made when it is first touched. For whoever else asks, or with a clock
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
    def signer(self) -> Caller:
        """Who asks, under the name that is set now."""
        return signing(self.caller, self.parts)

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

    def view_as(self, client: str, workspace_id: str, role: str = "") -> Inklings:
        """The use cases as a client would call them in one workspace, where none can write.

        Args:
            client: Name of the client.
            workspace_id: The workspace that it would be bound to.
            role: Under which of its roles; empty for its usual one.

        Raises:
            ScopeDeniedError: The caller is an agent, or the client may read nothing there.
            NotFoundError: There is no such client or workspace.
        """
        from inklings_desktop.usecases.access.known_clients import (
            LookingStore,
            count_nothing,
            see_as,
        )

        eyes = see_as(self.parts.store, self.caller, client, workspace_id, role)
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

    @_noun("inklings_desktop.usecases.search.browse_memories")
    def listing(self) -> Listing:
        """Memories in lists, and one by one."""

    @_noun("inklings_desktop.usecases.rooms.list_places")
    def places(self) -> Places:
        """Which workspaces and rooms there are."""

    @_noun("inklings_desktop.usecases.memories.memories")
    def memories(self) -> Memories:
        """What is done to memories."""

    @_noun("inklings_desktop.usecases.search.past")
    def past(self) -> Past:
        """What was, and when it changed."""

    @_noun("inklings_desktop.usecases.search.search")
    def search(self) -> Search:
        """Finding and reading memories."""

    @_noun("inklings_desktop.usecases.rooms.orient")
    def orientation(self) -> Orientation:
        """What an agent is given at the beginning of a turn."""

    @_noun("inklings_desktop.usecases.entries.entries")
    def entries(self) -> Entries:
        """Named entries and their revisions."""

    @_noun("inklings_desktop.usecases.entries.proposals")
    def proposals(self) -> Proposals:
        """What agents propose."""

    @_noun("inklings_desktop.usecases.world.page_proposals")
    def page_proposals(self) -> PageProposals:
        """Changes of pages that somebody asks for."""

    @_noun("inklings_desktop.usecases.entries.drafts")
    def drafts(self) -> Drafts:
        """What is typed and not saved."""

    @_noun("inklings_desktop.usecases.rooms.workspaces")
    def workspaces(self) -> Workspaces:
        """Workspaces as a whole."""

    @_noun("inklings_desktop.usecases.rooms.channels")
    def channels(self) -> Channels:
        """Channels of a workspace."""

    @_noun("inklings_desktop.usecases.rooms.conversations")
    def conversations(self) -> Conversations:
        """Conversations and their life."""

    @_noun("inklings_desktop.usecases.rooms.messages")
    def messages(self) -> Messages:
        """What is said in conversations."""

    @_noun("inklings_desktop.usecases.rooms.working_notes")
    def notes(self) -> Notes:
        """Working notes of conversations."""

    @_noun("inklings_desktop.usecases.keeping.keeping")
    def keeping(self) -> Keeping:
        """Backups, checks and repairs."""

    @_noun("inklings_desktop.usecases.keeping.preferences")
    def preferences(self) -> Preferences:
        """What a person has set."""

    @_noun("inklings_desktop.usecases.keeping.event_history")
    def log(self) -> Log:
        """What happened, and whether all of it is there."""

    @_noun("inklings_desktop.usecases.scrubbing.scrubs")
    def scrub(self) -> Scrub:
        """Removing memory for good."""

    @_noun("inklings_desktop.usecases.transfer.transfer")
    def transfer(self) -> Transfer:
        """Exports and imports."""

    @_noun("inklings_desktop.usecases.access.clients")
    def clients(self) -> Clients:
        """Clients of the agent's door."""

    @_noun("inklings_desktop.usecases.consolidation.consolidation")
    def consolidation(self) -> Consolidation:
        """Merging, pruning and taking it back."""

    @_noun("inklings_desktop.usecases.consolidation.golden_questions")
    def golden(self) -> Golden:
        """Golden questions."""

    @_noun("inklings_desktop.usecases.background.tasks")
    def tasks(self) -> Tasks:
        """Work that waits, and missing vectors."""

    @_noun("inklings_desktop.usecases.world.derivations")
    def derivations(self) -> Derivations:
        """Where memories come from in the author's pages."""

    @_noun("inklings_desktop.usecases.knowledge.facts")
    def facts(self) -> Facts:
        """What is settled in a workspace."""

    @_noun("inklings_desktop.usecases.knowledge.could_be")
    def could_be_facts(self) -> CouldBeFacts:
        """What several conversations repeat."""

    @_noun("inklings_desktop.usecases.knowledge.policies")
    def policies(self) -> Policies:
        """House rules."""

    @_noun("inklings_desktop.usecases.knowledge.working_memory")
    def working_memories(self) -> WorkingMemories:
        """What agents keep between their runs."""

    @_noun("inklings_desktop.usecases.skills.skills")
    def skills(self) -> Skills:
        """Skills that agents work by."""

    @_noun("inklings_desktop.usecases.skills.folders")
    def skill_transfer(self) -> SkillTransfer:
        """Skills in and out as folders."""

    @_noun("inklings_desktop.usecases.skills.runs")
    def skill_runs(self) -> SkillRuns:
        """What skills give, and what came of it."""

    @_noun("inklings_desktop.usecases.skills.proposed")
    def skill_proposals(self) -> SkillProposals:
        """Skills that agents write."""

    @_noun("inklings_desktop.usecases.writing.spelling")
    def spelling(self) -> Spelling:
        """How words are spelt."""

    @_noun("inklings_desktop.usecases.background.activities")
    def activities(self) -> Activities:
        """What agents are asked at their time."""

    @_noun("inklings_desktop.usecases.background.models")
    def models(self) -> Models:
        """Models that turn texts into vectors."""

    @_noun("inklings_desktop.usecases.world.world")
    def world(self) -> World:
        """The author's own pages."""

    @_noun("inklings_desktop.usecases.knowledge.domains")
    def domains(self) -> Domains:
        """Groups of facts and rules, and which roles may do what in them."""
