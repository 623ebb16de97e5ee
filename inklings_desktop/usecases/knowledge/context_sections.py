"""What of a workspace's rules and facts bears on a turn, and what the agent keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.knowledge.told import NOTHING_SETTLED, ActsAs, Settled
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort
from inklings_desktop.domain.memory import MemoryKind, ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import WHOLE, Part
from inklings_desktop.usecases.knowledge.policies import as_policies
from inklings_desktop.usecases.knowledge.reading import as_facts, views_in
from inklings_desktop.usecases.search.search import Search
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.steps.walls import permission_in, role_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.search.explanation import RankedHit
    from inklings_desktop.domain.words.query_text import SearchMode
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView

CONSIDERED = 50
"""Facts that are looked at for one document; a default budget holds about ten."""
LIKE_A_RULE = 0.25
"""Likeness of meaning from which a rule bears on what is asked."""
_FACTS = MemoryFilter(kinds=frozenset({MemoryKind.FACT}))
_RULES = MemoryFilter(kinds=frozenset({MemoryKind.POLICY}))


@dataclass(frozen=True, slots=True)
class Turn:
    """What the turn asks.

    Attributes:
        query: Empty without a question.
        at_story: Only facts that hold in this chapter.
        parts: What of it is wanted.
    """

    workspace_id: str
    query: str
    mode: SearchMode
    at_story: int | None = None
    parts: frozenset[Part] = WHOLE

    @property
    def asks(self) -> bool:
        """Whether there is a question."""
        return bool(self.query.strip())


def settled_for(asked: Asked, turn: Turn) -> Settled:
    """What is offered to the caller; nothing where there is no domain and it keeps nothing."""
    caller, scope = asked.caller, ScopeKey.workspace(turn.workspace_id)
    if not caller.may(Action.READ, scope):
        return NOTHING_SETTLED
    with asked.store.read(turn.workspace_id) as view:
        domains = view.knowledge.domains()
        keeps = caller.is_agent and Part.WORKING_MEMORY in turn.parts
        kept = view.knowledge.working_memory(caller.name, "") if keeps else None
        if not domains:
            return NOTHING_SETTLED if kept is None else Settled(kept=kept)
        open_to = [
            (one.name, permission)
            for one in (domains if Part.ROLE in turn.parts else ())
            if (permission := permission_in(caller, turn.workspace_id, one)) is not Permission.NONE
        ]
        rules: tuple[MemoryEntry, ...] = ()
        near = False
        if Part.RULES in turn.parts:
            near = turn.asks and view.knowledge.has_policies()
            rules = view.knowledge.policies(always=turn.asks)
    acts_as = ActsAs(
        role_of(caller),
        tuple(name for name, _ in open_to),
        tuple(name for name, permission in open_to if permission is Permission.WRITE),
    )
    if near:
        rules = (*rules, *_near_rules(asked, turn))
    found = _found_facts(asked, turn) if Part.FACTS in turn.parts and turn.asks else {}
    with asked.store.read(turn.workspace_id) as view:
        told = {one.id: one for one in rules if one.is_retrievable and caller.may_know_of(one)}
        policies = sorted(
            as_policies(view, list(told.values())), key=lambda one: not one.details.always
        )
        entries: Sequence[MemoryEntry] = list(found.values())
        if not entries and Part.FACTS in turn.parts:
            entries = _most_relevant(asked, view, scope)
        facts = as_facts(view, entries)
        if turn.at_story is not None:
            facts = tuple(one for one in facts if one.details.story.holds_at(turn.at_story))
        views = views_in(view, asked, turn.workspace_id, facts)
    return Settled(acts_as, tuple(policies), kept, views, frozenset(found))


def _near_rules(asked: Asked, turn: Turn) -> Iterator[MemoryEntry]:
    """Rules that bear on the question, the nearest first."""
    for hit in _looked(asked, turn, _RULES):
        is_said = hit.explanation.keyword_rank is not None
        if is_said or (hit.explanation.cosine or 0.0) >= LIKE_A_RULE:
            yield hit.entry


def _found_facts(asked: Asked, turn: Turn) -> dict[str, MemoryEntry]:
    """Facts that the question found by their ids, the best first."""
    hits = _looked(asked, turn, _FACTS)
    return {one.entry.id: one.entry for one in hits if one.explanation.is_found}


def _looked(asked: Asked, turn: Turn, where: MemoryFilter) -> Sequence[RankedHit]:
    wanted = SearchRequest(turn.query, turn.mode, CONSIDERED, where)
    scope = ScopeKey.workspace(turn.workspace_id)
    return Search(asked.parts, asked.caller).look([scope], wanted).hits


def _most_relevant(asked: Asked, view: StoreView, scope: ScopeKey) -> Sequence[MemoryEntry]:
    """Facts to begin with where no question found any."""
    page = view.memories.page(
        [scope],
        where=_FACTS,
        sort=MemorySort.RELEVANCE,
        limit=CONSIDERED,
        after=None,
        decay=asked.parts.settings().decay,
        as_of=asked.clock(),
        visible_to=asked.caller.walls,
    )
    return [one for one in page.entries if one.is_retrievable]
