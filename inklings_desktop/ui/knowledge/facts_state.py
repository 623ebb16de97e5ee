"""What the tab of facts shows, as plain values: rows, words, and what undoes an act."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.facts import FactState
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.chapters_field import chapters_of, story_of
from inklings_desktop.ui.kit.look.translation import counted, decimal, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import age_label
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.usecases.knowledge.values import FactQuery, FactSearch, FactSort

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.knowledge.facts import Fact, FactView, StoryInterval
    from inklings_desktop.ui.kit.controls.chapters_field import Chapters
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.knowledge.values import DomainView, PolicyView

SETTLED_FROM, LIKELY_FROM = 0.8, 0.5
AT_ONCE = 200
"""So many rows are read, and so many more each time more are wanted."""
MOST_FOUND = 100


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact as the list shows it; every text is final.

    Attributes:
        id: Of its memory.
        topic: With its domain where the list is not grouped by domains.
        sources: How many there are.
        replaced: How many it stands in the place of; empty for none.
        warning: What is to be known of it; empty for nothing.
        superseded: Since when another one stands in its place; empty for one that stands.
        confidence: 0 to 1.
        spoken: Read aloud after its text.
    """

    id: str
    text: str
    topic: str
    sources: str
    replaced: str
    warning: str
    superseded: str
    confidence: float
    spoken: str


@dataclass(frozen=True, slots=True)
class FactHeading:
    """A line above a group of facts; the first one names the column at the right."""

    id: str
    text: str
    count: str
    is_first: bool


AnyFactRow = FactHeading | FactRow


@dataclass(frozen=True, slots=True)
class DomainRow:
    """One domain, or all of them."""

    id: str
    text: str
    count: str
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class FactsWanted:
    """What the person wants to see.

    Attributes:
        text: What is looked for; empty for everything.
        query: Which of them, in which order, and how many.
    """

    text: str = ""
    query: FactQuery = FactQuery(limit=AT_ONCE)

    @property
    def is_grouped(self) -> bool:
        """Whether rows stand below their domains."""
        return not self.text and self.query.sort is FactSort.DOMAIN


@dataclass(frozen=True, slots=True)
class FactsContent:
    """Everything that the list shows.

    Attributes:
        wanted: What was asked for.
        shown: In their order.
        total: How many there would be.
        now: When this was so.
    """

    wanted: FactsWanted
    domains: tuple[DomainView, ...]
    shown: tuple[FactView, ...]
    total: int
    now: datetime

    @property
    def n_facts(self) -> int:
        """How many there are in all domains."""
        return sum(one.n_facts for one in self.domains)

    def view(self, fact_id: str) -> FactView | None:
        """The fact with this id, if it is in the list."""
        return next((one for one in self.shown if one.fact.memory.id == fact_id), None)


@dataclass(frozen=True, slots=True)
class FactDetail:
    """What is read of the one in the inspector.

    Attributes:
        id: Of its memory.
        chain: It and what it replaced or was replaced by, the newest first.
        others: Facts of its topic that say otherwise.
        rules: House rules that rest on it.
    """

    id: str
    chain: tuple[FactView, ...]
    others: tuple[Fact, ...] = ()
    rules: tuple[PolicyView, ...] = ()


@dataclass(frozen=True, slots=True)
class FactValues:
    """What a fact has besides its text, as it stands in the inspector."""

    confidence: float
    topic: str
    chapters: Chapters

    @property
    def story(self) -> StoryInterval | None:
        """In which chapters it holds; None where what is typed holds none."""
        return story_of(self.chapters)

    @property
    def is_sound(self) -> bool:
        """Whether it can be kept."""
        return bool(self.topic.strip()) and self.story is not None


def values_of(fact: Fact) -> FactValues:
    """What a fact has besides its text."""
    details = fact.details
    return FactValues(details.confidence, fact.memory.topic, chapters_of(details.story))


def read_facts(inklings: Inklings, here: str, wanted: FactsWanted) -> FactsContent:
    """Read what the list shows; runs on a reader."""
    domains, query = inklings.domains.list(here), wanted.query
    if wanted.text:
        sought = FactSearch(
            wanted.text,
            query.domain,
            query.topic,
            history=query.with_superseded,
            limit=MOST_FOUND,
        )
        hits = inklings.facts.search(here, sought)
        shown = tuple(
            one.view for one in hits if not query.states or one.view.state in query.states
        )
        return FactsContent(wanted, domains, shown, len(shown), inklings.clock())
    found = inklings.facts.list(here, query)
    return FactsContent(wanted, domains, found.facts, found.total, inklings.clock())


def read_detail(inklings: Inklings, view: FactView) -> FactDetail:
    """Read what the inspector shows besides the fact; runs on a reader."""
    memory, facts = view.fact.memory, inklings.facts
    same_file = (replace(memory.ref, id=one) for one in view.disagrees_with)
    others = tuple(facts.show(ref).fact for ref in same_file)
    rules = tuple(
        rule
        for rule in inklings.policies.list(memory.scope.workspace_id or "")
        if any(one.reference == memory.id for one in rule.observations)
    )
    return FactDetail(memory.id, facts.chain(memory.ref)[::-1], others, rules)


