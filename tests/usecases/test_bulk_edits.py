"""Marks, edits of many, copies and the preview of a replacement."""

from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.memory_history import MemoryMark, has_mark
from inklings_desktop.domain.memories.text_replacement import ReplacementWish
from inklings_desktop.domain.memory import (
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryDraft,
    MemoryEntry,
    MemoryPatch,
    MemoryRef,
    ScopeKey,
)
from inklings_desktop.usecases.memories.values import Edit
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    a_draft,
    a_memory,
    a_person,
    an_agent,
    the_clock,
)
from tests.usecases.world import World

PERSON = a_person()
AGENT = an_agent()
SCOPE = ScopeKey.workspace(WORKSPACE_ID)


def seen(*entries: MemoryEntry) -> dict[str, int]:
    return {entry.id: entry.version for entry in entries}


# marks


@pytest.mark.parametrize("mark", MemoryMark)
def test_a_mark_is_set_lifted_and_remembered(world: World, mark: MemoryMark) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft())
    (marked,) = world.person.memories.mark([entry.ref], mark, on=True)
    assert has_mark(marked, mark)
    assert world.stored(entry.id) == marked
    assert world.person.memories.mark([entry.ref], mark, on=True) == ()
    (lifted,) = world.person.memories.mark([entry.ref], mark, on=False)
    assert not has_mark(lifted, mark)
    actions = [one.action.value for one in world.person.listing.show(entry.ref).history]
    assert len(actions) == 2
    assert actions[1] == mark.value


def test_a_paused_memory_is_never_found_until_it_is_resumed(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft("The harbour of Wend"))
    world.person.memories.mark([entry.ref], MemoryMark.PAUSED, on=True)
    assert world.asked_by(AGENT).search.find([SCOPE], SearchRequest("harbour")).hits == ()
    assert [one.id for one in world.person.listing.browse([SCOPE]).entries] == [entry.id]
    assert world.asked_by(AGENT).listing.browse([SCOPE]).entries == ()
    world.person.memories.mark([entry.ref], MemoryMark.PAUSED, on=False)
    assert len(world.asked_by(AGENT).search.find([SCOPE], SearchRequest("harbour")).hits) == 1


def test_a_pinned_memory_does_not_decay(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft(importance=0.6))
    (pinned,) = world.person.memories.mark([entry.ref], MemoryMark.PINNED, on=True)
    assert relevance_of(pinned, world.decay, NOON + timedelta(days=365)) == pytest.approx(0.6)


def test_only_a_person_sets_marks(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft())
    for caller in (AGENT, the_clock()):
        with pytest.raises(ScopeDeniedError):
            world.asked_by(caller).memories.mark([entry.ref], MemoryMark.LOCKED, on=True)
    assert not world.stored(entry.id).locked


def test_marks_of_several_are_one_transaction(world: World) -> None:
    first, second = (
        world.asked_by(AGENT).memories.put(a_draft(text)) for text in ("One word", "Another one")
    )
    world.person.memories.forget([second.ref])
    with pytest.raises(NotFoundError):
        world.person.memories.mark([first.ref, second.ref], MemoryMark.PINNED, on=True)
    assert not world.stored(first.id).pinned


# expected versions


def test_a_bulk_change_stops_at_a_newer_version_and_changes_nothing(world: World) -> None:
    first, second = (
        world.asked_by(AGENT).memories.put(a_draft(text)) for text in ("One word", "Another one")
    )
    expected = seen(first, second)
    world.asked_by(AGENT).memories.update(
        second.ref, MemoryPatch(importance=0.9), expected_version=1
    )
    refs = [first.ref, second.ref]
    with pytest.raises(ConflictError) as conflict:
        world.person.memories.change(refs, add_tags=["x"], expected=expected)
    assert (conflict.value.key, conflict.value.actual) == (second.id, 2)
    with pytest.raises(ConflictError):
        world.person.memories.forget(refs, expected=expected)
    with pytest.raises(ConflictError):
        world.person.memories.mark(refs, MemoryMark.PINNED, on=True, expected=expected)
    assert world.stored(first.id) == first


def test_restoring_many_stops_at_a_newer_version(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft())
    (gone,) = world.person.memories.forget([entry.ref])
    with pytest.raises(ConflictError):
        world.person.memories.restore([entry.ref], expected=seen(entry))
    (back,) = world.person.memories.restore([entry.ref], expected=seen(gone))
    assert not back.is_forgotten


# each its own edit


def test_each_memory_gets_its_own_change_and_one_event(world: World) -> None:
    first, second = (
        world.person.memories.put(a_draft(text)) for text in ("One word", "Another one")
    )
    done = world.person.memories.edit_each(
        [
            Edit(first.ref, MemoryPatch(content="First"), 1),
            Edit(second.ref, MemoryPatch(tags=("kept",), importance=0.25), 1),
        ],
    )
    assert [one.id for one in done] == [first.id, second.id]
    assert world.stored(first.id).content == "First"
    assert (world.stored(second.id).tags, world.stored(second.id).importance) == (("kept",), 0.25)
    assert world.kinds() == [EventKind.MEMORY_EDITED]


def test_edits_are_all_or_none(world: World) -> None:
    first, second = (
        world.person.memories.put(a_draft(text)) for text in ("One word", "Another one")
    )
    edits = [
        Edit(first.ref, MemoryPatch(content="First"), 1),
        Edit(second.ref, MemoryPatch(content="Second"), 7),
    ]
    with pytest.raises(ConflictError):
        world.person.memories.edit_each(edits)
    assert world.stored(first.id) == first
    with pytest.raises(InvalidValueError):
        world.person.memories.edit_each([])
    with pytest.raises(ScopeDeniedError):
        world.asked_by(AGENT).memories.edit_each(edits[:1])


