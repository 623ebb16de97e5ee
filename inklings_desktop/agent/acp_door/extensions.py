"""Requests and commands of our own: end a conversation, take a turn back, look behind it."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.acp_door.sessions import Session, Sessions
    from inklings_desktop.agent.memory_door.pool import MemoryPool

SUMMARY_NOTE = "summary"
TRACE_PAGE = 100
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
        raise AgentError(words.NOTHING_TO_UNDO)

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
            "pid": os.getpid(),
            "sessions": len(self._sessions),
            "memory_servers": self._pool.n_servers,
        }


def _resident_kib() -> int:
    """Memory that this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:  # noqa: PTH123 - no file of ours
            return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // _KIB
    except (OSError, AttributeError):
        return 0
