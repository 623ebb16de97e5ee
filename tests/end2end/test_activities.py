"""Activities by the program itself: test 60 ``activity_asks_nobody``, budgets, Stop, and kills."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.agent_client.headless import HeadlessAgent, Others
from inklings_desktop.agent_settings import Preset
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.background.activities import (
    ActivityDraft,
    ActivityRun,
    Budget,
    May,
    Outcome,
)
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.domain.errors import StoppedError
from inklings_desktop.domain.memory import MemoryDraft, Tier
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from tests.agent.conftest import World, world_at
from tests.end2end.talkers import WarmAgent, warm
from tests.support.plain_agent import installed
from tests.support.processes import children_of, kill_processes_on, line_of, started
from tests.support.stand_ins import with_agent
from tests.support.stopwatch import HANG_SECONDS

pytestmark = pytest.mark.slow

DAM = "The dam leaks"
FORGET = "Forget that the dam leaks"
MILL = "Remember that the mill is new"
PUT = {"name": "memory_put", "arguments": {"tier": "workspace", "content": "The mill is new"}}
SLOWLY = "one two three four five six seven eight"


@pytest.fixture(scope="module")
def warm_agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where agents are forked."""
    with warm(tmp_path_factory.mktemp("warm")) as address:
        yield address


@pytest.fixture(scope="module")
def shared_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One data root, whose memory server serves every world in it."""
    root = tmp_path_factory.mktemp("activities") / "root"
    yield root
    kill_processes_on(root)


@dataclass(frozen=True, slots=True)
class Bench:
    """A world with its agent, and one activity at a time."""

    world: World
    agents: str
    folder: Path

    def command(self, script: Sequence[Mapping[str, Any]] | None) -> list[str]:
        """What starts the agent."""
        if script is None:
            return WarmAgent(self.agents)(self.world.root, self.world.workspace)
        file = self.folder / "script.json"
        file.write_text(json.dumps(script), encoding="utf-8")
        return WarmAgent(self.agents, file)(self.world.root, self.world.workspace)

    @contextmanager
    def inklings(
        self, script: Sequence[Mapping[str, Any]] | None = None, *, later: timedelta = timedelta()
    ) -> Iterator[Inklings]:
        """The author's use cases, with this agent; perhaps some time later."""
        with open_inklings(
            self.world.root,
            workspace=self.world.workspace,
            embedder=NullEmbedder("none"),
            embed_writes=False,
            clock=lambda: datetime.now(UTC) + later,
        ) as opened:
            command = self.command(script)
            yield with_agent(opened, HeadlessAgent(lambda _: command))

    def make(self, prompt: str, budget: Budget | None = None) -> str:
        """An activity that is only run by hand; its id."""
        with self.inklings() as inklings:
            daily = schedule_of({"daily": "10:30"})
            draft = ActivityDraft("Digest", prompt, "general", daily, budget or Budget())
            return inklings.activities.make(self.world.workspace, draft).id

    def run(
        self,
        activity: str,
        script: Sequence[Mapping[str, Any]] | None = None,
        progress: Progress = UNHEARD,
        *,
        later: timedelta = timedelta(),
    ) -> ActivityRun:
        """Carry it out; how its latest run stands then."""
        with self.inklings(script, later=later) as inklings:
            inklings.activities.run(self.world.workspace, activity, progress=progress)
            return inklings.activities.runs(self.world.workspace, activity)[0]

    def answers(self, run: ActivityRun) -> list[str]:
        """What the agent said in a run's conversation, message by message."""
        with self.world.inklings() as inklings:
            said, _ = inklings.messages.list(self.world.workspace, run.conversation_id)
        return [
            " ".join(part["text"] for part in json.loads(one.parts_json) if part["kind"] == "text")
            for one in said
            if one.role is MessageRole.ASSISTANT
        ]

    def n_unread(self, run: ActivityRun) -> int:
        """Answers of a run that the person has not seen."""
        with self.world.inklings() as inklings:
            return inklings.messages.heads(self.world.workspace)[run.conversation_id].n_unread


@pytest.fixture
def bench(shared_root: Path, warm_agents: str, tmp_path: Path) -> Bench:
    """A workspace of the test's own in which the dam leaks."""
    made = Bench(world_at(shared_root), warm_agents, tmp_path)
    with made.inklings() as inklings:
        inklings.memories.put(MemoryDraft(made.world.scope, DAM))
    return made


def test_activity_asks_nobody_and_says_what_waits(bench: Bench) -> None:
    run = bench.run(bench.make(FORGET))
    assert run.outcome is Outcome.DONE
    (answer,) = bench.answers(run)
    assert "This waits for you" in answer
    assert answer.rstrip().endswith(f"- Forget: {DAM}")
    assert bench.world.memories() == [DAM]
    assert bench.n_unread(run) == 1


