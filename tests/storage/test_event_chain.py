"""What the check of a chain finds; ``test_event_log_attacks`` forges whole files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing

import pytest

from inklings_desktop.domain.log.events import EventKind, LogFault
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.log.event_chain import (
    ChainCheck,
    Head,
    adopted_marks,
    chained,
    check_chain,
    digest_of,
    gave_up,
    is_ours,
    last_head,
    lost_head,
)

OURS, THEIRS = b"o" * 32, b"t" * 32
BEGINNING = "0" * 64
COLUMNS = (
    "seq", "at", "kind", "actor", "actor_kind", "door", "tier", "scope_key", "ids", "counts",
    "marks",
)  # fmt: skip


class Log:
    """A table of events and nothing else."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute(f"CREATE TABLE events ({', '.join(COLUMNS)}, chain_hash)")

    def fetch(self, sql: str, values: tuple[int, ...]) -> Iterable[tuple[object, ...]]:
        return self._connection.execute(sql, values)

    def run(self, sql: str) -> None:
        self._connection.execute(sql)

    def add(
        self,
        key: bytes = OURS,
        kind: str = EventKind.MEMORY_CREATED,
        marks: Mapping[str, str] | None = None,
    ) -> Head:
        """Append an event as the installation with this key does."""
        before = last_head(self.fetch)
        seq = before.number + 1
        values = (seq, 1_000 + seq, kind, "Ada", "person", "ui", "workspace", "w", "[]", "{}")
        row = dict(zip(COLUMNS, (*values, json.dumps(marks or {})), strict=True))
        digest = chained(key, before.digest if before.number else BEGINNING, row)
        holders = ", ".join("?" * (len(COLUMNS) + 1))
        self._connection.execute(f"INSERT INTO events VALUES ({holders})", (*row.values(), digest))  # noqa: S608  ours
        return Head(seq, digest)

    def adopt(self, key: bytes = OURS, **other: str) -> Head:
        """Begin a part of this installation's own."""
        _, marks = adopted_marks(self.fetch)
        return self.add(key, EventKind.LOG_ADOPTED, {**marks, **other})

    def check(self, head: Head | None = None) -> ChainCheck:
        return check_chain(self.fetch, OURS, head)


@pytest.fixture
def log() -> Iterator[Log]:
    with closing(sqlite_module().connect(":memory:", isolation_level=None)) as connection:
        yield Log(connection)


@pytest.fixture
def three(log: Log) -> Log:
    for _ in range(3):
        log.add()
    return log


@pytest.fixture
def adopted(log: Log) -> Log:
    """Two events of another installation, the adoption, and one of our own."""
    for _ in range(2):
        log.add(THEIRS)
    log.adopt()
    log.add()
    return log


def test_the_hash_of_an_event_stays_what_earlier_programs_wrote() -> None:
    row = {"seq": 1, "kind": "memory.created", "actor": "Ada \u00e9 \udcff", "ids": b"\x00"}

    assert chained(OURS, BEGINNING, row) == (
        "b0649b19b77fc8c71071c49f349a5b35e5d5a82c9e91532df260dc70f1fffa18"
    )


def test_an_empty_log_is_whole_and_nobodys(log: Log) -> None:
    assert log.check() == log.check(Head()) == ChainCheck(0)
    assert last_head(log.fetch) == Head(0, BEGINNING)
    assert is_ours(log.fetch, OURS) is None
    assert adopted_marks(log.fetch)[0] == 0
    assert digest_of(log.fetch, 1) is None
    assert log.check(Head(1, "a" * 64)) == ChainCheck(0, 1, LogFault.CUT)


def test_a_log_of_ours_is_whole_and_knows_its_head(three: Log) -> None:
    head = last_head(three.fetch)

    assert head.number == 3
    assert not head.is_anew
    assert three.check() == three.check(head) == ChainCheck(3)
    assert [digest_of(three.fetch, one) == head.digest for one in (2, 3)] == [False, True]
    assert [digest_of(three.fetch, one) for one in (0, 4)] == [None, None]
    assert (is_ours(three.fetch, OURS), is_ours(three.fetch, THEIRS)) == (True, False)


def test_one_event_is_a_log(log: Log) -> None:
    head = log.add()

    assert last_head(log.fetch) == head
    assert log.check(head) == ChainCheck(1)
    assert (is_ours(log.fetch, OURS), is_ours(log.fetch, THEIRS)) == (True, False)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("column", [*COLUMNS[1:], "chain_hash"])
def test_every_edit_of_an_event_shows_where_it_is(column: str, number: int, three: Log) -> None:
    three.run(f"UPDATE events SET {column} = x'00' WHERE seq = {number}")  # noqa: S608  ours

    # Where the last event does not fit either, nothing tells an edit from a log of others.
    assert three.check() == ChainCheck(3, number, LogFault.EDITED)
    assert is_ours(three.fetch, OURS) is (number == 1 or (number == 2 and column != "chain_hash"))


@pytest.mark.parametrize("number", [1, 2])
def test_an_event_that_is_gone_leaves_a_gap(number: int, three: Log) -> None:
    three.run(f"DELETE FROM events WHERE seq = {number}")  # noqa: S608  ours

    assert three.check() == ChainCheck(2, number, LogFault.GAP)


