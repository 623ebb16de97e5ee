from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.app.application import INTERVAL_MS, GarbageCollection


@pytest.fixture
def garbage(qapp: object) -> Iterator[GarbageCollection]:
    gc.enable()
    one = GarbageCollection()
    yield one
    one.stop()


class Knot(QObject):
    """Part of a cycle, with a timer that Qt serves on the thread it was made in."""

    def __init__(self, destroyed_in: list[int]) -> None:
        super().__init__()
        self.itself = self
        self.timer = QTimer(self)
        self.timer.start(1)
        weakref.finalize(self, lambda: destroyed_in.append(threading.get_ident()))


def allocate_much() -> None:
    for _ in range(200):
        _kept = [[number] for number in range(1_000)]


def test_no_worker_destroys_what_belongs_to_the_window(
    garbage: GarbageCollection, qtbot: QtBot
) -> None:
    destroyed_in: list[int] = []
    for _ in range(20):
        Knot(destroyed_in)
    workers = [threading.Thread(target=allocate_much) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert destroyed_in == []
    held = [[number] for number in range(5_000)]
    qtbot.waitUntil(lambda: len(destroyed_in) == len(held) // 250, timeout=10 * INTERVAL_MS)
    assert set(destroyed_in) == {threading.get_ident()}


def test_afterwards_the_interpreter_collects_by_itself(garbage: GarbageCollection) -> None:
    assert not gc.isenabled()
    garbage.settle()
    assert gc.get_freeze_count() > 0
    garbage.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_nothing_is_collected_while_a_window_opens(qapp: object, qtbot: QtBot) -> None:
    destroyed_in: list[int] = []
    garbage = GarbageCollection(is_opening=True)
    try:
        Knot(destroyed_in)
        held = [[number] for number in range(5_000)]
        qtbot.wait(2 * INTERVAL_MS)
        assert destroyed_in == []
        garbage.settle()
        Knot(destroyed_in)
        held += [[number] for number in range(5_000)]
        qtbot.waitUntil(lambda: len(destroyed_in) == 1, timeout=10 * INTERVAL_MS)
    finally:
        garbage.stop()
    assert len(held) == 10_000
