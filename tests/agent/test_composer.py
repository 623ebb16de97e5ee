"""A skill that is asked for in talk: worded, tried, proposed, taken over, and brought elsewhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent.scripts.artifact import COMPILED
from inklings_desktop.agent_client.launching import own_environment, world_agent_command
from inklings_desktop.agent_client.script_run import carried_out, order
from inklings_desktop.bootstrap import open_inklings, run_window, serve_agent
from inklings_desktop.cli.app import run
from inklings_desktop.cli.program import Program
from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.skills.folder import apart
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.agent.conftest import World, world_at
from tests.agent.test_composing import DRAFT, HEAD
from tests.agent.test_model_planner import said_in
from tests.agent.test_team import report, runs_of, sent
from tests.support.acp_client import AgentGoneError
from tests.support.interpreters import know
from tests.support.processes import kill_processes_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

pytestmark = pytest.mark.slow

WISH = "Write me a skill that counts the ships of a log"
BROKEN = HEAD + "def main(inputs):\n    return {'ships': 1}\n"
CODE = {"file": "scripts/count.py", "inputs": {"text": "ship and ship"}}
TEXT = {"inputs": {"text": "ship"}, "answer": "1"}
CHANGED = DRAFT[DRAFT.index("::: file scripts") :]
WHY = report("It counts the word ship.", open_questions=["Are boats ships?"])


def step(after: int, *calls: tuple[str, Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """What the composer's model does after so many answers."""
    told = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return {"process": "composer", "after": after} | ({"calls": told} if told else {}) | more


