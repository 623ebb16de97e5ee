"""Reading never needs a write: a full disk costs no answer, and the count waits."""

from __future__ import annotations

from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.steps.recording import CountReads
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_memory, an_agent
from tests.support.full_disk import FullDisk
from tests.usecases.test_browse_memories import SCOPE
from tests.usecases.world import World


def test_a_full_disk_costs_no_answer_and_the_counts_wait(world: World) -> None:
    world.keep(a_memory("the dragon sleeps", memory_id="d"))
    disk = FullDisk(world.store)
    count = CountReads(disk)
    asked = asked_by(an_agent(), world, count_reads=count)

    assert asked.search.find([SCOPE], SearchRequest("dragon")).hits
    assert asked.search.read(SCOPE).memories
    assert asked.orientation.orient(OrientationRequest(WORKSPACE_ID, query="dragon")).matched
    assert world.stored("d").access_count == 0

    disk.is_full = False
    assert asked.search.find([SCOPE], SearchRequest("dragon")).hits
    assert world.stored("d").access_count == 4
