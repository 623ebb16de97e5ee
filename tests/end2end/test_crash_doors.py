"""Killed at any moment, no door loses what it said was saved, nor leaves anything that blocks."""

from __future__ import annotations

import random
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.rooms.workspace import Workspace
from tests.end2end.writing_door import READY
from tests.support.fake_embedder import FakeEmbedder
from tests.support.processes import line_of, started, tell
from tests.support.sqlite_store import integrity_faults
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.support.wide import mostly_wide

pytestmark = pytest.mark.end2end

DOORS = [("cli",), ("window",), ("cli", "window")]
KILLS, KILLS_ENDURANCE = 2, 200
LONGEST_LIFE_SECONDS = 0.25
NOTHING_BLOCKS_SECONDS = 2.0 * SLOWNESS
WHOLE_LIST = 100_000


@pytest.mark.requirement("survives-restart")
@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(
    "doors",
    mostly_wide(
        ((doors,) for doors in DOORS),
        every_day=lambda one: len(one[0]) == 2,
        ids=lambda one: " and ".join(one[0]),
    ),
)
def test_no_acknowledged_memory_is_lost_when_its_door_is_killed(
    doors: tuple[str, ...], tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(5)  # noqa: S311  it only chooses when to kill
    with open_inklings(tmp_path, embedder=FakeEmbedder()) as inklings:
        world = inklings.workspaces.create("Saltglass")
    acknowledged: set[str] = set()

    for number in range(reduced_or_full(KILLS, KILLS_ENDURANCE)):
        with ExitStack() as writers:
            running = [
                writers.enter_context(
                    started("tests.end2end.writing_door", str(tmp_path), world.id, door, "0")
                )
                for door in doors
            ]
            assert [line_of(writer) for writer in running] == [READY for _ in doors]
            for writer in running:
                tell(writer)
            acknowledged.update(line_of(writer) for writer in running)
            for writer in running:
                acknowledged.update(said_before_killed(writer, chance))

        files = [tmp_path / "agents.db", tmp_path / "workspaces" / world.id / "agents.db"]
        assert [integrity_faults(file) for file in files] == [[], []]
        assert acknowledged <= kept_after_reopening(tmp_path, world, f"Shore {number}")
    assert "" not in acknowledged
    assert len(acknowledged) > len(doors)


def said_before_killed(writer: subprocess.Popen[str], chance: random.Random) -> list[str]:
    """What it acknowledged in its short life."""
    assert writer.stdout is not None
    killing = threading.Timer(chance.uniform(0.0, LONGEST_LIFE_SECONDS), writer.kill)
    killing.start()
    said = writer.stdout.read()
    killing.join()
    return said.split("\n")[:-1]  # a line without an end was not said


def kept_after_reopening(root: Path, world: Workspace, name: str) -> set[str]:
    """Ids that are there; everything a person may do next goes through without waiting."""
    scope = ScopeKey.workspace(world.id)
    watch = Stopwatch()
    with open_inklings(root, workspace=world.id, embedder=FakeEmbedder()) as inklings:
        page = inklings.listing.browse([scope], limit=WHOLE_LIST)
        inklings.memories.put(MemoryDraft(scope, "Written after the fall."))
        inklings.memories.put(MemoryDraft(ScopeKey.account(), "Written after the fall."))
        inklings.workspaces.create(name)
        while inklings.tasks.embed(world.id):
            pass
        assert inklings.listing.facets([scope]).without_embedding == 0
    assert watch.seconds < NOTHING_BLOCKS_SECONDS
    return {entry.id for entry in page.entries}
