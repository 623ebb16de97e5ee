"""The preview stays true while somebody looks; late answers are dropped; looking is no reading."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from qasync import QEventLoop

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.page import page as keeping_up
from inklings_desktop.ui.kit.page.context import Context
from inklings_desktop.ui.kit.page.destinations import ToKnowledge, ToMemory
from inklings_desktop.ui.kit.words.places import Surroundings
from inklings_desktop.ui.turn import page as turn_page
from inklings_desktop.ui.turn.page import TurnPage
from inklings_desktop.ui.turn.rows import (
    SETTLED,
    CandidateRow,
    PreviewContent,
    SectionRow,
    preview_rows,
)
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from inklings_desktop.usecases.search.browse_memories import MemoryCounts
from tests.support.scenes import scene
from tests.support.stopwatch import SCENE_SECONDS, until
from tests.ui.entries_bench import a_window
from tests.ui.page_bench import SaidToWindow, a_context
from tests.ui.presenter_bench import Bench, a_bench

pytestmark = pytest.mark.usefixtures("qapp")


class Scene(TurnPage):
    """The page, with all that it showed."""

    def __init__(self, context: Context, parent: QWidget, bench: Bench, said: SaidToWindow) -> None:
        super().__init__(context, parent)
        self.bench, self.said = bench, said
        self.heard: list[PreviewContent] = []

    def show_content(self, content: PreviewContent) -> None:
        """Keep what is shown."""
        super().show_content(content)
        self.heard.append(content)

    def stand(self) -> None:
        """Preview the workspace of the bench, before any conversation."""
        world = self.bench.workspace
        self.show_surroundings(Surroundings(world, (world,), (), (), MemoryCounts()))

    @property
    def excerpts(self) -> list[str]:
        """The memories on show."""
        sections = self.heard[-1].sections
        return [row.excerpt for section in sections for row in section.candidates]


def play(root: Path, scene: Callable[[Scene], Awaitable[None]]) -> None:
    """A page that is looked at, over a store with one memory, until the scene ends."""
    bugs: list[BaseException] = []

    async def played(bench: Bench) -> None:
        background = Background(bugs.append)
        with a_window() as window:
            theme = Theme(SchemeChoice.LIGHT)
            context, said, unsubscribe = a_context(background, bench.inklings, theme, window)
            page = Scene(context, window, bench, said)
            window.setCentralWidget(page.view)
            try:
                await asyncio.wait_for(scene(page), SCENE_SECONDS)
            finally:
                unsubscribe()
                await background.close()

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    with a_bench(root) as bench:
        bench.put("Gulls keep accounts.")
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(played(bench))
    assert bugs == []


@scene(play)
async def test_building_counts_as_no_read(scene: Scene, /) -> None:
    bench = scene.bench
    entry = bench.put("The bell is saved for chapter 14.")
    scene.stand()
    scene.view.message.set_text("bell")
    await until(lambda: bool(scene.heard) and scene.heard[-1].request.message == "bell")
    assert scene.excerpts[0] == "The bell is saved for chapter 14."
    place = scene.place_of(entry.id)
    assert place is not None
    assert place.why.found[0].detail == "\u201cbell\u201d"
    assert place.why.found[1].rank == "not compared"
    scene.view.rebuild.click()
    await scene.settled()
    ref = MemoryRef(entry.scope, entry.id)
    stored = bench.inklings.listing.show(ref).entry
    assert (stored.access_count, stored.accessed_at) == (0, None)


@scene(play)
async def test_only_the_answer_to_the_latest_message_is_shown(scene: Scene, /) -> None:
    scene.stand()
    for text in ("g", "gu", "gul", "gulls"):
        scene.view.message.query_changed.emit(text)
    await scene.settled()
    assert [content.request.message for content in scene.heard] == ["gulls"]


def test_a_commit_is_seen_soon_and_one_elsewhere_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping_up, "COALESCE_MS", 5)

    async def look(scene: Scene) -> None:
        scene.stand()
        await scene.settled()
        elsewhere = ScopeKey.workspace("elsewhere")
        scene.on_changes(MemoryChanges("elsewhere", frozenset({elsewhere})))
        await asyncio.sleep(0.03)
        assert len(scene.heard) == 1
        chosen = scene.heard[0].sections[-2].candidates[0].id
        scene.view.table.select(chosen)
        scene.bench.put("Written meanwhile.")
        await until(lambda: "Written meanwhile." in scene.excerpts)
        assert scene.view.table.current_id() == chosen

    play(tmp_path, look)


@scene(play)
async def test_nothing_is_built_while_nobody_looks(scene: Scene, /) -> None:
    scene.view.hide()
    scene.stand()
    scene.on_changes(MemoryChanges(scene.workspace_id, frozenset({scene.bench.scope})))
    await asyncio.sleep(0.03)
    assert scene.heard == []
    scene.view.show()
    await scene.settled()
    assert scene.excerpts == ["Gulls keep accounts."]


@scene(play)
async def test_a_failure_is_said_and_what_stood_there_stays(
    scene: Scene, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.stand()
    await scene.settled()

    def busy(*_: object) -> None:
        raise DatabaseBusyError

    monkeypatch.setattr(scene, "read_content", busy)
    scene.refresh()
    await scene.settled()
    assert len(scene.said.messages) == 1
    assert scene.content is scene.heard[-1]


def test_what_a_person_asked_for_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    async def look(scene: Scene) -> None:
        monkeypatch.setattr(turn_page, "announce", lambda _source, text: told.append(text))
        scene.stand()
        await scene.settled()
        assert told == []
        scene.view.rebuild.click()
        await scene.settled()
        assert told == ["The preview is up to date."]

    play(tmp_path, look)


@scene(play)
async def test_the_memory_that_is_explained_can_be_opened_in_its_own_view(scene: Scene, /) -> None:
    scene.stand()
    await scene.settled()
    row = scene.heard[-1].sections[-2].candidates[0]
    scene.view.table.select(row.id)
    place = scene.view.pane.place
    assert place is not None
    assert place.entry.id == row.id
    scene.view.pane.edit.click()
    assert scene.said.ways == [ToMemory(place.entry)]


def test_rules_and_facts_are_rows_that_lead_to_where_they_are_settled(tmp_path: Path) -> None:
    async def shown(page: Scene) -> None:
        inklings, world = page.bench.inklings, page.bench.workspace.id
        page.stand()
        await until(lambda: bool(page.heard))
        before = preview_rows(page.heard[-1], ())
        assert SETTLED not in {row.id for row in before}
        inklings.domains.create(world, "Canon")
        inklings.facts.put(world, FactDraft("Canon", "Nerys", "Nerys is left-handed."))
        inklings.policies.put(world, PolicyDraft("Canon", "Never show magic.", always=True))
        await until(lambda: bool(page.heard[-1].document.settled.markdown))
        await until(lambda: "Nerys is left-handed." in page.heard[-1].document.settled.markdown)
        await until(lambda: "Never show magic." in page.heard[-1].document.settled.markdown)
        rows = preview_rows(page.heard[-1], ())
        (head,) = [row for row in rows if row.id == SETTLED]
        assert isinstance(head, SectionRow)
        assert head.detail == "1 house rule, 1 fact"
        told = [row for row in rows if isinstance(row, CandidateRow)][:2]
        assert [(row.phrase, row.excerpt, row.figure) for row in told] == [
            ("House rule, by the author:", "Never show magic.", "Canon"),
            ("Recorded as fact:", "Nerys is left-handed.", "1.00"),
        ]
        for row in told:
            page.view.table.memory_opened.emit(row.id)
        assert page.said.ways == [ToKnowledge(tab="grants"), ToKnowledge(told[1].id)]
        assert "Settled" in {one.name for one in page.heard[-1].budget.shares}

    play(tmp_path, shown)
