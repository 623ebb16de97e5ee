"""Export and import: the questions, the preview, and what is said of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.transfer.document import MAX_FILE_BYTES
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportStatus,
)
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.transfer.export_choices import MARKDOWN
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from inklings_desktop.ui.transfer.exports import Exports
from inklings_desktop.usecases.transfer import exporting
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.ui.presenter_bench import Bench
from tests.ui.transfer_bench import MINE, TransferBench, drive, my_memories

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_tier_is_exported_through_the_same_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tier.md"

    async def asked(*_args: object) -> Path:
        return file

    monkeypatch.setattr(Exports, "asked_path", asked)

    def with_preferences(bench: Bench) -> None:
        my_memories(bench)
        bench.put("Prefers the Oxford comma.", scope=ScopeKey.account())

    async def scene(bench: TransferBench) -> None:
        bench.transfer.exports.ask_tier(Tier.ACCOUNT)
        dialog = await bench.dialog(ExportDialog)
        assert dialog.windowTitle() == "Export the Account tier"
        dialog.reject()
        await bench.until(lambda: not bench.transfer.exports.is_busy)
        assert not file.exists()
        bench.transfer.exports.ask_tier(Tier.ACCOUNT)
        dialog = await bench.dialog(ExportDialog)
        dialog.what.choose(MARKDOWN)
        dialog.confirm.click()
        await bench.until(file.exists)
        text = file.read_text(encoding="utf-8")
        assert "## Account\n\n- Prefers the Oxford comma.\n" in text
        assert not any(one in text for one in MINE)

    drive(tmp_path / "root", with_preferences, scene)


def test_escape_leaves_everything_as_it_is(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(await bench.a_file(tmp_path / "x.json"))
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert bench.transfer.dialog is None
        assert bench.texts() == set(MINE)
        assert bench.bench.inklings.transfer.list_imports(bench.bench.workspace.id) == ()

    drive(tmp_path / "root", my_memories, scene)


def test_a_bad_file_is_answered_by_a_sentence(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        for text in (
            "no json",
            '{"format": "inklings-export"',
            '{"format": "inklings-export", "schema_version": 3}',
        ):
            path = tmp_path / "bad.json"
            path.write_text(text)
            bench.transfer.open_files(path)
            count = len(bench.said.messages)
            await bench.until(lambda count=count: len(bench.said.messages) > count)  # type: ignore[misc]
            await bench.until(lambda: not bench.transfer.exports.is_busy)
        assert [one.title for one in bench.said.messages] == [
            "Inklings can\u2019t read this file",
            "This file is not an Inklings export",
            "This export uses schema version 3; this version reads 2.",
        ]
        assert bench.transfer.dialog is None

    drive(tmp_path / "root", my_memories, scene)


def test_a_fault_inside_a_file_is_said_in_words_with_its_place(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        path = await bench.a_file(tmp_path / "x.json")
        document = json.loads(path.read_text(encoding="utf-8"))
        document["workspaces"][0]["memories"][0]["tags"] = "one"
        path.write_text(json.dumps(document), encoding="utf-8")
        bench.transfer.open_files(path)
        await bench.until(lambda: bool(bench.said.messages))
        where = "workspaces 1, memories 1, tags"
        assert [one.text for one in bench.said.messages] == [
            f"A value has the wrong type ({where}). Nothing was changed."
        ]

    drive(tmp_path / "root", my_memories, scene)


def test_a_file_of_the_persons_own_is_not_called_the_database(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        bench.transfer.open_files(tmp_path / "gone.json")
        await bench.until(lambda: bool(bench.said.messages))
        request = ExportRequest(workspaces=(bench.bench.workspace.id,))
        nowhere = tmp_path / "no folder" / "x.json"
        bench.transfer.spawn(bench.transfer.exports.write(request, nowhere))
        await bench.until(lambda: len(bench.said.messages) == 2)
        assert [one.title for one in bench.said.messages] == [
            "This file could not be read",
            "This file could not be written",
        ]

    drive(tmp_path / "root", my_memories, scene)


def test_an_export_that_could_not_come_back_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "MAX_FILE_BYTES", 100)

    async def scene(bench: TransferBench) -> None:
        request = ExportRequest(workspaces=(bench.bench.workspace.id,))
        await bench.transfer.exports.write(request, tmp_path / "x.json")
        assert [one.title for one in bench.said.messages] == [
            "This export is too large to come back"
        ]

    drive(tmp_path / "root", my_memories, scene)


@pytest.mark.parametrize("replaces", [True, False])
def test_a_file_that_gets_its_ending_is_not_written_over_unasked(
    tmp_path: Path, *, replaces: bool
) -> None:
    there = tmp_path / "notes.v2.inklings.json"
    there.write_text("mine", encoding="utf-8")

    async def scene(bench: TransferBench) -> None:
        bench.transfer.exports.ask()
        (await bench.dialog(ExportDialog)).confirm.click()
        files = await bench.dialog(QFileDialog)
        field = files.findChild(QLineEdit)
        assert field is not None
        assert field.text() == "Saltglass.inklings.json"
        field.setText(str(tmp_path / "notes.v2"))
        files.accept()
        asked = await bench.dialog(ConfirmDialog)
        assert asked.windowTitle() == f"Replace {there.name}?"
        if replaces:
            asked.confirm.click()
            await bench.until(lambda: size_of(there) > len("mine"))
        else:
            asked.reject()
            await bench.until(lambda: not bench.transfer.exports.is_busy)
            assert size_of(there) == len("mine")

    drive(tmp_path / "root", my_memories, scene)


def test_an_ending_that_was_typed_is_not_doubled(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        bench.transfer.exports.ask()
        (await bench.dialog(ExportDialog)).confirm.click()
        files = await bench.dialog(QFileDialog)
        field = files.findChild(QLineEdit)
        assert field is not None
        field.setText(str(tmp_path / "out.json"))
        files.accept()
        await bench.until((tmp_path / "out.inklings.json").exists)

    drive(tmp_path / "root", my_memories, scene)


def size_of(path: Path) -> int:
    return path.stat().st_size


def test_a_preview_that_is_out_of_date_is_made_again(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(await bench.a_file(tmp_path / "x.json"))
        bench.bench.put("bea reads")
        dialog.confirm.click()
        await bench.until(lambda: not dialog.problem.isHidden())
        await bench.until(lambda: dialog.confirm.text() == "Import 0")
        assert "Memory changed since this preview was made" in dialog.problem.accessibleName()
        assert not dialog.confirm.isEnabled()
        assert bench.transfer.dialog is dialog

    drive(tmp_path / "root", my_memories, scene)


def test_what_was_decided_stays_decided_where_its_row_is_the_same(tmp_path: Path) -> None:
    async def decide(bench: TransferBench) -> None:
        transfer = bench.transfer
        dialog = await bench.preview(await bench.a_file(tmp_path / "x.json"))
        state = transfer.state
        assert state is not None
        (conflict,) = state.file.by_status[ImportStatus.CONFLICT]
        (new,) = state.file.by_status[ImportStatus.NEW]
        transfer.decide(conflict.number, Decision.TAKE)
        bench.bench.put("bea reads")
        dialog.confirm.click()
        await bench.until(lambda: not dialog.problem.isHidden())
        await bench.until(lambda: dialog.confirm.text() == "Import 1")
        state = transfer.state
        assert state is not None
        chosen = state.chosen
        assert chosen[conflict.number] is Decision.TAKE
        assert chosen[new.number] is Decision.KEEP, "it meets something here now"

    drive(tmp_path / "root", my_memories, decide)


def test_what_does_not_fit_is_said_in_the_preview(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "settings.toml").write_text("[memory]\ncap = 3\n", encoding="utf-8")

    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(await bench.a_file(tmp_path / "x.json"))
        state = bench.transfer.state
        assert state is not None
        assert dialog.confirm.isEnabled()
        assert dialog.problem.isHidden()
        conflict = state.file.by_status[ImportStatus.CONFLICT][0].number
        bench.transfer.decide(conflict, Decision.BOTH)
        assert (dialog.confirm.text(), dialog.confirm.isEnabled()) == ("Import 2", False)
        assert dialog.problem.accessibleName() == (
            "Workspace: there is no room for all of this. It would have 4 memories; 3 is the most. "
            "Leave 1 row out, or forget as many there first."
        )
        assert not await bench.transfer.apply()
        bench.transfer.decide(conflict, Decision.TAKE)
        assert dialog.confirm.isEnabled(), "what takes the place of mine takes no room"
        assert dialog.problem.isHidden()

    drive(root, my_memories, scene)


def test_a_file_above_the_size_is_refused_when_it_is_picked(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as handle:
        handle.truncate(MAX_FILE_BYTES + 1)

    async def scene(bench: TransferBench) -> None:
        bench.transfer.open_files(file)
        await bench.until(lambda: bool(bench.said.messages))
        assert [(one.title, one.text) for one in bench.said.messages] == [
            (
                "This is more than 50 MiB",
                "Nothing was changed. Bring it in parts, or export it without vectors.",
            )
        ]
        assert bench.transfer.dialog is None

    drive(tmp_path / "root", my_memories, scene)


def test_boxes_keys_and_clicks_decide(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(await bench.a_file(tmp_path / "x.json"))
        state = bench.transfer.state
        assert state is not None
        duplicate, conflict, new, refused = (row.number for row in state.preview.rows)
        for number, wanted in ((duplicate, Decision.BOTH), (conflict, Decision.BOTH)):
            bench.transfer.toggle(number)
            assert bench.transfer.state is not None
            assert bench.transfer.state.chosen[number] is wanted
        assert dialog.confirm.text() == "Import 3"
        QTest.keyClick(dialog.head, Qt.Key.Key_Space)
        assert (dialog.confirm.text(), dialog.confirm.isEnabled()) == ("Import 0", False)
        bench.transfer.decide(new, Decision.BOTH)
        assert dialog.confirm.isEnabled()
        rect = dialog.list.visualRect(dialog.list.model().index(3, 0))
        rect.setWidth(70)
        QTest.mouseClick(
            dialog.list.viewport(),
            Qt.MouseButton.LeftButton,
            pos=rect.center(),
        )
        line = dialog.list.lines[3]
        assert (line.number, line.can_check, line.is_checked) == (refused, False, False)
        box = dialog.list.visualRect(dialog.list.model().index(2, 0))
        box.setWidth(70)
        QTest.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
        assert not dialog.list.lines[2].is_checked
        twice = QMouseEvent(
            QEvent.Type.MouseButtonDblClick,
            QPointF(box.center()),
            QPointF(dialog.list.viewport().mapToGlobal(box.center())),
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(dialog.list.viewport(), twice)
        assert dialog.list.lines[2].is_checked, "two quick clicks are two"

    drive(tmp_path / "root", my_memories, scene)
