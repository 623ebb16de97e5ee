from __future__ import annotations

from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.waiting import WAIT_MS, Skeleton


def test_a_late_answer_shows_bars_and_a_quick_one_none(theme: Theme, qtbot: QtBot) -> None:
    skeleton = Skeleton(theme)
    qtbot.addWidget(skeleton)
    skeleton.resize(600, 300)
    skeleton.show()
    blank = skeleton.grab().toImage()

    skeleton.expect()
    assert skeleton.grab().toImage() == blank
    skeleton.settle()
    qtbot.wait(WAIT_MS + 50)
    assert not skeleton.is_due

    skeleton.expect()
    qtbot.waitUntil(lambda: skeleton.is_due)
    assert skeleton.grab().toImage() != blank
    skeleton.settle()
    assert skeleton.grab().toImage() == blank
