"""One turn while it is carried out: what its nodes are handed, and how they tell what they do.

Nothing here is kept: what must outlast the process is in the state of the graph.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.context.assembling import CHARACTERS_PER_TOKEN
from inklings_desktop.agent.memory_door.filters import ORCHESTRATOR, Process
from inklings_desktop.agent.model_planner.structured import Aside
from inklings_desktop.agent.planning import Answer
from inklings_desktop.agent.policy import Writes
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.domain.runs.run_rows import Spent, part_id_of, run_id_of

if TYPE_CHECKING:
    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.memory_door.briefs import Brief
    from inklings_desktop.agent.memory_door.call import MemoryDoor
    from inklings_desktop.agent.planning import Judge, Planner, Result, Say, Sent, Situation, Step
    from inklings_desktop.agent.ports import RunState
    from inklings_desktop.agent.providers.accounts import Accounts
    from inklings_desktop.agent.providers.port import Models
    from inklings_desktop.agent.scripts.executor import Interpreter

READS_AT_ONCE = 4
SENT_AT_ONCE, MOST_SENT = 3, 6
"""Of the team: how many are at work at once, and how many are sent for something in a turn."""
MAX_REPEATS = 3
"""An identical call is made so often; the next ones are refused."""
MAX_REPEAT_REFUSALS = 2
"""After so many of these the turn ends."""
RESULT_CHARACTERS = 64 * 1024
"""Of one tool's answer, as the planner is handed it and the state keeps it."""


