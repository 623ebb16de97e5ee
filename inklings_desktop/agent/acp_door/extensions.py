"""Requests and commands of our own: end a conversation, take a turn back, look behind it."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import ASSISTANT, parts_of
from inklings_desktop.agent.acp_door.ending import Ending
from inklings_desktop.agent.acp_door.sentences import spoken, tell, tell_undone
from inklings_desktop.agent.acp_door.taking_back import take_back
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.acp_door.prompting import Wish
    from inklings_desktop.agent.acp_door.sessions import Session, Sessions
    from inklings_desktop.agent.graph.turn import Stop
    from inklings_desktop.agent.memory_door.pool import MemoryPool

TRACE_PAGE = 100
LOOKED_BACK = 20
MOST_NAMED = 50
_KIB = 1024


class Extensions:
    """Answers what the protocol itself does not know."""

    def __init__(self, version: str, sessions: Sessions, pool: MemoryPool) -> None:
        self._version = version
        self._sessions = sessions
        self._pool = pool

    async def command(self, session: Session, wish: Wish, stop: Stop) -> dict[str, Any]:
        """Carry out a slash command that no planner is asked for."""
        if wish.command == words.COMMAND_END:
            await Ending(session).by_command(wish.rest, stop)
        elif wish.command == words.COMMAND_UNDO:
            await tell_undone(session, await take_back(session, "", None))
        else:
            found, quoted = await began_with(session)
            sections = [
                (name, [one for one in found if (one["id"] in quoted) is is_quoted])
                for name, is_quoted in (("quoted", True), ("also_read", False))
            ]
            if found:
                told = [(spoken(name, session.language), some) for name, some in sections if some]
                await tell(session, *told)
            else:
                await session.updates.say(spoken("made_from_none", session.language))
        return {"stopReason": words.END_TURN, "_meta": {words.OWN: {}}}

    async def end(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """End a conversation: its summary is kept, or what is named in its place."""
        session = self._sessions.get(str(asked.get("sessionId", "")))
        named = asked.get(words.SUMMARY)
        async with session.ordered:
            return await Ending(session).ended(named if isinstance(named, str) else None)

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


async def began_with(session: Session) -> tuple[list[dict[str, Any]], frozenset[str]]:
    """The memories that the last answer was made from, and the ids of those that it quotes.

    Those that it quotes come first; the others were read for it.
    """
    latest = await asyncio.to_thread(session.runs.runs, session.id, 1)
    if not latest:
        return [], frozenset()
    steps = await asyncio.to_thread(session.runs.traces, latest[0].id)
    ids = dict.fromkeys(str(one["id"]) for step in steps for one in step.summary.get("touched", ()))
    if not ids:
        return [], frozenset()
    turn = latest[0].id.partition(":")[2]
    page = {"conversation": session.id, "limit": LOOKED_BACK}
    said = await session.door().sure(RECORDS, "message_list", page)
    quoted = frozenset(
        str(one["id"])
        for message in said["messages"]
        if message["role"] == ASSISTANT and message["turn"] == turn
        for part in parts_of(message)
        for one in part.get("quotes") or ()
    )
    wanted = {"ids": sorted(ids, key=lambda one: one not in quoted)[:MOST_NAMED]}
    found = await session.door().sure(RECORDS, "memory_get", wanted)
    return [one | {"excerpt": one["content"]} for one in found["memories"]], quoted


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
