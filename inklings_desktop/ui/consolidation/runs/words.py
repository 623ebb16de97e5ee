"""The words of the run history; pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.background.tasks import LARGE, RunState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
from inklings_desktop.ui.kit.words.consolidation_words import counts_words
from inklings_desktop.ui.kit.words.entry_facts import grouped
from inklings_desktop.ui.kit.words.memory_facts import exact_time, relative_age, tier_title

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.consolidation.runs.state import RunsState


def run_rows(state: RunsState, now: datetime) -> tuple[BadgeRow, ...]:
    """The runs of the list."""
    return tuple(_row(one, state, now) for one in state.shown)


def run_title(run: TaskRun) -> str:
    """What a run did, in one line."""
    return counts_words(run.counts) or _tr("Nothing to do")


def run_place(run: TaskRun, state: RunsState) -> str:
    """Where a run worked: ``Channel, #map-room``."""
    scope = run.target.scope
    if scope is None:
        return ""
    place = state.places.get(scope, "")
    tier = tier_title(scope.tier)
    return f"{tier}, {place}" if place and scope.tier is Tier.CHANNEL else tier


def trigger_words(trigger: str) -> str:
    """Why a run began."""
    return {
        "request": _tr("on request"),
        "review": _tr("after a review"),
        "resumed": _tr("going on after a stop"),
        "event": _tr("when a conversation closed"),
        "new_entries": _tr("enough new memories"),
        "start": _tr("caught up at start"),
        "interval": _tr("by the clock"),
    }.get(trigger, trigger)


def state_words(run: TaskRun) -> str:
    """How a run ended, in a sentence; empty for a finished one."""
    if run.problem == LARGE:
        return _tr(
            "It stopped before doing anything: it would have forgotten more than a fifth of what "
            "was there. Review the plan to decide."
        )
    return {
        RunState.RUNNING: _tr("It is under way, or the program ended in the middle of it."),
        RunState.FINISHED: "",
        RunState.STOPPED: _tr("It was stopped; what was finished stayed."),
        RunState.FAILED: _tr("It failed; what was finished stayed. The next run goes on."),
        RunState.UNDONE: _tr("It was taken back."),
    }[run.state]


def run_badge(run: TaskRun) -> tuple[str, str]:
    """The mark of a run that did not simply finish: its word and the role of its colour."""
    if run.problem == LARGE:
        return _tr("asks you"), "ochre"
    return {
        RunState.RUNNING: (_tr("under way"), "lapis"),
        RunState.FINISHED: ("", "graphite"),
        RunState.STOPPED: (_tr("stopped"), "ochre"),
        RunState.FAILED: (_tr("failed"), "madder"),
        RunState.UNDONE: (_tr("undone"), "graphite"),
    }[run.state]


def now_label(entry: MemoryEntry) -> str:
    """How a memory of a past run is now."""
    return _tr("forgotten") if entry.is_forgotten else _tr("active")


def nothing_words(state: RunsState) -> tuple[str, str]:
    """What to say while the list is empty: a title and a sentence."""
    if not state.is_read:
        return _tr("Reading the history"), ""
    return (
        _tr("No run yet"),
        _tr("Every consolidation is listed here with what it did, and can be taken back."),
    )


def _row(run: TaskRun, state: RunsState, now: datetime) -> BadgeRow:
    badge, role = run_badge(run)
    n_broken = run.counts.get("broken", 0)
    if n_broken and not badge:
        badge, role = _tr("{n} golden broke").format(n=grouped(n_broken)), "ochre"
    at = run.ended_at or run.started_at
    meta = ", ".join(
        (
            run_place(run, state),
            _tr("{age} ago").format(age=relative_age(now - at)),
            trigger_words(run.trigger),
        )
    )
    return BadgeRow(
        run.id,
        run_title(replace(run, counts={**run.counts, "broken": 0})),
        meta,
        badge,
        role,
        is_remembered=False,
        description=", ".join(part for part in (badge, meta, exact_time(at)) if part),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("runs", text)
