"""Activities: what an agent is asked at its time, in a channel, and how its runs went."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.schedules import (
    CATCH_UP_HOURS,
    checked_zone,
    on_wall,
    schedule_of,
    stored_schedule,
)
from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import MAX_NAME_CHARACTERS, checked_name
from inklings_desktop.domain.words.text_rules import says_nothing, stored_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, time

    from inklings_desktop.domain.background.schedules import Missed, Schedule
    from inklings_desktop.domain.rooms.messages import MessageDraft

WORLD_AGENT = "world-agent"
"""Who carries an activity out; also the name under which it takes part in the conversation."""
MAX_PROMPT_BYTES = 8 * 1024
LEAST_SECONDS = 10
MICRO = 1_000_000
"""Millionths of a currency's unit in one."""
MOST_TOOL_CALLS, MOST_SECONDS, MOST_COST_MICRO = 60, 300, 1_000 * MICRO
FAILURES_TO_PAUSE = 3
THIN, THIN_OF = 2, 3
MAX_ACTIVITIES = 200
"""In one workspace; more is an agent or a script that runs away."""


class May(StrEnum):
    """What a run may do with nobody watching; looking things up it always may."""

    KEEP = "keep"
    """Write memories."""
    PROPOSE = "propose"
    """Propose changes, of which the author decides later."""


class Outcome(StrEnum):
    """How a run stands, and in ``last_outcome`` how the last one went."""

    NONE = ""
    """It never ran."""
    RUNNING = "running"
    DONE = "done"
    BUDGET = "budget"
    """It was stopped at what it may use."""
    STOPPED = "stopped"
    """A person stopped it."""
    FAILED = "failed"
    PAUSED = "paused"
    """It failed so often that it was switched off."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one run may use at most, and what it may do.

    Attributes:
        tool_calls: How many tools it may call, up to 60.
        seconds: How long it may take, from 10 to 300.
        cost_micro: What it may cost, in millionths; None for what any turn may cost.
        may: What of it waits for nobody; the rest is left to the author, and the answer says so.
    """

    tool_calls: int = 40
    seconds: int = MOST_SECONDS
    cost_micro: int | None = None
    may: frozenset[May] = frozenset(May)


@dataclass(frozen=True, slots=True)
class ActivityDraft:
    """An activity as somebody writes it.

    Attributes:
        prompt: What the agent is asked; at most 8 KiB.
        channel: Id or name of the channel in which its conversations begin.
        agent: Who carries it out, by the name under which it reaches memory.
    """

    name: str
    prompt: str
    channel: str
    schedule: Schedule
    budget: Budget = Budget()
    enabled: bool = True
    agent: str = WORLD_AGENT

    def checked(self) -> ActivityDraft:
        """The same, with its name as it is kept.

        Raises:
            InvalidValueError: One of its values cannot be kept.
        """
        name = checked_name(self.name)
        checked_zone(self.schedule.zone)
        if says_nothing(self.prompt):
            raise InvalidValueError("prompt", "empty")
        if stored_bytes(self.prompt, "prompt") > MAX_PROMPT_BYTES:
            raise InvalidValueError("prompt", "too_long", MAX_PROMPT_BYTES)
        agent = checked_agent(self.agent)
        return replace(self, name=name, prompt=self.prompt.strip(), agent=agent)


@dataclass(frozen=True, slots=True)
class Activity:
    """What an agent is asked at its time.

    Attributes:
        id: Random UUID.
        name: Unique in its workspace, regardless of case.
        agent: Who carries it out, by the name under which it reaches memory.
        enabled: Whether the clock may start it.
        created_by: Who made it, or accepted it.
        next_due_at: When the clock starts it; None where none does.
        last_started_at: When its last run began; None before the first.
        last_outcome: How that went.
        missed: For how many missed times it made up.
    """

    id: str
    name: str
    prompt: str
    channel_id: str
    schedule: Schedule
    budget: Budget
    created_by: str
    created_at: datetime
    agent: str = WORLD_AGENT
    enabled: bool = True
    next_due_at: datetime | None = None
    last_started_at: datetime | None = None
    last_outcome: Outcome = Outcome.NONE
    missed: int = 0

    @property
    def draft(self) -> ActivityDraft:
        """What its author wrote, without how its runs went."""
        return ActivityDraft(
            self.name,
            self.prompt,
            self.channel_id,
            self.schedule,
            self.budget,
            self.enabled,
            self.agent,
        )


@dataclass(frozen=True, slots=True)
class ActivityRun:
    """One run of an activity.

    Attributes:
        id: Of the turn that it is.
        conversation_id: Where its answer stands.
        ended_at: When it ended; None while it runs, and where a killed program left it.
        problem: Why it did not finish, a stable word; empty otherwise.
        cost_micro: What it cost, in millionths of ``currency``; None where nothing is known.
        said: The beginning of its answer; empty where there is none.
    """

    id: str
    conversation_id: str
    outcome: Outcome
    started_at: datetime
    ended_at: datetime | None = None
    problem: str = ""
    n_tool_calls: int = 0
    cost_micro: int | None = None
    currency: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class ActivityView:
    """An activity as it is listed.

    Attributes:
        channel: The name of its channel.
        is_channel_open: Whether that is not archived; nothing begins in an archived one.
        last: Its latest run; None before the first.
    """

    activity: Activity
    channel: str
    is_channel_open: bool
    last: ActivityRun | None = None


