"""A new workspace says what the agent will read before the first turn, and leads there."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.empty.standing_line import (
    StandingLine,
    StandingPart,
    standing_parts,
)
from tests.support.scenes import scene
from tests.ui.entries_bench import name_in, written
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def with_soul(bench: Bench) -> None:
    written(bench, "SOUL", "Be dry and kind.\n")


@scene(drive, with_soul)
async def test_soul_and_voice_say_how_they_stand_and_lead_to_their_page(
    bench: WindowBench, /
) -> None:
    page = bench.window.page
    await bench.until(page.empty.isVisible)
    await bench.until(lambda: len(page.standing.findChildren(LinkButton)) == 2)
    inklings = bench.bench.inklings
    entries = inklings.entries.list(bench.bench.workspace.id)
    soul, voice = standing_parts(entries)
    assert soul == StandingPart(soul.entry_id, "SOUL", "carries over from your account", True)
    assert (voice.name, voice.words, voice.is_written) == (
        "VOICE",
        "is an empty outline",
        False,
    )
    assert page.standing.isVisible()
    bench.memory.shell.go(Place(Tier.ACCOUNT))
    await bench.until(lambda: not page.standing.isVisible())
    bench.memory.shell.go(Place(Tier.WORKSPACE))
    await bench.until(page.standing.isVisible)

    link = next(one for one in page.standing.findChildren(LinkButton) if one.text() == "VOICE")
    link.click()
    await bench.until(lambda: bench.window.pages.current_id == ENTRIES_PAGE)
    entries_desk = bench.window.opened.entries  # type: ignore[union-attr]
    assert entries_desk is not None
    await bench.until(lambda: name_in(entries_desk) == "VOICE")


def test_what_is_below_takes_a_height_that_its_width_alone_decides(theme: Theme) -> None:
    empty = EmptyState(theme)
    line = StandingLine(theme, empty)
    empty.add_foot(line)
    line.show_parts(
        [
            StandingPart("1", "VOICE", "not written yet", is_written=False),
            StandingPart("2", "WORLDBUILDING_PRINCIPLES", "not written yet", is_written=False),
            StandingPart("3", "SOUL", "written", is_written=True),
        ]
    )
    empty.show_state("Nothing remembered yet", "It appears here.")
    page = line.parentWidget()
    assert page is not None
    empty.show()
    heights = set()
    for width in (500, 700, 900, 700, 500):
        empty.resize(width, 1_600)
        QApplication.processEvents()
        assert page.width() == width
        heights.add(tuple(page.heightForWidth(one) for one in range(400, 1_000, 50)))
        pieces = [one for one in line.findChildren(QWidget) if one.parent() is line]
        shown = [one.geometry() for one in pieces if one.isVisible()]
        assert not any(a.intersects(b) for a, b in combinations(shown, 2))
        assert all(line.rect().contains(one) for one in shown)
    assert len(heights) == 1  # else a bar that comes makes itself needless, and goes, and so on
    assert len(set(*heights)) == 2  # it does fold
