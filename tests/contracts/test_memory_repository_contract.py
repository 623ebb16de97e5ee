from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import (
    AUTHOR,
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryRef,
    MemoryVersion,
    ScopeKey,
)
from tests.contracts.memory_steps import (
    CHANNEL,
    LATER,
    SCOPE,
    added,
    forgotten,
    got,
    listed,
    saved,
    texts,
    vector,
)
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, a_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import Store
    from tests.support.fake_publisher import FakePublisher


def test_a_new_memory_comes_back_whole_with_its_sequence(store: Store) -> None:
    entry = replace(
        a_memory(
            "Elarindë sails at dusk.",
            tags=("sea", "Elarindë"),
            agent_id="researcher",
            source_conversation="c1",
            pinned=True,
            imported_at=NOON,
        ),
        derived_from=(Derivation("Harbour", "b2"), Derivation("Charts")),
        imported_curator=Curator.AUTHOR,
        run_id="r1",
    )

    (stored,) = added(store, entry)

    assert stored == replace(entry, sequence=1)
    assert got(store, stored) == stored


def test_sequences_rise_in_the_order_of_writing(store: Store) -> None:
    first, second = added(store, a_memory("one"), a_memory("two"))
    (third,) = added(store, a_memory("three"))

    assert (first.sequence, second.sequence, third.sequence) == (1, 2, 3)


def test_an_id_is_taken_only_once(store: Store) -> None:
    (stored,) = added(store, a_memory("one"))

    with pytest.raises(ConflictError):
        added(store, a_memory("two", memory_id=stored.id))


def test_a_memory_of_another_file_is_refused(store: Store) -> None:
    foreign = a_memory(scope=ScopeKey.workspace(OTHER_WORKSPACE_ID))

    with store.write(WORKSPACE_ID, initiator="Ada") as unit, pytest.raises(InvalidValueError):
        unit.memories.add([foreign])


def test_leaving_without_commit_rolls_back_and_publishes_nothing(
    store: Store, publisher: FakePublisher
) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory()])

    assert listed(store).total == 0
    assert publisher.published == []


def test_an_error_rolls_back_and_lets_the_next_writer_in(store: Store) -> None:
    def fail() -> None:
        with store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("lost")])
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    added(store, a_memory("kept"))

    assert texts(listed(store)) == ["kept"]


def test_a_commit_publishes_what_changed_once(store: Store, publisher: FakePublisher) -> None:
    old, other = added(store, a_memory("old"), a_memory("other"))
    publisher.published.clear()

    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (new,) = unit.memories.add([a_memory("new", scope=CHANNEL)])
        unit.memories.save(
            replace(old, content="changed"),
            expected_version=1,
            action=MemoryAction.EDITED,
            changed_by="Ada",
            door="window",
            changed_at=LATER,
        )
        unit.memories.save(
            replace(other, forgotten_at=LATER, forgotten_reason="by hand"),
            expected_version=1,
            action=MemoryAction.FORGOTTEN,
            changed_by="Ada",
            door="window",
            changed_at=LATER,
        )
        unit.commit()

    (changes,) = publisher.published
    assert changes.workspace_id == WORKSPACE_ID
    assert changes.scopes == {SCOPE, CHANNEL}
    assert changes.added == (new.id,)
    assert changes.updated == (old.id,)
    assert changes.forgotten == (other.id,)
    assert changes.initiator == "Ada"
    assert changes.own


def test_a_unit_of_work_that_changes_nothing_publishes_nothing(
    store: Store, publisher: FakePublisher
) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.commit()

    assert publisher.published == []


def test_a_listener_may_write_in_its_turn(store: Store, publisher: FakePublisher) -> None:
    added(store, a_memory("one"))

    assert len(publisher.published) == 1
    added(store, a_memory("two"))
    assert len(publisher.published) == 2


def test_a_unit_of_work_sees_its_own_writes(store: Store) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (stored,) = unit.memories.add([a_memory("mine")])
        seen = unit.memories.get(MemoryRef(SCOPE, stored.id), None)
        count = unit.memories.active_count(SCOPE)

    assert seen == stored
    assert count == 1


def test_another_workspace_answers_as_if_the_id_were_unknown(store: Store) -> None:
    (stored,) = added(store, a_memory("Malachar"))
    elsewhere = ScopeKey.workspace(OTHER_WORKSPACE_ID)

    with store.read(OTHER_WORKSPACE_ID) as view:
        with pytest.raises(NotFoundError) as foreign:
            view.memories.get(MemoryRef(elsewhere, stored.id), None)
        with pytest.raises(NotFoundError) as unknown:
            view.memories.get(MemoryRef(elsewhere, "no-such-id"), None)
        through_the_wrong_file = MemoryRef(SCOPE, stored.id)
        with pytest.raises(NotFoundError):
            view.memories.get(through_the_wrong_file, None)

    assert foreign.value.kind == unknown.value.kind


