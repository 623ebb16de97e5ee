"""Background work in words: one row per kind, when it runs, and how it ended."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import (
    CANCELLED,
    LARGE,
    RunState,
    TaskKind,
    TaskRun,
    TaskTarget,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.control.task_table import TaskAct, TaskRow, TaskTone
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import exact_time, relative_age
from inklings_desktop.ui.kit.words.task_words import (
    BUSY,
    TaskGroup,
    counts_words,
    group_name,
    group_of,
    is_large,
    large_words,
    problem_words,
    progress_words,
    share_of,
    tier_of,
    title_of,
)
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.background.cadence import BackgroundConfig, Cadence
    from inklings_desktop.usecases.background.tasks import TaskSituation


_DAY, _WEEK = 24.0, 7 * 24.0
_HOUR_MINUTES = 60.0


def cadence_words(config: BackgroundConfig, group: TaskGroup) -> tuple[str, str]:
    """When a row's work runs, short and in full."""
    tier = tier_of(group)
    if group is TaskGroup.BACKUP:
        return _backup(config.backup_hours)
    if tier is None:
        return _backfill(config.backfill_minutes)
    if tier is Tier.CONVERSATION:
        if not config.forget_at_close:
            return _on_request()
        return (
            tr("when one closes"),
            tr("When a conversation closes; what reaches it later goes with the next one"),
        )
    return _consolidation(config.cadence(tier))


def _backfill(minutes: float) -> tuple[str, str]:
    if not minutes:
        return tr("after writes"), tr("Soon after something is written, and on request")
    every = _span(minutes / _HOUR_MINUTES)
    return (
        tr("every {time}").format(time=every),
        tr(
            "A minute after the start, then every {time}, and soon after something is written"
        ).format(time=every),
    )


def _backup(hours: float) -> tuple[str, str]:
    if not hours:
        return _on_request()
    every = _span(hours)
    return (
        tr("every {time}").format(time=every),
        tr("A minute after the start, then every {time}, if something has changed").format(
            time=every
        ),
    )


def _consolidation(cadence: Cadence) -> tuple[str, str]:
    """The words of one cadence; every part of it can be off."""
    short, full = [], []
    if cadence.new_entries:
        n = grouped(cadence.new_entries)
        short.append(tr("{n} new").format(n=n))
        if cadence.idle_minutes:
            minutes = f"{cadence.idle_minutes:g}"
            full.append(
                tr("After {n} new memories, once you have been idle for {minutes} min").format(
                    n=n, minutes=minutes
                )
            )
        else:
            full.append(tr("After {n} new memories").format(n=n))
    if cadence.every_hours:
        short.append(_often(cadence.every_hours))
        full.append(
            tr("at least every {time}").format(time=_span(cadence.every_hours))
            if full
            else tr("Every {time}").format(time=_span(cadence.every_hours))
        )
    if not short:
        return _on_request()
    return tr(", or ").join(short), tr(", and ").join(full)


def _on_request() -> tuple[str, str]:
    return tr("on request"), tr("Only when you ask for it; the settings switch the rest off")


def _often(hours: float) -> str:
    known = {
        1.0: tr("hourly"),
        _DAY: tr("daily"),
        _WEEK: tr("weekly"),
        2 * _WEEK: tr("fortnightly"),
    }
    return known.get(hours) or tr("every {time}").format(time=_span(hours))


def _span(hours: float) -> str:
    """A stretch of time in the largest unit that divides it."""
    if hours >= 2 * _WEEK and not hours % _WEEK:
        return counted(round(hours / _WEEK), "1 week", "{n} weeks")
    if hours >= _DAY and not hours % _DAY:
        n_days = round(hours / _DAY)
        return tr("day") if n_days == 1 else tr("{days} days").format(days=n_days)
    if hours >= 1 and not hours % 1:
        return tr("hour") if hours == 1 else tr("{n} h").format(n=f"{hours:g}")
    return tr("{n} min").format(n=f"{hours * _HOUR_MINUTES:g}")


