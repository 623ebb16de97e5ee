"""What the schedule says of an activity and of its runs, in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from inklings_desktop.domain.background.activities import (
    Activity,
    ActivityRun,
    ActivityView,
    Budget,
    Outcome,
)
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.ui.control.schedule_state import (
    budget_words,
    cost_words,
    due_line,
    last_words,
    next_words,
    row_spoken,
    runs_words,
    said_words,
    thin_words,
)
from inklings_desktop.ui.kit.words.schedule_words import due_words, when_words

NOW = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)
DAILY = schedule_of({"daily": "10:30"}, "UTC")
ACTIVITY = Activity(
    "a", "Digest", "What is new?", "c", DAILY, Budget(), "Ada", NOW,
    next_due_at=NOW + timedelta(hours=2, minutes=30),
)  # fmt: skip
VIEW = ActivityView(ACTIVITY, "general", is_channel_open=True)
PAID = ActivityRun("r", "c", Outcome.DONE, NOW, NOW, cost_micro=210_000, currency="USD", said="31")


def viewed(last: ActivityRun | None = None, **values: object) -> ActivityView:
    return replace(VIEW, activity=replace(ACTIVITY, **values), last=last)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"daily": "10:30"}, "daily 10:30"),
        ({"weekly": [2], "at": "10:30"}, "Tuesdays 10:30"),
        ({"weekly": [1, 5], "at": "10:30"}, "Mon, Fri 10:30"),
        ({"weekly": [1, 2, 3, 4, 5, 6, 7], "at": "10:30"}, "daily 10:30"),
        ({"monthly": 1, "at": "09:00"}, "monthly on day 1, 09:00"),
        ({"once": "2026-03-10T10:30"}, "once, 10 Mar, 10:30"),
        ({"after_new": 5}, "after 5 new memories"),
        ({"every_minutes": 15}, "every 15 min"),
        ({"every_minutes": 120}, "every 2 h"),
    ],
)
def test_when_each_form_is_due_in_words(form: dict[str, object], said: str) -> None:
    assert when_words(schedule_of(form)) == said


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (-1, "soon"),
        (13, "in 13 min"),
        (150, "in 2 h"),
        (1_500, "tomorrow 09:00"),
        (4_320, "in 3 d"),
    ],
)
def test_when_it_comes(minutes: int, said: str) -> None:
    assert due_words(NOW + timedelta(minutes=minutes), NOW, "UTC") == said


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (VIEW, "in 2 h"),
        (viewed(enabled=False, next_due_at=None), "paused by you"),
        (
            viewed(enabled=False, next_due_at=None, last_outcome=Outcome.PAUSED),
            "paused after three failures",
        ),
        (
            viewed(last_outcome=Outcome.RUNNING, last_started_at=NOW - timedelta(minutes=4)),
            "running, 4 min",
        ),
        (viewed(next_due_at=None), "not again"),
        (viewed(next_due_at=None, schedule=schedule_of({"after_new": 2})), "when they are written"),
        (replace(VIEW, is_channel_open=False), "its channel is archived"),
    ],
)
def test_when_it_runs_next_or_why_not(view: ActivityView, said: str) -> None:
    assert next_words(view, NOW) == said


def test_one_that_is_due_says_that_it_waits_for_mains_power() -> None:
    why = "waits for mains power"
    assert next_words(VIEW, NOW, why) == why
    assert next_words(viewed(enabled=False), NOW, why) == "paused by you"


def test_what_a_run_costs_as_far_as_it_is_known() -> None:
    assert cost_words(VIEW) == "as any turn"
    assert cost_words(viewed(budget=Budget(cost_micro=500_000))) == "at most $0.50"
    assert cost_words(viewed(PAID)) == "about $0.21"
    assert cost_words(viewed(PAID, budget=Budget(cost_micro=500_000))) == "about $0.21 of $0.50"
    assert cost_words(viewed(replace(PAID, cost_micro=None))) == "nothing is paid"
    assert budget_words(()) == "a run"
    assert budget_words((PAID, replace(PAID, cost_micro=70_000))) == (
        "a run; last ones took $0.07 to $0.21"
    )


def test_where_nothing_was_paid_the_time_of_the_last_runs_is_told() -> None:
    free = [
        replace(PAID, cost_micro=None, ended_at=NOW + timedelta(minutes=minutes))
        for minutes in (4, 9)
    ]
    assert budget_words(free) == "a run; last ones took 4 min to 9 min"
    assert budget_words(free[:1]) == "a run; the last took 4 min"
    assert budget_words([replace(PAID, cost_micro=None, ended_at=None)]) == "a run"


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        ((Outcome.BUDGET, Outcome.FAILED), True),
        ((Outcome.DONE, Outcome.BUDGET, Outcome.FAILED), True),
        ((Outcome.DONE, Outcome.DONE, Outcome.BUDGET, Outcome.FAILED), False),  # long ago
        ((Outcome.DONE, Outcome.BUDGET), False),
        ((Outcome.STOPPED, Outcome.STOPPED), False),
        ((), False),
    ],
)
def test_what_the_log_says_of_an_hour_of_the_night(
    outcomes: tuple[Outcome, ...], *, told: bool
) -> None:
    night = datetime(2026, 3, 10, 0, 10, tzinfo=UTC)
    runs = [
        replace(PAID, outcome=one, started_at=night - timedelta(days=n))
        for n, one in enumerate(outcomes)
    ]
    by_day = [replace(PAID, outcome=Outcome.FAILED)] * 3
    said = "At 00:10 two runs came out thin; by day is better."
    assert thin_words(time(0, 10), [*by_day, *runs], "UTC") == (said if told else "")
    assert thin_words(time(8, 0), [*by_day, *runs], "UTC") == ""
    assert thin_words(time(3, 0), [*by_day, *runs], "UTC") == ""


def test_over_the_runs_stands_what_the_latest_made_up_for() -> None:
    assert runs_words(VIEW) == "last runs"
    assert runs_words(viewed(missed=7)) == "last runs; the latest made up for 7 missed times"


def test_the_dialog_says_when_it_runs_next() -> None:
    assert due_line(VIEW, NOW) == "next run Tuesday 10 Mar, 10:30"
    assert due_line(viewed(enabled=False), NOW) == "next run: paused by you"


def test_how_it_went_is_said_where_it_went_badly() -> None:
    ran = {"last_started_at": NOW - timedelta(days=3)}
    assert last_words(VIEW, NOW) == "not yet"
    assert last_words(viewed(PAID, **ran), NOW) == "3 d ago"
    broken = replace(PAID, outcome=Outcome.FAILED, said="")
    assert last_words(viewed(broken, **ran), NOW) == "3 d ago, failed"
    assert said_words(broken) == "No answer."
    spoken = row_spoken(VIEW, when_words(DAILY), next_words(VIEW, NOW), NOW)
    assert spoken == "Digest, on, #general, daily 10:30, not yet, next: in 2 h"