@dataclass(frozen=True, slots=True)
class Errand:
    """What an agent is sent for.

    Attributes:
        conversation_id: Its last message is the prompt.
        turn: Id of the turn that answers it.
        agent: Who is sent.
        is_continued: Whether it had begun before, and was cut off.
    """

    workspace_id: str
    conversation_id: str
    turn: str
    agent: str
    prompt: str
    budget: Budget
    is_continued: bool = False


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run came out.

    Attributes:
        problem: Why it did not finish, a stable word; empty otherwise.
        answer: What was said, by an agent that does not keep that itself; None for one that does.
        n_tool_calls: How many tools such an agent called.
    """

    outcome: Outcome
    problem: str = ""
    answer: MessageDraft | None = None
    n_tool_calls: int = 0


def activity_of(workspace_id: str, activity_id: str) -> TaskTarget:
    """The work of one activity; its lease is ``activity:<id>``."""
    return TaskTarget(TaskKind.ACTIVITY, workspace_id, subject=activity_id)


def budget_of(said: object) -> Budget:
    """A budget as it is stored or proposed: ``tool_calls``, ``seconds``, ``cost_micro``, ``may``.

    Raises:
        InvalidValueError: One of them is no number, too large, or no word of ``May``.
    """
    usual = Budget()
    if not isinstance(said, dict) or said.keys() - {"tool_calls", "seconds", "cost_micro", "may"}:
        raise InvalidValueError("run_budget", "form")
    may = said.get("may", list(May))
    if not isinstance(may, list) or not set(may) <= set(May):
        raise InvalidValueError("may", "form")
    cost = said.get("cost_micro")
    return Budget(
        _bounded(said.get("tool_calls", usual.tool_calls), 1, MOST_TOOL_CALLS),
        _bounded(said.get("seconds", usual.seconds), LEAST_SECONDS, MOST_SECONDS),
        None if cost is None else _bounded(cost, 1, MOST_COST_MICRO, _COSTS),
        frozenset(map(May, may)),
    )


def payload_of_budget(budget: Budget) -> dict[str, object]:
    """The same as it is stored; ``budget_of`` reads it again."""
    said: dict[str, object] = {"tool_calls": budget.tool_calls, "seconds": budget.seconds}
    if budget.cost_micro is not None:
        said["cost_micro"] = budget.cost_micro
    return said if budget.may == set(May) else said | {"may": sorted(budget.may)}


def draft_of(payload: Mapping[str, object]) -> ActivityDraft:
    """An activity as a proposal keeps it.

    Raises:
        InvalidValueError: It is none.
    """
    name, prompt, channel, zone = (
        str(payload.get(one, "")) for one in ("name", "body", "channel", "timezone")
    )
    schedule = schedule_of(payload.get("schedule"), zone)
    return ActivityDraft(name, prompt, channel, schedule, budget_of(payload.get("budget", {})))


def payload_of_draft(draft: ActivityDraft) -> dict[str, object]:
    """The same as it is kept; ``draft_of`` reads it again."""
    return {
        "name": draft.name,
        "body": draft.prompt,
        "channel": draft.channel,
        "schedule": stored_schedule(draft.schedule),
        "timezone": draft.schedule.zone,
        "budget": payload_of_budget(draft.budget),
    }


def title_of_run(name: str, on_wall: datetime) -> str:
    """The title of a run's conversation: the activity's name and the day."""
    day = f", {on_wall.date().isoformat()}"
    return f"{name[: MAX_NAME_CHARACTERS - len(day)]}{day}"


def told_prompt(prompt: str, made_up: Missed | None, since: str) -> str:
    """What the agent is asked: the prompt, and what this run makes up for.

    Args:
        since: The first time that was missed, as the author's wall showed it.
    """
    if made_up is None:
        return prompt
    times = "once" if made_up.n == 1 else f"{made_up.n} times"
    return f"{prompt}\n\n(Missed {times} since {since}. This one run makes up for all of them.)"


def has_failed_often(latest: Sequence[ActivityRun]) -> bool:
    """Whether it is to be switched off: its latest runs, newest first, all failed."""
    last = latest[:FAILURES_TO_PAUSE]
    return len(last) == FAILURES_TO_PAUSE and all(one.outcome is Outcome.FAILED for one in last)


def is_thin_at(at: time, runs: Sequence[ActivityRun], zone: str = "") -> bool:
    """Whether runs at this hour of the night came out thin, and one by day would fare better.

    Args:
        at: The time on the wall.
        runs: The latest, newest first; two of the last three at that hour have to be thin:
            stopped at what they may use, or failed.
        zone: Where the wall hangs; empty for this machine.
    """
    begin, end = CATCH_UP_HOURS
    there = [one for one in runs if on_wall(one.started_at, zone).hour == at.hour]
    n_thin = sum(one.outcome in {Outcome.BUDGET, Outcome.FAILED} for one in there[:THIN_OF])
    return not begin <= at < end and n_thin >= THIN


_COSTS = f"more than 0, at most {MOST_COST_MICRO // MICRO:,}"


def _bounded(said: object, least: int, most: int, told: str = "") -> int:
    if isinstance(said, bool) or not isinstance(said, int) or not least <= said <= most:
        raise InvalidValueError("run_budget", "range", told or f"{least} to {most:,}")
    return said