def ending_sentence(
    status: TaskStatus, *, was_wanted: bool, is_elsewhere: bool = False, is_paused: bool = False
) -> str:
    """How a run ended; empty where nobody asked for it and nothing was done.

    Args:
        status: How it stands after the end.
        was_wanted: Whether a person asked for this run.
        is_elsewhere: Whether another program is doing it, so that it never began here.
        is_paused: Whether all background work is, so that no time brings the rest.
    """
    tells_itself = status.target.kind in {TaskKind.WORLD, TaskKind.ACTIVITY}
    if tells_itself and status.phase is not TaskPhase.FAILED:
        return ""  # the page of the world, or the schedule
    name = title_of(status.target)
    if is_elsewhere:
        if not was_wanted:
            return ""
        return tr("{name}: another Inklings program is doing this.").format(name=name)
    if status.phase is TaskPhase.FAILED:
        return tr("{name} stopped: {reason}. It will try again in 30 minutes.").format(
            name=name, reason=problem_words(status.problem)
        )
    if is_large(status):
        return tr("{name} {what} and asks first. Nothing was changed.").format(
            name=name, what=large_words(status.counts)
        )
    if status.problem == CANCELLED:
        if status.target.kind is TaskKind.BACKFILL and status.total and is_paused:
            return tr(
                "Preparing for search stopped after {progress}. The rest follows when "
                "background work continues."
            ).format(progress=progress_words(status))
        if status.target.kind is TaskKind.BACKFILL and status.total:
            return tr(
                "Preparing for search stopped after {progress}. It will try again in 30 minutes."
            ).format(progress=progress_words(status))
        return tr("Stopped. What was finished stays.")
    if was_wanted or any(status.counts.values()):
        return tr("{name} finished: {what}").format(name=name, what=counts_words(status.counts))
    return ""


_ONE_ROUND = timedelta(minutes=5)
"""Runs of one row that ended within this time are told as one."""


class Hold(Enum):
    """What keeps all background work from running."""

    NOTHING = "nothing"
    PAUSED = "paused"
    SCRUB = "scrub"
    READ_ONLY = "read only"


@dataclass(frozen=True, slots=True)
class TaskScene:
    """Everything that the table tells.

    Attributes:
        now: The instant.
        config: When work is due.
        has_model: Whether texts can be embedded.
        has_clock: Whether work can be started here at all.
        hold: What holds all of it up.
        situations: What the open workspace and the account say of their work.
        runs: Their latest runs, newest first.
        live: What the clock says, by target.
        asked: Work that a person asked for and that has not begun.
        stopping: Work that a person has cancelled and that has not ended.
        elsewhere: Work that another program was doing when this one tried.
        offers_review: Whether a plan can be looked at.
    """

    now: datetime
    config: BackgroundConfig
    has_model: bool = True
    has_clock: bool = True
    hold: Hold = Hold.NOTHING
    situations: tuple[TaskSituation, ...] = ()
    runs: tuple[TaskRun, ...] = ()
    live: Mapping[TaskTarget, TaskStatus] | None = None
    asked: frozenset[TaskTarget] = frozenset()
    stopping: frozenset[TaskTarget] = frozenset()
    elsewhere: frozenset[TaskTarget] = frozenset()
    offers_review: bool = False

    def targets(self, group: TaskGroup) -> tuple[TaskTarget, ...]:
        """The work that a row stands for."""
        return tuple(one.target for one in self.situations if group_of(one.target) is group)

    def status(self, target: TaskTarget) -> TaskStatus | None:
        """What the clock says of one piece of work."""
        return None if self.live is None else self.live.get(target)


@dataclass(frozen=True, slots=True)
class _Last:
    """What the last run came to."""

    words: str
    tip: str
    tone: TaskTone = TaskTone.PLAIN
    at: datetime | None = None
    large: TaskTarget | None = None


def task_rows(scene: TaskScene) -> tuple[TaskRow, ...]:
    """All of them, in their order."""
    return tuple(_row(scene, group) for group in TaskGroup)


def large_target(scene: TaskScene, group: TaskGroup) -> TaskTarget | None:
    """The work of a row that would forget much and asks first."""
    for target in scene.targets(group):
        if _last_of(scene, target).large is not None:
            return target
    return None


def _row(scene: TaskScene, group: TaskGroup) -> TaskRow:
    name = group_name(group)
    runs, runs_tip = cadence_words(scene.config, group)
    running = _running(scene, group)
    if running is not None:
        words = progress_words(running)
        last = _Last(
            tr("{progress} now").format(progress=words) if running.total else words,
            "",
            TaskTone.RUNNING,
        )
    else:
        last = _last_of_row(scene, group)
    following, following_tip = _next(scene, group, running)
    act, refusal = _act(scene, group, running, last)
    spoken = (
        tr("runs {runs}").format(runs=runs_tip or runs),
        tr("running, {progress}").format(progress=progress_words(running))
        if running is not None
        else tr("last run {last}").format(last=last.tip or last.words),
        tr("next {next}").format(next=following_tip or following) if following else "",
        refusal,
    )
    return TaskRow(
        key=group.value,
        name=name,
        tier=tier_of(group),
        runs=runs,
        runs_tip=runs_tip,
        last=last.words,
        last_tip=last.tip,
        next=following,
        next_tip=following_tip,
        act=act,
        refusal=refusal,
        spoken=", ".join(part for part in spoken if part),
        tone=last.tone,
        share=None if running is None else share_of(running),
    )


