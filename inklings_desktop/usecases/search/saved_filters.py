"""Saved filters: save, list, rename, delete. They are the author's own; no agent sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.saved_filters import (
    MAX_SAVED_FILTERS,
    FilterWords,
    SavedFilter,
    checked_filter_name,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import name_key

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView


def save_filter(
    asked: Asked,
    workspace_id: str,
    tier: Tier,
    name: str,
    words: FilterWords,
    *,
    room: str | None = None,
) -> SavedFilter:
    """The filter as it was kept."""
    authorize_person(asked.caller, Action.WRITE, tier)
    if words.asks_nothing:
        raise InvalidValueError("filter", "asks_nothing")
    kept = replace(words, where=replace(words.where, sequences=None))
    file = None if tier is Tier.ACCOUNT else workspace_id
    made = SavedFilter(asked.new_id(), file, tier, room, name, kept, asked.clock())
    with asked.writing(file) as unit:
        _require_free(unit, made.name)
        if len(unit.filters.all()) >= MAX_SAVED_FILTERS:
            raise InvalidValueError("filter", "too_many", MAX_SAVED_FILTERS)
        unit.filters.put(made)
        unit.commit()
    return made


def saved_filters(asked: Asked, workspace_id: str) -> tuple[SavedFilter, ...]:
    """The filters of a workspace and of the account, by name."""
    authorize_management(asked.caller)
    found: list[SavedFilter] = []
    for file in (workspace_id, None):
        with asked.store.read(file) as view:
            found += view.filters.all()
    return tuple(sorted(found, key=lambda one: name_key(one.name)))


def rename_filter(asked: Asked, saved: SavedFilter, name: str) -> SavedFilter:
    """The filter under its new name."""
    authorize_person(asked.caller, Action.WRITE, saved.tier)
    tidy = checked_filter_name(name)
    with asked.writing(saved.workspace_id) as unit:
        kept = next((one for one in unit.filters.all() if one.id == saved.id), None)
        if kept is None:
            raise NotFoundError("saved_filter", saved.id)
        _require_free(unit, tidy, but=saved.id)
        renamed = replace(kept, name=tidy)
        unit.filters.put(renamed)
        unit.commit()
    return renamed


def delete_filter(asked: Asked, saved: SavedFilter) -> None:
    """Remove a filter."""
    authorize_person(asked.caller, Action.WRITE, saved.tier)
    with asked.writing(saved.workspace_id) as unit:
        unit.filters.delete(saved.id)
        unit.commit()


def _require_free(view: StoreView, name: str, *, but: str = "") -> None:
    """Refuse a name that another filter of the file has."""
    wanted = name_key(name)
    if any(name_key(one.name) == wanted and one.id != but for one in view.filters.all()):
        raise InvalidValueError("filter_name", "taken")
