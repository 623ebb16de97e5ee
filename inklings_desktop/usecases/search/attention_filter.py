"""What a filter for things worth a look stands for; shared by browsing and searching."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.store import StoreView


def looked_up(
    where: MemoryFilter,
    view: StoreView,
    scopes: Sequence[ScopeKey],
    *,
    decay: DecayConfig,
    model_id: str,
    as_of: datetime,
) -> MemoryFilter:
    """The filter with the memories that stand in its list of things worth a look, if it has one."""
    if where.attention is None:
        return where
    found = view.overview.deserving(
        scopes, where.attention, decay=decay, model_id=model_id, as_of=as_of
    )
    return replace(where, sequences=found)
