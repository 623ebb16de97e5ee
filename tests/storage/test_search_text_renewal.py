"""Rows of the full-text index that an earlier version of the program made are made again, once."""

from __future__ import annotations

from pathlib import Path

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.storage.schema.marks import SEARCH_TEXT, SEARCH_TEXT_VERSION
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, integrity_faults, raw, sqlite_world

SCOPE = ScopeKey.workspace(WORKSPACE_ID)


def found(world: SqliteWorld, text: str) -> list[str]:
    with world.store.read(WORKSPACE_ID) as view:
        where = SearchRequest(text).where
        hits = view.full_text.search(
            [SCOPE], keyword_query(text), where=where, visible_to=None, limit=10
        )
    return list(hits[SCOPE].ids) if SCOPE in hits else []


def with_an_older_index(root: Path) -> tuple[Path, str]:
    """A file with a row as the first version made it; and the id of its memory."""
    with sqlite_world(root) as world:
        memory = a_memory("👑Aldric keeps K'thar.")
        with world.store.write(WORKSPACE_ID, initiator="test") as unit:
            unit.memories.add([memory])
            unit.commit()
        path = world.path()
    with raw(path) as connection:
        connection.execute("UPDATE memory_search SET body = '👑aldric keeps k''thar.'")
        connection.execute("DELETE FROM task_states WHERE kind = ?", (SEARCH_TEXT,))
    return path, memory.id


def versions(path: Path) -> list[tuple[int]]:
    with raw(path) as connection:
        return connection.execute(
            "SELECT compared_seq FROM task_states WHERE kind = ?", (SEARCH_TEXT,)
        ).fetchall()


def test_an_older_index_finds_what_this_version_finds_once_its_file_is_opened(
    tmp_path: Path,
) -> None:
    path, memory_id = with_an_older_index(tmp_path)
    with sqlite_world(tmp_path) as world:
        assert found(world, "aldric") == [memory_id]
        assert found(world, "Kthar") == [memory_id]
    assert versions(path) == [(SEARCH_TEXT_VERSION,)]
    assert integrity_faults(path) == []


def test_an_index_of_this_version_is_left_as_it_is(tmp_path: Path) -> None:
    path, _ = with_an_older_index(tmp_path)
    with sqlite_world(tmp_path) as world:
        world.path()
    with raw(path) as connection:
        connection.execute("UPDATE memory_search SET body = 'left as it is'")
    with sqlite_world(tmp_path) as world:
        assert len(found(world, "left")) == 1
