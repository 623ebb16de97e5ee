"""Export and import over a real store, offscreen, without the window around them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QDialog, QMainWindow
from qasync import QEventLoop

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.words.places import Surroundings
from inklings_desktop.ui.transfer.transfer import Transfer
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.stopwatch import DEADLINE_SECONDS, until
from tests.ui.page_bench import a_context
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from typing import TypeVar

    from inklings_desktop.ui.transfer.import_dialog import ImportDialog
    from tests.ui.page_bench import SaidToWindow
    from tests.ui.presenter_bench import Bench

    D = TypeVar("D", bound=QDialog)

MINE = ("The harbour glass hums", "Moonlight is permitted twice")
THEIRS = "Moonlight is permitted three times"


@dataclass(frozen=True)
class TransferBench:
    """Export and import, while a test drives them."""

    transfer: Transfer
    said: SaidToWindow
    bench: Bench
    window: QMainWindow

    def texts(self) -> set[str]:
        """What is remembered."""
        inklings = self.bench.inklings
        page = inklings.listing.browse([self.bench.scope], limit=100)
        return {one.content for one in page.entries}

    def shown(self, kind: type[D]) -> list[D]:
        """The dialogs of a kind that are on show."""
        return [one for one in self.window.findChildren(kind) if one.isVisible()]

    async def dialog(self, kind: type[D]) -> D:
        """The dialog of a kind, once it is on show."""
        await self.until(lambda: bool(self.shown(kind)))
        return self.shown(kind)[0]

    async def preview(self, path: Path) -> ImportDialog:
        """What importing a file would do, once that is on show."""
        self.transfer.open_files(path)
        await self.until(lambda: self.transfer.dialog is not None, seconds=60.0)
        assert self.transfer.dialog is not None
        return self.transfer.dialog

    async def a_file(self, path: Path) -> Path:
        """What was exported, with one text changed, one new row and one that is none."""
        workspaces = (self.bench.workspace.id,)
        await self.transfer.exports.write(ExportRequest(workspaces=workspaces), path)
        changed(path)
        return path

    async def until(self, condition: Callable[[], bool], *, seconds: float | None = None) -> None:
        """Wait until something holds."""
        await until(
            condition, seconds=seconds or DEADLINE_SECONDS, told=lambda: f"{self.said.messages}"
        )


def my_memories(bench: Bench) -> None:
    """Two of the open workspace."""
    for text in MINE:
        bench.put(text)


def changed(path: Path) -> None:
    """Another text, a row more, and one that is none."""
    document = json.loads(path.read_text(encoding="utf-8"))
    rows = document["workspaces"][0]["memories"]
    by_text = {row["content"]: row for row in rows}
    by_text[MINE[1]]["content"] = THEIRS
    rows.append(rows[0] | {"id": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "content": "Bea reads"})
    rows.append(rows[0] | {"id": "0" * 8 + "-0000-4000-8000-" + "1" * 12, "content": " "})
    path.write_text(json.dumps(document), encoding="utf-8")


def drive(
    root: Path,
    prepare: Callable[[Bench], None],
    action: Callable[[TransferBench], Awaitable[None]],
) -> None:
    """Offer export and import over a prepared store, let the test act, close everything."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted(bench: Bench) -> None:
        background = Background(bugs.append)
        window = QMainWindow()
        window.resize(1440, 900)
        window.show()
        context, said, unsubscribe = a_context(background, bench.inklings, theme, window)
        inklings = bench.inklings
        counts = inklings.listing.count(bench.workspace.id)
        said.here = Surroundings(bench.workspace, (bench.workspace,), (), (), counts)
        try:
            await action(TransferBench(Transfer(context, window), said, bench, window))
        finally:
            unsubscribe()
            window.hide()
            await background.close()
            window.deleteLater()
            await asyncio.sleep(0)

    with a_bench(root) as bench:
        prepare(bench)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(acted(bench))
    assert not bugs, bugs
