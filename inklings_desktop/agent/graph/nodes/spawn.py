"""Send somebody of the team for something, and take in what comes back: a report, and no more.

Everything that was read for it stays in the state of that one's own graph, which goes with the
turn. The Orchestrator gets the report; what was found in full is a working note.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import tool_update
from inklings_desktop.agent.context.assembling import Assembled
from inklings_desktop.agent.context.skill_work import both
from inklings_desktop.agent.graph.composed import composed, table_of
from inklings_desktop.agent.graph.nodes.act import result_of
from inklings_desktop.agent.graph.nodes.decide import ALLOW
from inklings_desktop.agent.graph.nodes.orient import gathered
from inklings_desktop.agent.graph.nodes.scripting import warmed
from inklings_desktop.agent.graph.nodes.situations import call_of, situation_of, stored_call
from inklings_desktop.agent.graph.nodes.skilled import handed_on
from inklings_desktop.agent.graph.run_cards import card_run, findings_in
from inklings_desktop.agent.graph.state import STATE_VERSION
from inklings_desktop.agent.graph.telling import tool_part, trace_call
from inklings_desktop.agent.graph.turn import Limits, Teller
from inklings_desktop.agent.mechanical.sweeping import Sweep
from inklings_desktop.agent.memory_door.briefs import wanted_brief
from inklings_desktop.agent.memory_door.filters import (
    COMPOSER,
    RESEARCHER,
    WORKER,
    is_left,
)
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from langchain_core.runnables import RunnableConfig
    from langgraph.graph.state import CompiledStateGraph

    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import PlannerPort, Turn, Update
    from inklings_desktop.agent.memory_door.briefs import Brief
    from inklings_desktop.agent.memory_door.call import MemoryDoor
    from inklings_desktop.agent.planning import Call, Tool
    from inklings_desktop.domain.runs.run_rows import RunStateWord

MOST_SUMMARY = {RESEARCHER: 600, WORKER: 400}
"""Characters of a report, by whose it is."""
_DEFAULT_SUMMARY = 600
_ENDS = {
    words.CANCELLED: "stopped",
    words.MAX_TURN_REQUESTS: "limit",
    words.END_TURN: "done",
}
_RUN_ENDS: dict[str, RunStateWord] = {
    "stopped": "stopped", "limit": "stopped", "failed": "failed",
}  # fmt: skip
PROGRESS_SECONDS = 0.1
NEEDS_MODEL = "needs_model"


class CardTeller(Teller):
    """Tells of one who was sent, through the turn's own: the card alone; all words stay there."""

    def __init__(self, turn: Turn, call: Call, brief: Brief, began: float) -> None:
        super().__init__(turn.id, turn.teller.tell, turn.teller.produced_by)
        self.brief, self._began = brief, began
        self._whole, self._call, self._turn_id = turn.teller, call, turn.id
        self._is_continued = turn.is_continued
        self._is_resumed = False
        self._state: TurnState = {}
        self._told_at = 0.0

    async def tell(self, update: Update) -> None:
        """What one of its calls did is a line of the card, which is told step by step."""

    async def progress(self, done: int, of: int) -> None:
        """Tell how much of its work is done, as often as an eye follows, and always the last."""
        now = time.monotonic()
        if done == of or now - self._told_at >= PROGRESS_SECONDS:
            self._told_at = now
            ms = round((now - self._began) * 1000)
            await self.show(self._state, "in_progress", ms, (done, of))

    async def show(
        self, state: TurnState, status: str, ms: int, progress: tuple[int, int] = (0, 0)
    ) -> dict[str, Any]:
        """Tell how far it is; the card as a part of the message."""
        self._state = state
        part = tool_part(self._turn_id, self._call, status)
        results = state.get("results") or []
        if self._is_continued:  # it had begun before this process did
            self._is_resumed = bool(results or (state.get("spent") or {}).get("steps"))
        self._is_continued = False
        part["touched"] = [one for each in results for one in each["part"]["touched"]]
        part["ms"] = ms
        part[words.RUN] = card_run(
            self.brief, state, status, is_resumed=self._is_resumed, progress=progress
        )
        await self._whole.tell(tool_update(part, {}, begins=False))
        self.seq = self._whole.seq
        return part


