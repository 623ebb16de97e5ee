"""Facts: stated once, replaced by an act, never removed by a contradiction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.errors import (
    CapReachedError,
    ConflictError,
    DomainDeniedError,
    HeldForReviewError,
    InvalidValueError,
    NotFoundError,
    SourcesMissingError,
    SupersededError,
)
from inklings_desktop.domain.knowledge.domains import Domain, Permission, Role
from inklings_desktop.domain.knowledge.facts import SUPERSEDED, FactState, StoryInterval
from inklings_desktop.domain.likeness.differences import Difference
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import CAP_REASON
from inklings_desktop.domain.memories.text_replacement import ReplacementWish
from inklings_desktop.domain.memory import ForgottenAs, MemoryDraft, MemoryPatch, ScopeKey, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.knowledge.facts import Facts
from inklings_desktop.usecases.knowledge.values import (
    FactDraft,
    FactPatch,
    FactQuery,
    FactSearch,
)
from inklings_desktop.usecases.memories.values import Edit, Reversion
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_person, set_to
from tests.support.sqlite_store import SqliteWorld, sqlite_world

WORLD = ScopeKey.workspace(WORKSPACE_ID)
CANON = Domain("d-canon", "Canon", "", False, "Ada", "person", NOON)
SECRETS = Domain("d-secrets", "Secrets", "", True, "Ada", "person", NOON)
LEFT, RIGHT = "Nerys is left-handed.", "Nerys is right-handed."


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SqliteWorld]:
    with sqlite_world(tmp_path) as made:
        with made.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.knowledge.save_domain(CANON)
            unit.knowledge.save_domain(SECRETS)
            unit.knowledge.save_role(Role("scribe", NOON))
            unit.knowledge.put_grant("scribe", CANON.id, Permission.WRITE)
            unit.commit()
        yield made


@pytest.fixture
def facts(world: SqliteWorld) -> Facts:
    return world.person.facts


def a_fact(content: str = LEFT, topic: str = "Nerys/hand", **more: object) -> FactDraft:
    return FactDraft("Canon", topic, content, **more)  # type: ignore[arg-type]


def scribe(world: SqliteWorld, role: str = "scribe") -> Caller:
    """An agent that may read and write the workspace tier, under a role."""
    with world.store.read(WORKSPACE_ID) as view:
        gate = view.knowledge.gates([role])[role]
    rights = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})
    grants = (Grant(Tier.WORKSPACE, WORKSPACE_ID, rights),)
    return Caller(CallerKind.AGENT, "scribe", Door.MCP, grants, gate=gate)


def agents(world: SqliteWorld, role: str = "scribe") -> Facts:
    return world.asked_by(scribe(world, role)).facts


def listed(facts: Facts, **query: object) -> list[str]:
    found = facts.list(WORKSPACE_ID, FactQuery(**query)).facts  # type: ignore[arg-type]
    return [one.fact.memory.content for one in found]


def test_an_authors_fact_is_sure_locked_and_belongs_to_its_domain(facts: Facts) -> None:
    fact = facts.put(WORKSPACE_ID, a_fact()).fact
    assert (fact.domain, fact.details.confidence, fact.memory.locked) == ("Canon", 1.0, True)
    assert fact.memory.scope == WORLD
    assert facts.show(fact.memory.ref).state is FactState.CURRENT


def test_the_same_said_again_is_known_and_as_sure_as_the_surer(facts: Facts) -> None:
    first = facts.put(WORKSPACE_ID, a_fact(confidence=0.5)).fact
    again = facts.put(WORKSPACE_ID, a_fact("nerys is LEFT-handed", confidence=0.8))
    assert again.was_known
    assert (again.fact.memory.id, again.fact.details.confidence) == (first.memory.id, 0.8)
    assert len(listed(facts)) == 1


def test_the_same_under_another_topic_is_another_fact(facts: Facts) -> None:
    facts.put(WORKSPACE_ID, a_fact())
    assert not facts.put(WORKSPACE_ID, a_fact(topic="Nerys/body")).was_known
    assert len(listed(facts)) == 2


def test_what_disagrees_is_named_and_both_stay(facts: Facts) -> None:
    left = facts.put(WORKSPACE_ID, a_fact()).fact.memory
    right = facts.put(WORKSPACE_ID, a_fact(RIGHT))
    assert [one.memory.id for one in right.conflicts] == [left.id]
    assert {facts.show(one).state for one in (left.ref, right.fact.memory.ref)} == {
        FactState.DISAGREES
    }
    [pair] = facts.disagreements(WORKSPACE_ID)
    assert pair.difference is Difference.OPPOSITES
    assert listed(facts, states=frozenset({FactState.DISAGREES})) == [RIGHT, LEFT]


def test_what_is_said_of_other_chapters_does_not_disagree(facts: Facts) -> None:
    facts.put(WORKSPACE_ID, a_fact(story=StoryInterval(None, 8)))
    later = facts.put(WORKSPACE_ID, a_fact(RIGHT, story=StoryInterval(8)))
    assert (later.conflicts, facts.disagreements(WORKSPACE_ID)) == ((), ())
    facts.edit(later.fact.memory.ref, FactPatch(story=StoryInterval(7)), expected_version=1)
    assert len(facts.disagreements(WORKSPACE_ID)) == 1


@pytest.mark.parametrize("holds", [0, 1], ids=["the earlier one", "the later one"])
def test_one_of_two_that_disagree_is_let_hold(holds: int, facts: Facts) -> None:
    pair = [facts.put(WORKSPACE_ID, a_fact(text)).fact.memory for text in (LEFT, RIGHT)]
    right = facts.settle(pair[holds].ref, pair[1 - holds].ref)
    assert listed(facts) == [right.memory.content] == [pair[holds].content]
    assert facts.disagreements(WORKSPACE_ID) == ()


def test_a_fact_whose_place_was_taken_is_in_its_chain_and_in_no_search(
    world: SqliteWorld, facts: Facts
) -> None:
    old = facts.put(WORKSPACE_ID, a_fact()).fact.memory
    new = facts.supersede(old.ref, RIGHT, reason="chapter 9")
    assert listed(facts) == [RIGHT]
    assert listed(facts, with_superseded=True) == [RIGHT, LEFT]
    assert [one.state for one in facts.chain(new.memory.ref)] == [
        FactState.SUPERSEDED,
        FactState.CURRENT,
    ]
    assert facts.show(new.memory.ref).n_replaced == 1
    by_words = SearchRequest("nerys handed", SearchMode.KEYWORD)
    found = world.person.search.find([WORLD], by_words).hits
    assert [one.entry.content for one in found] == [RIGHT]
    wanted = FactSearch("nerys handed", mode=SearchMode.KEYWORD)
    assert [one.view.fact.memory.content for one in facts.search(WORKSPACE_ID, wanted)] == [RIGHT]
    history = FactSearch("nerys handed", history=True, mode=SearchMode.KEYWORD)
    assert [one.view.state for one in facts.search(WORKSPACE_ID, history)] == [
        FactState.CURRENT,
        FactState.SUPERSEDED,
    ]


def test_a_fact_is_found_by_its_topic(facts: Facts) -> None:
    facts.put(WORKSPACE_ID, a_fact("She writes with the left.", "Nerys/hand"))
    wanted = FactSearch("nerys", mode=SearchMode.KEYWORD)
    assert len(facts.search(WORKSPACE_ID, wanted)) == 1
    assert listed(facts, topic="nerys") == ["She writes with the left."]
    assert listed(facts, topic="ner") == []


def test_whoever_replaces_what_was_replaced_is_told_the_one_that_stands(facts: Facts) -> None:
    old = facts.put(WORKSPACE_ID, a_fact()).fact.memory
    new = facts.supersede(old.ref, RIGHT, reason="chapter 9")
    with pytest.raises(SupersededError) as error:
        facts.supersede(old.ref, "Nerys has no hand.", reason="chapter 10")
    assert error.value.head_id == new.memory.id
    with pytest.raises(ConflictError):
        facts.supersede(new.memory.ref, LEFT, reason="again", expected_version=9)
    with pytest.raises(InvalidValueError):
        facts.supersede(new.memory.ref, LEFT, reason="no")


def test_taken_back_it_is_as_before(facts: Facts) -> None:
    old = facts.put(WORKSPACE_ID, a_fact(story=StoryInterval(1))).fact
    new = facts.supersede(old.memory.ref, RIGHT, reason="chapter 9", story=StoryInterval(9))
    assert facts.show(old.memory.ref).fact.details.story == StoryInterval(1, 9)
    assert listed(facts, at_story=8) == []
    back = facts.take_back(new.memory.ref)
    assert (back.memory.id, back.details) == (old.memory.id, old.details)
    assert listed(facts) == [LEFT]
    with pytest.raises(NotFoundError):
        facts.take_back(back.memory.ref)


def test_a_chain_says_when_by_whom_and_why_each_ceased_to_hold(
    world: SqliteWorld, facts: Facts
) -> None:
    old = facts.put(WORKSPACE_ID, a_fact()).fact
    new = facts.supersede(old.memory.ref, RIGHT, reason="chapter 9")
    [first, second] = facts.chain(old.memory.ref)
    assert first.ending is not None
    assert (first.ending.by, first.ending.why) == ("Ada", "chapter 9")
    assert first.ending.at == first.fact.memory.forgotten_at
    assert second.ending is None
    back = facts.take_back(new.memory.ref).memory
    assert facts.chain(back.ref)[0].ending is None
    again = [
        Reversion(new.memory.ref, 2, 1),
        Reversion(back.ref, back.version, 2, ForgottenAs(SUPERSEDED, new.memory.id)),
    ]
    world.person.memories.revert(again)
    ending = facts.chain(back.ref)[0].ending
    assert ending is not None
    assert ending.why == "chapter 9"


def test_a_held_superseding_is_whole_once_the_author_accepts(
    world: SqliteWorld, facts: Facts
) -> None:
    fact = facts.put(WORKSPACE_ID, a_fact()).fact.memory
    with pytest.raises(HeldForReviewError):
        agents(world).supersede(
            fact.ref, RIGHT, reason="chapter 9", confidence=0.9, story=StoryInterval(9)
        )
    [proposal] = world.person.proposals.list(WORKSPACE_ID)
    world.person.proposals.accept(proposal.ref)
    old, new = facts.chain(fact.ref)
    assert old.ending is not None
    assert old.ending.why == "chapter 9"
    assert [one.fact.details.story for one in (old, new)] == [
        StoryInterval(None, 9),
        StoryInterval(9),
    ]
    with world.store.read(WORKSPACE_ID) as view:
        kinds = {one.kind for one in view.events.latest(5)}
    assert EventKind.FACT_SUPERSEDED in kinds


def test_taken_back_it_holds_as_it_was_edited_last(facts: Facts) -> None:
    old = facts.put(WORKSPACE_ID, a_fact(story=StoryInterval(3))).fact.memory
    facts.edit(old.ref, FactPatch(story=StoryInterval(5)), expected_version=1)
    new = facts.supersede(old.ref, RIGHT, reason="chapter 9", story=StoryInterval(9))
    assert facts.take_back(new.memory.ref).details.story == StoryInterval(5)


def test_an_earlier_fact_is_stated_anew_so_that_the_chain_goes_forward(facts: Facts) -> None:
    old = facts.put(WORKSPACE_ID, a_fact(confidence=0.6)).fact.memory
    facts.supersede(old.ref, RIGHT, reason="chapter 9")
    again = facts.reinstate(old.ref, "the editor changed it back")
    assert (again.memory.content, again.details.confidence) == (LEFT, 0.6)
    texts = [one.fact.memory.content for one in facts.chain(old.ref)]
    assert texts == [LEFT, RIGHT, LEFT]
    with pytest.raises(NotFoundError):
        facts.reinstate(again.memory.ref, "it stands already")


def test_the_interval_of_a_story_is_half_open(facts: Facts) -> None:
    facts.put(WORKSPACE_ID, a_fact(story=StoryInterval(3, 8)))
    assert [chapter for chapter in range(10) if listed(facts, at_story=chapter)] == [3, 4, 5, 6, 7]
    with pytest.raises(InvalidValueError):
        StoryInterval(8, 8)


def test_its_text_changes_by_superseding_alone_and_the_rest_by_editing(
    world: SqliteWorld, facts: Facts
) -> None:
    fact = facts.put(WORKSPACE_ID, a_fact(confidence=0.6)).fact
    with pytest.raises(InvalidValueError, match="use_supersede"):
        world.person.memories.update(fact.memory.ref, MemoryPatch(RIGHT), expected_version=1)
    with pytest.raises(InvalidValueError, match="use_supersede"):
        world.person.memories.edit_each([Edit(fact.memory.ref, MemoryPatch(RIGHT), 1)])
    plan = world.person.memories.preview_replacement(
        [fact.memory.ref], ReplacementWish("left", "right")
    )
    assert ([one.fault for one in plan.refused], plan.changes) == (["use_supersede"], ())
    patch = FactPatch(confidence=0.9, topic="Nerys")
    after = facts.edit(fact.memory.ref, patch, expected_version=1)
    assert (after.memory.topic, after.details.confidence, after.memory.version) == ("Nerys", 0.9, 2)
    with world.store.read(WORKSPACE_ID) as view:
        [version] = view.memories.history(fact.memory.id)
    assert '"confidence": 0.6' in version.extra
    with pytest.raises(ConflictError):
        facts.edit(fact.memory.ref, patch, expected_version=1)


def test_no_memory_takes_the_place_of_a_fact(world: SqliteWorld, facts: Facts) -> None:
    fact = facts.put(WORKSPACE_ID, a_fact()).fact.memory
    for asked in (world.person, world.asked_by(scribe(world))):
        with pytest.raises(InvalidValueError, match="use_supersede"):
            asked.memories.put_outcome(MemoryDraft(WORLD, RIGHT), replaces=fact.id)
    assert listed(facts) == [LEFT]


def test_a_fact_of_a_memory_has_it_for_its_source_until_it_is_gone(
    world: SqliteWorld, facts: Facts
) -> None:
    note = world.person.memories.put(MemoryDraft(WORLD, LEFT))
    fact = facts.from_memory(note.ref, domain="canon", topic="Nerys").fact.memory
    [observed] = facts.show(fact.ref).observations
    assert (observed.memory, observed.is_gone) == (note, False)
    world.person.memories.forget([note.ref])
    shown = facts.show(fact.ref)
    assert (shown.state, shown.observations[0].is_gone) == (FactState.UNSUPPORTED, True)


def test_an_agent_names_a_source_and_is_never_as_sure_as_the_author(world: SqliteWorld) -> None:
    note = world.person.memories.put(MemoryDraft(WORLD, "Nerys holds the pen on the left."))
    with pytest.raises(SourcesMissingError):
        agents(world).put(WORKSPACE_ID, a_fact())
    with pytest.raises(InvalidValueError):
        agents(world).put(WORKSPACE_ID, a_fact(sources=(note.id,), confidence=0.99))
    with pytest.raises(NotFoundError):
        agents(world).put(WORKSPACE_ID, a_fact(sources=(note.id, "because I say so")))
    fact = agents(world).put(WORKSPACE_ID, a_fact(sources=(note.id,))).fact
    assert (fact.details.confidence, fact.memory.by) == (0.7, "scribe")
    assert fact.memory.lifetime.value == "long_term"


def test_an_agent_only_asks_to_replace_a_fact_of_the_authors(
    world: SqliteWorld, facts: Facts
) -> None:
    fact = facts.put(WORKSPACE_ID, a_fact()).fact.memory
    with pytest.raises(HeldForReviewError) as held:
        agents(world).supersede(fact.ref, RIGHT, reason="chapter 9", confidence=0.9)
    assert listed(facts) == [LEFT]
    [proposal] = world.person.proposals.list(WORKSPACE_ID)
    assert proposal.id == held.value.proposal_ids[0]
    world.person.proposals.accept(proposal.ref)
    [one] = facts.list(WORKSPACE_ID, FactQuery()).facts
    assert (one.fact.memory.content, one.fact.details.confidence) == (RIGHT, 0.9)
    assert one.n_replaced == 1


def test_a_closed_domain_is_not_there_and_a_readable_one_names_who_could(
    world: SqliteWorld, facts: Facts
) -> None:
    secret = facts.put(WORKSPACE_ID, FactDraft("Secrets", "Nerys", "Nerys drowned.")).fact.memory
    note = world.person.memories.put(MemoryDraft(WORLD, "A note."))
    draft = FactDraft("Secrets", "Nerys", "Nerys swims.", sources=(note.id,))
    unknown = FactDraft("Nowhere", "Nerys", "Nerys swims.", sources=(note.id,))
    for wanted in (draft, unknown):
        with pytest.raises(NotFoundError) as error:
            agents(world).put(WORKSPACE_ID, wanted)
        assert error.value.args[0] == "domain"
    with pytest.raises(NotFoundError):
        agents(world).show(secret.ref)
    with pytest.raises(DomainDeniedError) as denied:
        agents(world, "external").put(WORKSPACE_ID, a_fact(sources=(note.id,)))
    assert (denied.value.domain, denied.value.needed) == ("Canon", ("scribe",))
    assert listed(agents(world)) == []


def test_the_cap_counts_notes_alone_and_no_fact_leaves_by_it(
    world: SqliteWorld, facts: Facts
) -> None:
    three = set_to(cap=3)
    mine = asked_by(scribe(world), world, settings=three)
    person = asked_by(a_person(), world, settings=three)
    source = person.memories.put(MemoryDraft(WORLD, "Nerys holds the pen on the left."))
    theirs = mine.facts.put(WORKSPACE_ID, a_fact(sources=(source.id,))).fact.memory
    facts.put(WORKSPACE_ID, a_fact("Pell is tall.", "Pell"))
    notes = [mine.memories.put(MemoryDraft(WORLD, f"The tide of day {n}.")) for n in range(3)]

    with world.store.read(WORKSPACE_ID) as view:
        assert view.memories.note_count(WORLD) == 3
        gone = view.memories.get(notes[0].ref, None)
    assert gone.forgotten_reason == CAP_REASON
    assert listed(facts) == [LEFT, "Pell is tall."]
    person.memories.forget([theirs.ref])
    person.memories.restore([theirs.ref])
    with pytest.raises(CapReachedError):
        person.memories.restore([gone.ref])
    two = asked_by(a_person(), world, settings=set_to(cap=2)).consolidation
    assert [one.id for one in two.preview(WORLD).cap] == [notes[1].id]
