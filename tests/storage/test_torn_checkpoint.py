"""A program that died while it folded the WAL back leaves a file that opens with everything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.engine.connecting import connect_raw
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import integrity_faults, sqlite_world

N_MEMORIES = 120
PAGE_BYTES = 4096
SCOPE = ScopeKey.workspace(WORKSPACE_ID)


def torn(root: Path, n_pages: int, *, with_wal: bool = True) -> Path:
    """A workspace's file as a kill leaves it when so many pages had been folded back, in order."""
    kept = root / "kept"
    kept.mkdir(parents=True)
    with sqlite_world(root) as world:
        path = world.path()
        wal = path.with_name(f"{path.name}-wal")
        reader = connect_raw(path)  # holds the WAL in place
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM meta").fetchall()
        with world.store.write(WORKSPACE_ID, initiator="test") as unit:
            unit.memories.add([a_memory(f"word {'x' * 1500} {n}") for n in range(N_MEMORIES)])
            unit.commit()
        for file in (path, wal):
            shutil.copy(file, kept / file.name)
        reader.close()
    folded = path.read_bytes()[: n_pages * PAGE_BYTES]
    before = (kept / path.name).read_bytes()
    assert len(before) < path.stat().st_size
    path.write_bytes(folded + before[len(folded) :])
    if with_wal:
        shutil.copy(kept / wal.name, wal)
    return path


@pytest.mark.parametrize("n_pages", [0, 1, 2, 40])
def test_a_file_that_is_half_folded_back_opens_with_everything(
    tmp_path: Path, n_pages: int
) -> None:
    path = torn(tmp_path, n_pages)
    with sqlite_world(tmp_path) as world:
        assert world.path() == path
        with world.store.read(WORKSPACE_ID) as view:
            assert view.memories.active_counts() == {SCOPE: N_MEMORIES}
        assert integrity_faults(path) == []


def test_the_same_file_without_its_wal_is_damaged_and_left_alone(tmp_path: Path) -> None:
    path = torn(tmp_path, 1, with_wal=False)
    before = path.read_bytes()
    with sqlite_world(tmp_path) as world, pytest.raises(DatabaseCorruptError):
        world.path()
    assert path.read_bytes() == before
