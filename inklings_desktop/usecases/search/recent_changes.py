"""What others changed lately in everything that is open to an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.usecases.entries.named_entries import standing_slice
from inklings_desktop.usecases.search.search_open import open_places
from inklings_desktop.usecases.search.since_last_turn import SinceLastTurn

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.rooms.news import News
    from inklings_desktop.usecases.parts import Asked


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
