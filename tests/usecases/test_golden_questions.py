from __future__ import annotations

import pytest

from inklings_desktop.domain.background.consolidation import ConsolidationPlan, MergeGroup
from inklings_desktop.domain.background.golden import GoldenQuestion, judged
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_memory, a_person, an_agent, the_clock
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()


@pytest.fixture
def gull(world: World) -> MemoryEntry:
    return world.keep(a_memory("A grey gull sits on the tower"))[0]


@pytest.fixture
def queen(world: World) -> MemoryEntry:
    return world.keep(a_memory("The queen fears the sea"))[0]


def test_a_question_is_kept_changed_listed_and_deleted(world: World, gull: MemoryEntry) -> None:
    kept = asked_by(PERSON, world).golden.save(SCOPE, "  Who sits on the tower? ", must=[gull.id])
    assert (kept.question, kept.must, kept.must_not) == ("Who sits on the tower?", (gull.id,), ())
    changed = asked_by(PERSON, world).golden.save(SCOPE, "Where is the gull?", must=[gull.id],
                           question_id=kept.id)  # fmt: skip
    assert asked_by(the_clock(), world).golden.list(WORKSPACE_ID) == (changed,)
    assert (
        asked_by(PERSON, world).golden.list(WORKSPACE_ID, ScopeKey.channel(WORKSPACE_ID, "c")) == ()
    )
    asked_by(PERSON, world).golden.delete(changed)
    assert asked_by(PERSON, world).golden.list(WORKSPACE_ID) == ()
    with pytest.raises(NotFoundError):
        asked_by(PERSON, world).golden.delete(changed)


@pytest.mark.parametrize(
    ("question", "must", "must_not", "rule"),
    [
        (" \u200b ", ["m"], [], "empty"),
        ("x" * 501, ["m"], [], "too_long"),
        ("What?", [], [], "expects_nothing"),
        ("What?", ["m"], ["m"], "contradicts_itself"),
        ("What?", [str(n) for n in range(33)], [], "expects_too_much"),
    ],
)
def test_a_question_that_asks_nothing_is_refused(
    world: World, question: str, must: list[str], must_not: list[str], rule: str
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        asked_by(PERSON, world).golden.save(SCOPE, question, must=must, must_not=must_not)
    assert caught.value.rule == rule


def test_only_the_person_keeps_questions_and_only_about_memories_of_the_scope(
    world: World, gull: MemoryEntry
) -> None:
    for caller in (an_agent(), the_clock()):
        with pytest.raises(ScopeDeniedError):
            asked_by(caller, world).golden.save(SCOPE, "Where?", must=[gull.id])
    with pytest.raises(ScopeDeniedError):
        asked_by(an_agent(), world).golden.ask(WORKSPACE_ID)
    elsewhere = ScopeKey.channel(WORKSPACE_ID, world.general.id)
    for scope, id_ in ((elsewhere, gull.id), (SCOPE, "nothing")):
        with pytest.raises(NotFoundError):
            asked_by(PERSON, world).golden.save(scope, "Where?", must=[id_])
    with pytest.raises(NotFoundError):
        asked_by(PERSON, world).golden.save(SCOPE, "Where?", must=[gull.id], question_id="nothing")


def test_answers_say_what_is_missing_and_what_is_unwanted(
    world: World, gull: MemoryEntry, queen: MemoryEntry
) -> None:
    right = asked_by(PERSON, world).golden.save(SCOPE, "grey gull tower", must=[gull.id])
    wrong = asked_by(PERSON, world).golden.save(
        SCOPE, "queen sea", must=[gull.id], must_not=[queen.id]
    )
    first, second = asked_by(PERSON, world).golden.ask(WORKSPACE_ID)
    assert (first.question, first.is_right) == (right, True)
    assert (second.question, second.missing, second.unwanted) == (wrong, (gull.id,), (queen.id,))
    assert world.stored(gull.id).access_count == 0


def test_a_plan_shows_which_questions_it_would_break(
    world: World, gull: MemoryEntry, queen: MemoryEntry
) -> None:
    asked_by(PERSON, world).golden.save(SCOPE, "grey gull tower", must=[gull.id])
    merged = asked_by(PERSON, world).golden.save(SCOPE, "queen sea", must=[queen.id])
    plan = ConsolidationPlan(
        SCOPE, NOON, 2, prune=(gull,), merge=(MergeGroup("merged", (queen,), 0.97),)
    )
    compared = asked_by(PERSON, world).golden.under_plan(plan)
    assert [one.is_right for one in compared.before] == [True, True]
    assert [one.question.question for one in compared.would_break] == ["grey gull tower"]
    assert compared.after[1].question == merged
    assert compared.after[1].is_right


def test_a_memory_that_was_merged_away_is_found_in_the_one_it_lives_on_in(world: World) -> None:
    source, merged = world.keep(a_memory("A grey gull"), a_memory("A grey gull, merged"))
    asked_by(PERSON, world).golden.save(SCOPE, "grey gull", must=[source.id])
    world.rows(
        "UPDATE memories SET forgotten_at = created_at, successor_id = ? WHERE id = ?",
        *(merged.id, source.id),
    )
    (answer,) = asked_by(PERSON, world).golden.ask(WORKSPACE_ID)
    assert answer.is_right


def test_only_the_first_ten_hits_count() -> None:
    question = GoldenQuestion("q", SCOPE, "Where?", ("m10",), ("m0",), NOON)
    hits = [f"m{n}" for n in range(12)]
    assert judged(question, hits).missing == ("m10",)
    assert judged(question, hits, gone={"m0"}).is_right
