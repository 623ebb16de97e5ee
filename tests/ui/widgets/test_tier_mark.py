"""The rings are drawn once and copied, and nobody sees the difference."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmapCache
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.tabs import RingTab, RingTabBar, TabRoom
from inklings_desktop.ui.kit.look import memory_marks as tier_mark
from inklings_desktop.ui.kit.look.memory_marks import TierMark, paint_tier_mark
from inklings_desktop.ui.kit.look.theme import Theme

pytestmark = pytest.mark.usefixtures("qapp")

INK = QColor("#2f6f5f")
FAR = 2


def drawn(rect: QRectF, inked: int, ratio: float, *, direct: bool) -> QImage:
    image = QImage(round(60 * ratio), round(40 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint = tier_mark._paint_rings if direct else paint_tier_mark
    paint(painter, rect, inked, INK)
    painter.end()
    return image


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("inked", [1, 4])
def test_a_copied_mark_looks_as_if_it_were_drawn(ratio: float, inked: int) -> None:
    for rect in (QRectF(20, 10, 18, 18), QRectF(20.5, 9.5, 18, 18)):
        direct = drawn(rect, inked, ratio, direct=True)
        for _ in range(2):  # drawn, then copied
            copied = drawn(rect, inked, ratio, direct=False)
            for x in range(direct.width()):
                for y in range(direct.height()):
                    one, other = direct.pixelColor(x, y), copied.pixelColor(x, y)
                    assert abs(one.lightness() - other.lightness()) <= FAR, (x, y)


def test_marks_that_differ_are_not_mixed_up() -> None:
    QPixmapCache.clear()
    rect = QRectF(20, 10, 18, 18)
    images = [drawn(rect, inked, 1.0, direct=False) for inked in (1, 2, 3, 4)]
    assert len({bytes(image.constBits()) for image in images}) == 4


def test_rings_grow_with_the_words_beside_them(theme: Theme, qtbot: QtBot) -> None:
    small, large = (TierMark(theme, inked=2, role="tierChannel", edge=edge) for edge in (16, 26))
    bar = RingTabBar(theme)
    for one in (small, large, bar):
        qtbot.addWidget(one)
    bar.set_tabs([RingTab("channel", "Channel", 2, "tierChannel", "", "Channel")])
    bar.set_room(TabRoom.MARKS)
    assert [one.sizeHint().width() for one in (small, large)] == [16, 26]
    theme.set_text_scale(1.4)
    try:
        assert [one.sizeHint().width() for one in (small, large)] == [24, theme.scaled(26)]
        picture = bar.grab().toImage()
        rows = [
            y
            for y in range(picture.height())
            if any(picture.pixelColor(x, y) != picture.pixelColor(0, 0) for x in range(1, 12))
        ]
        assert rows[-1] - rows[0] > 18, "the outermost ring is higher than at ordinary type"
    finally:
        theme.set_text_scale(1.0)
    assert small.sizeHint().width() == 16