def test_another_scope_of_the_same_file_does_not_know_it(store: Store) -> None:
    (stored,) = added(store, a_memory())

    with store.read(WORKSPACE_ID) as view, pytest.raises(NotFoundError):
        view.memories.get(MemoryRef(CHANNEL, stored.id), None)


def test_a_private_memory_exists_for_its_agent_and_the_person(store: Store) -> None:
    (stored,) = added(store, a_memory(agent_id="researcher"))

    assert got(store, stored, frozenset({"researcher"})) == stored
    assert got(store, stored, None) == stored
    with pytest.raises(NotFoundError):
        got(store, stored, frozenset({"writer"}))


def test_an_unknown_workspace_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError), store.read("no-such-workspace"):
        pass
    with pytest.raises(NotFoundError), store.write("../escape", initiator="Ada"):
        pass


def test_locate_finds_by_the_beginning_of_the_id(store: Store) -> None:
    first, second = added(
        store, a_memory("a", memory_id="abcd-1"), a_memory("b", memory_id="abcd-22")
    )

    with store.read(WORKSPACE_ID) as view:
        assert view.memories.locate("abcd-2") == second
        assert view.memories.locate("abcd-1") == first
        with pytest.raises(InvalidValueError):
            view.memories.locate("abcd")
        with pytest.raises(InvalidValueError):
            view.memories.locate("abc")
        with pytest.raises(NotFoundError):
            view.memories.locate("abce")
        with pytest.raises(NotFoundError):
            view.memories.locate("%%%%")


def test_get_many_leaves_out_what_is_unknown(store: Store) -> None:
    first, second = added(store, a_memory("one"), a_memory("two", scope=CHANNEL))

    with store.read(WORKSPACE_ID) as view:
        found = view.memories.get_many([second.id, "unknown", first.id])

    assert found == {first.id: first, second.id: second}


def test_a_save_keeps_the_earlier_state_as_a_version(store: Store) -> None:
    (stored,) = added(store, a_memory("before", importance=0.4, tags=("a",)))

    after = saved(store, replace(stored, content="after"))
    again = saved(store, replace(after, tags=("b",)), action=MemoryAction.RETAGGED)

    assert (after.version, again.version) == (2, 3)
    assert after.edited_at == LATER
    assert got(store, stored) == again
    with store.read(WORKSPACE_ID) as view:
        history = view.memories.history(stored.id)
    assert [(one.version, one.content, one.tags, one.action) for one in history] == [
        (2, None, ("a",), MemoryAction.RETAGGED),
        (1, "before", ("a",), MemoryAction.EDITED),
    ]
    assert (history[0].changed_by, history[0].door, history[0].changed_at) == (
        "Ada",
        "window",
        LATER,
    )


def test_a_stale_version_is_a_conflict_and_changes_nothing(store: Store) -> None:
    (stored,) = added(store, a_memory("before"))
    newer = saved(store, replace(stored, content="newer"))

    with pytest.raises(ConflictError) as caught:
        saved(store, replace(stored, content="late"), expected_version=1)

    assert (caught.value.expected, caught.value.actual) == (1, 2)
    assert got(store, stored) == newer


def test_saving_what_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError):
        saved(store, a_memory())


def test_a_save_never_takes_reads_back(store: Store) -> None:
    (stored,) = added(store, a_memory("before"))
    with store.write(WORKSPACE_ID, initiator="researcher", durable=False) as unit:
        unit.memories.count_reads([stored.id], LATER)
        unit.commit()

    after = saved(store, replace(stored, content="after"))

    assert after.access_count == 1
    assert got(store, stored).accessed_at == LATER


def test_reads_count_exactly_once_per_memory_and_keep_the_version(store: Store) -> None:
    first, second = added(store, a_memory("one"), a_memory("two"))

    with store.write(WORKSPACE_ID, initiator="researcher", durable=False) as unit:
        unit.memories.count_reads([first.id, first.id, "unknown"], LATER)
        unit.commit()

    assert got(store, first).access_count == 1
    assert got(store, first).version == 1
    assert got(store, second).access_count == 0


def test_history_from_elsewhere_is_kept_newest_first(store: Store) -> None:
    (stored,) = added(store, a_memory(version=3))

    def earlier(version: int) -> MemoryVersion:
        return MemoryVersion(
            stored.id, version, f"text {version}", 0.5, Lifetime.SHORT_TERM, (),
            MemoryAction.EDITED, NOON, "Ada", "window",
        )  # fmt: skip

    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add_history([earlier(1), earlier(2)])
        unit.commit()

    with store.read(WORKSPACE_ID) as view:
        assert [one.version for one in view.memories.history(stored.id)] == [2, 1]