def _running(scene: TaskScene, group: TaskGroup) -> TaskStatus | None:
    for target in scene.targets(group):
        status = scene.status(target)
        if status is not None and status.phase is TaskPhase.RUNNING:
            return status
    return None


# -- what the last run did ---------------------------------------------------------------------


def _last_of_row(scene: TaskScene, group: TaskGroup) -> _Last:
    """What is most worth telling of the row's work."""
    found = [_last_of(scene, target) for target in scene.targets(group)]
    for one in found:
        if one.tone is TaskTone.WARNING:
            return one
    ran = [one for one in found if one.at is not None]
    if not ran:
        return found[0] if len(found) == 1 else _Last(tr("not yet"), "")
    newest = max(ran, key=lambda one: one.at or scene.now)
    if newest.at is None or len(ran) == 1 or group is TaskGroup.BACKUP:
        return newest
    return _together(scene, group, newest.at)


def _together(scene: TaskScene, group: TaskGroup, newest_at: datetime) -> _Last:
    """Runs of one round as one: six channels after *Run now* are one result."""
    targets = set(scene.targets(group))
    together = [
        run
        for run in scene.runs
        if run.target in targets and run.ended_at and newest_at - run.ended_at <= _ONE_ROUND
    ]
    counts: dict[str, int] = {}
    for run in together:
        for key, count in run.counts.items():
            counts[key] = counts.get(key, 0) + count
    return _told(scene, newest_at, _done_words(counts, together))


def _done_words(counts: Mapping[str, int], runs: Sequence[TaskRun]) -> str:
    """What runs did, and that a person stopped one of them."""
    if not any(run.problem == CANCELLED for run in runs):
        return counts_words(counts)
    done = counts_words(counts) if any(counts.values()) else ""
    return ", ".join(part for part in (done, problem_words(CANCELLED)) if part)


def _last_of(scene: TaskScene, target: TaskTarget) -> _Last:
    live = scene.status(target)
    if live is not None and live.phase is TaskPhase.FAILED:
        return _stopped(scene, problem_words(live.problem), None)
    if live is not None and is_large(live):
        return _large(scene, target, live.counts, None)
    state = next(one.state for one in scene.situations if one.target == target)
    run = next((one for one in scene.runs if one.target == target), None)
    # Runs that found nothing to do are not kept; they only moved the mark.
    ended_at = None if run is None else run.ended_at
    if run is not None and ended_at is not None and ended_at >= (state.last_run_at or ended_at):
        return _told_run(scene, run, ended_at)
    if target.kind is TaskKind.BACKUP and state.last_run_at is not None:
        return _told(scene, state.last_run_at, tr("up to date"))
    if state.last_run_at is not None:
        return _told(scene, state.last_run_at, counts_words({}))
    if live is not None and live.run_id:
        return _Last(counts_words(live.counts), "")
    return _Last(tr("not yet"), "")


def _told_run(scene: TaskScene, run: TaskRun, ended_at: datetime) -> _Last:
    match run.state:
        case RunState.FAILED:
            return _stopped(scene, problem_words(run.problem), ended_at)
        case RunState.STOPPED if run.problem == LARGE:
            return _large(scene, run.target, run.counts, ended_at)
        case RunState.UNDONE:
            return _told(scene, ended_at, tr("undone"))
        case _:
            return _told(scene, ended_at, _done_words(run.counts, [run]))


def _told(scene: TaskScene, at: datetime, words: str) -> _Last:
    age = tr("{age} ago").format(age=relative_age(scene.now - at))
    return _Last(
        tr("{age}, {what}").format(age=age, what=words),
        tr("{when}: {what}").format(when=exact_time(at), what=words),
        at=at,
    )


def _stopped(scene: TaskScene, reason: str, at: datetime | None) -> _Last:
    words = tr("stopped: {reason}").format(reason=reason)
    tip = words if at is None else _told(scene, at, words).tip
    return _Last(words, tip, TaskTone.WARNING, at)


def _large(
    scene: TaskScene, target: TaskTarget, counts: Mapping[str, int], at: datetime | None
) -> _Last:
    words = large_words(counts)
    tip = tr("{what}, and asks first; nothing was changed").format(what=words)
    return _Last(
        words, tip if at is None else _told(scene, at, tip).tip, TaskTone.WARNING, at, target
    )


# -- what comes next ---------------------------------------------------------------------------


