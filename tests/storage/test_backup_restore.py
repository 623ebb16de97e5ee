from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    BackupDamagedError,
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseTooNewError,
    ForeignDatabaseError,
    InvalidValueError,
    NotFoundError,
    StoppedError,
)
from inklings_desktop.domain.log.backup import BackupFault
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import MemoryAction
from inklings_desktop.storage.keeping import backup_keeper
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from inklings_desktop.usecases.ports.progress import Progress
from tests.storage.keeping import (
    DRAFT,
    N_MEMORIES,
    Keeping,
    keeping,
    open_purge,
    runs,
    runs_under_way,
)
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.dumps import log_of, logical_dump
from tests.support.holding import a_holder
from tests.support.processes import line_of, started
from tests.support.sqlite_store import integrity_faults, raw


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path) as kept:
        yield kept


def log_fault(kept: Keeping) -> object:
    """What the check of the log against its chain and its noted head finds."""
    return SqliteLogAudit(kept.databases).verify(WORKSPACE_ID).reason


def forge(path: Path, statement: str) -> None:
    """Change a log as somebody with the file in hands can."""
    with raw(path) as connection:
        connection.execute("DROP TRIGGER events_are_not_edited")
        connection.execute(statement)
        connection.execute(
            "CREATE TRIGGER events_are_not_edited BEFORE UPDATE ON events BEGIN\n"
            "    SELECT RAISE(ABORT, 'the event log is append-only');\nEND"
        )


def forget_everything(kept: Keeping) -> None:
    """Change, forget and add, so that every kind of row differs from the backup's."""
    from dataclasses import replace

    with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        with raw(kept.path) as connection:
            ids = [row[0] for row in connection.execute("SELECT id FROM memories")]
        for one in unit.memories.get_many(ids).values():
            unit.memories.save(
                replace(one, content=f"changed {one.sequence}", forgotten_at=NOON),
                expected_version=one.version,
                action=MemoryAction.FORGOTTEN,
                changed_by="Ada",
                door="window",
                changed_at=NOON,
            )
        unit.commit()
    kept.write("new one", "new two")


def test_a_restore_brings_back_every_row_and_the_log_goes_on(kept: Keeping) -> None:
    backup = kept.create()
    wanted = logical_dump(kept.path)
    forget_everything(kept)
    log = log_of(kept.path)

    restored = kept.restore(backup)

    assert logical_dump(kept.path) == wanted
    assert integrity_faults(kept.path) == []
    assert log_of(kept.path)[:-1] == log
    assert restored.event_number == len(log) + 1
    assert (restored.backup, restored.n_memories) == (backup, N_MEMORIES)
    assert log_fault(kept) is None


def test_a_turn_that_was_under_way_in_a_backup_is_parked(kept: Keeping) -> None:
    runs_under_way(kept)
    kept.restore(kept.create())
    assert runs(kept) == [("parked", "restored"), ("finished", "")]


def test_the_event_says_which_backup_and_never_what_it_holds(kept: Keeping) -> None:
    backup = kept.create()

    restored = kept.restore(backup)

    with kept.world.store.read(WORKSPACE_ID) as view:
        (event,) = view.events.latest(1)
    assert event.kind is EventKind.BACKUP_RESTORED
    assert event.counts == {"memories": N_MEMORIES, "events_lost": 0}
    assert restored.safety is not None
    assert event.marks == {
        "backup": kept.file_of(backup).stem,
        "kept": kept.file_of(restored.safety).stem,
    }


def test_the_state_before_is_kept_and_can_be_brought_back(kept: Keeping) -> None:
    backup = kept.create()
    forget_everything(kept)
    before = logical_dump(kept.path)

    restored = kept.restore(backup)
    assert restored.safety is not None
    assert logical_dump(kept.file_of(restored.safety)) == before
    kept.restore(restored.safety)

    assert logical_dump(kept.path) == before
    assert log_fault(kept) is None


@pytest.mark.endurance
def test_backup_restore_with_the_wal_of_a_killed_program_beside_it(
    kept: Keeping, reduced_or_full: Callable[[int, int], int]
) -> None:
    """R24: identical logical dump, whatever lies in the WAL."""
    for _ in range(reduced_or_full(2, 30)):
        backup = kept.create()
        wanted = logical_dump(kept.path)
        kept.databases.close()
        writer = started("tests.storage.writer_process", str(kept.world.root), "append", "0")
        assert line_of(writer) == "ready"
        for _ in range(4):
            line_of(writer)
        writer.kill()
        writer.communicate()
        assert kept.path.with_name("agents.db-wal").stat().st_size > 0

        kept.restore(backup)

        assert logical_dump(kept.path) == wanted
        assert integrity_faults(kept.path) == []
        assert log_fault(kept) is None


