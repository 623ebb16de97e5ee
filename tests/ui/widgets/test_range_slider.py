from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.sliders import RangeSlider
from inklings_desktop.ui.kit.look.theme import Theme


@pytest.fixture
def slider(theme: Theme, qtbot: QtBot) -> RangeSlider:
    slider = RangeSlider(theme, "Importance")
    qtbot.addWidget(slider)
    slider.resize(220, 24)
    slider.show()
    slider.activateWindow()
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    return slider


def test_arrow_keys_move_the_lower_then_the_upper_handle(slider: RangeSlider) -> None:
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert slider.range() == pytest.approx((0.05, 1.0))
    slider.focusNextPrevChild(True)
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert slider.range() == pytest.approx((0.05, 0.95))


def test_handles_never_pass_each_other(slider: RangeSlider) -> None:
    slider.set_range(0.4, 0.5)
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert slider.range() == (0.5, 0.5)


def test_the_nearer_handle_follows_the_mouse(slider: RangeSlider) -> None:
    QTest.mouseClick(
        slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(160, 12)
    )
    low, high = slider.range()
    assert low == 0.0
    assert high == pytest.approx(0.75, abs=0.051)


@pytest.mark.parametrize("ends", [(0.8, 0.2), (-3.0, 7.0)])
def test_odd_ends_are_put_right(slider: RangeSlider, ends: tuple[float, float]) -> None:
    slider.set_range(*ends)
    low, high = slider.range()
    assert 0.0 <= low <= high <= 1.0
    assert slider.accessibleDescription() == f"{low:.2f} \u2013 {high:.2f}"
