"""The keyboard sheet tells of every key, each of them tried; and the register behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu

from inklings_desktop.ui.kit.marks.key_hints import on_caps
from inklings_desktop.ui.kit.ops.commands import Where
from tests.support.scenes import scene
from tests.ui.keyboard_hands import thirty
from tests.ui.test_keyboard import MAP
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.ui.kit.panes.key_columns import KeyboardDialog
    from tests.ui.window_bench import WindowBench

pytestmark = pytest.mark.usefixtures("qapp")

TRIED = frozenset(line for row in MAP for line in row.sheet)


def keys_of(sheet: KeyboardDialog, where: Where) -> set[str]:
    """Every key that a section of the sheet tells of."""
    return {key for keys, _ in sheet.lines[where] for key in keys}


def combination_of(keys: QKeySequence) -> QKeyCombination:
    """The one key with its modifiers; nothing here is a chord."""
    assert keys.count() == 1
    combination = keys[0]  # type: ignore[index]
    assert isinstance(combination, QKeyCombination)
    return combination


def test_no_key_asks_for_the_key_that_macos_keeps_for_itself(tmp_path: Path) -> None:
    """Qt turns Ctrl into Command there; a literal Meta would be the other key."""

    async def compare(bench: WindowBench) -> None:
        window = bench.window
        window.show_page("control")
        found = [
            sequence for action in window.findChildren(QAction) for sequence in action.shortcuts()
        ]
        found += [key for one in window.findChildren(QShortcut) for key in QShortcut.keys(one)]
        assert len(found) > 40
        pressed = [combination_of(one) for one in found if not one.isEmpty()]
        meta = Qt.KeyboardModifier.MetaModifier
        assert not [one for one in pressed if one.keyboardModifiers() & meta]
        assert (
            combination_of(QKeySequence("Meta+K")).keyboardModifiers() & meta
        )  # it would be found

    drive(tmp_path, thirty, compare)


@scene(drive, thirty)
async def test_the_sheet_has_every_key_of_the_register_once(bench: WindowBench, /) -> None:
    bench.window.menus["keyboard"].trigger()
    sheet = bench.window.finding.sheet
    assert sheet is not None
    commands = bench.window.menus.commands
    for where in Where:
        lines = sheet.lines[where]
        assert len(lines) == len(set(lines))
        named = {one.keys for one in commands.with_keys(where)}
        handled = {one.keys for one in commands.handled() if one.where is where}
        assert {keys for keys, _ in lines} == named | handled
        tried = {key for place, key in TRIED if place is where}
        assert {key for keys, _ in lines for key in keys} == tried
    assert {(where, key) for where in Where for key in keys_of(sheet, where)} >= TRIED
    assert not {"Q", "Alt+Shift+8"} & {key for where in Where for key in keys_of(sheet, where)}
    assert sheet.lines[Where.WINDOW]
    assert sheet.lines[Where.LIST]
    assert all(text for lines in sheet.lines.values() for _, text in lines)
    inner = sheet.area.widget()
    assert inner is not None
    await bench.until(lambda: inner.width() <= sheet.area.viewport().width())
    sheet.close_button.click()
    assert not sheet.isVisible()


@scene(drive, thirty)
async def test_the_sheet_has_the_keys_that_the_setting_says_for_sending(
    bench: WindowBench, /
) -> None:
    def sending() -> dict[str, tuple[str, ...]]:
        handled = bench.window.menus.commands.handled()
        wanted = {"Send, from the field", "Another line"}
        return {one.text: one.keys for one in handled if one.text in wanted}

    assert sending() == {"Send, from the field": ("Enter",), "Another line": ("Shift+Enter",)}
    opened = bench.window.opened
    assert opened is not None
    opened.context.wear(send_key="ctrl_enter")
    await bench.until(lambda: sending()["Send, from the field"] == ("Ctrl+Enter",))
    assert sending()["Another line"] == ("Enter",)


@scene(drive, thirty)
async def test_no_two_commands_of_one_place_share_a_key(bench: WindowBench, /) -> None:
    commands = bench.window.menus.commands
    for where in Where:
        nearby = {Where.WINDOW, where}
        keys = [key for one in commands.all() if one.where in nearby for key in one.keys]
        assert len(keys) == len(set(keys)), sorted(keys)


@scene(drive, thirty)
async def test_every_entry_of_every_menu_is_in_the_register(bench: WindowBench, /) -> None:
    commands = bench.window.menus.commands
    known = {one.action for one in commands.all()}
    every = [
        action for menu in bench.window.menuBar().findChildren(QMenu) for action in menu.actions()
    ]
    assert every
    for action in every:
        if not action.isSeparator() and not isinstance(action.menu(), QMenu):
            assert action in known, action.text()


def test_the_plus_that_is_a_key_stays_on_its_cap() -> None:
    assert [on_caps(one) for one in ("Ctrl+Shift+Z", "Ctrl++", "+", "F5")] == [
        "Ctrl Shift Z",
        "Ctrl +",
        "+",
        "F5",
    ]
