from __future__ import annotations

import asyncio
import io
import json

import pytest

from inklings_desktop.agent.model_planner.rewording import reworded
from inklings_desktop.agent_program import FAILED, complete
from tests.support.scripted_chat import ScriptedModels

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
    assert asyncio.run(reworded(models, TEXTS)) == BOTH
    (request,) = models.chats["merge"].asked
    (message,) = request.messages
    assert message.text.splitlines()[1:-1] == ["1. " + TEXTS[0], "2. " + TEXTS[1]]
    assert message.text.startswith("[[")
    assert TEXTS[0] not in "".join(request.system)


def test_an_answer_of_another_form_is_asked_for_once_more() -> None:
    assert asyncio.run(reworded(model("Here you are:", said(BOTH)), TEXTS)) == BOTH
    assert asyncio.run(reworded(model(said(" "), said("")), TEXTS)) is None


def test_what_looks_like_a_key_is_not_sent() -> None:
    models = model(said(BOTH))
    key = "sk-" + "a1B2c3D4" * 6
    assert asyncio.run(reworded(models, [*TEXTS, f"The key is {key}"])) is None
    assert models.chats["merge"].asked == []


@pytest.mark.parametrize("models", [None, ScriptedModels([])])
def test_without_a_model_the_program_says_so_and_fails(models: ScriptedModels | None) -> None:
    out = io.BytesIO()
    asked = io.BytesIO(json.dumps({"texts": TEXTS}).encode())
    assert asyncio.run(complete(models, asked, out)) == FAILED
    assert out.getvalue() == b""


def test_the_program_answers_with_the_text_alone() -> None:
    out = io.BytesIO()
    asked = io.BytesIO(json.dumps({"texts": TEXTS}).encode())
    assert asyncio.run(complete(model(said(BOTH)), asked, out)) == 0
    assert json.loads(out.getvalue()) == {"text": BOTH}
