from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.sliders import ImportanceField, importance_from
from inklings_desktop.ui.kit.look.theme import Theme


@pytest.fixture
def field(theme: Theme, qtbot: QtBot) -> ImportanceField:
    field = ImportanceField(theme)
    qtbot.addWidget(field)
    field.resize(260, 30)
    field.show()
    field.set_value(0.55)
    return field


def type_figure(field: ImportanceField, text: str) -> None:
    field.edit.selectAll()
    QTest.keyClicks(field.edit, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0.0), ("1", 1.0), ("0,35", 0.35), (" 0.5 ", 0.5), (".7", 0.7)],
)
def test_figures_from_0_to_1_are_taken(text: str, value: float) -> None:
    assert importance_from(text) == value


@pytest.mark.parametrize("text", ["1.2", "-0.1", "nan", "inf", "", "much", "1e9"])
def test_other_figures_are_not(text: str) -> None:
    assert importance_from(text) is None


def test_slider_and_figure_follow_each_other(field: ImportanceField, qtbot: QtBot) -> None:
    with qtbot.waitSignal(field.value_changed, timeout=1000) as changed:
        QTest.keyClick(field.slider, Qt.Key.Key_Right)
    assert changed.args == [0.56]
    assert field.edit.text() == "0.56"
    type_figure(field, "0.8")
    assert field.slider.value() == 80
    assert field.value() == 0.8


def test_setting_a_value_is_silent(field: ImportanceField, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(field.value_changed):
        field.set_value(0.31)
    assert (field.edit.text(), field.slider.value()) == ("0.31", 31)
    assert field.slider.accessibleDescription() == "0.31"


def test_a_figure_outside_the_range_says_so_and_changes_nothing(
    field: ImportanceField, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(field.validity_changed, timeout=1000) as validity:
        type_figure(field, "1.2")
    assert validity.args == [False]
    assert not field.is_valid()
    assert field.edit.property("invalid") == "true"
    assert field.edit.accessibleDescription() == "Importance runs from 0 to 1."
    assert field.value() == 1.0
    type_figure(field, "0.4")
    assert field.is_valid()
    assert field.value() == 0.4


def test_the_slider_goes_where_it_is_clicked(field: ImportanceField) -> None:
    QTest.mouseClick(
        field.slider,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(field.slider.width() - 8, 12),
    )
    assert field.value() == pytest.approx(1.0, abs=0.02)


def test_a_read_only_field_cannot_be_moved(field: ImportanceField) -> None:
    field.set_read_only(read_only=True)
    assert not field.slider.isEnabled()
    assert field.edit.isReadOnly()
