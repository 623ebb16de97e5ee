"""Files of other programs in the import preview: what it says of them, and where they go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.transfer.import_words import under_title
from tests.ui.transfer_bench import MINE, drive, my_memories

if TYPE_CHECKING:
    from tests.ui.presenter_bench import Bench
    from tests.ui.transfer_bench import TransferBench

pytestmark = pytest.mark.usefixtures("qapp")

SAMPLES = Path(__file__).parents[1] / "data" / "imports"


def under(bench: TransferBench) -> str:
    assert bench.transfer.state is not None
    return under_title(bench.transfer.state)


def test_the_preview_says_how_a_file_is_read_and_what_stays_out(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(SAMPLES / "harbour.md")
        assert under(bench) == "harbour.md, Markdown: 4 memories. Nothing has changed yet."
        assert dialog.how.text() == (
            "Each paragraph and each list item is one memory; the headings above it become its "
            "tags. Left out: 1 heading with nothing under it, 1 picture. No place here for: mood."
        )
        assert [one.under for one in dialog.list.lines][:2] == [
            "Line 9",
            "Line 12",
        ]
        dialog.confirm.click()
        await bench.until(lambda: bench.transfer.dialog is None)
        assert "Ottoline keeps the ledger." in bench.texts()
        bench.transfer.withdraw()
        await bench.until(lambda: bench.texts() == set(MINE))

    drive(tmp_path / "root", my_memories, scene)


def test_a_row_that_cannot_come_in_names_its_line(tmp_path: Path) -> None:
    async def scene(bench: TransferBench) -> None:
        dialog = await bench.preview(SAMPLES / "facts.csv")
        refused = [one for one in dialog.list.lines if one.status == "refused"]
        assert [one.under for one in refused] == [
            "Line 3: importance is not from 0 to 1",
            "Line 4: more columns than the first line",
        ]
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
        assert "Left out: 1 file that is empty, or neither Markdown nor text." in dialog.how.text()
        dialog.cancel.click()
        bench.transfer.open_files(SAMPLES / "notes", SAMPLES / "memory.jsonl")
        await bench.until(lambda: bench.transfer.dialog is not None)
        assert under(bench).startswith("3 files, Markdown, plain text, MCP memory: 5 memories.")
        assert bench.transfer.dialog is not None
        assert "2 that say the same as another" in bench.transfer.dialog.how.text()

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
