"""A prompt, from what the client sent to how its turn ended: one at a time in a conversation."""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import ASSISTANT, ATTACHMENT, parts_of
from inklings_desktop.agent.acp_door.turn_leases import leased
from inklings_desktop.agent.acp_door.updates import COMMANDS
from inklings_desktop.agent.graph.turn import Stop, Teller, Turn
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.errors import AgentError, InklingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.acp_door.readiness import Readiness
    from inklings_desktop.agent.acp_door.sessions import Session
    from inklings_desktop.agent.graph.running import Asks
    from inklings_desktop.agent.graph.turn import PlannerPort
    from inklings_desktop.agent.planning import Judge

READY_NOTICE_SECONDS = 1.0
"""After so long the person is told that it is still getting ready."""
STOP_SECONDS = 0.06
"""How long a stop waits for the partial answer to be kept before the client hears of it."""
LOOKED_BACK = 20
"""Messages that are looked through for the last prompt, or for the answer to it."""
GETTING_READY = "getting ready"
INTERRUPTED = frozenset({"running", "parked"})
"""States of a run that did not come to its end, where nobody carries it out."""
_SPOKEN = frozenset({"remember", "forget"})
_COMMANDS = frozenset(name for name, _, _ in COMMANDS)
_log = logging.getLogger("inklings.agent")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a prompt wants.

    Attributes:
        parts: The message as it is kept.
        text: Its words.
        command: The slash command that it is; empty for none.
    """

    parts: list[dict[str, Any]]
    text: str
    command: str = ""

    @property
    def planned(self) -> str:
        """What the planner is asked for: a command that is spoken to it as a sentence."""
        return self.text.removeprefix("/") if self.command in _SPOKEN else self.text


def wish_of(parts: list[dict[str, Any]]) -> Wish:
    """What the parts of a message want."""
    text = "\n".join(one["text"] for one in parts if one["kind"] == "text")
    first = text.split(maxsplit=1)[0] if text.startswith("/") and text.strip("/ ") else ""
    command = first.removeprefix("/")
    return Wish(parts, text, command if command in _COMMANDS else "")


class Prompting:
    """Carries out the turns of every session."""

    def __init__(
        self,
        readiness: Readiness,
        planner: PlannerPort,
        judge: Judge,
        holder: str,
        language: str,
    ) -> None:
        """Know what turns are carried out with.

        Args:
            readiness: Hands out the graph once it is there.
            planner: Decides the next step.
            judge: Says which call may be made.
            holder: The name in leases.
            language: Language to answer in where a message does not tell its own.
        """
        self._readiness = readiness
        self._planner = planner
        self._judge = judge
        self._holder = holder
        self._language = language

    async def say(self, session: Session, wish: Wish, asks: Asks) -> dict[str, Any]:
        """A turn of its own for what was said."""
        told = self._told(session, wish)
        return await self._turn(session, session.next_turn(), told, asks)

    async def go_on(self, session: Session, asks: Asks) -> dict[str, Any]:
        """The turn that was cut off, from where it was."""
        runner = await self._runner(session)
        unfinished = await runner.unfinished(session.id)
        if unfinished is None:
            return await _finished(session)
        return await self._turn(session, str(unfinished["id"]), None, asks)

    async def retry(self, session: Session, asks: Asks) -> dict[str, Any]:
        """The last message of the person, answered once more in a turn of its own."""
        page = {"conversation": session.id, "limit": LOOKED_BACK}
        found = await session.door().sure(RECORDS, "message_list", page)
        said = [one for one in found["messages"] if one["role"] == "user"]
        while said:
            wish = wish_of(parts_of(said.pop()))
            if wish.command in _SPOKEN or not wish.command:
                told = self._told(session, wish) | {"is_silent": True}
                return await self._turn(session, session.next_turn(), told, asks)
        raise AgentError(words.NOTHING_TO_CONTINUE)

    def _told(self, session: Session, wish: Wish) -> dict[str, Any]:
        """What begins a turn, as the state keeps it."""
        return {
            "parts": wish.parts,
            "prompt": wish.planned,
            "attachments": [one for one in wish.parts if one["kind"] == ATTACHMENT],
            "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "channel": session.channel,
            "write_policy": session.write_policy,
            "language": self._language,
            "is_resting": session.is_resting,
            "is_named": bool(session.title),
        }

    async def _turn(
        self, session: Session, id_: str, told: dict[str, Any] | None, asks: Asks
    ) -> dict[str, Any]:
        turn = Turn(
            id=id_,
            conversation=session.id,
            memory=session.door(),
            planner=self._planner,
            judge=self._judge,
            runs=session.runs,
            teller=Teller(id_, session.updates.send, self._planner.produced_by),
            is_continued=told is None,
            stop=Stop() if session.stop is None else session.stop,
        )
        runner = await self._runner(session)
        begun = None if told is None else told | {"id": id_}
        session.work = asyncio.create_task(self._leased(session, turn, runner, begun, asks))
        reason = await _ended(session.work, turn.stop) or words.CANCELLED
        session.is_resting = False
        own = {words.TURN: id_, words.MS: turn.ms}
        return {"stopReason": reason, "_meta": {words.OWN: own}}

    async def _leased(
        self,
        session: Session,
        turn: Turn,
        runner: Any,
        told: Mapping[str, Any] | None,
        asks: Asks,
    ) -> str:
        async with leased(session.runs, session.id, self._holder):
            try:
                reason: str = await runner.run(turn, told, asks)
            except InklingsError:
                raise
            except Exception as error:
                number = uuid.uuid4().hex[:8]
                _log.exception("turn failed, number %s", number)
                raise AgentError(words.AGENT_FAILED, detail=number) from error
            return reason

    async def _runner(self, session: Session) -> Any:
        """What carries out turns, once it is there; the client hears if that takes long."""
        getting = asyncio.ensure_future(self._readiness.runner(session.runs))
        done, _ = await asyncio.wait((getting,), timeout=READY_NOTICE_SECONDS)
        if not done:
            content = {"type": "text", "text": GETTING_READY}
            update = {"sessionUpdate": words.THOUGHT_CHUNK, "content": content}
            await session.updates.send(update)
        return await getting


async def _finished(session: Session) -> dict[str, Any]:
    """How a turn ended whose process died before it could say so; its answer is kept.

    Raises:
        AgentError: There is no such turn, or nothing of its state is left.
    """
    latest = await asyncio.to_thread(session.runs.runs, session.id, 1)
    if not latest or latest[0].state not in INTERRUPTED:
        raise AgentError(words.NOTHING_TO_CONTINUE)
    turn = latest[0].id.partition(":")[2]
    page = {"conversation": session.id, "limit": LOOKED_BACK}
    found = await session.door().sure(RECORDS, "message_list", page)
    if not any(one["turn"] == turn and one["role"] == ASSISTANT for one in found["messages"]):
        raise AgentError(words.RUN_DAMAGED, detail=turn)
    await asyncio.to_thread(session.runs.end_run, latest[0].id, "finished")
    return {"stopReason": words.END_TURN, "_meta": {words.OWN: {words.TURN: turn}}}


async def _ended(work: asyncio.Task[str], stop: Stop) -> str | None:
    """How a turn ended; None for one that was stopped and still has something to do.

    Raises:
        AgentError: It failed.
    """
    asked = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((work, asked), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            await asyncio.wait((work,), timeout=STOP_SECONDS)
    finally:
        asked.cancel()
    return work.result() if work.done() else None
