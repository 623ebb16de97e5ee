"""Four clients with rights of every sort, and what they asked for lately."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientCall, ClientKind, Right, preset_rights
from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from inklings_desktop.usecases.bundle import Inklings

STUDIO, READER, RELAY = "Manuscript Studio", "Continuity Reader", "Dice Relay"
READERS_CHANNEL = "weekly-continuity"


def add_four_clients(inklings: Inklings, workspace_id: str, *, agent: str) -> None:
    """The author's agent, one with the usual rights, one with its own, one with none.

    Args:
        inklings: The opened data root; the workspace has a channel for the one with its own.
        workspace_id: Where they may read and write.
        agent: What the author's agent is called.
    """
    weekly = next(
        one for one in inklings.places.channels(workspace_id) if one.name == READERS_CHANNEL
    )
    own = preset_rights(ClientKind.WORLD_AGENT, workspace_id)
    inklings.clients.grant(agent, own, kind=ClientKind.WORLD_AGENT)
    inklings.clients.grant(STUDIO, preset_rights(ClientKind.EXTERNAL, workspace_id))
    inklings.clients.grant(
        READER,
        {
            Right(Tier.CHANNEL, workspace_id, Action.READ, weekly.id),
            Right(Tier.WORKSPACE, workspace_id, Action.READ),
            Right(Tier.WORKSPACE, workspace_id, Action.WRITE),
        },
    )
    inklings.clients.grant(RELAY, ())
    for client, hours, tool, tier, answer, n_entries, error in (
        (agent, 0.05, "memory_orient", None, "entries", 18, ""),
        (STUDIO, 48.0, "memory_read", Tier.WORKSPACE, "entries", 20, ""),
        (STUDIO, 26.0, "memory_read", Tier.ACCOUNT, "refused", 0, "scope_denied"),
        (STUDIO, 25.0, "memory_put", Tier.WORKSPACE, "refused", 0, "scope_denied"),
        (STUDIO, 5.2, "memory_read", Tier.WORKSPACE, "entries", 3, ""),
        (STUDIO, 5.0, "memory_read", Tier.WORKSPACE, "entries", 12, ""),
        (READER, 96.0, "memory_put", Tier.WORKSPACE, "held", 1, ""),
    ):
        at = inklings.clock() - timedelta(hours=hours)
        inklings.clients.note_call(
            ClientCall(client, at, tool, tier, workspace_id, answer, n_entries, error)
        )
