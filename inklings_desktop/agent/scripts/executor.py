"""Builds what runs scripts, and runs them: which modules they have, and how much they may use."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from inklings_desktop.acp_wire.scripts import OUTCOMES
from inklings_desktop.agent.scripts.artifact import Artifact
from inklings_desktop.agent.scripts.machine import Machine
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.resource_files import resource

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from inklings_desktop.agent.scripts.machine import Ending

MB: Final = 1024 * 1024
G: Final = 1_000_000_000
MEMORY: Final = 64 * MB
MOST_MEMORY: Final = 512 * MB
FUEL: Final = 10 * G
MOST_FUEL: Final = 100 * G
SECONDS: Final = 30.0
RESULT_BYTES: Final = 256 * 1024
MOST_CALLS: Final = 2_000
ANSWERED_BYTES: Final = 8 * MB
IDLE_SECONDS: Final = 60.0
"""How long one that was booted ahead waits for a script."""

OutcomeWord: TypeAlias = Literal[
    "ok", "out_of_fuel", "time_limit", "out_of_memory", "script_error", "host_limit"
]


class RefusedError(Exception):
    """A function of ours does not do what a script asked for; its text is told to the script."""


@dataclass(frozen=True, slots=True)
class HostModule:
    """A module of ours, as a script sees it.

    Attributes:
        source: Its Python text in the sandbox; ``call(name, **arguments)`` in it reaches us, and
            raises its ``RefusedError`` where we refuse.
        functions: What it can call by name, with keyword arguments of plain data. Each answers with
            plain data, or raises `RefusedError`; any other error ends the script and is raised by
            `Executor.execute`.
    """

    source: str
    functions: Mapping[str, Callable[..., Awaitable[Any]]]


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a script.

    Attributes:
        result: What its ``main`` returned, as plain data; None unless ``ok``.
        printed: What it printed; at most 16 KiB of it.
        said: The last line of a ``script_error``, with the line of the script.
        n_calls: How often it called functions of ours.
        fuel: How much it computed, as the interpreter counts.
        seconds: How long it took.
    """

    outcome: OutcomeWord
    result: Any = None
    printed: str = ""
    said: str = ""
    n_calls: int = 0
    fuel: int = 0
    seconds: float = 0.0

    @property
    def sentence(self) -> str:
        """What a person, or a model, reads about it."""
        return f"{OUTCOMES[self.outcome]} {self.said}".rstrip()


class Interpreter:
    """What every script of a process is run by: compiled once, with one that waits ahead."""

    def __init__(
        self, cache: Path, data_root: Path, compiling: Callable[[], None] = lambda: None
    ) -> None:
        """Have nothing yet.

        Args:
            cache: A folder of this user's for what can be made again.
            data_root: Where it is noted what was made.
            compiling: Told, from a thread, before the first script waits for seconds.
        """
        self._artifact = Artifact(cache, data_root)
        self._compiling = compiling
        self._ahead: Machine | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def warm(self) -> None:
        """Boot one ahead, which goes after a minute; nothing where one waits already.

        Raises:
            AgentError: ``scripts_not_installed``.
        """
        if self._ahead is None:
            made = await self._booted(MEMORY)
            self.drop()  # one that was booted meanwhile
            self._ahead = made
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.drop)

    def drop(self) -> None:
        """Let the one that waits go."""
        if (machine := self._taken()) is not None:
            machine.stop()

    async def machine(self, memory: int) -> Machine:
        """One for a script, with so many bytes of memory: the one that waits, or a new one.

        Raises:
            AgentError: ``scripts_not_installed``.
        """
        fits = self._ahead is not None and self._ahead.memory == memory
        return (self._taken() if fits else None) or await self._booted(memory)

    def _taken(self) -> Machine | None:
        machine, self._ahead = self._ahead, None
        if self._idle is not None:
            self._idle.cancel()
        return machine

    async def _booted(self, memory: int) -> Machine:
        made = await asyncio.to_thread(self._artifact.read, self._compiling)
        return Machine(made, sandbox_text("boot.py"), memory)


