from __future__ import annotations

import errno
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from inklings_desktop.domain.errors import DatabaseFullError, DatabaseInUseError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.storage.backups import backup_making
from inklings_desktop.storage.backups.backup_making import verify_database
from inklings_desktop.storage.backups.backups import backups_of
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION
from tests.storage.freeze_schema import thaw
from tests.storage.later_schema import (
    AFTER_NEXT,
    LATER,
    NEXT,
    later,
    path_of,
    unmigrated,
    version_of,
    written,
)
from tests.storage.migrating_process import migrate, statements_of
from tests.support.builders import WORKSPACE_ID
from tests.support.dumps import Dump, log_of, logical_dump
from tests.support.processes import finished, line_of, started, tell
from tests.support.sqlite_store import integrity_faults, raw

KILLS = 4
FULL_DISKS = 4
EVERY = 10_000


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root of the schema version in use."""
    thaw(SCHEMA_VERSION, tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def statements(root: Path, tmp_path: Path) -> list[str]:
    """What all steps send to the workspace's file, in order."""
    shutil.copytree(root, tmp_path / "counted")
    return statements_of(tmp_path / "counted")


def chosen(statements: list[str], n_most: int) -> list[int]:
    """As many places as are wanted, from the first statement to the last, commits among them."""
    n_all = len(statements)
    if n_most >= n_all:
        return list(range(n_all))
    commits = {number for number, sql in enumerate(statements) if sql == "COMMIT"}
    spread = {number * (n_all - 1) // (n_most - 1) for number in range(n_most)}
    return sorted(commits | {number + 1 for number in commits if number + 1 < n_all} | spread)


def require_old_or_new(root: Path, before: Dump) -> int:
    """The version in a file that a fault has left, which is whole and comes up to date."""
    path = path_of(root, WORKSPACE_ID)
    version = version_of(path)
    found = logical_dump(path)
    assert integrity_faults(path) == []
    assert (written(found) if version == SCHEMA_VERSION else unmigrated(found)) == written(before)
    with later(root) as databases:
        databases.file(WORKSPACE_ID)
        assert SqliteLogAudit(databases).verify(WORKSPACE_ID).is_whole
    assert version_of(path) == AFTER_NEXT
    assert unmigrated(logical_dump(path)) == written(before)
    kinds = Counter(kind for _, _, kind, *_ in log_of(path))
    assert kinds[EventKind.SCHEMA_MIGRATED] == len(LATER.after(SCHEMA_VERSION))
    kept = backups_of(root, WORKSPACE_ID)
    assert [one.schema_version for one in kept] == [SCHEMA_VERSION, NEXT][: len(kept)]
    for one in kept:
        verify_database(one.path, WORKSPACE_ID, LATER)
    assert written(logical_dump(kept[0].path)) == written(before)
    return version


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_a_migration_that_is_killed_at_any_statement_is_done_or_not_begun(
    root: Path, tmp_path: Path, statements: list[str], reduced_or_full: Callable[[int, int], int]
) -> None:
    before = logical_dump(path_of(root, WORKSPACE_ID))
    numbers = [str(one) for one in chosen(statements, reduced_or_full(KILLS, EVERY))]
    copies = tmp_path / "killed"

    with started(
        "tests.storage.migrating_process", "killed", str(root), str(copies), *numbers
    ) as process:
        assert finished(process, timeout_seconds=600) == ["done"]

    versions = [require_old_or_new(copies / one, before) for one in numbers]
    assert versions == sorted(versions)
    # The last COMMIT is never reached by who is killed before it.
    assert set(versions) == {SCHEMA_VERSION, NEXT, *versions[-1:]}


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_a_root_of_the_version_before_is_killed_at_any_statement_and_keeps_every_memory(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    root, counted, copies = (tmp_path / name for name in ("before", "counted", "killed"))
    thaw(SCHEMA_VERSION - 1, root)
    shutil.copytree(root, counted)
    numbers = [str(one) for one in chosen(statements_of(counted), reduced_or_full(KILLS, EVERY))]
    before = texts_of(path_of(root, WORKSPACE_ID))

    with started(
        "tests.storage.migrating_process", "killed", str(root), str(copies), *numbers
    ) as process:
        assert finished(process, timeout_seconds=600) == ["done"]

    found = set()
    for one in numbers:
        path = path_of(copies / one, WORKSPACE_ID)
        found.add(version_of(path))
        assert (integrity_faults(path), texts_of(path)) == ([], before)
        with later(copies / one) as databases:
            databases.file(WORKSPACE_ID)
            assert SqliteLogAudit(databases).verify(WORKSPACE_ID).is_whole
        assert (version_of(path), texts_of(path)) == (AFTER_NEXT, before)
    assert found >= {SCHEMA_VERSION - 1, SCHEMA_VERSION, NEXT}


def texts_of(path: Path) -> list[tuple[str, str]]:
    """Every memory of a file of any version."""
    with raw(path) as connection:
        return connection.execute("SELECT id, content FROM memories ORDER BY id").fetchall()


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_a_disk_that_is_full_from_any_statement_on_leaves_the_file_whole(
    root: Path, tmp_path: Path, statements: list[str], reduced_or_full: Callable[[int, int], int]
) -> None:
    before = logical_dump(path_of(root, WORKSPACE_ID))
    outcomes = Counter[str]()
    for number in chosen(statements, reduced_or_full(FULL_DISKS, EVERY)):
        copy = tmp_path / f"full{number}"
        shutil.copytree(root, copy)
        try:
            migrate(copy, full_from(number))
            outcomes["done"] += 1
        except DatabaseFullError:
            outcomes["full"] += 1
        require_old_or_new(copy, before)

    assert set(outcomes) == {"done", "full"}


def full_from(number: int) -> Callable[[sqlite3.Connection, str], None]:
    """From this statement on the file cannot grow by a single page."""
    n_heard = 0

    def hear(connection: sqlite3.Connection, _sql: str) -> None:
        nonlocal n_heard
        if n_heard == number:
            (n_pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {n_pages}")
        n_heard += 1

    return hear


def test_without_room_for_the_backup_nothing_is_begun(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = path_of(root, WORKSPACE_ID)
    before = logical_dump(path, without=())

    def full(path: Path) -> None:
        raise file_error(OSError(errno.ENOSPC, "No space left on device"), path)

    with monkeypatch.context() as patched:
        patched.setattr(backup_making, "sync_file", full)
        with later(root) as databases, pytest.raises(DatabaseFullError):
            databases.file(WORKSPACE_ID)

    assert logical_dump(path, without=()) == before
    assert list((root / "backups" / WORKSPACE_ID).iterdir()) == []
    assert require_old_or_new(root, logical_dump(path)) == SCHEMA_VERSION


def test_without_room_for_the_steps_nothing_is_begun(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = path_of(root, WORKSPACE_ID)
    n_needed = 2 * path.stat().st_size + backup_making.ROOM_TO_SPARE_BYTES
    n_free = n_needed - 1

    with later(root) as databases, monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _folder: Usage(n_needed, 0, n_free))
        with pytest.raises(DatabaseFullError):
            databases.file(WORKSPACE_ID)
        assert backups_of(root, WORKSPACE_ID) == ()
        n_free = n_needed
        databases.file(WORKSPACE_ID)

    assert version_of(path) == AFTER_NEXT


def test_two_programs_at_once_bring_a_file_up_to_date_once(root: Path) -> None:
    before = logical_dump(path_of(root, WORKSPACE_ID))
    programs = [started("tests.storage.migrating_process", "open", str(root)) for _ in range(2)]
    for one in programs:
        assert line_of(one) == "ready"
    for one in programs:
        tell(one)
    for one in programs:
        with one:
            assert finished(one) == ["done"]

    assert len(backups_of(root, WORKSPACE_ID)) == 1
    assert require_old_or_new(root, before) == AFTER_NEXT


@contextmanager
def held_open(path: Path) -> Iterator[None]:
    """A program of the version before that has the file open, between two statements."""
    with raw(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("SELECT count(*) FROM memories").fetchone()
        yield


def test_nothing_is_begun_while_a_program_of_the_version_before_has_the_file_open(
    root: Path,
) -> None:
    path = path_of(root, WORKSPACE_ID)
    before = logical_dump(path, without=())

    with held_open(path), later(root) as databases, pytest.raises(DatabaseInUseError):
        databases.file(WORKSPACE_ID)

    assert backups_of(root, WORKSPACE_ID) == ()
    assert logical_dump(path, without=()) == before
    assert require_old_or_new(root, logical_dump(path)) == SCHEMA_VERSION
