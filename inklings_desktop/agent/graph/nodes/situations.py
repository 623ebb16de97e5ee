"""The state of the graph as a planner is told it, and a planner's calls as the state keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from langgraph.types import interrupt

from inklings_desktop.acp_wire.parts import tool_update
from inklings_desktop.agent.planning import (
    Attachment,
    Call,
    Quote,
    Result,
    Situation,
    Utterance,
    WritePolicy,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import PlannerPort, Turn

TEXT = "text"
FELL = "fell"
"""In the state of a turn: why its model was given up, ``{word, detail}``."""


def situation_of(state: TurnState, conversation: str) -> Situation:
    """What is known when a turn begins."""
    turn = state["turn"] or {}
    history = state.get("history") or []
    return Situation(
        conversation=conversation,
        channel=str(turn.get("channel") or ""),
        prompt=str(turn["prompt"]),
        earlier=tuple(_utterance(one) for one in history),
        attachments=tuple(
            Attachment(one["uri"], one.get("title", ""), one.get("text", ""))
            for one in turn.get("attachments") or []
        ),
        write_policy=cast("WritePolicy", turn.get("write_policy") or "decide"),
        written=tuple(_written(history)),
        language=str(turn.get("language") or "en"),
        started_at=str(turn.get("started_at") or ""),
        compact=state.get("compact"),
        model=str(turn.get("model") or ""),
        role=str(turn.get("role") or ""),
    )


def results_of(state: TurnState) -> tuple[Result, ...]:
    """What came back in this turn so far."""
    return tuple(
        Result(
            call_of(one["call"]),
            one["outcome"],
            bool(one.get("is_error")),
            (one.get("said") or {}).get("text"),
        )
        for one in state.get("results") or []
    )


def planner_of(state: TurnState, turn: Turn) -> PlannerPort:
    """What plans the turn: by rules where its model has failed, and for slash commands."""
    told = state["turn"] or {}
    by_rules = told.get("is_command") or told.get(FELL)
    return turn.rules if by_rules else turn.planner


def call_of(stored: Mapping[str, Any]) -> Call:
    """A call as a planner made it."""
    return Call(
        id=stored["id"],
        tool=stored["tool"],
        arguments=stored["arguments"],
        why=stored.get("why", ""),
        title=stored.get("title", ""),
    )


def stored_call(call: Call) -> dict[str, Any]:
    """A call as the state keeps it."""
    return {
        "id": call.id,
        "tool": call.tool,
        "arguments": dict(call.arguments),
        "why": call.why,
        "title": call.title,
    }


def quotes_of(told: Iterable[Mapping[str, Any]]) -> tuple[Quote, ...]:
    """Memories that an answer names."""
    return tuple(Quote(str(one["id"]), str(one["tier"])) for one in told)


def text_of(parts: Sequence[Mapping[str, Any]]) -> str:
    """The words of a message."""
    return "\n".join(str(one.get("text", "")) for one in parts if one.get("kind") == TEXT)


def _utterance(entry: Mapping[str, Any]) -> Utterance:
    parts = entry.get("parts") or []
    quotes = [one for part in parts if part.get("kind") == TEXT for one in part.get("quotes", [])]
    role: Literal["user", "assistant"] = "user" if entry.get("role") == "user" else "assistant"
    return Utterance(role, text_of(parts), quotes_of(quotes))


def _written(history: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """What memories were written with; a history holds how each of them begins."""
    for entry in history:
        for part in entry.get("parts") or []:
            for one in part.get("touched", []) if part.get("kind") == "touched" else []:
                if one.get("how") in {"written", "proposed"} and one.get("excerpt"):
                    yield str(one["excerpt"])


def answers_to(questions: list[dict[str, Any]], turn: Turn) -> Mapping[str, str]:
    """The person's answers, of this process alone; the turn rests until they are there."""
    while True:
        given = interrupt({"questions": questions})
        if isinstance(given, dict) and given.get("by") == turn.answered_by:
            return dict(given["answers"])


async def say_again(turn: Turn, stored: Mapping[str, Any]) -> None:
    """Tell what a model said before the step that begins with this call or result."""
    if (said := stored.get("said") or {}).get("text"):
        await turn.teller.again(said["text"], [], int(said["seq"]))


async def tell_result(turn: Turn, result: Mapping[str, Any]) -> None:
    """Tell under its number a result that another process has told, or nobody yet."""
    await say_again(turn, result)
    update = tool_update(result["part"], {}, begins=True)
    await turn.teller.once_more(update, int(result["seq"]))
    turn.told.add(str(result["call"]["id"]))
