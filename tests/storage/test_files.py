from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import DatabaseFullError, StorageError
from inklings_desktop.storage.engine.connecting import (
    make_folder,
    publish_new,
    remove_spare_database,
    replace_file,
    write_private,
)


def test_folders_are_made_for_the_owner_and_old_ones_left_as_they_are(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir(0o755)
    old.chmod(0o755)

    make_folder(old / "new" / "newer")
    make_folder(old / "new" / "newer")

    assert (old / "new" / "newer").stat().st_mode & 0o777 == 0o700
    assert (old / "new").stat().st_mode & 0o777 == 0o700
    assert old.stat().st_mode & 0o777 == 0o755


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_private(path, b"first")

    with pytest.raises(StorageError):
        write_private(path, b"second")

    assert path.read_bytes() == b"first"
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_first_finished_file_gets_the_name(tmp_path: Path) -> None:
    path, one, two = (tmp_path / name for name in ("file", "one", "two"))
    write_private(one, b"one")
    write_private(two, b"two")

    assert publish_new(one, path) is True
    assert publish_new(two, path) is False

    assert path.read_bytes() == b"one"
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_name_that_cannot_be_given_is_a_storage_error(tmp_path: Path) -> None:
    one = tmp_path / "one"
    write_private(one, b"one")

    with pytest.raises(StorageError):
        publish_new(one, tmp_path / "nowhere" / "file")
    write_private(one, b"one")
    with pytest.raises(StorageError):
        replace_file(one, tmp_path / "nowhere" / "file")


def test_of_a_file_that_cannot_be_written_whole_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DatabaseFullError):
        write_private(tmp_path / "one", b"text")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_of_a_database_that_was_not_finished(tmp_path: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        (tmp_path / f"fresh{suffix}").touch()
    (tmp_path / "other").touch()
    remove_spare_database(tmp_path / "fresh")
    assert [one.name for one in tmp_path.iterdir()] == ["other"]
