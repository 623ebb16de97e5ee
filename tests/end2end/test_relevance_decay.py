"""Scenario ``relevance-decay``, end to end; and what a clock that jumps may not do."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.ports.store import Embedder
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import FixedClock, an_agent, prune_unasked
from tests.support.fake_embedder import FakeEmbedder

NOTE = "The innkeeper mentioned that it might rain on market day."
ARC = "The arc of the second book: Elarinde returns what her father stole."
QUESTION = "What should happen next in the story?"
DAYS_PER_YEAR = 365.25


@pytest.mark.requirement("relevance-decay")
@pytest.mark.parametrize("embedder", [FakeEmbedder(), NullEmbedder("none")], ids=["model", "words"])
def test_a_faded_note_is_forgotten_and_the_arc_stays(tmp_path: Path, embedder: Embedder) -> None:
    clock = FixedClock()
    prune_unasked(tmp_path)
    with open_inklings(tmp_path, clock=clock, embedder=embedder) as inklings:
        world = inklings.workspaces.create("A")
        scope = ScopeKey.workspace(world.id)
        agent = an_agent(workspace_id=world.id)
        note = inklings.as_caller(agent).memories.put(
            MemoryDraft(scope, NOTE, importance=0.1, lifetime=Lifetime.SHORT_TERM)
        )
        arc = inklings.as_caller(agent).memories.put(
            MemoryDraft(scope, ARC, importance=0.9, lifetime=Lifetime.LONG_TERM)
        )
        for n in range(5):
            inklings.as_caller(agent).memories.put(
                MemoryDraft(scope, f"Filler {n}", lifetime=Lifetime.LONG_TERM)
            )
        clock.advance(days=19)
        assert inklings.consolidation.preview(scope).prune == ()
        clock.advance(days=2)
        rates = inklings.settings.decay
        assert relevance_of(note, rates, clock()) == pytest.approx(0.0080, abs=5e-5)
        before = inklings.listing.count(world.id).of(scope)
        run = inklings.consolidation.run(scope)
        assert inklings.listing.count(world.id).of(scope) == before - 1
        gone = inklings.listing.show(note.ref).entry
        assert (gone.run_id, gone.forgotten_reason) == (run.id, "pruned")
        room = inklings.conversations.start(world.id)
        request = OrientationRequest(world.id, room.id, QUESTION)
        said = inklings.orientation.orient(request).markdown
        assert ARC in said
        assert NOTE not in said
        hits = inklings.as_caller(agent).search.find([scope], SearchRequest("innkeeper rain")).hits
        assert note.id not in {hit.entry.id for hit in hits}
        inklings.memories.restore([note.ref])
        assert not inklings.listing.show(note.ref).entry.is_forgotten
        inklings.consolidation.run(scope)  # what a person brought back stays
        assert not inklings.listing.show(note.ref).entry.is_forgotten
        assert arc.id
        with inklings.parts.store.read(world.id) as view:
            kinds = [event.kind for event in view.events.latest(100)]
        assert EventKind.CONSOLIDATION_RUN in kinds


@pytest.mark.parametrize("embedder", [FakeEmbedder(), NullEmbedder("none")], ids=["model", "words"])
def test_unrelated_turns_raise_no_relevance_and_promote_nothing(
    tmp_path: Path, embedder: Embedder
) -> None:
    clock = FixedClock()
    with open_inklings(tmp_path, clock=clock, embedder=embedder) as inklings:
        world = inklings.workspaces.create("A")
        scope = ScopeKey.workspace(world.id)
        agent = an_agent(workspace_id=world.id)
        *trivia, asked_for = (
            inklings.as_caller(agent).memories.put(
                MemoryDraft(scope, text, importance=0.3, lifetime=Lifetime.SHORT_TERM)
            )
            for text in (*(f"Stall {n} sells what it has." for n in range(20)), "A cracked bell.")
        )
        for turn in range(50):
            question = f"Turn {turn}: what does the king of Wend say about his crown?"
            told = inklings.as_caller(agent).orientation.orient(
                OrientationRequest(world.id, query=question)
            )
            assert len(told.sent) > 10
        inklings.as_caller(agent).orientation.orient(
            OrientationRequest(world.id, query="Which bell cracks?")
        )
        inklings.consolidation.run(scope)
        for one in trivia:
            entry = inklings.listing.show(one.ref).entry
            assert (entry.access_count, entry.accessed_at) == (0, None)
            assert entry.lifetime is Lifetime.SHORT_TERM
        assert inklings.listing.show(asked_for.ref).entry.access_count == 1


@pytest.mark.parametrize(
    "jump",
    [
        timedelta(days=-10 * DAYS_PER_YEAR),
        timedelta(days=100 * DAYS_PER_YEAR),
        timedelta(hours=1),
        timedelta(hours=-1),
        timedelta(days=-56 * DAYS_PER_YEAR),
    ],
    ids=["back 10 years", "forward 100 years", "DST on", "DST off", "1970"],
)
def test_a_clock_that_jumps_forgets_nothing_and_keeps_every_order(
    tmp_path: Path, jump: timedelta
) -> None:
    clock = FixedClock()
    prune_unasked(tmp_path)
    with open_inklings(tmp_path, clock=clock, embedder=FakeEmbedder()) as inklings:
        world = inklings.workspaces.create("A")
        scope = ScopeKey.workspace(world.id)
        agent = an_agent(workspace_id=world.id)
        for n in range(30):
            inklings.as_caller(agent).memories.put(
                MemoryDraft(scope, f"Number {n} of these", importance=(n + 1) / 31)
            )
        clock.now += jump
        for target_scope in (scope, ScopeKey.account()):
            run = inklings.consolidation.run(target_scope)
            assert run.counts.get("pruned", 0) == 0
        inklings.conversations.forget_closed(world.id)
        assert inklings.listing.count(world.id).of(scope) == 30
        page = inklings.listing.browse([scope], sort=MemorySort.RELEVANCE)
        figures = [relevance_of(one, inklings.settings.decay, clock()) for one in page.entries]
        assert all(0.0 <= one <= 1.0 for one in figures)
        assert figures == sorted(figures, reverse=True)
        later = inklings.as_caller(agent).memories.put(MemoryDraft(scope, "Written after the jump"))
        assert later.sequence > max(one.sequence for one in page.entries)
        assert inklings.memories.restore([later.ref]) == ()
