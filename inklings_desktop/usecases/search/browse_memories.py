"""Memories in lists, and one by one; nothing changes. Light, for a window waits for it."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize,
    authorize_management,
    authorize_workspace,
)
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.listing import (
    EVERYTHING,
    PAGE_LIMIT,
    Facets,
    MemoryFilter,
    MemoryPage,
    MemorySort,
    MemoryState,
    PageCursor,
    PageOffset,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.search.attention_filter import looked_up
from inklings_desktop.usecases.search.one_file import one_file_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, MemoryVersion, ScopeKey
    from inklings_desktop.usecases.ports.store import (
        StoreView,
    )

MAX_PAGE_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class MemoryWithHistory:
    """One memory and its earlier states, newest first."""

    entry: MemoryEntry
    history: tuple[MemoryVersion, ...]


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """Active memories per scope key, in one workspace and the account.

    Attributes:
        by_scope: Scope keys with at least one active memory.
    """

    by_scope: Mapping[ScopeKey, int] = field(default_factory=dict)

    def of(self, *scopes: ScopeKey) -> int:
        """Active memories under these scope keys together."""
        return sum(self.by_scope.get(scope, 0) for scope in scopes)


class Listing(Asked):
    """Memories in lists, and one by one."""

    def browse(
        self,
        scopes: Sequence[ScopeKey],
        *,
        where: MemoryFilter = EVERYTHING,
        sort: MemorySort = MemorySort.NEWEST,
        limit: int = PAGE_LIMIT,
        after: PageCursor | PageOffset | None = None,
    ) -> MemoryPage:
        """One page of one tier under some of its scope keys; no scope is an empty page.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files, or the limit is not from
                1 to 100,000, or an agent asks for forgotten memories.
        """
        caller = self.caller
        authorize(caller, Action.READ, *scopes)
        if caller.is_agent and where.state is not MemoryState.ACTIVE:
            raise InvalidValueError("state", "forgotten_never_found")
        if not 1 <= limit <= MAX_PAGE_LIMIT:
            raise InvalidValueError("limit", "range", MAX_PAGE_LIMIT)
        as_of = after.as_of if after else self.clock()
        if not scopes:
            return MemoryPage((), None, 0, (), as_of)
        decay = self.parts.settings().decay
        with self.store.read(one_file_of(scopes)) as view:
            page = view.memories.page(
                scopes,
                where=looked_up(
                    where,
                    view,
                    scopes,
                    decay=decay,
                    model_id=self.parts.embedder.model_id,
                    as_of=as_of,
                ),
                sort=sort,
                limit=limit,
                after=after,
                decay=decay,
                as_of=as_of,
                visible_to=caller.walls,
            )
        if not caller.is_agent:
            return page
        return replace(page, entries=tuple(one for one in page.entries if one.is_retrievable))

    def show(self, ref: MemoryRef) -> MemoryWithHistory:
        """One memory with its history, forgotten or not.

        An agent is told of none that it could not retrieve, and of no earlier text.

        Raises:
            ScopeDeniedError: The scope is closed to the caller.
            NotFoundError: No such memory in this scope.
        """
        caller = self.caller
        authorize(caller, Action.READ, ref.scope)
        with self.store.read(ref.scope.workspace_id) as view:
            entry = view.memories.get(ref, caller.walls)
            if caller.is_agent and not entry.is_retrievable:
                raise NotFoundError("memory", ref.id)
            history = () if caller.is_agent else view.memories.history(entry.id)
            return MemoryWithHistory(entry, history)

    def show_all(self, refs: Sequence[MemoryRef]) -> tuple[MemoryEntry, ...]:
        """Those that are there, forgotten or not, in the order asked for; for the person.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        authorize(self.caller, Action.READ, *{ref.scope for ref in refs})
        found: dict[MemoryRef, MemoryEntry] = {}
        for file in dict.fromkeys(ref.scope.workspace_id for ref in refs):
            ids = [ref.id for ref in refs if ref.scope.workspace_id == file]
            with self.store.read(file) as view:
                found |= {one.ref: one for one in view.memories.get_many(ids).values()}
        return tuple(found[ref] for ref in dict.fromkeys(refs) if ref in found)

    def locate(self, id_prefix: str, workspace_id: str | None) -> MemoryEntry:
        """The memory whose id begins so: in the workspace first, then in the account.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: No id begins so.
            InvalidValueError: Several do.
        """
        authorize_management(self.caller)
        for file in dict.fromkeys((workspace_id, None)):
            with self.store.read(file) as view:
                try:
                    return view.memories.locate(id_prefix)
                except NotFoundError:
                    continue
        raise NotFoundError("memory", id_prefix)

    def count(self, workspace_id: str | None, *, known: MemoryCounts | None = None) -> MemoryCounts:
        """Active memories by scope key; of an agent's, those that it could retrieve.

        Args:
            workspace_id: None for the account alone.
            known: What was counted before; the account's share of it is not counted again.

        Raises:
            ScopeDeniedError: The whole workspace is closed to this agent, or unknown to it.
        """
        caller = self.caller
        if workspace_id is not None:
            authorize_workspace(caller, workspace_id)
        counts: dict[ScopeKey, int] = {}
        if known is not None:
            counts = {scope: n for scope, n in known.by_scope.items() if scope.workspace_id is None}
        for file in dict.fromkeys((workspace_id, None) if known is None else (workspace_id,)):
            with self.store.read(file) as view:
                held = view.memories.active_counts()
                counts.update(_told_to(caller, held, view) if caller.is_agent else held)
        return MemoryCounts(counts)

    def facets(self, scopes: Sequence[ScopeKey]) -> Facets:
        """Sources, curators, lifetimes and tags in use in one tier, with counts.

        What is forgotten is in no agent's count.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files.
        """
        caller = self.caller
        authorize(caller, Action.READ, *scopes)
        if not scopes:
            return Facets((), (), (), (), (), 0, 0)
        with self.store.read(one_file_of(scopes)) as view:
            found = view.memories.facets(scopes, caller.walls)
        return replace(found, forgotten=0) if caller.is_agent else found


def _told_to(caller: Caller, held: Mapping[ScopeKey, int], view: StoreView) -> dict[ScopeKey, int]:
    """The counts of an agent: what is closed, private to others or paused is in none of them."""
    counts = {}
    for scope in held:
        if caller.may(Action.READ, scope):
            facets = view.memories.facets([scope], caller.walls)
            if n_told := sum(count for _, count in facets.curators):
                counts[scope] = n_told
    return counts
