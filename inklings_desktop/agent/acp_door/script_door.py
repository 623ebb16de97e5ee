"""Runs one script over memory for a program that speaks in lines of JSON; then the process ends.

What it may read is what the World Agent was granted. Lines: `acp_wire.scripts`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from inklings_desktop.acp_wire import scripts as lines
from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.sentences import SENTENCES
from inklings_desktop.acp_wire.shapes import dict_of, text_of
from inklings_desktop.agent.memory_door.call import MemoryDoor, MemoryPool
from inklings_desktop.agent.memory_door.filters import ANALYSIS
from inklings_desktop.agent.scripts.executor import MOST_FUEL, Interpreter
from inklings_desktop.agent.scripts.memory_module import memory_module, over_memory
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inklings_desktop.agent.memory_door.call import Outcome, ServerCommand
    from inklings_desktop.agent.scripts.executor import Ran

DONE, FAILED = 0, 1
NOT_LET_IN_AT_ALL = "not_let_in"
"""The server's word where there is nothing that the script could go on with."""
SECONDS = 120.0
"""The person who waits for it may stop it; the memory server starts meanwhile."""


class Workplace(Protocol):
    """Where the memory is, and the interpreter."""

    cache: Path
    data_dir: Path

    def memory_command(self) -> ServerCommand:
        """How the memory server is started."""


async def run_script(place: Workplace, asked: BinaryIO, out: BinaryIO) -> int:
    """Run the script that is asked for; the exit status: 0 where it gave a result.

    Args:
        asked: One line, then open for as long as somebody waits.
        out: Takes the answers.
    """
    work = asyncio.create_task(_answered(place, asked.readline(), out))
    loop = asyncio.get_running_loop()

    def wait_for_end() -> None:
        while asked.readline():
            pass
        with suppress(RuntimeError):  # it has answered, and its loop is closed
            loop.call_soon_threadsafe(work.cancel)

    threading.Thread(target=wait_for_end, name="script asker", daemon=True).start()
    try:
        return await work
    except asyncio.CancelledError:  # nobody waits for it any more
        return FAILED


async def _answered(place: Workplace, asked: bytes, out: BinaryIO) -> int:
    def say(key: str, value: Any) -> None:
        out.write(json.dumps({key: value}).encode() + b"\n")
        out.flush()

    pool = MemoryPool(sys.stderr)
    try:
        order = dict_of(json.loads(asked))
        door = MemoryDoor(pool.take(place.memory_command()))

        async def call(tool: str, arguments: Mapping[str, Any]) -> Outcome:
            return _granted(await door.call(ANALYSIS, tool, arguments))

        def tell(text: str, share: float | None) -> None:
            say(lines.PROGRESS, {"text": text, "share": share})

        interpreter = Interpreter(
            place.cache, place.data_dir, compiling=lambda: say(lines.COMPILING, value=True)
        )
        builder = over_memory(memory_module(call, tell)).fuel_limit(MOST_FUEL).time_limit(SECONDS)
        ran = await builder.build(interpreter).execute(
            text_of(order.get(lines.SCRIPT)), dict_of(order.get(lines.INPUTS))
        )
    except AgentError as error:
        say(lines.PROBLEM, {"word": error.word, "message": _sentence(error)})
        return FAILED
    finally:
        await pool.close()
    say(lines.RAN, _told(ran))
    return DONE if ran.outcome == lines.OK else FAILED


def _granted(outcome: Outcome) -> Outcome:
    if outcome.word == NOT_LET_IN_AT_ALL:
        raise AgentError(words.NOT_GRANTED)
    return outcome


def _told(ran: Ran) -> dict[str, Any]:
    return {
        "outcome": ran.outcome,
        "result": ran.result,
        "printed": ran.printed,
        "said": ran.said,
        "calls": ran.n_calls,
    }


def _sentence(error: AgentError) -> str:
    return error.said or SENTENCES.get(error.word, SENTENCES[words.AGENT_FAILED])
