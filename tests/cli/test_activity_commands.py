"""``inklings activity``: make, show, edit, switch, run and delete what an agent is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.agent_client import headless
from inklings_desktop.domain.background.activities import Outcome, RunEnd
from tests.cli.console import Console
from tests.support.plain_agent import installed

ADD = ("activity", "add", "Weekly continuity", "--prompt", "Report contradictions.")
WEEKLY = ("--weekly", "tue,fri", "--at", "10:30", "--timezone", "UTC")


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[RunEnd]:
    """How the next runs end; no agent is started."""
    waiting: list[RunEnd] = []

    def carry_out(*_args: object) -> RunEnd:
        return waiting.pop(0)

    monkeypatch.setattr(headless.HeadlessAgent, "carry_out", carry_out)
    return waiting


def says(world: Console, *arguments: str) -> str:
    done = world(*arguments)
    assert done.status == 0, done.err
    return done.out


def refuses(world: Console, *arguments: str) -> str:
    done = world(*arguments)
    assert done.status != 0
    return " ".join(done.err.split())


def activity(world: Console, *more: str) -> dict[str, Any]:
    return world.document(*ADD, *(more or WEEKLY))["activity"]  # type: ignore[no-any-return]


def test_it_is_made_listed_and_shown(world: Console) -> None:
    made = activity(world)
    assert made["schedule"] == {"weekly": [2, 5], "at": "10:30"}
    assert (made["channel"], made["enabled"], made["last_outcome"]) == ("general", True, "")
    assert world.document("activity", "list")["activities"] == [made]
    assert world.document("activity", "show", "weekly CONTINUITY")["activity"] == made
    said = says(world, "activity", "list")
    assert "tue,fri 10:30" in said
    assert "not yet" in said


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        (("--every", "30"), {"every_minutes": 30}),
        (("--daily", "21:00"), {"daily": "21:00"}),
        (("--monthly", "1"), {"monthly": 1, "at": "09:00"}),
        (("--once", "2099-03-10T10:30"), {"once": "2099-03-10T10:30"}),
        (("--after-new", "5"), {"after_new": 5}),
        (
            ("--daily", "21:00", "--missed", "08:00-20:00"),
            {"daily": "21:00", "missed": ["08:00", "20:00"]},
        ),
    ],
)
def test_each_way_to_say_when(world: Console, when: tuple[str, ...], wanted: object) -> None:
    assert activity(world, *when)["schedule"] == wanted


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ((), "Say when: --every"),
        (("--daily", "21:00", "--every", "30"), "one way at a time"),
        (("--daily", "21:00", "--at", "10:30"), "--at belongs to"),
        (("--weekly", "soon"), "days such as mon,thu"),
        (("--daily", "9 o'clock"), "A time is written as 10:30."),
        (("--daily", "09:00", "--timezone", "Atlantis"), "No such time zone is known."),
        (("--daily", "09:00", "--seconds", "900"), "must be 10 to 300"),
        (("--daily", "09:00", "--cost", "-1"), "must be more than 0, at most"),
        (("--every", "5"), "must be 15 to 10,080"),
        (("--once", "2020-03-10T10:30"), "has already passed"),
    ],
)
def test_what_cannot_be_is_refused(world: Console, when: tuple[str, ...], said: str) -> None:
    assert said in refuses(world, *ADD, *when)
    assert world.document("activity", "list")["activities"] == []


def test_the_time_alone_changes_and_so_do_the_hours_for_a_missed_run(world: Console) -> None:
    made = activity(world, *WEEKLY, "--missed", "08:00-12:00")
    assert "08:00 to 12:00" in says(world, "activity", "show", made["name"])
    edited = world.document("activity", "edit", made["name"], "--at", "11:00")["activity"]
    assert edited["schedule"] == made["schedule"] | {"at": "11:00"}
    assert "There is already an activity" in refuses(world, *ADD, *WEEKLY)
    assert "inklings activity list" in refuses(world, "activity", "show", "nobody")
    assert "from 1" in refuses(world, "activity", "runs", made["name"], "--limit", "0")


def test_an_edit_leaves_what_it_does_not_name(world: Console) -> None:
    made = activity(world, *WEEKLY, "--cost", "0.5")
    edited = world.document(
        "activity", "edit", "Weekly continuity", "--name", "Friday", "--weekly", "fri"
    )["activity"]
    assert edited["schedule"] == {"weekly": [5], "at": "10:30"}
    assert (edited["name"], edited["id"]) == ("Friday", made["id"])
    assert edited["budget"]["cost_micro"] == 500_000
    assert edited["timezone"] == "UTC"


def test_what_it_may_do_unasked_is_said_and_kept(world: Console) -> None:
    assert "may" not in activity(world)["budget"]
    edit = ("activity", "edit", "Weekly continuity", "--may")
    assert world.document(*edit, "propose")["activity"]["budget"]["may"] == ["propose"]
    assert "look things up, propose changes" in says(world, "activity", "show", "weekly continuity")
    assert world.document(*edit, "nothing")["activity"]["budget"]["may"] == []
    assert "may" not in world.document(*edit, "keep,propose")["activity"]["budget"]
    assert "--may takes keep,propose" in refuses(world, *edit, "fly")


def test_another_makers_agent_is_named_once_it_is_here(world: Console, tmp_path: Path) -> None:
    assert activity(world)["agent"] == "world-agent"
    edit = ("activity", "edit", "Weekly continuity", "--agent")
    assert "Codex was not found on this machine" in refuses(world, *edit, "codex")
    assert "There is no agent" in refuses(world, *edit, "nobody")
    command = json.dumps([str(installed(tmp_path / "bin"))])
    named = f'[[agent.presets]]\nid = "plain"\ntitle = "Plain"\ncommand = {command}\n'
    (world.data_dir / "settings.toml").write_text(named, encoding="utf-8")
    assert world.document(*edit, "plain")["activity"]["agent"] == "plain"
    assert world.document(*edit, "world-agent")["activity"]["agent"] == "world-agent"


def test_it_is_switched_and_deleted(world: Console) -> None:
    activity(world)
    assert not world.document("activity", "off", "Weekly continuity")["activity"]["enabled"]
    on = world.document("activity", "on", "Weekly continuity")["activity"]
    assert on["enabled"]
    assert on["next_due_at"]
    says(world, "activity", "delete", "Weekly continuity")
    assert world.document("activity", "list")["activities"] == []


def test_a_run_says_how_it_went(world: Console, ends: list[RunEnd]) -> None:
    activity(world)
    ends += [RunEnd(Outcome.DONE), RunEnd(Outcome.BUDGET, "limit_reached")]
    for _ in range(2):
        says(world, "activity", "run", "Weekly continuity")
    runs = world.document("activity", "runs", "Weekly continuity")["runs"]
    assert [one["outcome"] for one in runs] == ["budget", "done"]
    assert "stopped at its budget (limit_reached)" in says(
        world, "activity", "runs", "Weekly continuity"
    )


def test_an_unknown_one_is_named(world: Console) -> None:
    assert "Weekly" in refuses(world, "activity", "show", "Weekly")
