"""A data root is the owner's alone, and nothing is written through links in it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.logs import file_log
from inklings_desktop.storage.scrubbing.erasure import SqliteEraser
from tests.storage.sample_files import opened
from tests.support.builders import a_person
from tests.support.sqlite_store import sqlite_world

FOLDER = 0o700


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root with one workspace and one memory in it, closed again."""
    with opened(tmp_path / "data") as inklings:
        as_person = inklings.as_caller(a_person())
        world = as_person.workspaces.create("Saltglass")
        as_person.memories.put(MemoryDraft(ScopeKey.workspace(world.id), "The bell is cracked."))
    return tmp_path / "data"


def linked(link: Path, elsewhere: Path) -> None:
    """Put a link to an empty folder in the place of one of ours."""
    elsewhere.mkdir()
    if link.exists():
        for path in sorted(link.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        link.rmdir()
    link.symlink_to(elsewhere, target_is_directory=True)


def test_a_root_that_others_may_open_is_closed_at_the_start_and_that_is_said(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root.chmod(0o777)
    with opened(root):
        assert stat.S_IMODE(root.stat().st_mode) == FOLDER
    assert [one.message for one in caplog.records if one.name == "inklings.start"] == [
        f"Other users could open {root}. It is closed to them now."
    ]


def test_a_root_opened_to_others_meanwhile_is_found_by_the_check(root: Path) -> None:
    with opened(root) as inklings:
        keeping = inklings.as_caller(a_person()).keeping
        assert keeping.check_data().findings == ()
        root.chmod(0o777)
        [found] = keeping.check_data().findings
    assert (found.kind, found.detail) == (FindingKind.LOOSENED, str(root))


def test_a_link_in_the_place_of_what_is_made_anew_goes(root: Path, tmp_path: Path) -> None:
    [world] = [one for one in (root / "workspaces").iterdir() if one.is_dir()]
    linked(root / "find", tmp_path / "elsewhere")
    linked(world / "find", tmp_path / "elsewhere of the world")
    with opened(root):
        assert not (root / "find").is_symlink()
        assert not (world / "find").is_symlink()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_log_is_not_written_through_a_link(root: Path, tmp_path: Path) -> None:
    linked(root / "logs", tmp_path / "elsewhere")
    with file_log(root):
        assert (root / "logs" / "inklings.log").is_file()
    assert not (root / "logs").is_symlink()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_linked_backups_are_named_and_neither_backups_nor_scrubs_go_through_them(
    root: Path, tmp_path: Path
) -> None:
    linked(root / "backups", tmp_path / "elsewhere")
    with opened(root) as inklings:
        keeping = inklings.as_caller(a_person()).keeping
        [found] = keeping.check_data().findings
        assert (found.kind, found.detail) == (FindingKind.LINK, "backups")
        with pytest.raises(StorageError, match="link"):
            keeping.create_backup(None)
    with (
        sqlite_world(root, workspace_ids=()) as world,
        pytest.raises(StorageError, match="link"),
    ):
        SqliteEraser(world.databases).prepare(None)
    assert not list((tmp_path / "elsewhere").iterdir())
