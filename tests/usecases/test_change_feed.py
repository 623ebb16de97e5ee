from __future__ import annotations

from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import MemoryPatch
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.usecases.steps.change_feed import ChangeFeed
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_draft, a_person
from tests.usecases.world import World

CHANGES = MemoryChanges(WORKSPACE_ID, added=("a",))


def test_every_listener_hears_of_a_change_in_order() -> None:
    feed, heard = ChangeFeed(), list[tuple[str, MemoryChanges]]()
    feed.subscribe(lambda changes: heard.append(("first", changes)))
    feed.subscribe(lambda changes: heard.append(("second", changes)))
    feed.publish(CHANGES)
    assert heard == [("first", CHANGES), ("second", CHANGES)]


def test_an_empty_record_is_dropped() -> None:
    feed, heard = ChangeFeed(), list[MemoryChanges]()
    feed.subscribe(heard.append)
    feed.publish(MemoryChanges(WORKSPACE_ID, initiator="Ada"))
    assert heard == []


def test_a_listener_that_left_hears_nothing_more() -> None:
    feed, heard = ChangeFeed(), list[MemoryChanges]()
    leave = feed.subscribe(heard.append)
    leave()
    leave()
    feed.publish(CHANGES)
    assert heard == []


def test_one_of_two_subscriptions_of_a_listener_can_leave() -> None:
    feed, heard = ChangeFeed(), list[MemoryChanges]()
    listener = heard.append
    leave = feed.subscribe(listener)
    feed.subscribe(listener)
    leave()
    feed.publish(CHANGES)
    assert heard == [CHANGES]


def test_a_listener_may_leave_while_it_hears() -> None:
    feed, heard = ChangeFeed(), list[MemoryChanges]()

    def once(changes: MemoryChanges) -> None:
        heard.append(changes)
        leave()

    leave = feed.subscribe(once)
    feed.subscribe(heard.append)
    feed.publish(CHANGES)
    feed.publish(CHANGES)
    assert heard == [CHANGES] * 3


def test_changes_are_published_after_the_commit(world: World) -> None:
    feed = ChangeFeed()
    seen: list[bool] = []
    feed.subscribe(
        lambda changes: seen.append(changes.added == tuple(one.id for one in world.memories()))
    )
    store = SqliteStore(world.databases, feed)
    asked_by(a_person(), world, store=store).memories.put(a_draft())
    assert seen == [True]


def test_a_unit_of_work_without_commit_publishes_nothing(world: World) -> None:
    entry = world.person.memories.put(a_draft())
    world.publisher.published.clear()
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.count_reads([entry.id], world.clock())
    assert world.stored(entry.id).access_count == 0
    assert world.publisher.published == []
    world.person.memories.update(entry.ref, MemoryPatch(content="x"), expected_version=1)
    assert len(world.publisher.published) == 1
