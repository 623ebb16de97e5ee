from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.storage.engine.held_bytes import HeldBytes
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.processes import finished, started
from tests.support.sqlite_store import SqliteWorld


def test_a_file_is_read_whole_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(256)) * 40)
    held = HeldBytes()

    for n_bytes in (7, 4_096, 1 << 20):
        assert b"".join(held.blocks(path, n_bytes)) == path.read_bytes()
    path.write_bytes(b"shorter")
    assert list(held.blocks(path, 4)) == [b"shor", b"ter"]

    held.close()
    held.close()


def test_a_file_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(HeldBytes().blocks(tmp_path / "missing", 10))


def test_reading_does_not_take_sqlites_locks_away(world: SqliteWorld) -> None:
    """Another program that leaves must not take our WAL for one that nobody uses."""
    path = world.path()
    wal = path.with_name(f"{path.name}-wal")
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory()])
        unit.commit()
    held = world.databases.file(WORKSPACE_ID).held_bytes

    assert b"".join(held.blocks(path, 1 << 16))[:15] == b"SQLite format 3"

    finished(started("tests.storage.held_lock_process", str(path)))
    assert wal.exists()
    assert wal.stat().st_size > 0
