from __future__ import annotations

import itertools
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from inklings_desktop.domain.background.tasks import RunState, TaskKind, TaskRun, TaskTarget
from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    InvalidValueError,
    NotFoundError,
    StoppedError,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.storage.backups import backup_making
from inklings_desktop.storage.backups.backup_making import make_backup, only_one_keeper
from inklings_desktop.storage.checks.soundness import FileState
from inklings_desktop.usecases.ports.progress import Progress
from tests.storage.keeping import Keeping, keeping, open_purge
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.dumps import log_of, logical_dump
from tests.support.processes import line_of, started
from tests.support.sqlite_store import integrity_faults, raw

A_RUN = TaskRun(
    "r1",
    TaskTarget(TaskKind.CONSOLIDATION, WORKSPACE_ID),
    "request",
    RunState.FINISHED,
    NOON,
    NOON,
)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path) as kept:
        yield kept


def files_in_backups(kept: Keeping) -> list[str]:
    folder = kept.world.root / "backups"
    found = (one.name for one in folder.rglob("*") if one.is_file())
    return sorted(one for one in found if one != ".lock" and not one.endswith("Z.json"))


def test_a_backup_holds_what_the_file_holds_its_wal_included(kept: Keeping) -> None:
    made = kept.create()

    path = kept.file_of(made)
    assert logical_dump(path, without=()) == logical_dump(kept.path, without=())
    assert integrity_faults(path) == []
    assert (made.workspace_id, made.created_at, made.fault) == (WORKSPACE_ID, NOON, None)
    assert made.n_bytes == path.stat().st_size
    assert files_in_backups(kept) == [path.name]


def test_backups_are_the_owners_alone(kept: Keeping) -> None:
    path = kept.file_of(kept.create())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_every_request_makes_one_and_scopes_stay_apart(kept: Keeping) -> None:
    made = [kept.create(), kept.create(), kept.keeper.create(None)]
    other = kept.keeper.create(OTHER_WORKSPACE_ID)

    assert kept.keeper.kept_of(WORKSPACE_ID) == tuple(made[:2])
    assert kept.keeper.kept_of(None) == (made[2],)
    assert set(kept.keeper.kept()) == {*made, other}
    assert kept.keeper.find(other.name) == other


def test_what_a_killed_run_left_goes_with_the_next_one(kept: Keeping) -> None:
    kept.create()
    left_over = kept.world.root / "backups" / WORKSPACE_ID / ".new-17-ab"
    left_over.write_bytes(b"half")

    kept.create()

    assert not left_over.exists()
    assert len(kept.keeper.kept()) == 2


def test_a_backup_is_made_while_another_program_writes(kept: Keeping) -> None:
    writer = started("tests.storage.writer_process", str(kept.world.root), "append", "0")
    try:
        assert line_of(writer) == "ready"
        acknowledged = [line_of(writer) for _ in range(3)]
        made = kept.create()
    finally:
        writer.kill()
        writer.communicate()

    path = kept.file_of(made)
    assert integrity_faults(path) == []
    with raw(path) as connection:
        runs = {row[0] for row in connection.execute("SELECT DISTINCT run_id FROM memories")}
    assert set(acknowledged) <= runs


@pytest.mark.endurance
@pytest.mark.timeout(1_800)
def test_no_backup_beside_a_writer_and_the_clock_calls_a_sound_file_damaged(
    kept: Keeping, reduced_or_full: Callable[[int, int], int]
) -> None:
    writer = started("tests.storage.writer_process", str(kept.world.root), "append", "0")
    is_over = threading.Event()

    def consolidate() -> None:
        for number in itertools.count():
            if is_over.wait(0.005):
                return
            with kept.world.store.write(WORKSPACE_ID, initiator="Ada", durable=False) as unit:
                unit.tasks.put_run(replace(A_RUN, id=f"r{number}"))
                unit.commit()

    clock = threading.Thread(target=consolidate)
    clock.start()
    try:
        assert line_of(writer) == "ready"
        for _ in range(reduced_or_full(12, 500)):
            path = kept.file_of(kept.create())
            assert integrity_faults(path) == []
            path.unlink()
    finally:
        is_over.set()
        clock.join()
        writer.kill()
        writer.communicate()


def test_a_drifted_index_is_rebuilt_in_the_copy_alone(kept: Keeping) -> None:
    with raw(kept.path) as connection:
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')")

    path = kept.file_of(kept.create())

    assert integrity_faults(path) == []
    assert integrity_faults(kept.path) != []


