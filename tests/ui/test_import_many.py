"""An import of many rows: decided at once, left while it is read, moved through without a wait."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from uuid import UUID

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.transfer.import_plan import Decision, ImportStatus
from inklings_desktop.ui.transfer import transfer as transfer_module
from inklings_desktop.ui.transfer.import_dialog import ImportDialog, ReadingDialog
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.stopwatch import HANG_SECONDS, SLOWNESS, Stopwatch
from tests.ui.presenter_bench import Bench
from tests.ui.transfer_bench import TransferBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

MINE = ("The harbour glass hums", "Moonlight is permitted twice", "Bea reads at noon")
N_MANY = 4_000
MOST_SECONDS = 0.35 * SLOWNESS
"""For one key among N_MANY rows on a shared machine; it took a second for every key once."""


def my_memories(bench: Bench) -> None:
    for text in MINE:
        bench.put(text)


def with_more(path: Path, n_new: int) -> None:
    """Every text of mine gets another word, and new rows follow."""
    document = json.loads(path.read_text(encoding="utf-8"))
    rows = document["workspaces"][0]["memories"]
    for row in rows:
        if row["content"] in MINE:
            row["content"] += " indeed"
    rows += [
        rows[0] | {"id": str(UUID(int=number, version=4)), "content": f"New row {number}"}
        for number in range(1, n_new + 1)
    ]
    path.write_text(json.dumps(document), encoding="utf-8")


async def preview(bench: TransferBench, path: Path, n_new: int = 1) -> ImportDialog:
    """A preview with three conflicts, ``n_new`` new rows and a duplicate in it."""
    bench.bench.put("Salt is currency")
    await bench.transfer.exports.write(ExportRequest(workspaces=(bench.bench.workspace.id,)), path)
    with_more(path, n_new)
    return await bench.preview(path)


def test_every_conflict_is_decided_at_once(tmp_path: Path) -> None:
    async def decide(bench: TransferBench) -> None:
        dialog = await preview(bench, tmp_path / "x.json")
        transfer = bench.transfer
        assert transfer.state is not None
        conflicts = [row.number for row in transfer.state.file.by_status[ImportStatus.CONFLICT]]
        assert len(conflicts) == 3
        assert dialog.conflicts.isVisible()
        written = []
        for action, decision in zip(
            dialog.conflicts_menu.actions(),
            (Decision.KEEP, Decision.TAKE, Decision.BOTH),
            strict=True,
        ):
            action.trigger()
            assert {transfer.state.chosen[one] for one in conflicts} == {decision}
            written.append(dialog.confirm.text())
        assert written == ["Import 1", "Import 4", "Import 4"]
        dialog.conflicts_menu.actions()[1].trigger()
        dialog.confirm.click()
        wanted = {*(f"{text} indeed" for text in MINE), "New row 1", "Salt is currency"}
        await bench.until(lambda: bench.texts() == wanted)

    drive(tmp_path / "root", my_memories, decide)


def test_the_box_of_the_head_ticks_what_is_on_show(tmp_path: Path) -> None:
    async def tick(bench: TransferBench) -> None:
        dialog = await preview(bench, tmp_path / "x.json")
        assert dialog.head.accessibleName() == "Every new row"
        dialog.chips[ImportStatus.CONFLICT].click()
        assert dialog.head.accessibleName() == "Every row on show"
        QTest.keyClick(dialog.head, Qt.Key.Key_Space)
        assert [line.chosen for line in dialog.list.lines] == ["both"] * 3
        assert dialog.confirm.text() == "Import 4"
        QTest.keyClick(dialog.head, Qt.Key.Key_Space)
        assert dialog.confirm.text() == "Import 1"
        dialog.chips[ImportStatus.REFUSED].click()
        assert dialog.head.focusPolicy() is Qt.FocusPolicy.NoFocus  # nothing there can be ticked
        QTest.keyClick(dialog.head, Qt.Key.Key_Space)
        assert dialog.confirm.text() == "Import 1"

    drive(tmp_path / "root", my_memories, tick)


def test_a_file_is_left_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer_module, "PATIENCE_SECONDS", 0.0)

    async def leave(bench: TransferBench) -> None:
        transfer, path = bench.transfer, tmp_path / "x.json"
        request = ExportRequest(workspaces=(bench.bench.workspace.id,))
        await transfer.exports.write(request, path)
        held, read = threading.Event(), path.read_bytes()
        files = bench.bench.inklings.parts.adapters().export_files

        def slow(*_args: object) -> bytes:
            held.wait(HANG_SECONDS)
            return read

        monkeypatch.setattr(type(files), "read", slow)
        transfer.open_files(path)
        dialog = await bench.dialog(ReadingDialog)
        assert dialog.windowTitle() == "Reading x.json\u2026"
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        held.set()
        await bench.until(lambda: not transfer.exports.is_busy)
        assert transfer.dialog is None
        assert not bench.said.messages
        monkeypatch.undo()
        transfer.open_files(path)  # the stop is not remembered
        await bench.until(lambda: transfer.dialog is not None)

    drive(tmp_path / "root", my_memories, leave)


def test_keys_move_and_decide_among_many_rows_without_a_wait(tmp_path: Path) -> None:
    async def move(bench: TransferBench) -> None:
        dialog = await preview(bench, tmp_path / "x.json", N_MANY)
        await asyncio.sleep(0)
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Space):
            watch = Stopwatch()
            QTest.keyClick(dialog.list, key)
            assert watch.seconds < MOST_SECONDS, key
        assert dialog.confirm.text() == f"Import {N_MANY - 1:,}"

    drive(tmp_path / "root", my_memories, move)
