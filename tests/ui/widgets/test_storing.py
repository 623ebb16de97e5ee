from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.ops.storing import (
    allow_storing,
    storing,
    why_withheld,
    withhold_storing,
)

WHY = "Read-only: the disk cannot be written to."


@pytest.fixture(autouse=True)
def open_again() -> Iterator[None]:
    yield
    allow_storing()


def test_what_stores_is_greyed_out_with_the_reason_whoever_enables_it(qtbot: QtBot) -> None:
    button = storing(QPushButton("Save"))
    qtbot.addWidget(button)
    assert button.isEnabled()
    withhold_storing(WHY)
    button.setEnabled(True)
    button.setToolTip("Save it")
    assert not button.isEnabled()
    assert button.toolTip() == button.accessibleDescription() == WHY


def test_what_is_made_later_is_withheld_too_and_says_so_in_its_menu(qtbot: QtBot) -> None:
    withhold_storing(WHY)
    menu = QMenu()
    qtbot.addWidget(menu)
    action = storing(menu.addAction("Forget"))
    reading = menu.addAction("Copy text")
    action.setEnabled(True)
    assert not action.isEnabled()
    assert action.statusTip() == action.toolTip() == WHY
    assert menu.toolTipsVisible()
    assert reading.isEnabled()


def test_nothing_is_withheld_once_it_can_be_stored_again(qtbot: QtBot) -> None:
    button, action = storing(QPushButton("Save")), storing(QAction("Forget"))
    qtbot.addWidget(button)
    withhold_storing(WHY)
    assert why_withheld() == WHY
    allow_storing()
    assert why_withheld() == ""
    for one in (button, action):
        one.setEnabled(True)
        assert one.isEnabled()
