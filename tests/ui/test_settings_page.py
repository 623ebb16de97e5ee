"""The Settings page: its groups, the ways to single settings, and what is worn at once."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, SETTINGS_PAGE
from inklings_desktop.ui.kit.page.destinations import ToPageBefore, ToSettings
from inklings_desktop.ui.settings.groups import APPEARANCE, group_specs
from inklings_desktop.ui.settings.page import SettingsPage
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.settings_bench import Settled, found, read, settings_page
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def nothing(_bench: Bench) -> None:
    """The store is empty."""


@scene(settings_page)
async def test_every_setting_that_is_listed_can_be_led_to(settled: Settled, /) -> None:
    for spec in group_specs():
        for setting in filter(attrgetter("is_found"), spec.settings):
            group = await settled.group(spec.id, setting.id)
            control = group.view.findChild(QWidget, setting.id)
            assert control is not None, (spec.id, setting.id)
            focus = settled.window.focusWidget()
            assert control is focus or control.isAncestorOf(focus), (spec.id, setting.id)


@scene(settings_page)
async def test_every_control_of_every_group_has_a_name(settled: Settled, /) -> None:
    for spec in group_specs():
        group = await settled.group(spec.id)
        for one in group.view.findChildren(QWidget):
            if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisible():
                said = one.accessibleName() or getattr(one, "text", str)()
                assert said, (spec.id, type(one).__name__, one.objectName())


@scene(settings_page)
async def test_escape_goes_back_to_the_page_before(settled: Settled, /) -> None:
    await settled.group(APPEARANCE, "reduceMotion")
    QTest.keyClick(settled.window.focusWidget(), Qt.Key.Key_Escape)
    assert settled.said.ways == [ToPageBefore()]


@scene(settings_page)
async def test_appearance_is_worn_as_it_is_chosen(settled: Settled, /) -> None:
    group = await settled.group(APPEARANCE)
    found(group, "theme").choose("dark")
    found(group, "density").choose("compact")
    text_size = found(group, "textSize")
    text_size.setValue(text_size.maximum())
    assert "140 %, up to 140 %" in read(group)
    found(group, "reduceMotion").setChecked(True)
    found(group, "checkSpelling").setChecked(False)
    found(group, "sendKey").choose("ctrl_enter")
    assert settled.said.worn == [
        {"theme": "dark"},
        {"density": "compact"},
        {"text_scale": 1.4},
        {"reduce_motion": True},
        {"check_spelling": False},
        {"send_key": "ctrl_enter"},
    ]


@scene(settings_page)
async def test_a_narrow_window_has_a_menu_in_place_of_the_list(settled: Settled, /) -> None:
    view = settled.page.view
    await settled.group(APPEARANCE)
    assert view.list.isVisible()
    assert not view.menu_button.isVisible()
    settled.window.resize(960, 600)
    await until(view.menu_button.isVisible)
    assert not view.list.isVisible()
    titles = [one.text() for one in view.menu.actions()]
    assert titles == [one.title for one in group_specs()]


def test_a_hand_edit_is_worn_while_the_window_is_open(tmp_path: Path) -> None:
    async def edit(bench: WindowBench) -> None:
        window = bench.window
        path = tmp_path / "root" / "settings.toml"
        path.write_text('[appearance]\ntheme = "dark"\ndensity = "compact"\n', encoding="utf-8")
        await bench.until(window.menus["theme:dark"].isChecked)
        assert window._theme.is_dark
        await bench.until(window.menus["density:compact"].isChecked)
        path.write_text('[appearance]\ntheme = "light"\n', encoding="utf-8")
        await bench.until(window.menus["theme:light"].isChecked)
        assert not window._theme.is_dark

    drive(tmp_path / "root", nothing, edit)


def test_a_choice_holds_in_menu_and_page_alike_and_the_way_back_is_where_one_was(
    tmp_path: Path,
) -> None:
    async def wear(bench: WindowBench) -> None:
        window = bench.window
        window.show_page(CONTROL_PAGE)
        await bench.until(lambda: window.pages.current_id == CONTROL_PAGE)
        window.go(ToSettings(APPEARANCE, "density"))
        pages = window.opened.pages if window.opened else None
        assert pages is not None
        await bench.until(lambda: window.pages.current_id == SETTINGS_PAGE)
        page = cast("SettingsPage", pages.page(SETTINGS_PAGE))
        await bench.until(lambda: page.group(APPEARANCE) is not None)
        group: Any = page.group(APPEARANCE)
        assert group is not None
        found(group, "density").choose("compact")
        await bench.until(window.menus["density:compact"].isChecked)
        assert not window.menus["density:comfortable"].isChecked()
        window.go(ToPageBefore())
        assert window.pages.current_id == CONTROL_PAGE

    drive(tmp_path / "root", nothing, wear)
