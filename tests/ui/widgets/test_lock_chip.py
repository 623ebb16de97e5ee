from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.marks.badges import LockChip

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inklings_desktop.ui.kit.look.theme import Theme


def test_a_lock_and_its_word_fit_at_every_text_size(theme: Theme, qtbot: QtBot) -> None:
    chip = LockChip(theme, "permanent")
    qtbot.addWidget(chip)
    assert chip.accessibleName() == "permanent"
    usual = chip.size()
    picture = chip.grab().toImage()
    theme.set_text_scale(1.4)
    assert chip.width() > usual.width()
    assert chip.height() == 28
    assert chip.grab().toImage() != picture
