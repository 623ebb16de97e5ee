"""Export and import in the real window over a real store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

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
from inklings_desktop.ui.kit.look.veil import Scrim
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.scrub.state import ScrubStep
from inklings_desktop.ui.transfer.export_choices import MARKDOWN, WHOLE
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from inklings_desktop.ui.transfer.imports_dialog import ImportsDialog
from inklings_desktop.ui.transfer.transferring import TransferDesk
from inklings_desktop.usecases.transfer import exporting as transfer
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.ui.page_views import control_view
from tests.ui.test_scrub_desk import opened as scrub_opened
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeVar

    from PySide6.QtWidgets import QDialog

    from inklings_desktop.ui.transfer.import_dialog import ImportDialog
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

    D = TypeVar("D", bound=QDialog)

MINE = ("The harbour glass hums", "Moonlight is permitted twice")
THEIRS = "Moonlight is permitted three times"


def my_memories(bench: Bench) -> None:
    for text in MINE:
        bench.put(text)


def desk_of(bench: WindowBench) -> TransferDesk:
    assert bench.window.desks is not None
    return bench.window.desks.transfer


async def a_file(bench: WindowBench, path: Path) -> Path:
    """What the window exported, with one text changed, one new row and one that is none."""
    desk = desk_of(bench)
    assert await desk.export_to(ExportRequest(workspaces=(bench.bench.workspace.id,)), path)
    changed(path)
    return path


def changed(path: Path) -> None:
    """Another text, a row more, and one that is none."""
    document = json.loads(path.read_text(encoding="utf-8"))
    rows = document["workspaces"][0]["memories"]
    by_text = {row["content"]: row for row in rows}
    by_text[MINE[1]]["content"] = THEIRS
    rows.append(rows[0] | {"id": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "content": "Bea reads"})
    rows.append(rows[0] | {"id": "0" * 8 + "-0000-4000-8000-" + "1" * 12, "content": " "})
    path.write_text(json.dumps(document), encoding="utf-8")


async def opened(bench: WindowBench, path: Path) -> tuple[TransferDesk, ImportDialog]:
    desk = desk_of(bench)
    desk.open_file(await a_file(bench, path))
    await bench.until(lambda: desk.dialog is not None)
    assert desk.dialog is not None
    return desk, desk.dialog


def test_an_import_from_the_preview_to_the_way_back(tmp_path: Path, qapp: QApplication) -> None:
    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        desk, dialog = await opened(bench, tmp_path / "x.json")
        (scrim,) = [one for one in bench.window.findChildren(Scrim) if one.isVisible()]
        assert scrim.isVisible()
        assert [line.status for line in dialog.list.lines] == [
            "duplicate",
            "conflict",
            "new",
            "refused",
        ]
        assert dialog.confirm.text() == "Import 1"
        assert dialog.chips[ImportStatus.CONFLICT].accessibleName() == "Conflict 1"
        assert "permitted three times" in dialog.theirs.text.accessibleName()
        dialog.chips[ImportStatus.CONFLICT].click()
        assert [line.text for line in dialog.list.lines] == [THEIRS]
        QTest.keyClick(dialog.list, Qt.Key.Key_Right)
        assert dialog.list.lines[0].chosen == "take"
        assert dialog.confirm.text() == "Import 2"
        dialog.chips[None].click()
        assert len(dialog.list.lines) == 4
        dialog.confirm.click()
        await bench.until(lambda: desk.dialog is None)
        await bench.until(lambda: set(bench.texts()) == {MINE[0], THEIRS, "Bea reads"})
        assert not scrim.isVisible()
        await bench.until(lambda: not bench.window.page.toast.isHidden())
        assert bench.window.page.toast.accessibleName() == "Imported 2 rows"
        assert bench.window.menus["withdraw_import"].isEnabled()
        inklings, workspace = bench.bench.inklings, bench.bench.workspace
        assert len(inklings.list_backups(inklings.caller, workspace.id)) == 1
        assert bench.window.menus["undo"].text() == "Undo: Imported 2 rows"
        bench.window.menus["withdraw_import"].trigger()
        await bench.until(lambda: set(bench.texts()) == set(MINE))
        await bench.until(lambda: not bench.window.menus["withdraw_import"].isEnabled())
        assert not bench.window.menus["undo"].isEnabled(), "it was taken back already"

    drive(tmp_path / "root", my_memories, scene)


def test_an_import_is_one_step_of_undo(tmp_path: Path, qapp: QApplication) -> None:
    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        _desk, dialog = await opened(bench, tmp_path / "x.json")
        dialog.confirm.click()
        await bench.until(lambda: set(bench.texts()) == {*MINE, "Bea reads"})
        menus = bench.window.menus
        await bench.until(lambda: menus["undo"].text() == "Undo: Imported 1 row")
        menus["undo"].trigger()
        await bench.until(lambda: set(bench.texts()) == set(MINE))
        # Doing it again would need the file; nothing pretends that it can be.
        await bench.until(lambda: not menus["undo"].isEnabled())
        assert not menus["redo"].isEnabled()
        assert not menus["withdraw_import"].isEnabled()

    drive(tmp_path / "root", my_memories, scene)


async def exporting(bench: WindowBench) -> ExportDialog:
    """The question that is asked before a file is named."""

    def found() -> list[ExportDialog]:
        return [one for one in bench.window.findChildren(ExportDialog) if one.isVisible()]

    await bench.until(lambda: bool(found()))
    return found()[0]


@pytest.mark.parametrize("kind", [WHOLE, MARKDOWN])
def test_checked_memories_are_exported_alone(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    names: list[str] = []

    async def asked(_desk: TransferDesk, name: str, suffix: str) -> Path:
        names.append(name + suffix)
        return tmp_path / f"some{suffix}"

    monkeypatch.setattr(TransferDesk, "asked_path", asked)

    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        page, desk = bench.window.page, desk_of(bench)
        heard: list[str] = []
        desk.said.connect(heard.append)
        page.focus_list()
        QTest.keyClick(page.table, Qt.Key.Key_Space)
        assert page.bulk.export.isVisible()
        page.bulk.export.click()
        dialog = await exporting(bench)
        assert dialog.windowTitle() == "Export 1 memory"
        assert dialog.words == "1 memory with its history and its room. It can be imported again."
        assert "everything that is not selected" in dialog.choice.not_in_it
        dialog.vectors.setChecked(False)
        dialog.what.choose(kind)
        assert dialog.vectors.isVisible() == (kind == WHOLE)
        dialog.confirm.click()
        said = "Exported 1 memory to some.inklings.json" if kind == WHOLE else "Wrote some.md"
        await bench.until(lambda: heard[-1:] == [said])  # a slow disk is told of before
        suffix = ".inklings.json" if kind == WHOLE else ".md"
        assert names == [f"Saltglass selection{suffix}"]
        assert (
            len(bench.bench.inklings.list_exports(bench.bench.inklings.caller, bench.bench.scope))
            == 1
        ), "a scrub can name the file"

    drive(tmp_path / "root", my_memories, scene)
    if kind == MARKDOWN:
        text = (tmp_path / "some.md").read_text(encoding="utf-8")
        assert f"## Workspace\n\n- {MINE[1]}\n" in text
        assert MINE[0] not in text
        assert "VOICE" not in text
        return
    file = tmp_path / "some.inklings.json"
    (workspace,) = json.loads(file.read_text(encoding="utf-8"))["workspaces"]
    assert [row["content"] for row in workspace["memories"]] == [MINE[1]]
    assert workspace["named_entries"] == []


def test_a_tier_is_exported_through_the_same_question(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tier.md"

    async def asked(*_args: object) -> Path:
        return file

    monkeypatch.setattr(TransferDesk, "asked_path", asked)

    def with_preferences(bench: Bench) -> None:
        my_memories(bench)
        bench.put("Prefers the Oxford comma.", scope=ScopeKey.account())

    async def scene(bench: WindowBench) -> None:
        desk = desk_of(bench)
        desk.ask_export_tier(Tier.ACCOUNT)
        dialog = await exporting(bench)
        assert dialog.windowTitle() == "Export the Account tier"
        dialog.reject()
        await bench.until(lambda: not desk.is_busy)
        assert not file.exists()
        desk.ask_export_tier(Tier.ACCOUNT)
        dialog = await exporting(bench)
        dialog.what.choose(MARKDOWN)
        dialog.confirm.click()
        await bench.until(file.exists)
        text = file.read_text(encoding="utf-8")
        assert "## Account\n\n- Prefers the Oxford comma.\n" in text
        assert not any(one in text for one in MINE)

    drive(tmp_path / "root", with_preferences, scene)


def test_escape_leaves_everything_as_it_is(tmp_path: Path, qapp: QApplication) -> None:
    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        desk, dialog = await opened(bench, tmp_path / "x.json")
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert desk.dialog is None
        assert set(bench.texts()) == set(MINE)
        assert (
            bench.bench.inklings.list_imports(bench.bench.inklings.caller, bench.bench.workspace.id)
            == ()
        )

    drive(tmp_path / "root", my_memories, scene)


def test_a_bad_file_is_answered_by_a_sentence(tmp_path: Path, qapp: QApplication) -> None:
    async def scene(bench: WindowBench) -> None:
        said: list[str] = []
        desk = desk_of(bench)
        desk.message_raised.disconnect()
        desk.message_raised.connect(lambda message: said.append(message.title))
        for text in ("no json", '{"format": "inklings-export", "schema_version": 3}'):
            path = tmp_path / "bad.json"
            path.write_text(text)
            desk.open_file(path)
            count = len(said)
            await bench.until(lambda count=count: len(said) > count)  # type: ignore[misc]
            await bench.until(lambda: not desk.is_busy)
        assert said == [
            "This file is not an Inklings export",
            "This export uses schema version 3; this version reads 1.",
        ]
        assert desk.dialog is None

    drive(tmp_path / "root", my_memories, scene)


def test_a_fault_inside_a_file_is_said_in_words_with_its_place(
    tmp_path: Path, qapp: QApplication
) -> None:
    async def scene(bench: WindowBench) -> None:
        said: list[str] = []
        desk = desk_of(bench)
        path = await a_file(bench, tmp_path / "x.json")
        desk.message_raised.disconnect()
        desk.message_raised.connect(lambda message: said.append(message.text))
        document = json.loads(path.read_text(encoding="utf-8"))
        document["workspaces"][0]["memories"][0]["tags"] = "one"
        path.write_text(json.dumps(document), encoding="utf-8")
        desk.open_file(path)
        await bench.until(lambda: bool(said))
        where = "workspaces 1, memories 1, tags"
        assert said == [f"A value in it is of the wrong type ({where}). Nothing was changed."]

    drive(tmp_path / "root", my_memories, scene)


def test_a_file_of_the_persons_own_is_not_called_the_database(
    tmp_path: Path, qapp: QApplication
) -> None:
    async def scene(bench: WindowBench) -> None:
        said: list[str] = []
        desk = desk_of(bench)
        desk.message_raised.disconnect()
        desk.message_raised.connect(lambda message: said.append(message.title))
        desk.open_file(tmp_path / "gone.json")
        await bench.until(lambda: bool(said))
        request = ExportRequest(workspaces=(bench.bench.workspace.id,))
        assert not await desk.export_to(request, tmp_path / "no folder" / "x.json")
        assert said == ["This file could not be read", "This file could not be written"]

    drive(tmp_path / "root", my_memories, scene)


def test_an_export_that_could_not_come_back_says_so(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "MAX_FILE_BYTES", 100)

    async def scene(bench: WindowBench) -> None:
        said: list[str] = []
        desk = desk_of(bench)
        desk.message_raised.disconnect()
        desk.message_raised.connect(lambda message: said.append(message.title))
        request = ExportRequest(workspaces=(bench.bench.workspace.id,))
        assert await desk.export_to(request, tmp_path / "x.json")
        assert said == ["This export is too large to come back"]

    drive(tmp_path / "root", my_memories, scene)


@pytest.mark.parametrize("replaces", [True, False])
def test_a_file_that_gets_its_ending_is_not_written_over_unasked(
    tmp_path: Path, qapp: QApplication, *, replaces: bool
) -> None:
    there = tmp_path / "notes.v2.inklings.json"
    there.write_text("mine", encoding="utf-8")

    def shown(bench: WindowBench, kind: type[D]) -> list[D]:
        return [one for one in bench.window.findChildren(kind) if one.isVisible()]

    async def scene(bench: WindowBench) -> None:
        bench.window.menus["export"].trigger()
        await bench.until(lambda: bool(shown(bench, ExportDialog)))
        shown(bench, ExportDialog)[0].confirm.click()
        await bench.until(lambda: bool(shown(bench, QFileDialog)))
        files = shown(bench, QFileDialog)[0]
        field = files.findChild(QLineEdit)
        assert field is not None
        assert field.text() == "Saltglass.inklings.json"
        field.setText(str(tmp_path / "notes.v2"))
        files.accept()
        await bench.until(lambda: bool(shown(bench, ConfirmDialog)))
        asked = shown(bench, ConfirmDialog)[0]
        assert asked.windowTitle() == f"Replace {there.name}?"
        if replaces:
            asked.confirm.click()
            await bench.until(lambda: size_of(there) > len("mine"))
        else:
            asked.reject()
            await bench.until(lambda: not desk_of(bench).is_busy)
            assert size_of(there) == len("mine")

    drive(tmp_path / "root", my_memories, scene)


def size_of(path: Path) -> int:
    return path.stat().st_size


def test_a_preview_that_is_out_of_date_is_made_again(tmp_path: Path, qapp: QApplication) -> None:
    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        desk, dialog = await opened(bench, tmp_path / "x.json")
        bench.bench.put("bea reads")
        dialog.confirm.click()
        await bench.until(lambda: not dialog.problem.isHidden())
        await bench.until(lambda: dialog.confirm.text() == "Import 0")
        assert "Memory changed since this preview was made" in dialog.problem.accessibleName()
        assert not dialog.confirm.isEnabled()
        assert desk.dialog is dialog

    drive(tmp_path / "root", my_memories, scene)


def test_what_does_not_fit_is_said_in_the_preview(tmp_path: Path, qapp: QApplication) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "settings.toml").write_text("[memory]\ncap = 3\n", encoding="utf-8")

    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        desk, dialog = await opened(bench, tmp_path / "x.json")
        state = desk.presenter.state
        assert state is not None
        assert dialog.confirm.isEnabled()
        assert dialog.problem.isHidden()
        conflict = state.file.by_status[ImportStatus.CONFLICT][0].number
        desk.presenter.decide(conflict, Decision.BOTH)
        assert (dialog.confirm.text(), dialog.confirm.isEnabled()) == ("Import 2", False)
        assert dialog.problem.accessibleName() == (
            "Workspace: there is no room for all of this. It would hold 4 memories; 3 is the most. "
            "Leave 1 row out, or forget as many there first."
        )
        assert not await desk.presenter.apply()
        desk.presenter.decide(conflict, Decision.TAKE)
        assert dialog.confirm.isEnabled(), "what takes the place of mine takes no room"
        assert dialog.problem.isHidden()

    drive(root, my_memories, scene)


def test_a_file_above_the_size_is_refused_when_it_is_picked(
    tmp_path: Path, qapp: QApplication
) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as handle:
        handle.truncate(MAX_FILE_BYTES + 1)

    async def scene(bench: WindowBench) -> None:
        desk = desk_of(bench)
        said: list[tuple[str, str]] = []
        desk.message_raised.disconnect()
        desk.message_raised.connect(lambda message: said.append((message.title, message.text)))
        desk.open_file(file)
        await bench.until(lambda: bool(said))
        assert said == [
            (
                "This file is larger than 50 MiB",
                "Nothing was changed. Export it in parts, or without vectors.",
            )
        ]
        assert desk.dialog is None

    drive(tmp_path / "root", my_memories, scene)


def test_boxes_keys_and_clicks_decide(tmp_path: Path, qapp: QApplication) -> None:
    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        desk, dialog = await opened(bench, tmp_path / "x.json")
        state = desk.presenter.state
        assert state is not None
        duplicate, conflict, new, refused = (row.number for row in state.preview.rows)
        for number, wanted in ((duplicate, Decision.BOTH), (conflict, Decision.BOTH)):
            desk.presenter.toggle(number)
            assert desk.presenter.state is not None
            assert desk.presenter.state.chosen[number] is wanted
        assert dialog.confirm.text() == "Import 3"
        QTest.keyClick(dialog.head, Qt.Key.Key_Space)
        assert (dialog.confirm.text(), dialog.confirm.isEnabled()) == ("Import 0", False)
        desk.presenter.decide(new, Decision.BOTH)
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


def test_the_ways_in_are_in_the_menus(tmp_path: Path, qapp: QApplication) -> None:
    async def scene(bench: WindowBench) -> None:
        menus = bench.window.menus
        assert menus["import_file"].shortcut().toString() == "Ctrl+Shift+I"
        assert menus["export"].shortcut().toString() == "Ctrl+Shift+E"
        bench.window.show_page(CONTROL_PAGE)
        desks = bench.window.desks
        assert desks is not None
        await bench.until(lambda: desks.control is not None)
        assert desks.control is not None
        cards = desks.control.tiers.view.cards.values()
        await bench.until(lambda: all(card.export.isVisible() for card in cards))

    drive(tmp_path / "root", my_memories, scene)


def test_a_copy_is_saved_before_a_scrub_and_named_to_its_end(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "copy.inklings.json"

    async def asked(*_args: object) -> Path:
        return file

    monkeypatch.setattr(TransferDesk, "asked_path", asked)

    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        scrub, dialog = await scrub_opened(bench, Tier.WORKSPACE)
        dialog.scope_foot.count.click()
        await bench.until(lambda: scrub.state.step is ScrubStep.DRY_RUN)
        assert dialog.manifest_foot.save_copy.isEnabled()
        dialog.manifest_foot.save_copy.click()
        await bench.until(lambda: scrub.state.copy is not None)
        await bench.until(lambda: bool(scrub.state.exports))
        assert [one.path for one in scrub.state.exports] == [str(file)]
        assert dialog.manifest_foot.save_copy.text() == "Copy saved"
        dialog.manifest_foot.go_on.click()
        await bench.until(lambda: scrub.state.step is ScrubStep.CONFIRM)
        assert dialog.confirm._copy.text() == "copy.inklings.json, 2 memories, saved just now"
        manifest = scrub.state.manifest
        assert manifest is not None
        QTest.keyClicks(dialog.confirm.field, manifest.phrase)
        dialog.confirm.box.click()
        dialog.confirm_foot.execute.click()
        await bench.until(lambda: scrub.state.step is ScrubStep.RESULT, seconds=60)
        note = dialog.outcome.copy_note
        assert not note.isHidden()
        assert note.accessibleName().startswith("Your copy is at copy.inklings.json. Importing")
        dialog.outcome_foot.done.click()
        inklings = bench.bench.inklings
        preview = inklings.preview_import(inklings.caller, file)
        assert [row.status for row in preview.rows] == [ImportStatus.NEW] * 2

    drive(tmp_path / "root", my_memories, scene)


def test_an_earlier_import_is_taken_back_from_the_list(tmp_path: Path, qapp: QApplication) -> None:
    file = tmp_path / "x.json"

    def imported_before(bench: Bench) -> None:
        my_memories(bench)
        inklings = bench.inklings
        inklings.export_memory(
            inklings.caller, ExportRequest(workspaces=(bench.workspace.id,)), file
        )
        changed(file)
        preview = inklings.preview_import(inklings.caller, file)
        inklings.apply_import(inklings.caller, preview, {})

    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: set(bench.texts()) == {*MINE, "Bea reads"})
        bench.window.menus["imports"].trigger()
        await bench.until(lambda: bench.window.findChild(ImportsDialog) is not None)
        dialog = bench.window.findChild(ImportsDialog)
        assert isinstance(dialog, ImportsDialog)
        assert dialog.list.count() == 1
        assert dialog.list.item(0).text().endswith("1 added")
        dialog.confirm.click()
        await bench.until(lambda: set(bench.texts()) == set(MINE))
        toast = bench.window.page.toast
        await bench.until(lambda: toast.accessibleName().startswith("Took the import back"))

    drive(tmp_path / "root", imported_before, scene)


def test_the_control_plane_exports_everything_that_the_menu_does(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "to read.md"

    async def asked(*_args: object) -> Path:
        return file

    monkeypatch.setattr(TransferDesk, "asked_path", asked)

    async def scene(bench: WindowBench) -> None:
        bench.window.show_page(CONTROL_PAGE)
        page = control_view(bench.window)
        assert page is not None
        await bench.until(page.export.isVisible)
        page.export.click()
        await bench.until(lambda: bench.window.findChild(ExportDialog) is not None)
        dialog = bench.window.findChild(ExportDialog)
        assert isinstance(dialog, ExportDialog)
        dialog.what.choose(MARKDOWN)
        dialog.confirm.click()
        await bench.until(file.exists)
        text = file.read_text(encoding="utf-8")
        assert f"# {bench.bench.workspace.name}" in text
        assert all(f"- {one}" in text for one in MINE)

    drive(tmp_path / "root", my_memories, scene)
