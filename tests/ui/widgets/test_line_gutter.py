from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.editor import GutterLine, LineGutter


def test_numbers_stand_at_the_right_and_the_line_of_the_caret_is_marked(
    theme: Theme, qtbot: QtBot
) -> None:
    lines = [
        GutterLine(0, 25, 25, is_current=True),
        GutterLine(1, 0, 25, is_current=False),
        GutterLine(2, 25, 25, is_current=True),
    ]
    owner = QWidget()
    qtbot.addWidget(owner)
    gutter = LineGutter(theme, lambda: lines, owner)
    gutter.resize(gutter.sizeHint().width(), 60)
    image = gutter.grab().toImage()
    assert gutter.width() == 44
    assert image.pixelColor(1, 1) == theme.color("surface")
    assert image.pixelColor(1, 30) == theme.color("hover")
    inked = [
        x
        for x in range(44)
        if any(image.pixelColor(x, y) != image.pixelColor(0, y) for y in range(25))
    ]
    assert min(inked) > 30


def test_larger_type_makes_it_wider(theme: Theme, qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    gutter = LineGutter(theme, list, owner)
    theme.set_text_scale(1.4)
    assert gutter.sizeHint().width() == 62