class RlmExecutor:
    """Gathers what a script gets; each step returns the builder."""

    def __init__(self) -> None:
        self._modules: dict[str, HostModule | None] = {}
        self._memory, self._fuel, self._seconds = MEMORY, FUEL, SECONDS
        self._silence: float | None = None

    def with_module(self, name: str, module: HostModule | None = None) -> RlmExecutor:
        """Let scripts import one more: of the standard library, or this one of ours."""
        self._modules[name] = module
        return self

    def memory_limit(self, n_bytes: int) -> RlmExecutor:
        """Let the interpreter take so many bytes; a boot alone takes 11 MiB."""
        self._memory = _within("memory", n_bytes, MOST_MEMORY)
        return self

    def fuel_limit(self, fuel: int) -> RlmExecutor:
        """Let a script compute so much: a loop of a million steps takes some 2 G."""
        self._fuel = _within("fuel", fuel, MOST_FUEL)
        return self

    def time_limit(self, seconds: float) -> RlmExecutor:
        """Let a script take so many seconds, the answers of our functions included."""
        self._seconds = seconds
        return self

    def silence_limit(self, seconds: float) -> RlmExecutor:
        """Let a script compute so many seconds between two calls of ours; their answers are free.

        Its start counts as a call, and so does its end; the boot before it takes what it takes.
        """
        self._silence = seconds
        return self

    def build(self, interpreter: Interpreter) -> Executor:
        """What runs scripts like this, any number of them."""
        return Executor(
            interpreter, dict(self._modules), self._memory, self._fuel, self._seconds, self._silence
        )


@dataclass(frozen=True, slots=True)
class Executor:
    """Runs scripts; made by `RlmExecutor`."""

    interpreter: Interpreter
    modules: Mapping[str, HostModule | None]
    memory: int
    fuel: int
    seconds: float
    silence: float | None = None

    async def execute(self, script: str, inputs: Mapping[str, Any] | None = None) -> Ran:
        """Run a script to its end; cancelling this ends it at once.

        Args:
            script: Python text that defines ``main(inputs)``.
            inputs: Plain data for it.

        Raises:
            AgentError: ``scripts_not_installed``, or what a function of ours raised.
        """
        machine = await self.interpreter.machine(self.memory)
        loop = asyncio.get_running_loop()
        run = _Run(self, script, inputs or {}, machine, loop)
        limit = loop.call_later(self.seconds, run.stop, "time_limit")
        if self.silence is not None:
            run.listen(self.silence)
        machine.run(run)
        try:
            return await run.done
        finally:
            limit.cancel()
            run.stop("time_limit")
            if run.listening is not None:
                run.listening.cancel()


@dataclass(slots=True)
class Silence:
    """Since when a script has asked for nothing.

    Attributes:
        clock: Tells the time, in seconds.
    """

    clock: Callable[[], float] = time.monotonic
    _since: float | None = None

    def begin(self) -> None:
        """From now on it computes."""
        self._since = self.clock()

    def end(self) -> None:
        """It has asked: what it waits for is not its own time."""
        self._since = None

    def left(self, seconds: float) -> float:
        """How much of so many seconds is left to it; all while it waits for us."""
        since = self._since
        return seconds if since is None else since + seconds - self.clock()


