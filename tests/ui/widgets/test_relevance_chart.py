from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.relevance_chart import ChartCurve, RelevanceChart

BASE = datetime(2026, 3, 3, 12, tzinfo=UTC)


def a_curve(importance: float = 0.55, rate: float = 0.995) -> ChartCurve:
    def relevance_at(hours: float) -> float:
        return importance * math.pow(rate, hours) * (1 + math.log(3))

    return ChartCurve(relevance_at, 264.0, BASE, "last read", promote_at=0.7)


@pytest.fixture
def chart(theme: Theme, qtbot: QtBot) -> RelevanceChart:
    chart = RelevanceChart(theme)
    qtbot.addWidget(chart)
    chart.resize(352, 132)
    chart.show()
    return chart


def test_the_chart_speaks_of_now_next_week_and_half_life(chart: RelevanceChart) -> None:
    chart.show_curve(a_curve())
    assert chart.accessibleName() == "Relevance over time"
    assert chart.accessibleDescription() == "Now 0.31; 0.13 in 7 days; half gone every 5.8 days"


def test_a_level_curve_has_no_half_life(chart: RelevanceChart) -> None:
    chart.show_curve(a_curve(rate=1.0))
    assert "half" not in chart.summary()


def test_arrow_keys_read_values_off(chart: RelevanceChart) -> None:
    chart.show_curve(a_curve())
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert chart.reading_text() == "3 Mar 2026   1.15"
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.reading_text() == "4 Mar 2026   1.02"
    assert chart.accessibleDescription() == chart.reading_text()
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert chart.reading_text().startswith("31 Mar 2026")


def test_the_pointer_reads_values_off(chart: RelevanceChart, qtbot: QtBot) -> None:
    chart.show_curve(a_curve())
    QTest.mouseMove(chart, QPoint(186, 60))
    qtbot.waitUntil(lambda: chart.reading_text().startswith("17 Mar 2026"))


def test_a_draft_keeps_the_stored_curve_as_a_hairline(chart: RelevanceChart) -> None:
    chart.show_curve(a_curve(0.9))
    alone = chart.grab().toImage()
    chart.show_draft(a_curve(0.4))
    with_draft = chart.grab().toImage()
    assert with_draft != alone
    chart.show_draft(a_curve(0.9))
    assert chart.summary().startswith("Now 0.50")
    chart.show_curve(a_curve(0.9))
    assert chart.grab().toImage() == alone


def test_without_a_curve_nothing_is_said_or_drawn(chart: RelevanceChart) -> None:
    chart.show_curve(None)
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert chart.summary() == ""
    assert chart.reading_text() == ""


@pytest.mark.parametrize("hours", [0.0, 1.0, 24.0 * 80, 24.0 * 4000])
def test_any_age_is_drawn(chart: RelevanceChart, hours: float) -> None:
    chart.show_curve(ChartCurve(lambda h: 0.5 * 0.99**h, hours, BASE, "created"))
    assert not chart.grab().isNull()


def test_no_line_runs_through_the_word_at_now(theme: Theme, chart: RelevanceChart) -> None:
    # Faint and old: the line of promotion lies where the word is written.
    faint = ChartCurve(lambda h: 0.15 * 0.995**h, 576.0, BASE, "written", promote_at=0.7)
    chart.show_curve(faint)
    picture = chart.grab().toImage()
    ink, lapis = theme.color("ink"), theme.wash("lapis", 0.8)
    columns = range(picture.width())
    marked = [x for x in columns if picture.pixelColor(x, 40) == ink]
    assert len(marked) == 1, "the line of now"
    beside = range(marked[0] + 4, marked[0] + 24)
    blue = [
        (x, y)
        for x in beside
        for y in range(24)
        if (colour := picture.pixelColor(x, y)).blue() - colour.red() > 40
    ]
    assert blue == []
    assert lapis.blue() - lapis.red() > 40