def pending_tasks(state: TurnState) -> list[dict[str, Any]]:
    """What each one who is sent is handed: its call, and the turn that it belongs to."""
    spent = state.get("spent") or {}
    about = {
        "turn": state["turn"], "history": state.get("history") or [],
        "compact": state.get("compact"),
        "spent": {"before": spent.get("steps", 0), "paid": spent.get("paid", 0)},
    }  # fmt: skip
    about["skill"] = handed_on(state)
    return [about | {"call": one} for one in state.get("calls") or []]


async def spawn(
    task: Mapping[str, Any],
    turn: Turn,
    graph: CompiledStateGraph[Any, Any, Any, Any],
    config: RunnableConfig,
) -> dict[str, Any]:
    """What came of one task.

    Args:
        task: As of ``pending_tasks``.
        turn: The turn that sends.
        graph: The steps of whoever is sent.
        config: Of this step: where the state of its graph is kept follows from it.
    """
    stored = dict(task["call"])
    if stored["decision"] != ALLOW:
        return {"results": [await result_of(turn, stored, {})]}
    call, began = call_of(stored), time.monotonic()
    situation = situation_of(_begun(task), turn.conversation)
    task_id = f"{turn.id.partition('-')[0]}.{call.id}"
    brief = wanted_brief(task_id, call.arguments, turn.conversation, situation.channel)
    of_skill = task.get("skill") or {}
    only = both(None, of_skill.get("only"))
    brief = replace(
        brief,
        allowed=frozenset(one for one in brief.allowed if is_left(one.tool, only)),
        overlay=brief.overlay or of_skill.get("role", ""),
    )
    teller = CardTeller(turn, call, brief, began)
    mine = replace(
        turn,
        process=brief.process,
        brief=brief,
        context=await _wishes(turn, task),
        memory=(door := replace(turn.memory, brief=brief, only=only)),
        planner=_planner(turn, brief, door, teller.progress),
        teller=teller,
        limits=Limits(brief.budget.steps, brief.budget.tool_calls, brief.budget.seconds),
        stop=turn.stop.part(f"{turn.id}:{call.id}"),
        began=began,
    )
    final: Any = _begun(task)
    async with turn.room:
        await asyncio.to_thread(_begin, mine, turn.run)
        if mine.planner is turn.rules:
            final = final | {"answer": {"problem": NEEDS_MODEL, "stop": words.END_TURN}}
        elif not mine.stop:
            own: Any = {**config, "recursion_limit": 4 * brief.budget.steps + 10}
            with _ready_for_scripts(mine):
                final = await graph.ainvoke(final, own, context=mine, durability="sync")
    return await _reported(turn, mine, stored, final, began)


def _begin(mine: Turn, run: str) -> None:
    """Note that somebody goes, beneath the run that sends; after a kill it is the same row."""
    model = None
    if mine.planner.produced_by == "model" and mine.models is not None:
        model = mine.models.model_for(mine.process)
    mine.runs.begin_run(
        mine.run,
        mine.conversation,
        mine.process,
        parent_id=run,
        model=None if model is None else model.model,
        provider=None if model is None else model.provider,
    )


async def _wishes(turn: Turn, task: Mapping[str, Any]) -> Assembled:
    """The author's standing wishes alone: whoever is sent decides itself what else it reads."""
    if turn.context is None:  # gathered by a process that is gone
        turn.context = await gathered(_begun(task), turn)
    return Assembled(turn.context.standing)


@contextmanager
def _ready_for_scripts(mine: Turn) -> Iterator[None]:
    """Have an interpreter booted while the model of a Worker thinks."""
    if mine.process != WORKER or mine.scripts is None:
        yield
        return
    warming = warmed(mine.scripts())
    try:
        yield
    finally:
        warming.cancel()


def _begun(task: Mapping[str, Any]) -> TurnState:
    return {
        "turn": task["turn"],
        "history": task["history"],
        "compact": task["compact"],
        "spent": task["spent"],
        "state_version": STATE_VERSION,
    }


