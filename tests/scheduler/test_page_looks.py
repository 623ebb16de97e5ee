"""The clock looks at the author's folders: at the start, now and then, and when told."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.background.tasks import world_of
from inklings_desktop.domain.world.finding import WorldQuery
from tests.scheduler.clock_bench import ClockBench
from tests.support.builders import WORKSPACE_ID
from tests.support.page_files import PageFiles

if TYPE_CHECKING:
    from pathlib import Path

    from tests.usecases.world import World

LOOKED = ("world_index", "finished")


@pytest.fixture
def files(world: World, tmp_path: Path) -> PageFiles:
    """A linked folder with one page that nobody has read yet."""
    files = PageFiles()
    files.put("River.md", "# The river\n\nIt smells of peat.\n")
    world.adapters = SimpleNamespace(
        world_files=files, world_indexes=world.databases.worlds, key=world.databases.key
    )
    (tmp_path / "vault").mkdir()
    world.person.world.link(WORKSPACE_ID, tmp_path / "vault")
    return files


@pytest.fixture
def bench(world: World, files: PageFiles) -> ClockBench:
    return ClockBench(world)


def looks(bench: ClockBench) -> list[str]:
    """Why each look was made, since this was asked last."""
    return [reason for kind, what, reason in bench.told() if (kind, what) == LOOKED]


def n_found(bench: ClockBench, text: str) -> int:
    return len(bench.world.person.world.search(WORKSPACE_ID, WorldQuery(text)).hits)


def test_pages_are_read_soon_after_the_start_and_looked_at_every_half_minute(
    bench: ClockBench, files: PageFiles
) -> None:
    bench.clockwork.run_due()
    assert looks(bench) == []
    bench.pass_time(minutes=2 / 60)
    bench.clockwork.run_due()
    assert looks(bench) == ["start"]
    assert n_found(bench, "peat") == 1
    files.put("New.md", "# New\n\nA cormorant.\n")
    bench.pass_time(minutes=6 / 60)
    bench.clockwork.run_due()  # what was changed a moment ago is looked at once more
    assert looks(bench) == ["interval"]
    bench.pass_time(minutes=6 / 60)
    bench.clockwork.run_due()
    assert looks(bench) == ["interval"]
    bench.pass_time(minutes=29 / 60)
    bench.clockwork.run_due()
    assert looks(bench) == []
    bench.pass_time(minutes=1 / 60)
    bench.clockwork.run_due()
    assert looks(bench) == ["interval"]
    assert bench.runs() == []


def test_a_hint_brings_a_look_at_once(bench: ClockBench, files: PageFiles) -> None:
    bench.pass_time(minutes=1)
    bench.clockwork.run_due()
    looks(bench)
    files.put("New.md", "# New\n\nA cormorant.\n")
    bench.clockwork.note_event(world_of(WORKSPACE_ID))
    bench.clockwork.run_due()
    assert looks(bench) == ["event"]
    assert n_found(bench, "cormorant") == 1


def test_folders_are_watched_while_the_clock_runs(bench: ClockBench, files: PageFiles) -> None:
    looked = threading.Semaphore(0)
    bench.clockwork.on_state = lambda _status: looked.release()
    bench.pass_time(minutes=1)
    thread = threading.Thread(target=bench.clockwork.loop)
    thread.start()
    try:
        while n_found(bench, "peat") == 0 or not files.hints:
            assert looked.acquire(timeout=60)
            bench.clockwork.begin()
        files.put("New.md", "# New\n\nA cormorant.\n")
        files.hints[0](bench.world.person.world.folders(WORKSPACE_ID)[0].folder.id)
        while n_found(bench, "cormorant") == 0:
            assert looked.acquire(timeout=60)
    finally:
        bench.clockwork.close(drain_seconds=0.0)
        thread.join()
    assert files.hints == []


def test_an_unlinked_folder_is_not_looked_at(bench: ClockBench, files: PageFiles) -> None:
    bench.pass_time(minutes=1)
    bench.clockwork.run_due()
    bench.world.person.world.unlink(WORKSPACE_ID, "vault")
    for changes in bench.world.publisher.published:
        bench.clockwork.on_changes(changes)
    looks(bench)
    bench.pass_time(minutes=5)
    bench.clockwork.run_due()
    assert looks(bench) == []
