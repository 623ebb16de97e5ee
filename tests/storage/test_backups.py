from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.backup import BackupFault
from inklings_desktop.storage.backups.backups import (
    all_backups,
    backup_folder,
    backups_of,
    find_backup,
    free_backup_path,
    remove_backup,
    remove_unfinished,
)
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION, FileKind
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.sqlite_store import raw, sqlite_world


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root with one backup of the account and one of each of two workspaces."""
    with sqlite_world(tmp_path, workspace_ids=(WORKSPACE_ID, OTHER_WORKSPACE_ID)) as world:
        paths = {one: world.path(one) for one in (None, WORKSPACE_ID, OTHER_WORKSPACE_ID)}
    for minutes, (workspace_id, path) in enumerate(paths.items()):
        folder = backup_folder(tmp_path, workspace_id)
        folder.mkdir(parents=True)
        copy = free_backup_path(folder, NOON + timedelta(minutes=minutes))
        with raw(path) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
    return tmp_path


def test_a_backup_says_whose_it_is_when_and_of_which_schema(root: Path) -> None:
    (account,) = backups_of(root, None)
    (mine,) = backups_of(root, WORKSPACE_ID)

    assert account.name == f"account/{account.path.name}"
    assert (account.kind, account.workspace_id) == (FileKind.ACCOUNT, None)
    assert (mine.kind, mine.workspace_id) == (FileKind.WORKSPACE, WORKSPACE_ID)
    assert (mine.schema_version, mine.fault) == (SCHEMA_VERSION, None)
    assert mine.created_at == NOON + timedelta(minutes=1)
    assert mine.n_bytes == mine.path.stat().st_size


def test_all_backups_come_oldest_first(root: Path) -> None:
    assert [one.workspace_id for one in all_backups(root)] == [
        None,
        WORKSPACE_ID,
        OTHER_WORKSPACE_ID,
    ]


def test_no_folder_means_no_backups(tmp_path: Path) -> None:
    assert backups_of(tmp_path, WORKSPACE_ID) == ()
    assert all_backups(tmp_path) == ()


def test_names_sort_by_age_and_are_never_taken_twice(tmp_path: Path) -> None:
    names = []
    for n in range(3):
        path = free_backup_path(tmp_path, NOON + timedelta(milliseconds=n // 2))
        path.write_bytes(b"")
        names.append(path.name)

    assert names == sorted(names)
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", BackupFault.DAMAGED),
        (b"Dear diary,\n" * 900, BackupFault.DAMAGED),
        (bytes(16_384), BackupFault.DAMAGED),
    ],
)
def test_what_is_no_database_is_damaged(root: Path, content: bytes, fault: BackupFault) -> None:
    (backup,) = backups_of(root, WORKSPACE_ID)
    backup.path.write_bytes(content)

    (found,) = backups_of(root, WORKSPACE_ID)

    assert found.fault is fault
    assert found.path.read_bytes() == content


def test_a_newer_backup_says_so(root: Path) -> None:
    (backup,) = backups_of(root, WORKSPACE_ID)
    with raw(backup.path) as connection:
        connection.execute("PRAGMA user_version = 9")

    (found,) = backups_of(root, WORKSPACE_ID)

    assert (found.schema_version, found.fault) == (9, BackupFault.NEWER)


def test_another_programs_database_and_another_workspaces_are_foreign(root: Path) -> None:
    (mine,) = backups_of(root, WORKSPACE_ID)
    (other,) = backups_of(root, OTHER_WORKSPACE_ID)
    mine.path.write_bytes(other.path.read_bytes())
    other.path.unlink()
    with raw(other.path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")

    assert [one.fault for one in backups_of(root, WORKSPACE_ID)] == [BackupFault.FOREIGN]
    assert [one.fault for one in backups_of(root, OTHER_WORKSPACE_ID)] == [BackupFault.FOREIGN]


def test_files_with_other_names_folders_and_links_are_not_ours(root: Path) -> None:
    (backup,) = backups_of(root, WORKSPACE_ID)
    folder = backup.path.parent
    (folder / "notes.db").write_bytes(b"mine")
    (folder / "20260101T120000000Z.db").mkdir()
    (folder / "20260101T120000001Z.db").symlink_to(backup.path)

    assert backups_of(root, WORKSPACE_ID) == (backup,)
    assert remove_unfinished(folder) == 0
    assert (folder / "notes.db").read_bytes() == b"mine"


def test_a_backup_is_found_by_its_place_or_its_own_name(root: Path) -> None:
    (backup,) = backups_of(root, WORKSPACE_ID)

    assert find_backup(root, backup.name) == backup
    assert find_backup(root, backup.path.name) == backup
    assert find_backup(root, backup.path.stem) == backup
    for unknown in ("", "account", "../install.key", f"{WORKSPACE_ID}/../../agents.db"):
        with pytest.raises(NotFoundError):
            find_backup(root, unknown)


def test_a_removed_backup_takes_its_side_files_along(root: Path) -> None:
    (backup,) = backups_of(root, WORKSPACE_ID)
    beside = backup.path.with_name(f"{backup.path.name}-wal")
    beside.write_bytes(b"old")

    remove_backup(backup)
    remove_backup(backup)

    assert list(backup.path.parent.iterdir()) == []
    assert len(all_backups(root)) == 2


def test_what_a_killed_run_left_is_removed(root: Path) -> None:
    folder = backup_folder(root, WORKSPACE_ID)
    (folder / ".new-17-ab").write_bytes(b"half")

    assert remove_unfinished(folder) == 1
    assert len(backups_of(root, WORKSPACE_ID)) == 1
