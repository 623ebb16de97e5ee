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
from inklings_desktop.usecases.knowledge.reading import as_facts, fact_views
from inklings_desktop.usecases.search.search import Search
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.steps.walls import permission_in, role_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.knowledge.facts import Fact, Policy
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.words.query_text import SearchMode
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView

CONSIDERED = 50
"""Facts that are looked at for one document; a default budget holds about ten."""
LIKE_A_RULE = 0.25
"""Likeness of meaning from which a rule bears on what is asked."""


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
        every = view.knowledge.policies() if Part.RULES in turn.parts else ()
        entries = [one for one in every if _is_told(asked, one)]
        policies = as_policies(view, entries)
    acts_as = ActsAs(
        role_of(caller),
        tuple(name for name, _ in open_to),
        tuple(name for name, permission in open_to if permission is Permission.WRITE),
    )
    found, facts = _facts(asked, turn) if Part.FACTS in turn.parts else (frozenset[str](), ())
    views = fact_views(asked, turn.workspace_id, facts)
    return Settled(acts_as, _rules(asked, turn, policies), kept, views, found)


def _is_told(asked: Asked, entry: MemoryEntry) -> bool:
    return entry.is_retrievable and asked.caller.may_know_of(entry)


def _rules(asked: Asked, turn: Turn, policies: Sequence[Policy]) -> tuple[Policy, ...]:
    """Those that hold at every turn, then those that bear on the question, the nearest first.

    Without a question every one of them is offered.
    """
    always = [one for one in policies if one.details.always]
    rest = [one for one in policies if not one.details.always]
    if turn.query.strip() and rest:
        where = MemoryFilter(kinds=frozenset({MemoryKind.POLICY}))
        wanted = SearchRequest(turn.query, turn.mode, CONSIDERED, where)
        scope = ScopeKey.workspace(turn.workspace_id)
        hits = Search(asked.parts, asked.caller).look([scope], wanted).hits
        near = [
            one.entry.id
            for one in hits
            if one.explanation.keyword_rank is not None
            or (one.explanation.cosine or 0.0) >= LIKE_A_RULE
        ]
        places = {id_: place for place, id_ in enumerate(near)}
        rest = [one for one in rest if one.memory.id in places]
        rest.sort(key=lambda one: places[one.memory.id])
    return (*always, *rest)


def _facts(asked: Asked, turn: Turn) -> tuple[frozenset[str], Sequence[Fact]]:
    """Ids of the facts that the question found, and these; the most relevant ones without any."""
    scope, caller = ScopeKey.workspace(turn.workspace_id), asked.caller
    where = MemoryFilter(kinds=frozenset({MemoryKind.FACT}))
    found: dict[str, MemoryEntry] = {}
    if turn.query.strip():
        wanted = SearchRequest(turn.query, turn.mode, CONSIDERED, where)
        for hit in Search(asked.parts, caller).look([scope], wanted).hits:
            if hit.explanation.is_found:
                found[hit.entry.id] = hit.entry
    with asked.store.read(turn.workspace_id) as view:
        entries = list(found.values()) or _most_relevant(asked, view, scope, where)
        facts = as_facts(view, entries)
    if turn.at_story is not None:
        facts = tuple(one for one in facts if one.details.story.holds_at(turn.at_story))
    return frozenset(found), facts


def _most_relevant(
    asked: Asked, view: StoreView, scope: ScopeKey, where: MemoryFilter
) -> Sequence[MemoryEntry]:
    page = view.memories.page(
        [scope],
        where=where,
        sort=MemorySort.RELEVANCE,
        limit=CONSIDERED,
        after=None,
        decay=asked.parts.settings().decay,
        as_of=asked.clock(),
        visible_to=asked.caller.walls,
    )
    return [one for one in page.entries if one.is_retrievable]
