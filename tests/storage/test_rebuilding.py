"""Damage in what follows from the rest is put right without a loss; anything else is left alone."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseInUseError,
    InvalidValueError,
)
from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.storage.checks.soundness import page_faults
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.maintenance import LossyText, read_text, take_triggers_off
from inklings_desktop.storage.log.event_chain import Head
from inklings_desktop.storage.salvage.rebuilding import (
    DERIVED_TABLES,
    is_only_derived_damaged,
    written_tables,
)
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.storage.keeping import open_purge
from tests.storage.sample_files import opened, world_of
from tests.support.damaging import (
    LEAF_OF_A_TABLE,
    LEAF_OF_AN_INDEX,
    damage_root,
    folded,
    page_bytes,
)
from tests.support.dumps import log_of, logical_dump
from tests.support.sqlite_store import raw
from tests.support.wide import mostly_wide

# Each is a different part of what follows: a table's own index, an index of some rows, the blocks
# of the full-text index, its list of pages, and the rows and vectors that are made of memories.
DERIVED = (
    "sqlite_autoindex_memories_1",
    "memories_by_importance",
    "sqlite_autoindex_named_entry_revisions_1",
    "memory_fts_data",
    "memory_fts_idx",
    "memory_search",
    "memory_vectors",
    "scope_counts",
)


def test_of_a_sound_file_everything_is_attested(sample_world: Path) -> None:
    path = world_of(sample_world)
    folded(path)
    assert is_only_derived_damaged(path, Head())
    assert is_only_derived_damaged(sample_world / "agents.db", Head())


@pytest.mark.parametrize(
    "part",
    mostly_wide(
        DERIVED, every_day={"memory_fts_data", "memory_search", "memory_vectors"}.__contains__
    ),
)
def test_what_follows_is_made_again_and_everything_written_stays(
    sample_world: Path, part: str
) -> None:
    path = world_of(sample_world)
    written = logical_dump(path, without=("meta", "events", *DERIVED_TABLES))
    derived = logical_dump(path, without=())
    events = log_of(path)
    damage_root(path, part)
    content = path.read_bytes()

    with opened(sample_world) as inklings:
        world = path.parent.name
        health = inklings.keeping.examine_place(world)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, True)
        assert path.read_bytes() == content
        done = inklings.keeping.repair_place(world)
        assert inklings.keeping.check_data().findings == ()
        scope = ScopeKey.workspace(world)
        found = inklings.search.look([scope], SearchRequest("tide", SearchMode.KEYWORD))
        (event, *_) = inklings.log.list(world)

    assert done.is_whole_file
    assert done.n_memories == len(written["memories"])
    assert (sample_world / "backups" / done.kept).read_bytes() == content
    after = logical_dump(path, without=("meta", "events", *DERIVED_TABLES))
    assert after == written  # the words of the index among it
    assert log_of(path)[:-1] == events
    assert found.hits
    assert event.kind is EventKind.INDEX_REPAIRED
    again = logical_dump(path, without=())
    assert [again[key] for key in ("memory_search", "scope_counts")] == [
        derived[key] for key in ("memory_search", "scope_counts")
    ]
    if part != "memory_vectors":
        assert again["memory_vectors"] == derived["memory_vectors"]
        assert done.n_to_embed == 0
    assert list(path.parent.glob(".agents.db.*")) == []


def test_lost_vectors_are_dropped_and_their_memories_wait_for_an_embedding(
    sample_world: Path,
) -> None:
    path = world_of(sample_world)
    n_vectors = len(logical_dump(path)["memory_vectors"])
    damage_root(path, "memory_vectors")
    with opened(sample_world) as inklings:
        done = inklings.keeping.repair_place(path.parent.name)
    assert logical_dump(path)["memory_vectors"] == []
    assert done.n_to_embed >= n_vectors > 0


def test_an_index_that_only_drifted_is_made_again_where_it_is_after_a_backup(
    sample_world: Path,
) -> None:
    path = world_of(sample_world)
    with raw(path) as connection:
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')")
    node = path.stat().st_ino
    with opened(sample_world) as inklings:
        world = path.parent.name
        health = inklings.keeping.examine_place(world)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, True)
        done = inklings.keeping.repair_place(world)
        assert inklings.keeping.check_data().findings == ()
        assert done.kept in {one.name for one in inklings.keeping.list_backups(world)}
    assert not done.is_whole_file
    assert path.stat().st_ino == node


def test_of_a_file_that_is_sound_by_now_nothing_is_made(sample_world: Path) -> None:
    with opened(sample_world) as inklings:
        done = inklings.keeping.repair_place(world_of(sample_world).parent.name)
    assert done.kept == ""
    assert list((sample_world / "backups").glob("*/*")) == []


@pytest.mark.parametrize("table", ["memories", "named_entries", "events", "conversations"])
def test_where_something_written_is_damaged_no_repair_is_offered_or_made(
    sample_world: Path, table: str
) -> None:
    path = world_of(sample_world)
    damage_root(path, table)
    content = path.read_bytes()
    with opened(sample_world) as inklings:
        world = path.parent.name
        health = inklings.keeping.examine_place(world)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, False)
        with pytest.raises(DatabaseCorruptError):
            inklings.keeping.repair_place(world)
    assert path.read_bytes() == content
    assert list((sample_world / "backups").glob("*/*.damaged")) == []


def test_a_row_of_which_the_indexes_say_otherwise_is_damage_that_nobody_can_put_right(
    sample_world: Path,
) -> None:
    """A number changed in the row itself; the indexes still hold what it was."""
    path = world_of(sample_world)
    folded(path)
    with raw(path) as connection:
        (id_, at) = connection.execute(
            "SELECT id, created_at FROM memories WHERE forgotten_at IS NULL LIMIT 1"
        ).fetchone()
    content = bytearray(path.read_bytes())
    n_bytes = page_bytes(path)
    row = next(
        start + found
        for start in range(n_bytes, len(content), n_bytes)
        if content[start] == LEAF_OF_A_TABLE
        and (found := content[start : start + n_bytes].find(id_.encode())) > 0
    )
    content[content.index(int(at).to_bytes(6, "big"), row) + 5] ^= 0x01
    path.write_bytes(content)

    assert not is_only_derived_damaged(path, Head())
    with opened(sample_world) as inklings:
        health = inklings.keeping.examine_place(path.parent.name)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, False)
    assert path.read_bytes() == content


def test_a_value_that_only_an_index_of_computed_values_knows_otherwise_is_such_damage_too(
    sample_world: Path,
) -> None:
    path = world_of(sample_world)
    read_at = 1_767_225_600_123
    with raw(path) as connection:
        connection.execute(
            "UPDATE memories SET accessed_at = ? WHERE sequence ="
            " (SELECT min(sequence) FROM memories WHERE forgotten_at IS NULL)",
            (read_at,),
        )
        (id_,) = connection.execute(
            "SELECT id FROM memories WHERE accessed_at = ?", (read_at,)
        ).fetchone()
    folded(path)
    content = bytearray(path.read_bytes())
    stored = read_at.to_bytes(6, "big")
    content[content.index(stored, content.index(id_.encode())) + 5] ^= 0x01
    path.write_bytes(content)
    with raw(path) as connection:
        asked = "SELECT accessed_at FROM memories NOT INDEXED WHERE id = ?"
        assert connection.execute(asked, (id_,)).fetchone() == (read_at - 1,)
    damage_root(path, "memories_by_change")
    with opened(sample_world) as inklings:
        health = inklings.keeping.examine_place(path.parent.name)
    assert health is not None
    assert (health.is_damaged, health.is_repairable) == (True, False)


def test_where_a_row_is_missing_a_good_copy_is_offered_and_no_repair(sample_world: Path) -> None:
    """Every row that is there can be read, so only what points to the missing one tells."""
    path = world_of(sample_world)
    with opened(sample_world) as inklings:
        inklings.keeping.create_backup(path.parent.name)
    with raw(path) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        changed = connection.execute(
            "UPDATE notes SET conversation_id = 'nobody'"
            " WHERE rowid = (SELECT min(rowid) FROM notes)"
        )
        assert changed.rowcount == 1
    damage_root(path, "sqlite_autoindex_conversations_1")
    with opened(sample_world) as inklings:
        world = path.parent.name
        health = inklings.keeping.examine_place(world)
        repaired = inklings.keeping.check_data(repair=True)
    assert health is not None
    assert (health.is_damaged, health.is_repairable) == (True, False)
    assert health.copy is not None
    assert [one.kind for one in repaired.findings] == [FindingKind.PAGES]


def test_where_the_last_noted_event_is_missing_no_repair_is_offered(sample_world: Path) -> None:
    path = world_of(sample_world)
    damage_root(path, "memories_by_change")
    with opened(sample_world) as inklings:
        inklings.keeping.repair_place(path.parent.name)  # the first event of this file
    with raw(path) as connection:
        triggers = take_triggers_off(connection)
        assert connection.execute("DELETE FROM events").rowcount > 0
        for statement in triggers:
            connection.execute(statement)
    damage_root(path, "memories_by_change")
    with opened(sample_world) as inklings:
        health = inklings.keeping.examine_place(path.parent.name)
    assert health is not None
    assert (health.is_damaged, health.is_repairable) == (True, False)


def test_damage_of_an_index_that_is_too_long_to_list_hides_none_of_its_table(
    tmp_path: Path,
) -> None:
    """SQLite lists a hundred complaints; the page of the table must be among them."""
    path = tmp_path / "long.db"
    with raw(path) as connection:
        connection.execute("CREATE TABLE one (number INTEGER PRIMARY KEY, word TEXT)")
        connection.execute("CREATE INDEX one_by_word ON one (word)")
        connection.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, chain_hash TEXT)")
        rows = [(number, f"{number * 7919 % 9000:06d}{'x' * 90}") for number in range(9_000)]
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO one VALUES (?, ?)", rows)
        connection.execute("COMMIT")
    n_bytes = page_bytes(path)
    sound = bytearray(path.read_bytes())

    def emptied(kind: int, most: int) -> int:
        places = [at for at in range(n_bytes, len(sound), n_bytes) if sound[at] == kind][1:-1]
        for at in places[:most]:
            sound[at : at + n_bytes] = bytes(n_bytes)
        return len(places[:most])

    assert emptied(LEAF_OF_AN_INDEX, 200) > 100
    path.write_bytes(sound)
    assert is_only_derived_damaged(path, Head())
    assert emptied(LEAF_OF_A_TABLE, 1) == 1
    path.write_bytes(sound)
    assert not is_only_derived_damaged(path, Head())


def test_a_scrub_that_is_not_finished_goes_first(sample_world: Path) -> None:
    path = world_of(sample_world)
    open_purge(path)
    damage_root(path, "memories_by_change")
    content = path.read_bytes()
    with opened(sample_world) as inklings, pytest.raises(InvalidValueError):
        inklings.keeping.repair_place(path.parent.name)
    assert path.read_bytes() == content


def test_a_file_that_another_program_has_open_is_left_alone(sample_world: Path) -> None:
    path = world_of(sample_world)
    damage_root(path, "memories_by_change")
    with opened(sample_world) as inklings:
        world = path.parent.name
        other = connect_raw(path)
        try:
            other.execute("SELECT count(*) FROM meta").fetchone()
            with pytest.raises(DatabaseInUseError):
                inklings.keeping.repair_place(world)
        finally:
            other.close()
        assert list(path.parent.glob(".agents.db.*")) == []
        assert inklings.keeping.repair_place(world).is_whole_file
        assert inklings.keeping.check_data().findings == ()


def test_a_check_that_repairs_does_the_same_and_names_what_it_kept(sample_world: Path) -> None:
    path = world_of(sample_world)
    damage_root(path, "memories_by_change")
    with opened(sample_world) as inklings:
        found = inklings.keeping.check_data()
        repaired = inklings.keeping.check_data(repair=True)
        after = inklings.keeping.check_data()
    assert [one.kind for one in found.findings] == [FindingKind.INDEX_PAGES]
    assert not found.is_damaged
    (finding,) = repaired.findings
    assert finding.is_repaired
    assert (sample_world / "backups" / finding.detail).is_file()
    assert after.findings == ()


def test_the_account_is_repaired_the_same_way(sample_world: Path) -> None:
    path = sample_world / "agents.db"
    before = logical_dump(path, without=("meta", "events", *DERIVED_TABLES))
    damage_root(path, "memories_by_change")
    with opened(sample_world) as inklings:
        done = inklings.keeping.repair_place(None)
        assert inklings.keeping.check_data().findings == ()
    assert (sample_world / "backups" / done.kept).is_file()
    after = logical_dump(path, without=("meta", "events", *DERIVED_TABLES))
    assert after == before


@pytest.mark.endurance
def test_noise_anywhere_is_only_called_repairable_where_everything_written_is_there(
    sample_world: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    """64 bytes of noise; whatever a repair is offered for gives back exactly what was written.

    Noise over the edge of a page can spoil a row and an index at once: such a row is kept as it
    is, and seen to hold text that is none.
    """
    choose = random.Random(11)  # noqa: S311  where to damage guards nothing
    path = world_of(sample_world)
    folded(path)
    good = path.read_bytes()
    wanted = _written(path)
    n_rows = [len(rows) for rows in wanted.values()]
    n_offered = 0
    for _ in range(reduced_or_full(20, 1_000)):
        at = choose.randrange(4096, len(good) - 64)
        path.write_bytes(good[:at] + choose.randbytes(64) + good[at + 64 :])
        with closing(connect_raw(path, read_only=True)) as connection:
            is_found = _is_found(connection)
        if is_found and is_only_derived_damaged(path, Head()):
            n_offered += 1
            found = _written(path)
            assert [len(rows) for rows in found.values()] == n_rows, at
            pairs = zip(_rows(found), _rows(wanted), strict=True)
            assert all(one == other or LossyText in map(type, one) for one, other in pairs), at
    assert n_offered > 0


def _is_found(connection: sqlite3.Connection) -> bool:
    """Whether a check calls the file damaged; a letter that became another one nobody can see."""
    try:
        return page_faults(connection) > 0
    except (sqlite_module().Error, UnicodeDecodeError):
        return True


def _written(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with raw(path) as connection:
        connection.text_factory = read_text
        return {
            one: connection.execute(f'SELECT * FROM "{one}" NOT INDEXED').fetchall()  # noqa: S608
            for one in written_tables(connection)
        }


def _rows(tables: dict[str, list[tuple[object, ...]]]) -> list[tuple[object, ...]]:
    return [row for rows in tables.values() for row in rows]
