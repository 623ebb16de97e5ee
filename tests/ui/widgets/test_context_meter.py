from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.meters import ContextMeter, MeterShare, SoftLimitBar

SHARES = [
    MeterShare("VOICE", 590, "tierWorkspace"),
    MeterShare("WORLDBUILDING_PRINCIPLES", 291, "tierWorkspace", pale=True),
    MeterShare("SOUL", 432, "tierAccount"),
    MeterShare("RESEARCH_STYLE", 245, "tierAccount", pale=True),
]


@pytest.fixture(autouse=True)
def english_figures() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("en_GB"))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def meter(theme: Theme, qtbot: QtBot) -> ContextMeter:
    meter = ContextMeter(theme, 6000)
    qtbot.addWidget(meter)
    meter.resize(240, 8)
    return meter


def test_the_meter_is_heard_as_figures(meter: ContextMeter) -> None:
    meter.show_shares(SHARES)
    assert meter.accessibleName() == "Always in context"
    assert meter.accessibleDescription() == "1,558 of 6,000 characters, 4 entries"
    meter.show_shares(SHARES[:1])
    assert meter.accessibleDescription() == "590 of 6,000 characters, 1 entry"


def test_each_entry_has_a_segment_of_its_share(meter: ContextMeter, theme: Theme) -> None:
    meter.show_shares(SHARES)
    spans = meter.spans()
    assert [round(width + 1) for _, width in spans] == [24, 12, 17, 10]
    image = meter.grab().toImage()
    colours = [image.pixelColor(round(left + width / 2), 4) for left, width in spans]
    assert colours[0] == theme.color("tierWorkspace")
    assert colours[2] == theme.color("tierAccount")
    assert len({colour.name() for colour in colours}) == 4
    assert image.pixelColor(200, 4) == theme.color("line")


def test_too_much_in_all_is_madder_and_fills_the_bar(meter: ContextMeter, theme: Theme) -> None:
    meter.show_shares([MeterShare("VOICE", 4000, "tierWorkspace"), MeterShare("SOUL", 2000, "x")])
    assert not meter.is_over()
    meter.show_shares(
        [MeterShare("VOICE", 4000, "tierWorkspace"), MeterShare("SOUL", 2001, "tierAccount")]
    )
    assert meter.is_over()
    image = meter.grab().toImage()
    assert image.pixelColor(60, 4) == image.pixelColor(230, 4) == theme.color("madder")


def test_a_short_entry_is_seen_beside_long_ones(meter: ContextMeter) -> None:
    meter.show_shares([MeterShare("A", 5900, "accent"), MeterShare("B", 1, "accent")])
    assert meter.spans()[1][1] >= 2


def test_the_entry_under_the_mouse_is_named(meter: ContextMeter) -> None:
    meter.show_shares(SHARES)
    assert meter._told_at(5) == "VOICE: 590 characters"
    assert meter._told_at(230) == "1,558 of 6,000 characters, 4 entries"


def test_the_bar_fills_to_its_limit_and_turns_ochre_beyond(theme: Theme, qtbot: QtBot) -> None:
    bar = SoftLimitBar(theme, 2000)
    qtbot.addWidget(bar)
    bar.set_value(1000)
    bar.adjustSize()
    image = bar.grab().toImage()
    assert image.pixelColor(20, 3) == theme.color("accent")
    assert image.pixelColor(50, 3) == theme.color("line")
    bar.set_value(2000)
    assert not bar.is_over()
    assert bar.grab().toImage().pixelColor(50, 3) == theme.color("accent")
    bar.set_value(2001)
    assert bar.grab().toImage().pixelColor(50, 3) == theme.color("ochre")
    assert bar.accessibleDescription() == "2,001 of 2,000 characters"
    theme.set_text_scale(1.4)
    assert bar.sizeHint().height() == 8
