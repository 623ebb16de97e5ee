"""A prompt, from what the client sent to how its turn ended; what is loaded and leased for it."""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import platform
import re
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import ASSISTANT, ATTACHMENT, USER, parts_of, role_and_words
from inklings_desktop.acp_wire.words import BUSY_ELSEWHERE
from inklings_desktop.agent.acp_door.updates import COMMANDS
from inklings_desktop.agent.graph.turn import Limits, Stop, Teller, Turn
from inklings_desktop.agent.memory_door.filters import ORCHESTRATOR, RECORDS
from inklings_desktop.domain.errors import AgentError, StorageError
from inklings_desktop.domain.runs.run_rows import (
    TURN_LEASE_SECONDS,
    TURN_RENEWAL_SECONDS,
    turn_lease,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from inklings_desktop.agent.acp_door.sessions import Session
    from inklings_desktop.agent.graph.turn import PlannerPort
    from inklings_desktop.agent.memory_door.call import MemoryDoor
    from inklings_desktop.agent.planning import Judge
    from inklings_desktop.agent.ports import RunState
    from inklings_desktop.agent.providers.accounts import Accounts
    from inklings_desktop.agent.providers.port import Models
    from inklings_desktop.agent.scripts.executor import Interpreter

EXCERPT = 160
_MARKDOWN = re.compile(r"([\\\[\]<>`*_~|])")


def spoken(name: str, language: str, /, **values: str) -> str:
    """A sentence by its name."""
    # Loaded with the planner, which no client waits for when it opens a conversation.
    from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech

    table = speech(language if language in LANGUAGES else LANGUAGES[0]).table
    said: str = table.get("door", speech(LANGUAGES[0]).table["door"])[name]
    return said.format(**values)


def told_sent(language: str, sent: Mapping[str, Any]) -> str:
    """What one call of a model was sent, by the summary of its trace: each part with its tokens."""
    from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech

    table = speech(language if language in LANGUAGES else LANGUAGES[0]).table["model"]
    names, slices = table["slices"], sent.get("slices") or ()
    parts = ", ".join(f"{names.get(one['name'], one['name'])} {one['tokens']}" for one in slices)
    tokens = sum(one["tokens"] for one in slices)
    said: str = table["sent"]
    return said.format(
        model=sent.get("model"), provider=sent.get("provider"), tokens=tokens, parts=parts
    )


def language_of(text: str, before: str) -> str:
    """The language of what was said; the one before where it tells none."""
    from inklings_desktop.agent.mechanical.intents import languages_for
    from inklings_desktop.agent.planning import Situation

    return languages_for(text, Situation("", "", text, language=before))[0]


def quoted(text: str) -> str:
    """A text in quotes, on one line, of which nothing is taken for Markdown."""
    plain = _MARKDOWN.sub(r"\\\1", " ".join(text.split())[:EXCERPT])
    return f"\u201c{plain}\u201d"


async def tell(
    session: Session, *told: tuple[str, Sequence[Mapping[str, Any]]], first: str = ""
) -> None:
    """Name memories under their headings, each in quotes and with a link; none under none."""
    said, named = [first] if first else [], []
    for heading, memories in told:
        lines = [heading] if heading else []
        for one in memories:
            link = f"[{one['tier']}](memory:{one['tier']}/{one['id']})"
            lines.append(f"- {quoted(str(one['excerpt']))} {link}")
            named.append({"id": one["id"], "tier": one["tier"]})
        if memories:
            said.append("\n".join(lines))
    await session.updates.say("\n\n".join(said), named)


async def tell_undone(session: Session, touched: Sequence[Mapping[str, Any]]) -> None:
    """Say what was undone: what is there again, and what is not there any more."""
    told = {how: [one for one in touched if one["how"] == how] for how in ("restored", "forgotten")}
    headed = ((spoken(how, session.language), found) for how, found in told.items())
    await tell(session, *headed, first=spoken("undone", session.language))


_GRAPH = "inklings_desktop.agent.graph.running"
_SAVER = "inklings_desktop.agent.graph.saver"
_MEMORY = ("mcp.client.session", "mcp.client.stdio")


class Readiness:
    """Loads the client of memory and LangGraph once, and makes one runner for each workspace.

    One after the other: both would share one processor, and memory, whose own process takes a while
    to begin on another, would be asked to begin only when both are there.
    """

    def __init__(self) -> None:
        self._memory: asyncio.Future[Any] | None = None
        self._graph: asyncio.Future[Any] | None = None
        self._runners: dict[int, Any] = {}

    def begin(self) -> None:
        """Load what is needed; called once the client has heard that we are here."""
        if self._graph is None:
            self._memory = asyncio.ensure_future(_loaded(*_MEMORY))
            self._graph = asyncio.ensure_future(self._load_graph())

    async def memory(self) -> None:
        """Return once memory can be called."""
        self.begin()
        assert self._memory is not None
        await asyncio.shield(self._memory)

    async def runner(self, runs: RunState) -> Any:
        """What carries out the turns of a workspace."""
        self.begin()
        assert self._graph is not None
        running, saver = await asyncio.shield(self._graph)
        if id(runs) not in self._runners:
            self._runners[id(runs)] = running.Runner(saver.RunStateSaver(runs), runs)
        return self._runners[id(runs)]

    async def _load_graph(self) -> list[Any]:
        await self.memory()
        loaded = await _loaded(_GRAPH, _SAVER)
        # What was loaded stays to the end. To look through all of it for garbage holds the process
        # up for longer than a stop may take.
        gc.freeze()
        gc.enable()
        return loaded


async def _loaded(*names: str) -> list[Any]:
    return await asyncio.to_thread(lambda: [importlib.import_module(one) for one in names])


_PROGRAM = "inklings-agent"


def holder_name() -> str:
    """The name of this process in leases; it tells others on this machine when it is gone."""
    return f"{_PROGRAM}:{platform.node()}:{os.getpid()}"


def holder_of(runs: RunState, conversation: str) -> str | None:
    """Who carries out a turn of a conversation at the moment; None for nobody who lives."""
    lease = runs.lease(turn_lease(conversation))
    return None if lease is None or is_gone(lease.holder) else lease.holder


def is_gone(holder: str) -> bool:
    """Whether a holder is a process of this machine that is surely not there any more."""
    program, _, rest = holder.partition(":")
    node, _, pid = rest.rpartition(":")
    if program != _PROGRAM or node != platform.node() or not pid.isdigit() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return _has_ended(pid)


def _has_ended(pid: str) -> bool:
    """Whether it only waits for its parent to hear of its end, where the system tells that."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as told:  # noqa: PTH123 - no file of ours
            state = told.read().rpartition(b")")[2].split()[:1]
    except OSError:
        return False
    return state in ([b"Z"], [b"X"])


@asynccontextmanager
async def leased(runs: RunState, conversation: str, holder: str) -> AsyncIterator[None]:
    """Have it while the block lasts.

    Raises:
        AgentError: Another process has it.
    """
    name = turn_lease(conversation)
    await asyncio.to_thread(_take, runs, name, holder)
    renewing = asyncio.create_task(_renew(runs, name, holder))
    try:
        yield
    finally:
        renewing.cancel()
        with suppress(
            StorageError
        ):  # it runs out by itself, and how the turn ended is no less true
            await asyncio.to_thread(runs.release_lease, name, holder)


def _take(runs: RunState, name: str, holder: str) -> None:
    other = runs.take_lease(name, holder, TURN_LEASE_SECONDS)
    if other is not None and is_gone(other.holder):
        runs.release_lease(name, other.holder)
        other = runs.take_lease(name, holder, TURN_LEASE_SECONDS)
    if other is not None:
        raise AgentError(BUSY_ELSEWHERE, retry=True, detail=other.holder)


async def _renew(runs: RunState, name: str, holder: str) -> None:
    while True:
        await asyncio.sleep(TURN_RENEWAL_SECONDS)
        with suppress(StorageError):  # the next time will do
            await asyncio.to_thread(runs.take_lease, name, holder, TURN_LEASE_SECONDS)


READY_NOTICE_SECONDS = 1.0
"""After so long the person is told that it is still getting ready."""
LOOKED_BACK = 20
"""Messages that are looked through for the last prompt, or for the answer to it."""
GETTING_READY = "getting ready"
INTERRUPTED = frozenset({"running", "parked"})
"""States of a run that did not come to its end, where nobody carries it out."""
_SPOKEN = frozenset({"remember", "forget"})
_ANSWERED = frozenset({words.COMMAND_HELP, words.COMMAND_MODEL, words.COMMAND_AS})
"""Commands that the planner answers as they are written."""
_COMMANDS = frozenset(name for name, _, _ in COMMANDS) - _ANSWERED


@dataclass(frozen=True, slots=True)
class Wish:
    """What a prompt wants.

    Attributes:
        parts: The message as it is kept.
        command: The slash command that it is; empty for none.
    """

    parts: list[dict[str, Any]]
    text: str
    command: str = ""

    @property
    def in_role(self) -> tuple[str, str]:
        """The role that it is to be answered in, and the message without it; mostly no role."""
        return role_and_words(self.text)

    @property
    def rest(self) -> str:
        """What stands after its command."""
        return self.text.removeprefix(f"/{self.command}").strip()

    @property
    def planned(self) -> str:
        """What the planner is asked for: a command that is spoken to it as a sentence."""
        return self.text.removeprefix("/") if self.command in _SPOKEN else self.text

    @property
    def begins_turn(self) -> bool:
        """Whether a turn of its own answers it."""
        return not self.command or self.command in _SPOKEN or self.command == words.RETRY


@dataclass(slots=True)
class Asked:
    """A prompt while it is answered.

    Attributes:
        turn: Id of the turn that answers it; empty while there is none.
        began: When it came, in the seconds of ``time.monotonic``.
    """

    wish: Wish
    turn: str = ""
    stop: Stop = field(default_factory=Stop)
    began: float = field(default_factory=time.monotonic)

    def ended(self, reason: str) -> dict[str, Any]:
        """How its turn ended, as the client is told."""
        ms = round((time.monotonic() - self.began) * 1000)
        own = {words.TURN: self.turn, words.MS: ms} if self.turn else {}
        return {"stopReason": reason, "_meta": {words.OWN: own}}


def wish_of(parts: list[dict[str, Any]]) -> Wish:
    """What the parts of a message want."""
    text = "\n".join(one["text"] for one in parts if one["kind"] == "text")
    first = text.split(maxsplit=1)[0] if text.startswith("/") and text.strip("/ ") else ""
    command = first.removeprefix("/")
    return Wish(parts, text, command if command in _COMMANDS else "")


class Prompting:
    """Carries out the turns of every session.

    Attributes:
        limits: What a turn may use that nobody watches; None where somebody does.
        scripts: Gives what runs scripts; None where none are run.
        skill_head: What the head of a SKILL.md says; None where no skill is worded.
    """

    def __init__(
        self,
        readiness: Readiness,
        rules: PlannerPort,
        models: Callable[[Session], Models],
        judge: Judge,
        holder: str,
        accounts: Accounts,
    ) -> None:
        self.limits: Limits | None = None
        self.scripts: Callable[[], Interpreter] | None = None
        self.skill_head: Callable[[str], Mapping[str, object]] | None = None
        self._readiness = readiness
        self._accounts = accounts
        self._rules = rules
        self._models = models
        self._judge = judge
        self._holder = holder

    async def say(self, session: Session, asked: Asked) -> dict[str, Any]:
        """A turn of its own for what was said."""
        session.said = asked.turn, asked.wish.parts
        session.language = language_of(asked.wish.in_role[1], session.language)
        return await self._turn(session, asked, self._told(session, asked.wish))

    async def go_on(self, session: Session, asked: Asked) -> dict[str, Any]:
        """The turn that was cut off, from where it was; what was never begun is begun now."""
        runner = await self._runner(session)
        unfinished = await runner.unfinished(session.id)
        if unfinished is not None:
            asked.turn = str(unfinished["id"])
            return await self._turn(session, asked, None)
        page = {"conversation": session.id, "limit": LOOKED_BACK}
        found = await session.door().sure(RECORDS, "message_list", page)
        said = unanswered(found["messages"])
        if said is None:
            return await self._finished(session, asked, found["messages"])
        asked.turn = str(said["turn"])
        return await self._turn(session, asked, self._told(session, wish_of(parts_of(said))))

    async def hindrance(self, session: Session) -> str:
        """The word for why the turn that was cut off cannot go on; empty where it can."""
        runner = await self._runner(session)
        try:
            await runner.unfinished(session.id)
        except AgentError as error:
            return error.word
        return ""

    async def retry(self, session: Session, asked: Asked) -> dict[str, Any]:
        """The last message of the person, answered once more in a turn of its own."""
        page = {"conversation": session.id, "limit": LOOKED_BACK}
        found = await session.door().sure(RECORDS, "message_list", page)
        said = [one for one in found["messages"] if one["role"] == "user"]
        last, parts = session.said
        if last and last not in {one["turn"] for one in said}:
            # It could not even be kept, and an earlier one is not what is meant.
            return await self.say(session, replace(asked, wish=wish_of(parts)))
        while said:
            wish = wish_of(parts_of(said.pop()))
            if wish.command in _SPOKEN or not wish.command:
                told = self._told(session, wish) | {"is_silent": True}
                return await self._turn(session, asked, told)
        raise AgentError(words.NOTHING_TO_CONTINUE)

    async def _finished(
        self, session: Session, asked: Asked, messages: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """How a turn ended whose process died before it could say so; its answer is kept.

        Raises:
            AgentError: Nothing of its state is left.
        """
        latest = await asyncio.to_thread(session.runs.runs, session.id, 1)
        if not latest or latest[0].state not in INTERRUPTED:
            await session.updates.say(spoken("nothing_open", session.language))
            return asked.ended(words.END_TURN)
        asked.turn = latest[0].id.partition(":")[2]
        if not any(one["turn"] == asked.turn and one["role"] == ASSISTANT for one in messages):
            raise AgentError(words.RUN_DAMAGED, detail=asked.turn)
        await asyncio.to_thread(session.runs.end_run, latest[0].id, "finished")
        return asked.ended(words.END_TURN)

    async def _keep(self, session: Session, turn: str, parts: list[dict[str, Any]]) -> int:
        """Store what was said, before anything is done about it; the number of the message."""
        said = {
            "conversation": session.id,
            "role": USER,
            "parts": json.dumps(parts, ensure_ascii=False),
            "turn": turn,
            "produced_by": "person",
        }
        kept = await session.door().sure(RECORDS, "message_append", said, f"{turn}:0")
        return int(kept["message"]["number"])

    def _told(self, session: Session, wish: Wish) -> dict[str, Any]:
        """What begins a turn, as the state keeps it."""
        model = self._model(session)
        role, said = wish.in_role if model else ("", "")  # rules say that they take none
        return {
            "parts": wish.parts,
            "prompt": said if role else wish.planned,
            "role": role,
            "attachments": [one for one in wish.parts if one["kind"] == ATTACHMENT],
            "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "channel": session.channel,
            "write_policy": session.write_policy,
            "language": session.language,
            "is_resting": session.is_resting,
            "is_command": wish.text.startswith("/") and not role,
            "model": model,
        }

    def _model(self, session: Session) -> str:
        """What answers in a session, as ``provider/model``; empty for rules alone."""
        with suppress(AgentError):
            model = self._models(session).model_for(ORCHESTRATOR)
            return "" if model is None else f"{model.provider}/{model.model}"
        return ""

    async def _turn(
        self, session: Session, asked: Asked, told: dict[str, Any] | None
    ) -> dict[str, Any]:
        memory, mark, models = session.door(), token_hex(4), self._models(session)
        planner, rules = self._planner(models, memory, mark), self._rules
        if self.limits is not None:
            from inklings_desktop.agent.acp_door.alone import Unwatched

            planner, rules = Unwatched(planner), Unwatched(rules)
        turn = Turn(
            id=asked.turn,
            conversation=session.id,
            memory=memory,
            planner=planner,
            rules=rules,
            models=models,
            mark=mark,
            judge=self._judge,
            runs=session.runs,
            accounts=self._accounts,
            teller=Teller(asked.turn, session.updates.send, planner.produced_by),
            limits=self.limits or Limits(),
            scripts=self.scripts,
            skill_head=self.skill_head,
            is_continued=told is None,
            stop=asked.stop,
        )
        async with leased(session.runs, session.id, self._holder):
            begun = None if told is None else told | {"id": asked.turn}
            if begun is not None and not begun.get("is_silent"):
                begun["number"] = await self._keep(session, turn.id, begun["parts"])
            runner = await self._runner(session)
            reason = await runner.run(turn, begun, session.permissions)
        session.is_resting = False
        return asked.ended(reason)

    def _planner(self, models: Models, memory: MemoryDoor, mark: str) -> PlannerPort:
        """A model's where one is set; one that cannot be used is given up in its turn, and said."""
        with suppress(AgentError):
            if models.model_for(ORCHESTRATOR) is None:
                return self._rules
        from inklings_desktop.agent.model_planner.planner import ModelPlanner

        return ModelPlanner(models, partial(memory.offers, ORCHESTRATOR), mark)

    async def _runner(self, session: Session) -> Any:
        """What carries out turns, once it is there; the client hears if that takes long."""
        getting = asyncio.ensure_future(self._readiness.runner(session.runs))
        done, _ = await asyncio.wait((getting,), timeout=READY_NOTICE_SECONDS)
        if not done:
            content = {"type": "text", "text": GETTING_READY}
            update = {"sessionUpdate": words.THOUGHT_CHUNK, "content": content}
            await session.updates.send(update)
        return await getting


def unanswered(messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """What the person said last, where nothing came of it and it is still there to be read."""
    last = messages[-1] if messages else {}
    is_theirs = last.get("role") == USER and wish_of(parts_of(last)).text
    return last if is_theirs else None