def test_an_older_file_put_beside_a_newer_wal_does_no_harm(kept: Keeping, tmp_path: Path) -> None:
    backup = kept.create()
    wanted = logical_dump(kept.path)
    kept.databases.close()
    old = tmp_path / "old.db"
    shutil.copy(kept.path, old)
    writer = started("tests.storage.writer_process", str(kept.world.root), "append", "0")
    for _ in range(9):
        line_of(writer)
    writer.kill()
    writer.communicate()
    kept.path.with_name("agents.db-shm").unlink()
    old.replace(kept.path)  # what copying a file back by hand does

    kept.restore(backup)

    assert logical_dump(kept.path) == wanted
    assert integrity_faults(kept.path) == []


def test_another_program_that_has_it_open_sees_it_and_writes_to_the_same_file(
    kept: Keeping,
) -> None:
    backup = kept.create()
    with a_holder(kept.world.root) as ask:
        kept.write("after the backup")
        assert ask("count") == str(N_MEMORIES + 1)

        kept.restore(backup)

        assert ask("count") == str(N_MEMORIES)
        assert ask("the other program writes on") == "written"
    with raw(kept.path) as connection:
        (n_memories,) = connection.execute("SELECT count(*) FROM memories").fetchone()
    assert n_memories == N_MEMORIES + 1
    assert integrity_faults(kept.path) == []
    assert log_fault(kept) is None


def test_whoever_shows_the_file_is_told_to_ask_again(kept: Keeping) -> None:
    backup = kept.create()
    kept.world.publisher.published.clear()

    kept.restore(backup)

    assert kept.world.publisher.published == [
        MemoryChanges(WORKSPACE_ID, rooms=True, proposals=True, reload=True, initiator="Ada")
    ]


def test_a_busy_writer_keeps_the_file_and_nothing_changes(kept: Keeping) -> None:
    backup = kept.create()
    kept.write("after the backup")
    before = logical_dump(kept.path, without=())
    with raw(kept.path) as connection:
        connection.execute("BEGIN IMMEDIATE")

        with pytest.raises(DatabaseBusyError):
            kept.restore(backup)

        connection.execute("ROLLBACK")
    assert logical_dump(kept.path, without=()) == before
    assert len(kept.keeper.kept()) == 1


def test_a_backup_with_a_forged_log_is_brought_back_only_when_that_is_accepted(
    kept: Keeping,
) -> None:
    backup = kept.create()
    forge(kept.file_of(backup), "UPDATE events SET actor = 'Mallory' WHERE seq = 1")
    kept.write("after the backup")
    before = logical_dump(kept.path, without=())
    log = log_of(kept.path)

    with pytest.raises(InvalidValueError) as caught:
        kept.restore(backup)

    assert (caught.value.rule, caught.value.limit) == ("forged_log", 1)
    assert logical_dump(kept.path, without=()) == before

    kept.keeper.restore(backup.name, DRAFT, NOON, accept_log=True)

    assert log_of(kept.path)[:-1] == log
    assert log_fault(kept) is None
    with raw(kept.path) as connection:
        (n_later,) = connection.execute(
            "SELECT count(*) FROM memories WHERE content = 'after the backup'"
        ).fetchone()
    assert n_later == 0


def test_a_backup_of_another_history_is_refused(kept: Keeping) -> None:
    backup = kept.create()
    forge(kept.file_of(backup), "UPDATE events SET chain_hash = '" + "0" * 64 + "'")
    kept.write("after the backup")
    before = logical_dump(kept.path, without=())

    with pytest.raises(InvalidValueError) as caught:
        kept.restore(backup)

    assert (caught.value.field, caught.value.rule) == ("backup", "other_history")
    assert logical_dump(kept.path, without=()) == before
    assert len(kept.keeper.kept()) == 1


def test_nothing_is_restored_while_a_scrub_is_not_finished(kept: Keeping) -> None:
    backup = kept.create()
    open_purge(kept.path)
    before = logical_dump(kept.path, without=())

    with pytest.raises(InvalidValueError) as caught:
        kept.restore(backup)

    assert (caught.value.field, caught.value.rule) == ("backup", "purge_pending")
    assert logical_dump(kept.path, without=()) == before


def test_a_log_that_lost_its_end_gets_it_back_from_the_backup(kept: Keeping) -> None:
    kept.databases.close()
    earlier = kept.path.read_bytes()
    kept.write("one more")
    backup = kept.create()
    log = log_of(kept.path)
    kept.databases.close()
    kept.path.write_bytes(earlier)

    kept.restore(backup)

    assert log_of(kept.path)[:-1] == log
    assert log_fault(kept) is None


