"""Older turns made short: by rules, by a model, once for each range, and never unannounced."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent.context.assembling import Assembled
from inklings_desktop.agent.context.compaction import (
    KEPT_MESSAGES,
    WORDED,
    compacted,
    is_due,
    missing_names,
    names_in,
    told_compact,
)
from inklings_desktop.agent.graph.serialising import decode
from inklings_desktop.agent.model_planner.compacting import worded_by_model
from inklings_desktop.agent.model_planner.messages import put_together
from inklings_desktop.agent.planning import Quote, Situation, Utterance
from inklings_desktop.domain.memory import MemoryDraft
from tests.agent.test_asides import aside, says
from tests.support.acp_client import AgentGoneError
from tests.support.scripted_chat import ScriptedChat

if TYPE_CHECKING:
    from tests.agent.conftest import World

ID = "11111111-2222-4333-8444-555555555555"
OLDER = (
    Utterance("user", "Remember that the toll at Saltglass is 7 coins. How is the weather?"),
    Utterance("assistant", f"Kept: [the toll](memory:workspace/{ID}).", (Quote(ID, "workspace"),)),
    Utterance("user", "I prefer short chapters. The gulls are loud today."),
    Utterance("assistant", "Noted. Ottoline would agree."),
)
HERE = Situation("c", "general", "And now?", OLDER)


def worded(**lists: list[str]) -> str:
    return json.dumps({key: [] for key in WORDED} | lists)


def test_what_the_person_asked_for_and_decided_stays_word_for_word() -> None:
    compact = compacted(OLDER, None, HERE)
    assert compact["quotes"] == [
        "Remember that the toll at Saltglass is 7 coins.",
        "How is the weather?",
        "I prefer short chapters.",
    ]
    assert {"Saltglass", "7", "Ottoline"} <= set(compact["names"])
    assert compact["memory_ids"] == [ID]
    again = compacted(OLDER[2:], compact | {"open": ["how the weather is"]}, HERE)
    assert again["quotes"] == compact["quotes"]
    assert again["open"] == ["how the weather is"]


def test_names_and_numbers_are_told_apart_from_words() -> None:
    assert names_in("The toll at Saltglass, since 1342: 7.5 coins. Über dem Tor, O'Hara!") == (
        "Saltglass", "1342", "7.5", "Tor", "O'Hara",
    )  # fmt: skip
    assert missing_names(["the toll at SALTGLASS is 7"], "saltglass 7") == ()
    assert missing_names(["Zorblax is king", "it costs 8"], "saltglass 7") == ("Zorblax", "8")


def test_model_words_the_rest_and_is_held_to_names_and_numbers() -> None:
    good = worded(decisions=["the toll at Saltglass is 7 coins"], open=["how the weather is"])
    bad = worded(decisions=["the toll at Saltglass is 8 coins"])
    worse = worded(intents=["please Zorblax"])
    for texts, found in (((good,), good), ((bad, good), good), ((bad, worse), None)):
        models = says("compact", *texts)
        told = asyncio.run(worded_by_model(aside(models), OLDER, None))
        assert told == (None if found is None else json.loads(found)), texts


def test_it_is_due_before_anything_would_be_lost() -> None:
    history = [{"tokens": 100, "message": number} for number in range(20)]
    assert not is_due(history, 0, 32_768)
    assert not is_due([one | {"tokens": 2_000} for one in history[:KEPT_MESSAGES]], 0, 32_768)
    assert is_due([one | {"tokens": 200} for one in history], 0, 32_768)
    assert is_due(history, 0, 4_096)  # over a third of a small window
    assert is_due(history, 80_000, 32_768)  # tools took the room
    assert not is_due(history, 40_000, 32_768)


def test_next_call_begins_with_what_was_made_short() -> None:
    compact = compacted(OLDER, None, HERE) | {"up_to_message": 4}
    here = Situation("c", "general", "And now?", compact=compact)
    put = put_together(ScriptedChat(()), (), here, (), Assembled(""), "c0ffee11")
    first = put.request.messages[0]
    assert first.text.startswith(
        "Older turns were summarised at message 4; ask for details rather than assume.\n[[c0ffee11"
    )
    assert told_compact(compact) in first.text
    assert put.slices["summary"] == first.text
    assert here.said[0] == "Remember that the toll at Saltglass is 7 coins."


CHAT: tuple[dict[str, Any], ...] = (
    {"when": "Chapter", "text": "Very well."},
    {"when": "Look back", "calls": [
        {"name": "memory_read", "arguments": {"tier": "workspace", "query": "x"}}]},
    {"when": "Look back", "after": 1, "text": "That is how it was."},
    {"process": "compact", "text": worded(intents=["to write chapter 1 of Saltglass"])},
)  # fmt: skip
FILLING = "The gulls over the harbour of Saltglass cry all day long. " * 36


@pytest.mark.slow
@pytest.mark.parametrize("dies", ["", "after:plan"])
def test_compaction_keeps_words(world: World, dies: str) -> None:
    with world.agent(chat=CHAT) as agent:
        session = agent.client.new()
        for number in range(1, 7):
            said = f"Chapter {number}: I prefer ending {number}. {FILLING}"
            assert agent.client.say(session, said)["stopReason"] == "end_turn"
        assert not any("compacted" in _own(one) for one in agent.client.updates)
    said = "Look back"
    if dies:
        with world.agent(dies=dies, chat=CHAT) as agent:
            agent.client.load(session)
            with pytest.raises(AgentGoneError):
                agent.client.say(session, said)
        said = "/continue"
    with world.agent(chat=CHAT) as agent:
        agent.client.load(session)
        agent.client.updates.clear()
        assert agent.client.say(session, said)["stopReason"] == "end_turn"
        _require_short(world, session, agent.client.updates)


ROOM: tuple[dict[str, Any], ...] = (
    {"when": "Chapter", "text": "Very well.", "window": 12_000},
    {"when": "Look", "calls": [
        {"name": "memory_read", "arguments": {"tier": "workspace", "query": "lantern"}}]},
    {"when": "Look", "after": 1, "text": "Nine lanterns."},
)  # fmt: skip


@pytest.mark.slow
def test_turns_are_made_short_in_the_middle_of_one_where_tools_take_the_room(world: World) -> None:
    with world.inklings() as opened:
        for number in range(9):
            text = f"Lantern {number} hangs {'over the water and ' * 40}"
            opened.memories.put(MemoryDraft(world.scope, text))
    with world.agent(chat=ROOM) as agent:
        session = agent.client.new()
        for number in range(1, 6):
            agent.client.say(session, f"Chapter {number}: I prefer ending {number}.")
        agent.client.updates.clear()
        assert agent.client.say(session, "Look")["stopReason"] == "end_turn"
        told = [
            "short" if "compacted" in _own(one) else one["sessionUpdate"]
            for one in agent.client.updates
        ]
    assert told.index("tool_call_update") < told.index("short") < told.index("agent_message_chunk")
    [row] = world.runs().compactions(session)
    assert (row.up_to_message, row.by) == (2, "mechanical")
    assert row.compact["quotes"] == ["Chapter 1: I prefer ending 1."]


def _require_short(world: World, session: str, updates: list[dict[str, Any]]) -> None:
    told = [_own(one)["compacted"] for one in updates if "compacted" in _own(one)]
    assert told == [{"up_to_message": 4, "n_messages": 4}]
    [row] = world.runs().compactions(session)
    assert (row.up_to_message, row.by) == (4, "model")
    assert row.compact["quotes"] == [f"Chapter {n}: I prefer ending {n}." for n in (1, 2)]
    assert row.compact["intents"] == ["to write chapter 1 of Saltglass"]
    newest = world.runs().checkpoint(session, "")
    assert newest is not None
    values = decode(newest.body)["channel_values"]
    assert values["compact"] == {**row.compact, "up_to_message": 4}
    assert [one["message"] for one in values["history"]] == list(range(5, 15))
    assert len(world.said(session)) == 14  # the messages stay whole
    run = world.runs().runs(session)[0].id
    traces = world.runs().traces(run)
    [short] = [one for one in traces if one.kind == "compaction"]
    assert short.detail is not None
    assert short.detail["compact"] == row.compact
    sent = [one.detail for one in traces if one.kind == "model" and one.node == "plan"]
    asked = [one["sent"] for one in sent if one is not None and "message" in one["sent"]]
    assert all("I prefer ending 1." in one["summary"] for one in asked)


def _own(update: dict[str, Any]) -> dict[str, Any]:
    return (update.get("_meta") or {}).get("inklings") or {}
