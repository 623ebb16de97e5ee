"""Steps that the contracts of memories share."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemorySort
from inklings_desktop.domain.memory import (
    MemoryAction,
    MemoryRef,
    ScopeKey,
)
from tests.support.builders import NOON, WORKSPACE_ID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.listing import MemoryPage, PageCursor, PageOffset
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import Store

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
CHANNEL = ScopeKey.channel(WORKSPACE_ID, "map-room")
LATER = NOON + timedelta(hours=1)


def added(store: Store, *entries: MemoryEntry) -> tuple[MemoryEntry, ...]:
    with store.write(entries[0].scope.workspace_id, initiator="Ada") as unit:
        stored = unit.memories.add(entries)
        unit.commit()
    return stored


def saved(
    store: Store,
    entry: MemoryEntry,
    *,
    expected_version: int | None = None,
    action: MemoryAction = MemoryAction.EDITED,
) -> MemoryEntry:
    with store.write(entry.scope.workspace_id, initiator="Ada") as unit:
        stored = unit.memories.save(
            entry,
            expected_version=entry.version if expected_version is None else expected_version,
            action=action,
            changed_by="Ada",
            door="window",
            changed_at=LATER,
        )
        unit.commit()
    return stored


def got(store: Store, entry: MemoryEntry, visible_to: frozenset[str] | None = None) -> MemoryEntry:
    with store.read(entry.scope.workspace_id) as view:
        return view.memories.get(MemoryRef(entry.scope, entry.id), visible_to)


def forgotten(store: Store, entry: MemoryEntry) -> MemoryEntry:
    gone = replace(entry, forgotten_at=LATER, forgotten_reason="by hand")
    return saved(store, gone, action=MemoryAction.FORGOTTEN)


def listed(
    store: Store,
    *,
    scopes: Sequence[ScopeKey] = (SCOPE,),
    where: MemoryFilter = EVERYTHING,
    sort: MemorySort = MemorySort.NEWEST,
    limit: int = 200,
    after: PageCursor | PageOffset | None = None,
    visible_to: frozenset[str] | None = None,
) -> MemoryPage:
    with store.read(WORKSPACE_ID) as view:
        return view.memories.page(
            scopes,
            where=where,
            sort=sort,
            limit=limit,
            after=after,
            decay=DecayConfig(),
            as_of=LATER,
            visible_to=visible_to,
        )


def texts(page: MemoryPage) -> list[str]:
    return [entry.content for entry in page.entries]


def vector(*values: float) -> FloatVector:
    return np.array(values, np.float32)