# -- rows -----------------------------------------------------------------------------------------


def fact_rows(content: FactsContent) -> tuple[AnyFactRow, ...]:
    """The list, with a line above each group."""
    wanted = content.wanted
    rows: list[AnyFactRow] = []
    title = tr("Best match first") if wanted.text else sorts()[wanted.query.sort]
    groups = groupby(content.shown, lambda one: one.fact.domain if wanted.is_grouped else title)
    for name, views in groups:
        of_it = [_row(one, content) for one in views]
        count = grouped(len(of_it) if wanted.is_grouped else content.total)
        rows += [FactHeading(f"heading {name}", name, count, not rows), *of_it]
    return tuple(rows)


def _row(view: FactView, content: FactsContent) -> FactRow:
    memory, state = view.fact.memory, view.state
    n_sources, n_replaced = len(view.observations), view.n_replaced
    sources = counted(n_sources, "1 source", "{n} sources") if n_sources else ""
    replaced = counted(n_replaced, "replaces 1", "replaces {n}") if n_replaced else ""
    superseded = ""
    if state is FactState.SUPERSEDED and memory.forgotten_at is not None:
        age = age_label(memory.forgotten_at, content.now)
        superseded = tr("superseded {age}").format(age=age)
    warning, figure = state_word(state), confidence_figure(view.fact)
    sure = tr("confidence {figure} {word}").format(figure=figure, word=confidence_word(view.fact))
    said = (view.fact.domain, memory.topic, sure, sources, replaced, warning, superseded)
    return FactRow(
        memory.id,
        excerpt(memory.content),
        memory.topic if content.wanted.is_grouped else place_words(view.fact),
        sources,
        replaced,
        warning,
        superseded,
        view.fact.details.confidence,
        ", ".join(filter(None, said)),
    )


def domain_rows(content: FactsContent) -> tuple[DomainRow, ...]:
    """All of them, then each domain that is in use or holds something."""
    rows = [DomainRow(_ALL, tr("All"), grouped(content.n_facts))]
    for one in content.domains:
        if one.domain.archived_at is None or one.n_facts:
            name, count = one.domain.name, grouped(one.n_facts)
            rows.append(DomainRow(name, name, count, one.domain.is_closed))
    return tuple(rows)


_ALL = "\0"
"""Key of the row of all domains; no name of a domain has such a character."""


def domain_key(name: str) -> str:
    """Key of a domain's row; of that of all for an empty name."""
    return name or _ALL


def domain_of(key: str) -> str:
    """The name that a row stands for; empty for all."""
    return "" if key == _ALL else key


# -- words ----------------------------------------------------------------------------------------


def confidence_figure(fact: Fact) -> str:
    """How sure, with two places."""
    return decimal(fact.details.confidence, 2)


def confidence_word(fact: Fact) -> str:
    """How sure, in a word."""
    return sure_word(fact.details.confidence)


def sure_word(confidence: float) -> str:
    """A figure from 0 to 1 as a word."""
    if confidence >= SETTLED_FROM:
        return tr("settled")
    return tr("likely") if confidence >= LIKELY_FROM else tr("a guess")


def sure_role(confidence: float) -> str:
    """Colour role of such a figure."""
    return "accent" if confidence >= LIKELY_FROM else "ochre"


def sorts() -> dict[FactSort, str]:
    """The orders of the list."""
    return {
        FactSort.DOMAIN: tr("By domain"),
        FactSort.CONFIDENCE: tr("By confidence"),
        FactSort.NEWEST: tr("Newest first"),
    }


def place_words(fact: Fact) -> str:
    """Where a fact is kept: *timeline, flood*."""
    return f"{fact.domain}, {fact.memory.topic}"


def state_word(state: FactState) -> str:
    """What is to be known of a fact; empty for one that stands."""
    return {
        FactState.DISAGREES: tr("disagrees with another"),
        FactState.SOURCE_CHANGED: tr("check source"),
        FactState.UNSUPPORTED: tr("sources gone"),
        FactState.FORGOTTEN: tr("forgotten"),
    }.get(state, "")


def story_words(story: StoryInterval) -> str:
    """In which chapters a fact holds; empty for all."""
    first, until = story.first, story.until
    if first is not None and until is not None:
        return tr("From chapter {first}, until chapter {until}").format(first=first, until=until)
    if first is not None:
        return tr("From chapter {first}").format(first=first)
    return "" if until is None else tr("Until chapter {until}").format(until=until)


def names_of(content: FactsContent | None) -> tuple[str, ...]:
    """Names of domains that something can be written in."""
    domains = content.domains if content is not None else ()
    return tuple(one.domain.name for one in domains if one.domain.archived_at is None)
