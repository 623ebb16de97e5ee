from __future__ import annotations

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox


def test_parts_of_a_box_stand_in_order_with_their_room(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    first, second, inner = QLabel("a", page), QLabel("b", page), hbox(None, spacing=3)
    box = vbox(page, first, 12, (second, 2, Qt.AlignmentFlag.AlignRight), margins=7)
    fill(box, (inner, 1), STRETCH)
    assert page.layout() is box
    assert box.contentsMargins() == QMargins(7, 7, 7, 7)
    items = [item for number in range(box.count()) if (item := box.itemAt(number)) is not None]
    assert [item.widget() or item.layout() for item in items] == [first, None, second, inner, None]
    assert items[1].sizeHint().height() == 12
    assert items[2].alignment() == Qt.AlignmentFlag.AlignRight
    assert [box.stretch(number) for number in range(box.count())] == [0, 0, 2, 1, 1]
    assert inner.spacing() == 3


def test_a_box_keeps_the_measures_of_the_style_unless_told_otherwise(qtbot: QtBot) -> None:
    plain, told = QWidget(), QWidget()
    qtbot.addWidget(plain)
    qtbot.addWidget(told)
    assert hbox(plain).contentsMargins() == vbox(told, spacing=1).contentsMargins()
    assert hbox(None, margins=(1, 2, 3, 4)).contentsMargins() == QMargins(1, 2, 3, 4)
