"""Tools for what is settled: find, state and replace facts; a chain tells how one came to be."""

from typing import Annotated, Literal

from pydantic import Field

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.knowledge.facts import StoryInterval
from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE, ScopeKey, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.tools.memory_tools import BY_WORDS_ALONE
from inklings_desktop.mcp_server.words.knowledge_answers import (
    FACTS_NOTE,
    DomainMade,
    DomainsTold,
    FactsTold,
    FactTold,
    FactWritten,
    KeptTold,
    KeptWritten,
    RuleAsked,
    RulesTold,
    domain_answer,
    fact_answer,
    rule_answer,
    view_answer,
)
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.knowledge.values import FactDraft, FactSearch, PolicyDraft

MAX_FACTS = 100
_SUPERSEDE = "If one of these is no longer true, replace it with fact_supersede; else leave both."

Role = Annotated[str, Field(description="One of your roles; empty for your usual one.")]
FactId = Annotated[str, Field(description="Id of the fact, or its beginning.")]
Confidence = Annotated[
    float | None, Field(description="How sure you are, 0 to 0.95; 0.7 if you leave it out.")
]
Sources = Annotated[
    list[str] | None,
    Field(description="What it was concluded from: memory ids, pages, block ids or a ref code."),
]
Part = Annotated[
    str, Field(description="Which of your parts keeps it, such as researcher; empty for yourself.")
]
Chapter = Annotated[int | None, Field(description="A chapter number; leave it out for open.")]


