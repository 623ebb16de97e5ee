"""A state of the Control plane: what an agent is asked at its time, and what came of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.background.activities import (
    WORLD_AGENT,
    ActivityDraft,
    Budget,
    Outcome,
    RunEnd,
)
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.ui.control.schedule_dialog import ActivityDialog
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.tour.tour import Stop, settle, until
from tests.support.stand_ins import with_agent

if TYPE_CHECKING:
    from inklings_desktop.domain.background.activities import Errand
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress

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
DIGEST = "Two letters about the lamp oil, and a new route in the map room."
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


@dataclass(frozen=True, slots=True)
class Answering:
    """An agent that answers every errand with the same words."""

    def is_there(self, agent: str = WORLD_AGENT) -> bool:
        return agent == WORLD_AGENT

    def carry_out(self, errand: Errand, _progress: Progress) -> RunEnd:
        told = json.dumps([{"kind": "text", "text": DIGEST}])
        answer = MessageDraft(MessageRole.ASSISTANT, told, errand.turn)
        return RunEnd(Outcome.DONE, answer=answer, n_tool_calls=9)


def add_missed_week(inklings: Inklings, workspace_id: str) -> None:
    """A daily activity that was due seven times while the program was closed, caught up once."""
    daily = schedule_of({"daily": "09:30"}, "UTC")
    draft = ActivityDraft("Morning digest", "What is new since I was here?", "map-room", daily)
    made = inklings.activities.make(workspace_id, draft)
    assert made.next_due_at is not None
    due, now = made.next_due_at, inklings.clock()
    while due > now - timedelta(days=7):
        due -= timedelta(days=1)
    with inklings.parts.store.write(workspace_id, initiator="sample") as unit:
        unit.activities.put(replace(made, next_due_at=due + timedelta(days=1)))
        unit.commit()
    with_agent(inklings, Answering()).activities.run(workspace_id, made.id, trigger="start")


async def the_tab(window: MainWindow) -> Any:
    """The tab, once it shows the runs of the first activity."""
    opened = window.opened
    assert opened is not None
    opened.context.go(ToTab("schedule"))
    await until(lambda: opened.pages.page(CONTROL_PAGE) is not None)
    page: Any = opened.pages.page(CONTROL_PAGE)
    tab = page.tab("schedule")
    await until(lambda: tab.content is not None and len(tab.content.activities) > len(ASKED))
    return tab


async def show_schedule(_memory: MemoryPage, window: MainWindow) -> None:
    """All of them, and the last runs of the first."""
    tab = await the_tab(window)
    named = {one.activity.name: one.activity.id for one in tab.content.activities}
    tab._choose(named[ASKED[0][0]])
    await until(lambda: len(tab.content.runs) == len(ENDED))
    await settle()


async def show_edit(_memory: MemoryPage, window: MainWindow) -> None:
    """The dialog of the one whose runs at night came out thin."""
    await show_schedule(_memory, window)
    tab = await the_tab(window)
    tab._edit(tab._view)
    await until(lambda: any(one.isVisible() for one in window.findChildren(ActivityDialog)))
    await settle()


async def show_caught_up(_memory: MemoryPage, window: MainWindow) -> None:
    """What a week brought that the program was closed: one conversation, unread, and why."""
    for dialog in window.findChildren(ActivityDialog):
        dialog.reject()
    tab = await the_tab(window)
    [found] = [one for one in tab.content.activities if one.activity.missed]
    tab._choose(found.activity.id)
    await until(lambda: tab.content.shown == found.activity.id and bool(tab.content.runs))
    await settle()


SCHEDULE_STOPS = (
    Stop("17a-schedule", show_schedule),
    Stop("17a-schedule-edit", show_edit),
    Stop("17a-schedule-caught-up", show_caught_up),
)
