"""The window and the command line write at the same time, and neither loses a word."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from tests.end2end.writing_door import READY
from tests.support.processes import line_of, rest_of, started, tell
from tests.support.stopwatch import HANG_SECONDS
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = [pytest.mark.end2end, pytest.mark.usefixtures("qapp")]

N_BY_COMMAND_LINE = 30
MOST_BY_WINDOW = 150


def test_nothing_is_lost_while_window_and_command_line_both_write(tmp_path: Path) -> None:
    async def write(bench: WindowBench) -> None:
        messages = bench.messages()
        subject, (scope,) = bench.memory.subject, bench.memory.list.request.scopes
        arguments = (str(tmp_path), bench.bench.workspace.id, "cli", str(N_BY_COMMAND_LINE))
        other = started("tests.end2end.writing_door", *arguments)
        assert await asyncio.to_thread(line_of, other) == READY
        tell(other)
        theirs = {await asyncio.to_thread(line_of, other)}  # it is under way

        own: set[str] = set()
        while other.poll() is None and len(own) < MOST_BY_WINDOW:
            subject.start_new(scope)
            subject.edit(content=f"Written by hand, number {len(own)}.")
            assert await subject.save()
            assert subject.current_ref is not None
            own.add(subject.current_ref.id)
        theirs |= set(await asyncio.to_thread(rest_of, other))

        def is_all_on_show() -> bool:
            here = bench.memory.shell.surroundings
            everything = len(own) + N_BY_COMMAND_LINE
            counted = here.count(bench.memory.shell.place) if here else 0
            return len(bench.texts()) == counted == everything

        await bench.until(is_all_on_show, seconds=HANG_SECONDS)
        assert len(theirs) == N_BY_COMMAND_LINE
        assert {row.id for row in bench.window.page.rows} >= own | theirs
        assert are_interleaved(bench, own, theirs)
        assert messages == []

    drive(tmp_path, no_memories, write)


@pytest.mark.parametrize("is_heard", [True, False], ids=["heard", "on its way"])
def test_a_change_that_meets_the_closing_window_makes_no_trouble(
    is_heard: bool,  # noqa: FBT001  a parameter of the test
    tmp_path: Path,
) -> None:
    async def close_at_once(bench: WindowBench) -> None:
        await bench.until(lambda: bench.memory.shell.surroundings is not None)
        bench.bench.put("Written while the window closes.")
        if is_heard:
            QCoreApplication.sendPostedEvents()
        assert bench.texts() == []

    drive(tmp_path, no_memories, close_at_once)


def no_memories(_bench: Bench) -> None:
    """Leave the workspace empty."""


def are_interleaved(bench: WindowBench, own: set[str], theirs: set[str]) -> bool:
    """Whether each side wrote while the other did: else the test has shown nothing."""
    orders = []
    for ids in (own, theirs):
        entries = [bench.memory.list.entry(memory_id) for memory_id in ids]
        orders.append([entry.sequence for entry in entries if entry is not None])
    return max(map(min, orders)) < min(map(max, orders))
