"""The twelve scenarios as a table: at both doors, with the embedding model and without it.

python -m tests.end2end.scenario_table
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from typing import Any

HEADS = {"usecases": "use cases", "protocol": "MCP"}
Place = tuple[str, str, str]


class Outcomes:
    """A plugin that keeps what became of every scenario, by id, door and model."""

    def __init__(self) -> None:
        """Nothing has run yet."""
        self.by_place: dict[Place, list[bool]] = defaultdict(list)
        self._places: dict[str, Place] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note which test shows what."""
        for item in session.items:
            mark = item.get_closest_marker("requirement")
            if mark is not None and isinstance(item, pytest.Function):
                way: Any = item.callspec.params["stage"]
                model, through = way
                place = (str(mark.args[0]), through, model)
                self._places[item.nodeid] = place

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what became of it; a set-up that fails is no success either."""
        place = self._places.get(report.nodeid)
        if place is not None and (report.when == "call" or not report.passed):
            self.by_place[place].append(report.passed)

    def table(self) -> list[str]:
        """Markdown; a cell says how many variants passed of how many."""
        # Only now: pytest wants to be the first to import what it runs.
        from tests.end2end.test_scenarios import DOORS, MODELS, SCENARIOS

        columns = [(door, model) for door in DOORS for model in MODELS]
        heads = [f"{HEADS[door]}, {model.replace('-', ' ')}" for door, model in columns]
        lines = [f"| scenario | {' | '.join(heads)} |", f"|---|{'---|' * len(columns)}"]
        for scenario in sorted(SCENARIOS):
            cells = [self._cell((scenario, door, model)) for door, model in columns]
            lines.append(f"| {scenario} | {' | '.join(cells)} |")
        return lines

    def _cell(self, place: Place) -> str:
        ran = self.by_place[place]
        return f"{sum(ran)} of {len(ran)} passed" if ran else "not run"


def main() -> int:
    """Run the scenarios and print the table; the exit status of the run."""
    outcomes = Outcomes()
    path = str(Path(__file__).with_name("test_scenarios.py"))
    # By a mark, which has the wide ones run, too.
    everything = ["-q", "-p", "no:cacheprovider", "-m", "end2end", path]
    status = pytest.main(everything, plugins=[outcomes])
    sys.stdout.write("\n".join(["", *outcomes.table(), ""]))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
