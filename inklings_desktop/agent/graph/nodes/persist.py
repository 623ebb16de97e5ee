"""Keep the answer, and what has to outlast the turn; then nothing of the turn stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import STOPPED, info
from inklings_desktop.agent.context.summarising import summary_of
from inklings_desktop.agent.graph.nodes.receive import named, remembered
from inklings_desktop.agent.graph.nodes.situations import (
    FELL,
    planner_of,
    results_of,
    situation_of,
    text_of,
)
from inklings_desktop.agent.graph.state import cleared
from inklings_desktop.agent.graph.telling import parts_of_turn
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.agent.model_planner.naming import summary_by_model, title_by_model
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn

MAX_PARTS_BYTES = 250_000


async def persist(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Store the answer; one that this process has not told yet is told first."""
    told = dict(state["turn"] or {})
    answer = state.get("answer") or {}
    text, quotes = answer.get("text", ""), answer.get("quotes", [])
    if not turn.has_told and (text or quotes):
        await turn.teller.again(text, quotes, told.get("said_seq") or told.get("seq", 1))
    is_stopped = answer.get("stop") == words.CANCELLED
    last: list[dict[str, Any]] = []
    if is_stopped:
        last.append({"kind": STOPPED, "ms": turn.ms})
    elif answer.get("stop") == words.MAX_TURN_REQUESTS and not answer.get(words.PROBLEM):
        last.append({"kind": words.PROBLEM, "word": words.LIMIT_REACHED})
    problem = answer.get(words.PROBLEM)
    if problem:
        last.append({"kind": words.PROBLEM} | problem)
    parts = parts_of_turn(state.get("results") or [], state.get("plan") or [], answer, last)
    if told.get(FELL):
        parts.insert(0, {"kind": words.PROBLEM} | told[FELL])
    if not is_stopped:
        await _sum_up(state, turn)
        await _name(state, turn, text)
    said = {
        "conversation": turn.conversation,
        "role": "assistant",
        "parts": fitting(parts),
        "turn": turn.id,
        "state": "stopped" if is_stopped or problem else "complete",
        "produced_by": answer.get("produced_by", "mechanical"),
    }
    kept = await turn.memory.sure(RECORDS, "message_append", said, f"{turn.id}:end")
    turn.stop_reason = answer.get("stop") or words.END_TURN
    number = kept["message"]["number"]
    entries = (
        []
        if told.get("is_silent")
        else [
            remembered({"role": "user", "number": told.get("number", 0)}, told.get("parts") or [])
        ]
    )
    entries.append(remembered({"role": "assistant", "number": number}, parts))
    return cleared() | {"history": entries}


async def _sum_up(state: TurnState, turn: Turn) -> None:
    """Keep what outlasts the conversation as a working note; the channel has it at its end."""
    situation = situation_of(state, turn.conversation)
    if not situation.earlier:
        return
    own = {"conversation": turn.conversation, "key": SUMMARY_NOTE}
    note = await turn.memory.call(RECORDS, "note_read", own)
    previous = "" if note.is_error else str(note.answer["note"]["value"] or "")
    results = results_of(state)
    summary = summary_of(situation, results, previous)
    if situation.write_policy != "never" and _has_model(state, turn):
        aside, numbered = turn.aside("persist"), _numbered(state)
        asking = summary_by_model(aside, situation, results, numbered, previous)
        by_model = await turn.stop.unless(asking)
        summary = summary if by_model is None else by_model
    if summary != previous:
        await turn.memory.call(RECORDS, "note_write", own | {"value": summary})


async def _name(state: TurnState, turn: Turn, answer: str) -> None:
    """Name a conversation by how it began, unless the person has named it meanwhile."""
    told = state["turn"] or {}
    if not told.get("title") or not _has_model(state, turn):
        return
    asking = title_by_model(turn.aside("persist"), str(told["prompt"]), answer)
    title = await turn.stop.unless(asking)
    if title and title != told["title"] and await named(turn) == told["title"]:
        own = {"conversation": turn.conversation, "title": title}
        await turn.memory.call(RECORDS, "conversation_rename", own)
        await turn.teller.tell(info({}, title=title))


def _has_model(state: TurnState, turn: Turn) -> bool:
    return planner_of(state, turn).produced_by == "model"


def _numbered(state: TurnState) -> dict[int, tuple[str, str]]:
    """Who said what, by the number of the message."""
    told = state["turn"] or {}
    found = {
        int(one["message"]): (str(one["role"]), text_of(one.get("parts") or []))
        for one in state.get("history") or []
        if one.get("message")
    }
    if told.get("number"):
        found[int(told["number"])] = ("user", str(told["prompt"]))
    return found


def fitting(parts: list[dict[str, Any]]) -> str:
    """The parts as text that a message holds; what tools were asked goes first where it is long."""
    text = _text(parts)
    if len(text.encode()) <= MAX_PARTS_BYTES:
        return text
    slim = [one | {"input": {}} if one.get("kind") == "tool" else one for one in parts]
    text = _text(slim)
    if len(text.encode()) <= MAX_PARTS_BYTES:
        return text
    words_alone = [one for one in slim if one.get("kind") in {"text", STOPPED}]
    return _text(
        [one | {"text": one.get("text", "")[: MAX_PARTS_BYTES // 5]} for one in words_alone]
    )


def _text(parts: list[dict[str, Any]]) -> str:
    return json.dumps(parts, ensure_ascii=False)
