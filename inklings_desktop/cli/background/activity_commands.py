"""``inklings activity``: what an agent is asked at its time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.agents.chosen_agent import chosen_agent
from inklings_desktop.cli.background.activity_options import (
    ActivityOptions,
    ActivityRunsOptions,
    AddActivityOptions,
    EditActivityOptions,
    RunActivityOptions,
    WhenOptions,
)
from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.messages import wrong_usage
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.domain.background.activities import (
    MICRO,
    WORLD_AGENT,
    Activity,
    ActivityDraft,
    Budget,
    May,
    Outcome,
    budget_of,
    payload_of_budget,
)
from inklings_desktop.domain.background.schedules import (
    CATCH_UP_HOURS,
    Form,
    Schedule,
    schedule_of,
    stored_schedule,
)
from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    import typer

    from inklings_desktop.domain.background.activities import ActivityRun, ActivityView
    from inklings_desktop.usecases.bundle import Inklings

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MAY = {May.KEEP: "keep memories", May.PROPOSE: "propose changes"}
NOTHING = "nothing"
_STEPS = {"tools": "Tools called"}
FAILED = 1


def activity_group() -> typer.Typer:
    """Every command about activities."""
    activities = group("activity", "Activities: what an agent is asked at its time.")
    command(activities, "list", CommonOptions, list_activities)
    command(activities, "add", AddActivityOptions, add)
    command(activities, "show", ActivityOptions, show)
    command(activities, "edit", EditActivityOptions, edit)
    command(activities, "on", ActivityOptions, switch_on)
    command(activities, "off", ActivityOptions, switch_off)
    command(activities, "run", RunActivityOptions, run)
    command(activities, "delete", ActivityOptions, delete)
    command(activities, "runs", ActivityRunsOptions, runs)
    return activities


def list_activities(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List activities with when they are due and how the last run went."""
    found = inklings.activities.list(required_workspace(inklings).id)
    rows = [
        [
            "on" if one.activity.enabled else "off",
            one_line(one.activity.name, 40),
            f"#{one.channel}",
            when_line(one.activity.schedule),
            _next(one),
            _outcome(one.activity),
        ]
        for one in found
    ]
    document = {"activities": [activity_document(one) for one in found]}
    return Answer(document, table(rows) or ["Nothing is scheduled."])


def add(inklings: Inklings, options: AddActivityOptions) -> Answer:
    """Make an activity: a message the agent gets at its time, in its own channel."""
    schedule = _schedule(options, None)
    if schedule is None:
        raise wrong_usage("Say when: --every, --daily, --weekly, --monthly, --once or --after-new.")
    draft = ActivityDraft(
        options.name,
        options.prompt,
        options.channel,
        schedule,
        _budget(options, Budget()),
        not options.off,
        _agent(inklings, options) or WORLD_AGENT,
    )
    workspace_id = required_workspace(inklings).id
    return _shown(inklings, "Made", inklings.activities.make(workspace_id, draft))


def show(inklings: Inklings, options: ActivityOptions) -> Answer:
    """Show one activity."""
    view = inklings.activities.get(required_workspace(inklings).id, options.name)
    return Answer({"activity": activity_document(view)}, _lines(view))


def edit(inklings: Inklings, options: EditActivityOptions) -> Answer:
    """Change an activity; what is not named stays."""
    workspace_id = required_workspace(inklings).id
    before = inklings.activities.get(workspace_id, options.name).activity
    given: dict[str, Any] = {
        "name": options.new_name,
        "prompt": options.prompt,
        "channel": options.channel,
        "schedule": _schedule(options, before.schedule),
        "budget": _budget(options, before.budget),
        "agent": _agent(inklings, options),
    }
    draft = replace(before.draft, **{key: one for key, one in given.items() if one is not None})
    return _shown(inklings, "Changed", inklings.activities.edit(workspace_id, before, draft))


def switch_on(inklings: Inklings, options: ActivityOptions) -> Answer:
    """Switch an activity on; what it missed is not made up for."""
    workspace_id = required_workspace(inklings).id
    return _shown(inklings, "On", inklings.activities.switch(workspace_id, options.name, on=True))


def switch_off(inklings: Inklings, options: ActivityOptions) -> Answer:
    """Switch an activity off."""
    workspace_id = required_workspace(inklings).id
    return _shown(inklings, "Off", inklings.activities.switch(workspace_id, options.name, on=False))