class KnowledgeTools(Tools):
    """Facts of one workspace."""

    def fact_search(  # noqa: PLR0917 - the arguments are the interface
        self,
        query: Annotated[str, Field(description="What to look for.")],
        domain: Annotated[str, Field(description="Only in this domain.")] = "",
        topic: Annotated[str, Field(description="Only of this topic and those below it.")] = "",
        history: Annotated[bool, Field(description="Also what was replaced since.")] = False,  # noqa: FBT002
        at_story: Annotated[int | None, Field(description="What is true in this chapter.")] = None,
        limit: Annotated[int, Field(description="Most facts, 1 to 100.")] = 20,
        mode: Literal["hybrid", "keyword"] = "hybrid",
        role: Role = "",
    ) -> FactsTold:
        """Find facts: what was settled about this world, with its sources and how sure it is.

        Use it before you state or rely on something settled. What was replaced is left out.
        """

        def search(mine: Inklings) -> tuple[FactsTold, int]:
            if not 1 <= limit <= MAX_FACTS:
                raise InvalidValueError("limit", "range", MAX_FACTS)
            me = _acting(mine, role)
            how = self._session.mode(SearchMode(mode))
            wanted = FactSearch(query, domain, topic, history, at_story, limit, how)
            hits = me.facts.search(self._session.workspace_id, wanted)
            every = [
                view_answer(me.caller, one.view) | {"score": round(one.score, 4)} for one in hits
            ]
            by_words = all(one.explanation.cosine is None for one in hits)
            answer = self._told_facts(every) | {
                "mode": SearchMode.KEYWORD.value if hits and by_words else how.value
            }
            if answer["mode"] != mode:
                answer["notice"] = BY_WORDS_ALONE
            return answer, len(answer["facts"])

        return self._session.call("fact_search", search, tier=Tier.WORKSPACE)

    def fact_put(  # noqa: PLR0913, PLR0917 - the arguments are the interface
        self,
        domain: Annotated[str, Field(description="Name of the domain.")],
        topic: Annotated[str, Field(description="What it is about, such as Nerys/hand.")],
        content: Annotated[str, Field(description="One settled statement.")],
        sources: Sources = None,
        confidence: Confidence = None,
        importance: float = DEFAULT_IMPORTANCE,
        tags: list[str] | None = None,
        story_from: Chapter = None,
        story_until: Chapter = None,
        role: Role = "",
    ) -> FactWritten:
        """State a fact with what it was concluded from; facts that say otherwise are named.

        Nothing is replaced by it. Cite the block of a page that says it.
        """

        def put(mine: Inklings) -> tuple[FactWritten, int]:
            me = _acting(mine, role)
            draft = FactDraft(
                domain,
                topic,
                content,
                confidence,
                tuple(sources or ()),
                importance,
                tuple(tags or ()),
                StoryInterval(story_from, story_until),
            )
            done = me.facts.put(self._session.workspace_id, draft)
            answer: FactWritten = {"status": "stored", "fact": fact_answer(me.caller, done.fact)}
            if done.was_known:
                answer["already_known"] = True
            if done.conflicts:
                against = [fact_answer(me.caller, one) for one in done.conflicts]
                answer["conflicts"] = self._session.room.fitting(against)
                answer["advice"] = _SUPERSEDE
            return answer, 1

        return self._session.call("fact_put", put, tier=Tier.WORKSPACE, is_write=True)

    def fact_supersede(  # noqa: PLR0913, PLR0917 - the arguments are the interface
        self,
        id: FactId,  # noqa: A002 - the name of the argument is part of the interface
        content: Annotated[str, Field(description="What is true instead.")],
        reason: Annotated[str, Field(description="Why, in a few words.")],
        expected_version: int | None = None,
        confidence: Confidence = None,
        sources: Sources = None,
        topic: str | None = None,
        story_from: Chapter = None,
        role: Role = "",
    ) -> FactWritten:
        """Put a new fact in the place of one that no longer holds; it stays in the chain.

        What the author wrote or locked is only proposed to be replaced.
        """

        def supersede(mine: Inklings) -> tuple[FactWritten, int]:
            me = _acting(mine, role)
            ref = me.search.name(self._own_scope, id, also_forgotten=True)
            story = None if story_from is None else StoryInterval(story_from)
            fact = me.facts.supersede(
                ref,
                content,
                reason=reason,
                expected_version=expected_version,
                confidence=confidence,
                sources=tuple(sources or ()),
                topic=topic,
                story=story,
            )
            return {"status": "stored", "fact": fact_answer(me.caller, fact)}, 1

        return self._session.call("fact_supersede", supersede, tier=Tier.WORKSPACE, is_write=True)

    def fact_history(
        self,
        id: FactId,  # noqa: A002 - the name of the argument is part of the interface
        role: Role = "",
    ) -> FactsTold:
        """How a fact came to be: every one that it replaced, or was replaced by, oldest first.

        Of a long chain the latest ones.
        """

        def history(mine: Inklings) -> tuple[FactsTold, int]:
            me = _acting(mine, role)
            ref = me.search.name(self._own_scope, id, also_forgotten=True)
            latest = [view_answer(me.caller, one) for one in reversed(me.facts.chain(ref))]
            told = self._told_facts(latest)
            told["facts"].reverse()
            return told, len(told["facts"])

        return self._session.call("fact_history", history, tier=Tier.WORKSPACE)

    def policy_list(
        self,
        domain: Annotated[str, Field(description="Only of this domain.")] = "",
        role: Role = "",
    ) -> RulesTold:
        """The house rules that hold: the author switched each of them on."""

        def listed(mine: Inklings) -> tuple[RulesTold, int]:
            me = _acting(mine, role)
            found = me.policies.list(self._session.workspace_id, domain)
            told = self._session.room.fitting([rule_answer(one) for one in found])
            return {"rules": told}, len(told)

        return self._session.call("policy_list", listed, tier=Tier.WORKSPACE)

    def policy_propose(
        self,
        domain: Annotated[str, Field(description="Name of the domain.")],
        rule: Annotated[str, Field(description="What agents have to do, or to leave.")],
        reason: Annotated[str, Field(description="Why, for the author.")],
        sources: Annotated[
            list[str] | None, Field(description="Ids of facts that it rests on.")
        ] = None,
        required_role: Annotated[
            str, Field(description="Only this role may write in the domain while it is on.")
        ] = "",
        role: Role = "",
    ) -> RuleAsked:
        """Ask the author for a house rule; it holds once the author accepts it."""

        def propose(mine: Inklings) -> tuple[RuleAsked, int]:
            draft = PolicyDraft(domain, rule, tuple(sources or ()), required_role, reason=reason)
            made = _acting(mine, role).policies.put(self._session.workspace_id, draft)
            return {"status": "stored", "rule": made.memory.id}, 1

        return self._session.call("policy_propose", propose, tier=Tier.WORKSPACE, is_write=True)

    def working_memory_read(self, part: Part = "") -> KeptTold:
        """What you keep between your runs: your own page, which no other agent reads."""

        def read(mine: Inklings) -> tuple[KeptTold, int]:
            kept = mine.working_memories.read(self._session.workspace_id, part)
            if kept is None:
                return {"version": 0, "body": ""}, 0
            return {"version": kept.version, "body": kept.body}, 1

        return self._session.call("working_memory_read", read, tier=Tier.WORKSPACE)

    def working_memory_write(
        self,
        body: Annotated[str, Field(description="The whole text, at most 16 KiB; or what is new.")],
        append: Annotated[bool, Field(description="Put it behind what is there.")] = False,  # noqa: FBT002
        part: Part = "",
        expected_version: int | None = None,
    ) -> KeptWritten:
        """Keep where your work stands for your next run; the author sees it and may clear it."""

        def write(mine: Inklings) -> tuple[KeptWritten, int]:
            kept = mine.working_memories.write(
                self._session.workspace_id,
                body,
                part=part,
                append=append,
                expected_version=expected_version,
            )
            return {"status": "stored", "version": kept.version}, 1

        return self._session.call("working_memory_write", write, tier=Tier.WORKSPACE, is_write=True)

    def domain_list(self, role: Role = "") -> DomainsTold:
        """The domains that you may read, what is in each, and what you may do there."""

        def listed(mine: Inklings) -> tuple[DomainsTold, int]:
            found = _acting(mine, role).domains.list(self._session.workspace_id)
            told = self._session.room.fitting([domain_answer(one) for one in found])
            return {"domains": told}, len(told)

        return self._session.call("domain_list", listed, tier=Tier.WORKSPACE)

    def domain_create(
        self,
        name: Annotated[str, Field(description="A short name, such as Canon.")],
        description: Annotated[str, Field(description="What belongs in it, in one line.")] = "",
        role: Role = "",
    ) -> DomainMade:
        """Make a domain for facts, called after you too; others may read it, you may write."""

        def create(mine: Inklings) -> tuple[DomainMade, int]:
            made = _acting(mine, role).domains.create(self._session.workspace_id, name, description)
            return {"status": "stored", "domain": made.name}, 1

        return self._session.call("domain_create", create, tier=Tier.WORKSPACE, is_write=True)

    def _told_facts(self, every: list[FactTold]) -> FactsTold:
        """As many of these as fit into one answer, the first ones."""
        told = self._session.room.fitting(every)
        answer: FactsTold = {"note": FACTS_NOTE, "facts": told}
        if len(told) < len(every):
            answer["left_out"] = len(every) - len(told)
        return answer

    @property
    def _own_scope(self) -> ScopeKey:
        return ScopeKey.workspace(self._session.workspace_id)


def _acting(mine: Inklings, role: str) -> Inklings:
    """The same client under one of its roles."""
    return mine if not role else mine.as_caller(mine.caller.acting_as(role))
