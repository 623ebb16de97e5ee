"""Saving, applying, renaming and deleting filters in the real window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import MAX_QUERY_CHARACTERS
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.memory.list.saved_filters_dialog import FilterRow, SavedFiltersDialog
from tests.support.scenes import scene
from tests.support.sqlite_store import raw
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
SONGS = FilterWords(MemoryFilter(tags=frozenset({"song"})), "glass")


def songs(bench: Bench) -> None:
    bench.put("They sing of harbour glass.", tags=("song",))
    bench.put("A glass from the harbour.", tags=("trade",))


def songs_saved(bench: Bench) -> None:
    songs(bench)
    inklings = bench.inklings
    inklings.search.save_filter(bench.workspace.id, Tier.WORKSPACE, "Songs of glass", SONGS)


def shown(kind: type) -> list[object]:
    return [
        one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible()
    ]


@scene(drive, songs)
async def test_what_is_asked_is_saved_under_a_name_and_asked_again(bench: WindowBench, /) -> None:
    field = bench.window.page.header.search.edit
    await bench.until(lambda: len(bench.texts()) == 2)
    field.setText("tag:song glass")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await bench.until(lambda: len(bench.texts()) == 1)
    bench.window.menus["save_filter"].trigger()
    await bench.until(lambda: bool(shown(NameDialog)))
    dialog = shown(NameDialog)[0]
    assert isinstance(dialog, NameDialog)
    QTest.keyClicks(dialog.field, "Songs of glass")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    await bench.until(bench.window.page.toast.isVisible)
    assert "Songs of glass" in bench.window.page.toast.accessibleName()
    bench.window.page.clear_filters_requested.emit()
    await bench.until(lambda: len(bench.texts()) == 2)
    bench.window.page.filters.saved.click()
    filters = bench.memory.filters
    await bench.until(lambda: filters.menu is not None)
    assert filters.menu is not None
    names = [one.text() for one in filters.menu.actions() if one.text()]
    assert names == ["Save this filter\u2026", "Songs of glass", "Rename or delete\u2026"]
    assert not filters.menu.actions()[0].isEnabled()
    filters.menu.actions()[2].trigger()
    filters.menu.close()
    await bench.until(lambda: bench.texts() == ["They sing of harbour glass."])
    assert field.text() == "glass"
    assert bench.window.page.filters.tags.value == "song"


@scene(drive, songs_saved)
async def test_a_saved_filter_is_renamed_applied_and_deleted_by_keyboard(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    filters = bench.memory.filters
    bench.window.menus["saved_filters"].trigger()
    await bench.until(lambda: filters.dialog is not None and filters.dialog.isVisible())
    dialog = filters.dialog
    assert dialog is not None
    assert dialog.list.item(0).text().startswith("Songs of glass")
    QTest.keyClick(dialog.list, Qt.Key.Key_F2)
    await bench.until(lambda: bool(shown(NameDialog)))
    asked = shown(NameDialog)[0]
    assert isinstance(asked, NameDialog)
    assert asked.name == "Songs of glass"
    QTest.keyClicks(asked.field, "Shanties")
    QTest.keyClick(asked.field, Qt.Key.Key_Return)
    await bench.until(lambda: dialog.list.item(0).text().startswith("Shanties"))
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    await bench.until(lambda: bench.texts() == ["They sing of harbour glass."])
    await bench.until(lambda: not shown(SavedFiltersDialog))
    bench.window.menus["saved_filters"].trigger()
    await bench.until(lambda: filters.dialog is not None and filters.dialog.isVisible())
    assert filters.dialog is not None
    QTest.keyClick(filters.dialog.list, Qt.Key.Key_Delete)
    await bench.until(lambda: bool(shown(ConfirmDialog)))
    confirm = shown(ConfirmDialog)[0]
    assert isinstance(confirm, ConfirmDialog)
    confirm.confirm.click()
    await bench.until(lambda: filters.dialog is not None and filters.dialog.list.count() == 0)
    filters.dialog.reject()
    inklings = bench.bench.inklings
    assert not inklings.search.filters(bench.bench.workspace.id)


def test_what_a_filter_asks_is_told_letter_by_letter() -> None:
    window = QWidget()
    dialog = SavedFiltersDialog(window, apply=print, rename=print, delete=print)
    asks = "#<img src='file:///tmp/seen.png'>"
    dialog.show_rows([FilterRow("1", "From elsewhere", "Workspace", asks)])
    told = QTextDocumentFragment.fromHtml(dialog.list.item(0).toolTip()).toPlainText()
    assert told == f"Workspace: {asks}"


@scene(drive, songs)
async def test_nothing_to_save_is_said(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    assert bench.memory.list.request.where == EVERYTHING
    bench.window.menus["save_filter"].trigger()
    await bench.until(bench.window.page.toast.isVisible)
    assert bench.window.page.toast.accessibleName().startswith("Set a filter")
    assert not shown(NameDialog)


@scene(drive, songs)
async def test_a_search_that_is_too_long_cannot_be_saved_and_says_so(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    said = bench.messages(shown=False)
    field = bench.window.page.header.search.edit
    field.setText("glass " * MAX_QUERY_CHARACTERS)
    QTest.keyClick(field, Qt.Key.Key_Return)
    await bench.until(lambda: len(bench.memory.list.request.text) > MAX_QUERY_CHARACTERS)
    bench.window.menus["save_filter"].trigger()
    await bench.until(lambda: bool(said))
    assert "too long" in said[-1].title
    assert not shown(NameDialog)
    assert field.text().startswith("glass glass")


@pytest.mark.parametrize("asks", ['{"tags": ["song"]}', '{"importance_min": "NaN"}'])
def test_a_filter_that_cannot_be_read_says_so_and_leaves_the_others_of_use(
    tmp_path: Path, asks: str
) -> None:
    def one_damaged(bench: Bench) -> None:
        songs_saved(bench)
        inklings = bench.inklings
        inklings.search.save_filter(bench.workspace.id, Tier.WORKSPACE, "Old", SONGS)
        (file,) = tmp_path.glob("workspaces/*/agents.db")
        with raw(file) as connection:
            connection.execute("UPDATE saved_filters SET asks = ? WHERE name = 'Old'", (asks,))
            connection.commit()

    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        filters, page = bench.memory.filters, bench.window.page
        old, good = await filters.saved()
        assert (old.name, good.name) == ("Old", "Songs of glass")
        filters.apply(old)
        await bench.until(page.toast.isVisible)
        assert "can no longer be read" in page.toast.accessibleName()
        assert len(bench.texts()) == 2
        filters.apply(good)
        await bench.until(lambda: len(bench.texts()) == 1)
        inklings = bench.bench.inklings
        inklings.search.delete_filter(old)
        assert [one.name for one in await filters.saved()] == ["Songs of glass"]

    drive(tmp_path, one_damaged, look)
