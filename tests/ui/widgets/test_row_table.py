"""A list answers to keys without stopping at headings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.ui.models.rows import a_heading, a_memory


@pytest.fixture
def table(theme: Theme, qtbot: QtBot) -> RowTable:
    delegate = MemoryDelegate(theme)
    table = RowTable(delegate)
    qtbot.addWidget(table)
    model = MemoryListModel(table)
    model.replace_rows(
        [a_heading("March 2026"), *(a_memory(n) for n in range(1, 20)), a_heading("May 2025")]
    )
    table.setModel(model)
    table.resize(600, 300)
    table.show()
    return table


@pytest.mark.parametrize(
    ("key", "place"), [(Qt.Key.Key_Home, 1), (Qt.Key.Key_End, 19), (Qt.Key.Key_J, 6)]
)
def test_keys_step_over_headings(table: RowTable, key: Qt.Key, place: int) -> None:
    table.selectRow(5)
    QTest.keyClick(table, key)
    assert table.currentIndex().row() == place
    assert table.selectionModel().isRowSelected(place)


@pytest.mark.parametrize(
    ("key", "place"),
    [(Qt.Key.Key_Home, 1), (Qt.Key.Key_End, 19), (Qt.Key.Key_Up, 4), (Qt.Key.Key_Down, 6)],
)
def test_control_changes_nothing_of_that(table: RowTable, key: Qt.Key, place: int) -> None:
    table.selectRow(5)
    QTest.keyClick(table, key, Qt.KeyboardModifier.ControlModifier)
    assert table.currentIndex().row() == place
    assert table.selectionModel().isRowSelected(place)


def test_shift_leaves_home_to_qt(table: RowTable) -> None:
    table.selectRow(5)
    QTest.keyClick(table, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    assert table.currentIndex().row() == 5


@pytest.mark.parametrize(
    ("reason", "place"),
    [(Qt.FocusReason.TabFocusReason, 1), (Qt.FocusReason.OtherFocusReason, -1)],
)
def test_the_keyboard_coming_in_makes_no_heading_current(
    table: RowTable, qtbot: QtBot, reason: Qt.FocusReason, place: int
) -> None:
    table.activateWindow()
    table.clearFocus()
    table.selectionModel().clear()
    table.setFocus(reason)
    qtbot.waitUntil(table.hasFocus)
    assert table.currentIndex().row() == place
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == max(place, 0) + 1