def test_activity_asks_nobody_with_a_model_either(bench: Bench) -> None:
    with bench.inklings() as inklings:
        page = inklings.listing.browse([bench.world.scope])
    forget = {"tier": "workspace", "id": page.entries[0].id}
    script: list[dict[str, Any]] = [
        {"when": "Tidy", "calls": [{"name": "memory_forget", "arguments": forget}]},
        {"when": "Tidy", "after": 1, "text": "I would forget one. "},
    ]
    run = bench.run(bench.make("Tidy up"), script)
    (answer,) = bench.answers(run)
    assert answer.startswith("I would forget one.")
    assert "This waits for you" in answer
    assert bench.world.memories() == [DAM]


def test_without_a_model_it_answers_with_a_digest_and_says_so(bench: Bench) -> None:
    run = bench.run(bench.make("Write a limerick on the dam."))
    assert run.outcome is Outcome.DONE
    (answer,) = bench.answers(run)
    assert "it takes a model" in answer
    assert DAM in answer
    assert run.said.startswith("This was asked at its time")


def test_a_provider_that_is_gone_is_as_no_model(bench: Bench) -> None:
    script = [{"when": "limerick", "fails": "provider_unreachable"}]
    run = bench.run(bench.make("Write a limerick on the dam."), script)
    assert run.outcome is Outcome.DONE
    (answer,) = bench.answers(run)
    assert "it takes a model" in answer
    assert DAM in answer


def test_it_stops_at_its_budget(bench: Bench) -> None:
    looks = [
        {"name": "memory_read", "arguments": {"tier": "workspace", "query": "dam", "limit": n + 1}}
        for n in range(5)
    ]
    script = [{"when": "Look", "after": n, "calls": [one]} for n, one in enumerate(looks)]
    run = bench.run(bench.make("Look around", Budget(tool_calls=2)), script)
    assert (run.outcome, run.problem, run.n_tool_calls) == (Outcome.BUDGET, "limit_reached", 2)


def test_cancel_ends_the_turn(bench: Bench) -> None:
    script = [{"when": "Count", "text": SLOWLY + " ", "pause": 0.25}]
    run = bench.run(bench.make("Count"), script, Progress(is_cancelled=lambda: True))
    assert run.outcome is Outcome.STOPPED
    assert all(SLOWLY not in one for one in bench.answers(run))


WRITES: list[dict[str, Any]] = [
    {"when": MILL, "calls": [PUT]},
    {"when": MILL, "after": 1, "text": SLOWLY + " ", "pause": 0.25},
]


def test_a_window_that_closes_lets_it_rest(bench: Bench) -> None:
    activity = bench.make(MILL)
    n_steps: list[int] = []
    at_work = Progress(lambda *_: n_steps.append(1), is_put_off=lambda: bool(n_steps))
    with pytest.raises(StoppedError):
        bench.run(activity, WRITES, at_work)
    run = bench.run(activity, WRITES)
    assert run.outcome is Outcome.DONE
    assert [one.strip() for one in bench.answers(run)] == [SLOWLY]
    assert bench.world.memories() == [DAM, "The mill is new"]


def test_a_missed_week_is_caught_up_once(bench: Bench) -> None:
    here, daily = bench.world.workspace, schedule_of({"daily": "10:30"}, "UTC")
    with bench.inklings() as inklings:
        draft = ActivityDraft("Digest", "Write a limerick on the dam.", "general", daily)
        made = inklings.activities.make(here, draft)
    assert made.next_due_at is not None
    later = made.next_due_at + timedelta(days=6, hours=2) - datetime.now(UTC)
    with bench.inklings(later=later) as inklings:
        rooms = len(inklings.messages.heads(here))
        runs = [
            inklings.activities.run(here, made.id, trigger=why) for why in ("start", "interval")
        ]
        [run] = inklings.activities.runs(here, made.id)
        view = inklings.activities.get(here, made.id)
        [asked, _], _ = inklings.messages.list(here, run.conversation_id)
        assert len(inklings.messages.heads(here)) == rooms + 1
    assert [one.state for one in runs] == [RunState.FINISHED, RunState.FINISHED]
    assert (run.outcome, view.activity.missed) == (Outcome.DONE, 7)
    since = f"{made.next_due_at:%Y-%m-%d} 10:30"
    assert (
        f"(Missed 7 times since {since}. This one run makes up for all of them.)"
        in (json.loads(asked.parts_json)[0]["text"])
    )
    assert view.activity.next_due_at == made.next_due_at + timedelta(days=7)
    assert bench.n_unread(run) == 1
    (answer,) = bench.answers(run)
    assert DAM in answer


@pytest.mark.parametrize("may", [frozenset(), frozenset({May.PROPOSE})], ids=["nothing", "propose"])
def test_what_it_may_not_do_unasked_waits_and_is_said(bench: Bench, may: frozenset[May]) -> None:
    run = bench.run(bench.make(MILL, Budget(may=may)))
    assert run.outcome is Outcome.DONE
    (answer,) = bench.answers(run)
    assert "This waits for you" in answer
    assert "mill is new" in answer
    assert bench.world.memories() == [DAM]


