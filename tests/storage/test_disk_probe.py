from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.storage.workspaces.own_files import FolderDiskProbe


def test_the_system_is_asked_and_the_largest_database_counts_with_its_log(tmp_path: Path) -> None:
    for name, n_bytes in (("one", 4_000), ("two", 9_000)):
        folder = tmp_path / "workspaces" / name
        folder.mkdir(parents=True)
        (folder / "agents.db").write_bytes(bytes(n_bytes))
    (tmp_path / "workspaces" / "one" / "agents.db-wal").write_bytes(bytes(6_000))
    before = shutil.disk_usage(tmp_path).free
    room = FolderDiskProbe(tmp_path).room()
    assert room.largest_bytes == 10_000
    # Others write meanwhile; it is the same disk all the same.
    assert abs(room.free_bytes - before) < 10**9


def test_an_empty_root_has_no_database(tmp_path: Path) -> None:
    assert FolderDiskProbe(tmp_path).room().largest_bytes == 0


def test_a_folder_that_is_gone_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        FolderDiskProbe(tmp_path / "gone").room()