@pytest.mark.parametrize("n_events", [1, 2])
def test_a_log_with_another_key_is_not_ours(n_events: int, log: Log) -> None:
    for _ in range(n_events):
        log.add(THEIRS)

    assert log.check() == ChainCheck(n_events, 1, LogFault.FOREIGN)


def test_the_noted_head_shows_what_a_chain_cannot(three: Log) -> None:
    head = last_head(three.fetch)
    second = Head(2, digest_of(three.fetch, 2) or "")
    another = Head(2, "a" * 64)

    assert three.check(second) == ChainCheck(3)
    assert three.check(another) == ChainCheck(3, 2, LogFault.REPLACED)
    assert three.check(Head(3, "a" * 64)) == ChainCheck(3, 3, LogFault.REPLACED)
    three.run("DELETE FROM events WHERE seq = 3")
    assert three.check() == three.check(second) == ChainCheck(2)
    assert three.check(head) == ChainCheck(2, 3, LogFault.CUT)


def test_an_adopted_log_is_whole_and_has_two_parts(adopted: Log) -> None:
    assert adopted.check(last_head(adopted.fetch)) == ChainCheck(4, n_segments=2)
    assert adopted.check(Head(1, "a" * 64)) == ChainCheck(4, 1, LogFault.REPLACED, 2)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE events SET actor = 'x' WHERE seq = 1", (4, None, LogFault.ADOPTED_EDITED, 2)),
        ("UPDATE events SET at = 0 WHERE seq = 2", (4, None, LogFault.ADOPTED_EDITED, 2)),
        ("UPDATE events SET actor = 'x' WHERE seq = 4", (4, 4, LogFault.EDITED, 2)),
        ("DELETE FROM events WHERE seq = 1", (3, 1, LogFault.GAP, 2)),
        # Without its own word for what stands before it, that has to be ours.
        ("UPDATE events SET actor = 'x' WHERE seq = 3", (4, 1, LogFault.EDITED, 2)),
    ],
)
def test_an_edit_of_an_adopted_log_shows(
    statement: str, found: tuple[int, int | None, LogFault, int], adopted: Log
) -> None:
    adopted.run(statement)

    assert adopted.check() == ChainCheck(*found)


def test_an_edit_of_the_only_event_before_an_adoption_shows(log: Log) -> None:
    log.add(THEIRS)
    log.adopt()
    assert log.check() == ChainCheck(2, n_segments=2)

    log.run("UPDATE events SET actor = 'x' WHERE seq = 1")

    assert log.check() == ChainCheck(2, None, LogFault.ADOPTED_EDITED, 2)


def test_an_adoption_that_names_another_log_adopts_nothing(log: Log) -> None:
    log.add(THEIRS)
    log.adopt(previous="a" * 64)

    assert log.check() == ChainCheck(2, 1, LogFault.EDITED, 2)


def test_a_log_is_ours_from_our_latest_adoption_on(adopted: Log) -> None:
    adopted.adopt(THEIRS)
    adopted.add(THEIRS)
    assert adopted.check().reason is LogFault.EDITED
    adopted.adopt()

    assert adopted.check() == ChainCheck(7, n_segments=4)
    adopted.run("UPDATE events SET actor = 'x' WHERE seq = 6")
    assert adopted.check() == ChainCheck(7, None, LogFault.ADOPTED_EDITED, 4)


def test_an_adoption_by_somebody_else_does_not_end_our_own_part(adopted: Log) -> None:
    # Forged after our adoption: the part that is ours is still checked with our key.
    adopted.adopt(THEIRS)

    assert adopted.check() == ChainCheck(5, 5, LogFault.EDITED, 3)


@pytest.mark.parametrize("n_more", [0, 1])
def test_a_log_that_begins_with_an_adoption_is_one_of_ours(n_more: int, log: Log) -> None:
    log.adopt()
    for _ in range(n_more):
        log.add()

    assert log.check() == ChainCheck(1 + n_more, n_segments=2)


def test_an_adoption_tells_of_every_event_before_it(three: Log) -> None:
    n_events, marks = adopted_marks(three.fetch)
    assert (n_events, marks["previous"]) == (3, last_head(three.fetch).digest)

    three.run("UPDATE events SET actor = 'x' WHERE seq = 1")
    assert adopted_marks(three.fetch)[1]["previous"] == marks["previous"]
    assert adopted_marks(three.fetch)[1]["rows"] != marks["rows"]


def test_only_a_restore_in_a_whole_log_gives_a_head_up(three: Log) -> None:
    held = Head(7, "a" * 64)
    assert lost_head(held, 0) == {}
    assert not gave_up(three.fetch, OURS, held)

    three.add(kind=EventKind.BACKUP_RESTORED, marks={"kept": "x", **lost_head(held, 4)})

    assert gave_up(three.fetch, OURS, held)
    assert not gave_up(three.fetch, OURS, Head(7, "b" * 64))
    three.run("UPDATE events SET actor = 'x' WHERE seq = 1")
    assert not gave_up(three.fetch, OURS, held)


def test_another_event_that_names_a_head_gives_nothing_up(three: Log) -> None:
    held = Head(7, "a" * 64)
    three.add(marks=lost_head(held, 4))

    assert not gave_up(three.fetch, OURS, held)
