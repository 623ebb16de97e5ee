from __future__ import annotations

import sys

import pytest
from pytestqt.qtbot import QtBot

from inklings_desktop import freed_memory
from inklings_desktop.freed_memory import give_back, share_one_heap
from inklings_desktop.ui.app.application import GarbageCollection
from tests.support.processes import finished, line_of, started


def test_what_was_freed_goes_back_to_the_system() -> None:
    process = started("tests.support.freeing_process")
    before, after = (int(line_of(process)) for _ in range(2))
    finished(process)
    if sys.platform == "linux":
        assert before - after > 50 << 20
    else:
        assert after <= before


def test_other_c_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_not(_name: str, *_arguments: type) -> None:
        return None

    monkeypatch.setattr(freed_memory, "_of_c_library", has_not)
    assert not give_back()
    assert not share_one_heap()


@pytest.mark.parametrize(("how", "is_one"), [("own", False), ("shared", True)])
def test_threads_share_one_heap(how: str, is_one: bool) -> None:  # noqa: FBT001 - a case
    if sys.platform != "linux":
        assert not share_one_heap()
        return
    process = started("tests.support.heaps_process", how)
    n_heaps = int(line_of(process))
    finished(process)
    assert n_heaps >= 1
    assert (n_heaps == 1) is is_one


def test_the_window_gives_back_now_and_then(
    qapp: object, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    given: list[bool] = []

    def noted() -> bool:
        given.append(True)
        return True

    monkeypatch.setattr("inklings_desktop.ui.app.application.GIVE_BACK_MS", 5)
    monkeypatch.setattr("inklings_desktop.ui.app.application.give_back", noted)
    garbage = GarbageCollection()
    qtbot.waitUntil(lambda: len(given) >= 2)
    garbage.stop()
    n_given = len(given)
    qtbot.wait(30)
    assert len(given) == n_given
