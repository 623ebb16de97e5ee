"""What other programs do in the very instant in which a database is replaced is not lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.errors import DatabaseInUseError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.storage.engine import connecting, maintenance
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    has_wal,
    held_alone,
    replace_file,
)
from inklings_desktop.storage.engine.maintenance import bare, upkeep_connection, upkeep_transaction
from inklings_desktop.storage.engine.ways_in import open_engines
from inklings_desktop.storage.keeping import restoring
from inklings_desktop.storage.salvage import rebuilding
from inklings_desktop.storage.salvage.inspection import SqliteInspector
from tests.storage.keeping import N_MEMORIES, Keeping, keeping
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.damaging import damage_root
from tests.support.dumps import logical_dump
from tests.support.holding import Holder, a_holder
from tests.support.sqlite_store import integrity_faults, raw

REPAIRED = EventDraft(EventKind.INDEX_REPAIRED, "Ada", "person", "window")


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path) as kept:
        yield kept


def repair(kept: Keeping) -> None:
    damage_root(kept.path, "memories_forgotten")  # in which no new memory is entered
    inspector = SqliteInspector(kept.databases, kept.world.publisher)
    inspector.rebuild(WORKSPACE_ID, REPAIRED, NOON)


def restore(kept: Keeping) -> None:
    backup = kept.create()
    kept.databases.close()
    damage_root(kept.path, "memories")
    kept.restore(backup)


@pytest.mark.parametrize("put_right", [repair, restore])
def test_what_is_written_before_the_old_file_is_closed_survives_a_kill(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch, put_right: Callable[[Keeping], None]
) -> None:
    """Closing the old file must not take away the WAL under its name: it is the new file's."""
    others = []

    def replaced(finished: Path, path: Path) -> None:
        replace_file(finished, path)
        if path == kept.path:
            other = a_holder(kept.world.root)
            ask = other.__enter__()
            others.append((other, ask))
            assert ask("written in between") == "written"

    monkeypatch.setattr(rebuilding, "replace_file", replaced)
    monkeypatch.setattr(restoring, "replace_file", replaced)

    put_right(kept)

    ((other, ask),) = others
    killed(ask)
    other.__exit__(None, None, None)
    texts = [row[0] for row in rows_of(kept.path, "SELECT content FROM memories")]
    assert "written in between" in texts
    assert len(texts) == N_MEMORIES + 1
    assert integrity_faults(kept.path) == []


def test_what_a_killed_program_left_in_the_wal_is_in_the_file_before_it_is_set_aside(
    kept: Keeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should this program be killed too, the file that keeps its name has everything."""
    held, seen = rebuilding._held, list[set[str]]()

    def held_after_a_kill(path: Path) -> AbstractContextManager[sqlite3.Connection]:
        with a_holder(kept.world.root) as ask:
            assert ask("written before a kill") == "written"
            killed(ask)
        assert has_wal(path)
        return held(path)

    def replaced(finished: Path, path: Path) -> None:
        copied = tmp_path / "as_it_lies.db"
        copied.write_bytes(path.read_bytes())
        seen.append({row[0] for row in rows_of(copied, "SELECT content FROM memories")})
        replace_file(finished, path)

    monkeypatch.setattr(rebuilding, "_held", held_after_a_kill)
    monkeypatch.setattr(rebuilding, "replace_file", replaced)

    repair(kept)

    after = {row[0] for row in rows_of(kept.path, "SELECT content FROM memories")}
    assert seen == [after]
    assert "written before a kill" in after


def killed(ask: Holder) -> None:
    """Without a chance to fold the WAL back."""
    ask.process.kill()
    ask.process.wait()


def rows_of(path: Path, statement: str) -> list[tuple[Any, ...]]:
    with raw(path) as connection:
        return connection.execute(statement).fetchall()


def a_replacement(path: Path, folder: Path) -> Path:
    """The same rows in another file, but for a counter by which it is known."""
    finished = folder / "finished.db"
    with raw(path) as connection:
        connection.execute("VACUUM INTO ?", (str(finished),))
    with raw(finished) as connection:
        connection.execute("UPDATE meta SET reload_seq = 77")
        connection.execute("PRAGMA journal_mode = WAL")
    return finished


def replaced_once(path: Path, finished: Path, aside: Path) -> Callable[..., sqlite3.Connection]:
    """Connects, and lets another program be done with its replacing right after, once."""

    def connect(asked: Path, **options: bool) -> sqlite3.Connection:
        connection = connect_raw(asked, **options)
        if not aside.exists():
            aside.hardlink_to(path)
            replace_file(finished, path)
        return connection

    return connect


def test_upkeep_that_waited_for_a_replacement_works_on_the_new_file(
    kept: Keeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.databases.close()
    aside = tmp_path / "aside.db"
    connect = replaced_once(kept.path, a_replacement(kept.path, tmp_path), aside)
    content = kept.path.read_bytes()
    monkeypatch.setattr(maintenance, "connect_raw", connect)

    with upkeep_transaction(kept.path) as connection:
        bare(connection).execute("UPDATE meta SET change_seq = change_seq + 100")
        connection.commit()

    assert aside.read_bytes() == content
    assert integrity_faults(kept.path) == []
    ((before,),) = rows_of(aside, "SELECT change_seq FROM meta")
    assert rows_of(kept.path, "SELECT change_seq, reload_seq FROM meta") == [(before + 100, 77)]


def test_a_pooled_connection_that_waited_for_a_replacement_reads_the_new_file(
    kept: Keeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.databases.close()
    finished = a_replacement(kept.path, tmp_path)
    connect = replaced_once(kept.path, finished, tmp_path / "aside.db")
    monkeypatch.setattr(connecting, "connect_raw", connect)
    engines = open_engines(kept.path)
    with engines.read.connect() as reading:
        number = reading.exec_driver_sql("SELECT reload_seq FROM meta").scalar_one()
    engines.dispose()
    assert number == 77
    assert logical_dump(kept.path) == logical_dump(tmp_path / "aside.db")


def test_whoever_has_connected_cannot_lose_the_file_to_a_replacement(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What every connection sets locks the file; without that nobody would be waited for."""
    monkeypatch.setattr(connecting, "BUSY_TIMEOUT_MS", 50)
    kept.databases.close()
    engines = open_engines(kept.path)
    for one in (engines.read, engines.durable, engines.relaxed):
        with one.connect(), pytest.raises(DatabaseInUseError), held_alone(kept.path):
            pass
        one.dispose()
    with upkeep_connection(kept.path), pytest.raises(DatabaseInUseError), held_alone(kept.path):
        pass
    with held_alone(kept.path):
        assert kept.path.exists()
