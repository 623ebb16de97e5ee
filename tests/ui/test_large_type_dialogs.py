"""Dialogs at the largest type, where room is short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from inklings_desktop.domain.backup import WorkspaceDeletion
from inklings_desktop.ui.dialogs.delete_workspace_dialog import DeleteWorkspaceDialog
from inklings_desktop.ui.dialogs.golden_dialog import GoldenDialog
from inklings_desktop.ui.dialogs.runs_dialog import RunsDialog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from inklings_desktop.ui.theme import Theme


@pytest.fixture
def narrow(theme: Theme, qtbot: QtBot) -> Iterator[QWidget]:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.set_text_scale(1.4)
    theme.apply(app)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1024, 700)
    window.show()
    yield window
    theme.set_text_scale(1.0)
    theme.apply(app)


def test_a_list_at_the_side_leaves_most_of_the_paper(theme: Theme, narrow: QWidget) -> None:
    for dialog in (GoldenDialog(theme, narrow), RunsDialog(theme, narrow)):
        assert dialog.list.width() <= 0.36 * dialog.width() + 1
        theme.set_text_scale(1.0)
        assert dialog.list.width() >= 340, "as designed where there is room"
        theme.set_text_scale(1.4)
        dialog.deleteLater()


def test_a_question_of_two_lines_presses_no_row_together(
    theme: Theme, narrow: QWidget, qtbot: QtBot
) -> None:
    name = "The Saltglass Cartographers of the Wend"
    deletion = WorkspaceDeletion("1", name, f"delete {name}", 101, 2, 9, 1, 0)
    dialog = DeleteWorkspaceDialog(theme, deletion, narrow)
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    labels = [one for one in dialog.findChildren(QLabel) if one.isVisible() and one.text()]
    assert "1 event" in [one.text() for one in labels]
    pressed = [
        one.text()
        for one in labels
        if one.height() < (one.heightForWidth(one.width()) if one.wordWrap() else 0)
    ]
    assert pressed == []
    assert dialog.height() <= 700
