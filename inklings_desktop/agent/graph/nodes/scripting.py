"""Run a script for somebody who was sent: it reaches what that one may, and nothing else.

What it asks for goes through the same door, with the same brief; it keeps nothing but notes of its
conversation. Run again after the program ended under it, it does no more than once.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.memory_door.call import Outcome
from inklings_desktop.agent.scripts.memory_module import memory_module, over_memory
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.graph.turn import Turn
    from inklings_desktop.agent.planning import Call
    from inklings_desktop.agent.scripts.executor import Interpreter

MAX_SCRIPT = 32 * 1024
_PRINTED = 2_000
"""Characters of what a script printed, as its planner has them."""
NO_SCRIPTS = "scripts_not_installed"
TOO_LONG = "invalid_value"


async def script_outcome(turn: Turn, call: Call) -> Outcome:
    """What a script returned, or why it gave nothing."""
    script, inputs = str(call.arguments.get("script") or ""), call.arguments.get("inputs")
    if turn.scripts is None:
        return _failed(NO_SCRIPTS, "No script can be run here.")
    if not script or len(script) > MAX_SCRIPT:
        return _failed(TOO_LONG, f"A script has 1 to {MAX_SCRIPT} characters.")

    async def ask(tool: str, arguments: Mapping[str, Any]) -> Outcome:
        return await turn.memory.call(turn.process, tool, arguments)

    module = memory_module(ask, lambda _text, _share: None, turn.conversation)
    executor = over_memory(module).build(turn.scripts())
    try:
        ran = await executor.execute(script, inputs if isinstance(inputs, dict) else {})
    except AgentError as error:
        if error.word != NO_SCRIPTS:
            raise
        return _failed(NO_SCRIPTS, "The parts that run scripts are not installed.")
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
