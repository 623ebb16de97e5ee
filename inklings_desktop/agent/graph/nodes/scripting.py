"""Run a script for somebody who was sent: it reaches what that one may, and nothing else.

What it asks for goes through the same door, with the same brief; it keeps nothing but notes of its
conversation. Run again after the program ended under it, it does no more than once.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire.shapes import dict_of
from inklings_desktop.agent.context.skill_work import MOST_TRIES, both, broken_before
from inklings_desktop.agent.graph.nodes.skilled import Run, as_text, code_of, noted_run
from inklings_desktop.agent.memory_door.call import Outcome
from inklings_desktop.agent.scripts.memory_module import memory_module, over_memory
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.graph.turn import Turn
    from inklings_desktop.agent.memory_door.call import MemoryDoor
    from inklings_desktop.agent.planning import Call, Result
    from inklings_desktop.agent.scripts.executor import Interpreter, Ran

MAX_SCRIPT = 32 * 1024
_PRINTED = 2_000
"""Characters of what a script printed, as its planner has them."""
NO_SCRIPTS = "scripts_not_installed"
TOO_LONG = "invalid_value"
SKILL_FAILED = "skill_failed"


async def script_outcome(turn: Turn, call: Call, before: Sequence[Result] = ()) -> Outcome:
    """What a script returned, or why it gave nothing.

    Args:
        call: It holds the script, or names a file of a skill that is one.
        before: What came back before: what breaks a skill's assertion is run once again.
    """
    if turn.scripts is None:
        return _failed(NO_SCRIPTS, "No script can be run here.")
    told = call.arguments
    inputs = dict_of(told.get("inputs"))
    if told.get("skill"):
        return await _by_skill(turn, call, inputs, before)
    script = str(told.get("script") or "")
    if not script or len(script) > MAX_SCRIPT:
        return _failed(TOO_LONG, f"A script has 1 to {MAX_SCRIPT} characters.")
    ran = await _ran(turn, script, inputs, turn.memory)
    return ran if isinstance(ran, Outcome) else _told(ran)


async def _by_skill(
    turn: Turn, call: Call, inputs: Mapping[str, Any], before: Sequence[Result]
) -> Outcome:
    """The same of a skill's file: it reaches what the skill leaves, and is checked by it."""
    skill, file = str(call.arguments["skill"]), str(call.arguments.get("file") or "")
    n_broken = broken_before(call, before)
    if n_broken >= MOST_TRIES:
        return _failed(SKILL_FAILED, "It broke what the skill asserts twice. Say that it failed.")
    read = await code_of(turn, skill, file)
    if read.is_error:
        return read
    door = replace(turn.memory, only=both(turn.memory.only, read.answer.get("only_tools")))
    ran = await _ran(turn, str(read.answer["files"][0]["text"]), inputs, door)
    if isinstance(ran, Outcome):
        return ran
    is_ok = ran.outcome == "ok"
    output = as_text(ran.result) if is_ok else ran.sentence
    run = Run(
        skill, file, as_text(inputs), output, round(ran.seconds * 1000), ran.fuel,
        is_broken_off=not is_ok,
    )  # fmt: skip
    noted = await noted_run(turn, call, run)
    broken, outcome = noted.get("broken") or [], _told(ran)
    if not broken:
        return outcome
    says = "It has failed." if n_broken else "Run it once again, with inputs that put it right."
    report = {"broken": broken, "message": f"It breaks what the skill asserts. {says}"}
    failed = {"word": SKILL_FAILED} if n_broken else {}
    return Outcome({**outcome.answer, **report, **failed}, is_error=bool(n_broken))


async def _ran(
    turn: Turn, script: str, inputs: Mapping[str, Any], door: MemoryDoor
) -> Ran | Outcome:
    async def ask(tool: str, arguments: Mapping[str, Any]) -> Outcome:
        return await door.call(turn.process, tool, arguments)

    module = memory_module(ask, lambda _text, _share: None, turn.conversation)
    assert turn.scripts is not None
    executor = over_memory(module).build(turn.scripts())
    try:
        return await executor.execute(script, inputs)
    except AgentError as error:
        if error.word != NO_SCRIPTS:
            raise
        return _failed(NO_SCRIPTS, "The parts that run scripts are not installed.")


def _told(ran: Ran) -> Outcome:
    if ran.outcome != "ok":
        return _failed(ran.outcome, ran.sentence)
    printed = ran.printed[:_PRINTED]
    told = {"result": ran.result, "calls": ran.n_calls, "seconds": round(ran.seconds, 2)}
    return Outcome(told | ({"printed": printed} if printed else {}))


def warmed(interpreter: Interpreter) -> asyncio.Task[None]:
    """Have one ready while a model thinks; where none can be had, its script says so."""

    async def warm() -> None:
        with suppress(AgentError):
            await interpreter.warm()

    return asyncio.create_task(warm())


def _failed(word: str, message: str) -> Outcome:
    return Outcome({"word": word, "message": message}, is_error=True)
