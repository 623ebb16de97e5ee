"""Compare a backup with what is there now; nothing is changed to find out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.backup_comparison import (
    MOST_LISTED,
    Comparison,
    Difference,
    ScrubbedSince,
    is_there,
)
from inklings_desktop.domain.log.events import EventFilter, EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.keeping import BackupShelf, KeptRows
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Store, StoreView

AT_ONCE = 500
_MOST_SCRUBS = 100
"""Scrubs that are named; nobody reads a longer list."""
_SCRUBS = EventFilter(kinds=frozenset({EventKind.SCRUB_EXECUTED}))


def compared(store: Store, keeper: BackupShelf, backup: Backup, progress: Progress) -> Comparison:
    """Memories and named entries that are not the same in a backup and now."""
    progress.report("verify", 0, 0)
    with (
        keeper.beside(backup.name) as kept,
        store.read(backup.workspace_id) as view,
    ):
        listed = kept.memory_ids[: max(0, MOST_LISTED - len(kept.entry_ids))]
        then = entries_of(kept)
        found = [Difference(entry_here(view, one), then.get(one)) for one in kept.entry_ids]
        for start in range(0, len(listed), AT_ONCE):
            progress.require_wanted()
            progress.report("compare", start, len(listed))
            some = listed[start : start + AT_ONCE]
            now, old = view.memories.get_many(some), memories_of(kept, some)
            found += [Difference(now.get(one), old.get(one)) for one in some]
        scrubs = scrubs_since(view, kept)
    return Comparison(
        backup,
        tuple(
            one
            for one in found
            if (is_there(one.now) or is_there(one.then)) and not is_scrubbed(one, scrubs)
        ),
        len(kept.memory_ids) - len(listed),
        kept.n_same_memories,
        kept.n_same_entries,
        scrubs,
    )


def scrubs_since(view: StoreView, kept: KeptRows) -> tuple[ScrubbedSince, ...]:
    """The latest scrubs that the backup knows nothing of."""
    return tuple(
        ScrubbedSince(
            one.number,
            one.at,
            one.tier or "",
            one.scope_key or "",
            one.counts.get("removed", 0),
            one.ids,
        )
        for one in view.events.latest(_MOST_SCRUBS, where=_SCRUBS)
        if one.number > kept.n_events
    )


def is_scrubbed(one: Difference, scrubs: Sequence[ScrubbedSince]) -> bool:
    """Whether only the backup still holds it because it came from elsewhere after a scrub."""
    scope = one.shown.scope
    return one.now is None and any(
        one.id in scrub.ids
        if scrub.ids
        else (scope.tier.value, scope.key) == (scrub.tier, scrub.scope_key)
        for scrub in scrubs
    )


def memories_of(kept: KeptRows, ids: Sequence[str]) -> Mapping[str, MemoryEntry]:
    """Memories as a backup holds them; those it does not hold are left out."""
    records = kept.transfers.memories(scopes=None, ids=ids, forgotten=True, after=0, limit=len(ids))
    return {one.entry.id: one.entry for one in records}


def entries_of(kept: KeptRows) -> Mapping[str, NamedEntry]:
    """Named entries as a backup holds them."""
    return {one.entry.id: one.entry for one in kept.transfers.entries()}


def entry_here(view: StoreView, entry_id: str) -> NamedEntry | None:
    """A named entry as it is now; None when nothing has this id."""
    try:
        return view.entries.get(entry_id)
    except NotFoundError:
        return None
