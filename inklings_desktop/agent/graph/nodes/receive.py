"""Take in what the person said, which is kept by now: wake and name the conversation."""

from __future__ import annotations

from textwrap import shorten
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import info, parts_of, role_and_words
from inklings_desktop.agent.context.assembling import CHARACTERS_PER_TOKEN
from inklings_desktop.agent.graph.nodes.situations import text_of
from inklings_desktop.agent.mechanical.intents import intent_of
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.agent.planning import Situation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn

TITLE_CHARACTERS = 48
HISTORY_MESSAGES = 40
"""So many earlier ones are read where the state of the run does not hold them any more."""


async def receive(state: TurnState, turn: Turn) -> dict[str, Any]:
    """The first message names a conversation that has no title."""
    told = dict(state["turn"] or {})
    own = {"conversation": turn.conversation}
    if told.get("is_resting"):
        await turn.memory.call(RECORDS, "conversation_resume", own)
        await turn.teller.tell(info({words.STATE: "active"}))
    number = int(told.get("number") or 0)
    title = title_of(role_and_words(text_of(told["parts"]))[1])
    if number == 1 and title and not await named(turn):
        await turn.memory.call(RECORDS, "conversation_rename", own | {"title": title})
        await turn.teller.tell(info({}, title=title))
        told["title"] = title
    found: dict[str, Any] = {}
    if number != 1 and not state.get("history"):
        found["history"] = await _history(turn, number)
    return found | {"turn": told | {"seq": turn.teller.seq}}


def title_of(text: str) -> str:
    """What was said, as the name of the conversation; not the words that ask to keep it."""
    kept = intent_of(text, Situation("", "", text)).kept
    said = " ".join((text if kept is None or not kept.text else kept.text).split()).rstrip(" ,;:.-")
    title = shorten(said, TITLE_CHARACTERS, placeholder="\u2026")
    if title == "\u2026":  # its first word is too long already, or it has no spaces
        title = said[: TITLE_CHARACTERS - 1] + title
    return title[:1].upper() + title[1:]


def remembered(message: Mapping[str, Any], parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A message as the history keeps it: words, and what was written; nothing that was read."""
    kept = [found for one in parts if (found := _kept(one))]
    if message["role"] == "user":  # a role was for that message alone
        kept = [
            one | {"text": role_and_words(one["text"])[1]} if one["kind"] == "text" else one
            for one in kept
        ]
    return {
        "role": message["role"],
        "parts": kept,
        "tokens": len(text_of(kept)) // CHARACTERS_PER_TOKEN,
        "message": message.get("number", 0),
    }


def _kept(part: dict[str, Any]) -> dict[str, Any] | None:
    match part.get("kind"):
        case "text":
            return part
        case "attachment":
            return {key: part[key] for key in ("kind", "uri", "title") if key in part}
        case "touched":
            written = [one for one in part["touched"] if one.get("how") != "read"]
            return part | {"touched": written} if written else None
    return None


async def named(turn: Turn) -> str:
    """Its title by now, empty for none: the person may have named it after it was opened."""
    own = {"conversation": turn.conversation}
    found = await turn.memory.sure(RECORDS, "conversation_get", own)
    return str(found["conversation"]["title"] or "")


async def _history(turn: Turn, number: int) -> list[dict[str, Any]]:
    arguments: dict[str, Any] = {"conversation": turn.conversation, "limit": HISTORY_MESSAGES}
    if number:
        arguments["before"] = number
    found = await turn.memory.call(RECORDS, "message_list", arguments)
    return [
        remembered(one, parts_of(one))
        for one in found.answer.get("messages", [])
        if one["role"] in {"user", "assistant"}
    ]