def test_killed_in_a_run_it_does_not_use_its_budget_once_more(bench: Bench) -> None:
    looks = [
        {"name": "memory_read", "arguments": {"tier": "workspace", "query": "dam", "limit": n + 1}}
        for n in range(5)
    ]
    script = [{"when": "Look", "after": n, "calls": [one]} for n, one in enumerate(looks)]
    activity, world = bench.make("Look around", Budget(tool_calls=3)), bench.world
    host = started(
        "tests.end2end.activity_process",
        str(world.root), world.workspace, activity, json.dumps(bench.command(script)),
    )  # fmt: skip
    assert line_of(host) == "at work"
    for one in (host.pid, *children_of(host.pid)):
        _kill(one)
    host.communicate(timeout=HANG_SECONDS)
    run = bench.run(activity, script, later=timedelta(minutes=2))
    assert (run.outcome, run.problem, run.n_tool_calls) == (Outcome.BUDGET, "limit_reached", 3)


@pytest.fixture
def plain(bench: Bench, tmp_path: Path) -> Preset:
    """An agent of another maker, which was let in."""
    here = bench.world.workspace
    with bench.inklings() as inklings:
        rights = preset_rights(ClientKind.EXTERNAL, here)
        writes = Right(Tier.WORKSPACE, here, Action.WRITE)
        inklings.clients.grant("plain", frozenset({*rights, writes}))
    return Preset("plain", "Plain", (str(installed(tmp_path / "bin")),), (), "plain")


def test_another_makers_agent_answers_in_its_own_name(bench: Bench, plain: Preset) -> None:
    with bench.inklings() as inklings:
        daily, here = schedule_of({"daily": "10:30"}), bench.world.workspace
        draft = ActivityDraft("Plain", "remember The mill is new", "general", daily, agent="plain")
        activity = inklings.activities.make(here, draft).id
        program = inklings.parts.adapters().program
        others = Others(lambda: (plain,), bench.world.root, program)
        theirs = with_agent(inklings, HeadlessAgent(lambda _: None, others))
        theirs.activities.run(here, activity)
        [run] = theirs.activities.runs(here, activity)
        said, _ = theirs.messages.list(here, run.conversation_id)
    assert run.outcome is Outcome.DONE
    assert [(one.client, one.role) for one in said][1:] == [("plain", MessageRole.ASSISTANT)]
    assert bench.world.memories() == [DAM, "The mill is new"]
    assert bench.n_unread(run) == 1


def test_one_that_is_not_here_or_was_not_let_in_says_so(bench: Bench, plain: Preset) -> None:
    with bench.inklings() as inklings:
        daily, here = schedule_of({"daily": "10:30"}), bench.world.workspace
        others = Others(lambda: (plain,), bench.world.root, inklings.parts.adapters().program)
        theirs = with_agent(inklings, HeadlessAgent(lambda _: None, others))
        found = {}
        for agent in ("codex", "plain"):
            draft = ActivityDraft(agent, "say Hello", "general", daily, agent=agent)
            activity = theirs.activities.make(here, draft).id
            theirs.clients.grant("codex", preset_rights(ClientKind.EXTERNAL, here))
            if agent == "plain":
                theirs.clients.revoke("plain")
            theirs.activities.run(here, activity)
            [run] = theirs.activities.runs(here, activity)
            found[agent] = (run.outcome, run.problem)
        due = {one.target.subject for one in theirs.activities.due(here)}
        views = theirs.activities.list(here)
    assert found == {
        "codex": (Outcome.FAILED, "agent_not_installed"),
        "plain": (Outcome.FAILED, "not_granted"),
    }
    assert due == {one.activity.id for one in views if one.activity.agent == "plain"}


@pytest.mark.parametrize("everything", [False, True], ids=["the_program", "the_agent_as_well"])
def test_killed_in_a_run_nothing_is_done_twice_and_it_is_caught_up_once(
    bench: Bench, *, everything: bool
) -> None:
    activity, world = bench.make(MILL), bench.world
    host = started(
        "tests.end2end.activity_process",
        str(world.root),
        world.workspace,
        activity,
        json.dumps(bench.command(WRITES)),
    )
    assert line_of(host) == "at work"
    agents = children_of(host.pid)
    host.send_signal(signal.SIGKILL)
    if everything:
        for one in agents:
            _kill(one)
    host.communicate(timeout=HANG_SECONDS)
    # A lease holds others off until it has run out.
    run = bench.run(activity, WRITES, later=timedelta(minutes=2))
    assert run.outcome is Outcome.DONE
    assert [one.strip() for one in bench.answers(run)] == [SLOWLY]
    assert world.memories() == [DAM, "The mill is new"]
    with world.inklings() as inklings:
        (view,) = inklings.activities.list(world.workspace)
        assert view.activity.last_outcome is Outcome.DONE
        assert len(inklings.activities.runs(world.workspace, activity)) == 1


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
