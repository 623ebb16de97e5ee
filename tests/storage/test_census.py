"""Resident figures of a whole file: read in parts, kept, brought up to date by what changed."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from inklings_desktop.domain.memories.decay import AttentionKind, DecayConfig
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.search import overview_index
from inklings_desktop.storage.search.overview_index import Census, census_rows
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, counted_statements

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
N = 25


def filled(world: SqliteWorld, n: int = N) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(
            [
                a_memory(
                    f"m{number}",
                    scope=ScopeKey.channel(WORKSPACE_ID, f"room {number % 3}"),
                    created_at=NOON - timedelta(days=number),
                    access_count=number % 4,
                )
                for number in range(n)
            ]
        )
        unit.commit()


def read(world: SqliteWorld) -> Census:
    file = world.databases.file(WORKSPACE_ID)
    with file.engines.read.connect() as connection:
        rows = census_rows(
            Transaction(connection, WORKSPACE_ID), "fake", since=None, forgotten_after=0
        )
        return Census.of(rows)


def test_many_parts_make_the_same_census_as_one(
    world: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(world)
    whole = read(world)
    monkeypatch.setattr(overview_index, "PART", 4)
    parts = read(world)
    assert whole.rooms == parts.rooms == {"room 0": 0, "room 1": 1, "room 2": 2}
    assert np.array_equal(whole.rows, parts.rows)
    assert whole.rows["sequence"].tolist() == list(range(1, N + 1))


def test_a_census_of_nothing_can_grow(world: SqliteWorld) -> None:
    empty = read(world)
    assert (len(empty.rows), dict(empty.rooms)) == (0, {})
    assert empty.with_changes(iter(())) is empty
    filled(world, 2)
    assert len(read(world).rows) == 2


def asked(world: SqliteWorld) -> tuple[int, int]:
    """How many were never read, and how many statements it took to know."""
    engine = world.databases.file(WORKSPACE_ID).engines.read
    scopes = [ScopeKey.channel(WORKSPACE_ID, f"room {n}") for n in range(3)]
    with counted_statements(engine) as counter, world.store.read(WORKSPACE_ID) as view:
        found = view.overview.attention(scopes, decay=DecayConfig(), model_id="fake", as_of=NOON)
    n_unread = sum(found.get(AttentionKind.NEVER_READ, {}).values())
    return n_unread, len(counter.statements)


def test_what_did_not_change_is_not_read_again(world: SqliteWorld) -> None:
    filled(world)
    first, n_first = asked(world)
    again, n_again = asked(world)
    filled(world, 1)
    later, n_later = asked(world)
    assert (first, again, later) == (7, 7, 8)
    assert n_again < n_first
    assert n_later <= n_first
