"""What every page has from its base: late, failing, cancelled and reordered answers; keeping up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from qasync import QEventLoop

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops import change_bridge
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page import page as keeping_up
from inklings_desktop.ui.kit.page.context import Context
from inklings_desktop.ui.kit.page.page import Page
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.page_bench import SaidToWindow, a_context
from tests.ui.presenter_bench import a_bench

pytestmark = pytest.mark.usefixtures("qapp")

HERE, ELSEWHERE = "here", "elsewhere"
SCENE_SECONDS = 20.0


class Count(Page[str]):
    """Shows which workspace it read, and how often anything was read."""

    watches = About.ROOMS

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, QWidget(parent))
        self.n_read = 0
        self.shown: list[str] = []
        self.gates: dict[str, threading.Event] = {}
        self.is_refused = False

    def read_content(self) -> str:
        self.n_read += 1
        workspace_id = self.workspace_id
        if gate := self.gates.get(workspace_id):
            gate.wait(SCENE_SECONDS)
        if self.is_refused:
            raise DatabaseBusyError(None, "test")
        return f"{workspace_id} {self.n_read}"

    def show_content(self, content: str) -> None:
        self.shown.append(content)

    def look(self) -> None:
        """Somebody looks."""
        self.view.show()
        self.view.window().show()


def play(root: Path, scene: Callable[[Count, SaidToWindow], Awaitable[None]]) -> None:
    """A page over an opened store until the scene ends; nobody looks at it yet."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    bugs: list[BaseException] = []

    async def played() -> None:
        background = Background(bugs.append)
        window = QMainWindow()
        theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
        context, said, unsubscribe = a_context(background, bench.inklings, theme, window)
        page = Count(context, window)
        window.setCentralWidget(page.view)
        page.view.hide()
        try:
            await asyncio.wait_for(scene(page, said), SCENE_SECONDS)
        finally:
            for gate in page.gates.values():
                gate.set()
            unsubscribe()
            await background.close()
            window.hide()
            window.deleteLater()

    with a_bench(root) as bench, asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(played())
    assert bugs == []


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What changed falls due at once, and nothing grows old."""
    monkeypatch.setattr(keeping_up, "COALESCE_MS", 5)
    monkeypatch.setattr(change_bridge, "BURST_MS", 5)


@scene(play)
async def test_nothing_is_read_until_somebody_looks_and_then_once(
    page: Count, said: SaidToWindow, /
) -> None:
    await page.open(HERE)
    page.refresh()
    await page.settled()
    assert page.n_read == 0
    page.look()
    await until(lambda: page.shown == ["here 1"])
    page.view.hide()
    page.view.show()
    await asyncio.sleep(0.05)
    assert page.n_read == 1


@pytest.mark.usefixtures("soon")
@scene(play)
async def test_only_changes_of_the_kinds_watched_make_it_read_again(
    page: Count, said: SaidToWindow, /
) -> None:
    page.look()
    await page.open(HERE)
    for unwatched in (
        MemoryChanges(ELSEWHERE, rooms=True),
        MemoryChanges(HERE, clients=True, events=True, added=("m",)),
    ):
        page.context.feed.publish(unwatched)
        await asyncio.sleep(0.05)
    assert page.shown == ["here 1"]
    for number, watched in enumerate(
        (
            MemoryChanges(HERE, rooms=True),
            MemoryChanges(None, rooms=True),
            MemoryChanges(HERE, reload=True),
        ),
        start=2,
    ):
        page.context.feed.publish(watched)
        await until(lambda: page.shown[-1] == f"here {number}")  # noqa: B023 - awaited here


@pytest.mark.usefixtures("soon")
@scene(play)
async def test_many_changes_in_a_row_are_read_together_and_while_nobody_looks_not_at_all(
    page: Count, said: SaidToWindow, /
) -> None:
    page.look()
    await page.open(HERE)
    for _ in range(20):
        page.on_changes(MemoryChanges(HERE, rooms=True))
    await until(lambda: len(page.shown) == 2)
    page.view.hide()
    page.on_changes(MemoryChanges(HERE, rooms=True))
    await asyncio.sleep(0.05)
    assert page.n_read == 2
    page.view.show()
    await until(lambda: page.n_read == 3)


@scene(play)
async def test_a_late_answer_of_the_place_before_is_never_shown(
    page: Count, said: SaidToWindow, /
) -> None:
    page.gates[HERE] = threading.Event()
    page.look()
    opening = asyncio.ensure_future(page.open(HERE))
    await until(lambda: page.n_read == 1)
    await page.open(ELSEWHERE)
    assert page.shown == ["elsewhere 2"]
    page.gates[HERE].set()
    await opening
    await asyncio.sleep(0.05)
    assert page.shown == ["elsewhere 2"]
    assert page.content == "elsewhere 2"


@pytest.mark.usefixtures("soon")
@scene(play)
async def test_what_cannot_be_read_is_said_once_and_tried_again_when_somebody_looks(
    page: Count, said: SaidToWindow, /
) -> None:
    page.look()
    await page.open(HERE)
    page.is_refused = True
    page.refresh()
    await page.settled()
    assert (len(said.messages), page.content) == (1, "here 1")
    page.is_refused = False
    page.view.hide()
    page.view.show()
    await until(lambda: page.shown[-1] == "here 3")
    assert len(said.messages) == 1


@scene(play)
async def test_a_refused_command_is_said_and_what_is_on_show_is_read_again(
    page: Count, said: SaidToWindow, /, tmp_path: Path
) -> None:
    page.look()
    await page.open(HERE)
    order: list[int] = []

    def refuse() -> None:
        raise DatabaseBusyError(tmp_path, "test")

    first = asyncio.ensure_future(page.change(order.append, 1))
    second = asyncio.ensure_future(page.change(refuse))
    third = asyncio.ensure_future(page.change(order.append, 3))
    assert [await first, await second, await third] == [True, False, True]
    await page.settled()
    assert (order, len(said.messages)) == ([1, 3], 1)
    assert page.n_read >= 2


def test_an_error_that_nobody_caught_is_said_and_is_no_bug(tmp_path: Path) -> None:
    async def refused() -> None:
        raise DatabaseBusyError(tmp_path, "test")

    async def spawn(page: Count, said: SaidToWindow) -> None:
        page.spawn(refused())
        await until(lambda: len(said.messages) == 1)

    play(tmp_path, spawn)
