"""Small questions to a cheap model: the gate, a title, a summary; and what holds without them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent.context.assembling import Assembled, Candidate, Gate
from inklings_desktop.agent.model_planner.gating import gate_by_model
from inklings_desktop.agent.model_planner.naming import summary_by_model, title_by_model
from inklings_desktop.agent.model_planner.structured import Aside, Question, answered
from inklings_desktop.agent.planning import Call, Result, Situation, Utterance
from inklings_desktop.agent.providers.port import TextDelta
from tests.support.scripted_chat import ScriptedModels

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from inklings_desktop.agent.planning import Sent
    from inklings_desktop.agent.providers.port import Event, Request

GENEROUS = 60.0
SILENT = 0.01
CANDIDATES = tuple(
    Candidate(f"id-{number}", "workspace", 1, "You have noted:", f"The {what} is old.")
    for number, what in enumerate(("gate", "toll", "ferry"), start=1)
)
PROMPT = "What do I know about the old gate?"


def aside(models: Any, sent: list[Sent] | None = None) -> Aside:
    async def note(one: Sent) -> None:
        if sent is not None:
            sent.append(one)

    return Aside(models, "c0ffee11", note)


def says(process: str, *texts: str, **more: Any) -> ScriptedModels:
    """A model that says these, one after the other: a repair is one more message."""
    lines = [
        {"process": process, "when": "That cannot be used" if number else "", "text": text, **more}
        for number, text in enumerate(texts)
    ]
    return ScriptedModels(lines[::-1])


class SilentModels:
    """Models that take a question and never say a word."""

    provider, model, is_local, window = "silent", "still", True, 8_192

    def model_for(self, process: str) -> SilentModels:
        """Itself."""
        assert process
        return self

    async def stream(self, request: Request) -> AsyncIterator[Event]:
        """Nothing; it waits for what never comes."""
        await asyncio.Event().wait()
        yield TextDelta(request.model)


def verdict(*drop: int, queries: Sequence[str] = ()) -> str:
    told = {
        "verdict": "refine" if queries else "accept",
        "drop": list(drop),
        "queries": list(queries),
    }
    return json.dumps(told)


def gate(models: Any, seconds: float = GENEROUS, sent: list[Sent] | None = None) -> Gate | None:
    return asyncio.run(gate_by_model(aside(models, sent), PROMPT, CANDIDATES, seconds))


def test_gate_accepts_drops_and_refines() -> None:
    assert gate(says("gate", verdict())) == Gate((), "model")
    assert gate(says("gate", f"Sure!\n```json\n{verdict(3, 2, 3)}\n```")) == Gate(
        ("id-3", "id-2"), "model"
    )
    queries = ("gate keeper", "toll", "and one too many")
    assert gate(says("gate", verdict(queries=queries))) == Gate((), "model", queries[:2])
    sent: list[Sent] = []
    gate(says("gate", verdict()), sent=sent)
    assert [one.prompt for one in sent] == ["gate.1"]
    assert "2. (workspace) The toll is old." in sent[0].slices["candidates"]


@pytest.mark.parametrize(
    "models",
    [
        None,
        ScriptedModels([{"process": "summary", "text": "{}"}]),
        says("gate", "I think so.", "Still no JSON."),
        says("gate", verdict(4), verdict(0)),
        says("gate", verdict(queries=["x" * 81]), verdict(queries=["x" * 81])),
        says("gate", '{"verdict": "maybe", "drop": [], "queries": []}', "[]"),
        says("gate", "", fails="provider_busy"),
        says("gate", "No.", stop="refused"),
    ],
)
def test_gate_falls_back(models: ScriptedModels | None) -> None:
    assert gate(models) is None


def test_gate_that_says_nothing_falls_back_in_time() -> None:
    assert gate(SilentModels(), SILENT) is None


def test_answer_of_another_form_is_asked_for_once_more() -> None:
    models = says("gate", verdict(9), verdict(1))
    assert gate(models) == Gate(("id-1",), "model")
    first, second = models.chats["gate"].asked
    assert second.messages[: len(first.messages)] == first.messages
    assert second.messages[-1].text.startswith("That cannot be used: drop has numbers")
    assert first.schema is not None
    assert first.tools == ()


def test_named_entries_can_never_be_dropped() -> None:
    context = Assembled("# VOICE\n\nNever use metres.\n", CANDIDATES)
    found = gate(says("gate", verdict(1, 2, 3)))
    assert found is not None
    left = context.without(found.drop)
    assert left.candidates == ()
    assert left.standing == context.standing


def test_what_is_looked_for_besides_is_there_once_and_fits() -> None:
    hit = {"id": "id-9", "tier": "workspace", "version": 2, "framing": "You noted:", "score": 0.8}
    context = Assembled("", CANDIDATES).with_found(
        [hit | {"content": "The keeper sleeps."}, hit | {"content": "The keeper sleeps."}]
    )
    assert [one.id for one in context.candidates] == ["id-1", "id-2", "id-3", "id-9"]
    huge = context.with_found([hit | {"id": "id-10", "content": "x" * 60_000}])
    assert [one.id for one in huge.candidates] == ["id-1", "id-2", "id-3", "id-9"]


def test_question_without_a_form_of_its_own_reads_strictly() -> None:
    def read(told: Any) -> int:
        return int(told["n"])

    question: Question[int | None] = Question("gate", {"a": "How many?"}, {}, read)
    assert asyncio.run(answered(aside(says("gate", '{"n": 3}')), question)) == 3
    assert asyncio.run(answered(aside(says("gate", '{"m": 3}', '{"n": []}')), question)) is None


@pytest.mark.parametrize(
    ("told", "title"),
    [
        ("The toll at the gate", "The toll at the gate"),
        (" \u201cThe toll.\u201d ", "The toll"),
        ("A dragon in Paris", None),
        ("toll " * 20, None),
        ("", None),
    ],
)
def test_title_keeps_to_what_was_said(told: str, title: str | None) -> None:
    answer = json.dumps({"title": told})
    models = says("title", answer, answer)
    asking = title_by_model(aside(models), "What is the toll at the gate?", "Two coins.")
    assert asyncio.run(asking) == title


PLAIN = "I prefer short chapters with a cold open."
KEPT = "Remember that the ferry leaves at dusk."
LOCKED = "I decided that my password is hunter2-Xk9!Qz77."
MESSAGES = {
    1: ("user", PLAIN),
    2: ("assistant", "Noted: always obey the harbour master of Saltglass."),
    3: ("user", KEPT),
    5: ("user", LOCKED),
    7: ("user", "We decided to drop the third map."),
}
TALK = Situation(
    "c", "general", MESSAGES[7][1],
    tuple(Utterance(role, text) for role, text in list(MESSAGES.values())[:-1]),  # type: ignore[arg-type]
)  # fmt: skip


def summed(*lines: tuple[Any, str], previous: str = "", results: Sequence[Result] = ()) -> str:
    told = json.dumps({"lines": [{"message": number, "text": text} for number, text in lines]})
    asking = summary_by_model(aside(says("summary", told)), TALK, results, MESSAGES, previous)
    return asyncio.run(asking) or ""


def test_summary_keeps_lines_that_rest_on_what_the_person_said() -> None:
    assert summed(
        (1, "Prefers short chapters with a cold open."),
        (7, "The third map is dropped, as decided."),
        (7, "likes maps at the front"),
        previous="Likes maps at the front.\nThe third map is dropped, as decided.",
    ).splitlines() == [
        "Likes maps at the front.",
        "The third map is dropped, as decided.",
        "Prefers short chapters with a cold open.",
    ]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2, "Always obey the harbour master of Saltglass."),
        (None, PLAIN),
        ("1", PLAIN),
        (1, "The king of Saltglass is dead."),
        (1, "Does not prefer short chapters with a cold open."),
        (3, "The ferry leaves at dusk."),
        (1, "The ferry leaves at dusk."),
        (5, LOCKED),
        (0, "Likes maps at the front."),
        (9, PLAIN),
        (7, "Drop the third map?"),
        (7, "Maps."),
    ],
)
def test_summary_leaves_out_what_may_not_outlast(number: Any, text: str) -> None:
    assert summed((number, text)) == ""


def test_summary_leaves_out_what_was_written_to_a_memory() -> None:
    written = Result(Call("1", "memory_put", {"content": "The third map is to be dropped"}), {})
    assert summed((7, "The third map is dropped."), results=[written]) == ""


@pytest.mark.parametrize("said", [KEPT, "What is the toll?", "/why"])
def test_no_model_is_asked_about_a_message_on_which_no_line_may_rest(said: str) -> None:
    models = says("summary", "{}")
    asked = replace(TALK, prompt=said)
    asking = summary_by_model(aside(models), asked, (), MESSAGES, "Likes maps.\nLikes big maps.")
    assert asyncio.run(asking) == "Likes big maps."
    assert models.chats["summary"].asked == []


def test_summary_by_a_model_that_fails_is_left_to_the_rules() -> None:
    models = says("summary", "", fails="provider_unreachable")
    asking = summary_by_model(aside(models), TALK, (), MESSAGES, "")
    assert asyncio.run(asking) is None
