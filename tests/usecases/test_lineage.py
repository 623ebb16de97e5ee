"""Where a merged memory comes from, over the real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
from tests.support.builders import an_agent
from tests.ui.presenter_bench import Bench
from tests.ui.review_bench import FADED, PROVED, SMELL, a_tidy_bench, tidy_world


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with a_tidy_bench(tmp_path) as one:
        yield one


def merged(bench: Bench) -> MemoryEntry:
    inklings = bench.inklings
    page = inklings.listing.browse([bench.scope], limit=100)
    return next(one for one in page.entries if one.source == "consolidation")


def test_sources_are_shown_with_those_that_were_brought_back(bench: Bench) -> None:
    known = tidy_world(bench)
    inklings = bench.inklings
    inklings.consolidation.run(bench.scope)
    made = merged(bench)
    source = known[SMELL[1]]
    lineage = inklings.consolidation.lineage(source.ref)
    assert lineage.merged_into is not None
    assert lineage.merged_into.id == made.id
    assert lineage.made_from == ()
    inklings.memories.restore([source.ref])
    tree = inklings.consolidation.lineage(made.ref)
    assert [one.entry.content for one in tree.made_from] == list(SMELL)
    assert [one.entry.is_forgotten for one in tree.made_from] == [True, False, True]
    assert inklings.consolidation.lineage(source.ref).merged_into is None


def test_nobody_but_the_person_and_the_clock_may_look(bench: Bench) -> None:
    known = tidy_world(bench)
    entry = known[SMELL[0]]
    with pytest.raises(ScopeDeniedError):
        bench.inklings.as_caller(an_agent()).consolidation.lineage(entry.ref)
    with pytest.raises(NotFoundError):
        bench.inklings.consolidation.lineage(MemoryRef(bench.scope, "no-such"))
    with pytest.raises(ScopeDeniedError):
        bench.inklings.as_caller(an_agent()).consolidation.show_run(bench.workspace.id, "some")


def test_a_run_is_shown_memory_by_memory(bench: Bench) -> None:
    tidy_world(bench)
    inklings = bench.inklings
    run = inklings.consolidation.run(bench.scope)
    details = inklings.consolidation.show_run(bench.workspace.id, run.id)
    assert details.run.state is RunState.FINISHED
    (one,) = details.merged
    assert one.merged.id == merged(bench).id
    assert {source.content for source in one.sources} == set(SMELL)
    assert {entry.content for entry in details.pruned} == set(FADED)
    assert [entry.content for entry in details.promoted] == [PROVED]
    assert (details.capped, details.n_more) == ((), 0)
    with pytest.raises(NotFoundError):
        inklings.consolidation.show_run(bench.workspace.id, "no-such-run")
