from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import ResourceClosedError

from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.store import SqliteStore
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, raw

SCOPE = ScopeKey.workspace(WORKSPACE_ID)


def change_seq(world: SqliteWorld) -> int:
    with raw(world.path()) as connection:
        number: int = connection.execute("SELECT change_seq FROM meta").fetchone()[0]
    return number


def test_every_write_raises_the_change_number_by_one(world: SqliteWorld) -> None:
    for n in range(3):
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("a"), a_memory("b")])
            unit.memories.add([a_memory("c")])
            unit.commit()
        assert change_seq(world) == n + 1

    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("never kept")])
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.commit()
    assert change_seq(world) == 3


def test_many_threads_write_and_none_is_lost(world: SqliteWorld) -> None:
    def put(n: int) -> None:
        with world.store.write(WORKSPACE_ID, initiator="Ada", durable=n % 2 == 0) as unit:
            unit.memories.add([a_memory(f"m{n}")])
            unit.commit()
        with world.store.read(WORKSPACE_ID) as view:
            assert view.memories.active_count(SCOPE) > 0

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(put, range(40)))

    with world.store.read(WORKSPACE_ID) as view:
        assert view.memories.active_count(SCOPE) == 40
    assert len(world.publisher.published) == 40
    assert change_seq(world) == 40


def test_two_files_are_written_at_the_same_time(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as one:
        one.memories.add([a_memory("here")])
        with world.store.write(OTHER_WORKSPACE_ID, initiator="Ada") as two:
            scope = ScopeKey.workspace(OTHER_WORKSPACE_ID)
            two.memories.add([a_memory("there", scope=scope)])
            two.commit()
        one.commit()

    assert [changes.workspace_id for changes in world.publisher.published] == [
        OTHER_WORKSPACE_ID,
        WORKSPACE_ID,
    ]


def test_a_reader_keeps_its_view_while_others_commit(world: SqliteWorld) -> None:
    with world.store.read(WORKSPACE_ID) as view:
        assert view.memories.active_count(SCOPE) == 0
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory()])
            unit.commit()

        assert view.memories.active_count(SCOPE) == 0


def test_listeners_are_told_after_the_commit_and_may_write_themselves(
    world: SqliteWorld,
) -> None:
    seen: list[int] = []

    class Echo:
        def publish(self, changes: MemoryChanges) -> None:
            with world.store.read(WORKSPACE_ID) as view:
                seen.append(view.memories.active_count(SCOPE))
            if changes.initiator == "Ada":
                with store.write(WORKSPACE_ID, initiator="echo") as unit:
                    unit.memories.add([a_memory("echo")])
                    unit.commit()

    store = SqliteStore(world.databases, Echo())
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("first")])
        assert seen == []
        unit.commit()

    assert seen == [1, 2]


def test_nothing_can_be_written_after_the_commit(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory()])
        unit.commit()

        with pytest.raises(ResourceClosedError):
            unit.memories.add([a_memory("too late")])


def test_a_read_view_cannot_write(world: SqliteWorld) -> None:
    with world.store.read(WORKSPACE_ID) as view, pytest.raises(RuntimeError):
        view.memories.add([a_memory()])

    assert change_seq(world) == 0


def test_a_failed_begin_lets_the_next_writer_in(world: SqliteWorld) -> None:
    file = world.databases.file(WORKSPACE_ID)
    world.path().with_name("agents.db").rename(file.path.with_name("away.db"))
    with pytest.raises(Exception, match="workspace"):  # noqa: SIM117  the error comes on entering
        with world.store.write(WORKSPACE_ID, initiator="Ada"):
            pass
    file.path.with_name("away.db").rename(file.path)

    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory()])
        unit.commit()

    assert not file.write_lane.locked()
