"""A button with a caret, and a figure before it."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.buttons import MenuButton, PushButton
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.look.theme import Theme


def test_a_figure_takes_its_own_room_and_shows_in_the_accent(theme: Theme, qtbot: QtBot) -> None:
    button = MenuButton(theme)
    qtbot.addWidget(button)
    button.setText("Filters")
    plain = button.sizeHint().width()
    button.set_badge("2")
    assert button.sizeHint().width() >= plain + 18
    button.resize(button.sizeHint().width(), 32)
    picture = button.grab().toImage()
    soft = theme.color("accentSoft")
    assert any(picture.pixelColor(x, 9) == soft for x in range(picture.width()))
    button.set_badge("")
    assert button.sizeHint().width() == plain


def test_a_chip_that_counts_is_at_rest_until_it_is_switched_on(theme: Theme, qtbot: QtBot) -> None:
    chip = FilterChip(theme, "harbour", toggles=True, counts=True)
    qtbot.addWidget(chip)
    chip.set_value("2")
    was_active = chip.is_active
    assert chip.accessibleName() == "harbour 2"
    at_rest = chip.sizeHint().width()
    chip.set_on(on=True)
    assert (was_active, chip.is_active) == (False, True)
    assert chip.sizeHint().width() > at_rest  # the cross


def test_a_button_without_its_word_is_a_square(theme: Theme, qtbot: QtBot) -> None:
    button = PushButton(theme, "New memory", kind="primary", icon="plus", small=True)
    qtbot.addWidget(button)
    wide = button.iconSize().width()
    button.set_word("")
    assert button.property("square") == "true"
    assert button.iconSize().width() < wide  # no room is kept for a word
    button.set_word("New memory")
    assert button.property("square") == "false"
    assert button.iconSize().width() == wide


def test_a_text_without_room_ends_before_the_caret(theme: Theme, qtbot: QtBot) -> None:
    button = MenuButton(theme)
    qtbot.addWidget(button)
    button.setText("The toll at Wend Gate")
    button.setIcon(theme.icon("chat-circle", "inkSoft", 14))
    button.resize(button.sizeHint())
    assert button.shown_text() == "The toll at Wend Gate"
    button.resize(120, 32)
    assert button.shown_text().endswith("\u2026")
    room = 120 - 2 * 10 - theme.icon_px(14) - button.iconSize().width()
    assert button.fontMetrics().horizontalAdvance(button.shown_text()) < room


def test_a_figure_stands_beside_an_icon_without_its_word(theme: Theme, qtbot: QtBot) -> None:
    button = MenuButton(theme)
    qtbot.addWidget(button)
    button.setIcon(theme.icon("funnel", "inkSoft", 16))
    bare = button.sizeHint().width()
    button.set_badge("2")
    assert button.sizeHint().width() >= bare + 18
    button.resize(button.sizeHint().width(), 32)
    picture = button.grab().toImage()
    soft = theme.color("accentSoft")
    assert any(picture.pixelColor(x, 9) == soft for x in range(picture.width()))
