"""What the Knowledge page asks, answered from facts that a test made up, and the page over it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from qasync import QEventLoop

from inklings_desktop.domain.knowledge.domains import Domain, Permission
from inklings_desktop.domain.knowledge.facts import (
    SUPERSEDED,
    Disagreement,
    Fact,
    FactDetails,
    FactState,
    FactView,
)
from inklings_desktop.domain.memory import MemoryKind, MemoryRef
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.knowledge.page import KnowledgePage
from inklings_desktop.ui.knowledge.view import FactList
from inklings_desktop.usecases.knowledge.values import (
    DomainView,
    FactDraft,
    FactHit,
    FactPatch,
    FactPut,
    FactQuery,
    FactSearch,
    FactSort,
    GrantMatrix,
    PolicyView,
)
from inklings_desktop.usecases.knowledge.values import (
    FactList as Facts,
)
from tests.support.builders import a_memory
from tests.support.stopwatch import until
from tests.ui.page_bench import SaidToWindow, a_context
from tests.ui.presenter_bench import Bench, a_bench

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SCENE_SECONDS = 30.0


def a_view(
    number: int,
    content: str,
    domain: str = "timeline",
    topic: str = "flood",
    confidence: float = 0.95,
    **said: Any,
) -> FactView:
    """A fact as the store shows it."""
    memory = replace(
        a_memory(content, memory_id=f"fact-{number}", sequence=number),
        kind=MemoryKind.FACT,
        domain_id=domain,
        topic=topic,
        created_at=NOW - timedelta(days=30 - number),
        **said.pop("memory", {}),
    )
    fact = Fact(memory, FactDetails(confidence), domain)
    return FactView(fact, said.pop("state", FactState.CURRENT), **said)


def superseded(view: FactView, by: str) -> FactView:
    """The same fact once another one took its place."""
    memory = replace(
        view.fact.memory,
        successor_id=by,
        forgotten_at=NOW - timedelta(days=2),
        forgotten_reason=SUPERSEDED,
    )
    return replace(view, fact=replace(view.fact, memory=memory), state=FactState.SUPERSEDED)


@dataclass
class FakeFacts:
    """Answers as ``inklings.facts`` does."""

    views: list[FactView] = field(default_factory=list)
    chains: dict[str, list[FactView]] = field(default_factory=dict)
    asked: list[tuple[Any, ...]] = field(default_factory=list)
    refusals: list[Exception] = field(default_factory=list)

    def by_id(self, fact_id: str) -> FactView:
        return next(one for one in self.views if one.fact.memory.id == fact_id)

    def list(self, _here: str, query: FactQuery) -> Facts:
        self.asked.append(("list", query))
        found = [
            one
            for one in self.views
            if (query.with_superseded or not one.fact.is_superseded)
            and query.domain in {"", one.fact.domain}
            and query.topic in {"", one.fact.memory.topic}
            and (not query.states or one.state in query.states)
        ]
        if query.sort is FactSort.CONFIDENCE:
            found.sort(key=lambda one: -one.fact.details.confidence)
        return Facts(tuple(found[: query.limit]), len(found))

    def search(self, _here: str, wanted: FactSearch) -> tuple[FactHit, ...]:
        self.asked.append(("search", wanted))
        found = [one for one in self.views if wanted.query in one.fact.memory.content]
        return tuple(FactHit(one, 1.0, None) for one in found)  # type: ignore[arg-type]

    def show(self, ref: MemoryRef) -> FactView:
        return self.by_id(ref.id)

    def chain(self, ref: MemoryRef) -> tuple[FactView, ...]:
        return tuple(self.chains.get(ref.id, [self.by_id(ref.id)]))

    def disagreements(self, _here: str) -> tuple[Disagreement, ...]:
        return tuple(
            Disagreement(one.fact, one.fact, None)  # type: ignore[arg-type]
            for one in self.views
            if one.disagrees_with
        )

    def put(self, _here: str, draft: FactDraft) -> FactPut:
        self.asked.append(("put", draft))
        if self.refusals:
            raise self.refusals.pop()
        made = a_view(90, draft.content, draft.domain, draft.topic, draft.confidence or 1.0)
        self.views.append(made)
        return FactPut(made.fact)

    def supersede(self, ref: MemoryRef, content: str, **said: Any) -> Fact:
        self.asked.append(("supersede", ref.id, content, said["reason"], said["story"]))
        old = self.by_id(ref.id)
        made = a_view(91, content, old.fact.domain, said["topic"], said["confidence"])
        self.views[self.views.index(old)] = superseded(old, made.fact.memory.id)
        self.views.append(replace(made, n_replaced=1))
        return made.fact

    def edit(self, ref: MemoryRef, patch: FactPatch, *, expected_version: int) -> Fact:
        self.asked.append(("edit", ref.id, patch, expected_version))
        old = self.by_id(ref.id)
        assert patch.confidence is not None
        topic = patch.topic or old.fact.memory.topic
        memory = replace(old.fact.memory, version=expected_version + 1, topic=topic)
        story = patch.story or old.fact.details.story
        fact = replace(old.fact, memory=memory, details=FactDetails(patch.confidence, story))
        self.views[self.views.index(old)] = replace(old, fact=fact)
        return fact

    def take_back(self, ref: MemoryRef) -> Fact:
        self.asked.append(("take back", ref.id))
        return self.views[0].fact

    def settle(self, holds: MemoryRef, other: MemoryRef) -> Fact:
        self.asked.append(("settle", holds.id, other.id))
        return self.by_id(holds.id).fact


@dataclass
class FakeDomains:
    """Answers as ``inklings.domains`` does."""

    facts: FakeFacts
    names: Sequence[str] = ()

    def list(self, _here: str) -> tuple[DomainView, ...]:
        views = [one.fact.domain for one in self.facts.views if not one.fact.is_superseded]
        return tuple(
            DomainView(
                Domain(name, name, "", False, "author", "person", NOW),
                views.count(name),
                0,
                Permission.WRITE,
            )
            for name in dict.fromkeys([*self.names, *(one.fact.domain for one in self.facts.views)])
        )

    def matrix(self, _here: str) -> GrantMatrix:
        return GrantMatrix((), (), {}, {})

    def named(self, _here: str, name: str) -> str:
        self.names = tuple(dict.fromkeys((*self.names, name)))
        return name


@dataclass
class FakePolicies:
    """Answers as ``inklings.policies`` does."""

    rules: tuple[PolicyView, ...] = ()

    def list(self, _here: str, _domain: str = "") -> tuple[PolicyView, ...]:
        return self.rules


class KnowledgeBench:
    """The page, while a test drives it."""

    def __init__(self, page: KnowledgePage, said: SaidToWindow, bench: Bench) -> None:
        self.page, self.view, self.said, self.bench = page, page.view, said, bench
        self.facts: FakeFacts = vars(bench.inklings)["facts"]
        self.tab = page.facts
        self.steps: list[Any] = []
        self.tab.answered.connect(self.steps.append)

    def named(self, name: str) -> Any:
        """A part of the page."""
        return self.view.findChild(QWidget, name)

    @property
    def rows(self) -> FactList:
        """The list of facts."""
        found = self.view.findChild(FactList)
        assert isinstance(found, FactList)
        return found

    def texts(self) -> list[str]:
        """What the rows of the list say."""
        return [one.text for one in self.rows.rows]


def play(
    root: Path,
    scene: Callable[[KnowledgeBench], Awaitable[None]],
    views: Sequence[FactView] = (),
    chains: dict[str, list[FactView]] | None = None,
    *,
    rules: tuple[PolicyView, ...] = (),
    width: int = 1212,
    look: SchemeChoice = SchemeChoice.LIGHT,
) -> None:
    """The page over a store until the scene ends, in a window of this width without the rail."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    bugs: list[BaseException] = []

    async def played() -> None:
        background = Background(bugs.append)
        theme = Theme(look, reduced_motion=True)
        theme.apply(app)
        window = QMainWindow()
        context, said, leave = a_context(background, inklings, theme, window)
        page = KnowledgePage(context, window)
        window.setCentralWidget(page.view)
        window.resize(width, 840)
        window.show()
        try:
            await page.open(bench.workspace.id)
            await until(lambda: page.facts.content is not None)
            driven = KnowledgeBench(page, said, replace(bench, inklings=inklings))
            await asyncio.wait_for(scene(driven), SCENE_SECONDS)
        finally:
            leave()
            await background.close()
            window.hide()
            window.deleteLater()

    with a_bench(root / "data") as bench, asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as r:
        inklings = replace(bench.inklings, parts=replace(bench.inklings.parts, clock=lambda: NOW))
        facts = FakeFacts(list(views), chains or {})
        vars(inklings).update(facts=facts, domains=FakeDomains(facts), policies=FakePolicies(rules))
        r.run(played())
    assert bugs == []
