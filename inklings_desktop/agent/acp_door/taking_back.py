"""Take back what a turn did to memory, as long as nobody changed it since."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import ASSISTANT, NOTICE, TOOL, TOUCHED, parts_of
from inklings_desktop.agent.graph.telling import MAX_EXCERPT
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inklings_desktop.agent.acp_door.sessions import Session

UNDONE = "undone"
MESSAGES = 100
"""So far back a turn is looked for."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One memory that a turn changed.

    Attributes:
        call: The card that it stands on.
        tool: What changed it.
        memory: What was touched, as its card says.
        before: The version that an update changed; None where the card does not say.
    """

    call: str
    tool: str
    memory: Mapping[str, Any]
    before: int | None = None

    @property
    def id(self) -> str:
        """Of the memory."""
        return str(self.memory["id"])

    def address(self) -> dict[str, Any]:
        """The memory, as a tool is told which one."""
        told = {"tier": self.memory["tier"], "id": self.id}
        if self.memory["tier"] in {"conversation", "channel"}:
            told["scope"] = self.memory["scope"]
        return told


async def take_back(session: Session, turn: str, memory: str | None) -> list[dict[str, Any]]:
    """What is touched by taking a turn back, or one memory of it, the latest deed first.

    Args:
        session: Where the turn was held.
        turn: Its id; empty for the latest one that changed a memory.
        memory: Id of the only memory to take back; None for all.

    Raises:
        AgentError: There is nothing to take back, or it was changed since.
    """
    deeds = await _deeds(session, turn)
    wanted = [one for _, one in deeds if memory is None or one.id == memory]
    if not wanted:
        raise AgentError(words.NOTHING_TO_UNDO)
    turn = deeds[0][0]
    await _require_unchanged(session, wanted)
    touched = [await _undo(session, turn, one) for one in reversed(wanted)]
    values = {words.TURN: turn, "memories": [one["id"] for one in touched]}
    parts = [
        {"kind": NOTICE, "word": UNDONE, "values": values},
        {"kind": TOUCHED, "touched": touched},
    ]
    said = {
        "conversation": session.id,
        "role": NOTICE,
        "parts": json.dumps(parts, ensure_ascii=False),
        "turn": turn,
    }
    await session.door().sure(RECORDS, "message_append", said)
    notice = {"word": UNDONE, "values": values}
    await session.updates.info({words.TURN: turn, words.TOUCHED: touched, words.NOTICE: notice})
    return touched


async def _deeds(session: Session, turn: str) -> list[tuple[str, Deed]]:
    """What a turn changed and nobody took back, each with the turn."""
    page = {"conversation": session.id, "limit": MESSAGES}
    found = await session.door().sure(RECORDS, "message_list", page)
    undone: set[tuple[str, str]] = set()
    for message in reversed(found["messages"]):
        parts = parts_of(message)
        if message["role"] == NOTICE:
            undone |= {(message["turn"], id_) for id_ in _taken_back(parts)}
        if message["role"] != ASSISTANT or (turn and message["turn"] != turn):
            continue
        deeds = [one for one in _done(parts) if (message["turn"], one.id) not in undone]
        if deeds or turn:
            return [(message["turn"], one) for one in deeds]
    return []


def _done(parts: list[dict[str, Any]]) -> Iterator[Deed]:
    for part in parts:
        for one in part.get("touched", []) if part.get("kind") == TOOL else []:
            if one.get("undo"):
                before = part.get("input", {}).get("expected_version")
                yield Deed(str(part["id"]), str(part["tool"]), one, before)


def _taken_back(parts: list[dict[str, Any]]) -> Iterator[str]:
    for part in parts:
        if part.get("kind") == NOTICE and part.get("word") == UNDONE:
            yield from part.get("values", {}).get("memories", [])


async def _require_unchanged(session: Session, deeds: list[Deed]) -> None:
    """Return only while every memory that is there says what the turn left.

    Raises:
        AgentError: One was changed since, or is gone.
    """
    left = {one.id: one.memory["version"] for one in deeds if one.memory["how"] == "written"}
    if not left:
        return
    found = await session.door().sure(RECORDS, "memory_get", {"ids": list(left)})
    there = {one["id"]: one["version"] for one in found["memories"]}
    if there != left:
        raise AgentError(words.CHANGED_SINCE)


async def _undo(session: Session, turn: str, deed: Deed) -> dict[str, Any]:
    """What is touched by the opposite of a deed."""
    key = f"undo:{deed.call.rpartition(':')[2]}:{turn}"[:64]
    arguments = deed.address()
    if deed.memory["how"] == "forgotten":
        tool, how = "memory_restore", "restored"
        key = f"undo-r:{deed.id[:8]}:{turn}"[:64]
    elif deed.tool == "memory_update":
        tool, how = "memory_restore", "restored"
        if deed.before is None:
            raise AgentError(words.NOTHING_TO_UNDO, detail=deed.id)
        arguments["version"] = deed.before
    else:
        tool, how = "memory_forget", "forgotten"
        arguments["reason"] = UNDONE
    done = await session.door().call(RECORDS, tool, arguments, key)
    if done.is_error:
        raise AgentError(words.CHANGED_SINCE, detail=deed.id)
    memory = done.answer.get("memory") or {}
    told = {key: memory[key] for key in ("version", "scope") if memory.get(key)}
    if memory.get("content"):
        told["excerpt"] = str(memory["content"])[:MAX_EXCERPT]
    return {**deed.memory, **told, "how": how, "undo": False}
