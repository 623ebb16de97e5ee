from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.marks.labels import wrapped_label
from inklings_desktop.ui.kit.panes.pieces import PaneScroll


def test_a_path_that_is_not_broken_does_not_widen_the_column(qtbot: QtBot) -> None:
    pane = PaneScroll()
    qtbot.addWidget(pane)
    label, other = (
        wrapped_label(text, "meta", pane.column) for text in ("/" + "w" * 200, "few words")
    )
    for one in (label, other):
        pane.stack.addWidget(one)
    pane.resize(340, 400)
    pane.show()
    QApplication.processEvents()
    assert label.minimumSizeHint().width() > pane.viewport().width()
    assert pane.column.width() == pane.viewport().width()
    assert other.geometry().right() < pane.viewport().width()
