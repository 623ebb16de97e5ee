from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseTooNewError,
    ForeignDatabaseError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.engine.connecting import require_writable
from inklings_desktop.storage.schema.marks import APPLICATION_ID, SCHEMA_VERSION
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID, FixedClock, a_memory
from tests.support.sqlite_store import raw, sqlite_world


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A sound workspace file that nobody has open."""
    with sqlite_world(tmp_path) as world:
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory(f"saltglass {n} " + "x" * 900) for n in range(20)])
            unit.commit()
        return world.path()


@pytest.fixture
def databases(tmp_path: Path) -> Iterator[Databases]:
    databases = Databases(tmp_path, FixedClock())
    yield databases
    databases.close()


def foreign_sqlite(path: Path) -> bytes:
    other = path.with_name("other.db")
    with raw(other) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.execute("INSERT INTO recipes VALUES ('soup')")
    content = other.read_bytes()
    other.unlink()
    return content


def patched(content: bytes, offset: int, value: bytes) -> bytes:
    return content[:offset] + value + content[offset + len(value) :]


BAD_FILES: dict[str, tuple[Callable[[bytes, Path], bytes], type[StorageError]]] = {
    "zero length": (lambda _good, _path: b"", DatabaseCorruptError),
    "one byte": (lambda _good, _path: b"S", DatabaseCorruptError),
    "picture": (
        lambda _good, _path: b"\x89PNG\r\n\x1a\n" * 999,
        DatabaseCorruptError,
    ),
    "text": (lambda _good, _path: b"Dear diary,\n" * 900, DatabaseCorruptError),
    "zeros": (lambda _good, _path: bytes(16_384), DatabaseCorruptError),
    "broken magic": (lambda good, _path: patched(good, 0, b"XXXX"), DatabaseCorruptError),
    "cut by a page": (lambda good, _path: good[:-4_096], DatabaseCorruptError),
    "cut inside a page": (lambda good, _path: good[:-777], DatabaseCorruptError),
    "cut to the first page": (lambda good, _path: good[:4_096], DatabaseCorruptError),
    "another program's": (lambda _good, path: foreign_sqlite(path), ForeignDatabaseError),
    "another application id": (
        lambda good, _path: patched(good, 68, (APPLICATION_ID + 1).to_bytes(4, "big")),
        ForeignDatabaseError,
    ),
    "newer version": (
        lambda good, _path: patched(good, 60, (99).to_bytes(4, "big")),
        DatabaseTooNewError,
    ),
    "no version": (
        lambda good, _path: patched(good, 60, (0).to_bytes(4, "big")),
        DatabaseCorruptError,
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_gets_the_right_error_and_stays_as_it_is(
    name: str, path: Path, databases: Databases
) -> None:
    make, kind = BAD_FILES[name]
    content = make(path.read_bytes(), path)
    path.write_bytes(content)
    beside = sorted(path.parent.iterdir())

    for _ in range(2):
        with pytest.raises(kind) as caught:
            databases.file(WORKSPACE_ID)
        assert type(caught.value) is kind
        assert caught.value.path == path

    assert path.read_bytes() == content
    assert sorted(path.parent.iterdir()) == beside


def test_a_newer_version_names_both_versions(path: Path, databases: Databases) -> None:
    path.write_bytes(patched(path.read_bytes(), 60, (7).to_bytes(4, "big")))

    with pytest.raises(DatabaseTooNewError) as caught:
        databases.file(WORKSPACE_ID)

    assert (caught.value.found, caught.value.supported) == (7, SCHEMA_VERSION)


def test_the_file_of_another_workspace_is_refused(path: Path, tmp_path: Path) -> None:
    with sqlite_world(tmp_path, workspace_ids=(WORKSPACE_ID, OTHER_WORKSPACE_ID)) as world:
        folder = world.databases.workspace_folder(OTHER_WORKSPACE_ID)
        shutil.copy(path, folder / "agents.db")
        content = path.read_bytes()

        with pytest.raises(ForeignDatabaseError), world.store.read(OTHER_WORKSPACE_ID):
            pass

        assert (folder / "agents.db").read_bytes() == content


def test_a_workspace_file_is_no_account_file(
    path: Path, tmp_path: Path, databases: Databases
) -> None:
    shutil.copy(path, tmp_path / "agents.db")

    with pytest.raises(ForeignDatabaseError):
        databases.file(None)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER spy AFTER INSERT ON memories BEGIN UPDATE memories SET pinned = 1; END",
        "DROP TRIGGER events_are_not_edited",
        "DROP INDEX memories_by_creation",
        "CREATE TABLE extra (a)",
    ],
)
def test_a_changed_schema_is_not_adopted(statement: str, path: Path, databases: Databases) -> None:
    with raw(path) as connection:
        connection.execute(statement)

    with pytest.raises(DatabaseCorruptError) as caught:
        databases.file(WORKSPACE_ID)

    assert caught.value.detail == "schema"


def test_a_folder_in_the_place_of_the_file_is_no_database(path: Path, databases: Databases) -> None:
    path.unlink()
    path.mkdir()

    with pytest.raises(DatabaseCorruptError):
        databases.file(WORKSPACE_ID)


def test_a_folder_that_cannot_be_made_is_a_storage_error(path: Path) -> None:
    databases = Databases(path / "beneath a file", FixedClock())

    with pytest.raises(StorageError):
        databases.file(None)


def test_a_folder_that_is_not_there_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        require_writable(tmp_path / "nowhere")


def test_a_removed_workspace_is_not_found_and_never_written_as_a_ghost(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory()])
            unit.commit()
        shutil.rmtree(world.databases.workspace_folder(WORKSPACE_ID))

        with pytest.raises(NotFoundError), world.store.write(WORKSPACE_ID, initiator="Ada"):
            pass
        with pytest.raises(NotFoundError), world.store.read(WORKSPACE_ID):
            pass

        assert not world.databases.workspace_folder(WORKSPACE_ID).exists()


def test_a_replaced_file_is_checked_and_used_instead_of_the_ghost(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        path = world.path()
        world.databases.close()
        copy = path.with_name("copy.db")
        shutil.copy(path, copy)
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("in the old file")])
            unit.commit()
        copy.replace(path)
        for side in ("-wal", "-shm"):
            path.with_name(path.name + side).unlink(missing_ok=True)

        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("in the new file")])
            unit.commit()

        with raw(path) as connection:
            rows = connection.execute("SELECT content FROM memories").fetchall()
        assert rows == [("in the new file",)]
