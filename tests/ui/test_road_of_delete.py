"""The road of one act, from the key to the use case, is as short as its page says."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from types import FrameType
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from sqlalchemy import Engine, event

from inklings_desktop.ui.kit.ops.background import Background
from tests.architecture.contract_report import REPOSITORY
from tests.oracle.acts import at_rest
from tests.support.scenes import scene
from tests.ui.hands import at_the_list, stored, three
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
OURS = f"{REPOSITORY / 'inklings_desktop'}/"
PAGE = REPOSITORY / "docs" / "one-act-from-key-to-file.md"
MOST_HOPS, MOST_STATEMENTS = 8, 10
"""They only go down."""
_ROW = re.compile(r"^\| \d+ \| `(?P<file>[\w/.]+)` \| `(?P<function>[\w.]+)` \|", re.MULTILINE)

Hop = tuple[str, str]


def on_the_page() -> list[Hop]:
    """File and function of each step, as the page tells them."""
    return [(one["file"], one["function"]) for one in _ROW.finditer(PAGE.read_text("utf-8"))]


def at_work() -> list[Hop]:
    """Functions of this program that are at work on this thread, the outermost first."""
    found: list[Hop] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name, function = frame.f_code.co_filename, frame.f_code.co_qualname
        if name.startswith(OURS):
            found.append((name.removeprefix(OURS), function.partition(".<locals>")[0]))
        frame = frame.f_back
    return found[::-1]


class Recorder:
    """Keeps the statements and the way to each, over tasks and threads."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.ways: list[list[Hop]] = []
        self.statements: list[str] = []
        self._of_tasks: dict[Any, list[Hop]] = {}
        self._here = threading.local()
        spawn, submit = Background.spawn, ThreadPoolExecutor.submit

        def spawned(background: Background, action: Any, **named: Any) -> asyncio.Task[Any]:
            way = [*at_work(), ("ui/kit/ops/background.py", "Background.spawn")]
            task: asyncio.Task[Any] = spawn(background, action, **named)
            self._of_tasks[task] = way
            return task

        def submitted(pool: ThreadPoolExecutor, call: Callable[..., Any], *args: Any) -> Any:
            way = [*self._of_tasks.get(asyncio.current_task(), ()), *at_work()]

            def called() -> Any:
                self._here.way = way
                return call(*args)

            return submit(pool, called)

        patched.setattr(Background, "spawn", spawned)
        patched.setattr(ThreadPoolExecutor, "submit", submitted)

    def note(self, *told: Any) -> None:
        """A statement is about to be sent; called by the engine."""
        self.statements.append(told[2])
        self.ways.append([*getattr(self._here, "way", ()), *at_work()])

    def road(self) -> list[Hop]:
        """The way to the first statement that changes a memory, as far as to its use case."""
        sent = zip(self.statements, self.ways, strict=True)
        way = next(way for one, way in sent if one.startswith(("INSERT", "UPDATE")))
        cases = [hop for hop in way if hop[0].startswith("usecases/memories/")]
        return way[: way.index(cases[0]) + 1]


@scene(drive, three)
async def test_delete_goes_the_way_that_its_page_tells(
    bench: WindowBench, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_the_list(bench)
    recorder = Recorder(monkeypatch)
    event.listen(Engine, "before_cursor_execute", recorder.note)
    try:
        await at_rest(recorder.statements)
        recorder.statements.clear()
        recorder.ways.clear()
        QTest.keyClick(bench.window.page.table, Qt.Key.Key_Delete)
        await bench.until(lambda: len(bench.texts()) == 2)
        await at_rest(recorder.statements)
    finally:
        event.remove(Engine, "before_cursor_execute", recorder.note)
    assert len(stored(bench)) == 2
    assert recorder.road() == on_the_page()
    assert len(recorder.road()) <= MOST_HOPS
    assert len(recorder.statements) <= MOST_STATEMENTS, recorder.statements


def test_every_function_of_the_page_is_where_it_says() -> None:
    for file, function in on_the_page():
        found: Any = import_module(f"inklings_desktop.{file.removesuffix('.py').replace('/', '.')}")
        for name in function.split("."):
            found = getattr(found, name)
        assert callable(found)
