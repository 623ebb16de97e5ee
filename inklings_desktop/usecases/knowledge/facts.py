"""Settle something, replace it, take it back, and find it again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import (
    Action,
    authorize,
    authorize_person,
    authorize_write,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    SourcesMissingError,
    SupersededError,
)
from inklings_desktop.domain.knowledge.facts import (
    AUTHORS_CONFIDENCE,
    MOST_OF_AN_AGENT,
    SUPERSEDED,
    WITHDRAWN,
    FactDetails,
    StoryInterval,
    checked_statement,
    checked_topic,
    confidence_of,
    details_of,
    payload_of,
    weighed,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.listing import (
    MemoryFilter,
    MemorySort,
    MemoryState,
    PageOffset,
)
from inklings_desktop.domain.memory import (
    Derivation,
    MemoryDraft,
    MemoryEntry,
    MemoryKind,
    MemoryPatch,
    MemoryRef,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.memory_values import checked_reason
from inklings_desktop.domain.world.derivations import DerivationKind
from inklings_desktop.usecases.knowledge.reading import (
    as_facts,
    disagreements,
    fact_views,
    views_in,
)
from inklings_desktop.usecases.knowledge.values import (
    FactHit,
    FactList,
    FactPut,
    FactSort,
)
from inklings_desktop.usecases.memories.find_known import repeat_for, sources_for
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.search.search import Search
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.steps.changing_memories import (
    save_filed,
    save_forgotten,
    save_restored,
)
from inklings_desktop.usecases.steps.holding import why_held
from inklings_desktop.usecases.steps.putting import (
    Putting,
    Remembered,
    Remembering,
    Waiting,
    finish_superseding,
    save_superseded,
)
from inklings_desktop.usecases.steps.recording import record_known
from inklings_desktop.usecases.steps.repeats import refuse_repeat
from inklings_desktop.usecases.steps.sources import FROM_MEMORY
from inklings_desktop.usecases.steps.walls import domain_in_use, readable_domain, require_write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.knowledge.facts import Disagreement, Fact, FactView
    from inklings_desktop.usecases.knowledge.values import (
        FactDraft,
        FactPatch,
        FactQuery,
        FactSearch,
    )
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork
    from inklings_desktop.usecases.steps.sources import Sources

SHORTEST_REASON = 3
MOST_LISTED = 10_000
"""Facts that are put in order for one list."""
_FACTS = frozenset({MemoryKind.FACT})
_PAGES = frozenset({DerivationKind.PAGE, DerivationKind.BLOCK})


class Facts(Asked):
    """What is settled in a workspace; a fact is a memory, and goes the road of memories."""

    def put(self, workspace_id: str, draft: FactDraft, *, insists: bool = False) -> FactPut:
        """States a fact; what its topic says already is confirmed instead.

        Facts of the topic that say otherwise are named with it, and none of them goes.

        Raises:
            ScopeDeniedError: The caller may not write in the workspace tier.
            NotFoundError: There is no such domain, or it is closed to the caller; or a memory
                among the sources is not there.
            DomainDeniedError: The caller may only read in the domain.
            SourcesMissingError: An agent names no source.
            DerivableError: A page says it and is not among the sources.
            HeldForReviewError: It looks like a key or a password, or the author forgot it.
            InvalidValueError: A value breaks a rule; ``field`` says which.
        """
        with self.attempt("fact.put", Tier.WORKSPACE, workspace_id):
            return self._state(workspace_id, draft, None, insists=insists)

    def supersede(
        self,
        ref: MemoryRef,
        content: str,
        *,
        reason: str,
        expected_version: int | None = None,
        confidence: float | None = None,
        sources: Sequence[str] = (),
        topic: str | None = None,
        story: StoryInterval | None = None,
    ) -> Fact:
        """Puts a new fact in the place of one, which stays readable in its chain.

        Raises:
            SupersededError: A later fact took its place already.
            ConflictError: Somebody changed it since.
            HeldForReviewError: An agent would replace a fact of the author's, or a locked one.
            InvalidValueError: The reason is shorter than three characters.
        """
        from inklings_desktop.usecases.knowledge.values import FactDraft

        why = checked_reason(reason) or ""
        if len(why) < SHORTEST_REASON:
            raise InvalidValueError("reason", "too_short", SHORTEST_REASON)
        workspace_id = ref.scope.workspace_id or ""
        with self.attempt("fact.supersede", Tier.WORKSPACE, workspace_id, (ref.id,)):
            authorize(self.caller, Action.READ, ref.scope)
            with self.store.read(workspace_id) as view:
                [before] = as_facts(view, [self._standing(view, ref)])
            if expected_version not in {None, before.memory.version}:
                now = before.memory.version
                raise ConflictError("memory", ref.id, expected_version, now)
            given = story or before.details.story
            most = MOST_OF_AN_AGENT if self.caller.is_agent else AUTHORS_CONFIDENCE
            as_sure = min(before.details.confidence, most)
            draft = FactDraft(
                before.memory.domain_id or "",
                before.memory.topic if topic is None else topic,
                content,
                as_sure if confidence is None else confidence,
                tuple(sources),
                before.memory.importance,
                before.memory.tags,
                given,
            )
            try:
                done = self._state(workspace_id, draft, before, reason=why)
            except NotFoundError:
                with self.store.read(workspace_id) as view:
                    self._standing(view, ref)  # somebody was first: the later one is named
                raise
        return done.fact

    def take_back(self, ref: MemoryRef) -> Fact:
        """Withdraws a fact, and lets the one stand again whose place it took.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: There is no such fact, or it took nothing's place.
        """
        caller, workspace_id, now = self.caller, ref.scope.workspace_id, self.clock()
        authorize_person(caller, Action.WRITE, Tier.WORKSPACE)
        with self.writing(workspace_id) as unit:
            later = self._standing(unit, ref)
            earlier = [one for one in unit.knowledge.chain(ref.id) if one.successor_id == ref.id]
            if not earlier:
                raise NotFoundError("memory", ref.id)
            save_forgotten(unit, caller, later, WITHDRAWN, now)
            restored = [save_restored(unit, caller, one, now) for one in earlier]
            for one in restored:
                self._give_back_story(unit, one)
            ids = (later.id, *(one.id for one in restored))
            record_known(unit, caller, EventKind.FACT_REINSTATED, ref.scope, ids, now)
            [fact] = as_facts(unit, restored[-1:])
            unit.commit()
        return fact

    def reinstate(self, ref: MemoryRef, reason: str) -> Fact:
        """States again what an earlier fact of a chain said, in the place of the one that holds.

        Raises:
            NotFoundError: There is no such fact, or none took its place.
        """
        authorize(self.caller, Action.READ, ref.scope)
        with self.store.read(ref.scope.workspace_id) as view:
            entry = view.memories.get(ref, self.caller.walls)
            head = view.knowledge.head(entry.id)
            [fact] = as_facts(view, [entry])
        if head == entry.id or not self.caller.may_know_of(entry):
            raise NotFoundError("memory", ref.id)
        return self.supersede(
            MemoryRef(ref.scope, head),
            entry.content,
            reason=reason,
            confidence=fact.details.confidence,
            topic=entry.topic,
            story=fact.details.story,
        )

    def edit(self, ref: MemoryRef, patch: FactPatch, *, expected_version: int) -> Fact:
        """Changes what a fact has besides its text.

        Raises:
            ScopeDeniedError: The caller may not write there, or an agent met a guarded fact.
            SupersededError: A later fact took its place.
            ConflictError: Somebody saved a newer version first.
        """
        caller, now, workspace_id = self.caller, self.clock(), ref.scope.workspace_id or ""
        with self.attempt("fact.edit", Tier.WORKSPACE, workspace_id, (ref.id,)):
            authorize_write(caller, ref.scope)
            with self.writing(workspace_id) as unit:
                before = self._standing(unit, ref)
                require_write(unit, caller, readable_domain(unit, caller, before.domain_id or ""))
                if caller.is_agent and why_held(caller, before):
                    raise ScopeDeniedError(Action.WRITE.value, Tier.WORKSPACE.value)
                if before.version != expected_version:
                    raise ConflictError("memory", ref.id, expected_version, before.version)
                [fact] = as_facts(unit, [before])
                details = FactDetails(
                    fact.details.confidence
                    if patch.confidence is None
                    else confidence_of(patch.confidence, is_agent=caller.is_agent),
                    patch.story or fact.details.story,
                )
                topic = before.topic if patch.topic is None else checked_topic(patch.topic)
                values = MemoryPatch(importance=patch.importance, tags=patch.tags)
                after = replace(before.patched(values), topic=topic)
                if after == before and details == fact.details:
                    return fact
                extra = json.dumps({**payload_of(fact.details), "topic": before.topic})
                stored = save_filed(unit, caller, before, after, now, extra)
                unit.knowledge.put_details(stored.id, details)
                unit.commit()
                return replace(fact, memory=stored, details=details)

    def show(self, ref: MemoryRef) -> FactView:
        """One fact with its sources and state, whether it still holds or not.

        Raises:
            NotFoundError: There is no such fact.
            ScopeDeniedError: The caller may not read the workspace tier.
        """
        authorize(self.caller, Action.READ, ref.scope)
        workspace_id = ref.scope.workspace_id or ""
        with self.store.read(workspace_id) as view:
            facts = as_facts(view, [self._known(view, ref)])
        return fact_views(self, workspace_id, facts)[0]

    def chain(self, ref: MemoryRef) -> tuple[FactView, ...]:
        """Every fact that this one took the place of or was replaced by, the oldest first.

        Raises:
            NotFoundError: There is no such fact.
            ScopeDeniedError: The caller may not read the workspace tier.
        """
        authorize(self.caller, Action.READ, ref.scope)
        workspace_id = ref.scope.workspace_id or ""
        with self.store.read(workspace_id) as view:
            self._known(view, ref)
            facts = as_facts(view, view.knowledge.chain(ref.id))
            endings = view.knowledge.endings(
                [one.memory.id for one in facts if one.memory.is_forgotten]
            )
        views = fact_views(self, workspace_id, facts)
        return tuple(replace(one, ending=endings.get(one.fact.memory.id)) for one in views)

    def list(self, workspace_id: str, query: FactQuery) -> FactList:
        """Facts of a workspace, in order.

        Raises:
            ScopeDeniedError: The caller may not read the workspace tier.
            NotFoundError: There is no such domain for the caller.
        """
        facts = list(self._listed(workspace_id, query, MemoryState.ACTIVE))
        if query.with_superseded:
            gone = self._listed(workspace_id, query, MemoryState.FORGOTTEN)
            facts += [one for one in gone if one.is_superseded]
        if query.at_story is not None:
            facts = [one for one in facts if one.details.story.holds_at(query.at_story)]
        facts.sort(key=_order(query.sort))
        if query.states:
            views = [
                one for one in fact_views(self, workspace_id, facts) if one.state in query.states
            ]
            shown = views[query.offset : query.offset + query.limit]
            return FactList(tuple(shown), len(views))
        page = facts[query.offset : query.offset + query.limit]
        return FactList(fact_views(self, workspace_id, page), len(facts))

    def search(self, workspace_id: str, wanted: FactSearch) -> tuple[FactHit, ...]:
        """Facts that a question finds, best first; superseded ones only if they are wanted.

        Raises:
            ScopeDeniedError: The caller may not read the workspace tier.
            NotFoundError: There is no such domain for the caller.
        """
        scope = ScopeKey.workspace(workspace_id)
        authorize(self.caller, Action.READ, scope)
        where = self._where(workspace_id, wanted.domain, wanted.topic)
        request = SearchRequest(wanted.query, wanted.mode, wanted.limit, where, found_only=True)
        result = Search(self.parts, self.caller).find([scope], request)
        by_id = {one.entry.id: one for one in result.hits}
        with self.store.read(workspace_id) as view:
            facts = list(as_facts(view, [one.entry for one in by_id.values()]))
            if wanted.history:
                behind = {
                    one.id: one
                    for fact in facts
                    for one in view.knowledge.chain(fact.memory.id)
                    if one.id not in by_id and self.caller.may_know_of(one)
                }
                facts += as_facts(view, list(behind.values()))
            if wanted.at_story is not None:
                facts = [one for one in facts if one.details.story.holds_at(wanted.at_story)]
            views = views_in(view, self, workspace_id, facts)
        hits, earlier = [], []
        for one in views:
            found = by_id.get(one.fact.memory.id)
            if found is None:
                earlier.append(FactHit(one, 0.0, result.hits[-1].explanation))
            else:
                score = weighed(found.score, one.fact.details.confidence)
                hits.append(FactHit(one, score, found.explanation))
        return (*sorted(hits, key=lambda one: -one.score), *earlier)

    def from_memory(
        self,
        ref: MemoryRef,
        *,
        domain: str,
        topic: str,
        confidence: float | None = None,
        content: str | None = None,
    ) -> FactPut:
        """Makes a fact of what a memory says; the memory stays, and is its source.

        Raises:
            NotFoundError: No such memory, or no such domain, for the caller.
        """
        from inklings_desktop.usecases.knowledge.values import FactDraft

        authorize(self.caller, Action.READ, ref.scope)
        with self.store.read(ref.scope.workspace_id) as view:
            entry = view.memories.get(ref, self.caller.walls)
        text = entry.content if content is None else content
        draft = FactDraft(
            domain, topic, text, confidence, (entry.id,), entry.importance, entry.tags
        )
        return self.put(ref.scope.workspace_id or "", draft)

    def disagreements(self, workspace_id: str) -> tuple[Disagreement, ...]:
        """Every two facts of one topic that say something else; none of them goes by itself.

        Raises:
            ScopeDeniedError: The caller may not read the workspace tier.
        """
        authorize(self.caller, Action.READ, ScopeKey.workspace(workspace_id))
        with self.store.read(workspace_id) as view:
            return disagreements(view, self.caller)

    def settle(self, holds: MemoryRef, other: MemoryRef) -> Fact:
        """Lets one of two facts hold: the other one's place is taken by it.

        An earlier one cannot take the place of a later: what it says is stated anew.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: One of them is not there, or does not stand any more.
            InvalidValueError: They are one fact, or of two domains.
        """
        caller, now = self.caller, self.clock()
        authorize_person(caller, Action.WRITE, Tier.WORKSPACE)
        with self.writing(holds.scope.workspace_id) as unit:
            right, wrong = self._standing(unit, holds), self._standing(unit, other)
            if right.id == wrong.id or right.domain_id != wrong.domain_id:
                raise InvalidValueError("other", "apart")
            [fact] = as_facts(unit, [right])
            stands = right
            if right.sequence < wrong.sequence:
                draft = MemoryDraft(
                    right.scope,
                    right.content,
                    right.importance,
                    tags=right.tags,
                    derived_from=right.derived_from,
                    kind=right.kind,
                    domain_id=right.domain_id,
                    topic=right.topic,
                ).completed(caller.curator)
                remember = Remembering(unit, caller, self.new_id, self.parts.settings(), now)
                said_anew = remember(
                    draft, caller.curator, written_by=right.written_by, known=None, stale=right
                )
                stands = said_anew.memory
                unit.knowledge.put_details(stands.id, fact.details)
            save_superseded(unit, caller, wrong, stands.id, "", now)
            ids = (wrong.id, stands.id)
            record_known(unit, caller, EventKind.FACT_SUPERSEDED, holds.scope, ids, now)
            [fact] = as_facts(unit, [stands])
            unit.commit()
        return fact

    def _state(
        self,
        workspace_id: str,
        draft: FactDraft,
        before: Fact | None,
        *,
        insists: bool = False,
        reason: str = "",
    ) -> FactPut:
        """Puts a fact, in the place of another one if it is given."""
        caller, scope, now = self.caller, ScopeKey.workspace(workspace_id), self.clock()
        authorize_write(caller, scope)
        if caller.is_agent and not draft.sources and before is None:
            raise SourcesMissingError
        content, topic = checked_statement(draft.content), checked_topic(draft.topic)
        details = FactDetails(
            confidence_of(draft.confidence, is_agent=caller.is_agent), draft.story
        )
        named = self._named(workspace_id, draft.sources)
        if before is not None and not named:
            named = before.memory.derived_from
        sources = sources_for(self, workspace_id, named)
        if caller.is_agent and draft.sources:
            self._require_sources(workspace_id, named, sources)
        repeat = None if insists else repeat_for(self, scope, content)
        if repeat is not None and any(one.target_id == repeat.block_id for one in sources.rows):
            repeat = None
        with self.writing(workspace_id) as unit:
            refuse_repeat(unit, caller, scope, repeat, now)
            domain = domain_in_use(unit, caller, draft.domain)
            require_write(unit, caller, domain)
            whole = MemoryDraft(
                scope,
                content,
                draft.importance,
                tags=draft.tags,
                derived_from=sources.references,
                kind=MemoryKind.FACT,
                domain_id=domain.id,
                topic=topic,
            ).completed(caller.curator)
            put = Putting(unit, caller, self.new_id, self.parts.settings(), now)
            replaces = None if before is None else before.memory.id
            also = payload_of(details) | ({"reason": reason} if reason else {})
            done = put(whole, replaces, also=also)
            if isinstance(done, Waiting):
                unit.commit()
                raise HeldForReviewError(done.proposal.id, reason=done.why.value)
            details = self._keep(unit, done, details, sources)
            if before is not None and done.replaced is not None:
                finish_superseding(unit, caller, done.replaced.id, done.memory, now)
            against = [
                one
                for pair in disagreements(unit, caller, [done.memory.id])
                for one in (pair.first, pair.second)
                if done.memory.id in {pair.first.memory.id, pair.second.memory.id}
                and one.memory.id != done.memory.id
            ]
            [fact] = as_facts(unit, [done.memory])
            unit.commit()
        return FactPut(replace(fact, details=details), done.was_known, tuple(against))

    def _keep(
        self, unit: UnitOfWork, done: Remembered, details: FactDetails, sources: Sources
    ) -> FactDetails:
        """Keeps what else a fact has; one that was known is as sure as the surer of both."""
        if done.was_known:
            [known] = as_facts(unit, [done.memory])
            surer = max(known.details.confidence, details.confidence)
            details = replace(known.details, confidence=surer)
        else:
            sources.keep(unit, done.memory.id)
        unit.knowledge.put_details(done.memory.id, details)
        return details

    def _give_back_story(self, unit: UnitOfWork, restored: MemoryEntry) -> None:
        """A fact that stands again holds for as long as before it was replaced."""
        [fact] = as_facts(unit, [restored])
        for version in unit.memories.history(restored.id):
            kept = json.loads(version.extra)
            if "story_until" in kept:
                earlier = details_of(MemoryKind.FACT, kept)
                assert isinstance(earlier, FactDetails)
                again = replace(fact.details, story=earlier.story)
                unit.knowledge.put_details(restored.id, again)
                return
        if fact.details.story.until is not None:
            again = replace(fact.details, story=StoryInterval(fact.details.story.first))
            unit.knowledge.put_details(restored.id, again)

    def _named(self, workspace_id: str, sources: Sequence[str]) -> tuple[Derivation, ...]:
        """Sources as references: ids of memories that are there as such, any other as written."""
        with self.store.read(workspace_id) as view:
            known = view.memories.get_many(list(sources))
        readable = {
            one.id
            for one in known.values()
            if self.caller.may(Action.READ, one.scope) and self.caller.may_know_of(one)
        }
        return tuple(
            Derivation(one, FROM_MEMORY if one in readable else "") for one in sources if one
        )

    def _require_sources(
        self, workspace_id: str, named: Sequence[Derivation], sources: Sources
    ) -> None:
        """Return if each is a memory or page that the agent may read, or a conversation of its.

        Raises:
            NotFoundError: One is none of these.
        """
        pages = {one.place for one in sources.rows if one.kind in _PAGES}
        for place, one in enumerate(named):
            if one.block == FROM_MEMORY or place in pages:
                continue
            try:
                with self.store.read(workspace_id) as view:
                    room = view.conversations.get(one.target)
            except NotFoundError:
                raise NotFoundError("source", "") from None
            if not self.caller.may(Action.READ, ScopeKey.conversation(workspace_id, room.id)):
                raise NotFoundError("source", "")

    def _known(self, view: StoreView, ref: MemoryRef) -> MemoryEntry:
        """The fact, superseded or not, if the caller may know of it."""
        entry = view.memories.get(ref, self.caller.walls)
        is_hidden = self.caller.is_agent and entry.paused
        if entry.kind is not MemoryKind.FACT or is_hidden or not self.caller.may_know_of(entry):
            raise NotFoundError("memory", ref.id)
        return entry

    def _standing(self, view: StoreView, ref: MemoryRef) -> MemoryEntry:
        """The fact that holds.

        Raises:
            SupersededError: A later one took its place.
            NotFoundError: It is not there, or was forgotten.
        """
        entry = self._known(view, ref)
        if entry.is_forgotten:
            if entry.forgotten_reason == SUPERSEDED:
                raise SupersededError(view.knowledge.head(entry.id))
            raise NotFoundError("memory", ref.id)
        return entry

    def _where(self, workspace_id: str, domain: str, topic: str) -> MemoryFilter:
        domains: frozenset[str] = frozenset()
        if domain:
            with self.store.read(workspace_id) as view:
                domains = frozenset({readable_domain(view, self.caller, domain).id})
        return MemoryFilter(kinds=_FACTS, domains=domains, topic=topic)

    def _listed(self, workspace_id: str, query: FactQuery, state: MemoryState) -> tuple[Fact, ...]:
        scope = ScopeKey.workspace(workspace_id)
        authorize(self.caller, Action.READ, scope)
        where = replace(self._where(workspace_id, query.domain, query.topic), state=state)
        now = self.clock()
        with self.store.read(workspace_id) as view:
            page = view.memories.page(
                [scope],
                where=where,
                sort=MemorySort.NEWEST,
                limit=MOST_LISTED,
                after=PageOffset(0, now),
                decay=self.parts.settings().decay,
                as_of=now,
                visible_to=self.caller.walls,
            )
            return as_facts(view, page.entries)


def _order(sort: FactSort) -> Callable[[Fact], tuple[Any, ...]]:
    """The key of a list's order; within it the later stated comes first."""

    def key(fact: Fact) -> tuple[Any, ...]:
        newest = -fact.memory.sequence
        if sort is FactSort.NEWEST:
            return (newest,)
        if sort is FactSort.CONFIDENCE:
            return (-fact.details.confidence, newest)
        return (fact.domain.casefold(), fact.memory.topic.casefold(), newest)

    return key
