"""What one committed operation changed, and who began it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey

MAX_NAMED_CHANGES = 1_000
"""Of more than these in one transaction none is named."""


@dataclass(frozen=True, slots=True)
class MemoryChanges:
    """The change record of one committed transaction on one database.

    Attributes:
        workspace_id: Whose file it was; None for the account's.
        scopes: Scope keys whose memories were touched.
        added: Ids of new memories.
        updated: Ids of changed memories, restored ones included; vectors and reads as well.
        forgotten: Ids of memories marked inactive.
        rooms: Whether channels, conversations or linked folders changed.
        note_conversations: Conversations whose working notes changed.
        entries: Ids of named entries that were saved, deleted or restored.
        proposals: Whether a proposal was made or decided.
        clients: Whether a client's rights changed, or it asked for something.
        scrub_requests: Whether a scrub was asked for by an agent, or such a request answered.
        events: Whether the event log grew.
        scrubbed: Whether another process destroyed memories for good.
        workspaces: Whether another process made, named or removed a workspace.
        settings: Whether something is set otherwise now.
        reload: Too much changed to name it: ask again for everything.
        initiator: Name of the caller that began it; empty when another process did.
        own: Whether this process made the change.
        drafts_dropped: Whose unsaved typing was let go of, by whichever process: ids of named
            entries and memories; the new memory of a scope goes by ``tier/key``.
        successors: Ids of memories that took the place of forgotten ones; not known of what
            another process did.
    """

    workspace_id: str | None
    scopes: frozenset[ScopeKey] = frozenset()
    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    rooms: bool = False
    note_conversations: frozenset[str] = frozenset()
    entries: frozenset[str] = frozenset()
    proposals: bool = False
    clients: bool = False
    scrub_requests: bool = False
    events: bool = False
    scrubbed: bool = False
    workspaces: bool = False
    settings: bool = False
    reload: bool = False
    initiator: str = ""
    own: bool = True
    drafts_dropped: frozenset[str] = frozenset()
    successors: frozenset[str] = frozenset()

    def followed_by(self, later: Self) -> Self:
        """Both as one, of the same file, initiator and process.

        An id stands under the last thing that became of it; one that was new stays new until it
        is forgotten.
        """
        states: dict[str, str] = {}
        for changes in (self, later):
            for state in ("added", "updated", "forgotten"):
                for id_ in getattr(changes, state):
                    is_still_new = state == "updated" and states.get(id_) == "added"
                    states[id_] = "added" if is_still_new else state

        def those(wanted: str) -> tuple[str, ...]:
            return tuple(id_ for id_, state in states.items() if state == wanted)

        return replace(
            later,
            scopes=self.scopes | later.scopes,
            added=those("added"),
            updated=those("updated"),
            forgotten=those("forgotten"),
            rooms=self.rooms or later.rooms,
            note_conversations=self.note_conversations | later.note_conversations,
            entries=self.entries | later.entries,
            drafts_dropped=self.drafts_dropped | later.drafts_dropped,
            successors=self.successors | later.successors,
            proposals=self.proposals or later.proposals,
            clients=self.clients or later.clients,
            scrub_requests=self.scrub_requests or later.scrub_requests,
            events=self.events or later.events,
            scrubbed=self.scrubbed or later.scrubbed,
            workspaces=self.workspaces or later.workspaces,
            settings=self.settings or later.settings,
            reload=self.reload or later.reload,
        )

    @property
    def surrounds(self) -> bool:
        """Whether workspaces or rooms, or who may see them, may be others now."""
        return bool(
            self.rooms
            or self.note_conversations
            or self.clients
            or self.scrubbed
            or self.workspaces
            or self.reload
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing was touched."""
        return not (
            self.scopes
            or self.added
            or self.updated
            or self.forgotten
            or self.rooms
            or self.note_conversations
            or self.entries
            or self.drafts_dropped
            or self.proposals
            or self.clients
            or self.scrub_requests
            or self.events
            or self.scrubbed
            or self.workspaces
            or self.settings
            or self.reload
        )