def _next(scene: TaskScene, group: TaskGroup, running: TaskStatus | None) -> tuple[str, str]:
    """When it runs next, and the same in full."""
    targets = scene.targets(group)
    if running is not None:
        return tr("after this run"), ""
    if scene.hold is Hold.PAUSED:
        return tr("when resumed"), ""
    if scene.hold is Hold.SCRUB:
        return tr("after the scrub"), ""
    if scene.hold is Hold.READ_ONLY:
        return tr("once the disk can be written to"), ""
    if scene.asked & set(targets):
        return tr("at once"), ""
    if group is TaskGroup.BACKFILL and not scene.has_model:
        return "", ""
    if group is TaskGroup.CONVERSATION:
        closes = scene.config.forget_at_close
        return (tr("at the next close"), "") if closes else (tr("on request"), "")
    if any(_waits_for_mains(scene, target) for target in targets):
        return tr("waits for mains power"), tr("Run now does it all the same")
    if any(_waits(scene, target) for target in targets):
        return tr("waits for idle"), tr("Waits until you stop typing")
    if any((_due(scene, one) or scene.now) > scene.now for one in scene.elsewhere & set(targets)):
        return tr("running in another program"), tr("Another Inklings program is doing this")
    due = min((at for target in targets if (at := _due(scene, target)) is not None), default=None)
    when = "" if due is None else _due_words(scene, due)
    queue = _queue(scene, group)
    if queue and when:
        words = tr("{queue}, or {when}").format(queue=queue, when=when)
    else:
        words = queue or when or tr("on request")
    tip = "" if due is None else tr("{when} at the latest").format(when=exact_time(due))
    return words, tip if due is not None and due > scene.now else ""


def _waits(scene: TaskScene, target: TaskTarget) -> bool:
    status = scene.status(target)
    return status is not None and (
        status.phase is TaskPhase.WAITS_FOR_IDLE or status.problem == BUSY
    )


def _waits_for_mains(scene: TaskScene, target: TaskTarget) -> bool:
    status = scene.status(target)
    return status is not None and status.phase is TaskPhase.WAITS_FOR_MAINS


def _due(scene: TaskScene, target: TaskTarget) -> datetime | None:
    status = scene.status(target)
    if status is not None and status.next_due_at is not None:
        return status.next_due_at
    state = next(one.state for one in scene.situations if one.target == target)
    if state.next_due_at is not None:
        return state.next_due_at
    tier = target.tier
    interval = None if tier is None else scene.config.cadence(tier).interval
    return None if interval is None else (state.last_run_at or state.first_seen_at) + interval


def _due_words(scene: TaskScene, due: datetime) -> str:
    if due <= scene.now:
        return tr("now") if scene.has_clock else tr("at the next start")
    return tr("in {age}").format(age=relative_age(due - scene.now))


def _queue(scene: TaskScene, group: TaskGroup) -> str:
    """The longest queue of the row's scopes: ``7 of 12 new``, or ``45 new, if idle``."""
    tier = tier_of(group)
    cadence = None if tier is None else scene.config.cadence(tier)
    most = 0 if cadence is None else cadence.new_entries
    if cadence is None or not most:
        return ""
    n_new = max((one.n_new for one in scene.situations if group_of(one.target) is group), default=0)
    if n_new >= most and cadence.idle_minutes:
        return tr("{n} new, if idle").format(n=grouped(n_new))
    return tr("{n} of {m} new").format(n=grouped(n_new), m=grouped(most))


# -- what can be done --------------------------------------------------------------------------


def _act(
    scene: TaskScene, group: TaskGroup, running: TaskStatus | None, last: _Last
) -> tuple[TaskAct, str]:
    """What the button does, and why there is none."""
    targets = set(scene.targets(group))
    if scene.hold is Hold.READ_ONLY:
        return TaskAct.NONE, tr("read-only")
    if not scene.has_clock:
        return TaskAct.NONE, ""
    if running is not None or scene.asked & targets:
        is_ending = running is not None and (
            running.target in scene.stopping or scene.hold is not Hold.NOTHING
        )
        return (TaskAct.NONE, tr("stopping\u2026")) if is_ending else (TaskAct.CANCEL, "")
    if scene.hold is not Hold.NOTHING:
        is_scrub = scene.hold is Hold.SCRUB
        return TaskAct.NONE, tr("scrub in progress") if is_scrub else tr("paused")
    if group is TaskGroup.BACKFILL and not scene.has_model:
        return TaskAct.NONE, tr("no model")
    if not targets:
        return TaskAct.NONE, tr("nothing yet")
    if last.tone is TaskTone.WARNING and scene.offers_review and large_target(scene, group):
        return TaskAct.REVIEW, ""
    return TaskAct.RUN, ""
