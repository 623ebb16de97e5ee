from __future__ import annotations

import itertools

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, ScopePicker


def a_chip(theme: Theme, qtbot: QtBot, *, toggles: bool = False) -> FilterChip:
    chip = FilterChip(theme, "Source", toggles=toggles)
    qtbot.addWidget(chip)
    chip.adjustSize()
    chip.show()
    return chip


def click(chip: FilterChip, x: int) -> None:
    place = QPoint(x, chip.height() // 2)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_a_click_asks_for_the_popover(theme: Theme, qtbot: QtBot) -> None:
    chip = a_chip(theme, qtbot)
    with qtbot.waitSignal(chip.popover_requested, timeout=1000):
        click(chip, chip.width() - 8)


def test_a_value_makes_the_chip_active_and_wider(theme: Theme, qtbot: QtBot) -> None:
    chip = a_chip(theme, qtbot)
    rest = chip.sizeHint().width()
    chip.set_value("user")
    assert chip.is_active
    assert chip.sizeHint().width() > rest
    assert chip.accessibleName() == "Source user"
    chip.set_value("")
    assert not chip.is_active


def test_the_cross_clears_and_opens_nothing(theme: Theme, qtbot: QtBot) -> None:
    chip = a_chip(theme, qtbot)
    chip.set_value("user")
    chip.adjustSize()
    with (
        qtbot.assertNotEmitted(chip.popover_requested),
        qtbot.waitSignal(chip.clear_requested, timeout=1000),
    ):
        click(chip, chip.width() - 10)
    with qtbot.waitSignal(chip.popover_requested, timeout=1000):
        click(chip, 12)


def test_delete_clears_an_active_chip(theme: Theme, qtbot: QtBot) -> None:
    chip = a_chip(theme, qtbot)
    with qtbot.assertNotEmitted(chip.clear_requested):
        QTest.keyClick(chip, Qt.Key.Key_Delete)
    chip.set_value("user")
    with qtbot.waitSignal(chip.clear_requested, timeout=1000):
        QTest.keyClick(chip, Qt.Key.Key_Delete)


def test_a_toggle_goes_on_and_off(theme: Theme, qtbot: QtBot) -> None:
    chip = a_chip(theme, qtbot, toggles=True)
    said: list[bool] = []
    chip.toggled_by_user.connect(said.append)
    click(chip, 12)
    chip.adjustSize()
    click(chip, chip.width() - 10)
    assert said == [True, False]
    assert not chip.is_active


def test_a_chip_out_of_use_says_so_all_over(theme: Theme, qtbot: QtBot) -> None:
    chip = a_chip(theme, qtbot)
    chip.set_value("user")
    chip.setEnabled(False)
    picture = chip.grab().toImage()
    places = itertools.product(range(chip.width()), range(chip.height()))
    shown = {picture.pixelColor(x, y).name() for x, y in places}
    assert theme.color("ink").name() not in shown
    assert theme.color("accent").name() not in shown


def test_a_chip_held_down_looks_pressed(theme: Theme, qtbot: QtBot) -> None:
    chip = a_chip(theme, qtbot)
    chip.setDown(True)
    assert chip.grab().toImage().pixelColor(8, 4) == theme.color("selected")


def test_an_ampersand_in_a_name_is_no_key(theme: Theme, qtbot: QtBot) -> None:
    chip, box, picker = FilterChip(theme, "R&D"), CheckBox(theme, ""), ScopePicker(theme)
    box.setText("R&D")
    picker.show_choices([ScopeChoice("1", "R&D")], "1")
    for button in (chip, box, picker):
        qtbot.addWidget(button)
        assert button.shortcut().isEmpty()
    assert picker.shown_text() == "R&&D"
