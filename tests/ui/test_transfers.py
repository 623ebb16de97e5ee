"""Export and import in the real window: its menus, its undo, its pages, its list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.transfer.import_plan import (
    ImportStatus,
)
from inklings_desktop.ui.kit.look.veil import Scrim
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.scrub.state import ScrubStep
from inklings_desktop.ui.transfer.export_choices import MARKDOWN, WHOLE
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from inklings_desktop.ui.transfer.exports import Exports
from inklings_desktop.ui.transfer.import_dialog import ImportDialog, ImportsDialog
from inklings_desktop.ui.transfer.transfer import Transfer
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.ui.page_views import control_view
from tests.ui.presenter_bench import Bench
from tests.ui.test_scrub_desk import opened as scrub_opened
from tests.ui.transfer_bench import MINE, THEIRS, changed, my_memories
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def transfer_of(bench: WindowBench) -> Transfer:
    assert bench.window.opened is not None
    return bench.window.opened.transfer


async def opened(bench: WindowBench, path: Path) -> tuple[Transfer, ImportDialog]:
    transfer = transfer_of(bench)
    await transfer.exports.write(ExportRequest(workspaces=(bench.bench.workspace.id,)), path)
    changed(path)
    transfer.open_files(path)
    await bench.until(lambda: transfer.dialog is not None)
    assert transfer.dialog is not None
    return transfer, transfer.dialog


def test_an_import_from_the_preview_to_the_way_back(tmp_path: Path) -> None:
    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        transfer, dialog = await opened(bench, tmp_path / "x.json")
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
        await bench.until(lambda: transfer.dialog is None)
        await bench.until(lambda: set(bench.texts()) == {MINE[0], THEIRS, "Bea reads"})
        assert not scrim.isVisible()
        await bench.until(lambda: not bench.window.page.toast.isHidden())
        assert bench.window.page.toast.accessibleName() == "Imported 2 rows"
        assert bench.window.menus["withdraw_import"].isEnabled()
        inklings, workspace = bench.bench.inklings, bench.bench.workspace
        assert len(inklings.keeping.list_backups(workspace.id)) == 1
        assert bench.window.menus["undo"].text() == "Undo: Imported 2 rows"
        bench.window.menus["withdraw_import"].trigger()
        await bench.until(lambda: set(bench.texts()) == set(MINE))
        await bench.until(lambda: not bench.window.menus["withdraw_import"].isEnabled())
        assert not bench.window.menus["undo"].isEnabled(), "it was taken back already"

    drive(tmp_path / "root", my_memories, scene)


def test_an_import_is_one_step_of_undo(tmp_path: Path) -> None:
    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        _transfer, dialog = await opened(bench, tmp_path / "x.json")
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    names: list[str] = []

    async def asked(_exports: Exports, name: str, suffix: str) -> Path:
        names.append(name + suffix)
        return tmp_path / f"some{suffix}"

    monkeypatch.setattr(Exports, "asked_path", asked)

    async def scene(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        page = bench.window.page
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
        # A slow disk is told of before.
        await bench.until(lambda: page.toast.accessibleName() == said)
        suffix = ".inklings.json" if kind == WHOLE else ".md"
        assert names == [f"Saltglass selection{suffix}"]
        assert len(bench.bench.inklings.transfer.list_exports(bench.bench.scope)) == 1, (
            "a scrub can name the file"
        )

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


def test_the_ways_in_are_in_the_menus(tmp_path: Path) -> None:
    async def scene(bench: WindowBench) -> None:
        menus = bench.window.menus
        assert menus["import_file"].shortcut().toString() == "Ctrl+Shift+I"
        assert menus["export"].shortcut().toString() == "Ctrl+Shift+E"
        bench.window.show_page(CONTROL_PAGE)
        opened_root = bench.window.opened
        assert opened_root is not None
        await bench.until(lambda: opened_root.control is not None)
        assert opened_root.control is not None
        cards = opened_root.control.tiers.view.cards.values()
        await bench.until(lambda: all(card.export.isVisible() for card in cards))

    drive(tmp_path / "root", my_memories, scene)


def test_a_copy_is_saved_before_a_scrub_and_named_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "copy.inklings.json"

    async def asked(*_args: object) -> Path:
        return file

    monkeypatch.setattr(Exports, "asked_path", asked)

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
        preview = inklings.transfer.preview_import(file)
        assert [row.status for row in preview.rows] == [ImportStatus.NEW] * 2

    drive(tmp_path / "root", my_memories, scene)


def test_an_earlier_import_is_taken_back_from_the_list(tmp_path: Path) -> None:
    file = tmp_path / "x.json"

    def imported_before(bench: Bench) -> None:
        my_memories(bench)
        inklings = bench.inklings
        inklings.transfer.export(ExportRequest(workspaces=(bench.workspace.id,)), file)
        changed(file)
        preview = inklings.transfer.preview_import(file)
        inklings.transfer.apply_import(preview, {})

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
        await bench.until(lambda: toast.accessibleName().startswith("Undone: an import of"))

    drive(tmp_path / "root", imported_before, scene)


def test_the_control_plane_exports_everything_that_the_menu_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "to read.md"

    async def asked(*_args: object) -> Path:
        return file

    monkeypatch.setattr(Exports, "asked_path", asked)

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
