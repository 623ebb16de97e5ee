"""A state of the Control plane: what an agent is asked at its time, and what came of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.background.activities import ActivityDraft, Budget, Outcome
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.tour.tour import Stop, settle, until

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings

ASKED: tuple[tuple[str, str, str, dict[str, Any], bool], ...] = (
    (
        "Weekly continuity",
        "Read the chapters that changed since last week. Report contradictions as pairs.",
        "weekly-continuity",
        {"weekly": [2], "at": "10:30"},
        True,
    ),
    (
        "Letters digest",
        "Sum up the new letters, one line each.",
        "beta-letters",
        {"after_new": 10},
        True,
    ),
    (
        "Moon count",
        "Count the moonlights of the book. There may be two.",
        "drafting-desk",
        {"monthly": 1, "at": "09:00"},
        False,
    ),
)
ENDED = (Outcome.DONE, Outcome.BUDGET, Outcome.DONE)


def add_activities(inklings: Inklings, workspace_id: str) -> None:
    """Three activities; the first ran three times."""
    made = [
        inklings.activities.make(
            workspace_id,
            ActivityDraft(
                name, asked, channel, schedule_of(when, "UTC"), Budget(cost_micro=500_000), is_on
            ),
        )
        for name, asked, channel, when, is_on in ASKED
    ]
    now = inklings.clock()
    with inklings.parts.store.write(workspace_id, initiator="sample") as unit:
        for number, outcome in enumerate(ENDED):
            run, at = f"c{number}:t1", now - timedelta(days=7 * (3 - number), minutes=90)
            unit.activities.begin_run(made[0].id, run, f"c{number}", at)
            problem = "limit_reached" if outcome is Outcome.BUDGET else ""
            unit.activities.end_run(run, outcome, problem, at + timedelta(minutes=2 + number))
        last = replace(made[0], last_started_at=at, last_outcome=ENDED[-1])
        unit.activities.put(last)
        unit.commit()


async def show_schedule(_memory: MemoryPage, window: MainWindow) -> None:
    """All of them, and the last runs of the first."""
    opened = window.opened
    assert opened is not None
    opened.context.go(ToTab("schedule"))
    await until(lambda: opened.pages.page(CONTROL_PAGE) is not None)
    page: Any = opened.pages.page(CONTROL_PAGE)
    tab = page.tab("schedule")
    await until(lambda: tab.content is not None and len(tab.content.activities) == len(ASKED))
    named = {one.activity.name: one.activity.id for one in tab.content.activities}
    tab._choose(named[ASKED[0][0]])
    await until(lambda: len(tab.content.runs) == len(ENDED))
    await settle()


SCHEDULE = Stop("17a-schedule", show_schedule)
