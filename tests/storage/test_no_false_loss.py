"""What the program itself puts in the place of a file, or writes into one, is told as no loss."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.log.witness import Witness
from inklings_desktop.storage.store import SqliteStore
from tests.storage.keeping import DRAFT
from tests.storage.later_schema import AFTER_NEXT, later, path_of, version_of
from tests.storage.sample_files import opened, world_of
from tests.support.builders import NOON, WORKSPACE_ID, FixedClock, a_memory
from tests.support.damaging import damage_root
from tests.support.fake_publisher import FakePublisher
from tests.support.losses import told_as_lost
from tests.support.scrub_world import scrub_world
from tests.support.sqlite_store import sqlite_world
from tests.support.transfers import fill, transfer_bench

FILES = [None, WORKSPACE_ID]


def write(databases: Databases, workspace_id: str | None, n: int = 3) -> None:
    scope = ScopeKey.account() if workspace_id is None else ScopeKey.workspace(workspace_id)
    for _ in range(n):
        with SqliteStore(databases, FakePublisher()).write(workspace_id, initiator="Ada") as unit:
            unit.memories.add([a_memory("saltglass", scope=scope)])
            unit.commit()


def assert_nothing_lost(root: Path) -> None:
    """Neither at once nor after more was written and the program was opened again."""
    with sqlite_world(root, workspace_ids=()) as world:
        assert told_as_lost(world.databases) == {}
        for one in (None, *(one.id for one in world.directory.workspaces())):
            write(world.databases, one, 1)
        assert told_as_lost(world.databases) == {}
    with sqlite_world(root, workspace_ids=()) as world:
        assert told_as_lost(world.databases) == {}


@pytest.mark.parametrize("workspace_ids", [(), (WORKSPACE_ID,)])
def test_an_import_into_any_root_and_its_withdrawal(
    tmp_path: Path, workspace_ids: tuple[str, ...]
) -> None:
    file, root = tmp_path / "x.json", tmp_path / "root"
    with transfer_bench(tmp_path / "source") as source:
        fill(source, 2)
        source.export(file)
    with transfer_bench(root, workspace_ids=workspace_ids) as bench:
        done = bench.bring_in(file)
    assert_nothing_lost(root)
    with transfer_bench(root, seed=9, workspace_ids=()) as bench:
        bench.asked.withdraw_import(done.run_id)
    assert_nothing_lost(root)


def test_an_import_of_a_workspace_whose_folder_was_removed_by_hand(tmp_path: Path) -> None:
    file, root = tmp_path / "x.json", tmp_path / "root"
    with transfer_bench(root) as bench:
        fill(bench, 2)
        write(bench.world.databases, WORKSPACE_ID, 30)
        bench.export(file)
    shutil.rmtree(root / "workspaces" / WORKSPACE_ID)
    with transfer_bench(root, seed=9, workspace_ids=()) as bench:
        bench.bring_in(file)
    assert_nothing_lost(root)


def test_a_file_that_was_rebuilt(sample_world: Path) -> None:
    path = world_of(sample_world)
    world = path.parent.name
    with opened(sample_world) as inklings:
        for text in ("One.", "Two."):
            inklings.memories.put(MemoryDraft(ScopeKey.workspace(world), text))
    damage_root(path, "memories_by_importance")
    with opened(sample_world) as inklings:
        report = inklings.keeping.check_data(repair=True)
    assert any(one.is_repaired for one in report.findings)
    assert_nothing_lost(sample_world)


@pytest.mark.parametrize("mode", [ScrubMode.KEEP_NAMED, ScrubMode.FULL])
def test_a_scrub(tmp_path: Path, mode: ScrubMode) -> None:
    for scope in (ScopeKey.workspace(WORKSPACE_ID), ScopeKey.account()):
        with scrub_world(tmp_path) as scene:
            scene.fill(scope, "vellichor", n_memories=3)
            assert scene.scrub(scope, mode).pending is None
        assert_nothing_lost(tmp_path)


def test_what_was_salvaged_and_brought_in_again(sample_world: Path, tmp_path: Path) -> None:
    file, path = tmp_path / "x.json", world_of(sample_world)
    with opened(sample_world) as inklings:
        inklings.keeping.export_readable(path.parent.name, file)
    for root in (sample_world, tmp_path / "empty"):
        with opened(root) as inklings:
            plan = inklings.transfer.preview_import(file)
            inklings.transfer.apply_import(plan, {})
        assert_nothing_lost(root)


class _KilledError(BaseException):
    """Nothing is done any more after it."""


@pytest.mark.parametrize("is_ruined", [False, True])
@pytest.mark.parametrize("workspace_id", FILES)
def test_a_restore_that_is_killed_once_the_backup_is_in_place(
    tmp_path: Path,
    workspace_id: str | None,
    is_ruined: bool,  # noqa: FBT001  pytest hands it over
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with sqlite_world(tmp_path) as world:
        write(world.databases, workspace_id)
        keeper = SqliteBackupKeeper(world.databases, world.publisher, world.clock)
        backup = keeper.create(workspace_id)
        write(world.databases, workspace_id, 20)
    if is_ruined:
        path_of(tmp_path, workspace_id).write_bytes(b"no database any more" * 100)
    with monkeypatch.context() as patched, sqlite_world(tmp_path, workspace_ids=()) as world:
        patched.setattr(Witness, "accept", killed)
        keeper = SqliteBackupKeeper(world.databases, world.publisher, world.clock)
        with pytest.raises(_KilledError):
            keeper.restore(backup.name, DRAFT, NOON)
    assert_nothing_lost(tmp_path)


def killed(*_: object) -> None:
    raise _KilledError


@pytest.mark.parametrize("workspace_id", FILES)
def test_a_migration_and_a_backup_of_before_it(tmp_path: Path, workspace_id: str | None) -> None:
    with sqlite_world(tmp_path) as world:
        write(world.databases, workspace_id)
        keeper = SqliteBackupKeeper(world.databases, world.publisher, world.clock)
        backup = keeper.create(workspace_id)
        write(world.databases, workspace_id)
    for _ in range(2):
        with later(tmp_path) as databases:
            assert told_as_lost(databases) == {}
            write(databases, workspace_id)
            assert told_as_lost(databases) == {}
    assert version_of(path_of(tmp_path, workspace_id)) == AFTER_NEXT
    with later(tmp_path) as databases:
        keeper = SqliteBackupKeeper(databases, FakePublisher(), FixedClock())
        keeper.restore(backup.name, DRAFT, NOON)
        assert told_as_lost(databases) == {}
    with later(tmp_path) as databases:
        write(databases, workspace_id)
        assert told_as_lost(databases) == {}
