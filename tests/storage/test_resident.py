from __future__ import annotations

import random
import threading
from typing import Any, cast

import numpy as np
import pytest
from sqlalchemy import select

from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.schema.tables import memories
from inklings_desktop.storage.search import resident
from inklings_desktop.storage.search.conditions import changed_since, in_order
from inklings_desktop.storage.search.resident import STATES_KEPT, ResidentCache
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld

MODEL = "some-model"
KEY = "key"


class View:
    """As much of a transaction as the cache asks for."""

    def __init__(self, change_seq: int, reload_seq: int = 0, *, has_written: bool = False) -> None:
        self.seen = (change_seq, reload_seq)
        self.has_written = has_written
        self.is_write = has_written

    def counters(self) -> tuple[int, int]:
        return self.seen


class Told:
    """A cache whose states are the change numbers they are made of, and how they were made."""

    def __init__(self) -> None:
        self.cache: ResidentCache[tuple[int, ...]] = ResidentCache()
        self.made: list[str] = []

    def current(self, view: View) -> tuple[int, ...]:
        seen = view.seen[0]

        def build() -> tuple[int, ...]:
            self.made.append("built")
            return (seen,)

        def refresh(earlier: tuple[int, ...], since: int, is_next: bool) -> tuple[int, ...]:  # noqa: FBT001
            self.made.append("next" if is_next else "aside")
            assert earlier[-1] == since
            return (*earlier, seen)

        transaction = cast("Transaction", view)
        return self.cache.current(transaction, KEY, build=build, refresh=refresh)

    def at_hand(self, view: View) -> tuple[int, ...] | None:
        return self.cache.at_hand(cast("Transaction", view), KEY)


def test_a_later_view_goes_on_from_the_newest_state() -> None:
    told = Told()
    assert told.current(View(3)) == (3,)
    assert told.current(View(3)) == (3,)
    assert told.current(View(5)) == (3, 5)
    assert told.made == ["built", "next"]


def test_an_earlier_view_is_answered_from_before_and_builds_nothing() -> None:
    told = Told()
    for number in (3, 5, 8):
        told.current(View(number))
    late = View(6)
    assert told.current(View(5)) == (3, 5)
    assert told.at_hand(late) is None
    assert told.current(late) == (3, 5, 6)
    assert told.at_hand(late) == (3, 5, 6)
    assert told.current(late) == (3, 5, 6)
    assert told.made == ["built", "next", "next", "aside"]
    assert told.current(View(8)) == (3, 5, 8)


def test_a_few_states_are_kept_and_no_more() -> None:
    told = Told()
    for number in range(1, 2 * STATES_KEPT + 1):
        told.current(View(number))
    assert told.at_hand(View(STATES_KEPT)) is None
    assert told.at_hand(View(STATES_KEPT + 1)) is not None
    told.made.clear()
    assert told.current(View(1)) == (1,)
    assert told.made == ["built"]
    assert told.at_hand(View(1)) is None


def test_what_is_not_committed_is_never_kept() -> None:
    told = Told()
    told.current(View(3))
    assert told.current(View(4, has_written=True)) == (3, 4)
    assert told.made == ["built", "aside"]
    assert told.at_hand(View(4)) is None


def test_a_reload_starts_anew_and_a_view_from_before_it_is_answered_for_itself() -> None:
    told = Told()
    told.current(View(3))
    assert told.current(View(4, 1)) == (4,)
    assert told.current(View(3, 0)) == (3,)
    assert told.current(View(4, 1)) == (4,)
    assert told.made == ["built"] * 3
    told.cache.clear()
    assert told.at_hand(View(4, 1)) is None


AXES = np.eye(4, dtype=np.float32)


def test_views_of_every_age_find_what_they_could_see(
    world: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Views stay open while memories come, change and go; each is asked last."""
    monkeypatch.setattr(resident, "STATES_KEPT", 3)
    store = world.store
    dice = random.Random(3)  # noqa: S311 - the same story in every run
    scope = ScopeKey.workspace(WORKSPACE_ID)
    opened: list[tuple[Any, Any, dict[str, int]]] = []
    turned: dict[str, int] = {}
    with store.write(WORKSPACE_ID, initiator="test") as unit:
        (first,) = unit.memories.add([a_memory("One.", scope=scope)])
        unit.memories.put_vectors(MODEL, [(first.id, first.content, AXES[0])])
        unit.commit()
    turned[first.id] = 0
    try:
        for number in range(16):
            context = store.read(WORKSPACE_ID)
            view = context.__enter__()
            view.memories.get_many(list(turned))  # the view begins with its first statement
            opened.append((context, view, dict(turned)))
            with store.write(WORKSPACE_ID, initiator="test") as unit:
                if number % 3 == 2:
                    changed = dice.choice(sorted(turned))
                    entry = unit.memories.get_many([changed])[changed]
                    turned[changed] = dice.randrange(4)
                else:
                    (entry,) = unit.memories.add([a_memory(f"Number {number}.", scope=scope)])
                    turned[entry.id] = number % 4
                row = AXES[turned[entry.id]]
                unit.memories.put_vectors(MODEL, [(entry.id, entry.content, row)])
                unit.commit()
            if dice.random() < 0.7:
                with store.read(WORKSPACE_ID) as newest:
                    assert found(newest, scope) == turned
        for _, view, seen in dice.sample(opened, len(opened)):
            assert found(view, scope) == seen
    finally:
        for context, _, _ in opened:
            context.__exit__(None, None, None)


def found(view: Any, scope: ScopeKey) -> dict[str, int]:
    """Each memory's axis, as a view finds it by its vector."""
    axes: dict[str, int] = {}
    for axis, query in enumerate(AXES):
        near = view.vectors.nearest(
            [scope], query, MODEL, where=EVERYTHING, visible_to=None, limit=100
        )
        axes |= {one.id: axis for one in near.get(scope, ()) if one.figure > 0.9}
    return axes


def test_changes_are_found_through_an_index(world: SqliteWorld) -> None:
    statement = select(memories.c.sequence).where(changed_since(5)).order_by(in_order)
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        connection = cast("Any", unit)._transaction.connection
        text = str(statement.compile(connection, compile_kwargs={"literal_binds": True}))
        plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")]
    assert any("memories_by_change" in step for step in plan)
    assert any("memories_by_read_change" in step for step in plan)
    assert not any(step.startswith("SCAN") for step in plan)


def test_readers_and_writers_at_once_are_answered_without_building_anew() -> None:
    told = Told()
    told.current(View(0))
    newest = [0]
    lock = threading.Lock()

    def work(seed: int) -> None:
        dice = random.Random(seed)  # noqa: S311 - any order will do
        for _ in range(200):
            with lock:
                newest[0] += dice.randrange(2)
                view = View(max(0, newest[0] - dice.randrange(3)))
            assert told.current(view)[-1] == view.seen[0]

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told.made.count("built") < len(told.made) / 4
