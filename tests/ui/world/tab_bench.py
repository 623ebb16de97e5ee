"""A tab of the World page alone, over a real store with real pages beside it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from qasync import QEventLoop

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from tests.support.stopwatch import until
from tests.ui.page_bench import SaidToWindow, a_context
from tests.ui.presenter_bench import Bench, a_bench


class TabBench:
    """A tab, while a test drives it."""

    def __init__(self, tab: Any, said: SaidToWindow, bench: Bench) -> None:
        self.tab, self.view, self.said, self.bench = tab, tab.view, said, bench
        self.inklings, self.here = bench.inklings, bench.workspace.id
        self.done: list[Any] = []
        tab.answered.connect(self.done.append)

    def named(self, name: str) -> Any:
        """A part of the tab."""
        return self.view.findChild(QWidget, name)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Text and meta of each row; headings with their count."""
        rows = self.named(f"{self.tab.key}List").rows
        return [(one.text, getattr(one, "meta", "") or getattr(one, "detail", "")) for one in rows]


def save(page: Path, text: str) -> None:
    """Save a page as if it had been done an hour ago, so that it is settled."""
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")
    at = page.stat().st_mtime - 3600
    os.utime(page, (at, at))


def play(
    root: Path,
    kind: Callable[..., Any],
    prepare: Callable[[Bench, Path], Callable[[TabBench], Awaitable[None]]],
    *,
    width: int = 1220,
    scheme: SchemeChoice = SchemeChoice.LIGHT,
) -> None:
    """The tab in a window of this width.

    Args:
        root: What store and pages lie in.
        kind: Makes the tab.
        prepare: Writes what it is to show into the store and the folder of pages; the scene.
        width: Pixels.
        scheme: The look.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(scheme, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted(bench: Bench, scene: Callable[[TabBench], Awaitable[None]]) -> None:
        background = Background(bugs.append)
        window = QMainWindow()
        context, said, leave = a_context(background, bench.inklings, theme, window)
        tab = kind(context, window)
        window.setCentralWidget(tab.view)
        window.resize(width, 760)
        window.show()
        try:
            await tab.open(bench.workspace.id)
            await until(lambda: tab.content is not None)
            await scene(TabBench(tab, said, bench))
        finally:
            leave()
            await background.close()
            window.hide()
            window.deleteLater()

    with a_bench(root / "data") as bench:
        scene = prepare(bench, root / "pages")
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(acted(bench, scene))
    assert bugs == []
