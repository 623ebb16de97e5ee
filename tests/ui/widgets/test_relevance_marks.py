from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.look.memory_marks import (
    band_colour,
    figure_of,
    paint_decay_curve,
    paint_importance_bar,
    span_hours,
    stroke_opacity,
)
from inklings_desktop.ui.kit.look.theme import Theme

ACCENT, GROUND = QColor("#17695c"), QColor("#ffffff")


@pytest.mark.parametrize(
    ("relevance", "role"),
    [
        (2.65, "accent"),
        (1.0, "accent"),
        (0.999, "accent"),
        (0.30, "accent"),
        (0.29, "ochre"),
        (0.01, "ochre"),
        (0.0099, "graphite"),
        (0.0, "graphite"),
    ],
)
def test_the_colours_of_bands_begin_where_the_design_says(
    theme: Theme, relevance: float, role: str
) -> None:
    assert band_colour(theme, relevance) == theme.color(role)


@pytest.mark.parametrize(
    ("relevance", "printed"),
    [
        (0.0, "<0.01"),
        (0.0099, "<0.01"),
        (0.01, "0.01"),
        (0.314, "0.31"),
        (9.99, "9.99"),
        (12.0, "9.99+"),
    ],
)
def test_figures_are_printed_as_the_design_says(relevance: float, printed: str) -> None:
    assert figure_of(relevance) == printed


def test_ink_never_vanishes_and_never_exceeds_full_strength() -> None:
    assert stroke_opacity(0.0) == 0.25
    assert stroke_opacity(1.0) == stroke_opacity(7.0) == 1.0


def test_a_curve_shows_four_weeks_or_more() -> None:
    assert span_hours(3.0) == 28 * 24
    assert span_hours(40 * 24.0) == pytest.approx(50 * 24)


def canvas() -> tuple[QImage, QPainter]:
    image = QImage(88, 26, QImage.Format.Format_RGB32)
    image.fill(GROUND)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return image, painter


def dot_column(*, hours: float, rate: float) -> int:
    """Where most ink stands: the dot for now."""
    image, painter = canvas()
    paint_decay_curve(
        painter,
        QRectF(0, 0, 88, 26),
        hours_since_base=hours,
        start=0.5,
        rate_per_hour=rate,
        colour=ACCENT,
        ground=GROUND,
        axis=QColor("#dde1db"),
    )
    painter.end()
    ink = [
        sum(image.pixelColor(x, y) == ACCENT for y in range(image.height()))
        for x in range(image.width())
    ]
    return ink.index(max(ink))


def test_the_dot_moves_right_with_age(qapp: QApplication) -> None:
    columns = [dot_column(hours=hours, rate=0.995) for hours in (24, 240, 480)]
    assert columns == sorted(columns)
    assert columns[2] - columns[0] > 40


def test_a_level_curve_has_its_dot_at_the_right_end(qapp: QApplication) -> None:
    assert dot_column(hours=2, rate=1.0) > 78


@pytest.mark.parametrize(("importance", "filled"), [(0.0, 0), (0.5, 44), (1.0, 88), (7.0, 88)])
def test_the_bar_is_filled_as_far_as_importance_reaches(
    qapp: QApplication, importance: float, filled: int
) -> None:
    image, painter = canvas()
    rect = QRectF(0, 0, 88, 4)
    paint_importance_bar(painter, rect, importance, track=QColor("#dddddd"), fill=ACCENT)
    painter.end()
    inked = sum(image.pixelColor(x, 2) == ACCENT for x in range(88))
    assert inked == pytest.approx(filled, abs=3)
