"""Scripts are stopped at each limit, and reach nothing but what they were given."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent.graph.nodes.spawn import _ready_for_scripts
from inklings_desktop.agent.memory_door.filters import RESEARCHER, WORKER, Process
from inklings_desktop.agent.scripts import executor as limits
from inklings_desktop.agent.scripts.executor import (
    MB,
    HostModule,
    RefusedError,
    RlmExecutor,
)
from inklings_desktop.domain.errors import AgentError, InvalidValueError
from tests.support.interpreters import looped

if TYPE_CHECKING:
    from inklings_desktop.agent.scripts.executor import Interpreter, Ran

ENDLESS = "def main(inputs):\n while True:\n  pass"
PATIENCE = 60.0
"""Seconds; far more than any of these takes."""


async def _ran(interpreter: Interpreter, script: str, **inputs: Any) -> Ran:
    executor = RlmExecutor().with_module("json").with_module("math").build(interpreter)
    return await asyncio.wait_for(executor.execute(script, inputs), PATIENCE)


def _host(**functions: Any) -> HostModule:
    lines = [f"def {name}(**a):\n return call({name!r}, **a)" for name in functions]
    return HostModule("\n".join(lines), functions)


@looped
async def test_a_script_answers_with_what_its_main_returns(interpreter: Interpreter) -> None:
    script = "import math\ndef main(inputs):\n print('so')\n return {'n': math.isqrt(inputs['n'])}"
    ran = await _ran(interpreter, script, n=81)
    assert (ran.outcome, ran.result, ran.printed) == ("ok", {"n": 9}, "so\n")
    assert 0 < ran.fuel < limits.FUEL


@looped
async def test_one_that_waits_ahead_is_taken_once(interpreter: Interpreter) -> None:
    await interpreter.warm()
    waiting = interpreter._ahead
    await interpreter.warm()
    assert interpreter._ahead is waiting
    for _ in range(2):
        assert (await _ran(interpreter, "def main(inputs): return 1")).result == 1
        assert interpreter._ahead is None


@looped
async def test_one_is_started_ahead_while_the_model_of_a_worker_thinks(
    interpreter: Interpreter,
) -> None:
    begun: list[bool] = []
    ready = asyncio.Event()

    async def warm() -> None:
        begun.append(True)
        await interpreter.warm()
        ready.set()

    def sent(process: Process) -> Any:
        return SimpleNamespace(process=process, scripts=lambda: SimpleNamespace(warm=warm))

    with _ready_for_scripts(sent(RESEARCHER)):
        await asyncio.sleep(0)
    assert not begun
    with _ready_for_scripts(sent(WORKER)):
        await asyncio.wait_for(ready.wait(), PATIENCE)
    assert interpreter._ahead is not None
    assert (await _ran(interpreter, "def main(inputs): return 1")).result == 1


@looped
async def test_one_that_nobody_takes_goes(
    interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "IDLE_SECONDS", 0.0)
    await interpreter.warm()
    machine = interpreter._ahead
    assert machine is not None
    await asyncio.to_thread(machine._thread.join, PATIENCE)
    assert machine._has_ended
    assert interpreter._ahead is None


@looped
async def test_an_endless_loop_ends_by_time(interpreter: Interpreter) -> None:
    executor = RlmExecutor().fuel_limit(limits.MOST_FUEL).time_limit(0.5).build(interpreter)
    ran = await executor.execute(ENDLESS)
    assert ran.outcome == "time_limit"
    assert "took too long" in ran.sentence


def test_only_what_a_script_computes_by_itself_counts_as_silence() -> None:
    now = [10.0]
    silence = limits.Silence(lambda: now[0])
    now[0] += 60  # it boots
    assert silence.left(2) == 2
    silence.begin()
    now[0] += 1.5
    assert silence.left(2) == 0.5
    silence.end()
    now[0] += 60  # it waits for us
    assert silence.left(2) == 2
    silence.begin()
    now[0] += 2
    assert silence.left(2) == 0


@looped
async def test_one_that_asks_for_nothing_ends_though_it_has_time(interpreter: Interpreter) -> None:
    async def more(n: int) -> int:
        return n

    builder = RlmExecutor().with_module("ours", _host(more=more)).fuel_limit(limits.MOST_FUEL)
    executor = builder.time_limit(PATIENCE).silence_limit(0.2).build(interpreter)
    script = "import ours\ndef main(inputs):\n ours.more(n=1)\n while True: pass"
    ran = await asyncio.wait_for(executor.execute(script), PATIENCE)
    assert (ran.outcome, ran.n_calls) == ("time_limit", 1)


@looped
async def test_it_is_silent_from_its_start_and_not_while_it_waits_for_an_answer(
    interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    for name in ("begin", "end"):
        monkeypatch.setattr(limits.Silence, name, lambda _, name=name: told.append(name))

    async def more() -> None:
        told.append("asked")

    executor = RlmExecutor().with_module("ours", _host(more=more)).build(interpreter)
    script = "import ours\ndef main(inputs):\n for _ in range(2): ours.more()"
    assert (await executor.execute(script)).outcome == "ok"
    assert told == ["begin", *["end", "asked", "begin"] * 2]


@looped
async def test_an_endless_loop_ends_by_what_it_computes(interpreter: Interpreter) -> None:
    executor = RlmExecutor().fuel_limit(50_000_000).time_limit(PATIENCE).build(interpreter)
    ran = await executor.execute(ENDLESS)
    assert (ran.outcome, ran.fuel) == ("out_of_fuel", 50_000_000)


@looped
async def test_cancelling_ends_an_endless_loop(interpreter: Interpreter) -> None:
    executor = RlmExecutor().fuel_limit(limits.MOST_FUEL).time_limit(PATIENCE).build(interpreter)
    await interpreter.warm()
    machine = interpreter._ahead
    assert machine is not None
    task = asyncio.create_task(executor.execute(ENDLESS))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(machine._thread.join, PATIENCE)
    assert machine._has_ended


@pytest.mark.parametrize(
    "script",
    [
        "def main(inputs): return len(bytearray(80 * 1024 * 1024))",
        "def main(inputs):\n kept = []\n while True:\n  kept.append('x' * 100_000)",
    ],
)
@looped
async def test_memory_beyond_the_limit_is_refused(interpreter: Interpreter, script: str) -> None:
    assert (await _ran(interpreter, script)).outcome == "out_of_memory"


@looped
async def test_a_limit_of_memory_is_its_own(interpreter: Interpreter) -> None:
    await interpreter.warm()
    roomy = RlmExecutor().memory_limit(160 * MB).build(interpreter)
    script = "def main(inputs): return len(bytearray(80 * 1024 * 1024))"
    assert (await roomy.execute(script)).outcome == "ok"
    interpreter.drop()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("open('/etc/passwd')", "FileNotFoundError"),
        ("open('/new', 'w')", "Error"),
        ("os.mkdir('/new')", "Error"),
        ("os.listdir('.')", "Error"),
        ("time.sleep(0.01)", "OSError"),
        ("socket.socket()", "Error"),
        ("os.system('true')", "Error"),
        ("os.fork()", "Error"),
        ("threading.Thread(target=print).start()", "RuntimeError"),
        ("os.write(3, b'x')", "OSError"),
        ("import ctypes", "ModuleNotFoundError"),
    ],
)
@looped
async def test_nothing_outside_is_reached(interpreter: Interpreter, line: str, named: str) -> None:
    builder = RlmExecutor()
    for module in ("os", "time", "socket", "threading", "ctypes"):
        builder.with_module(module)
    script = f"import os, time, socket, threading\ndef main(inputs):\n return str({line})"
    if line.startswith("import"):
        script = line
    ran = await builder.build(interpreter).execute(script)
    assert ran.outcome == "script_error"
    assert named in ran.said


@looped
async def test_the_environment_is_empty_and_there_is_one_argument(
    interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INKLINGS_SECRET", "needle")
    script = "import os, sys\ndef main(inputs): return [dict(os.environ), sys.argv]"
    executor = RlmExecutor().with_module("os").with_module("sys").build(interpreter)
    assert (await executor.execute(script)).result == [{}, ["-c"]]


@looped
async def test_only_modules_that_were_chosen_are_imported(interpreter: Interpreter) -> None:
    ran = await _ran(interpreter, "import os\ndef main(inputs): return 1")
    assert ran.outcome == "script_error"
    assert ran.said == "Line 1: ImportError: A script may not import os. It may import: json, math."


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("def main(inputs):\n return 1 / 0", "Line 2: ZeroDivisionError: division by zero"),
        ("def main(inputs:\n return 1", "Line 1: SyntaxError: '(' was never closed"),
        ("x = 1", "NameError: The script defines no main(inputs)."),
        ("def main(inputs): raise SystemExit(3)", "Line 1: SystemExit: 3"),
        ("def main(inputs): return {1, 2}", "TypeError: Object of type set"),
        ("def main(inputs): return float('nan')", "ValueError: Out of range"),
        ("def main(inputs): return main(inputs)", "RecursionError"),
    ],
)
@looped
async def test_a_mistake_is_named_with_its_line(
    interpreter: Interpreter, script: str, said: str
) -> None:
    ran = await _ran(interpreter, script)
    assert ran.outcome == "script_error"
    assert said in ran.sentence


@pytest.mark.parametrize("n_bytes", [300_000, 3_000_000])
@looped
async def test_too_long_a_result_is_refused(interpreter: Interpreter, n_bytes: int) -> None:
    ran = await _ran(interpreter, "def main(inputs): return 'x' * inputs['n']", n=n_bytes)
    assert (ran.outcome, ran.result) == ("host_limit", None)


@looped
async def test_what_is_printed_is_kept_to_a_limit(interpreter: Interpreter) -> None:
    ran = await _ran(interpreter, "def main(inputs): print('x' * 100_000)")
    assert (ran.outcome, len(ran.printed)) == ("ok", 16 * 1024)


@looped
async def test_functions_of_ours_are_called_and_may_refuse(interpreter: Interpreter) -> None:
    async def double(n: int) -> int:
        await asyncio.sleep(0)
        return 2 * n

    async def never() -> None:
        raise RefusedError("not today")

    host = _host(double=double, never=never)
    executor = RlmExecutor().with_module("ours", host).build(interpreter)
    script = (
        "import ours\ndef main(inputs):\n"
        " try:\n  ours.never()\n except ours.RefusedError as error:\n"
        "  return [ours.double(n=n) for n in range(3)], str(error)"
    )
    ran = await executor.execute(script)
    assert ran.result == [[0, 2, 4], "not today"]
    assert ran.n_calls == 4


@pytest.mark.parametrize(
    "line", ["ours.call('other')", "ours.call('double', m=1)", "ours.call(['double'])"]
)
@looped
async def test_a_call_of_nothing_there_is_refused(interpreter: Interpreter, line: str) -> None:
    async def double(n: int) -> int:
        return 2 * n

    executor = RlmExecutor().with_module("ours", _host(double=double)).build(interpreter)
    ran = await executor.execute(f"import ours\ndef main(inputs): return {line}")
    assert ran.outcome == "script_error"
    assert "There is no such function" in ran.said


@pytest.mark.parametrize(
    ("times", "length", "outcome", "n_calls"),
    [(2_000, 1, "ok", 2_000), (2_001, 1, "host_limit", 2_001), (9, 1_000_000, "host_limit", 9)],
)
@looped
async def test_calls_and_what_they_answer_are_counted(
    interpreter: Interpreter, times: int, length: int, outcome: str, n_calls: int
) -> None:
    async def text(length: int) -> str:
        return "x" * length

    executor = RlmExecutor().with_module("ours", _host(text=text)).build(interpreter)
    script = (
        "import ours\ndef main(inputs):\n"
        " for _ in range(inputs['times']): ours.text(length=inputs['length'])"
    )
    ran = await executor.execute(script, {"times": times, "length": length})
    assert (ran.outcome, ran.n_calls) == (outcome, n_calls)


@looped
async def test_a_call_that_hangs_ends_by_time(interpreter: Interpreter) -> None:
    is_cancelled = asyncio.Event()

    async def hangs() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            is_cancelled.set()

    await interpreter.warm()
    builder = RlmExecutor().with_module("ours", _host(hangs=hangs)).time_limit(3.0)
    ran = await builder.build(interpreter).execute("import ours\ndef main(i): ours.hangs()")
    assert ran.outcome == "time_limit"
    await asyncio.wait_for(is_cancelled.wait(), PATIENCE)


@looped
async def test_memory_out_of_reach_ends_the_script(interpreter: Interpreter) -> None:
    async def fails() -> None:
        raise AgentError("memory_unreachable")

    executor = RlmExecutor().with_module("ours", _host(fails=fails)).build(interpreter)
    script = "import ours\ndef main(i):\n try: ours.fails()\n except BaseException: return 1"
    with pytest.raises(AgentError, match="memory_unreachable"):
        await executor.execute(script)


@looped
async def test_forged_lines_do_no_harm(interpreter: Interpreter) -> None:
    executor = RlmExecutor().with_module("os").build(interpreter)
    for line, outcome in [("{}", "script_error"), ("[1]", "script_error"), ("no", "script_error")]:
        script = f"import os\ndef main(i):\n os.write(1, b'{line}\\n')\n while True: pass"
        assert (await executor.execute(script)).outcome == outcome


@looped
async def test_three_scripts_at_once_end_each_on_its_own(interpreter: Interpreter) -> None:
    slow = RlmExecutor().time_limit(0.5).fuel_limit(limits.MOST_FUEL).build(interpreter)
    poor = RlmExecutor().fuel_limit(20_000_000).build(interpreter)
    ran = await asyncio.gather(
        slow.execute(ENDLESS), poor.execute(ENDLESS), _ran(interpreter, "def main(i): return 7")
    )
    assert [one.outcome for one in ran] == ["time_limit", "out_of_fuel", "ok"]


def test_limits_have_limits() -> None:
    with pytest.raises(InvalidValueError, match="fuel"):
        RlmExecutor().fuel_limit(limits.MOST_FUEL + 1)
    with pytest.raises(InvalidValueError, match="memory"):
        RlmExecutor().memory_limit(0)
