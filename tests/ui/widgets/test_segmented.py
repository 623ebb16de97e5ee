from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.look.theme import Theme


@pytest.fixture
def switch(theme: Theme, qtbot: QtBot) -> SegmentedSwitch:
    switch = SegmentedSwitch(
        theme,
        [Segment("short", "Short-term"), Segment("long", "Long-term", "clock", "Kept")],
        "Lifetime",
    )
    qtbot.addWidget(switch)
    switch.show()
    return switch


def test_the_first_segment_is_chosen_at_first(switch: SegmentedSwitch) -> None:
    assert switch.choice() == "short"
    assert switch.accessibleName() == "Lifetime"


def test_a_choice_is_told_once(switch: SegmentedSwitch, qtbot: QtBot) -> None:
    said: list[str] = []
    switch.choice_changed.connect(said.append)
    switch.choose("long")
    switch.choose("long")
    switch.choose("nonsense")
    assert said == ["long"]
    assert switch.choice() == "long"


def test_choosing_never_moves_the_neighbours(switch: SegmentedSwitch) -> None:
    before = switch.sizeHint()
    switch.choose("long")
    assert switch.sizeHint() == before
