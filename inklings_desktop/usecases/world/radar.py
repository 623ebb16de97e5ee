"""What a change of pages means for memory: which sources changed, and what the author should see.

Everything is found out first, without holding the file; what somebody changed meanwhile is left
to the next look.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.access.access import Action, refuse_agents
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.world.derivations import (
    DerivationKind,
    Retcon,
    RetconState,
    SourceState,
)
from inklings_desktop.domain.world.pages import PageEvent
from inklings_desktop.usecases.steps.recording import MAX_IDS
from inklings_desktop.usecases.steps.sources import resolved
from inklings_desktop.usecases.world.noticing import Looking, is_unlike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.world.derivations import PageDerivation
    from inklings_desktop.domain.world.pages import PageChange
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork

OPEN = frozenset({RetconState.OPEN})
_NEW_NAMES = frozenset({PageEvent.ADDED, PageEvent.MOVED})
_ON_PAGES = frozenset({DerivationKind.BLOCK, DerivationKind.PAGE})


class _Found(NamedTuple):
    """What one look came to.

    Attributes:
        before: For each memory that changes its rows until now.
        after: The same from now on.
        bases: Texts of rows that mean a block since this look.
        retcons: Those that are new, say something else or are over.
    """

    before: Mapping[str, tuple[PageDerivation, ...]]
    after: Mapping[str, tuple[PageDerivation, ...]]
    bases: Mapping[bytes, str]
    retcons: tuple[Retcon, ...]


def notice(asked: Asked, workspace_id: str, changes: Sequence[PageChange]) -> tuple[Retcon, ...]:
    """Bring sources and retcons to what the pages say now; those that were opened.

    Raises:
        ScopeDeniedError: The caller is an agent.
    """
    refuse_agents(asked.caller, Action.WORLD_READ, Tier.WORKSPACE)
    now = asked.clock()
    found = _look(asked, workspace_id, now, has_new=any(one.what in _NEW_NAMES for one in changes))
    if not found.after and not found.retcons:
        return ()
    with asked.writing(workspace_id) as unit:
        opened = _keep(asked, unit, workspace_id, found, now)
        unit.commit()
    return opened


def _look(asked: Asked, workspace_id: str, now: datetime, *, has_new: bool) -> _Found:
    index = asked.pages_of(workspace_id)
    if index is None:
        return _Found({}, {}, {}, ())
    with asked.store.read(workspace_id) as view:
        looking = Looking(index, cache(view.world.base), now)
        rows = view.world.derivations_to_pages()
        stood = list(looking.after(rows))
        changed = {old.memory_id for old, new in zip(rows, stood, strict=True) if old != new}
        bases: dict[bytes, str] = {}
        late = _late(view, looking, bases) if has_new else {}
        before = view.world.derivations_of(changed | set(late))
        place_of = {(one.memory_id, one.place): one for one in stood}
        after = [place_of.get((one.memory_id, one.place), one) for one in before]
        by_memory = _by_memory(after) | late
        shown = [place_of[one.memory_id, one.place] for one in rows]
        retcons = tuple(_retcons(asked, view, looking, shown, now))
    return _Found(_by_memory(before), by_memory, bases, retcons)


def _late(
    view: StoreView, looking: Looking, bases: dict[bytes, str]
) -> dict[str, tuple[PageDerivation, ...]]:
    """Rows of memories whose references mean a page only since a page is there, by memory."""
    found = {}
    folders = [one.id for one in view.world.folders()]
    ids = view.world.unresolved()
    known = _by_memory(view.world.derivations_of(ids))
    for memory_id, entry in view.memories.get_many(ids).items():
        means = resolved(looking.index, entry.derived_from, tells=False)
        by_place = {one.place: one for one in known.get(memory_id, ())}
        rows = []
        for fresh in means.rows:
            row = by_place.get(fresh.place)
            if row is not None and row.state is SourceState.UNKNOWN:
                rows.append(looking.relinked(row, folders))
            elif row is None or row.kind is DerivationKind.TEXT:
                rows.append(replace(fresh, memory_id=memory_id))
            else:
                rows.append(row)
        if any(one.kind in _ON_PAGES and one != by_place.get(one.place) for one in rows):
            found[memory_id] = tuple(rows)
            bases.update(means.bases)
    return found


def _retcons(
    asked: Asked, view: StoreView, looking: Looking, rows: Sequence[PageDerivation], now: datetime
) -> list[Retcon]:
    """Retcons to save: new ones, those that say something else now, and those that are over."""
    unlike = [one for one in rows if is_unlike(one)]
    entries = view.memories.get_many([one.memory_id for one in unlike])
    first: dict[tuple[str, str, str, bytes], PageDerivation] = {}
    for one in unlike:
        if (entry := entries.get(one.memory_id)) is not None and not entry.is_forgotten:
            block_id = "" if one.state is SourceState.GONE else one.target_id
            first.setdefault((one.folder_id, one.path, block_id, one.base_digest), one)
    waiting = list(view.world.retcons(OPEN))
    to_save = []
    for (folder_id, path, block_id, base), row in first.items():
        what, text = looking.what_became(row)
        known = [
            one
            for one in waiting
            if one.base_digest == base
            and (one.block_id == block_id or (one.folder_id, one.path) == (folder_id, path))
        ]
        if known:
            waiting.remove(known[0])
            there = replace(known[0], folder_id=folder_id, path=path, block_id=block_id)
            as_it_is = replace(there, what=what, now_text=text)
            to_save += [as_it_is] if as_it_is != known[0] else []
        else:
            to_save.append(
                Retcon(
                    asked.new_id(), folder_id, path, block_id, what, base, text, now,
                    RetconState.OPEN,
                )
            )  # fmt: skip
    over = [replace(one, state=RetconState.IGNORED, decided_at=now) for one in waiting]
    return [*to_save, *over]


def _keep(
    asked: Asked, unit: UnitOfWork, workspace_id: str, found: _Found, now: datetime
) -> tuple[Retcon, ...]:
    current = _by_memory(unit.world.derivations_of(found.after))
    for memory_id, rows in found.after.items():
        if current.get(memory_id, ()) == found.before.get(memory_id, ()):
            unit.world.put_derivations(memory_id, rows, _named(rows, found.bases))
    states = {one.id: one.state for one in unit.world.retcons(frozenset(RetconState))}
    listed = {_key(one) for one in unit.world.retcons(OPEN)}
    opened = []
    for one in found.retcons:
        is_new = one.id not in states
        if is_new and _key(one) in listed:
            continue  # another process has found it meanwhile
        if states.get(one.id, RetconState.OPEN) is not RetconState.OPEN:
            continue  # somebody decided it meanwhile
        opened += [one] * is_new
        unit.world.save_retcon(one)
    for one in opened:
        found_it = world_event(
            asked.caller, workspace_id, EventKind.RETCON_FOUND, (one.id,), one.what
        )
        unit.events.append(found_it, now)
    return tuple(opened)


def _key(retcon: Retcon) -> tuple[str, str, str, bytes]:
    """What no two retcons that wait have in common."""
    return retcon.folder_id, retcon.path, retcon.block_id, retcon.base_digest


def world_event(
    caller: Caller,
    workspace_id: str,
    kind: EventKind,
    ids: tuple[str, ...],
    what: str,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> EventDraft:
    """What happened to a retcon or a put: ids, one word that counts, and digests."""
    of = (caller.name, caller.kind.value, caller.door.value, Tier.WORKSPACE.value, workspace_id)
    return EventDraft(kind, *of, ids[:MAX_IDS], {what: 1}, marks)


def _named(rows: Sequence[PageDerivation], bases: Mapping[bytes, str]) -> Mapping[bytes, str]:
    wanted = {one.base_digest for one in rows}
    return {digest: text for digest, text in bases.items() if digest in wanted}


def _by_memory(rows: Sequence[PageDerivation]) -> dict[str, tuple[PageDerivation, ...]]:
    found: defaultdict[str, list[PageDerivation]] = defaultdict(list)
    for one in rows:
        found[one.memory_id].append(one)
    return {memory_id: tuple(of_it) for memory_id, of_it in found.items()}
