"""The review over a real store: what is decided is what happens, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.background.consolidation import ReviewReason
from inklings_desktop.domain.background.tasks import CANCELLED, RunState, TaskRun
from inklings_desktop.domain.memory import Lifetime, MemoryEntry, MemoryPatch, ScopeKey
from inklings_desktop.ui.consolidation.review_process import ReviewProcess
from inklings_desktop.ui.consolidation.review_state import (
    Choice,
    ItemKind,
    ReviewItem,
    ReviewState,
    ReviewStep,
)
from inklings_desktop.ui.consolidation.review_words import (
    choice_badge,
    choice_sentence,
    plan_headline,
)
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.words.consolidation_words import run_headline, run_sentence
from inklings_desktop.usecases.consolidation.consolidation_plans import Verdict
from inklings_desktop.usecases.ports.progress import Progress
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench, Heard, run_with_background
from tests.ui.process_bench import without_window
from tests.ui.review_bench import (
    FADED,
    FLOOD,
    MOON,
    OTHERS,
    PROVED,
    SMELL,
    a_tidy_bench,
    tidy_world,
)

pytestmark = pytest.mark.usefixtures("qapp")


def tidied(root: Path, scene: Callable[[Bench, Background], Awaitable[None]]) -> None:
    """The stage: a store in which a plan finds something of each kind."""
    with a_tidy_bench(root) as bench:
        run_with_background(partial(scene, bench))


async def planned(background: Background, bench: Bench) -> ReviewProcess:
    """A review that has read its plan."""
    context, owner, _said = without_window(background, bench.inklings)
    review = ReviewProcess(context, owner)
    await review.read_plan(bench.scope)
    await review._asking.settled()
    return review


def item(state: ReviewState, kind: ItemKind, text: str) -> ReviewItem:
    return next(
        one
        for one in state.items
        if one.kind is kind and any(member.content == text for member in one.members)
    )


def texts(bench: Bench) -> set[str]:
    inklings = bench.inklings
    page = inklings.listing.browse([bench.scope], limit=100)
    return {one.content for one in page.entries}


def stored(bench: Bench, entry: MemoryEntry) -> MemoryEntry:
    return bench.inklings.listing.show(entry.ref).entry


@scene(tidied)
async def test_the_plan_is_shown_with_numbers_and_nothing_is_changed(
    bench: Bench, background: Background, /
) -> None:
    tidy_world(bench)
    before = texts(bench)
    review = await planned(background, bench)
    state = review.state
    assert state.step is ReviewStep.PLAN
    assert state.plan is not None
    assert plan_headline(state.plan) == "3 merged into 1, 2 forgotten, 1 kept for longer"
    waiting = {one.reasons for one in state.items if one.kind is ItemKind.WAITING}
    assert waiting == {
        (ReviewReason.DIFFERENT,),
        (ReviewReason.DIFFERENT, ReviewReason.AUTHOR),
    }
    assert (state.n_undecided, state.n_apart) == (0, 2)
    assert item(state, ItemKind.PROMOTE, PROVED).choice is Choice.ACCEPT
    review.close()
    assert texts(bench) == before
    assert bench.inklings.consolidation.list_runs(bench.workspace.id)[0].target.scope is None


@scene(tidied)
async def test_a_promotion_can_be_left_out_like_everything_else(
    bench: Bench, background: Background, /
) -> None:
    known = tidy_world(bench)
    review = await planned(background, bench)
    promoted = item(review.state, ItemKind.PROMOTE, PROVED)
    before = review.state.n_changes
    review.decide(promoted.key, Choice.SKIP)
    left_out = item(review.state, ItemKind.PROMOTE, PROVED)
    assert choice_badge(left_out) == ("short-term", "graphite")
    assert choice_sentence(left_out) == "It stays short-term this time."
    assert review.state.n_changes == before - 1
    assert review.state.decisions.keep >= {known[PROVED].id}
    await review.apply()
    assert review.state.run is not None
    assert "promoted" not in review.state.run.counts
    assert stored(bench, known[PROVED]).lifetime is Lifetime.SHORT_TERM


@scene(tidied)
async def test_what_goes_because_of_the_cap_can_be_kept_one_by_one(
    bench: Bench, background: Background, /
) -> None:
    bench.inklings.preferences.save({"memory.cap": 4})
    texts_of = [f"Memory {word} stands alone" for word in ("gull", "rope", "salt", "tide", "bell")]
    made = [a_memory(text, scope=bench.scope, created_at=bench.inklings.clock())
            for text in texts_of]  # fmt: skip
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(made)
        unit.commit()
    review = await planned(background, bench)
    (above,) = [one for one in review.state.items if one.kind is ItemKind.CAP]
    assert choice_badge(above) == ("forget", "graphite")
    review.decide(above.key, Choice.SKIP)
    (kept,) = [one for one in review.state.items if one.kind is ItemKind.CAP]
    assert choice_badge(kept) == ("keep", "accent")
    assert choice_sentence(kept).startswith("It stays this time, above the cap.")
    assert review.state.n_changes == 0
    review.decide(above.key, Choice.ACCEPT)
    await review.apply()
    assert review.state.run is not None
    assert review.state.run.counts == {"capped": 1}
    assert len(texts(bench)) == 4


@scene(tidied)
async def test_a_review_of_channels_goes_from_room_to_room(
    bench: Bench, background: Background, /
) -> None:
    inklings = bench.inklings
    rooms = {
        name: inklings.channels.create(bench.workspace.id, name) for name in ("map-room", "harbour")
    }
    scopes = {name: ScopeKey.channel(bench.workspace.id, room.id) for name, room in rooms.items()}
    for name, text in (("map-room", FADED[0]), ("harbour", FADED[1])):
        faded = a_memory(text, scope=scopes[name], lifetime=Lifetime.SHORT_TERM,
                         created_at=inklings.clock() - timedelta(days=70))  # fmt: skip
        with inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
            unit.memories.add([faded])
            unit.commit()
    review = await planned(background, bench)
    await review.read_plan(scopes["map-room"])
    await review._asking.settled()
    state = review.state
    assert state.place == "#map-room"
    assert {one.name for one in state.rooms} == {"#general", "#map-room", "#harbour"}
    assert [one.members[0].content for one in state.items] == [FADED[0]]
    review.decide(state.items[0].key, Choice.SKIP)
    review.choose_room(rooms["harbour"].id)
    await until(lambda: review.state.place == "#harbour" and bool(review.state.items))
    assert review.state.scope == scopes["harbour"]
    assert [one.members[0].content for one in review.state.items] == [FADED[1]]
    assert [one.choice for one in review.state.items] == [Choice.ACCEPT]
    review.choose_room(rooms["harbour"].id)  # the room that is on show already
    assert review.state.step is ReviewStep.PLAN
    await review.apply()
    assert review.state.run is not None
    assert review.state.run.target.scope == scopes["harbour"]
    page = inklings.listing.browse(list(scopes.values()), limit=100)
    assert [one.content for one in page.entries] == [FADED[0]]


@scene(tidied)
async def test_another_room_drops_no_merged_text_unasked(
    bench: Bench, background: Background, /
) -> None:
    tidy_world(bench)
    inklings = bench.inklings
    other = inklings.channels.create(bench.workspace.id, "other")
    asked: list[str] = []
    review = await planned(background, bench)

    async def stay(title: str, *_: object, **__: object) -> bool:
        asked.append(title)
        return False

    review.ask = stay  # type: ignore[method-assign]
    group = next(one for one in review.state.items if one.is_group)
    review.write(group.key, "In my own words.")
    review.choose_room(other.id)
    await until(lambda: bool(asked))
    found = review.state.item(group.key)
    assert found is not None
    assert found.text == "In my own words."


@scene(tidied)
async def test_every_decision_is_handed_on_exactly(bench: Bench, background: Background, /) -> None:
    tidy_world(bench)
    review = await planned(background, bench)
    state = review.state
    merge = item(state, ItemKind.MERGE, SMELL[0])
    numbers = item(state, ItemKind.WAITING, FLOOD[0])
    author = item(state, ItemKind.WAITING, MOON[0])
    pruned = item(state, ItemKind.PRUNE, FADED[0])
    review.write(merge.key, "Smell first.")
    assert numbers.choice is Choice.SKIP  # what is alike is kept, both of it
    review.decide(pruned.key, Choice.SKIP)
    review.decide(author.key, Choice.ACCEPT)
    review.decide(author.key, Choice.LATER)
    decisions = review.state.decisions
    assert {key: (one.verdict, one.text) for key, one in decisions.groups.items()} == {
        merge.key: (Verdict.ACCEPT, "Smell first."),
        numbers.key: (Verdict.SKIP, None),
    }
    assert decisions.keep == {pruned.members[0].id}
    assert decisions.forget == frozenset()
    await review.apply()
    run = review.state.run
    assert run is not None
    assert (run.state, run.trigger) == (RunState.FINISHED, "review")
    assert run_headline(run) == "3 merged into 1, 1 forgotten, 1 kept for longer"
    assert texts(bench) == {"Smell first.", *FLOOD, *MOON, FADED[0], PROVED, *OTHERS}
    found = bench.inklings.consolidation.preview(bench.scope)
    assert [one.reasons for one in found.review] == [(ReviewReason.DIFFERENT, ReviewReason.AUTHOR)]


@scene(tidied)
async def test_a_run_can_be_taken_back_from_its_result(
    bench: Bench, background: Background, /
) -> None:
    tidy_world(bench)
    before = texts(bench)
    review = await planned(background, bench)
    applied = Heard().to(review.changed)
    await review.apply()
    assert texts(bench) != before
    await review.undo()
    undone = review.state.undone
    assert undone is not None
    assert (undone.n_restored, undone.n_demoted, undone.n_left) == (5, 1, 0)
    assert [one.state for one in applied.payloads] == [RunState.FINISHED, RunState.UNDONE]
    await review.undo()
    assert review.state.undone is undone
    assert texts(bench) == before


@scene(tidied)
async def test_an_edit_meanwhile_wins_and_the_new_plan_is_shown_first(
    bench: Bench, background: Background, /
) -> None:
    known = tidy_world(bench)
    inklings = bench.inklings
    review = await planned(background, bench)
    merge = item(review.state, ItemKind.MERGE, SMELL[0])
    numbers = item(review.state, ItemKind.WAITING, FLOOD[0])
    review.write(merge.key, "Smell first.")
    review.decide(numbers.key, Choice.SKIP)
    entry = known[SMELL[2]]
    inklings.memories.update(
        entry.ref, MemoryPatch(importance=0.9), expected_version=stored(bench, entry).version
    )
    await review.apply()
    state = review.state
    assert state.step is ReviewStep.PLAN
    assert state.notice is not None
    assert state.notice.title == "Memory changed since the plan was made."
    again = item(state, ItemKind.MERGE, SMELL[0])
    assert again.key != merge.key
    assert (again.choice, again.text) == (Choice.LATER, "Smell first.")
    assert item(state, ItemKind.WAITING, FLOOD[0]).choice is Choice.SKIP
    assert len(texts(bench)) == 14


@scene(tidied)
async def test_golden_questions_follow_every_decision(
    bench: Bench, background: Background, /
) -> None:
    known = tidy_world(bench)
    bench.inklings.golden.save(bench.scope, "Is gull-clerk hyphenated?", must=[known[FADED[0]].id])
    review = await planned(background, bench)
    golden = review.state.golden
    assert golden is not None
    assert len(golden.would_break) == 1
    review.decide(item(review.state, ItemKind.PRUNE, FADED[0]).key, Choice.SKIP)
    assert review.state.is_asking
    await review._asking.settled()
    assert review.state.golden is not None
    assert review.state.golden.would_break == ()
    await review.apply()
    await review._asking.settled()
    assert review.state.golden.would_break == ()


@scene(tidied)
async def test_a_large_run_waits_until_the_person_agrees(
    bench: Bench, background: Background, /
) -> None:
    tidy_world(bench)
    inklings = bench.inklings
    sample = next(one for one in bench.inklings.consolidation.preview(
        bench.scope).prune)  # fmt: skip
    with inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(
            [
                a_memory(f"Note {n}.", scope=bench.scope, created_at=sample.created_at)
                for n in range(20)
            ]
        )
        unit.commit()
    review = await planned(background, bench)
    assert review.state.is_large
    assert not review.state.can_apply
    await review.apply()
    assert review.state.step is ReviewStep.PLAN
    review.agree(agreed=True)
    await review.apply()
    assert review.state.run is not None
    assert review.state.run.counts["pruned"] == 22


@scene(tidied)
async def test_what_waits_because_of_a_long_silence_is_kept_even_in_a_large_run(
    bench: Bench, background: Background, /
) -> None:
    """The plan of an agreed run would prune it unasked: it has to be named as one to keep."""
    tidy_world(bench)
    review = await planned(background, bench)
    prune = item(review.state, ItemKind.PRUNE, FADED[0])
    waiting = replace(prune, kind=ItemKind.WAITING_FADED, choice=Choice.LATER)
    state = replace(review.state, items=(waiting,))
    assert state.decisions.keep == {prune.members[0].id}
    accepted = replace(state, items=(replace(waiting, choice=Choice.ACCEPT),))
    assert accepted.decisions.keep == frozenset()
    assert accepted.decisions.forget == {prune.members[0].id}


class StoppedByHand:
    """The use case, with a hand that stops it once something was forgotten."""

    def __init__(self, inner: Callable[..., TaskRun]) -> None:
        self._inner = inner
        self.review: ReviewProcess | None = None

    def __call__(self, *args: Any, progress: Progress, **values: Any) -> TaskRun:
        def report(step: str, done: int, total: int) -> None:
            progress.report(step, done, total)
            if step == "prune" and done and self.review is not None:
                self.review._stop.set()

        return self._inner(*args, progress=Progress(report, progress.is_cancelled), **values)


@scene(tidied)
async def test_stopping_keeps_what_is_finished_and_says_so(
    bench: Bench, background: Background, /
) -> None:
    tidy_world(bench)
    hand = StoppedByHand(bench.inklings.consolidation.run)
    stopped = replace(bench, inklings=stood_in(bench.inklings, {"consolidation.run": hand}))
    review = await planned(background, stopped)
    hand.review = review
    await review.apply()
    run = review.state.run
    assert review.state.step is ReviewStep.RESULT
    assert run is not None
    assert (run.state, run.problem) == (RunState.STOPPED, CANCELLED)
    assert run_sentence(run) == "Stopped. What was finished stays."
    assert texts(bench) >= set(SMELL)
    assert not texts(bench) & set(FADED)


@scene(tidied)
async def test_a_merged_text_that_cannot_be_remembered_stands_in_the_way(
    bench: Bench, background: Background, /
) -> None:
    tidy_world(bench)
    review = await planned(background, bench)
    merge = item(review.state, ItemKind.MERGE, SMELL[0])
    review.write(merge.key, "  ")
    assert not review.state.can_apply
    assert review.state.has_bad_text
    await review.apply()
    assert review.state.step is ReviewStep.PLAN
    review.write(merge.key, merge.proposed)
    assert review.state.item(merge.key) == merge
    assert review.state.can_apply


@scene(tidied)
async def test_closing_in_the_middle_of_a_run_stops_it_after_the_group_under_way(
    bench: Bench, background: Background, /
) -> None:
    tidy_world(bench)
    begun = asyncio.Event()
    hand = StoppedByHand(bench.inklings.consolidation.run)
    played = replace(bench, inklings=stood_in(bench.inklings, {"consolidation.run": hand}))
    review = await planned(background, played)

    def on_state(state: ReviewState) -> None:
        if state.step is ReviewStep.APPLYING:
            begun.set()

    review.state_changed.connect(on_state)
    background.spawn(review.apply())
    await begun.wait()
    await background.close()
    assert review._stop.is_set()
    left = texts(bench) & set(SMELL)
    assert left in (set(), set(SMELL))
