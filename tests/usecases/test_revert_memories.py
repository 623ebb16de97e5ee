"""Memories go from one of their versions to another, as they stood there, all or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.errors import (
    CapReachedError,
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN, MemoryMark
from inklings_desktop.domain.memory import ForgottenAs, Lifetime, MemoryEntry, MemoryPatch, ScopeKey
from inklings_desktop.usecases.memories.values import Edit, Reversion
from tests.support.builders import WORKSPACE_ID, a_draft, a_person, an_agent
from tests.support.wide import examples
from tests.usecases.world import World, a_world

PERSON = a_person()
AGENT = an_agent()


def row(entry: MemoryEntry) -> MemoryEntry:
    """All of it but what every save moves on, and when it was said to be still true."""
    is_forgotten = None if entry.forgotten_at is None else entry.created_at
    return replace(entry, version=0, edited_at=None, confirmed_at=None, forgotten_at=is_forgotten)


ACTS = st.one_of(
    st.builds(MemoryPatch, content=st.sampled_from(["One.", "Two.", "Three."])),
    st.builds(MemoryPatch, tags=st.sampled_from([(), ("sea",), ("sea", "salt")])),
    st.builds(MemoryPatch, importance=st.sampled_from([0.1, 0.5, 0.9])),
    st.builds(MemoryPatch, lifetime=st.sampled_from([Lifetime.LONG_TERM, Lifetime.SHORT_TERM])),
    st.tuples(st.sampled_from(list(MemoryMark)), st.booleans()),
    st.sampled_from(["forget", "restore", "still true", "wrong book"]),
)


def carry_out(world: World, entry: MemoryEntry, act: object) -> None:
    """Do something that a person can do to a memory as it is now."""
    if act == "restore":
        world.person.memories.restore([entry.ref])
    elif act == "still true":
        if not entry.is_forgotten:
            world.person.memories.confirm([entry.ref])
    elif isinstance(act, str):
        world.person.memories.forget([entry.ref], reason="" if act == "forget" else act)
    elif not entry.is_forgotten and isinstance(act, MemoryPatch):
        world.person.memories.edit_each([Edit(entry.ref, act, entry.version)])
    elif not entry.is_forgotten and isinstance(act, tuple):
        world.person.memories.mark([entry.ref], act[0], on=act[1])


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(acts=st.lists(st.tuples(st.booleans(), ACTS), max_size=12), by_agent=st.booleans())
def test_any_sequence_of_acts_all_taken_back_leaves_equal_rows(
    kept_roots: Path,
    tmp_path_factory: pytest.TempPathFactory,
    acts: list[tuple[bool, object]],
    *,
    by_agent: bool,
) -> None:
    with a_world(kept_roots, tmp_path_factory.mktemp("world") / "data") as world:
        agent_or_person = AGENT if by_agent else PERSON
        put = [
            world.asked_by(agent_or_person).memories.put(a_draft(text))
            for text in ("First.", "Second.")
        ]
        rows = [[row(world.stored(one.id)) for one in put]]
        steps: list[Reversion] = []
        for first, act in acts:
            before = world.stored(put[0 if first else 1].id)
            carry_out(world, before, act)
            after = world.stored(before.id)
            if after.version != before.version and act != "still true":
                gone = before if before.is_forgotten else after
                how = ForgottenAs(gone.forgotten_reason, gone.successor_id)
                steps.append(Reversion(before.ref, after.version, before.version, how))
                rows.append([row(world.stored(one.id)) for one in put])
        for step, expected in zip(reversed(steps), reversed(rows[:-1]), strict=True):
            world.person.memories.revert([step])
            assert [row(world.stored(one.id)) for one in put] == expected
        for step, expected in zip(steps, rows[1:], strict=True):
            world.person.memories.revert([replace(step, held=step.to, to=step.held)])
            assert [row(world.stored(one.id)) for one in put] == expected


def test_what_was_written_is_taken_back_as_forgotten(world: World) -> None:
    entry = world.person.memories.put(a_draft())
    (gone,) = world.person.memories.revert([Reversion(entry.ref, 1, NOT_WRITTEN)])
    assert (gone.is_forgotten, gone.forgotten_reason) == (True, None)
    (back,) = world.person.memories.revert([Reversion(entry.ref, NOT_WRITTEN, 1)])
    assert row(back) == row(entry)


def test_what_was_restored_is_forgotten_as_it_was(world: World) -> None:
    one, two = world.person.memories.put(a_draft("One")), world.person.memories.put(a_draft("Two"))
    refs = [one.ref, two.ref]
    world.person.memories.forget(refs)
    world.person.memories.restore(refs)
    how = ForgottenAs("merged", "its-successor")
    wanted = [Reversion(one.ref, 3, 2, how), Reversion(two.ref, 3, 2)]
    first, second = world.person.memories.revert(wanted)
    assert (first.forgotten_reason, first.successor_id) == ("merged", "its-successor")
    assert (second.forgotten_reason, second.successor_id) == (None, None)


def test_a_text_goes_back_to_who_wrote_it(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft())
    world.person.memories.update(entry.ref, MemoryPatch(content="Mine."), expected_version=1)
    (back,) = world.person.memories.revert([Reversion(entry.ref, 2, 1)])
    assert back.written_by == entry.written_by


def test_what_stands_otherwise_by_now_stays_with_all_the_others(world: World) -> None:
    here = world.person.memories.put(a_draft("Here"))
    mine = world.person.memories.put(a_draft("Mine", scope=ScopeKey.account()))
    refs = [here.ref, mine.ref]
    for ref in refs:
        world.person.memories.update(ref, MemoryPatch(importance=0.9), expected_version=1)
    world.person.memories.update(mine.ref, MemoryPatch(tags=("sea",)), expected_version=2)
    with pytest.raises(ConflictError):
        world.person.memories.revert([Reversion(ref, 2, 1) for ref in refs])
    assert world.stored(here.id).importance == 0.9
    world.person.memories.update(mine.ref, MemoryPatch(tags=()), expected_version=3)
    done = world.person.memories.revert([Reversion(ref, 2, 1) for ref in refs])
    assert {one.importance for one in done} == {here.importance}, "it stands again as it was held"


def test_a_version_that_nobody_knows_is_not_there(world: World) -> None:
    entry = world.person.memories.put(a_draft())
    with pytest.raises(NotFoundError):
        world.person.memories.revert([Reversion(entry.ref, 1, 7)])


def test_only_the_person_reverts_and_only_what_is_named(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft())
    with pytest.raises(ScopeDeniedError):
        world.asked_by(AGENT).memories.revert([Reversion(entry.ref, 1, NOT_WRITTEN)])
    with pytest.raises(InvalidValueError):
        world.person.memories.revert([])


def test_a_full_scope_takes_nothing_back(world: World) -> None:
    entry = world.person.memories.put(a_draft("One"))
    world.person.memories.forget([entry.ref])
    world.cap = 1
    world.person.memories.put(a_draft("Two"))
    with pytest.raises(CapReachedError):
        world.person.memories.revert([Reversion(entry.ref, 2, 1)])


def test_the_log_says_what_became_of_many(world: World) -> None:
    put = [world.person.memories.put(a_draft(text)) for text in ("One", "Two")]
    world.person.memories.forget([one.ref for one in put])
    world.person.memories.revert([Reversion(one.ref, 2, 1) for one in put])
    world.person.memories.revert([Reversion(one.ref, 1, 2) for one in put])
    assert world.kinds() == [
        EventKind.MEMORY_FORGOTTEN,
        EventKind.MEMORY_RESTORED,
        EventKind.MEMORY_FORGOTTEN,
    ]
    assert {one.scope.workspace_id for one in put} == {WORKSPACE_ID}
