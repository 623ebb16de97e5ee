"""What the schedule shows and how that is said; acts on activities, each with what undoes it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.agent_client.presets import FOUND, agents
from inklings_desktop.domain.background.activities import (
    WORLD_AGENT,
    ActivityDraft,
    Outcome,
    is_thin_at,
)
from inklings_desktop.domain.background.schedules import Form, on_wall
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import relative_age
from inklings_desktop.ui.kit.words.money import money
from inklings_desktop.ui.kit.words.schedule_words import day_words, due_words
from inklings_desktop.usecases.background.background_work import TaskPhase

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime, time

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.domain.background.activities import Activity, ActivityRun, ActivityView
    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.usecases.bundle import Inklings

    Undoing = Callable[[Inklings], object]

MOST_RUNS = 12


@dataclass(frozen=True, slots=True)
class ScheduleContent:
    """What the schedule shows.

    Attributes:
        activities: By name.
        runs: The latest of the current one.
        shown: Id of the current one; empty where there is none.
        channels: Those in which a conversation can begin.
        has_agent: Whether there is an agent that could carry anything out.
        has_model: Whether a model is set that could answer.
        now: When it was read, for ages.
        agents: Those of other makers.
        waiting: Why those that are on do not run, in words, by their id.
    """

    activities: tuple[ActivityView, ...]
    runs: tuple[ActivityRun, ...]
    shown: str
    channels: tuple[Channel, ...]
    has_agent: bool
    has_model: bool
    now: datetime
    agents: tuple[Agent, ...] = ()
    waiting: Mapping[str, str] = field(default_factory=dict)

    def agent_words(self, client: str) -> str:
        """What an agent is called."""
        if client == WORLD_AGENT:
            return tr("World Agent")
        return next((one.title for one in self.agents if one.client == client), client)

    def due_words(self, view: ActivityView) -> str:
        """When it runs next, or why it does not."""
        return next_words(view, self.now, self.waiting.get(view.activity.id, ""))

    def can_run(self, view: ActivityView) -> bool:
        """Whether it may be run now."""
        is_ours, client = view.activity.agent == WORLD_AGENT, view.activity.agent
        them = any(one.command for one in self.agents if one.client == client)
        return view.is_channel_open and (self.has_agent if is_ours else them)


def read_schedule(inklings: Inklings, here: str, wanted: str) -> ScheduleContent:
    """Read it; runs on a reader.

    Args:
        inklings: Asks.
        here: The workspace.
        wanted: Id of the activity that is to be current; the first one where that is gone.
    """
    found = inklings.activities.list(here)
    ids = [one.activity.id for one in found]
    shown = wanted if wanted in ids else next(iter(ids), "")
    agent = inklings.settings.agent
    known = tuple(agents(agent.presets, inklings.data_dir))
    return ScheduleContent(
        found,
        inklings.activities.runs(here, shown, MOST_RUNS) if shown else (),
        shown,
        inklings.places.channels(here),
        inklings.parts.adapters().activities.is_there(),
        agent.classes.has_any,
        inklings.clock(),
        known,
        _waiting(inklings, found, known),
    )


def _waiting(
    inklings: Inklings, views: Sequence[ActivityView], known: Sequence[Agent]
) -> dict[str, str]:
    tasks = () if inklings.background is None else inklings.background.status().tasks
    unplugged = [one.target.subject for one in tasks if one.phase is TaskPhase.WAITS_FOR_MAINS]
    missing = {one.client: told for one in known if (told := missing_words(one))}
    found = {one: tr("waits for mains power") for one in unplugged}
    who = {one.activity.id: one.activity.agent for one in views}
    return found | {id_: missing[agent] for id_, agent in who.items() if agent in missing}


def make(inklings: Inklings, here: str, draft: ActivityDraft) -> tuple[str, Undoing]:
    """Make an activity; its id, and what takes it away again."""
    made = inklings.activities.make(here, draft)
    return made.id, lambda later: later.activities.delete(here, made.id)


def edit(inklings: Inklings, here: str, before: Activity, draft: ActivityDraft) -> Undoing:
    """Change an activity."""
    after = inklings.activities.edit(here, before, draft)
    earlier = before.draft
    return lambda later: later.activities.edit(here, after, earlier)


def switch(inklings: Inklings, here: str, id_: str, *, on: bool) -> Undoing:
    """Switch an activity."""
    inklings.activities.switch(here, id_, on=on)
    return lambda later: later.activities.switch(here, id_, on=not on)


def pause_all(inklings: Inklings, here: str) -> Undoing:
    """Switch off whatever is on."""
    ids = [one.activity.id for one in inklings.activities.list(here) if one.activity.enabled]
    for one in ids:
        inklings.activities.switch(here, one, on=False)

    def undo(later: Inklings) -> None:
        for one in ids:
            later.activities.switch(here, one, on=True)

    return undo


def delete(inklings: Inklings, here: str, id_: str) -> Undoing:
    """Delete an activity; its conversations stay."""
    gone = inklings.activities.delete(here, id_)
    return lambda later: later.activities.put_back(here, gone)


def next_words(view: ActivityView, now: datetime, waiting: str = "") -> str:
    """When it runs next, or why it does not.

    Args:
        view: Which one.
        now: The instant.
        waiting: Why it does not run although it is on; empty where nothing is in its way.
    """
    activity, due = view.activity, view.activity.next_due_at
    if activity.last_outcome is Outcome.RUNNING:
        since = activity.last_started_at or now
        return tr("running, {age}").format(age=relative_age(now - since))
    if not view.is_channel_open:
        return tr("its channel is archived")
    if activity.last_outcome is Outcome.PAUSED and not activity.enabled:
        return tr("paused after three failures")
    if not activity.enabled:
        return tr("paused by you")
    if waiting:
        return waiting
    if due is not None:
        return due_words(due, now, activity.schedule.zone)
    by_count = activity.schedule.form is Form.AFTER_NEW
    return tr("when they are written") if by_count else tr("not again")


def last_words(view: ActivityView, now: datetime) -> str:
    """When it ran last, and how that went where it went badly."""
    activity, last = view.activity, view.last
    if activity.last_started_at is None:
        return tr("not yet")
    told = tr("{age} ago").format(age=relative_age(now - activity.last_started_at))
    if last is not None and last.outcome not in {Outcome.DONE, Outcome.RUNNING}:
        return f"{told}, {outcome_words(last.outcome)}"
    return told


def runs_words(view: ActivityView) -> str:
    """What stands over the runs: whether the latest made up for missed ones."""
    n = view.activity.missed
    if not n:
        return tr("last runs")
    told = tr("last runs; the latest made up for {missed}")
    return told.format(missed=counted(n, "1 missed time", "{n} missed times"))


def cost_words(view: ActivityView) -> str:
    """What a run costs, as far as that is known."""
    last, most = view.last, view.activity.budget.cost_micro
    paid = None if last is None else last.cost_micro
    if paid and last is not None:
        told = tr("about {cost}").format(cost=money(paid, last.currency))
        return told if most is None else tr("{told} of {most}").format(told=told, most=money(most))
    if last is not None:
        return tr("nothing is paid")
    return tr("at most {most}").format(most=money(most)) if most else tr("as any turn")


def outcome_words(outcome: Outcome) -> str:
    """How a run went."""
    return {
        Outcome.NONE: tr("not yet"),
        Outcome.RUNNING: tr("running"),
        Outcome.DONE: tr("done"),
        Outcome.BUDGET: tr("stopped at its budget"),
        Outcome.STOPPED: tr("stopped by you"),
        Outcome.FAILED: tr("failed"),
        Outcome.PAUSED: tr("paused"),
    }[outcome]


def took_words(run: ActivityRun, now: datetime) -> str:
    """How long a run took, or takes so far."""
    return relative_age((run.ended_at or now) - run.started_at)


def day_of(run: ActivityRun) -> str:
    """When a run began, on this machine's wall."""
    return day_words(on_the_wall(run.started_at))


