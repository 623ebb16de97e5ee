"""When something on show is read again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.page import page as keeping_up
from inklings_desktop.ui.kit.page.page import KeepUp


@pytest.fixture
def owner(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[QObject]:
    monkeypatch.setattr(keeping_up, "COALESCE_MS", 20)
    parent = QObject()
    yield parent
    parent.deleteLater()


def test_many_changes_fall_due_once(owner: QObject, qtbot: QtBot) -> None:
    upkeep = KeepUp(owner)
    heard: list[int] = []
    upkeep.due.connect(lambda: heard.append(1))
    upkeep.set_watched(watched=True)
    with qtbot.waitSignal(upkeep.due):
        for _ in range(5):
            upkeep.note_change()
    qtbot.wait(60)
    assert len(heard) == 1


def test_what_nobody_looks_at_falls_due_when_somebody_does(owner: QObject) -> None:
    upkeep = KeepUp(owner)
    heard: list[int] = []
    upkeep.due.connect(lambda: heard.append(1))
    upkeep.note_change()
    assert heard == []
    upkeep.set_watched(watched=True)
    assert heard == [1]


def test_a_change_that_was_to_fall_due_is_not_forgotten_by_looking_away(owner: QObject) -> None:
    upkeep = KeepUp(owner)
    heard: list[int] = []
    upkeep.due.connect(lambda: heard.append(1))
    upkeep.set_watched(watched=True)
    upkeep.note_change()
    upkeep.set_watched(watched=False)
    assert heard == []
    upkeep.set_watched(watched=True)
    assert heard == [1]


def test_what_could_not_be_read_falls_due_at_the_next_look(owner: QObject) -> None:
    upkeep = KeepUp(owner)
    heard: list[int] = []
    upkeep.due.connect(lambda: heard.append(1))
    upkeep.set_watched(watched=True)
    upkeep.ask()
    upkeep.begin()
    upkeep.set_watched(watched=False)
    upkeep.set_watched(watched=True)
    assert heard == [1]
    upkeep.fail()
    upkeep.set_watched(watched=True)
    assert heard == [1, 1]
