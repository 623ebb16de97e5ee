"""A consolidation from plan to undo, on the real store and on the fake one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.background.cadence import BackgroundConfig, PruneMode
from inklings_desktop.domain.background.consolidation import ConsolidationPlan, ReviewReason
from inklings_desktop.domain.background.tasks import RunState, TaskRun
from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    ConflictError,
    DatabaseFullError,
    ScopeDeniedError,
    StoppedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import (
    AUTHOR,
    MERGED_SOURCE,
    Curator,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryKind,
    MemoryRef,
)
from inklings_desktop.settings import Settings
from inklings_desktop.usecases.consolidation.consolidation_plans import (
    Decision,
    Decisions,
    Verdict,
    target_of,
)
from inklings_desktop.usecases.consolidation.undo_consolidation import RunUndone
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.ports.store import Store
from inklings_desktop.usecases.ports.tasks import Consolidator
from tests.contracts.memory_steps import SCOPE
from tests.support.asking import asked_by
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    FixedClock,
    SeededIds,
    a_memory,
    a_person,
    an_agent,
)
from tests.support.fake_embedder import FakeEmbedder

PERSON = a_person()
CLOCK = Caller(CallerKind.CLOCK, "consolidation", Door.CLOCK)
KEEP_BEFORE = "inklings_desktop.usecases.consolidation.consolidation.keep_before"
LONG_AGO = NOON - timedelta(days=200)
SEA = "The queen fears the sea and tells nobody about it at court"
SEA_TOO = "The queen fears the sea and tells nobody about it at the court"
RULED = (
    "Orsa ruled the northern isles with her council for five long years until a storm broke every "
    "ship she owned upon Wend rocks"
)
RULED_SIX = RULED.replace("five", "six")


def a_fact(content: str, domain_id: str) -> MemoryEntry:
    note = a_memory(content, lifetime=Lifetime.LONG_TERM, created_at=LONG_AGO)
    return replace(note, kind=MemoryKind.FACT, domain_id=domain_id, topic="sea")


@dataclass
class Bench:
    """One store with everything a consolidation needs."""

    store: Store
    clock: FixedClock = field(default_factory=FixedClock)
    new_id: SeededIds = field(default_factory=SeededIds)
    embedder: FakeEmbedder = field(default_factory=lambda: FakeEmbedder(dimension=256))
    cap: int = 100
    prune: PruneMode = PruneMode.PRUNE

    def settings(self) -> Settings:
        return Settings(cap=self.cap, background=BackgroundConfig(prune=self.prune))

    @property
    def preview(self) -> Callable[..., ConsolidationPlan]:
        return self._verb("preview")

    @property
    def run(self) -> Callable[..., TaskRun]:
        return self._verb("run")

    @property
    def undo(self) -> Callable[..., RunUndone]:
        return self._verb("undo")

    def run_with(self, consolidator: Consolidator) -> TaskRun:
        """A run of the clock whose merged texts somebody else writes."""
        consolidation = asked_by(CLOCK, self).consolidation
        with patch.object(consolidation, "consolidator", lambda: consolidator):
            return consolidation.run(SCOPE)

    def _verb(self, name: str) -> Callable[..., Any]:
        """A verb that is told the caller first."""

        def asked(caller: Caller, *arguments: object, **named: object) -> object:
            return getattr(asked_by(caller, self).consolidation, name)(*arguments, **named)

        return asked

    def keep(self, *entries: MemoryEntry) -> tuple[MemoryEntry, ...]:
        """Store memories with their vectors."""
        with self.store.write(WORKSPACE_ID, initiator="test") as unit:
            stored = unit.memories.add(entries)
            matrix = self.embedder.embed([one.content for one in stored])
            unit.memories.put_vectors(
                self.embedder.model_id,
                [(one.id, one.content, row) for one, row in zip(stored, matrix, strict=True)],
            )
            unit.commit()
        return stored

    def now(self, *entries: MemoryEntry) -> list[MemoryEntry]:
        """These memories as they are."""
        with self.store.read(WORKSPACE_ID) as view:
            found = view.memories.get_many([one.id for one in entries])
        return [found[one.id] for one in entries]

    def active(self) -> list[MemoryEntry]:
        with self.store.read(WORKSPACE_ID) as view:
            return list(view.memories.active_of_conversation(SCOPE))

    def edit(self, entry: MemoryEntry, **changes: Any) -> MemoryEntry:
        with self.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            (before,) = unit.memories.get_many([entry.id]).values()
            saved = unit.memories.save(
                replace(before, **changes),
                expected_version=before.version,
                action=MemoryAction.EDITED,
                changed_by="Ada",
                door="window",
                changed_at=self.clock(),
            )
            unit.commit()
        return saved

    def kinds(self) -> list[EventKind]:
        with self.store.read(WORKSPACE_ID) as view:
            return [event.kind for event in reversed(view.events.latest(100))]

    def runs(self) -> tuple[TaskRun, ...]:
        return asked_by(PERSON, self).consolidation.list_runs(WORKSPACE_ID)


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store)


def contents(entries: Sequence[MemoryEntry]) -> list[str]:
    return [one.content for one in entries]


def test_what_is_there_is_kept_before_anything_is_forgotten_and_only_then(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    def keep(_shelf: object, _clock: object, workspace_id: str | None, _progress: Progress) -> None:
        assert workspace_id == WORKSPACE_ID
        seen.append(contents(bench.active()))

    monkeypatch.setattr(KEEP_BEFORE, keep)
    bench.keep(a_memory(SEA), a_memory(RULED))
    bench.run(PERSON, SCOPE)
    bench.keep(a_memory(SEA_TOO))
    before = contents(bench.active())

    bench.run(PERSON, SCOPE)
    bench.run(PERSON, SCOPE)

    assert seen == [before]
    assert len(bench.active()) == len(before) - 1


def test_a_run_whose_state_cannot_be_kept_forgets_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise DatabaseFullError(detail="no room")

    bench.keep(a_memory(SEA), a_memory(SEA_TOO))
    monkeypatch.setattr(KEEP_BEFORE, refuse)

    with pytest.raises(DatabaseFullError):
        bench.run(PERSON, SCOPE)

    assert len(bench.active()) == 2


def test_facts_are_neither_merged_nor_shown_nor_counted_as_the_caps(bench: Bench) -> None:
    """Two domains may say the same, and a note what a closed one holds: each says it for itself."""
    kept = bench.keep(
        *(a_fact(text, where) for where in ("canon", "secrets") for text in (SEA, SEA_TOO, RULED)),
        a_memory(SEA),
        a_memory(RULED_SIX),
    )
    assert bench.preview(PERSON, SCOPE).is_empty
    assert bench.preview(PERSON, SCOPE).review == ()
    bench.run(CLOCK, SCOPE)
    assert len(bench.active()) == len(kept)
    with bench.store.read(WORKSPACE_ID) as view:
        leaving = view.memories.least_relevant(SCOPE, len(kept), bench.settings().decay, NOON)
    assert {one.kind for one in leaving} == {MemoryKind.NOTE}


def test_a_preview_writes_nothing(bench: Bench) -> None:
    bench.keep(a_memory(SEA), a_memory(SEA_TOO), a_memory("Old", created_at=LONG_AGO))
    plan = bench.preview(PERSON, SCOPE)
    assert [contents(group.members) for group in plan.merge] == [[SEA_TOO, SEA]]
    assert contents(plan.prune) == ["Old"]
    assert len(bench.active()) == 3
    assert bench.runs() == ()
    assert bench.kinds() == []


def test_what_says_the_same_becomes_one_memory_that_inherits_from_both(bench: Bench) -> None:
    first, second = bench.keep(
        a_memory(SEA, importance=0.8, access_count=2, tags=("sea",), created_at=LONG_AGO,
                 lifetime=Lifetime.LONG_TERM),
        a_memory(SEA_TOO, importance=0.3, access_count=3, tags=("queen",),
                 curator=Curator.IMPORT),
    )  # fmt: skip
    run = bench.run(CLOCK, SCOPE)
    assert (run.state, dict(run.counts)) == (RunState.FINISHED, {"merged": 1, "parent": 2})
    (merged,) = bench.active()
    assert merged.content == SEA
    assert (merged.importance, merged.access_count) == (0.8, 5)
    assert (merged.curator, merged.source) == (Curator.IMPORT, "consolidation")
    assert (merged.created_at, merged.run_id) == (LONG_AGO, run.id)
    assert merged.embedding_model == "fake"
    for gone in bench.now(first, second):
        assert gone.forgotten_reason == "consolidated"
        assert (gone.successor_id, gone.run_id) == (merged.id, run.id)
    assert bench.kinds() == [EventKind.CONSOLIDATION_RUN]
    assert bench.runs() == (run,)
    with bench.store.read(WORKSPACE_ID) as view:
        state = view.tasks.state(target_of(SCOPE))
        assert state is not None
        assert state.next_due_at == NOON + timedelta(days=7)
        assert state.model_id == "fake"


class TickingClock(FixedClock):
    """Goes on by a second whenever it is asked."""

    def __call__(self) -> datetime:
        return self.advance(hours=1 / 3_600)


def test_a_run_and_its_mark_end_at_one_moment(bench: Bench) -> None:
    bench.clock = TickingClock()
    bench.keep(a_memory(SEA), a_memory(SEA_TOO))
    run = bench.run(CLOCK, SCOPE)
    with bench.store.read(WORKSPACE_ID) as view:
        state = view.tasks.state(target_of(SCOPE))
    assert state is not None
    # Were the mark later, the run would count as one before the last, which found nothing to do.
    assert state.last_run_at == run.ended_at


def test_promoted_pruned_and_capped_in_one_run(bench: Bench) -> None:
    bench.cap = 2
    promoted, old, weak, strong = bench.keep(
        a_memory("alpha", importance=0.6, access_count=4, accessed_at=NOON),
        a_memory("bravo", created_at=LONG_AGO),
        a_memory("charlie", importance=0.1),
        a_memory("delta", importance=0.9),
    )
    run = bench.run(CLOCK, SCOPE)
    assert dict(run.counts) == {"promoted": 1, "pruned": 1, "capped": 1}
    promoted, old, weak, strong = bench.now(promoted, old, weak, strong)
    assert promoted.lifetime is Lifetime.LONG_TERM
    assert (old.forgotten_reason, weak.forgotten_reason) == ("pruned", "cap")
    assert not strong.is_forgotten


def test_what_differs_waits_and_is_merged_only_when_a_person_says_so(bench: Bench) -> None:
    bench.keep(a_memory(RULED), a_memory(RULED_SIX))
    for _ in range(2):  # the second time from what the first one kept
        bench.run(CLOCK, SCOPE)
        plan = bench.preview(PERSON, SCOPE)
        assert plan.is_empty
        (group,) = plan.review
        assert group.reasons == (ReviewReason.DIFFERENT,)
    text = "Orsa ruled the northern isles for five years, six by the harbour's count."
    decisions = Decisions({group.key: Decision(Verdict.ACCEPT, text)})
    bench.run(PERSON, SCOPE, decisions=decisions)
    (merged,) = bench.active()
    assert (merged.content, merged.by) == (text, AUTHOR)


def keep_both(bench: Bench) -> None:
    """A person keeps both of every pair and group that a run would merge or asks about."""
    plan = bench.preview(PERSON, SCOPE)
    words = {one.key: Decision(Verdict.SKIP) for one in (*plan.merge, *plan.review)}
    bench.run(PERSON, SCOPE, decisions=Decisions(words))


def rewrite(bench: Bench, entry: MemoryEntry, content: str) -> None:
    """Edit and embed a memory."""
    edited = bench.edit(entry, content=content)
    with bench.store.write(WORKSPACE_ID, initiator="test") as unit:
        row = bench.embedder.embed([content])[0]
        unit.memories.put_vectors(bench.embedder.model_id, [(edited.id, content, row)])
        unit.commit()


@pytest.mark.parametrize("has_model", [True, False])
def test_what_says_the_same_and_is_kept_is_never_merged_unasked(
    bench: Bench, *, has_model: bool
) -> None:
    _, other = bench.keep(a_memory(SEA), a_memory(SEA_TOO))
    bench.embedder.is_available = has_model
    keep_both(bench)
    bench.edit(other, tags=("sea",))
    for _ in range(2):
        assert bench.preview(PERSON, SCOPE).merge == ()
        bench.run(CLOCK, SCOPE)
    assert len(bench.active()) == 2
    with bench.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.memories.add([a_memory(SEA.upper())])
        unit.commit()
    bench.run(CLOCK, SCOPE)
    assert len(bench.active()) == 3


def test_a_pair_of_which_both_are_kept_is_not_asked_about_until_one_says_something_else(
    bench: Bench,
) -> None:
    _, six = bench.keep(a_memory(RULED), a_memory(RULED_SIX))
    keep_both(bench)
    bench.edit(six, lifetime=Lifetime.LONG_TERM)
    rewrite(bench, six, RULED_SIX.upper())
    for model_id in ("fake", "other"):  # another model compares everything anew
        bench.embedder = FakeEmbedder(model_id=model_id, dimension=256)
        with bench.store.write(WORKSPACE_ID, initiator="test") as unit:
            for one in bench.active():
                row = bench.embedder.embed([one.content])[0]
                unit.memories.put_vectors(model_id, [(one.id, one.content, row)])
            unit.commit()
        assert bench.preview(PERSON, SCOPE).review == ()
        bench.run(CLOCK, SCOPE)
    rewrite(bench, six, RULED.replace("five", "seven"))
    assert len(bench.preview(PERSON, SCOPE).review) == 1


def test_an_answer_holds_for_the_memory_that_took_the_place_of_one(bench: Bench) -> None:
    bench.keep(a_memory(RULED), a_memory(RULED_SIX))
    keep_both(bench)
    bench.keep(a_memory(RULED.lower()))
    for _ in range(2):
        bench.run(CLOCK, SCOPE)
        assert len(bench.active()) == 2
        assert bench.preview(PERSON, SCOPE).review == ()


def test_an_answer_outlives_a_pause(bench: Bench) -> None:
    _, six = bench.keep(a_memory(RULED), a_memory(RULED_SIX))
    keep_both(bench)
    bench.edit(six, paused=True)
    bench.run(CLOCK, SCOPE)
    bench.edit(six, paused=False)
    assert bench.preview(PERSON, SCOPE).review == ()


def test_what_says_the_same_is_merged_without_a_model(bench: Bench) -> None:
    bench.keep(a_memory(SEA), a_memory(SEA_TOO), a_memory(RULED), a_memory(RULED_SIX))
    bench.embedder.is_available = False
    bench.run(CLOCK, SCOPE)
    assert sorted(contents(bench.active())) == sorted([SEA_TOO, RULED, RULED_SIX])


def test_what_faded_is_listed_and_stays_unless_pruning_was_chosen(bench: Bench) -> None:
    bench.prune = PruneMode.REVIEW
    (old,) = bench.keep(a_memory("Old", created_at=LONG_AGO))
    bench.run(CLOCK, SCOPE)
    (listed,) = bench.preview(PERSON, SCOPE).review_faded
    assert listed.entry.id == old.id
    assert listed.reasons == (ReviewReason.FADED,)
    assert len(bench.active()) == 1
    bench.run(PERSON, SCOPE, decisions=Decisions(forget=frozenset({old.id})))
    assert bench.active() == []


def test_a_group_nobody_decided_on_stays_and_waits(bench: Bench) -> None:
    bench.keep(a_memory(SEA), a_memory(SEA_TOO))
    bench.run(PERSON, SCOPE, decisions=Decisions())
    assert len(bench.active()) == 2
    assert len(bench.preview(PERSON, SCOPE).merge) == 1


def test_an_edit_in_between_wins(bench: Bench) -> None:
    first, second = bench.keep(a_memory(SEA), a_memory(SEA_TOO))

    class Meddling:
        def merged(self, members: Sequence[MemoryEntry]) -> str:
            bench.edit(second, content="The queen learned to swim")
            return members[0].content

    run = bench.run_with(Meddling())
    assert dict(run.counts) == {"passed_over": 1}
    assert contents(bench.now(first, second)) == [SEA, "The queen learned to swim"]
    assert len(bench.active()) == 2


def test_a_read_in_between_counts(bench: Bench) -> None:
    first, _ = bench.keep(a_memory(SEA), a_memory(SEA_TOO))

    class Reading:
        def merged(self, members: Sequence[MemoryEntry]) -> str:
            with bench.store.write(WORKSPACE_ID, initiator="agent") as unit:
                unit.memories.count_reads([first.id], NOON)
                unit.commit()
            return members[0].content

    bench.run_with(Reading())
    (merged,) = bench.active()
    assert merged.access_count == 1


def test_what_a_model_worded_is_signed_by_nobody(bench: Bench) -> None:
    first, second = bench.keep(a_memory(SEA), a_memory(SEA_TOO))

    class Wording:
        def merged(self, members: Sequence[MemoryEntry]) -> str:
            assert {one.id for one in members} == {first.id, second.id}
            return "At court nobody knows that the queen fears the sea"

    bench.run_with(Wording())
    (merged,) = bench.active()
    assert (merged.content, merged.written_by) == (
        "At court nobody knows that the queen fears the sea",
        MERGED_SOURCE,
    )


def test_a_large_run_stops_and_asks(bench: Bench) -> None:
    bench.keep(*(a_memory(f"old {n}", created_at=LONG_AGO) for n in range(20)))
    bench.embedder.is_available = False
    run = bench.run(CLOCK, SCOPE)
    assert (run.state, run.problem) == (RunState.STOPPED, "large")
    assert dict(run.counts) == {"forgetting": 20, "memories": 20}
    assert len(bench.active()) == 20
    agreed = bench.run(PERSON, SCOPE, allow_large=True)
    assert agreed.counts["pruned"] == 20
    assert bench.active() == []


def test_a_stopped_run_keeps_its_steps_and_the_next_one_goes_on(bench: Bench) -> None:
    bench.keep(
        a_memory(SEA), a_memory(SEA_TOO),
        a_memory("alpha", importance=0.6, access_count=4, accessed_at=NOON),
    )  # fmt: skip
    said: list[str] = []
    stop = Progress(lambda step, _done, _total: said.append(step), lambda: "merge" in said)
    with pytest.raises(StoppedError):
        bench.run(PERSON, SCOPE, progress=stop)
    (stopped,) = bench.runs()
    assert (stopped.state, stopped.problem) == (RunState.STOPPED, "cancelled")
    assert dict(stopped.counts) == {"promoted": 1, "merged": 1, "parent": 2}
    assert bench.run(PERSON, SCOPE).state is RunState.FINISHED
    assert len(bench.active()) == 2


def test_a_persons_answers_outlive_a_run_that_is_stopped(bench: Bench) -> None:
    bench.keep(
        a_memory(SEA), a_memory(SEA_TOO),
        a_memory("alpha", importance=0.6, access_count=4, accessed_at=NOON),
    )  # fmt: skip
    (group,) = bench.preview(PERSON, SCOPE).merge
    kept_apart = Decisions({group.key: Decision(Verdict.SKIP)})
    said: list[str] = []
    stop = Progress(lambda step, _done, _total: said.append(step), lambda: "promote" in said)
    with pytest.raises(StoppedError):
        bench.run(PERSON, SCOPE, decisions=kept_apart, progress=stop)
    bench.run(CLOCK, SCOPE)
    assert len(bench.active()) == 3


def test_two_never_run_at_once(bench: Bench) -> None:
    bench.keep(a_memory(SEA), a_memory(SEA_TOO))

    class Rival:
        def merged(self, members: Sequence[MemoryEntry]) -> str:
            with pytest.raises(AlreadyRunningError):
                bench.run(PERSON, SCOPE)
            with pytest.raises(AlreadyRunningError):
                bench.undo(PERSON, WORKSPACE_ID, bench.runs()[0].id)
            return members[0].content

    run = bench.run_with(Rival())
    assert run.state is RunState.FINISHED
    assert len(bench.runs()) == 1


def test_a_run_whose_lease_was_taken_over_does_nothing_more(bench: Bench) -> None:
    first, second = bench.keep(a_memory(SEA), a_memory(SEA_TOO))

    class Slow:
        def merged(self, members: Sequence[MemoryEntry]) -> str:
            bench.clock.advance(hours=1)
            with bench.store.write(WORKSPACE_ID, initiator="other") as unit:
                unit.tasks.hold(target_of(SCOPE).name, "other", bench.clock(), 60.0)
                unit.commit()
            return members[0].content

    with pytest.raises(AlreadyRunningError):
        bench.run_with(Slow())
    assert not any(one.is_forgotten for one in bench.now(first, second))


def test_agents_are_refused(bench: Bench) -> None:
    for verb in (bench.run, bench.preview):
        with pytest.raises(ScopeDeniedError):
            verb(an_agent(), SCOPE)
    with pytest.raises(ScopeDeniedError):
        bench.undo(an_agent(), WORKSPACE_ID, "0000")
    with pytest.raises(ScopeDeniedError):
        asked_by(an_agent(), bench).consolidation.family(MemoryRef(SCOPE, "x"))


# undo


def test_a_whole_run_is_taken_back(bench: Bench) -> None:
    before = bench.keep(
        a_memory(SEA, tags=("sea",)), a_memory(SEA_TOO), a_memory("bravo", created_at=LONG_AGO),
        a_memory("alpha", importance=0.6, access_count=4, accessed_at=NOON),
    )  # fmt: skip
    run = bench.run(CLOCK, SCOPE)
    undone = bench.undo(PERSON, WORKSPACE_ID, run.id[:8])
    assert (undone.n_restored, undone.n_demoted, undone.n_left) == (3, 1, 0)
    after = bench.now(*before)
    for one, other in zip(before, after, strict=True):
        assert (one.content, one.lifetime, one.importance, one.tags, one.access_count) == (
            other.content, other.lifetime, other.importance, other.tags, other.access_count,
        )  # fmt: skip
        assert not other.is_forgotten
        assert other.successor_id is None
    assert len(bench.active()) == 4
    assert bench.kinds() == [EventKind.CONSOLIDATION_RUN, EventKind.CONSOLIDATION_UNDONE]
    assert bench.runs()[0].state is RunState.UNDONE
    with pytest.raises(ConflictError):
        bench.undo(PERSON, WORKSPACE_ID, run.id)
    # What a person brought back is not taken again unasked.
    again = bench.preview(CLOCK, SCOPE)
    assert (again.merge, again.prune) == ((), ())
    assert again.review[0].reasons == (ReviewReason.RESTORED,)


def test_what_was_brought_back_and_forgotten_again_stays_forgotten(bench: Bench) -> None:
    (faded,) = bench.keep(a_memory("alpha", created_at=LONG_AGO))
    run = bench.run(CLOCK, SCOPE)
    asked_by(PERSON, bench).memories.restore([faded.ref])
    asked_by(PERSON, bench).memories.forget([faded.ref], reason="untrue")
    undone = bench.undo(PERSON, WORKSPACE_ID, run.id)
    assert (undone.n_restored, undone.n_left) == (0, 1)
    assert bench.now(faded)[0].forgotten_reason == "untrue"


def test_an_edited_merged_memory_survives_the_undo(bench: Bench) -> None:
    bench.keep(a_memory(SEA), a_memory(SEA_TOO))
    run = bench.run(CLOCK, SCOPE)
    (merged,) = bench.active()
    bench.edit(merged, content="Edited by the author")
    undone = bench.undo(PERSON, WORKSPACE_ID, run.id)
    assert (undone.n_restored, undone.n_left) == (2, 1)
    assert "Edited by the author" in contents(bench.active())
    assert len(bench.active()) == 3


def test_one_source_can_be_brought_back_and_the_family_shows_all(bench: Bench) -> None:
    first, second = bench.keep(a_memory(SEA), a_memory(SEA_TOO))
    bench.run(CLOCK, SCOPE)
    (merged,) = bench.active()
    for ref in (first.ref, merged.ref):
        tree = asked_by(PERSON, bench).consolidation.family(ref)
        assert tree.entry.id == merged.id
        assert [one.entry.id for one in tree.parents] == [first.id, second.id]
        assert all(one.parents == () for one in tree.parents)
    asked_by(PERSON, bench).memories.restore([first.ref])
    assert {one.id for one in bench.active()} == {merged.id, first.id}
    bench.run(CLOCK, SCOPE)
    assert {one.id for one in bench.active()} == {merged.id, first.id}


def test_vectors_of_another_model_are_never_compared(bench: Bench) -> None:
    bench.keep(a_memory(RULED), a_memory(RULED_SIX))
    bench.embedder = FakeEmbedder(model_id="other", dimension=256)
    assert bench.preview(PERSON, SCOPE).review == ()
    assert np.isfinite(bench.embedder.embed(["x"])).all()
