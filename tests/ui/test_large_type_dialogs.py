"""Dialogs at the largest type, where room is short."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.log.backup import WorkspaceDeletion
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.consolidation.golden_dialog import GoldenDialog
from inklings_desktop.ui.consolidation.runs_dialog import RunsDialog
from inklings_desktop.ui.kit.dialogs.copy_dialog import CopyDialog, CopyTarget
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.memory.acts.replace_dialog import ReplaceDialog
from inklings_desktop.ui.memory.acts.replacing import ReplaceLine, ReplacePreview
from inklings_desktop.ui.rail.workspaces import DeleteWorkspaceDialog


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
    for dialog in (
        GoldenDialog(theme, narrow),
        RunsDialog(theme, narrow, partial(datetime.now, UTC)),
    ):
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


def test_words_below_a_list_of_rooms_are_not_covered(
    theme: Theme, narrow: QWidget, qtbot: QtBot
) -> None:
    rooms = tuple(
        CopyTarget(ScopeKey.conversation("w", f"c{number}"), f"Room {number}")
        for number in range(20)
    )
    account = CopyTarget(ScopeKey.account())
    dialog = CopyDialog(theme, ScopeKey.workspace("w"), (*rooms, account), narrow)
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    assert dialog.rooms.isVisible()
    assert dialog.rooms.geometry().bottom() < dialog.words.geometry().top()
    assert dialog.words.height() >= dialog.words.heightForWidth(dialog.words.width())
    dialog.tiers.choose("account")
    QApplication.processEvents()
    assert dialog.words.height() >= dialog.words.heightForWidth(dialog.words.width())
    assert dialog.height() <= 700


def test_a_long_text_to_compare_scrolls_inside_its_dialog(
    theme: Theme, narrow: QWidget, qtbot: QtBot
) -> None:
    dialog = ReplaceDialog(theme, 3, narrow)
    qtbot.addWidget(dialog)
    dialog.show()
    line = ReplaceLine("a", "The harbour of Wend", "1 place")
    dialog.show_preview(ReplacePreview(lines=(line,), summary="1 place in 1 of 3 memories."))
    dialog.show_difference(diff_lines("harbour " * 400, "harbor " * 400))
    QApplication.processEvents()
    assert dialog.height() <= 700
    assert dialog.diff.geometry().bottom() < dialog.apply.geometry().top()
    assert dialog.diff.verticalScrollBar().maximum() > 0