@dataclass(slots=True, eq=False)
class _Run:
    """One script: what it asks for, and what became of it."""

    executor: Executor
    script: str
    inputs: Mapping[str, Any]
    machine: Machine
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Ran] = field(init=False)
    began: float = field(default_factory=time.monotonic)
    n_calls: int = 0
    n_answered: int = 0
    ran: Ran | None = None
    failure: Exception | None = None
    asked: Future[Any] | None = None
    silence: Silence = field(default_factory=Silence)
    listening: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        self.done = self.loop.create_future()

    @property
    def fuel(self) -> int:
        return self.executor.fuel

    def listen(self, seconds: float) -> None:
        """End it once it has computed for so long without a call."""
        left = self.silence.left(seconds)
        if left > 0:
            self.listening = self.loop.call_later(left, self.listen, seconds)
        else:
            self.stop("time_limit")

    def text(self) -> bytes:
        modules = self.executor.modules
        self.silence.begin()
        order = {
            "script": self.script,
            "inputs": dict(self.inputs),
            "modules": sorted(modules),
            "sources": {name: one.source for name, one in modules.items() if one is not None},
        }
        return json.dumps(order).encode() + b"\n"

    def stop(self, outcome: OutcomeWord, said: str = "") -> None:
        """End it with this outcome, unless it has one."""
        if self.ran is None:
            self.ran = Ran(outcome, said=said)
        self.machine.stop()
        if self.asked is not None:
            self.asked.cancel()

    def too_long(self) -> None:
        self.stop("host_limit", f"It wrote more than {RESULT_BYTES // 1024} KiB at once.")

    def over(self, ending: Ending) -> None:
        ran = self.ran
        if ran is None and ending.is_out_of_fuel:
            ran = Ran("out_of_fuel")
        elif ran is None and ending.is_full:
            ran = Ran("out_of_memory")
        elif ran is None:
            ran = Ran("script_error", said="The interpreter broke off.")
        whole = replace(
            ran,
            printed=ending.printed,
            n_calls=self.n_calls,
            fuel=ending.fuel,
            seconds=time.monotonic() - self.began,
        )
        with suppress(RuntimeError):  # nobody waits any more: the loop is closed
            self.loop.call_soon_threadsafe(self._tell, whole)

    def _tell(self, ran: Ran) -> None:
        if self.done.done():  # cancelled
            return
        if self.failure is not None:
            self.done.set_exception(self.failure)
        else:
            self.done.set_result(ran)

    def answer(self, frame: bytes) -> bytes | None:
        try:
            said = json.loads(frame)
        except ValueError:
            said = {}
        if not isinstance(said, dict):
            said = {}
        if "call" in said:
            self.silence.end()
            answer = self._called(said)
            self.silence.begin()
            return answer
        if "result" in said and len(frame) > RESULT_BYTES:
            self.stop("host_limit", f"Its result is longer than {RESULT_BYTES // 1024} KiB.")
        elif "result" in said:
            self.ran = self.ran or Ran("ok", result=said["result"])
        elif "full" in said:
            self.ran = self.ran or Ran("out_of_memory")
        else:
            line = f"Line {said['line']}: " if said.get("line") else ""
            self.ran = self.ran or Ran("script_error", said=f"{line}{said.get('failed', '')}")
        return None

    def _called(self, said: Mapping[str, Any]) -> bytes | None:
        self.n_calls += 1
        if self.n_calls > MOST_CALLS:
            self.stop("host_limit", f"It called more than {MOST_CALLS} times.")
            return None
        try:
            module, name = said["call"]
            host = self.executor.modules[module]
            assert host is not None
            asked = host.functions[name](**said["arguments"])
        except (KeyError, TypeError, ValueError, AssertionError):
            answer: dict[str, Any] = {"refused": "There is no such function, or not with these."}
        else:
            try:
                answer = {"value": self._waited(asked)}
            except RefusedError as error:
                answer = {"refused": str(error)}
            except CancelledError:
                return None
            except Exception as error:  # noqa: BLE001 - raised to whoever runs the script
                self.failure = error
                return None
        text = json.dumps(answer).encode() + b"\n"
        self.n_answered += len(text)
        if self.n_answered > ANSWERED_BYTES:
            self.stop("host_limit", f"It was given more than {ANSWERED_BYTES // MB} MiB.")
            return None
        return text

    def _waited(self, asked: Awaitable[Any]) -> Any:
        async def answer() -> Any:
            return await asked

        self.asked = asyncio.run_coroutine_threadsafe(answer(), self.loop)
        if self.ran is not None:  # stopped meanwhile
            self.asked.cancel()
        return self.asked.result()


def _within(name: str, value: int, most: int) -> int:
    if not 0 < value <= most:
        raise InvalidValueError(name, "range", most)
    return value


def sandbox_text(name: str) -> str:
    """A file that runs in the sandbox, as text."""
    return resource(f"sandbox/{name}").read_text(encoding="utf-8")