def said_words(run: ActivityRun) -> str:
    """What came of a run, in its own words."""
    if run.said:
        return run.said
    if run.outcome is Outcome.RUNNING:
        return tr("The agent is at work.")
    return tr("No answer.")


def rule_words(content: ScheduleContent) -> str:
    """What holds for all of them."""
    if not content.has_agent:
        return tr("The World Agent is not installed, so nothing runs.")
    if not content.has_model:
        return tr("without a model each answers with a digest of memory")
    return tr("missed ones run once, at the next start, never at night")


def due_line(view: ActivityView, now: datetime) -> str:
    """When it runs next, under the heading of its dialog."""
    due, zone = view.activity.next_due_at, view.activity.schedule.zone
    if due is None or not view.activity.enabled:
        return tr("next run: {when}").format(when=next_words(view, now))
    wall = on_wall(due, zone)
    day = QLocale().standaloneDayName(wall.isoweekday(), QLocale.FormatType.LongFormat)
    return tr("next run {day} {when}").format(day=day, when=day_words(wall))


def row_spoken(view: ActivityView, when: str, due: str, now: datetime) -> str:
    """A whole row in one sentence."""
    on = tr("on") if view.activity.enabled else tr("off")
    parts = (view.activity.name, on, f"#{view.channel}", when, last_words(view, now))
    return ", ".join((*parts, tr("next: {when}").format(when=due)))


def budget_words(runs: Sequence[ActivityRun]) -> str:
    """What the last runs took, beside the fields of the budget: money, else time."""
    paid = [one for one in runs if one.cost_micro]
    took = [one.ended_at - one.started_at for one in runs if one.ended_at is not None]
    if paid:
        costs = sorted(one.cost_micro or 0 for one in paid)
        low, high = (money(one, paid[0].currency) for one in (costs[0], costs[-1]))
    elif took:
        low, high = relative_age(min(took)), relative_age(max(took))
    else:
        return tr("a run")
    if low == high:
        return tr("a run; the last took {cost}").format(cost=low)
    return tr("a run; last ones took {low} to {high}").format(low=low, high=high)


def thin_words(at: time, runs: Sequence[ActivityRun], zone: str) -> str:
    """What the log says against a time at night; empty where it says nothing."""
    if not is_thin_at(at, runs, zone):
        return ""
    told = tr("At {time} two runs came out thin; by day is better.")
    return told.format(time=f"{at:%H:%M}")


def missing_words(agent: Agent) -> str:
    """Why nothing runs while this one is to do it; empty where it may be started."""
    if agent.command is not None:
        return ""
    if agent.state == FOUND:
        return tr("Allow {agent} in Settings first.").format(agent=agent.title)
    return tr("{agent} is not installed here.").format(agent=agent.title)


def as_new(channel: str) -> ActivityDraft:
    """What stands in the fields of a new activity first."""
    from datetime import time

    from inklings_desktop.domain.background.schedules import Schedule

    return ActivityDraft("", "", channel, Schedule(Form.WEEKLY, time(10, 30), (2,)))
