from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseInUseError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.storage.engine import connecting
from inklings_desktop.storage.keeping import restoring
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from tests.storage.keeping import N_MEMORIES, Keeping, keeping, runs, runs_under_way
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.dumps import log_of, logical_dump
from tests.support.holding import a_holder
from tests.support.sqlite_store import integrity_faults, raw


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path) as kept:
        yield kept


def page_of(path: Path, table: str) -> tuple[int, int]:
    with raw(path) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
        (n_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    return page, n_bytes


def damage(kept: Keeping, table: str = "memories") -> bytes:
    """Overwrite the first page of a table; what the file holds then."""
    kept.databases.close()
    page, n_bytes = page_of(kept.path, table)
    content = bytearray(kept.path.read_bytes())
    content[(page - 1) * n_bytes : page * n_bytes] = random.Random(3).randbytes(n_bytes)  # noqa: S311
    kept.path.write_bytes(content)
    return bytes(content)


def log_fault(kept: Keeping) -> object:
    return SqliteLogAudit(kept.databases).verify(WORKSPACE_ID).reason


def test_a_damaged_file_is_set_aside_and_its_log_goes_on(kept: Keeping) -> None:
    backup = kept.create()
    wanted = logical_dump(kept.path)
    kept.write("after the backup")
    log = log_of(kept.path)
    content = damage(kept)

    restored = kept.restore(backup)

    assert logical_dump(kept.path) == wanted
    assert integrity_faults(kept.path) == []
    assert log_of(kept.path)[:-1] == log
    assert (restored.safety, restored.n_events_lost) == (None, 0)
    assert restored.n_memories == N_MEMORIES
    assert restored.set_aside is not None
    aside = kept.world.root / "backups" / restored.set_aside
    assert aside.read_bytes() == content
    assert log_fault(kept) is None
    assert [one.fault for one in kept.keeper.kept()] == [None, "damaged"]


def test_a_turn_that_was_under_way_is_parked_where_a_damaged_file_is_replaced(
    kept: Keeping,
) -> None:
    runs_under_way(kept)
    backup = kept.create()
    damage(kept)
    kept.restore(backup)
    assert runs(kept) == [("parked", "restored"), ("finished", "")]


def test_events_that_the_damaged_file_no_longer_gives_are_counted(kept: Keeping) -> None:
    backup = kept.create()
    n_events = len(log_of(kept.path))
    kept.write("after the backup")
    kept.write("and more")
    damage(kept, "events")

    restored = kept.restore(backup)

    assert restored.n_events_lost == 2
    assert restored.event_number == n_events + 1
    with kept.world.store.read(WORKSPACE_ID) as view:
        (event,) = view.events.latest(1)
    assert event.counts == {"memories": N_MEMORIES, "events_lost": 2}
    assert log_fault(kept) is None


@pytest.mark.parametrize("content", [b"", b"Dear diary,\n" * 900, None])
def test_what_is_no_database_any_more_is_replaced(kept: Keeping, content: bytes | None) -> None:
    backup = kept.create()
    wanted = logical_dump(kept.path)
    kept.databases.close()
    if content is None:
        kept.path.unlink()
    else:
        kept.path.write_bytes(content)

    restored = kept.restore(backup)

    assert logical_dump(kept.path) == wanted
    assert (restored.set_aside is None) == (content is None)
    assert log_fault(kept) is None


def test_a_stale_wal_goes_aside_with_the_file_it_belongs_to(kept: Keeping) -> None:
    backup = kept.create()
    wanted = logical_dump(kept.path)
    content = damage(kept)
    wal = kept.path.with_name("agents.db-wal")
    wal.write_bytes(b"what another file had not folded in yet" * 200)

    restored = kept.restore(backup)

    assert logical_dump(kept.path) == wanted
    assert integrity_faults(kept.path) == []
    assert restored.set_aside is not None
    aside = kept.world.root / "backups" / restored.set_aside
    assert aside.read_bytes() == content
    assert aside.with_name(f"{aside.name}-wal").read_bytes().startswith(b"what another")


def test_nothing_happens_while_another_program_holds_the_damaged_file(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "BUSY_TIMEOUT_MS", 100)
    backup = kept.create()
    kept.databases.close()
    with a_holder(kept.world.root) as ask:
        content = damage(kept)

        with pytest.raises(DatabaseInUseError):
            kept.restore(backup)

        assert kept.path.read_bytes() == content
        assert len(kept.keeper.kept()) == 1
        assert ask("count") in {"0", str(N_MEMORIES), "DatabaseCorruptError"}


def test_parts_of_this_program_that_read_on_wait_until_it_is_in_place(kept: Keeping) -> None:
    backup = kept.create()
    stopping, found = threading.Event(), list[str]()
    damage(kept)

    def read_on() -> None:
        while not stopping.is_set():
            try:
                with kept.world.store.read(WORKSPACE_ID) as view:
                    found.append(str(len(view.memories.active_counts())))
            except DatabaseCorruptError:
                found.append("damaged")

    readers = [threading.Thread(target=read_on) for _ in range(2)]
    for one in readers:
        one.start()
    try:
        deadline = time.monotonic() + 10
        while "damaged" not in found and len(found) < 20:
            assert time.monotonic() < deadline
        kept.restore(backup)
        n_before = len(found)
        while len(found) < n_before + 4:
            assert time.monotonic() < deadline
    finally:
        stopping.set()
        for one in readers:
            one.join()

    assert found[-1] == "1"
    assert integrity_faults(kept.path) == []


def test_a_kill_before_the_last_step_leaves_the_damaged_file_in_its_place(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = kept.create()
    wanted = logical_dump(kept.path)
    content = damage(kept)

    def killed(_finished: Path, _path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "replace_file", killed)
        with pytest.raises(KeyboardInterrupt):
            kept.restore(backup)
    assert kept.path.read_bytes() == content

    kept.restore(backup)

    assert logical_dump(kept.path) == wanted
    assert not list(kept.path.parent.glob(".agents.db.*"))


def test_a_damaged_file_of_another_history_is_refused(kept: Keeping) -> None:
    backup = kept.create()
    with raw(kept.file_of(backup)) as connection:
        connection.execute("DROP TRIGGER events_are_not_edited")
        connection.execute("UPDATE events SET chain_hash = ?", ("0" * 64,))
        connection.execute(
            "CREATE TRIGGER events_are_not_edited BEFORE UPDATE ON events BEGIN\n"
            "    SELECT RAISE(ABORT, 'the event log is append-only');\nEND"
        )
    content = damage(kept)

    with pytest.raises(InvalidValueError) as caught:
        kept.restore(backup)

    assert caught.value.rule == "other_history"
    assert kept.path.read_bytes() == content


def test_the_folder_of_a_workspace_comes_back_from_its_backup(kept: Keeping) -> None:
    import shutil

    backup = kept.create()
    wanted = logical_dump(kept.path)
    kept.databases.close()
    shutil.rmtree(kept.path.parent)
    with pytest.raises(NotFoundError):
        kept.databases.file(WORKSPACE_ID)

    kept.restore(backup)

    assert logical_dump(kept.path) == wanted
    kept.write("and on it goes")
    assert WORKSPACE_ID in {one.id for one in kept.world.directory.workspaces()}
    assert kept.world.clock() == NOON
