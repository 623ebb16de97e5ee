"""How much each tier holds, and what in it is worth a look."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, authorize_management
from inklings_desktop.domain.memories.attention import AttentionKind
from inklings_desktop.domain.memories.overview import Attention, TierOverview
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.usecases.ports.store import (
        Clock,
        Embedder,
        SettingsSource,
        Store,
        StoreView,
    )


@dataclass(frozen=True, slots=True)
class OverlookTiers:
    """Count a workspace's tiers and the account's; a fixed number of statements."""

    store: Store
    embedder: Embedder
    clock: Clock
    settings: SettingsSource

    def __call__(self, caller: Caller, workspace_id: str) -> tuple[TierOverview, ...]:
        """One overview per tier, from the conversations outwards to the account.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(caller)
        now = self.clock()
        found: list[TierOverview] = []
        for file in (workspace_id, None):
            with self.store.read(file) as view:
                found += view.overview.tiers(
                    open_scopes(view, file),
                    decay=self.settings().decay,
                    model_id=self.embedder.model_id,
                    as_of=now,
                )
        has_model = self.embedder.is_available
        return tuple(replace(one, has_model=has_model) for one in found)


@dataclass(frozen=True, slots=True)
class WorthALook:
    """Count what deserves a person's attention; a fixed number of statements."""

    store: Store
    embedder: Embedder
    clock: Clock
    settings: SettingsSource

    def __call__(self, caller: Caller, workspace_id: str) -> tuple[Attention, ...]:
        """The lists that are not empty, in the order of their kinds.

        Only open rooms count: a list that is opened shows exactly as many memories.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(caller)
        now = self.clock()
        by_kind: dict[AttentionKind, dict[Tier, int]] = {kind: {} for kind in AttentionKind}
        for file in (workspace_id, None):
            with self.store.read(file) as view:
                counted = view.overview.attention(
                    open_scopes(view, file),
                    decay=self.settings().decay,
                    model_id=self.embedder.model_id,
                    as_of=now,
                )
            for kind, by_tier in counted.items():
                by_kind[kind].update(by_tier)
        has_model = self.embedder.is_available
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