# copies


def test_a_copy_within_one_file_refers_to_its_original(world: World) -> None:
    scope = ScopeKey.channel(WORKSPACE_ID, world.general.id)
    entry = world.asked_by(AGENT).memories.put(
        a_draft("Gulls keep accounts", tags=("gulls",), importance=0.8)
    )
    made = world.person.memories.copy(entry.ref, scope)
    assert (made.scope, made.content, made.tags, made.importance) == (
        scope, "Gulls keep accounts", ("gulls",), 0.8,
    )  # fmt: skip
    assert made.derived_from == (Derivation(entry.id, "memory"),)
    assert (made.curator, made.locked, made.id != entry.id) == (Curator.AUTHOR, True, True)
    assert world.stored(entry.id) == entry


def test_a_copy_into_the_account_keeps_no_link(world: World) -> None:
    draft = MemoryDraft(SCOPE, "Short chapters", derived_from=(Derivation("Style", "p1"),))
    entry = world.asked_by(AGENT).memories.put(draft)
    made = world.person.memories.copy(entry.ref, ScopeKey.account())
    assert (made.derived_from, made.source_conversation) == ((), None)
    back = world.person.memories.copy(made.ref, ScopeKey.channel(WORKSPACE_ID, world.general.id))
    assert back.derived_from == ()


def test_a_copy_of_what_is_private_is_private(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(a_draft("Nerys lies", private_to=AGENT.name))
    made = world.person.memories.copy(entry.ref, ScopeKey.channel(WORKSPACE_ID, world.general.id))
    assert made.agent_id == AGENT.name


def test_a_copy_of_what_is_said_there_already_adds_nothing(world: World) -> None:
    entry = world.asked_by(AGENT).memories.put(MemoryDraft(SCOPE, "Short chapters"))
    (there,) = world.keep(a_memory("Short chapters.", scope=ScopeKey.account()))
    outcome = world.person.memories.copy_outcome(entry.ref, ScopeKey.account())
    assert (outcome.memory.id, outcome.was_known) == (there.id, True)
    assert len(world.active(ScopeKey.account())) == 1


def test_what_belonged_to_a_conversation_becomes_long_term(world: World) -> None:
    conversation = world.person.conversations.start(WORKSPACE_ID, title="Tolls")
    scope = ScopeKey.conversation(WORKSPACE_ID, conversation.id)
    entry = world.person.memories.put(a_draft("A working thought", scope=scope))
    assert world.person.memories.copy(entry.ref, SCOPE).lifetime is Lifetime.LONG_TERM
    kept = world.person.memories.put(a_draft("For good", lifetime=Lifetime.LONG_TERM))
    assert world.person.memories.copy(kept.ref, scope).lifetime is Lifetime.CONVERSATION


def test_what_cannot_be_copied_is_refused(world: World) -> None:
    entry = world.person.memories.put(a_draft())
    with pytest.raises(InvalidValueError):
        world.person.memories.copy(entry.ref, SCOPE)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(AGENT).memories.copy(entry.ref, ScopeKey.account())
    world.person.memories.forget([entry.ref])
    with pytest.raises(NotFoundError):
        world.person.memories.copy(entry.ref, ScopeKey.account())


# replacing, and what agents wrote


def test_a_preview_writes_nothing_and_leaves_out_what_is_gone(world: World) -> None:
    kept = world.person.memories.put(a_draft("Wend at night"))
    gone = world.person.memories.put(a_draft("Wend by day"))
    world.person.memories.forget([gone.ref])
    nowhere = MemoryRef(SCOPE, "no-such-memory")
    before = world.everything()
    plan = world.person.memories.preview_replacement(
        [kept.ref, gone.ref, nowhere], ReplacementWish("Wend", "Wende")
    )
    assert [one.after for one in plan.changes] == ["Wende at night"]
    assert plan.n_looked_at == 1
    assert world.everything() == before
    with pytest.raises(ScopeDeniedError):
        world.asked_by(AGENT).memories.preview_replacement([kept.ref], ReplacementWish("Wend"))


def test_what_agents_wrote_since_an_instant_is_a_filter(world: World) -> None:
    world.asked_by(AGENT).memories.put(a_draft("Long ago"))
    world.clock.now = NOON + timedelta(hours=2)
    recent = world.asked_by(AGENT).memories.put(a_draft("Just now"))
    world.person.memories.put(a_draft("My own"))
    where = MemoryFilter(
        curators=frozenset({Curator.AGENT}), written_since=NOON + timedelta(hours=1)
    )
    assert [one.id for one in world.person.listing.browse([SCOPE], where=where).entries] == [
        recent.id
    ]
    assert where.selects_by_value
    assert MemoryFilter(written_since=NOON).selects_by_value


def test_every_action_of_a_mark_is_one_of_the_history() -> None:
    assert {mark.value for mark in MemoryMark} <= {action.value for action in MemoryAction}


def test_a_forgotten_memory_takes_no_change_of_many(world: World) -> None:
    kept, gone = (
        world.asked_by(AGENT).memories.put(a_draft("kept")),
        world.asked_by(AGENT).memories.put(a_draft("gone")),
    )
    world.person.memories.forget([gone.ref])
    with pytest.raises(NotFoundError):
        world.person.memories.change([kept.ref, gone.ref], add_tags=["atlas"])
    assert world.stored(kept.id) == kept
