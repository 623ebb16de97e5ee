"""Requests and commands of our own: end a conversation, take a turn back, look behind it."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.acp_door.taking_back import take_back
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE
from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.acp_door.sessions import Session, Sessions
    from inklings_desktop.agent.memory_door.pool import MemoryPool

TRACE_PAGE = 100
MOST_NAMED = 50
EXCERPT = 160
_MARKDOWN = re.compile(r"([\\\[\]<>`*_~|])")
_KIB = 1024


class Extensions:
    """Answers what the protocol itself does not know."""

    def __init__(self, version: str, sessions: Sessions, pool: MemoryPool, holder: str) -> None:
        """Answer about these."""
        self._version = version
        self._sessions = sessions
        self._pool = pool
        self._holder = holder

    async def command(self, session: Session, command: str) -> dict[str, Any]:
        """Carry out a slash command that no planner is asked for."""
        if command == words.COMMAND_END:
            await self._end(session)
        elif command == words.COMMAND_UNDO:
            await _tell(session, await take_back(session, "", None))
        else:
            await _tell(session, await began_with(session))
        return {"stopReason": words.END_TURN, "_meta": {words.OWN: {}}}

    async def end(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """End a conversation: its summary is kept, its own tier forgotten."""
        session = self._sessions.get(str(asked.get("sessionId", "")))
        async with session.ordered:
            return await self._end(session)

    async def _end(self, session: Session) -> dict[str, Any]:
        own = {"conversation": session.id}
        note = await session.door().call(RECORDS, "note_read", own | {"key": SUMMARY_NOTE})
        summary = "" if note.is_error else str(note.answer["note"]["value"] or "")
        ended = await session.door().sure(RECORDS, "conversation_end", own | {"summary": summary})
        session.is_resting = True
        state = ended["conversation"]["state"]
        await session.updates.info({words.STATE: state})
        return {words.STATE: state, "held": ended.get("held_for_review", 0)}

    async def undo(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Take back what a turn wrote, or one memory of it."""
        session = self._sessions.get(str(asked.get("sessionId", "")))
        turn, memory = str(asked.get(words.TURN) or ""), asked.get("memory")
        async with session.ordered:
            touched = await take_back(session, turn, str(memory) if memory else None)
        return {words.TOUCHED: touched}

    async def trace(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What a turn did, step by step, a page at a time."""
        session = self._sessions.get(str(asked.get("sessionId", "")))
        run = run_id_of(session.id, str(asked.get("turn", "")))
        after = asked.get("after")
        begins = after if isinstance(after, int) else 0
        found = await asyncio.to_thread(session.runs.traces, run, begins, TRACE_PAGE)
        return {
            "steps": [
                {
                    "step": one.step,
                    "node": one.node,
                    "kind": one.kind,
                    "summary": dict(one.summary),
                    "detail": None if one.detail is None else dict(one.detail),
                    "at": one.at,
                }
                for one in found
            ],
            "more": len(found) == TRACE_PAGE,
        }

    async def health(self, _asked: Mapping[str, Any]) -> dict[str, Any]:
        """Versions, memory used, and what is open."""
        return {
            "version": self._version,
            "python": sys.version.split()[0],
            "rss_kib": _resident_kib(),
            "descriptors": _n_descriptors(),
            "pid": os.getpid(),
            "sessions": len(self._sessions),
            "memory_servers": self._pool.n_servers,
        }


async def began_with(session: Session) -> list[dict[str, Any]]:
    """The memories that the last answer was made from: what it began with, and what it read."""
    latest = await asyncio.to_thread(session.runs.runs, session.id, 1)
    if not latest:
        return []
    steps = await asyncio.to_thread(session.runs.traces, latest[0].id)
    ids = dict.fromkeys(str(one["id"]) for step in steps for one in step.summary.get("touched", ()))
    if not ids:
        return []
    wanted = {"ids": list(ids)[:MOST_NAMED]}
    found = await session.door().sure(RECORDS, "memory_get", wanted)
    return [one | {"excerpt": one["content"]} for one in found["memories"]]


async def _tell(session: Session, memories: list[dict[str, Any]]) -> None:
    """Name memories, each in quotes and with a link."""
    lines = []
    for one in memories:
        said = " ".join(str(one["excerpt"]).split())[:EXCERPT]
        plain = _MARKDOWN.sub(r"\\\1", said)
        lines.append(f"- \u201c{plain}\u201d [{one['tier']}](memory:{one['tier']}/{one['id']})")
    quotes = [{"id": one["id"], "tier": one["tier"]} for one in memories]
    own = {words.PRODUCED_BY: "mechanical", words.QUOTES: quotes}
    content = {"type": "text", "text": "\n".join(lines) or "\u2013"}
    await session.updates.send(
        {"sessionUpdate": words.AGENT_CHUNK, "content": content, "_meta": {words.OWN: own}}
    )


def _n_descriptors() -> int:
    """Files and pipes that this process holds; 0 where the system does not say."""
    try:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - no folder of ours
    except OSError:
        return 0


def _resident_kib() -> int:
    """Memory that this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:  # noqa: PTH123 - no file of ours
            return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // _KIB
    except (OSError, AttributeError):
        return 0