def test_the_least_relevant_are_what_the_cap_may_forget(store: Store) -> None:
    added(
        store,
        a_memory("author", curator=Curator.AUTHOR, importance=0.01),
        replace(a_memory("rewritten by the author", importance=0.01), written_by=AUTHOR),
        a_memory("pinned", pinned=True, importance=0.01),
        a_memory("locked", locked=True, importance=0.01),
        a_memory("long, weak", lifetime=Lifetime.LONG_TERM, importance=0.02),
        a_memory("short, strong", importance=0.9),
        a_memory("short, weak", importance=0.1),
        a_memory("short, weak too", importance=0.1, curator=Curator.IMPORT),
    )

    with store.read(WORKSPACE_ID) as view:
        leaving = view.memories.least_relevant(SCOPE, 10, DecayConfig(), LATER)
        first = view.memories.least_relevant(SCOPE, 1, DecayConfig(), LATER)

    assert [one.content for one in leaving] == [
        "short, weak",
        "short, weak too",
        "short, strong",
        "long, weak",
    ]
    assert first == leaving[:1]


def test_the_active_memories_of_a_conversation_come_in_order_of_writing(store: Store) -> None:
    scope = ScopeKey.conversation(WORKSPACE_ID, "c1")
    first, second, third = added(
        store, *(a_memory(text, scope=scope) for text in ("one", "two", "three"))
    )
    forgotten(store, second)

    with store.read(WORKSPACE_ID) as view:
        assert view.memories.active_of_conversation(scope) == (first, third)


def test_the_latest_written_to_come_first_whatever_became_of_them(store: Store) -> None:
    one, two, other, private, away = added(
        store,
        a_memory("one"),
        a_memory("two"),
        a_memory("other", scope=CHANNEL),
        a_memory("private", agent_id="researcher"),
        a_memory("away", scope=ScopeKey.channel(WORKSPACE_ID, "elsewhere")),
    )
    forgotten(store, one)
    with store.read(WORKSPACE_ID) as view:

        def latest(*scopes: ScopeKey, limit: int = 9, agent: str | None = "loom") -> list[str]:
            walls = None if agent is None else frozenset({agent})
            return [found.id for found in view.memories.latest_changed(scopes, limit, walls)]

        assert latest(SCOPE) == [one.id, two.id]
        assert latest(SCOPE, agent=None) == [one.id, private.id, two.id]
        assert latest(SCOPE, CHANNEL) == [one.id, other.id, two.id]
        assert latest(SCOPE, CHANNEL, limit=1) == [one.id]
        assert latest(ScopeKey.account()) == latest() == []
        assert away.id not in latest(SCOPE, CHANNEL)


def test_what_may_say_the_same_is_found_by_its_text(store: Store) -> None:
    paused, own, gone, away, other = added(
        store,
        a_memory("The dragon sleeps.", paused=True),
        a_memory("dragon sleeps", agent_id="researcher"),
        a_memory("dragon sleeps!", forgotten_at=NOON),
        a_memory("The dragon sleeps.", scope=CHANNEL),
        a_memory("The dragon wakes."),
    )
    with store.read(WORKSPACE_ID) as view:
        found = view.memories.said_like(SCOPE, "THE DRAGON  SLEEPS")
        assert view.memories.said_like(SCOPE, "Nobody sleeps.") == ()
        elsewhere = ScopeKey.workspace(OTHER_WORKSPACE_ID)
        assert view.memories.said_like(elsewhere, "The dragon sleeps.") == ()
        groups = view.consolidation.same_keys(SCOPE)
    assert [one.id for one in found] == [paused.id, own.id]
    assert groups == ()
    saved(store, replace(other, content="The dragon sleeps"), expected_version=1)
    with store.read(WORKSPACE_ID) as view:
        assert view.consolidation.same_keys(SCOPE) == ((own.id, other.id),)
        assert view.consolidation.same_keys(CHANNEL) == ()
    assert not gone.is_retrievable
    assert away.scope == CHANNEL


def test_what_was_forgotten_is_found_by_its_text_the_last_one_first(store: Store) -> None:
    earlier, later, *_ = added(
        store,
        a_memory("The dragon sleeps.", forgotten_at=NOON),
        a_memory("dragon sleeps", forgotten_at=NOON + timedelta(hours=1)),
        a_memory("The dragon sleeps."),
        a_memory("The dragon sleeps.", scope=CHANNEL, forgotten_at=NOON),
        a_memory("The dragon wakes.", forgotten_at=NOON),
    )
    with store.read(WORKSPACE_ID) as view:
        found = view.memories.forgotten_like(SCOPE, ["Nobody.", "THE DRAGON  SLEEPS"])
        assert view.memories.forgotten_like(SCOPE, []) == ()
        elsewhere = ScopeKey.workspace(OTHER_WORKSPACE_ID)
        assert view.memories.forgotten_like(elsewhere, ["The dragon sleeps."]) == ()
    assert [one.id for one in found] == [later.id, earlier.id]


