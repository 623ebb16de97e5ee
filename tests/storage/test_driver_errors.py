from __future__ import annotations

import errno
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    StorageError,
)
from inklings_desktop.storage.engine.driver import file_error, storage_error

PATH = Path("agents.db")


class DriverError(Exception):
    def __init__(self, code: int | None) -> None:
        super().__init__("the driver's words")
        if code is not None:
            self.sqlite_errorcode = code


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (5, DatabaseBusyError),
        (517, DatabaseBusyError),  # busy snapshot
        (6, DatabaseBusyError),
        (8, DatabaseReadOnlyError),
        (1544, DatabaseReadOnlyError),  # read-only directory
        (13, DatabaseFullError),
        (778, DatabaseFullError),  # write refused by a size limit
        (4874, DatabaseFullError),  # no room for the index of the WAL
        (11, DatabaseCorruptError),
        (267, DatabaseCorruptError),  # corrupt virtual table
        (26, DatabaseCorruptError),
        (266, StorageError),
        (14, StorageError),
    ],
)
def test_what_the_environment_does_is_a_storage_error(code: int, kind: type[StorageError]) -> None:
    error = storage_error(DriverError(code), PATH)

    assert type(error) is kind
    assert error.path == PATH
    assert error.detail == "the driver's words"


@pytest.mark.parametrize(("n_free", "kind"), [(0, DatabaseFullError), (2**20, StorageError)])
def test_input_and_output_that_fail_on_a_full_disk_failed_for_want_of_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, n_free: int, kind: type[StorageError]
) -> None:
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _folder: SimpleNamespace(total=2**20, used=0, free=n_free)
    )
    assert type(storage_error(DriverError(10), tmp_path / "agents.db")) is kind


@pytest.mark.parametrize("code", [None, 1, 19, 21])
def test_a_bug_of_ours_stays_what_it_is(code: int | None) -> None:
    assert storage_error(DriverError(code), PATH) is None


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EACCES, DatabaseReadOnlyError),
        (errno.EROFS, DatabaseReadOnlyError),
        (errno.ENOSPC, DatabaseFullError),
        (errno.EIO, StorageError),
    ],
)
def test_what_the_file_system_refuses_is_a_storage_error(
    number: int, kind: type[StorageError]
) -> None:
    error = file_error(OSError(number, "no"), PATH)

    assert type(error) is kind
    assert error.path == PATH


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("database or disk is full", DatabaseFullError),
        ("disk I/O error", StorageError),
        ("attempt to write a readonly database", DatabaseReadOnlyError),
    ],
)
def test_what_copying_a_database_tells_without_a_code_is_known_by_its_words(
    words: str, kind: type[StorageError]
) -> None:
    assert type(storage_error(Exception(words), PATH)) is kind
