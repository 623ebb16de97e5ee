"""Requests and commands of our own: end a conversation, take a turn back, look behind it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import ASSISTANT, NOTICE, TOOL, TOUCHED, parts_of
from inklings_desktop.agent.acp_door.prompting import quoted, spoken, tell, tell_undone, told_sent
from inklings_desktop.agent.graph.telling import MAX_EXCERPT
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE
from inklings_desktop.domain.runs.run_rows import run_id_of
from inklings_desktop.domain.words.summary import summary_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inklings_desktop.agent.acp_door.prompting import Wish
    from inklings_desktop.agent.acp_door.sessions import Session, Sessions
    from inklings_desktop.agent.graph.turn import Stop
    from inklings_desktop.agent.memory_door.call import MemoryPool

TRACE_PAGE = 100
LOOKED_BACK = 20
MOST_NAMED = 50
_KIB = 1024


MESSAGES = 100
"""So far back a turn is looked for."""
NOTHING = "none"
_TIER = "channel"


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
            for sent in await sent_in(session):
                await session.updates.say(f"\n\n{told_sent(session.language, sent)}")
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

    async def stop_run(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Stop one who was sent in the turn that is under way; the turn goes on without it."""
        session = self._sessions.get(str(asked.get("sessionId", "")))
        if session.stop is not None:
            session.stop.part(str(asked.get(words.RUN, ""))).ask("cancelled")
        return {}

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


async def sent_in(session: Session) -> list[Mapping[str, Any]]:
    """What the model was sent for the last answer, call by call; none without a model."""
    latest = await asyncio.to_thread(session.runs.runs, session.id, 1)
    run = latest[0].id if latest else ""
    steps = await asyncio.to_thread(session.runs.traces, run)
    return [one.summary for one in steps if one.kind == "model" and one.node == "plan"]


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
        {"kind": NOTICE, "word": words.UNDONE, "values": values},
        {"kind": TOUCHED, "touched": touched},
    ]
    said = {
        "conversation": session.id,
        "role": NOTICE,
        "parts": json.dumps(parts, ensure_ascii=False),
        "turn": turn,
    }
    await session.door().sure(RECORDS, "message_append", said)
    notice = {"word": words.UNDONE, "values": values}
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
        if part.get("kind") == NOTICE and part.get("word") == words.UNDONE:
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
        arguments["reason"] = words.UNDONE
    done = await session.door().call(RECORDS, tool, arguments, key)
    if done.is_error:
        raise AgentError(words.CHANGED_SINCE, detail=deed.id)
    memory = done.answer.get("memory") or {}
    told = {key: memory[key] for key in ("version", "scope") if memory.get(key)}
    if memory.get("content"):
        told["excerpt"] = str(memory["content"])[:MAX_EXCERPT]
    return {**deed.memory, **told, "how": how, "undo": False}


class Ending:
    """Ends one conversation."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._own = {"conversation": session.id}

    async def by_command(self, chosen: str, stop: Stop) -> None:
        """End it as ``/end`` wants: what would be kept is asked about, unless it was chosen.

        Args:
            chosen: What stands after the command: ``none``, numbers of lines, or what to keep.
        """
        lines = await self.proposed()
        if numbers := _numbers(chosen, len(lines)):
            lines = tuple(lines[number - 1] for number in numbers)
        elif chosen:
            lines = () if chosen.casefold() == NOTHING else (chosen,)
        elif lines and not await self._is_allowed(lines, stop):
            await self._say("not_ended")
            return
        done = await self.ended("\n".join(lines))
        if done["was_over"]:
            await self._say("was_over")
            return
        said = [self._spoken("ended" if done["kept"] else "ended_bare")]
        if done["held"]:
            said.append(spoken("held", self._session.language, n=str(done["held"])))
        if done["known"]:
            listed = [f"- {quoted(one)}" for one in done["known"]]
            said.append("\n".join([self._spoken("known"), *listed]))
        kept = [{**one, "tier": _TIER, "excerpt": one["content"]} for one in done["kept"]]
        await tell(self._session, (self._spoken("kept"), kept), first="\n\n".join(said))

    async def proposed(self) -> tuple[str, ...]:
        """The lines that it would keep."""
        asked = self._own | {"key": SUMMARY_NOTE}
        note = await self._session.door().call(RECORDS, "note_read", asked)
        return () if note.is_error else summary_points(str(note.answer["note"]["value"] or ""))

    async def ended(self, summary: str | None = None) -> dict[str, Any]:
        """End it, and keep these lines; None keeps what it would keep unasked.

        What was kept, what had been kept before, and what waits for the author is told.
        """
        wanted = "\n".join(await self.proposed()) if summary is None else summary
        asked = self._own | {"summary": wanted}
        done = await self._session.door().sure(RECORDS, words.COMMAND_END_TOOL, asked)
        self._session.is_resting = True
        state = done["conversation"]["state"]
        await self._session.updates.info({words.STATE: state})
        return {
            words.STATE: state,
            "held": done.get("held_for_review", 0),
            "kept": list(done.get("kept") or ()),
            "known": list(done.get("known") or ()),
            "was_over": "kept" not in done,
        }

    async def _is_allowed(self, lines: Sequence[str], stop: Stop) -> bool:
        numbered = "\n".join(f"{number}. {one}" for number, one in enumerate(lines, 1))
        question = {
            "id": "end",
            "tool": words.COMMAND_END_TOOL,
            "title": self._spoken("end_asked"),
            "tool_kind": "edit",
            "input": {"summary": "\n".join(lines)},
            words.EFFECT: self._spoken("end_asked"),
            words.AFTER: numbered,
            words.TIER: _TIER,
        }
        answers = await self._session.permissions.ask("", [question], stop)
        return answers["end"] in {words.OPTION_ONCE, words.OPTION_LATER}

    def _spoken(self, name: str) -> str:
        return spoken(name, self._session.language)

    async def _say(self, name: str) -> None:
        await self._session.updates.say(self._spoken(name))


def _numbers(chosen: str, most: int) -> list[int]:
    """Numbers of lines, where nothing else is named."""
    parts = chosen.replace(",", " ").split()
    if not all(one.isdecimal() and 1 <= int(one) <= most for one in parts):
        return []
    return [int(one) for one in parts]
