"""Orient an agent at the start of a turn: all four tiers in one document, within a budget."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    CallerKind,
    Door,
    Grant,
    authorize,
    authorize_workspace,
)
from inklings_desktop.domain.entries.named_entry import CHARACTERS_PER_TOKEN
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.likeness.folding import repeats_of_better
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemorySort
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import (
    DEFAULT_BUDGET_TOKENS,
    Candidates,
    Order,
    Orientation,
    Ranked,
    checked_budget,
    composed,
)
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.entries.named_entries import StandingSlice
from inklings_desktop.usecases.rooms.rooms import conversation_for
from inklings_desktop.usecases.search.search_memories import SearchMemories, SearchRequest
from inklings_desktop.usecases.search.since_last_turn import SinceLastTurn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.usecases.ports.store import Clock, SettingsSource, Store
    from inklings_desktop.usecases.steps.counting_reads import ReadCounter

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

    Raises:
        InvalidValueError: The budget is no whole number from 1 to 200,000.
    """

    workspace_id: str
    conversation: str | None = None
    query: str = ""
    budget_tokens: int = DEFAULT_BUDGET_TOKENS
    tiers: frozenset[Tier] | None = None
    mode: SearchMode = SearchMode.HYBRID

    def __post_init__(self) -> None:
        checked_budget(self.budget_tokens)


@dataclass(frozen=True, slots=True)
class Orient:
    """The document that an agent begins a turn with.

    What the question brought into it counts as read, once; what stands there anyway does not.
    """

    store: Store
    search: SearchMemories
    clock: Clock
    settings: SettingsSource
    count_reads: ReadCounter

    def __call__(self, caller: Caller, request: OrientationRequest) -> Orientation:
        """The standing slice, then the tiers that the caller may read.

        Raises:
            ScopeDeniedError: A tier that was named is closed to the caller, or all of them are.
            NotFoundError: There is no such workspace or conversation.
        """
        document = self.look(caller, request)
        if caller.is_agent:
            for workspace_id, ids in _by_file(document.matched).items():
                self.count_reads(caller, workspace_id, ids, document.as_of)
            if request.conversation is not None and request.tiers is None:
                SinceLastTurn(self.store).tell(
                    caller, request.workspace_id, request.conversation, document.as_of
                )
        return document

    def look(self, caller: Caller, request: OrientationRequest) -> Orientation:
        """The same document without counting a read, nor that the agent was told the news."""
        now = self.clock()
        places = self._places(caller, request)
        standing = self._standing(caller, request)
        if caller.is_agent and not caller.is_own:
            most = request.budget_tokens * CHARACTERS_PER_TOKEN
            standing = tuple(_within(one, most) for one in standing)
        offers = [
            Candidates(scope.tier, title, ranked, total)
            for scope, title in places
            for ranked, total in [self._ranked(caller, scope, request, now)]
        ]
        news = None
        if caller.is_agent and request.conversation is not None:
            scopes = [scope for scope, _ in places]
            news = SinceLastTurn(self.store).news(
                caller, request.workspace_id, request.conversation, scopes, standing
            )
        return composed(
            standing,
            offers,
            budget_tokens=request.budget_tokens,
            query=request.query,
            as_of=now,
            news=news,
        )

    def _standing(self, caller: Caller, request: OrientationRequest) -> tuple[NamedEntry, ...]:
        try:
            entries = StandingSlice(self.store)(caller, request.workspace_id)
        except ScopeDeniedError:
            return ()
        return tuple(one for one in entries if request.tiers is None or one.tier in request.tiers)

    def _places(self, caller: Caller, request: OrientationRequest) -> list[tuple[ScopeKey, str]]:
        """Scope keys with their headings, in the order in which they are filled."""
        found = self._conversation(caller, request)
        places = [] if found is None else self._room_places(request, *found)
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

    def _conversation(
        self, caller: Caller, request: OrientationRequest
    ) -> tuple[Conversation, str] | None:
        """The conversation with the name of its channel; None without one."""
        if request.conversation is None:
            return None
        with self.store.read(request.workspace_id) as view:
            conversation = conversation_for(
                view, caller, Action.READ, request.workspace_id, request.conversation
            )
            channel = view.conversations.get_channel(conversation.channel_id)
        return conversation, channel.name

    def _room_places(
        self, request: OrientationRequest, conversation: Conversation, channel_name: str
    ) -> list[tuple[ScopeKey, str]]:
        workspace_id = request.workspace_id
        return [
            (ScopeKey.conversation(workspace_id, conversation.id), "Conversation"),
            (ScopeKey.channel(workspace_id, conversation.channel_id), f"Channel #{channel_name}"),
        ]

    def _ranked(
        self, caller: Caller, scope: ScopeKey, request: OrientationRequest, now: datetime
    ) -> tuple[tuple[Ranked, ...], int]:
        """The tier's memories in order, and how many it holds.

        A conversation goes by recency. Elsewhere what matches the query comes first, by its score;
        the most relevant of the rest follow, so that a query without matches falls back to
        relevance.
        """
        is_conversation = scope.tier is Tier.CONVERSATION
        sort = MemorySort.NEWEST if is_conversation else MemorySort.RELEVANCE
        order = Order.RECENCY if is_conversation else Order.RELEVANCE
        found: dict[str, Ranked] = {}
        if request.query.strip() and not is_conversation:
            wanted = SearchRequest(request.query, request.mode, CONSIDERED)
            result = self.search.look(caller, [scope], wanted)
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
        decay = self.settings().decay
        with self.store.read(scope.workspace_id) as view:
            page = view.memories.page(
                [scope],
                sort=sort,
                limit=CONSIDERED,
                where=EVERYTHING,
                after=None,
                decay=decay,
                as_of=now,
                visible_to=caller.sees_private_of,
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
        return tuple(_folded(ranked, texts)[:CONSIDERED]), page.total or 0


@dataclass(frozen=True, slots=True)
class PreviewOrientation:
    """What an agent would be told, without telling it; looking counts as no read."""

    orient: Orient

    def __call__(
        self, caller: Caller, request: OrientationRequest, *, as_agent: str = PREVIEWED_AGENT
    ) -> Orientation:
        """The document of an agent of this name that may read every tier.

        Entries private to other agents are not in it, as they would not be in the agent's. For an
        agent it is its own document.

        Raises:
            ScopeDeniedError: An agent that may read nothing there, or not the conversation.
            NotFoundError: There is no such workspace or conversation.
        """
        authorize_workspace(caller, request.workspace_id)
        if caller.is_agent:
            return self.orient.look(caller, request)
        if request.conversation is not None:  # an agent would not learn that it is not there
            with self.orient.store.read(request.workspace_id) as view:
                view.conversations.get(request.conversation)
        reading = frozenset({Action.READ})
        grants = tuple(
            Grant(tier, None if tier is Tier.ACCOUNT else request.workspace_id, reading)
            for tier in Tier
        )
        is_own = as_agent == PREVIEWED_AGENT
        agent = Caller(CallerKind.AGENT, as_agent, Door.MCP, grants, is_own=is_own)
        return self.orient.look(agent, request)


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
