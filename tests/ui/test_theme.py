from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QFont, QFontInfo, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.assets import resource_path
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme


def test_roles_follow_the_scheme(theme: Theme, qtbot: QtBot) -> None:
    assert theme.color("accent").name() == "#17695c"
    before = theme.generation
    with qtbot.waitSignal(theme.changed, timeout=1000):
        theme.set_choice(SchemeChoice.DARK)
    assert theme.color("accent").name() == "#6fcbb6"
    assert theme.generation == before + 1


def test_same_scheme_again_is_not_a_change(theme: Theme, qtbot: QtBot) -> None:
    before = theme.generation
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_choice(SchemeChoice.LIGHT)
    assert theme.generation == before


def test_unknown_system_scheme_is_light(qapp: QApplication) -> None:
    assert not Theme(SchemeChoice.SYSTEM).is_dark


def test_functional_colours_keep_their_opacity(theme: Theme) -> None:
    scrim = theme.color("scrim")
    assert (scrim.red(), scrim.green(), scrim.blue()) == (23, 33, 43)
    assert scrim.alphaF() == pytest.approx(0.38, abs=0.01)


def test_faces_and_weights_are_the_bundled_ones(theme: Theme) -> None:
    reading, label = theme.font("reading"), theme.font("label")
    assert QFontInfo(reading).family() == "Source Serif Pro"
    assert QFontInfo(label).family() == "Source Sans Pro"
    assert (reading.pixelSize(), label.pixelSize()) == (15, 12)
    assert QFontInfo(label).weight() == QFont.Weight.DemiBold
    assert reading.hintingPreference() == QFont.HintingPreference.PreferNoHinting


def test_figures_of_numerals_are_tabular(theme: Theme) -> None:
    assert theme.font("numeral").isFeatureSet(QFont.Tag("tnum"))
    assert theme.font("meta", tabular=True).isFeatureSet(QFont.Tag("tnum"))
    assert not theme.font("meta").isFeatureSet(QFont.Tag("tnum"))


def test_text_scale_grows_type_and_rows_but_not_panes(theme: Theme) -> None:
    theme.set_text_scale(1.4)
    assert theme.font("reading").pixelSize() == 21
    assert theme.line("reading") == 31
    assert theme.px("rowComfortable") == 120
    assert theme.px("rail") == 228
    assert theme.icon_px(16) in {20, 24}


@pytest.mark.parametrize(("asked", "given"), [(0.2, 0.9), (3.0, 1.4), (1.2, 1.2)])
def test_text_scale_is_clamped(theme: Theme, asked: float, given: float) -> None:
    theme.set_text_scale(asked)
    assert theme.text_scale == given


def test_reduced_motion_stops_movement_but_not_the_toast(theme: Theme) -> None:
    assert theme.duration("gentle") == 220
    theme.set_reduced_motion(reduced=True)
    assert theme.duration("gentle") == 0
    assert theme.duration("undoToast") == 10_000


def test_palette_takes_the_roles_of_the_design(theme: Theme) -> None:
    palette = theme.palette()
    for role, name in (
        (QPalette.ColorRole.Window, "window"),
        (QPalette.ColorRole.Base, "surface"),
        (QPalette.ColorRole.PlaceholderText, "inkFaint"),
        (QPalette.ColorRole.HighlightedText, "ink"),
        (QPalette.ColorRole.Accent, "accent"),
    ):
        assert palette.color(role) == theme.color(name)


@pytest.mark.parametrize("choice", [SchemeChoice.LIGHT, SchemeChoice.DARK])
def test_style_sheet_has_no_open_placeholder(qapp: QApplication, choice: SchemeChoice) -> None:
    sheet = Theme(choice).style_sheet()
    assert Theme(choice).color("surface").name().upper() in sheet.upper()
    assert re.search(r"\{[A-Za-z.]+\}", sheet) is None


def test_applying_dresses_the_application_and_later_changes_too(
    theme: Theme, qapp: QApplication
) -> None:
    try:
        theme.apply(qapp)
        assert qapp.font().families()[0] == "Source Sans Pro"
        light = qapp.styleSheet()
        theme.set_choice(SchemeChoice.DARK)
        assert qapp.styleSheet() != light
        assert qapp.palette().color(QPalette.ColorRole.Window) == theme.color("window")
    finally:
        theme.set_choice(SchemeChoice.LIGHT)
        qapp.setStyleSheet("")


def test_icons_come_in_steps(theme: Theme) -> None:
    assert theme.pixmap("eraser", "ink", 15, ratio=1.0).width() == 14
    assert not theme.icon("eraser", "madder", 16).isNull()


@pytest.mark.parametrize(("mark", "role"), [("check", "accent"), ("arrow", "inkSoft")])
@pytest.mark.parametrize("choice", [SchemeChoice.LIGHT, SchemeChoice.DARK])
def test_marks_of_menus_are_files_in_the_inks_of_the_theme(
    mark: str, role: str, choice: SchemeChoice
) -> None:
    theme = Theme(choice)
    path = resource_path("styles", "marks", f"{mark}-{choice.value}.svg")
    assert path.as_posix() in theme.style_sheet()
    assert f'stroke="{theme.color(role).name().upper()}"' in path.read_text("utf-8")
    assert QSvgRenderer(str(path)).isValid()
