"""A workspace's folder from elsewhere comes in as a copy, or not at all."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseCorruptError,
    DatabaseTooNewError,
    InvalidValueError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings

TEXT = "The bell of Wend is never rung at noon."


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A workspace's folder, as somebody copied it from another machine."""
    with open_inklings(tmp_path / "theirs", embedder=no_model()) as inklings:
        made = inklings.workspaces.create("Saltglass")
        scope = ScopeKey.workspace(made.id)
        inklings.memories.put(MemoryDraft(scope, TEXT))
        passing = [
            inklings.memories.put(MemoryDraft(scope, f"Passing {number}.")) for number in range(2)
        ]
        inklings.memories.forget([one.ref for one in passing])  # an event
    folder = tmp_path / "stick" / "a copy"
    shutil.copytree(tmp_path / "theirs" / "workspaces" / made.id, folder)
    return folder


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Inklings]:
    with open_inklings(tmp_path / "mine", embedder=no_model()) as inklings:
        inklings.workspaces.create("saltglass")
        yield inklings


def no_model() -> NullEmbedder:
    return NullEmbedder("none", "missing")


def content(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.suffix != "-shm"}


def names(inklings: Inklings) -> list[str]:
    return [one.name for one in inklings.places.workspaces()]


def test_a_copy_of_it_comes_in_under_a_free_name(mine: Inklings, outside: Path) -> None:
    before = (outside / "agents.db").read_bytes()
    made = mine.workspaces.adopt(outside)
    assert made.name == "Saltglass 2"
    assert sorted(names(mine)) == ["Saltglass 2", "saltglass"]
    page = mine.listing.browse([ScopeKey.workspace(made.id)])
    assert [one.content for one in page.entries] == [TEXT]
    assert (outside / "agents.db").read_bytes() == before
    told = {one.kind for one in mine.log.list(made.id)}
    assert EventKind.LOG_ADOPTED in told
    mine.memories.put(MemoryDraft(ScopeKey.workspace(made.id), "It can be written to."))
    database = mine.data_dir / "workspaces" / made.id / "agents.db"
    assert database.stat().st_mode & 0o077 == 0


def test_what_is_here_already_is_named_and_not_copied(mine: Inklings, outside: Path) -> None:
    made = mine.workspaces.adopt(outside)
    with pytest.raises(ConflictError) as again:
        mine.workspaces.adopt(outside)
    assert (again.value.kind, again.value.key) == ("workspace_id", made.name)
    assert len(names(mine)) == 2


@pytest.mark.parametrize("what", ["empty", "file", "gone", "text", "another"])
def test_what_holds_no_workspace_is_refused(mine: Inklings, tmp_path: Path, what: str) -> None:
    folder = tmp_path / "odd"
    if what == "file":
        folder.write_text("a file", encoding="utf-8")
    elif what != "gone":
        folder.mkdir()
    if what == "text":
        (folder / "agents.db").write_text("x" * 5_000, encoding="utf-8")
    if what == "another":
        with closing(sqlite3.connect(folder / "agents.db")) as connection, connection:
            connection.execute("CREATE TABLE meta (workspace_id TEXT)")
    with pytest.raises((InvalidValueError, DatabaseCorruptError)):
        mine.workspaces.adopt(folder)
    assert names(mine) == ["saltglass"]
    left = [one.name for one in (mine.data_dir / "workspaces").iterdir()]
    assert len([one for one in left if not one.startswith(".lock")]) == 1


def test_a_whole_data_root_is_told_apart(mine: Inklings, tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError) as refused:
        mine.workspaces.adopt(tmp_path / "mine")
    assert (refused.value.field, refused.value.rule) == ("workspace_folder", "data_root")


def test_a_newer_one_is_left_as_it_is(mine: Inklings, outside: Path) -> None:
    with closing(sqlite3.connect(outside / "agents.db")) as connection, connection:
        connection.execute("PRAGMA user_version = 9")
    before = content(outside)
    with pytest.raises(DatabaseTooNewError):
        mine.workspaces.adopt(outside)
    assert content(outside) == before
    assert names(mine) == ["saltglass"]


def test_one_with_a_trigger_of_its_own_is_not_taken_in(mine: Inklings, outside: Path) -> None:
    with closing(sqlite3.connect(outside / "agents.db")) as connection, connection:
        connection.execute(
            "CREATE TRIGGER spy AFTER INSERT ON saved_filters BEGIN DELETE FROM saved_filters; END"
        )
    with pytest.raises(DatabaseCorruptError):
        mine.workspaces.adopt(outside)
    assert names(mine) == ["saltglass"]


def test_a_damaged_description_leaves_the_id_for_a_name(mine: Inklings, outside: Path) -> None:
    (outside / "workspace.json").write_text("[1, 2", encoding="utf-8")
    made = mine.workspaces.adopt(outside)
    assert made.name == made.id
