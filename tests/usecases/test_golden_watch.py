"""Golden questions around what may change their answers: kept, compared, recorded."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.background.golden import (
    GoldenCause,
    GoldenComparison,
    GoldenQuestion,
    GoldenRecord,
)
from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    InvalidValueError,
    ScopeDeniedError,
    StoppedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch, Watched, compared
from inklings_desktop.usecases.ports.progress import Progress
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_memory, a_person, an_agent, set_to, the_clock
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
COMPARED = "inklings_desktop.usecases.consolidation.golden_watch.compared"
HERE = [Watched(WORKSPACE_ID, SCOPE)]
PERSON = a_person()


@dataclass
class Seconds:
    """Seconds that go on by themselves with every look."""

    now: float = 0.0
    step: float = 0.0
    looks: int = field(default=0)

    def __call__(self) -> float:
        self.now += self.step
        self.looks += 1
        return self.now


def watch(
    world: World,
    caller: Caller = PERSON,
    *,
    monotonic: Callable[[], float] = time.monotonic,
    **changes: object,
) -> GoldenWatch:
    return GoldenWatch(asked_by(caller, world, **changes).parts, caller, monotonic)


def watched(world: World) -> Mapping[str, GoldenRecord]:
    return asked_by(PERSON, world).golden.watch(WORKSPACE_ID)


def saved(world: World, text: str, *must: MemoryEntry) -> GoldenQuestion:
    return asked_by(PERSON, world).golden.save(SCOPE, text, must=[one.id for one in must])


def forget(world: World, entry: MemoryEntry) -> None:
    world.rows("UPDATE memories SET forgotten_at = created_at WHERE id = ?", entry.id)


def bring_back(world: World, entry: MemoryEntry) -> None:
    world.rows("UPDATE memories SET forgotten_at = NULL WHERE id = ?", entry.id)


def records(world: World) -> list[GoldenRecord]:
    with world.store.read(WORKSPACE_ID) as view:
        return list(view.golden.records().values())


def the_record(world: World) -> GoldenRecord:
    (record,) = records(world)
    return record


@pytest.fixture
def gull(world: World) -> MemoryEntry:
    return world.keep(a_memory("A grey gull sits on the tower"))[0]


def test_a_question_that_breaks_says_after_what_and_stands_in_the_log(
    world: World, gull: MemoryEntry
) -> None:
    (queen,) = world.keep(a_memory("The grey queen fears the tower"))
    saved(world, "grey gull tower", gull)
    with watch(world, the_clock()).around(HERE, GoldenCause.CONSOLIDATION) as watching:
        assert the_record(world).is_right
        assert the_record(world).answer.ranks == {gull.id: 1}
        watching.run_id = "run"
        world.clock.advance(hours=1)
        forget(world, gull)
    (broken,) = watching.broken
    assert broken.missing == (gull.id,)
    record = the_record(world)
    assert (record.cause, record.since_cause, record.run_id) == (
        GoldenCause.CONSOLIDATION, GoldenCause.CONSOLIDATION, "run",
    )  # fmt: skip
    assert record.since == record.asked_at == world.clock()
    assert record.answer.instead == (queen.id,)
    event = world.events()[-1]
    assert (event.kind, event.tier, event.counts, event.marks) == (
        EventKind.GOLDEN_BROKEN, "workspace", {"questions": 1},
        {"after": "consolidation", "run": "run"},
    )  # fmt: skip


def test_a_state_that_lasts_keeps_its_beginning_and_is_told_once(
    world: World, gull: MemoryEntry
) -> None:
    saved(world, "grey gull tower", gull)
    watching = watch(world)
    watched(world)
    forget(world, gull)
    world.clock.advance(hours=1)
    broke_at = world.clock()
    watched(world)
    world.clock.advance(hours=1)
    with watching.around(HERE, GoldenCause.IMPORT) as later:
        pass
    assert later.broken == ()
    record = the_record(world)
    assert (record.since, record.since_cause, record.cause) == (
        broke_at, GoldenCause.REQUEST, GoldenCause.IMPORT,
    )  # fmt: skip
    assert world.kinds().count(EventKind.GOLDEN_BROKEN) == 1
    bring_back(world, gull)
    mended = watched(world)
    assert [one.is_right for one in mended.values()] == [True]
    assert the_record(world).since == world.clock()


def test_what_broke_before_is_not_put_down_to_what_follows(world: World, gull: MemoryEntry) -> None:
    saved(world, "grey gull tower", gull)
    watching = watch(world)
    watched(world)
    forget(world, gull)
    with watching.around(HERE, GoldenCause.CONSOLIDATION) as inside:
        pass
    assert inside.broken == ()
    assert the_record(world).since_cause is GoldenCause.MEANWHILE


def test_other_rates_are_asked_with_the_former_ones_first(world: World, gull: MemoryEntry) -> None:
    saved(world, "grey gull tower", gull)
    watched(world)
    asked_at = world.clock()
    world.clock.advance(hours=5)
    slow = watch(world, the_clock(), settings=set_to(decay=DecayConfig(workspace=0.5)))
    slow.settle(WORKSPACE_ID)
    record = the_record(world)
    assert (record.basis.rate, record.cause) == (0.5, GoldenCause.DECAY)
    assert (record.since, record.asked_at) == (asked_at, world.clock())
    world.clock.advance(hours=1)
    slow.settle(WORKSPACE_ID)
    assert the_record(world) == record


def test_after_a_change_of_the_model_questions_wait_for_the_last_vector(
    world: World, gull: MemoryEntry
) -> None:
    saved(world, "grey gull tower", gull)
    watching = watch(world, the_clock())
    backfill = asked_by(the_clock(), world).tasks.backfill
    backfill(WORKSPACE_ID)
    watching.before([Watched(WORKSPACE_ID)])
    former = the_record(world)
    world.embedder.model_id = "another"
    watching.settle(WORKSPACE_ID)
    assert the_record(world) == former
    with watching.around(HERE, GoldenCause.CONSOLIDATION):
        pass
    assert the_record(world).basis == former.basis
    backfill(WORKSPACE_ID)
    assert the_record(world).cause is GoldenCause.MODEL
    assert the_record(world).basis.model_id == "another"


def test_a_check_that_cannot_be_made_stops_nothing(
    world: World, gull: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(world, "grey gull tower", gull)

    def busy(*_arguments: object, **_named: object) -> None:
        raise DatabaseBusyError(None)

    monkeypatch.setattr(COMPARED, busy)
    watching = watch(world)
    with watching.around(HERE, GoldenCause.IMPORT) as inside:
        inside.run_id = "run"
    watching.before(HERE)
    assert inside.broken == ()
    with pytest.raises(InvalidValueError), watching.around(HERE, GoldenCause.IMPORT):
        raise InvalidValueError("run", "why")


def test_work_that_is_stopped_is_asked_about_for_half_a_second(
    world: World, gull: MemoryEntry
) -> None:
    for n in range(5):
        saved(world, f"grey gull tower {n}", gull)
    stop = threading.Event()
    progress = Progress(is_cancelled=stop.is_set)
    watching = watch(world, monotonic=Seconds(step=0.2))
    broken = []

    def work() -> None:
        with watching.around(HERE, GoldenCause.CONSOLIDATION, progress) as inside:
            broken.append(inside)
            stop.set()
            forget(world, gull)
            progress.require_wanted()

    with pytest.raises(StoppedError):
        work()
    assert [len(one.broken) for one in broken] == [2]
    with pytest.raises(StoppedError):
        work()
    assert len(broken) == 1  # it was stopped before it began


def test_asking_beside_other_work_ends_after_ten_seconds(world: World, gull: MemoryEntry) -> None:
    for n in range(5):
        saved(world, f"grey gull tower {n}", gull)
    with watch(world, monotonic=Seconds(step=4.0)).around(HERE, GoldenCause.IMPORT):
        assert len(records(world)) == 2
        forget(world, gull)
    assert [one.is_right for one in records(world)] == [False, False]


def test_without_a_model_questions_are_asked_by_words(world: World, gull: MemoryEntry) -> None:
    saved(world, "grey gull tower", gull)
    world.embedder.is_available = False
    (record,) = watched(world).values()
    assert record.is_right
    assert record.basis.model_id == ""


def test_agents_ask_no_golden_question(world: World) -> None:
    golden = asked_by(an_agent(), world).golden
    for ask in (golden.watch, golden.records):
        with pytest.raises(ScopeDeniedError):
            ask(WORKSPACE_ID)
    with (
        pytest.raises(ScopeDeniedError),
        watch(world, an_agent()).around(HERE, GoldenCause.IMPORT),
    ):
        pass


def test_a_question_that_is_changed_while_it_is_asked_keeps_no_answer(
    world: World, gull: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = saved(world, "grey gull tower", gull)

    def changing(*arguments: Any, **named: Any) -> GoldenComparison:
        answers = compared(*arguments, **named)
        asked_by(PERSON, world).golden.save(
            SCOPE, "grey tower", must=[gull.id], question_id=question.id
        )
        return answers

    monkeypatch.setattr(COMPARED, changing)
    assert watched(world) == {}
