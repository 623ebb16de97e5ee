"""How much each tier holds, and what in it is worth a look."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.overview import Attention, TierOverview
from inklings_desktop.domain.memory import ScopeKey, Tier

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import (
        StoreView,
    )


def tiers(asked: Asked, workspace_id: str) -> tuple[TierOverview, ...]:
    """One overview per tier, from the conversations outwards to the account."""
    authorize_management(asked.caller)
    now = asked.clock()
    found: list[TierOverview] = []
    for file in (workspace_id, None):
        with asked.store.read(file) as view:
            found += view.overview.tiers(
                open_scopes(view, file),
                decay=asked.parts.settings().decay,
                model_id=asked.parts.embedder.model_id,
                as_of=now,
            )
    has_model = asked.parts.embedder.is_available
    return tuple(replace(one, has_model=has_model) for one in found)


def worth_a_look(asked: Asked, workspace_id: str) -> tuple[Attention, ...]:
    """The lists that are not empty, in the order of their kinds."""
    authorize_management(asked.caller)
    now = asked.clock()
    by_kind: dict[AttentionKind, dict[Tier, int]] = {kind: {} for kind in AttentionKind}
    for file in (workspace_id, None):
        with asked.store.read(file) as view:
            counted = view.overview.attention(
                open_scopes(view, file),
                decay=asked.parts.settings().decay,
                model_id=asked.parts.embedder.model_id,
                as_of=now,
            )
        for kind, by_tier in counted.items():
            by_kind[kind].update(by_tier)
    has_model = asked.parts.embedder.is_available
    return tuple(Attention(kind, tiers, has_model) for kind, tiers in by_kind.items() if tiers)


def open_scopes(view: StoreView, workspace_id: str | None) -> tuple[ScopeKey, ...]:
    """Scope keys of one file that lists of all rooms show: archived rooms are left out."""
    if workspace_id is None:
        return (ScopeKey.account(),)
    rooms = view.conversations
    return (
        *(
            ScopeKey.conversation(workspace_id, one.id)
            for one in rooms.conversations(channel_id=None, include_archived=False)
        ),
        *(ScopeKey.channel(workspace_id, one.id) for one in rooms.channels(include_archived=False)),
        ScopeKey.workspace(workspace_id),
    )
