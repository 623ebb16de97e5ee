"""Files of other programs in the import preview: what it says of them, and where they go."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.transfer.import_words import under_title
from tests.ui.presenter_bench import Bench
from tests.ui.transfer_bench import MINE, TransferBench, drive, my_memories

pytestmark = pytest.mark.usefixtures("qapp")

SAMPLES = Path(__file__).parents[1] / "data" / "imports"


def under(bench: TransferBench) -> str:
    assert bench.transfer.state is not None
    return under_title(bench.transfer.state)


def choices_of(menu: QMenu) -> dict[str, list[QAction]]:
    """The choices of a menu under the names of their groups."""
    named = {one.title(): one for one in menu.findChildren(QMenu)}
    return {name: one.actions() for name, one in named.items()}


def test_the_preview_says_how_a_file_is_read_and_what_stays_out(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(SAMPLES / "harbour.md")
        assert under(bench) == "harbour.md, Markdown: 5 memories. Nothing has changed yet."
        assert dialog.how.text() == (
            "Each paragraph and list item is one memory. "
            "Left out: 1 heading with nothing under it, 1 picture."
        )
        assert "Line 18: Not written yet" in dialog.how.toolTip()
        assert [one.under for one in dialog.list.lines][1:3] == [
            "Line 9, #The Wend Gate #Harbour #saltglass #places",
            "Line 12, #The Wend Gate #Harbour #saltglass #places",
        ]
        dialog.confirm.click()
        await bench.until(lambda: bench.transfer.dialog is None)
        assert "The Wend Gate: Ottoline keeps the ledger." in bench.texts()
        bench.transfer.withdraw()
        await bench.until(lambda: bench.texts() == set(MINE))

    drive(tmp_path / "root", my_memories, scene)


def test_a_row_that_cannot_come_in_names_its_line(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        file = tmp_path / "half.jsonl"
        file.write_text('{"content": "whole"}\n{"content": "\\ud83d"}\n')
        dialog = await bench.preview(file)
        refused = [one for one in dialog.list.lines if one.status == "refused"]
        assert [one.under for one in refused] == ["Line 2: it contains half a character"]
        assert not any(one.can_check for one in refused)

    drive(tmp_path / "root", my_memories, scene)


def test_memories_go_where_the_person_says(tmp_path: Path) -> None:
    def with_account(bench: Bench) -> None:
        my_memories(bench)
        bench.put("Address her as Ms Marsh.", scope=ScopeKey.account())

    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(SAMPLES / "chatgpt.txt")
        assert dialog.into.text() == bench.bench.workspace.name
        assert dialog.confirm.text() == "Import 3"
        account = next(one for one in dialog.menu.actions() if one.text() == "Account")
        account.trigger()
        await bench.until(lambda: dialog.into.text() == "Account")
        assert dialog.confirm.text() == "Import 2", "one of them is there already"
        dialog.confirm.click()
        await bench.until(lambda: bench.transfer.dialog is None)
        found = bench.bench.inklings.listing.browse([ScopeKey.account()]).entries
        assert len(found) == 3

    drive(tmp_path / "root", with_account, scene)


def test_a_folder_and_several_files_come_in_as_one(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        bench.transfer.open_files(SAMPLES / "notes", SAMPLES / "lines.txt")
        await bench.until(lambda: bench.transfer.dialog is not None)
        dialog = bench.transfer.dialog
        assert dialog is not None
        assert under(bench).startswith("3 files, Markdown, plain text: 6 memories.")
        assert "Left out: 1 file that is empty or unknown." in dialog.how.text()
        dialog.cancel.click()
        bench.transfer.open_files(SAMPLES / "notes", SAMPLES / "memory.jsonl")
        await bench.until(lambda: bench.transfer.dialog is not None)
        assert under(bench).startswith("3 files, Markdown, plain text, MCP memory: 5 memories.")
        assert bench.transfer.dialog is not None
        assert "2 duplicates" in bench.transfer.dialog.how.text()

    drive(tmp_path / "root", my_memories, scene)


def test_a_folder_is_asked_for_by_its_own_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _self: [str(SAMPLES / "notes")])

    async def scene(bench: TransferBench) -> None:
        bench.transfer.ask_folder()
        asked = await bench.dialog(QFileDialog)
        assert asked.fileMode() is QFileDialog.FileMode.Directory
        asked.accept()
        await bench.until(lambda: bench.transfer.dialog is not None)
        assert under(bench).startswith("notes (2 files), Markdown, plain text: 3 memories.")

    drive(tmp_path / "root", my_memories, scene)


def test_how_a_note_is_cut_and_what_it_is_read_as_can_be_chosen(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        note = tmp_path / "Odo.md"
        note.write_text("# Brother Odo\n\n- cannot swim\n- counts the dead\n")
        dialog = await bench.preview(note)
        assert [one.text for one in dialog.list.lines] == [
            "Brother Odo: cannot swim",
            "Brother Odo: counts the dead",
        ]
        groups = choices_of(dialog.wishes_menu)
        grains = {one.text(): one for one in groups["One memory for each"]}
        assert [name for name, one in grains.items() if one.isChecked()] == ["Paragraph"]
        grains["Section"].trigger()
        await bench.until(lambda: len(dialog.list.lines) == 1)
        assert dialog.how.text() == "Each section is one memory."
        assert dialog.list.lines[0].text == "Brother Odo: - cannot swim - counts the dead"

    drive(tmp_path / "root", my_memories, scene)


def test_the_text_column_of_a_table_can_be_chosen(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        table = tmp_path / "leute.csv"
        table.write_text("Wer,Beschreibung\nMara,keeps the light\n")
        dialog = await bench.preview(table)
        assert [one.text for one in dialog.list.lines] == [
            "Wer: Mara Beschreibung: keeps the light"
        ]
        choices_of(dialog.wishes_menu)["Text column"][2].trigger()
        await bench.until(lambda: dialog.list.lines[0].text == "keeps the light Wer: Mara")

    drive(tmp_path / "root", my_memories, scene)


def test_what_looks_like_a_secret_is_marked_and_left_to_the_author(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        file = tmp_path / "notes.txt"
        file.write_text("The bell rings.\n\nAPI_KEY=sk-abcdefghijklmnopqrstuvwx0123\n")
        dialog = await bench.preview(file)
        assert "1 row looks like a key or password." in dialog.how.text()
        assert [one.under.partition(",")[0] for one in dialog.list.lines] == [
            "Line 1",
            "looks like a key or password",
        ]
        assert dialog.confirm.text() == "Import 2"

    drive(tmp_path / "root", my_memories, scene)
