from __future__ import annotations

import asyncio
import io
import json
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.agent.model_planner.rewording import reworded
from inklings_desktop.agent_program import FAILED, LocalWorkplace, complete
from inklings_desktop.domain.runs.run_rows import Spent
from inklings_desktop.settings_file import save_values
from tests.support.builders import WORKSPACE_ID
from tests.support.run_states import a_run_state
from tests.support.scripted_chat import ScriptedModels

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.agent.planning import Sent
    from inklings_desktop.agent.ports import RunState


async def unheard(_sent: Sent) -> None:
    """Nobody keeps what was sent."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    with a_run_state(tmp_path):
        return tmp_path


TEXTS = ["The harbour closes at dusk.", "Mara keeps the harbour's keys."]
BOTH = "The harbour closes at dusk, and Mara keeps its keys."


def model(*answers: str) -> ScriptedModels:
    """One that gives these answers to what is asked of it, one after the other."""
    first, *others = answers
    again = [{"process": "merge", "when": "cannot be used", "text": one} for one in others]
    return ScriptedModels([*again, {"process": "merge", "text": first}])


def said(text: str) -> str:
    return json.dumps({"text": text})


def test_every_text_is_sent_as_a_quotation_and_one_comes_back() -> None:
    models = model(said(f" {BOTH} "))
    assert asyncio.run(reworded(models, TEXTS, unheard)) == BOTH
    (request,) = models.chats["merge"].asked
    (message,) = request.messages
    assert message.text.splitlines()[1:-1] == ["1. " + TEXTS[0], "2. " + TEXTS[1]]
    assert message.text.startswith("[[")
    assert TEXTS[0] not in "".join(request.system)


def test_an_answer_of_another_form_is_asked_for_once_more() -> None:
    assert asyncio.run(reworded(model("Here you are:", said(BOTH)), TEXTS, unheard)) == BOTH
    assert asyncio.run(reworded(model(said(" "), said("")), TEXTS, unheard)) is None


def test_what_looks_like_a_key_is_not_sent() -> None:
    models = model(said(BOTH))
    key = "sk-" + "a1B2c3D4" * 6
    assert asyncio.run(reworded(models, [*TEXTS, f"The key is {key}"], unheard)) is None
    assert models.chats["merge"].asked == []


def completed(root: Path, models: ScriptedModels) -> tuple[int, bytes, RunState]:
    """The exit status of the program, what it said, and what was spent."""
    out, place = io.BytesIO(), LocalWorkplace(root, WORKSPACE_ID)
    asked = io.BytesIO(json.dumps({"texts": TEXTS}).encode())
    status = asyncio.run(complete(place, models, WORKSPACE_ID, asked, out))
    return status, out.getvalue(), place.run_state(WORKSPACE_ID)


def test_without_a_model_the_program_says_so_and_fails(root: Path) -> None:
    status, said_, runs = completed(root, ScriptedModels([]))
    assert (status, said_) == (FAILED, b"")
    assert runs.spent().input_tokens == 0


def test_the_program_answers_with_the_text_alone_and_keeps_what_it_cost(root: Path) -> None:
    status, said_, runs = completed(root, model(said(BOTH)))
    assert (status, json.loads(said_)) == (0, {"text": BOTH})
    (spent,) = runs.spent_on()
    assert (spent.process, spent.provider, spent.n_calls) == ("merge", "scripted", 1)
    assert runs.spent().input_tokens == 100


def test_once_the_day_has_cost_what_it_may_no_model_is_asked(root: Path) -> None:
    with a_run_state(root) as runs:
        runs.begin_run("c:t", "c", "orchestrator")
        runs.note_run("c:t", "plan", Spent(cost_micro=5_000_000, currency="USD"))
    models = model(said(BOTH))
    assert completed(root, models)[:2] == (FAILED, b"")
    assert models.chats["merge"].asked == []
    save_values(root, {"agent.daily_cost": 0})
    assert completed(root, models)[0] == 0