def _planner(
    turn: Turn, brief: Brief, door: MemoryDoor, progress: Callable[[int, int], Awaitable[None]]
) -> PlannerPort:
    """A model's where one is set for it; a Researcher does without one; nobody else does."""
    if turn.models is not None and turn.planner is not turn.rules:
        try:
            has_model = turn.models.model_for(brief.process) is not None
        except AgentError:
            has_model = False
        if has_model:
            from inklings_desktop.agent.model_planner.skill_drafts import COMPOSER_TOOLS
            from inklings_desktop.agent.model_planner.team import SCRIPT_TOOL, TeamPlanner

            own: tuple[Tool, ...] = COMPOSER_TOOLS if brief.process == COMPOSER else ()
            if brief.process == WORKER and turn.scripts:
                own = (SCRIPT_TOOL,)
            own = tuple(one for one in own if is_left(one.name, door.only))
            return TeamPlanner(
                turn.models, lambda: door.offers(brief.process), turn.mark, brief, own=own
            )
    if brief.process != RESEARCHER:
        return turn.rules
    return Sweep(brief, progress)


def _of_skill(outcome: dict[str, Any], final: TurnState, most: int) -> dict[str, Any]:
    """The report of who worded a skill: first what the program knows of it."""
    language = str((final.get("turn") or {}).get("language") or "")
    if outcome.get("word") == NEEDS_MODEL:
        says = table_of(language)["say"]["compose"]
        return {"state": outcome["state"], "word": NEEDS_MODEL, "summary": says}
    told = composed(final.get("results") or [], language)
    summary = f"{told.pop('said')} {outcome['summary']}".rstrip()[:most]
    return outcome | told | {"summary": summary}


async def _reported(
    turn: Turn, mine: Turn, stored: dict[str, Any], final: TurnState, began: float
) -> dict[str, Any]:
    """The report as the Orchestrator has it, and the card as the person does."""
    teller = cast("CardTeller", mine.teller)
    call, answer = call_of(stored), final.get("answer") or {"stop": words.CANCELLED}
    results, brief = final.get("results") or [], teller.brief
    problem = str(answer.get("problem") or "")
    ended = "failed" if problem == NEEDS_MODEL else _ENDS.get(str(answer["stop"]), "done")
    report = dict(answer.get("report") or {})
    found = findings_in(brief, results)
    most = MOST_SUMMARY.get(brief.process, _DEFAULT_SUMMARY)
    outcome: dict[str, Any] = {
        "state": ended,
        "summary": str(report.get("summary") or answer.get("text") or "")[:most],
        "note_key": found.note_key,
        "sources": report.get("sources") or found.sources,
        "confidence": report.get("confidence") or "low",
        "open_questions": report.get("open_questions") or [],
    }
    if ended != "done" or problem:
        outcome |= {"incomplete": True, "n_findings": len(found.findings)}
    left = [one["part"]["title"] for one in results if one["outcome"].get("word") == "later"]
    if left:
        outcome["left_for_the_author"] = left
    if problem:
        outcome["word"] = problem
    if brief.process == COMPOSER:
        outcome = _of_skill(outcome, final, most)
    is_error = problem == NEEDS_MODEL
    status = "failed" if is_error else "completed"
    final = final | {"answer": answer | {"ended": ended, "report": outcome}}
    part = await teller.show(final, status, round((time.monotonic() - began) * 1000))
    part["outcome"] = outcome["summary"]
    turn.told.add(call.id)
    await asyncio.to_thread(turn.runs.end_run, mine.run, _RUN_ENDS.get(ended, "finished"), problem)
    result = {
        "call": stored_call(call), "seq": teller.seq, "outcome": outcome, "is_error": is_error,
        "part": part,
    }  # fmt: skip
    if "said" in stored:
        result["said"] = stored["said"]
    await asyncio.to_thread(trace_call, turn.runs, turn.conversation, turn.id, result, stored)
    return {"results": [result], "touched": part["touched"], "spent": {"spawned": 1}}
