"""The Test button's rehearsal: the real server, as a process, over a data root made for it."""

from __future__ import annotations

import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ARRIVED, ClientKind, Right
from inklings_desktop.domain.errors import ScopeDeniedError, StoppedError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.mcp_server import server
from inklings_desktop.mcp_server.trials.rehearsal import StdioRehearsal
from inklings_desktop.ui.access.connection_words import rehearsal_line
from inklings_desktop.usecases.ports.connections import RehearsalStep, RehearsedStep, StepResult
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor
from tests.support.stopwatch import HANG_SECONDS

pytestmark = pytest.mark.end2end

DONE, REFUSED, FAILED = StepResult.DONE, StepResult.REFUSED, StepResult.FAILED
OPENER = partial(open_inklings, embedder=NullEmbedder("none"), embed_writes=False)


def never() -> bool:
    return False


def results(steps: tuple[RehearsedStep, ...]) -> list[StepResult]:
    return [one.result for one in steps]


def rehearsed(door: AgentDoor, client: str) -> tuple[RehearsedStep, ...]:
    inklings = door.inklings
    return inklings.clients.rehearse_connection(client, door.workspace.id, never)


def test_a_client_is_tried_with_its_own_rights_and_nothing_real_is_touched(
    door: AgentDoor,
) -> None:
    steps = rehearsed(door, LOOM)
    assert [one.step for one in steps] == list(RehearsalStep)
    assert results(steps) == [DONE] * 4
    own = sum(one.is_own for one in server._LISTINGS.values())
    n_purges = 1  # not granted, and the program's own
    assert steps[1].count == len(door.tools(LOOM)) - own + n_purges
    assert steps[2].count == 1
    assert door.answer("memory_read", tier="workspace")["hits"] == []
    activity = door.inklings.clients.show(LOOM).activity
    # The one just above, and that two came to ask which tools there are.
    assert [one.tool for one in activity.calls] == ["memory_read", ARRIVED, ARRIVED]


def test_what_is_not_granted_is_refused_in_the_rehearsal_too(door: AgentDoor) -> None:
    assert results(rehearsed(door, STRANGER)) == [DONE, DONE, DONE, REFUSED]
    door.inklings.clients.grant("shut", ())
    assert results(rehearsed(door, "shut")) == [DONE, REFUSED, REFUSED, REFUSED]


def test_a_stranger_is_not_made_a_client_by_it(door: AgentDoor) -> None:
    before = door.inklings.clients.list()
    assert results(rehearsed(door, "nobody")) == [DONE, DONE, DONE, REFUSED]
    assert door.inklings.clients.list() == before


def test_an_agent_may_not_rehearse(door: AgentDoor) -> None:
    agent = door.inklings.clients.admit(LOOM, door.workspace.id)
    with pytest.raises(ScopeDeniedError):
        door.inklings.as_caller(agent).clients.rehearse_connection(LOOM, door.workspace.id, never)


@pytest.mark.parametrize(
    ("code", "reason", "seconds"),
    [
        ("import sys; sys.exit(3)", "ended", HANG_SECONDS),
        ("print('hello', flush=True); input()", "protocol", HANG_SECONDS),
        ("import time; time.sleep(600)", "timeout", 2.0),
    ],
)
def test_a_server_that_is_none_is_said_to_fail_and_nothing_stays(
    tmp_path: Path, code: str, reason: str, seconds: float
) -> None:
    script = tmp_path / "server.py"
    script.write_text(code, encoding="utf-8")
    rehearsal = StdioRehearsal(lambda: (sys.executable, (str(script),)), OPENER, timeout=seconds)
    (step,) = rehearsal(LOOM, ClientKind.EXTERNAL, a_reader, never)
    assert (step.step, step.result, step.reason) == (RehearsalStep.START, FAILED, reason)
    assert not [one for one in threading.enumerate() if one.name == "rehearsal"]


REFUSING = """
import json, sys
number = json.loads(input())["id"]
said = {"code": -32000, "message": "There is no such world."}
print(json.dumps({"jsonrpc": "2.0", "id": number, "error": said}))
"""


@pytest.mark.parametrize(
    ("code", "reason", "said"),
    [
        (REFUSING, "refused", "There is no such world."),
        ("import sys; sys.exit('First.\\nThe disk is gone.')", "ended", "The disk is gone."),
    ],
)
def test_what_the_server_says_of_its_failure_is_heard(
    tmp_path: Path, code: str, reason: str, said: str
) -> None:
    script = tmp_path / "server.py"
    script.write_text(code, encoding="utf-8")
    rehearsal = StdioRehearsal(lambda: (sys.executable, (str(script),)), OPENER)
    (step,) = rehearsal(LOOM, ClientKind.EXTERNAL, a_reader, never)
    assert (step.result, step.reason, step.said) == (FAILED, reason, said)
    assert said in rehearsal_line(step).text


def test_a_program_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    rehearsal = StdioRehearsal(lambda: (str(tmp_path / "nothing"), ()), OPENER)
    (step,) = rehearsal(LOOM, ClientKind.EXTERNAL, a_reader, never)
    assert (step.result, step.reason) == (FAILED, "not_started")
    said = rehearsal_line(step).text
    assert said == "The program could not be started. The system said: No such file or directory"


def test_the_person_can_give_up(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text("import time; time.sleep(600)", encoding="utf-8")
    rehearsal = StdioRehearsal(lambda: (sys.executable, (str(script),)), OPENER)
    asked: list[float] = []

    def soon() -> bool:
        asked.append(time.monotonic())
        return len(asked) > 3

    began = time.monotonic()
    with pytest.raises(StoppedError):
        rehearsal(LOOM, ClientKind.EXTERNAL, a_reader, soon)
    assert time.monotonic() - began < 10.0


def a_reader(workspace_id: str) -> frozenset[Right]:
    return frozenset({Right(Tier.WORKSPACE, workspace_id, Action.READ)})
