from __future__ import annotations

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.accessibility import focus_first, order_tabs


def test_tab_follows_the_layouts_whenever_the_parts_were_made(qtbot: QtBot) -> None:
    top = QWidget()
    qtbot.addWidget(top)
    made = {name: QPushButton(name, top) for name in ("last", "second", "first", "third", "loose")}
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(made["second"])
    row.addWidget(made["third"])
    column = QVBoxLayout(top)
    column.addWidget(made["first"])
    column.addWidget(QLabel("not a stop", top))
    column.addLayout(row)
    column.addWidget(made["last"])
    order_tabs(top)
    stops: list[str] = []
    stop: QWidget | None = made["first"]
    while len(stops) < len(made) and stop is not None:
        if isinstance(stop, QPushButton):
            stops.append(stop.text())
        stop = stop.nextInFocusChain()
    assert stops == ["first", "second", "third", "last", "loose"]
    top.show()
    made["first"].setEnabled(False)
    assert focus_first(top, Qt.FocusReason.OtherFocusReason)
    assert top.focusWidget() is made["second"]


def test_no_item_of_a_layout_is_held_on_to(qtbot: QtBot) -> None:
    """An item that Python knows and Qt deletes stands for whatever is made at its place next."""

    def items() -> set[int]:
        known = shiboken6.getAllValidWrappers()
        return {
            id(one)
            for one in known
            if isinstance(one, QLayoutItem) and not isinstance(one, QLayout)
        }

    top = QWidget()
    qtbot.addWidget(top)
    column = QVBoxLayout(top)
    column.addWidget(QPushButton("One", top))
    column.addStretch(1)
    before = items()
    order_tabs(top)
    focus_first(top, Qt.FocusReason.OtherFocusReason)
    assert items() <= before
