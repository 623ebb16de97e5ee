"""How much each tier holds, and what in it is worth a look: news, and likely duplicates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_management, authorize_person
from inklings_desktop.domain.background.tasks import PairState
from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.overview import Attention, TierOverview
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.entries.named_entries import standing_slice
from inklings_desktop.usecases.search.one_file import one_file_of
from inklings_desktop.usecases.search.search_open import open_places
from inklings_desktop.usecases.search.since_last_turn import SinceLastTurn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.news import News
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView


def recent_changes(asked: Asked, workspace_id: str, since: datetime | None = None) -> News:
    """What others made of memories and named entries after an instant."""
    caller = asked.caller
    places = open_places(asked.store, caller, workspace_id)
    began = since or _last_turn(asked, workspace_id, places)
    if began is None:
        raise InvalidValueError("since", "missing")
    entries = _standing(asked, workspace_id)
    return SinceLastTurn(asked.store).changes(caller, began, tuple(places), entries)


def _last_turn(asked: Asked, workspace_id: str, places: Iterable[ScopeKey]) -> datetime | None:
    with asked.store.read(workspace_id) as view:
        told = (
            view.conversations.told_at(scope.key, asked.caller.name)
            for scope in places
            if scope.tier is Tier.CONVERSATION
        )
        return max((at for at in told if at is not None), default=None)


def _standing(asked: Asked, workspace_id: str) -> tuple[NamedEntry, ...]:
    try:
        return standing_slice(asked.store, asked.caller, workspace_id)
    except ScopeDeniedError:
        return ()


@dataclass(frozen=True, slots=True)
class LikelyDuplicate:
    """Two memories that are alike.

    Attributes:
        first: The one written earlier.
        second: The other one.
        cosine: How alike they are; 1 where they say the same.
    """

    first: MemoryEntry
    second: MemoryEntry
    cosine: float


def likely_duplicates(asked: Asked, scopes: Sequence[ScopeKey]) -> tuple[LikelyDuplicate, ...]:
    """What the last comparison found and no run merged."""
    for scope in scopes:
        authorize_person(asked.caller, Action.READ, scope.tier)
    if not scopes:
        return ()
    found = []
    with asked.store.read(one_file_of(scopes)) as view:
        for scope in scopes:
            pairs = [one for one in view.tasks.kept_pairs(scope) if one.state is PairState.WAITING]
            ids = sorted({id_ for one in pairs for id_ in (one.first, one.second)})
            entries, said = view.memories.get_many(ids), view.consolidation.said(ids)
            for one in pairs:
                if (said.get(one.first), said.get(one.second)) == (
                    one.first_said,
                    one.second_said,
                ):
                    first, second = entries[one.first], entries[one.second]
                    if first.is_retrievable and second.is_retrievable:
                        found.append(LikelyDuplicate(first, second, one.cosine))
    return tuple(found)


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
