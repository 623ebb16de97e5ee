"""A new workspace says what the agent will read before the first turn, and leads there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.presenters.places import Place
from inklings_desktop.ui.presenters.shell_presenter import ENTRIES_PAGE
from inklings_desktop.ui.presenters.standing_words import StandingPart, standing_parts
from inklings_desktop.ui.widgets.link_button import LinkButton
from tests.ui.entries_bench import written
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def with_soul(bench: Bench) -> None:
    written(bench, "SOUL", "Be dry and kind.\n")


def test_soul_and_voice_say_how_they_stand_and_lead_to_their_page(tmp_path: Path) -> None:
    async def look(bench: WindowBench) -> None:
        page = bench.window.page
        await bench.until(page.empty.isVisible)
        await bench.until(lambda: len(page.standing.findChildren(LinkButton)) == 2)
        inklings = bench.bench.inklings
        entries = inklings.list_entries(inklings.caller, bench.bench.workspace.id)
        soul, voice = standing_parts(entries)
        assert soul == StandingPart(soul.entry_id, "SOUL", "carries over from your account", True)
        assert (voice.name, voice.words, voice.is_written) == (
            "VOICE",
            "is an empty outline",
            False,
        )
        assert page.standing.isVisible()
        bench.desk.shell.go(Place(Tier.ACCOUNT))
        await bench.until(lambda: not page.standing.isVisible())
        bench.desk.shell.go(Place(Tier.WORKSPACE))
        await bench.until(page.standing.isVisible)

        link = next(one for one in page.standing.findChildren(LinkButton) if one.text() == "VOICE")
        link.click()
        await bench.until(lambda: bench.window.pages.current_id == ENTRIES_PAGE)
        entries_desk = bench.window.desks.entries  # type: ignore[union-attr]
        assert entries_desk is not None
        await bench.until(lambda: entries_desk.entry.state.name == "VOICE")

    drive(tmp_path, with_soul, look)
