from __future__ import annotations

import json
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from filelock import FileLock

from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseBusyError,
    DatabaseFullError,
    NotFoundError,
)
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.checks import identity
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.workspaces import workspace_directory
from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
from tests.support.builders import NOON, WORKSPACE_ID, a_channel
from tests.support.sqlite_store import SqliteWorld

ANOTHER = Workspace("5d1f7a60-2f5e-4a52-8a3b-2f1c7c1d9e10", "Tide tables", NOON)


def test_the_description_beside_the_database_is_readable(world: SqliteWorld) -> None:
    world.directory.create(Workspace("w9", "Hollow Crown, 三", NOON))

    path = world.databases.workspace_folder("w9") / "workspace.json"
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "id": "w9",
        "name": "Hollow Crown, 三",
        "created_at": "2026-03-14T12:00:00+00:00",
    }


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": 3, "created_at": "x"}', "\x00"])
def test_a_damaged_description_hides_nothing(world: SqliteWorld, content: str) -> None:
    folder = world.databases.workspace_folder(WORKSPACE_ID)
    (folder / "workspace.json").write_text(content, encoding="utf-8")

    assert world.directory.get(WORKSPACE_ID).name == WORKSPACE_ID
    assert len(world.directory.workspaces()) == 2


def test_what_is_no_workspace_is_not_listed(world: SqliteWorld) -> None:
    folder = world.databases.workspace_folder("notes")
    folder.mkdir()
    (folder / "readme.txt").write_text("mine", encoding="utf-8")

    assert len(world.directory.workspaces()) == 2
    with pytest.raises(NotFoundError):
        world.directory.rename(Workspace("notes", "Notes", NOON))
    with pytest.raises(ConflictError):
        world.directory.create(Workspace("notes", "Notes", NOON))
    assert (folder / "readme.txt").read_text(encoding="utf-8") == "mine"


def test_what_a_killed_program_left_half_made_is_cleared_away(world: SqliteWorld) -> None:
    half = world.databases.workspace_folder("x").with_name(".new-x")
    half.mkdir()
    (half / "agents.db").write_bytes(b"half")

    world.directory.create(Workspace("x", "Whole", NOON + timedelta(days=1)))

    assert not half.exists()
    assert world.directory.workspaces()[-1].name == "Whole"
    with world.store.read("x") as view:
        assert view.memories.active_counts() == {}


def test_a_program_that_never_ends_is_not_waited_for(world: SqliteWorld) -> None:
    directory = SqliteWorkspaceDirectory(world.databases, lock_timeout_seconds=0.01)

    with FileLock(world.root / "workspaces" / ".lock"), pytest.raises(DatabaseBusyError):
        directory.create(Workspace("w9", "Late", NOON))
    directory.create(Workspace("w9", "Late", NOON))

    assert world.directory.get("late").id == "w9"


def test_names_that_only_look_different_are_one_name(world: SqliteWorld) -> None:
    world.directory.create(Workspace("w9", "Elarinde\u0308", NOON))

    with pytest.raises(ConflictError):
        world.directory.create(Workspace("w8", "ELARINDË", NOON))
    assert world.directory.get("elarindë").id == "w9"


def test_a_workspace_is_never_there_without_its_channels(world: SqliteWorld) -> None:
    first = a_channel("general")
    world.directory.create(Workspace("w9", "Late", NOON), first)
    with world.store.read("w9") as view:
        assert view.conversations.channels(include_archived=True) == (first,)

    with pytest.raises(ConflictError):
        world.directory.create(Workspace("w8", "Later", NOON), first, first)
    assert not world.databases.workspace_folder("w8").exists()


@pytest.mark.parametrize("n_pages", [1, 2, 5, 20, 60])
def test_a_disk_that_is_full_is_said_and_nothing_is_left(
    world: SqliteWorld, n_pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = world.root / "workspaces"
    before = sorted(folder.rglob("*"))

    def on_a_small_disk(path: Path) -> sqlite3.Connection:
        connection = connect_raw(path)
        connection.execute(f"PRAGMA max_page_count = {n_pages}")
        return connection

    monkeypatch.setattr(identity, "connect_raw", on_a_small_disk)
    with pytest.raises(DatabaseFullError):
        world.directory.create(ANOTHER)
    assert sorted(folder.rglob("*")) == before

    monkeypatch.undo()
    world.directory.create(ANOTHER)
    assert ANOTHER in world.directory.workspaces()


def test_a_disk_that_fills_up_at_the_description_leaves_nothing(
    world: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = world.root / "workspaces"
    before = sorted(folder.rglob("*"))

    def full(path: Path, content: bytes) -> None:
        raise DatabaseFullError(path, f"{len(content)} bytes needed")

    monkeypatch.setattr(workspace_directory, "write_private", full)
    with pytest.raises(DatabaseFullError):
        world.directory.create(ANOTHER)
    assert sorted(folder.rglob("*")) == before
