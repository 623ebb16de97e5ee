from __future__ import annotations

from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.badges import PERMANENT, Badge


def test_a_lock_and_its_word_fit_at_every_text_size(theme: Theme, qtbot: QtBot) -> None:
    chip = Badge(theme, "permanent", "lock-simple", ground=PERMANENT)
    qtbot.addWidget(chip)
    assert chip.accessibleName() == "permanent"
    chip.adjustSize()
    usual = chip.size()
    picture = chip.grab().toImage()
    theme.set_text_scale(1.4)
    chip.adjustSize()
    assert chip.width() > usual.width()
    assert chip.height() == 28
    assert chip.grab().toImage() != picture
