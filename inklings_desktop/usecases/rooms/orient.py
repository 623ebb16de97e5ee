"""Orient an agent at the start of a turn: all four tiers in one document, within a budget."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    CallerKind,
    Door,
    Grant,
    authorize,
    authorize_management,
    authorize_workspace,
)
from inklings_desktop.domain.entries.named_entry import CHARACTERS_PER_TOKEN
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.knowledge.domains import NO_GATE, OWN_ROLE
from inklings_desktop.domain.knowledge.told import NOTHING_SETTLED
from inklings_desktop.domain.likeness.folding import repeats_of_better
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemorySort
from inklings_desktop.domain.memory import MemoryKind, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import (
    DEFAULT_BUDGET_TOKENS,
    NO_CHANGES,
    WHOLE,
    Candidates,
    ChangedPages,
    Order,
    Part,
    Ranked,
    checked_budget,
    composed,
    place_of_source,
)
from inklings_desktop.domain.rooms.orientation import Orientation as Document
from inklings_desktop.domain.rooms.rehearsal import Rehearsal, TierShift, moves_between
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.domain.world.derivations import NO_SOURCES
from inklings_desktop.usecases.entries.named_entries import standing_slice
from inklings_desktop.usecases.knowledge.context_sections import Turn, settled_for
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.search.search import Search
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.search.since_last_turn import SinceLastTurn
from inklings_desktop.usecases.steps.rooms import conversation_for
from inklings_desktop.usecases.steps.sources import reads_world
from inklings_desktop.usecases.steps.standings import changed_last

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.knowledge.told import Settled
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.domain.rooms.rehearsal import Move
    from inklings_desktop.domain.world.pages import Page

CONSIDERED = 100
"""Memories per tier that are ranked for a document; a default budget holds about thirty."""
PREVIEWED_AGENT = "World Agent"


@dataclass(frozen=True, slots=True)
class OrientationRequest:
    """What the document is about.

    Attributes:
        workspace_id: The world the agent works in.
        conversation: Id or ref code; None orients outside any conversation, without its tier and
            its channel's.
        query: What the turn asks; empty ranks by relevance alone.
        budget_tokens: Tokens of four characters.
        tiers: Only these; None means every tier that may be read.
        mode: How the query is looked for.
        role: Under which of its roles an agent asks; empty for its usual one.
        at_story: Only facts that hold in this chapter.
        parts: What of it is wanted; its first words always are.

    Raises:
        InvalidValueError: The budget is no whole number from 1 to 200,000.
    """

    workspace_id: str
    conversation: str | None = None
    query: str = ""
    budget_tokens: int = DEFAULT_BUDGET_TOKENS
    tiers: frozenset[Tier] | None = None
    mode: SearchMode = SearchMode.HYBRID
    role: str = ""
    at_story: int | None = None
    parts: frozenset[Part] = WHOLE

    def __post_init__(self) -> None:
        checked_budget(self.budget_tokens)


class Orientation(Asked):
    """What an agent is given at the beginning of a turn."""

    def orient(self, request: OrientationRequest) -> Document:
        """The standing slice, then the tiers that the caller may read.

        Rules and what the question brought into it count as read, once; what stands there anyway
        does not.

        Raises:
            ScopeDeniedError: A tier that was named is closed to the caller, or all of them are.
            NotFoundError: There is no such workspace or conversation.
        """
        asked = self._acting(request.role)
        caller, document = self.caller, document_for(asked, request)
        if caller.is_agent:
            for workspace_id, ids in _by_file(document.matched).items():
                self.parts.count_reads(caller, workspace_id, ids, document.as_of)
            is_whole = request.tiers is None and Part.MEMORIES in request.parts
            if request.conversation is not None and is_whole:
                SinceLastTurn(self.store).tell(
                    caller, request.workspace_id, request.conversation, document.as_of
                )
        return document

    def preview(self, request: OrientationRequest, *, as_agent: str = PREVIEWED_AGENT) -> Document:
        """The document of an agent of this name that may read every tier, without telling it.

        Entries private to other agents are not in it, as they would not be in the agent's. For an
        agent it is its own document. Looking counts as no read.

        Raises:
            ScopeDeniedError: An agent that may read nothing there, or not the conversation.
            NotFoundError: There is no such workspace or conversation.
        """
        authorize_workspace(self.caller, request.workspace_id)
        if self.caller.is_agent:
            return document_for(self._acting(request.role), request)
        if request.conversation is not None:  # an agent would not learn that it is not there
            with self.store.read(request.workspace_id) as view:
                view.conversations.get(request.conversation)
        reading = frozenset({Action.READ, Action.WORLD_READ})
        grants = tuple(
            Grant(tier, None if tier is Tier.ACCOUNT else request.workspace_id, reading)
            for tier in Tier
        )
        with self.store.read(request.workspace_id) as view:
            role = request.role or OWN_ROLE
            gate = view.knowledge.gates([role]).get(role, NO_GATE)
        agent = Caller(CallerKind.AGENT, as_agent, Door.MCP, grants, gate=gate)
        return document_for(Orientation(self.parts, agent), request)

    def _acting(self, role: str) -> Orientation:
        """The same for the caller under one of its roles."""
        caller = self.caller.acting_as(role)
        return self if caller is self.caller else Orientation(self.parts, caller)

    def rehearse_rates(
        self, workspace_id: str, decay: DecayConfig, conversation: str | None = None
    ) -> Rehearsal:
        """What would enter and leave the beginning of a turn, and how far each tier would fade.

        Nothing is stored, nothing counts.

        Args:
            workspace_id: Whose memories.
            decay: The rates to be tried.
            conversation: Whose turn begins; None leaves conversation and channel out.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace or conversation.
        """
        authorize_management(self.caller)
        now = self.parts.settings().decay
        moves: tuple[Move, ...] = ()
        if decay != now:
            under = Orientation(self.parts.under(decay), self.caller)
            request = OrientationRequest(workspace_id, conversation)
            moves = moves_between(self.preview(request), under.preview(request))
        found: list[TierShift] = []
        as_of, model_id = self.clock(), self.parts.embedder.model_id
        for file in (workspace_id, None):
            with self.store.read(file) as view:
                found += view.overview.shifts(now, decay, model_id=model_id, as_of=as_of)
        return Rehearsal(moves, tuple(found))


def document_for(asked: Asked, request: OrientationRequest) -> Document:
    """The same document without counting a read, nor that the agent was told the news."""
    caller = asked.caller
    now = asked.clock()
    places = _places(asked, request)
    standing = _standing(asked, request)
    if caller.is_agent and not caller.is_own:
        most = request.budget_tokens * CHARACTERS_PER_TOKEN
        standing = tuple(_within(one, most) for one in standing)
    settled = NOTHING_SETTLED
    if request.tiers is None or Tier.WORKSPACE in request.tiers:
        turn = Turn(
            request.workspace_id, request.query, request.mode, request.at_story, request.parts
        )
        settled = settled_for(asked, turn)
    offers = [
        Candidates(scope.tier, title, ranked, total)
        for scope, title in (places if Part.MEMORIES in request.parts else ())
        for ranked, total in [_ranked(asked, scope, request, now, where=_where(scope, settled))]
    ]
    news = None
    if caller.is_agent and request.conversation is not None and Part.MEMORIES in request.parts:
        scopes = [scope for scope, _ in places]
        news = SinceLastTurn(asked.store).news(
            caller, request.workspace_id, request.conversation, scopes, standing
        )
    document = composed(
        standing,
        offers,
        budget_tokens=request.budget_tokens,
        query=request.query,
        as_of=now,
        news=news,
        changed=_changed(asked, request),
        settled=settled,
    )
    return replace(document, active_page=_active_page(asked, request.workspace_id))


def _standing(asked: Asked, request: OrientationRequest) -> tuple[NamedEntry, ...]:
    if Part.ENTRIES not in request.parts:
        return ()
    try:
        entries = standing_slice(asked.store, asked.caller, request.workspace_id)
    except ScopeDeniedError:
        return ()
    return tuple(one for one in entries if request.tiers is None or one.tier in request.tiers)


def _places(asked: Asked, request: OrientationRequest) -> list[tuple[ScopeKey, str]]:
    """Scope keys with their headings, in the order in which they are filled."""
    caller = asked.caller
    found = _conversation(asked, request)
    places = [] if found is None else _room_places(request, *found)
    places.append((ScopeKey.workspace(request.workspace_id), "Workspace"))
    places.append((ScopeKey.account(), "Account"))
    if request.tiers is not None:
        places = [one for one in places if one[0].tier in request.tiers]
        authorize(caller, Action.READ, *(scope for scope, _ in places))
    readable = [one for one in places if caller.may(Action.READ, one[0])]
    if not readable:
        tier = places[0][0].tier if places else Tier.WORKSPACE
        raise ScopeDeniedError(Action.READ.value, tier.value)
    return readable


def _conversation(asked: Asked, request: OrientationRequest) -> tuple[Conversation, str] | None:
    """The conversation with the name of its channel; None without one."""
    if request.conversation is None:
        return None
    with asked.store.read(request.workspace_id) as view:
        conversation = conversation_for(
            view, asked.caller, Action.READ, request.workspace_id, request.conversation
        )
        channel = view.conversations.get_channel(conversation.channel_id)
    return conversation, channel.name


def _room_places(
    request: OrientationRequest, conversation: Conversation, channel_name: str
) -> list[tuple[ScopeKey, str]]:
    workspace_id = request.workspace_id
    return [
        (ScopeKey.conversation(workspace_id, conversation.id), "Conversation"),
        (ScopeKey.channel(workspace_id, conversation.channel_id), f"Channel #{channel_name}"),
    ]


_NOTES = MemoryFilter(kinds=frozenset({MemoryKind.NOTE}))


def _where(scope: ScopeKey, settled: Settled) -> MemoryFilter:
    """What a tier is ranked of: facts and rules, where there are any, have told themselves."""
    has_settled = scope.tier is Tier.WORKSPACE and settled.acts_as is not None
    return _NOTES if has_settled else EVERYTHING


def _ranked(
    asked: Asked,
    scope: ScopeKey,
    request: OrientationRequest,
    now: datetime,
    *,
    where: MemoryFilter,
) -> tuple[tuple[Ranked, ...], int]:
    """The tier's memories in order, and how many it holds.

    A conversation goes by recency. Elsewhere what matches the query comes first, by its score;
    the most relevant of the rest follow, so that a query without matches falls back to
    relevance.
    """
    caller = asked.caller
    is_conversation = scope.tier is Tier.CONVERSATION
    sort = MemorySort.NEWEST if is_conversation else MemorySort.RELEVANCE
    order = Order.RECENCY if is_conversation else Order.RELEVANCE
    found: dict[str, Ranked] = {}
    if request.query.strip() and not is_conversation:
        wanted = SearchRequest(request.query, request.mode, CONSIDERED, where)
        result = Search(asked.parts, asked.caller).look([scope], wanted)
        for hit in result.hits:
            if not hit.explanation.is_found:
                continue
            relevance = hit.explanation.relevance
            found[hit.entry.id] = Ranked(
                hit.entry,
                relevance,
                Order.SCORE,
                hit.score,
                hit.explanation,
                hit.explanation.folded,
            )
    decay = asked.parts.settings().decay
    with asked.store.read(scope.workspace_id) as view:
        page = view.memories.page(
            [scope],
            sort=sort,
            limit=CONSIDERED,
            where=where,
            after=None,
            decay=decay,
            as_of=now,
            visible_to=caller.walls,
        )
        told = set(found).union(*(one.repeats for one in found.values()))
        rest = (one for one in page.entries if one.is_retrievable and one.id not in told)
        ranked = [
            replace(one, entry=_as_told(caller, one.entry))
            for one in (
                *found.values(),
                *(Ranked(one, relevance_of(one, decay, now), order) for one in rest),
            )
        ]
        texts = view.traits.texts_of_repeats([one.entry.id for one in ranked])
    folded = _folded(ranked, texts)[:CONSIDERED]
    sources = asked.told_sources(scope.workspace_id, [one.entry for one in folded])
    known = [replace(one, sources=sources.get(one.entry.id, NO_SOURCES)) for one in folded]
    if not is_conversation:
        known = changed_last(known, _weight, lambda one: one.sources)
    return tuple(known), page.total or 0


def _weight(ranked: Ranked) -> tuple[Order, float]:
    figure = ranked.relevance if ranked.score is None else ranked.score
    return ranked.order, round(figure, 2)


def _active_page(asked: Asked, workspace_id: str) -> Page | None:
    """The page that the author reads, if the caller may know of it."""
    index = asked.pages_of(workspace_id) if reads_world(asked.caller, workspace_id) else None
    return None if index is None else index.page_read()


def _changed(asked: Asked, request: OrientationRequest) -> ChangedPages:
    """Memories whose pages changed, of those that the caller may read, if it may read pages."""
    if Part.MEMORIES not in request.parts or not reads_world(asked.caller, request.workspace_id):
        return NO_CHANGES
    with asked.store.read(request.workspace_id) as view:
        rows = view.world.derivations_changed()
        entries = view.memories.get_many(list({one.memory_id for one in rows}))
    shown = [
        one
        for one in entries.values()
        if one.is_retrievable
        and asked.caller.may(Action.READ, one.scope)
        and asked.caller.may_know_of(one)
    ]
    told = asked.told_sources(request.workspace_id, shown)
    changed = [one.first for one in told.values() if one.has_changed and one.first is not None]
    places = Counter(place_of_source(one) for one in changed)
    return ChangedPages(len(changed), tuple(places.most_common()))


def _by_file(entries: Sequence[MemoryEntry]) -> dict[str | None, list[str]]:
    """Ids by the file that holds them: what is counted together is committed together."""
    files: dict[str | None, list[str]] = {}
    for entry in entries:
        files.setdefault(entry.scope.workspace_id, []).append(entry.id)
    return files


def _as_told(caller: Caller, entry: MemoryEntry) -> MemoryEntry:
    """The entry without a name that the caller is not told."""
    name = caller.known_name(entry.by)
    return entry if name == entry.by else replace(entry, written_by=name)


def _within(entry: NamedEntry, most: int) -> NamedEntry:
    """The entry; one longer than the whole budget is cut, and says how its rest is read."""
    n_left = len(entry.body) - most
    if n_left <= 0:
        return entry
    more = f"\u2026 {n_left:,} more characters: named_entry_read {entry.name}, next {most}"
    return replace(entry, body=f"{entry.body[:most]}\n\n{more}")


def _folded(ranked: Sequence[Ranked], texts: Mapping[str, str]) -> list[Ranked]:
    """The first of those that say the same, with the others behind it."""
    into = repeats_of_better([one.entry.id for one in ranked], texts)
    behind: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for one in ranked:
        if one.entry.id in into:
            behind[into[one.entry.id]] += (one.entry.id, *one.repeats)
    return [
        replace(one, repeats=(*one.repeats, *behind[one.entry.id]))
        for one in ranked
        if one.entry.id not in into
    ]
