from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.controls.text_fields import SearchField
from inklings_desktop.ui.kit.look.theme import Theme

CHOSEN: list[str] = []
"""Keys of the modes that were chosen."""


@pytest.fixture
def field(theme: Theme, qtbot: QtBot) -> SearchField:
    CHOSEN.clear()
    field = SearchField(
        theme,
        [Segment("hybrid", "Hybrid", "intersect"), Segment("keyword", "Keyword", "text-t")],
        chosen=CHOSEN.append,
        clear_name="Clear search",
        mode_name="Search mode",
    )
    qtbot.addWidget(field)
    field.show()
    return field


def test_typing_is_reported_once_it_rests(field: SearchField, qtbot: QtBot) -> None:
    said: list[str] = []
    field.query_changed.connect(said.append)
    QTest.keyClicks(field.edit, "harbour")
    assert said == []
    qtbot.waitUntil(lambda: said == ["harbour"])


def test_enter_reports_at_once_and_only_once(field: SearchField, qtbot: QtBot) -> None:
    said: list[str] = []
    field.query_changed.connect(said.append)
    QTest.keyClicks(field.edit, "glass")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert said == ["glass"]


def test_escape_clears_first(field: SearchField, qtbot: QtBot) -> None:
    field.set_text("glass")
    with qtbot.waitSignal(field.query_changed, timeout=1000) as cleared:
        QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    assert cleared.args == [""]
    assert field.text() == ""


def test_down_leaves_for_the_list(field: SearchField, qtbot: QtBot) -> None:
    with qtbot.waitSignal(field.leave_requested, timeout=1000):
        QTest.keyClick(field.edit, Qt.Key.Key_Down)


def test_dots_appear_only_when_the_answer_is_slow(field: SearchField, qtbot: QtBot) -> None:
    field.set_result("6 found", "Hybrid mode, 6 found")
    assert field.edit.accessibleDescription() == "Hybrid mode, 6 found"
    field.set_waiting()
    assert field._count.text() == "6 found"
    qtbot.waitUntil(lambda: field._count.text() == "\u2026")
    field.set_result("2 found")
    assert field._count.text() == "2 found"


def test_modes_are_told_and_can_be_forbidden(field: SearchField) -> None:
    field.set_mode("keyword")
    assert CHOSEN == ["keyword"]
    assert field.mode() == "keyword"
    field.set_mode_enabled("hybrid", enabled=False)
    hybrid = next(one for one in field.findChildren(QAbstractButton) if one.text() == "Hybrid")
    assert not hybrid.isEnabled()


def test_a_narrow_field_shows_modes_by_icon(field: SearchField, qtbot: QtBot) -> None:
    wide = field.minimumSizeHint().width()
    field.set_narrow(narrow=True)
    qtbot.waitUntil(lambda: field.minimumSizeHint().width() < wide)
    assert field.mode() == "hybrid"


def test_the_frame_tells_focus(field: SearchField, theme: Theme, qtbot: QtBot) -> None:
    field.resize(600, 32)
    field.edit.clearFocus()
    assert field.grab().toImage().pixelColor(300, 0) == theme.color("controlBorder")
    field.activateWindow()
    field.edit.setFocus()
    qtbot.waitUntil(field.edit.hasFocus)
    assert field.grab().toImage().pixelColor(300, 0) == theme.color("focus")