def run(inklings: Inklings, options: RunActivityOptions) -> Answer:
    """Run an activity now, on or off; Ctrl+C stops it."""
    workspace_id = required_workspace(inklings).id
    with shown_progress(options, _STEPS) as progress:
        done = inklings.activities.run(workspace_id, options.name, progress=progress)
    [last] = inklings.activities.runs(workspace_id, options.name, 1)
    status = FAILED if done.state is RunState.FAILED else 0
    return Answer({"run": run_document(last)}, [*_run_lines(last)], status=status)


def delete(inklings: Inklings, options: ActivityOptions) -> Answer:
    """Delete an activity; its conversations stay."""
    workspace_id = required_workspace(inklings).id
    view = inklings.activities.get(workspace_id, options.name)
    inklings.activities.delete(workspace_id, view.activity.id)
    told = f"Deleted {visible(view.activity.name)}. Its conversations stay in #{view.channel}."
    return Answer({"activity": activity_document(view)}, [told])


def runs(inklings: Inklings, options: ActivityRunsOptions) -> Answer:
    """List the runs of an activity, the newest first."""
    if options.limit < 1:
        raise wrong_usage("--limit takes a number from 1.")
    workspace_id = required_workspace(inklings).id
    found = inklings.activities.runs(workspace_id, options.name, options.limit)
    rows = [
        [local_time(one.started_at), _word(one), _cost(one), one_line(one.said, 60)]
        for one in found
    ]
    document = {"runs": [run_document(one) for one in found]}
    return Answer(document, table(rows) or ["It has not run yet."])


def activity_document(view: ActivityView) -> dict[str, Any]:
    """An activity as scripts read it."""
    names = "id name prompt agent enabled created_by created_at next_due_at last_started_at missed"
    return {
        **row_of(view.activity, names),
        "channel": view.channel,
        "schedule": stored_schedule(view.activity.schedule),
        "timezone": view.activity.schedule.zone,
        "budget": payload_of_budget(view.activity.budget),
        "last_outcome": view.activity.last_outcome.value,
        "last_run": None if view.last is None else run_document(view.last),
    }


def run_document(one: ActivityRun) -> dict[str, Any]:
    """A run as scripts read it."""
    names = "id conversation_id started_at ended_at problem n_tool_calls cost_micro currency said"
    return {**row_of(one, names), "outcome": one.outcome.value}


def when_line(schedule: Schedule) -> str:
    """When it is due, in a few words."""
    at = f"{schedule.at:%H:%M}"
    match schedule.form:
        case Form.EVERY:
            return f"every {schedule.n:,} min"
        case Form.DAILY:
            return f"daily {at}"
        case Form.WEEKLY:
            return f"{','.join(_DAYS[one - 1] for one in schedule.days)} {at}"
        case Form.MONTHLY:
            return f"day {schedule.days[0]} of the month, {at}"
        case Form.ONCE:
            return f"once, {schedule.once:%Y-%m-%d %H:%M}"
        case Form.AFTER_NEW:
            return f"after {counted(schedule.n, 'new memory')}"


def _shown(inklings: Inklings, did: str, activity: Activity) -> Answer:
    view = inklings.activities.get(required_workspace(inklings).id, activity.id)
    return Answer({"activity": activity_document(view)}, [f"{did}:", *_lines(view)])


def _lines(view: ActivityView) -> list[str]:
    activity = view.activity
    facts = [
        ["Activity", activity.name],
        ["Asks", activity.prompt],
        ["Who", activity.agent],
        ["Channel", f"#{view.channel}"],
        ["When", when_line(activity.schedule)],
        ["Time zone", activity.schedule.zone or "this machine"],
        ["Next", _next(view)],
        ["Made up", "{:%H:%M} to {:%H:%M}".format(*activity.schedule.hours)],
        ["Last run", _outcome(activity)],
        ["At most", _most(activity.budget)],
        [
            "It may",
            ", ".join(("look things up", *map(_MAY.__getitem__, sorted(activity.budget.may)))),
        ],
    ]
    return table(facts)


