"""What one committed operation changed, and who began it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey


@dataclass(frozen=True, slots=True)
class MemoryChanges:
    """The change record of one committed transaction on one database.

    Attributes:
        workspace_id: Whose file it was; None for the account's.
        scopes: Scope keys whose memories were touched.
        added: Ids of new memories.
        updated: Ids of changed memories, restored ones included; vectors and reads as well.
        forgotten: Ids of memories marked inactive.
        rooms: Whether channels or conversations changed.
        note_conversations: Conversations whose working notes changed.
        entries: Ids of named entries that were saved, deleted or restored.
        proposals: Whether a proposal was made or decided.
        clients: Whether a client's rights changed, or it asked for something.
        scrub_requests: Whether a scrub was asked for by an agent, or such a request answered.
        events: Whether the event log grew.
        workspaces: Whether another process made, named or removed a workspace.
        reload: Too much changed to name it: ask again for everything.
        initiator: Name of the caller that began it; empty when another process did.
        own: Whether this process made the change.
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
    workspaces: bool = False
    reload: bool = False
    initiator: str = ""
    own: bool = True

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
            or self.proposals
            or self.clients
            or self.scrub_requests
            or self.events
            or self.workspaces
            or self.reload
        )