def test_vectors_are_stored_for_texts_that_are_still_the_same(store: Store) -> None:
    same, edited, gone, paused = added(
        store, a_memory("same"), a_memory("edited"), a_memory("gone"), a_memory("p", paused=True)
    )
    saved(store, replace(edited, content="edited since"))
    forgotten(store, gone)
    one = vector(0.6, 0.8)

    with store.write(WORKSPACE_ID, initiator="clock", durable=False) as unit:
        n_stored = unit.memories.put_vectors(
            "mini",
            [(e.id, e.content, one) for e in (same, edited, gone, paused)]
            + [("unknown", "text", one)],
        )
        unit.commit()

    assert n_stored == 1
    assert got(store, same).embedding_model == "mini"
    assert got(store, same).version == 1
    with store.read(WORKSPACE_ID) as view:
        assert view.memories.without_vector("mini", 10) == ((edited.id, "edited since"),)
        assert [id_ for id_, _ in view.memories.without_vector("other", 10)] == [
            same.id,
            edited.id,
        ]
        assert view.memories.without_vector("other", 10, [same.id]) == ((same.id, "same"),)
        assert len(view.memories.without_vector("other", 1)) == 1


@pytest.mark.parametrize(
    "bad", [vector(0.0, 0.0), vector(float("nan"), 1.0), vector(float("inf"), 0.0), vector(2.0, 0)]
)
def test_a_vector_that_is_not_of_unit_length_is_refused(store: Store, bad: FloatVector) -> None:
    (stored,) = added(store, a_memory("text"))

    with store.write(WORKSPACE_ID, initiator="clock") as unit, pytest.raises(InvalidValueError):
        unit.memories.put_vectors("mini", [(stored.id, "text", bad)])


def test_an_edit_of_the_text_clears_the_vector_and_a_retag_keeps_it(store: Store) -> None:
    (stored,) = added(store, a_memory("text"))
    with store.write(WORKSPACE_ID, initiator="clock", durable=False) as unit:
        unit.memories.put_vectors("mini", [(stored.id, "text", vector(1.0, 0.0))])
        unit.commit()

    retagged = saved(store, replace(stored, tags=("x",)), action=MemoryAction.RETAGGED)
    assert retagged.embedding_model == "mini"
    edited = saved(store, replace(retagged, content="other text"))

    assert edited.embedding_model is None
    assert got(store, stored).embedding_model is None


def test_the_account_has_a_file_of_its_own(store: Store) -> None:
    account = a_memory("dark themes", scope=ScopeKey.account())
    (stored,) = added(store, account)

    with store.read(None) as view:
        assert view.memories.active_counts() == {ScopeKey.account(): 1}
        assert view.memories.get(MemoryRef(ScopeKey.account(), stored.id), None) == stored
    assert listed(store).total == 0


def test_vectors_of_another_model_wait_until_nearly_all_memories_have_one(store: Store) -> None:
    entries = [a_memory(f"memory {n}") for n in range(20)]
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(entries)
        assert unit.vectors.answering() == ""
        unit.memories.put_vectors(
            "mini", [(one.id, one.content, vector(1.0, 0.0)) for one in entries]
        )
        unit.commit()

    def put(model_id: str, some: Sequence[MemoryEntry]) -> None:
        with store.write(WORKSPACE_ID, initiator="Ada") as unit:
            vectors = [(one.id, one.content, vector(0.0, 1.0, 0.0)) for one in some]
            assert unit.memories.put_vectors(model_id, vectors) == len(some)
            unit.commit()

    def state(model_id: str) -> tuple[str, int, set[str | None]]:
        with store.read(WORKSPACE_ID) as view:
            kept = view.memories.get_many([one.id for one in entries]).values()
            return (
                view.vectors.answering(),
                view.memories.n_without_vector(model_id),
                {one.embedding_model for one in kept},
            )

    put("other", entries[:5])  # given up for a third one
    put("large", entries[:18])
    assert state("large") == ("mini", 2, {"mini"})
    assert state("mini") == ("mini", 0, {"mini"})
    put("large", entries[18:19])
    assert state("large") == ("large", 1, {"large", None})
    assert state("other")[1] == 20
    put("large", entries[19:])
    assert state("large") == ("large", 0, {"large"})