def _next(view: ActivityView) -> str:
    due = view.activity.next_due_at
    if view.activity.last_outcome is Outcome.RUNNING:
        return "running"
    if not view.is_channel_open:
        return "its channel is archived"
    if not view.activity.enabled:
        return "off"
    if due is not None:
        return local_time(due)
    return "never again" if view.activity.schedule.form is Form.ONCE else "not by the clock"


def _outcome(activity: Activity) -> str:
    if activity.last_started_at is None:
        return "not yet"
    word = {
        Outcome.BUDGET: "stopped at its budget",
        Outcome.PAUSED: "failed three times, paused",
    }.get(activity.last_outcome, activity.last_outcome.value)
    missed = f", made up for {counted(activity.missed, 'time')}" if activity.missed else ""
    return f"{local_time(activity.last_started_at)}, {word}{missed}"


def _word(one: ActivityRun) -> str:
    word = "stopped at its budget" if one.outcome is Outcome.BUDGET else one.outcome.value
    return f"{word} ({one.problem})" if one.problem else word


def _run_lines(one: ActivityRun) -> list[str]:
    lines = [f"{_word(one)}, {counted(one.n_tool_calls, 'tool call')}, {_cost(one)}"]
    return [*lines, visible(one.said)] if one.said else lines


def _cost(one: ActivityRun) -> str:
    if one.cost_micro is None:
        return "nothing paid"
    return f"{one.cost_micro / MICRO:.2f} {one.currency}".strip()


def _most(budget: Budget) -> str:
    cost = "" if budget.cost_micro is None else f", {budget.cost_micro / MICRO:.2f} a run"
    return f"{counted(budget.tool_calls, 'tool call')}, {budget.seconds} s{cost}"


def _agent(inklings: Inklings, options: WhenOptions) -> str | None:
    """The name under which the agent of the options reaches memory; None where they name none."""
    if options.agent is None:
        return None
    agent = chosen_agent(inklings, options.agent)
    return WORLD_AGENT if agent is None else agent.client


def _budget(options: WhenOptions, before: Budget) -> Budget:
    given = {
        "tool_calls": options.tool_calls,
        "seconds": options.seconds,
        "cost_micro": None if options.cost is None else round(options.cost * MICRO),
        "may": _may(options.may),
    }
    said = {key: one for key, one in given.items() if one is not None}
    return budget_of(payload_of_budget(before) | said)


def _may(said: str | None) -> list[str] | None:
    if said is None or said == NOTHING:
        return None if said is None else []
    words = [one.strip() for one in said.split(",")]
    if not set(words) <= set(May):
        raise wrong_usage(f"--may takes {','.join(May)}, one of them, or {NOTHING}.")
    return words


def _schedule(options: WhenOptions, before: Schedule | None) -> Schedule | None:
    """What the options say; None where they say nothing."""
    given: dict[str, Any] = {
        Form.EVERY.value: options.every,
        Form.DAILY.value: options.daily,
        Form.WEEKLY.value: None if options.weekly is None else _days(options.weekly),
        Form.MONTHLY.value: options.monthly,
        Form.ONCE.value: options.once,
        Form.AFTER_NEW.value: options.after_new,
    }
    said = {key: one for key, one in given.items() if one is not None}
    if len(said) > 1:
        raise wrong_usage("When: one way at a time.")
    if options.weekly is not None or options.monthly is not None:
        said["at"] = options.at or (f"{before.at:%H:%M}" if before is not None else "09:00")
    elif not said and options.at is not None and before is not None and before.days:
        said = stored_schedule(before) | {"at": options.at}
    elif options.at is not None:
        raise wrong_usage("--at belongs to --weekly and --monthly.")
    zone = options.timezone
    if zone is None:
        zone = "" if before is None else before.zone
    hours = CATCH_UP_HOURS if before is None else before.hours
    found = schedule_of(said, zone) if said else before
    if found is None:
        return None
    found = replace(found, zone=zone, hours=hours)
    if options.missed is not None:
        missed = options.missed.split("-")
        found = schedule_of(stored_schedule(found) | {"missed": missed}, zone)
    return found


def _days(said: str) -> list[int]:
    names = [one.strip().lower()[:3] for one in said.split(",")]
    if any(one not in _DAYS for one in names):
        raise wrong_usage("--weekly takes days such as mon,thu.")
    return [_DAYS.index(one) + 1 for one in names]
