"""Saved filters: save, list, rename, delete. They are the author's own; no agent sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
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
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import name_key

if TYPE_CHECKING:
    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store, StoreView


@dataclass(frozen=True, slots=True)
class SaveFilter:
    """Keep what a list is asked to show under a name; for the person."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        workspace_id: str,
        tier: Tier,
        name: str,
        words: FilterWords,
        *,
        room: str | None = None,
    ) -> SavedFilter:
        """The filter as it was kept.

        Args:
            caller: The person.
            workspace_id: The open workspace; a filter of the account tier is kept beside its
                memories, in the account's file, and serves every workspace.
            tier: The tier that it is for.
            name: What it is called.
            words: What it asks for; the ids of a list worth a look are not kept, only its kind.
            room: A channel or conversation; None for all of the tier.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The name is empty, too long or taken, nothing is asked for, or
                there are too many already.
        """
        authorize_person(caller, Action.WRITE, tier)
        if words.asks_nothing:
            raise InvalidValueError("filter", "asks_nothing")
        kept = replace(words, where=replace(words.where, sequences=None))
        file = None if tier is Tier.ACCOUNT else workspace_id
        made = SavedFilter(self.new_id(), file, tier, room, name, kept, self.clock())
        with self.store.write(file, initiator=caller.name) as unit:
            _require_free(unit, made.name)
            if len(unit.filters.all()) >= MAX_SAVED_FILTERS:
                raise InvalidValueError("filter", "too_many", MAX_SAVED_FILTERS)
            unit.filters.put(made)
            unit.commit()
        return made


@dataclass(frozen=True, slots=True)
class ListSavedFilters:
    """The filters of a workspace, and those of the account."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str) -> tuple[SavedFilter, ...]:
        """By name.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        found: list[SavedFilter] = []
        for file in (workspace_id, None):
            with self.store.read(file) as view:
                found += view.filters.all()
        return tuple(sorted(found, key=lambda one: name_key(one.name)))


@dataclass(frozen=True, slots=True)
class RenameFilter:
    """Call a saved filter something else; for the person."""

    store: Store

    def __call__(self, caller: Caller, saved: SavedFilter, name: str) -> SavedFilter:
        """The filter under its new name.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The name is empty, too long or taken.
            NotFoundError: The filter is gone.
        """
        authorize_person(caller, Action.WRITE, saved.tier)
        tidy = checked_filter_name(name)
        with self.store.write(saved.workspace_id, initiator=caller.name) as unit:
            kept = next((one for one in unit.filters.all() if one.id == saved.id), None)
            if kept is None:
                raise NotFoundError("saved_filter", saved.id)
            _require_free(unit, tidy, but=saved.id)
            renamed = replace(kept, name=tidy)
            unit.filters.put(renamed)
            unit.commit()
        return renamed


@dataclass(frozen=True, slots=True)
class DeleteFilter:
    """Remove a saved filter; the memories that it showed stay. For the person."""

    store: Store

    def __call__(self, caller: Caller, saved: SavedFilter) -> None:
        """Remove it.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is gone already.
        """
        authorize_person(caller, Action.WRITE, saved.tier)
        with self.store.write(saved.workspace_id, initiator=caller.name) as unit:
            unit.filters.delete(saved.id)
            unit.commit()


def _require_free(view: StoreView, name: str, *, but: str = "") -> None:
    """Refuse a name that another filter of the file has."""
    wanted = name_key(name)
    if any(name_key(one.name) == wanted and one.id != but for one in view.filters.all()):
        raise InvalidValueError("filter_name", "taken")
