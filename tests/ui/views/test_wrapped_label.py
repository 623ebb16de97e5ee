"""Labels of several lines: a long word makes no place wider."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.labels import WrappedLabel, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import FactGrid
from tests.ui.spoken import accessible_name

LONG = "Rindfleischetikettierungs\u00fcberwachungsaufgaben\u00fcbertragungsgesetz"
PATH = "/data/ottoline/" + "a" * 80 + "/agents.db"


def test_a_long_word_is_broken_and_said_whole(theme: Theme, qtbot: QtBot) -> None:
    grid = FactGrid(theme)
    qtbot.addWidget(grid)
    value = grid.add_text("Conversation")
    value.setText(f"Die {LONG}")
    after = grid.add_text("Written")
    after.setText("14 Mar 2026, 10:36")
    grid.resize(300, grid.heightForWidth(300))
    grid.show()
    QApplication.processEvents()
    assert grid.minimumSizeHint().width() <= 300
    assert value.width() <= 300 - 98
    assert value.text() == f"Die {LONG}"
    assert value.height() >= 2 * value.fontMetrics().height()
    name = next(one for one in grid.findChildren(QLabel) if one.text() == "Conversation")
    line, edges = ceil(QFontMetricsF(value.font()).height()), value.contentsMargins()
    first = value.y() + edges.top() + line / 2
    assert abs(name.y() + name.height() / 2 - first) <= 1, "named beside its first line"
    assert line + edges.top() + edges.bottom() == FactGrid.row_height, "as far from what is around"


def test_the_places_of_a_broken_word_are_neither_seen_nor_heard(theme: Theme, qtbot: QtBot) -> None:
    label = wrapped_label("", "metaInk")
    qtbot.addWidget(label)
    label.resize(120, 80)
    label.setText(f"A\u202e {LONG}")
    label.show()
    QApplication.processEvents()
    shown = QLabel.text(label)
    assert shown.count("\u200b") > len(LONG) // 2
    assert shown.replace("\u200b", "") == label.text() == f"A\u2039U+202E\u203a {LONG}"
    assert accessible_name(label) == label.text()
    label.resize(900, 80)
    assert QLabel.text(label) == label.text() == accessible_name(label)
    label.setAccessibleName("Kept in")
    label.resize(120, 80)
    assert QLabel.text(label) != label.text()
    assert accessible_name(label) == "Kept in"


def test_what_is_copied_of_a_broken_word_is_the_word(theme: Theme, qtbot: QtBot) -> None:
    label = wrapped_label("", "metaInk")
    assert isinstance(label, WrappedLabel)
    qtbot.addWidget(label)
    label.resize(120, 80)
    label.setText(f"Die\n{LONG}")
    label.show()
    assert QLabel.text(label) != label.text()
    label.setSelection(0, len(QLabel.text(label)))
    QApplication.clipboard().clear()
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == f"Die\n{LONG}"
    QApplication.clipboard().clear()
    label.selection_menu().actions()[0].trigger()
    assert QApplication.clipboard().text() == f"Die\n{LONG}"


def test_a_word_with_room_and_a_path_stay_as_they_are(theme: Theme, qtbot: QtBot) -> None:
    for text, width in ((LONG, 900), (PATH, 200)):
        label = wrapped_label("", "metaInk")
        qtbot.addWidget(label)
        label.resize(width, 40)
        label.setText(text)
        label.show()
        QApplication.processEvents()
        assert QLabel.text(label) == text
