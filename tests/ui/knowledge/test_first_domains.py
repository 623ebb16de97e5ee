"""Where a world begins to settle anything: two domains in one step, which can be undone."""

from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.ui.kit.marks.empty_state import ActionCard
from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def nothing(_bench: Bench) -> None:
    """A world in which nothing is settled."""


def cards(tab: Any) -> dict[str, ActionCard]:
    """What the empty page offers, by its words."""
    found = tab.view.findChildren(ActionCard)
    return {one.text(): one for one in found if one.isVisible()}


@scene(drive, nothing)
async def test_canon_and_house_rules_are_made_as_one_step(bench: WindowBench, /) -> None:
    window, inklings, here = bench.window, bench.bench.inklings, bench.bench.workspace.id

    def names() -> list[str]:
        return [one.domain.name for one in inklings.domains.list(here)]

    window.go(ToKnowledge())
    opened = window.opened
    assert opened is not None
    await bench.until(lambda: opened.pages.page(KNOWLEDGE_PAGE) is not None)
    page: Any = opened.pages.page(KNOWLEDGE_PAGE)
    tab = page.facts
    await bench.until(lambda: tab.content is not None)
    await bench.until(lambda: list(cards(tab)) == ["Make Canon and House rules", "New fact"])
    cards(tab)["Make Canon and House rules"].click()
    await bench.until(lambda: names() == ["Canon", "House rules"])
    await bench.until(lambda: list(cards(tab)) == ["New fact"])
    window.menus["undo"].trigger()
    await bench.until(lambda: not names())