def test_events_that_nobody_has_any_more_are_counted_and_recorded(kept: Keeping) -> None:
    backup = kept.create()
    kept.databases.close()
    earlier = kept.path.read_bytes()
    kept.write("one more")
    kept.write("and another one")
    kept.databases.close()
    kept.path.write_bytes(earlier)
    assert log_fault(kept) == "cut"

    restored = kept.restore(backup)

    assert restored.n_events_lost == 2
    with kept.world.store.read(WORKSPACE_ID) as view:
        (event,) = view.events.latest(1)
    assert event.counts["events_lost"] == 2
    assert log_fault(kept) is None


@pytest.mark.parametrize(
    ("spoil", "error", "fault"),
    [
        (lambda content: content[:-777], BackupDamagedError, BackupFault.DAMAGED),
        (lambda content: content[:4_096], BackupDamagedError, BackupFault.DAMAGED),
        (lambda _content: b"", BackupDamagedError, BackupFault.DAMAGED),
        (lambda _content: b"Dear diary,\n" * 900, BackupDamagedError, BackupFault.DAMAGED),
        (
            lambda content: content[:60] + (9).to_bytes(4, "big") + content[64:],
            DatabaseTooNewError,
            BackupFault.NEWER,
        ),
        (
            lambda content: content[:68] + (9).to_bytes(4, "big") + content[72:],
            ForeignDatabaseError,
            BackupFault.FOREIGN,
        ),
    ],
)
def test_a_bad_backup_is_refused_and_nothing_changes(
    kept: Keeping,
    spoil: Callable[[bytes], bytes],
    error: type[Exception],
    fault: BackupFault,
) -> None:
    backup = kept.create()
    path = kept.file_of(backup)
    path.write_bytes(spoil(path.read_bytes()))
    content = path.read_bytes()
    before = logical_dump(kept.path, without=())

    with pytest.raises(error):
        kept.restore(backup)

    assert logical_dump(kept.path, without=()) == before
    assert path.read_bytes() == content
    assert [one.fault for one in kept.keeper.kept()] == [fault]


def test_the_backup_of_another_workspace_is_foreign(kept: Keeping) -> None:
    backup = kept.create()
    other = kept.keeper.create(OTHER_WORKSPACE_ID)
    shutil.copy(kept.file_of(other), kept.file_of(backup))

    with pytest.raises(ForeignDatabaseError):
        kept.restore(backup)


def test_an_unknown_backup_is_not_found(kept: Keeping) -> None:
    with pytest.raises(NotFoundError):
        kept.keeper.restore("20260314T120000000Z", DRAFT, NOON)


def test_a_full_disk_is_told_before_anything_changes(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = kept.create()
    before = logical_dump(kept.path, without=())

    def full(folder: Path, n_bytes: int) -> None:
        raise DatabaseFullError(folder, f"{n_bytes}")

    monkeypatch.setattr(backup_keeper, "require_room", full)

    with pytest.raises(DatabaseFullError):
        kept.restore(backup)

    assert logical_dump(kept.path, without=()) == before


def test_a_person_can_stop_it_before_the_rows_go(kept: Keeping) -> None:
    backup = kept.create()
    kept.write("after the backup")
    before = logical_dump(kept.path, without=())
    steps: list[str] = []
    stopping = Progress(
        lambda step, _done, _total: steps.append(step), lambda: steps[-1:] == ["keep"]
    )

    with pytest.raises(StoppedError):
        kept.keeper.restore(backup.name, DRAFT, NOON, stopping)

    assert logical_dump(kept.path, without=()) == before


@pytest.mark.endurance
def test_a_kill_leaves_the_state_before_or_after(
    kept: Keeping, reduced_or_full: Callable[[int, int], int]
) -> None:
    backup = kept.create()
    wanted = logical_dump(kept.path)
    choose = random.Random(7)  # noqa: S311  when to kill guards nothing
    for _ in range(reduced_or_full(2, 100)):
        kept.databases.close()
        process = started("tests.storage.restoring_process", str(kept.world.root), backup.name)
        assert [line_of(process), line_of(process)] == ["ready", "begin"]
        time.sleep(choose.uniform(0.0, 0.25))
        process.kill()
        process.communicate()

        assert integrity_faults(kept.path) == []
        assert log_fault(kept) is None
        found = logical_dump(kept.path)
        contents = [row[6] for row in found["memories"]]
        written = contents.count("written after the backup")
        assert found == wanted or written == 1
        kept.restore(backup)
        assert logical_dump(kept.path) == wanted