GATE_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may use until it stops and says so; going on grants the same again.

    Attributes:
        steps: How often the planner is asked.
        tool_calls: How many tools are called.
        seconds: How long it may take in all.
        gate_seconds: How long a model may sort out what the turn begins with.
        is_final: Whether going on grants nothing: nobody is there who could want more.
    """

    steps: int = 25
    tool_calls: int = 60
    seconds: float = 600.0
    gate_seconds: float = field(default_factory=lambda: GATE_SECONDS)
    is_final: bool = False

    @property
    def recursion(self) -> int:
        """Steps of the graph until it is stopped as one that never ends."""
        return 4 * self.steps + 10


CHUNK_SECONDS = 0.03
"""Text that comes within this time is told at once."""
Update: TypeAlias = dict[str, Any]
Send: TypeAlias = Callable[[Update], Awaitable[None]]
StopWord: TypeAlias = Literal["", "cancelled", "parked", "limit"]
Value = TypeVar("Value")


class PlannerPort(Protocol):
    """What decides the next step of a turn."""

    @property
    def produced_by(self) -> Literal["mechanical", "model"]:
        """What makes the words of its answers."""

    async def __call__(
        self, situation: Situation, results: Sequence[Result], context: Assembled, say: Say
    ) -> Step:
        """The next calls, or the answer, whose text was handed to ``say`` as it came."""


class Stop:
    """Whether a turn is to stop, and why."""

    def __init__(self) -> None:
        self.word: StopWord = ""
        self._asked = asyncio.Event()
        self._parts: dict[str, Stop] = {}

    def ask(self, word: StopWord) -> None:
        """Stop it, and every part of it; the first reason holds."""
        self.word = self.word or word
        self._asked.set()
        for one in self._parts.values():
            one.ask(word)

    def part(self, name: str) -> Stop:
        """Of a part that can be stopped by itself, by the id of its card; always the same one."""
        if name not in self._parts:
            self._parts[name] = Stop()
            if self.word:
                self._parts[name].ask(self.word)
        return self._parts[name]

    def __bool__(self) -> bool:
        return bool(self.word)

    async def wait(self) -> None:
        """Return once it is to stop."""
        await self._asked.wait()

    async def unless(self, work: Awaitable[Value]) -> Value | None:
        """What some work that changes nothing gives; None where it was stopped before its end."""
        task = asyncio.ensure_future(work)
        asked = asyncio.ensure_future(self._asked.wait())
        try:
            await asyncio.wait((task, asked), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        finally:
            for one in (task, asked):
                one.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
        return None


class Teller:
    """Tells the client what happens, in numbered updates; text is gathered for a moment."""

    def __init__(self, turn: str, send: Send, produced_by: str) -> None:
        self.seq = self.said_seq = 0
        self.text = ""
        self.produced_by = produced_by
        self._turn = turn
        self._send = send
        self._pending = ""
        self._thought = ""
        self._flushing: asyncio.Task[None] | None = None

    async def tell(self, update: Update) -> None:
        """Tell one thing, after the text that came before it."""
        await self.flush()
        await self._numbered(update)

    async def say(self, text: str) -> None:
        """Tell a piece of the answer."""
        if self._thought:
            await self.flush()
        self.text += text
        self._pending += text
        self._flush_soon()

    async def think(self, text: str) -> None:
        """Tell a piece of what is thought; nothing of it is kept."""
        if self._pending:
            await self.flush()
        self._thought += text
        self._flush_soon()

    async def flush(self, quotes: Sequence[Mapping[str, Any]] = ()) -> None:
        """Tell the text that waits, and what it quotes."""
        flushing, self._flushing = self._flushing, None
        if flushing is not None and flushing is not asyncio.current_task():
            flushing.cancel()
        thought, self._thought = self._thought, ""
        if thought:
            content = {"type": "text", "text": thought}
            await self._numbered({"sessionUpdate": words.THOUGHT_CHUNK, "content": content})
        text, self._pending = self._pending, ""
        if text or quotes:
            await self._chunk(text, quotes)

    async def finish(self, text: str, quotes: Sequence[Mapping[str, Any]]) -> None:
        """Tell what of an answer was not told yet, and what it quotes."""
        rest = text.removeprefix(self.text)
        self.text, self._pending = text, self._pending + rest
        await self.flush(quotes)

    async def again(self, text: str, quotes: Sequence[Mapping[str, Any]], seq: int) -> None:
        """Tell a whole answer that may have been told before, under the number it had."""
        last, self.text, self.seq = self.seq, text, seq - 1
        await self._chunk(text, quotes)
        self.seq = max(last, seq)

    async def once_more(self, update: Update, seq: int) -> None:
        """Tell something under the number that it had."""
        self.seq = seq - 1
        await self._numbered(update)

    def _flush_soon(self) -> None:
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_later())

    async def _flush_later(self) -> None:
        await asyncio.sleep(CHUNK_SECONDS)
        await self.flush()

    async def _chunk(self, text: str, quotes: Sequence[Mapping[str, Any]] = ()) -> None:
        own = {words.PRODUCED_BY: self.produced_by, words.QUOTES: list(quotes)}
        content = {"type": "text", "text": text}
        await self._numbered(
            {
                "sessionUpdate": words.AGENT_CHUNK,
                "content": content,
                "messageId": self._turn,
                "_meta": {words.OWN: own},
            }
        )
        self.said_seq = self.seq

    async def _numbered(self, update: Update) -> None:
        self.seq += 1
        meta = dict(update.get("_meta") or {})
        own = dict(meta.get(words.OWN) or {})
        meta[words.OWN] = own | {words.TURN: self._turn, words.SEQ: self.seq}
        await self._send({**update, "_meta": meta})


@dataclass(slots=True)
class Turn:
    """What the nodes of one turn are handed.

    Attributes:
        memory: The way to memory, with this turn's one restart.
        planner: Decides its next steps.
        rules: Decides them where the planner cannot, or is not asked.
        models: What there is for the work beside that; None for none.
        mark: The tag of its quotations for a model.
        accounts: What it may cost; None for no limit.
        is_continued: Whether it goes on after it was cut off.
        has_told: Whether the answer was told by this process.
        stop_reason: How it ended, in the protocol's word; empty until then.
        context: What it begins with; None until it was gathered by this process. Its texts are
            never in the state: a scrub would have to find them.
        process: Whose work it is.
        brief: What that one was sent for; None for the Orchestrator.
        scripts: Gives what runs scripts; None where none are run.
        skill_head: What the head of a SKILL.md says; None where no skill is worded.
        room: Holds back whoever is sent while enough of the team are at work.
        told: Ids of the results that this process has told.
        writes: Counts the memory writes of the turn and of everybody who is sent in it.
        noted_ms: What of its time is in its state.
        answered_by: Marks the person's answers that were given to this process: what an earlier
            one was answered, or a changed file says, is asked again.
    """

    id: str
    conversation: str
    memory: MemoryDoor
    planner: PlannerPort
    rules: PlannerPort
    judge: Judge
    runs: RunState
    teller: Teller
    models: Models | None = None
    mark: str = ""
    accounts: Accounts | None = None
    limits: Limits = field(default_factory=Limits)
    is_continued: bool = False
    stop: Stop = field(default_factory=Stop)
    has_told: bool = False
    stop_reason: str = ""
    context: Assembled | None = None
    process: Process = ORCHESTRATOR
    brief: Brief | None = None
    scripts: Callable[[], Interpreter] | None = None
    skill_head: Callable[[str], Mapping[str, object]] | None = None
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(SENT_AT_ONCE))
    told: set[str] = field(default_factory=set)
    writes: Writes = field(default_factory=Writes)
    answered_by: str = field(default_factory=lambda: uuid.uuid4().hex)
    began: float = field(default_factory=time.monotonic)
    noted_ms: int = 0

    @property
    def run(self) -> str:
        """Id of the run that its steps and costs are noted under: of a part, its own."""
        if self.brief is None:
            return run_id_of(self.conversation, self.id)
        return part_id_of(self.conversation, self.id, self.brief.call)

    @property
    def ms(self) -> int:
        """How long it takes so far, in this process."""
        return round((time.monotonic() - self.began) * 1000)

    def newly_spent(self) -> int:
        """Milliseconds since this was asked last; the state adds them up over processes."""
        before, self.noted_ms = self.noted_ms, self.ms
        return self.noted_ms - before

    def has_used_up(self, spent: Mapping[str, float]) -> bool:
        """Whether it is to stop: in all processes that it ran in, it used what it may.

        Args:
            spent: As its state has it: ``steps``, ``tool_calls``, ``ms``, and ``grants`` of more.
        """
        limits, times = self.limits, 1 + spent.get("grants", 0)
        ms = spent.get("ms", 0) + self.ms - self.noted_ms
        return (
            spent.get("steps", 0) >= limits.steps * times
            or spent.get("tool_calls", 0) >= limits.tool_calls * times
            or ms > limits.seconds * 1000 * times
        )

    @property
    def window(self) -> int | None:
        """Tokens that the model of this conversation takes; None without one."""
        with suppress(AgentError):
            model = None if self.models is None else self.models.model_for(ORCHESTRATOR)
            return None if model is None else model.window
        return None

    def aside(self, node: str) -> Aside:
        """How a node asks small questions of a model."""
        return Aside(self.models, self.mark, Voice(self, node).note)


@dataclass(frozen=True, slots=True)
class MechanicalPlanner:
    """Plans by rules."""

    next_step: Planner
    produced_by: Literal["mechanical", "model"] = "mechanical"

    async def __call__(
        self,
        situation: Situation,
        results: Sequence[Result],
        context: Assembled,
        say: Say,
    ) -> Step:
        # The rules read for themselves what is asked for; only whether there are pages is told.
        there = replace(situation, has_pages=bool(dict(context.workspace).get("pages")))
        step = self.next_step(situation.prompt, there, results)
        if isinstance(step, Answer):
            await say(step.text)
        return step


@dataclass(frozen=True, slots=True)
class Voice:
    """What a planner speaks through in one turn.

    Attributes:
        node: Where it does.
    """

    turn: Turn
    node: str = "plan"

    async def __call__(self, text: str) -> None:
        await self.turn.teller.say(text)

    async def think(self, text: str) -> None:
        await self.turn.teller.think(text)

    async def note(self, sent: Sent) -> None:
        """Add up what was used, and keep what was sent: figures for good, texts for a while."""
        runs, run = self.turn.runs, run_id_of(self.turn.conversation, self.turn.id)
        detail = {"sent": dict(sent.slices)}
        await asyncio.to_thread(keep_sent, runs, run, self.node, sent, detail, self.turn.run)
        if self.turn.accounts is not None:
            self.turn.accounts.note(sent.cost_micro)
            if self.node == "plan":  # how full a smaller model is concerns nobody
                told = await asyncio.to_thread(self.turn.accounts.told, sent, runs, run)
                await self.turn.teller.tell(told)


def keep_sent(
    runs: RunState,
    run: str,
    node: str,
    sent: Sent,
    detail: Mapping[str, Any] | None = None,
    part: str = "",
) -> None:
    """Add what a call used to its run, and keep what it was sent: figures, and this detail.

    Args:
        part: The run of whoever was sent in it and made the call; empty for nobody.
    """
    spent = Spent(
        sent.input_tokens, sent.output_tokens, sent.cached_tokens, sent.cost_micro, sent.currency
    )
    summary = {
        "prompt": sent.prompt,
        "process": sent.process,
        "provider": sent.provider,
        "model": sent.model,
        "slices": [
            {"name": name, "tokens": len(text) // CHARACTERS_PER_TOKEN}
            for name, text in sent.slices.items()
        ],
        "input": sent.input_tokens,
        "output": sent.output_tokens,
        "cached": sent.cached_tokens,
        "cost_micro": sent.cost_micro,
        "currency": sent.currency,
        "is_estimated": sent.is_estimated,
        "ms": sent.ms,
    }
    runs.note_run(part or run, node, spent)
    runs.add_trace(run, node, "model", summary, detail)