def test_a_damaged_file_makes_no_backup(kept: Keeping) -> None:
    kept.databases.close()
    content = bytearray(kept.path.read_bytes())
    with raw(kept.path) as connection:
        (root_page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'memories'"
        ).fetchone()
        (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    content[(root_page - 1) * page_bytes : root_page * page_bytes] = b"\xff" * page_bytes
    kept.path.write_bytes(content)

    with pytest.raises(DatabaseCorruptError):
        kept.create()

    assert files_in_backups(kept) == []


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_a_full_disk_is_told_before_anything_is_written(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(10, 9, 1))

    with pytest.raises(DatabaseFullError):
        kept.create()

    assert files_in_backups(kept) == []


def test_a_disk_that_fills_up_while_it_copies_leaves_nothing(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_path: Path, fresh: Path, _progress: Progress) -> None:
        fresh.write_bytes(b"half")
        raise DatabaseFullError(fresh, "disk full")

    monkeypatch.setattr(backup_making, "copy_database", half)

    with pytest.raises(DatabaseFullError):
        kept.create()

    assert files_in_backups(kept) == []


def test_a_copy_that_differs_does_not_count(kept: Keeping, monkeypatch: pytest.MonkeyPatch) -> None:
    true_copy = backup_making.copy_database

    def spoiled(path: Path, fresh: Path, progress: Progress) -> FileState:
        state = true_copy(path, fresh, progress)
        with raw(fresh) as connection:
            connection.execute("UPDATE meta SET change_seq = change_seq + 1")
        return state

    monkeypatch.setattr(backup_making, "copy_database", spoiled)

    with pytest.raises(DatabaseCorruptError):
        kept.create()

    assert files_in_backups(kept) == []


def test_what_the_clock_writes_meanwhile_is_no_damage(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_copy = backup_making.copy_database

    def beside_the_clock(path: Path, fresh: Path, progress: Progress) -> FileState:
        state = true_copy(path, fresh, progress)
        with raw(path) as connection:
            (before,) = connection.execute("SELECT change_seq FROM meta").fetchone()
        with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.tasks.put_run(A_RUN)
            unit.commit()
        with raw(path) as connection:
            assert connection.execute("SELECT change_seq FROM meta").fetchone() == (before,)
        return state

    monkeypatch.setattr(backup_making, "copy_database", beside_the_clock)

    assert integrity_faults(kept.file_of(kept.create())) == []


def test_a_scrub_that_commits_meanwhile_is_waited_out(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_copy = backup_making.copy_database
    tries: list[Path] = []

    def overtaken_once(path: Path, fresh: Path, progress: Progress) -> FileState:
        state = true_copy(path, fresh, progress)
        tries.append(fresh)
        if len(tries) == 1:
            with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.events.append(
                    EventDraft(EventKind.SCRUB_EXECUTED, "Ada", "person", "cli"), NOON
                )
                unit.commit()
        return state

    monkeypatch.setattr(backup_making, "copy_database", overtaken_once)

    path = kept.file_of(kept.create())

    assert log_of(path) == log_of(kept.path)
    assert files_in_backups(kept) == [path.name]


def test_a_scrub_that_commits_meanwhile_leaves_no_older_copy(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_copy = backup_making.copy_database

    def overtaken(path: Path, fresh: Path, progress: Progress) -> FileState:
        state = true_copy(path, fresh, progress)
        with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.events.append(EventDraft(EventKind.SCRUB_EXECUTED, "Ada", "person", "cli"), NOON)
            unit.commit()
        return state

    monkeypatch.setattr(backup_making, "copy_database", overtaken)

    with pytest.raises(DatabaseBusyError):
        kept.create()

    assert files_in_backups(kept) == []


def test_a_person_can_stop_it(kept: Keeping) -> None:
    steps: list[str] = []
    stopping = Progress(
        lambda step, _done, _total: steps.append(step), lambda: steps[-1:] == ["copy"]
    )

    with pytest.raises(StoppedError):
        kept.keeper.create(WORKSPACE_ID, stopping)

    assert steps == ["copy"]
    assert files_in_backups(kept) == []


def test_a_folder_that_cannot_be_written_to_says_so(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise DatabaseReadOnlyError(folder, "folder")

    monkeypatch.setattr(backup_making, "require_writable", refuse)

    with pytest.raises(DatabaseReadOnlyError):
        kept.create()


def test_an_unknown_workspace_has_no_backup(kept: Keeping) -> None:
    with pytest.raises(NotFoundError):
        kept.keeper.create("nobody")
    with pytest.raises(NotFoundError):
        kept.keeper.find("nobody/20260314T120000000Z.db")


def test_one_program_at_a_time_keeps_backups(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_making, "LOCK_TIMEOUT_SECONDS", 0.05)

    with only_one_keeper(kept.world.root), pytest.raises(DatabaseBusyError):
        kept.create()


def test_the_log_of_the_copy_ends_where_the_files_did(kept: Keeping) -> None:
    with only_one_keeper(kept.world.root):
        made = make_backup(kept.world.root, kept.path, WORKSPACE_ID, kept.world.clock)
    kept.write("later")

    assert log_of(made.path) == log_of(kept.path)[:-1]


def test_no_copy_is_made_while_a_scrub_is_not_finished(kept: Keeping) -> None:
    open_purge(kept.path)

    with pytest.raises(InvalidValueError) as caught:
        kept.create()

    assert (caught.value.field, caught.value.rule) == ("backup", "purge_pending")
    assert files_in_backups(kept) == []
