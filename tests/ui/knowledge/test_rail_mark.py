"""What the rail says of facts before anybody looks at them, in the real window."""

from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.rail.model import RailRole
from inklings_desktop.usecases.knowledge.values import FactDraft
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def test_the_rail_counts_facts_and_disputes_from_the_start(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        here = bench.workspace.id
        bench.inklings.domains.create(here, "people")
        for hand in ("left", "right"):
            text = f"Nerys writes with her {hand} hand."
            bench.inklings.facts.put(here, FactDraft("people", "Nerys/hand", text))

    async def act(bench: WindowBench) -> None:
        model = bench.window.rail.model

        def said() -> str:
            rows = (model.index(one, 0).data(RailRole.ROW) for one in range(model.rowCount()))
            return next(str(row.accessible_description) for row in rows if row.id == KNOWLEDGE_PAGE)

        await until(lambda: "2 facts, 1 disagrees" in said())
        assert bench.window.opened is not None
        assert bench.window.opened.pages.page(KNOWLEDGE_PAGE) is None

    drive(tmp_path / "root", prepare, act)
