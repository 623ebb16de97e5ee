"""Damage in what follows from the rest is put right without a loss; anything else is left alone."""

from __future__ import annotations

import random
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import make_sample_world, open_inklings
from inklings_desktop.domain.backup import FindingKind
from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    InvalidValueError,
)
from inklings_desktop.domain.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.query_text import SearchMode
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from inklings_desktop.storage.derived_damage import (
    DERIVED_TABLES,
    is_only_derived_damaged,
    written_tables,
)
from inklings_desktop.storage.driver import sqlite_module
from inklings_desktop.storage.engine import connect_raw
from inklings_desktop.storage.soundness import page_faults
from inklings_desktop.usecases.retrieval import SearchRequest
from tests.storage.keeping import open_purge
from tests.support.damaging import LEAF_OF_A_TABLE, damage_root, folded, page_bytes
from tests.support.dumps import log_of, logical_dump
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings

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


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("rebuilding") / "data"
    make_sample_world(root)
    return root


@pytest.fixture
def root(sample: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample, tmp_path / "data")


def opened(root: Path) -> AbstractContextManager[Inklings]:
    return open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False)


def world_of(root: Path) -> Path:
    """The largest of the sample's workspaces."""
    return max((root / "workspaces").glob("*/agents.db"), key=lambda one: one.stat().st_size)


def test_of_a_sound_file_everything_is_attested(root: Path) -> None:
    path = world_of(root)
    folded(path)
    assert is_only_derived_damaged(path)
    assert is_only_derived_damaged(root / "agents.db")


@pytest.mark.parametrize("part", DERIVED)
def test_what_follows_is_made_again_and_everything_written_stays(root: Path, part: str) -> None:
    path = world_of(root)
    written = logical_dump(path, without=("meta", "events", *DERIVED_TABLES))
    derived = logical_dump(path, without=())
    events = log_of(path)
    damage_root(path, part)
    content = path.read_bytes()

    with opened(root) as inklings:
        me, world = inklings.caller, path.parent.name
        health = inklings.examine_place(me, world)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, True)
        assert path.read_bytes() == content
        done = inklings.repair_place(me, world)
        assert inklings.check_data(me).findings == ()
        scope = ScopeKey.workspace(world)
        found = inklings.search_memories.look(
            me, [scope], SearchRequest("tide", SearchMode.KEYWORD)
        )
        (event, *_) = inklings.list_events(me, world)

    assert done.is_whole_file
    assert done.n_memories == len(written["memories"])
    assert (root / "backups" / done.kept).read_bytes() == content
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


def test_lost_vectors_are_dropped_and_their_memories_wait_for_an_embedding(root: Path) -> None:
    path = world_of(root)
    n_vectors = len(logical_dump(path)["memory_vectors"])
    damage_root(path, "memory_vectors")
    with opened(root) as inklings:
        done = inklings.repair_place(inklings.caller, path.parent.name)
    assert logical_dump(path)["memory_vectors"] == []
    assert done.n_to_embed >= n_vectors > 0


def test_an_index_that_only_drifted_is_made_again_where_it_is_after_a_backup(root: Path) -> None:
    path = world_of(root)
    with raw(path) as connection:
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')")
    node = path.stat().st_ino
    with opened(root) as inklings:
        me, world = inklings.caller, path.parent.name
        health = inklings.examine_place(me, world)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, True)
        done = inklings.repair_place(me, world)
        assert inklings.check_data(me).findings == ()
        assert done.kept in {one.name for one in inklings.list_backups(me, world)}
    assert not done.is_whole_file
    assert path.stat().st_ino == node


def test_of_a_file_that_is_sound_by_now_nothing_is_made(root: Path) -> None:
    with opened(root) as inklings:
        done = inklings.repair_place(inklings.caller, world_of(root).parent.name)
    assert done.kept == ""
    assert list((root / "backups").glob("*/*")) == []


@pytest.mark.parametrize("table", ["memories", "named_entries", "events", "conversations"])
def test_where_something_written_is_damaged_no_repair_is_offered_or_made(
    root: Path, table: str
) -> None:
    path = world_of(root)
    damage_root(path, table)
    content = path.read_bytes()
    with opened(root) as inklings:
        me, world = inklings.caller, path.parent.name
        health = inklings.examine_place(me, world)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, False)
        with pytest.raises(DatabaseCorruptError):
            inklings.repair_place(me, world)
    assert path.read_bytes() == content
    assert list((root / "backups").glob("*/*.damaged")) == []


