"""What the run history shows at any moment, and its words; no widgets, no calls."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import LARGE, RunState, TaskRun
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.words.consolidation_words import counts_words
from inklings_desktop.ui.kit.words.memory_facts import exact_time, relative_age, tier_title

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.background.tasks import RunDetails
    from inklings_desktop.ui.kit.words.consolidation_words import ReviewNotice


_ENDED = frozenset({RunState.FINISHED, RunState.STOPPED, RunState.FAILED})


@dataclass(frozen=True, slots=True)
class RunsState:
    """Everything on show.

    Attributes:
        is_read: Whether the history has been read.
        tier: Only runs of this tier; None for all of them.
        runs: Every consolidation of the workspace and of the account, newest first.
        places: What the person calls a scope key.
        current: Id of the run that is looked at; empty for none.
        details: What it did; None until that was read.
        is_undoing: Whether it is being taken back.
        notice: What has to be said.
    """

    is_read: bool = False
    tier: Tier | None = None
    runs: tuple[TaskRun, ...] = ()
    places: Mapping[ScopeKey, str] = field(default_factory=dict)
    current: str = ""
    details: RunDetails | None = None
    is_undoing: bool = False
    notice: ReviewNotice | None = None

    @property
    def shown(self) -> tuple[TaskRun, ...]:
        """The runs in the list."""
        return tuple(one for one in self.runs if self.tier is None or one.target.tier is self.tier)

    @property
    def run(self) -> TaskRun | None:
        """The run that is looked at."""
        return next((one for one in self.runs if one.id == self.current), None)

    @property
    def can_undo(self) -> bool:
        """Whether the run that is looked at can be taken back."""
        run = self.run
        return (
            run is not None
            and run.state in _ENDED
            and not self.is_undoing
            and any(run.counts.get(one) for one in ("merged", "pruned", "promoted", "capped"))
        )


def run_rows(state: RunsState, now: datetime) -> tuple[BadgeRow, ...]:
    """The runs of the list."""
    return tuple(_row(one, state, now) for one in state.shown)


def run_title(run: TaskRun) -> str:
    """What a run did, in one line."""
    return counts_words(run.counts) or tr("Nothing to do")


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
        "request": tr("on request"),
        "review": tr("after a review"),
        "resumed": tr("continued after a stop"),
        "event": tr("when a conversation closed"),
        "new_entries": tr("enough new memories"),
        "start": tr("caught up at start"),
        "interval": tr("by the clock"),
    }.get(trigger, trigger)


def state_words(run: TaskRun) -> str:
    """How a run ended, in a sentence; empty for a finished one."""
    if run.problem == LARGE:
        return tr(
            "It stopped before doing anything: it would have forgotten more than a fifth of what "
            "was there. Review the plan to decide."
        )
    return {
        RunState.RUNNING: tr("It is running, or the program ended during it."),
        RunState.FINISHED: "",
        RunState.STOPPED: tr("It was stopped; what was finished stays."),
        RunState.FAILED: tr("It failed; what was finished stays. The next run continues."),
        RunState.UNDONE: tr("It was undone."),
    }[run.state]


def run_badge(run: TaskRun) -> tuple[str, str]:
    """The mark of a run that did not simply finish: its word and the role of its colour."""
    if run.problem == LARGE:
        return tr("asks you"), "ochre"
    return {
        RunState.RUNNING: (tr("under way"), "lapis"),
        RunState.FINISHED: ("", "graphite"),
        RunState.STOPPED: (tr("stopped"), "ochre"),
        RunState.FAILED: (tr("failed"), "madder"),
        RunState.UNDONE: (tr("undone"), "graphite"),
    }[run.state]


def now_label(entry: MemoryEntry) -> str:
    """How a memory of a past run is now."""
    return tr("forgotten") if entry.is_forgotten else tr("active")


def nothing_words(state: RunsState) -> tuple[str, str]:
    """What to say while the list is empty: a title and a sentence."""
    if not state.is_read:
        return tr("Reading the history"), ""
    return (
        tr("No run yet"),
        tr("Every consolidation is listed here with what it did. You can undo it."),
    )


def _row(run: TaskRun, state: RunsState, now: datetime) -> BadgeRow:
    badge, role = run_badge(run)
    n_broken = run.counts.get("broken", 0)
    if n_broken and not badge:
        badge, role = tr("{n} golden broke").format(n=grouped(n_broken)), "ochre"
    at = run.ended_at or run.started_at
    meta = ", ".join(
        (
            run_place(run, state),
            tr("{age} ago").format(age=relative_age(now - at)),
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