def later(lines: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """The same of the composer, after one more answer."""
    return [one | {"after": one["after"] + 1} for one in lines if one.get("process")]


ASKS: tuple[dict[str, Any], ...] = (
    {"when": WISH, "calls": [sent("Word a skill that counts ships", "composer")]},
    {"when": WISH, "after": 1, "text": "It waits in your inbox."},
)
CHAT: tuple[dict[str, Any], ...] = (
    *ASKS,
    step(0, ("skill_search", {"query": "ships"}), ("validate_skill", {"files": "::: file a.md"})),
    step(2, ("validate_skill", {"files": BROKEN})),
    step(3, ("dry_run_skill", CODE)),
    step(4, ("validate_skill", {"files": DRAFT}), ("memory_put", {"tier": "workspace"})),
    step(6, ("dry_run_skill", CODE), ("dry_run_skill", TEXT)),
    step(8, ("skill_propose", {"reason": "Ships are counted by hand.", "files": BROKEN})),
    step(9, text=WHY),
)
SHORT: tuple[dict[str, Any], ...] = (
    *ASKS,
    step(0, ("validate_skill", {"files": DRAFT})),
    step(1, ("dry_run_skill", TEXT)),
    step(2, ("skill_propose", {"reason": "Ships are counted by hand."})),
    step(3, text=WHY),
)
CHOOSES = (
    {"calls": [{"name": "skill_ship_names", "arguments": {"text": "a ship"}}]},
    {"after": 1, "text": "1"},
)
SAID = "Proposed skill ship-names: 2 files are new, 2 of 2 assertions hold."


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[World]:
    """A world in a data root of its own."""
    root = tmp_path / "elsewhere"
    yield world_at(root)
    kill_processes_on(root)


def has_sandbox(world: World, compiled: Path) -> tuple[tuple[str, str], ...]:
    """The environment in which scripts run at once."""
    know(compiled, world.root)
    cache = compiled / "Inklings"
    cache.mkdir(exist_ok=True)
    (cache / COMPILED).write_bytes((compiled / COMPILED).read_bytes())
    return (("XDG_CACHE_HOME", str(compiled)),)


def typed(world: World, *words: str) -> None:
    """A command line of the author's, which does what it is told."""

    def opened(root: Path | None, *, workspace: str | None, require_account: bool = True) -> Any:
        none = NullEmbedder("none")
        return open_inklings(
            root, workspace=workspace, embedder=none, require_account=require_account
        )

    program = Program(opened, run_window, lambda *_: None, serve_agent)  # type: ignore[arg-type]
    place = ["--data-dir", str(world.root), "--workspace", world.workspace]
    assert run([*place, "skill", *words], program) == 0


def test_a_skill_is_worded_in_talk_reviewed_and_works_elsewhere(
    world: World,
    elsewhere: World,
    compiled: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with world.agent(chat=CHAT, environment=has_sandbox(world, compiled)) as agent:
        session = agent.client.new()
        agent.client.say(session, WISH)
        (card,) = runs_of(agent.client).values()
        assert agent.client.texts() == ["It waits in your inbox."]
    assert (card["role"], card["state"], card["may"]) == ("composer", "done", [])
    assert card["summary"] == f"{SAID} It counts the word ship."
    assert card["open_questions"] == ["Are boats ships?"]
    did = [(one["tool"], one["status"]) for one in card["did"]]
    assert did == [
        ("skill_search", "completed"), ("validate_skill", "completed"),
        ("validate_skill", "completed"), ("dry_run_skill", "completed"),
        ("validate_skill", "completed"), ("memory_put", "refused"),
        ("dry_run_skill", "completed"), ("dry_run_skill", "completed"),
        ("skill_propose", "completed"), ("note_write", "completed"),
    ]  # fmt: skip
    (part,) = (one for one in said_in(world, session) if one.get("tool") == "spawn")
    assert part["outcome"] == card["summary"]
    touched = [(one["how"], one["excerpt"]) for one in part["touched"]]
    assert touched == [("proposed", "Ships are counted by hand.")]
    with world.inklings() as opened:
        assert not opened.skill_runs.uses(world.workspace)
        assert "ship-names" not in {one.name for one in opened.skills.list(world.workspace)}
        (asked,) = opened.proposals.list(world.workspace)
        assert (asked.target_name, asked.text) == ("ship-names", DRAFT)
        assert asked.id == part["touched"][0]["id"]
        opened.proposals.accept(asked.ref)
        made = opened.skills.show(world.workspace, "ship-names")
    assert (made.version, made.level, made.contents.files) == (1, "workspace", apart(DRAFT))

    for folder in ("out", "back"):
        (tmp_path / folder).mkdir()
    typed(world, "export", "ship-names", str(tmp_path / "out"))
    typed(elsewhere, "import", str(tmp_path / "out" / "ship-names"))
    typed(elsewhere, "show", "ship-names")
    typed(elsewhere, "enable", "ship-names")
    typed(elsewhere, "export", "ship-names", str(tmp_path / "back"))
    for path, text in apart(DRAFT).items():
        for folder in ("out", "back"):
            assert (tmp_path / folder / "ship-names" / path).read_bytes() == text.encode()
    has_sandbox(elsewhere, compiled)
    monkeypatch.setenv("XDG_CACHE_HOME", str(compiled))
    with elsewhere.agent(chat=CHOOSES) as agent:
        session = agent.client.new()
        agent.client.say(session, "Count these")
    called = {one.get("tool"): one.get("status") for one in said_in(elsewhere, session)}
    assert called["skill_ship_names"] == "completed"
    with elsewhere.inklings() as opened:
        (trace,) = opened.skill_runs.traces(elsewhere.workspace, "ship-names")
        assert (trace.outcome.value, trace.output) == ("passed", "1")
        told = opened.skill_runs.guidance(elsewhere.workspace, "ship-names", {"text": "this log"})
    code = told.skill.contents.files[told.code[0]]
    assert told.steps == "Count the ships of this log.\n"
    assert told.skill.last_used_at is not None
    command = world_agent_command(elsewhere.root, elsewhere.workspace)
    assert command is not None
    ran = carried_out(command, own_environment(os.environ), order(code, {"text": "a ship"}))
    assert ran is not None
    assert ran.document["result"] == {"n": 1}


def test_a_skill_is_mended_beside_the_version_that_was_read(world: World) -> None:
    with world.inklings() as opened:
        opened.skills.save(world.workspace, apart(BROKEN))
    wrong = {"skill": "ship-names", "wrong": "It has no n", "report": {"got": "n"}}
    chat: tuple[dict[str, Any], ...] = (
        {"when": "Mend", "calls": [sent("Mend it", "composer", inputs=wrong)]},
        {"when": "Mend", "after": 1, "text": "Done."},
        step(0, ("skill_read", {"name": "ship-names", "file": "SKILL.md"})),
        step(1, ("validate_skill", {"files": CHANGED, "keep": ["SKILL.md"]})),
        *later(SHORT[3:]),
    )
    with world.agent(chat=chat) as agent:
        session = agent.client.new()
        agent.client.say(session, "Mend the skill of ships")
        (card,) = runs_of(agent.client).values()
    assert card["summary"].startswith(
        "Proposed skill ship-names: 1 file changes, 1 of 2 assertions hold, 1 was not checked."
    )
    state = world.runs()
    heard = [
        one.detail["sent"] for run in state.runs(session) for one in state.traces(run.id)
        if one.kind == "model" and one.node == "work" and one.detail
    ]  # fmt: skip
    assert "It has no n" in heard[0]["message"]
    assert "required_keys" in heard[1]["results"]  # the head says what is asserted
    with world.inklings() as opened:
        (asked,) = opened.proposals.list(world.workspace)
        assert asked.base_version == 1
        opened.proposals.accept(asked.ref)
        assert opened.skills.show(world.workspace, "ship-names").version == 2


def test_without_a_model_it_says_what_to_do_and_no_more(world: World) -> None:
    with world.agent() as agent:
        session = agent.client.new()
        agent.client.say(session, WISH)
        (told,) = agent.client.texts()
    with world.agent(chat=ASKS) as agent:
        session = agent.client.new()
        agent.client.say(session, WISH)
        (card,) = runs_of(agent.client).values()
    assert (card["state"], card["problem"], card["did"]) == ("failed", "needs_model", [])
    assert card["summary"] == told
    assert told.startswith("A skill is worded by a model, and none is set for it.")
    with world.inklings() as opened:
        assert opened.proposals.list(world.workspace) == ()


@pytest.mark.parametrize("moment", ["before:do#3", "after:do#3", "kept:do#3"])
def test_killed_as_it_proposes_it_proposes_once(world: World, moment: str) -> None:
    with world.agent(chat=SHORT, dies=moment) as agent:
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, WISH)
    with world.inklings() as opened:
        assert len(opened.proposals.list(world.workspace)) == (moment != "before:do#3")
    with world.agent(chat=SHORT) as agent:
        agent.client.load(session)
        assert agent.client.say(session, "/continue")["stopReason"] == "end_turn"
        (card,) = runs_of(agent.client).values()
        assert agent.client.texts() == ["It waits in your inbox."]
    assert (card["state"], card["resumed"]) == ("done", True)
    assert "1 of 2 assertions hold, 1 was not checked" in card["summary"]
    with world.inklings() as opened:
        (asked,) = opened.proposals.list(world.workspace)
    assert (asked.state, asked.text) == (ProposalState.PENDING, DRAFT)
    assert world.said(session) == [("user", "complete"), ("assistant", "complete")]