def test_a_row_of_which_the_indexes_say_otherwise_is_damage_that_nobody_can_put_right(
    root: Path,
) -> None:
    """A number changed in the row itself; the indexes still hold what it was."""
    path = world_of(root)
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

    assert not is_only_derived_damaged(path)
    with opened(root) as inklings:
        health = inklings.examine_place(inklings.caller, path.parent.name)
        assert health is not None
        assert (health.is_damaged, health.is_repairable) == (True, False)
    assert path.read_bytes() == content


def test_a_scrub_that_is_not_finished_goes_first(root: Path) -> None:
    path = world_of(root)
    open_purge(path)
    damage_root(path, "memories_by_change")
    content = path.read_bytes()
    with opened(root) as inklings, pytest.raises(InvalidValueError):
        inklings.repair_place(inklings.caller, path.parent.name)
    assert path.read_bytes() == content


def test_a_file_that_another_program_has_open_is_left_alone(root: Path) -> None:
    path = world_of(root)
    damage_root(path, "memories_by_change")
    with opened(root) as inklings:
        me, world = inklings.caller, path.parent.name
        other = connect_raw(path)
        try:
            other.execute("SELECT count(*) FROM meta").fetchone()
            with pytest.raises(DatabaseBusyError):
                inklings.repair_place(me, world)
        finally:
            other.close()
        assert list(path.parent.glob(".agents.db.*")) == []
        assert inklings.repair_place(me, world).is_whole_file
        assert inklings.check_data(me).findings == ()


def test_a_check_that_repairs_does_the_same_and_names_what_it_kept(root: Path) -> None:
    path = world_of(root)
    damage_root(path, "memories_by_change")
    with opened(root) as inklings:
        me = inklings.caller
        found = inklings.check_data(me)
        repaired = inklings.check_data(me, repair=True)
        after = inklings.check_data(me)
    assert [one.kind for one in found.findings] == [FindingKind.INDEX_PAGES]
    assert not found.is_damaged
    (finding,) = repaired.findings
    assert finding.is_repaired
    assert (root / "backups" / finding.detail).is_file()
    assert after.findings == ()


def test_the_account_is_repaired_the_same_way(root: Path) -> None:
    path = root / "agents.db"
    before = logical_dump(path, without=("meta", "events", *DERIVED_TABLES))
    damage_root(path, "memories_by_change")
    with opened(root) as inklings:
        done = inklings.repair_place(inklings.caller, None)
        assert inklings.check_data(inklings.caller).findings == ()
    assert (root / "backups" / done.kept).is_file()
    after = logical_dump(path, without=("meta", "events", *DERIVED_TABLES))
    assert after == before


@pytest.mark.endurance
def test_noise_anywhere_is_only_called_repairable_where_everything_written_is_there(
    root: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    """64 bytes of noise; whatever a repair is offered for gives back exactly what was written."""
    choose = random.Random(11)  # noqa: S311  where to damage guards nothing
    path = world_of(root)
    folded(path)
    good = path.read_bytes()
    wanted = _written(path)
    n_offered = 0
    for _ in range(reduced_or_full(60, 1_000)):
        at = choose.randrange(4096, len(good) - 64)
        path.write_bytes(good[:at] + choose.randbytes(64) + good[at + 64 :])
        with closing(connect_raw(path, read_only=True)) as connection:
            is_found = _is_found(connection)
        if is_found and is_only_derived_damaged(path):
            n_offered += 1
            assert _written(path) == wanted, at
    assert n_offered > 0


def _is_found(connection: sqlite3.Connection) -> bool:
    """Whether a check calls the file damaged; a letter that became another one nobody can see."""
    try:
        return page_faults(connection) > 0
    except (sqlite_module().Error, UnicodeDecodeError):
        return True


def _written(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with raw(path) as connection:
        return {
            one: connection.execute(f'SELECT * FROM "{one}" NOT INDEXED').fetchall()  # noqa: S608
            for one in written_tables(connection)
        }
