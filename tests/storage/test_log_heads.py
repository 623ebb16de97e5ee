from __future__ import annotations

import json
import logging
import random
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from inklings_desktop.domain.errors import DatabaseBusyError, StorageError
from inklings_desktop.domain.log.events import LogFault
from inklings_desktop.storage.engine.connecting import install_key
from inklings_desktop.storage.log import log_heads
from inklings_desktop.storage.log.event_chain import Head
from inklings_desktop.storage.log.log_heads import (
    HEADS_FILE,
    LOCK_FILE,
    HeadsState,
    LogHeads,
)
from tests.storage.test_event_log_attacks import append, rows_of, verdict
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.processes import finished, line_of, started
from tests.support.sqlite_store import SqliteWorld, sqlite_world

TIMES = 30
TIMES_ENDURANCE = 1_000
KILLS = 3
KILLS_ENDURANCE = 200


def heads(world: SqliteWorld) -> LogHeads:
    return world.databases.log_heads()


def number(world: SqliteWorld, workspace_id: str | None = WORKSPACE_ID) -> int:
    return heads(world).read().heads[workspace_id].number


def test_every_commit_with_events_moves_the_head_and_no_other_does(world: SqliteWorld) -> None:
    append(world, 1, None)
    append(world, 2)
    assert (number(world), number(world, None)) == (2, 1)
    (held,) = [head for one, head in heads(world).read().heads.items() if one == WORKSPACE_ID]
    assert held == Head(2, rows_of(world.path())[-1][-1])

    before = (world.root / HEADS_FILE).stat()
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.channels(include_archived=True)
        unit.commit()
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.events.append(unit.events.get(1), world.clock.now)
    assert number(world) == 2
    assert (world.root / HEADS_FILE).stat().st_mtime_ns == before.st_mtime_ns


def test_the_file_is_the_owners_alone_and_leaves_nothing_beside_it(world: SqliteWorld) -> None:
    append(world)
    found = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in world.root.glob("*log_heads*")
    }
    assert found == {HEADS_FILE: 0o600, LOCK_FILE: 0o600}


def test_a_head_never_goes_backward(tmp_path: Path) -> None:
    noted = LogHeads(tmp_path, b"k" * 32)
    noted.begin()
    noted.enter(None)
    digests = {n: f"{n:064d}" for n in range(10)}
    for n in (3, 2, 3, 1, 7, 5):
        noted.advance(None, Head(n, digests[n]), first=n, digest_at=digests.get)
    assert noted.read().heads == {None: Head(7, digests[7])}

    # A log that no longer holds the noted event is another one: its head stays.
    noted.advance(None, Head(9, digests[9]), first=9, digest_at=lambda _number: "0" * 64)
    assert noted.read().heads == {None: Head(7, digests[7])}


@pytest.mark.parametrize(
    ("has_file", "first", "is_anew"), [(True, 1, False), (True, 2, True), (False, 1, True)]
)
def test_a_head_that_had_to_be_there_is_marked_as_noted_anew_for_good(
    tmp_path: Path, first: int, *, has_file: bool, is_anew: bool
) -> None:
    noted = LogHeads(tmp_path, b"k" * 32)
    if has_file:
        noted.begin()
    for number in (first, first + 1):
        head = Head(number, f"{number:064d}")
        noted.advance(None, head, first=number, digest_at=lambda n: f"{n:064d}")
        assert noted.read().heads == {None: Head(number, head.digest, is_anew)}


def test_making_the_file_again_forgets_nothing(tmp_path: Path) -> None:
    noted = LogHeads(tmp_path, b"k" * 32)
    assert noted.read().state is HeadsState.MISSING
    noted.enter(None)
    assert noted.read().state is HeadsState.MISSING
    noted.begin()
    noted.enter(None)
    noted.advance(None, Head(1, "1" * 64), first=1, digest_at=lambda _number: None)
    noted.begin()
    noted.enter(None)
    assert noted.read().heads == {None: Head(1, "1" * 64)}
    # With another key it is nobody's.
    assert LogHeads(tmp_path, b"l" * 32).read().state is HeadsState.MISSING


def test_a_head_that_cannot_be_noted_stays_older_and_the_commit_stands(
    world: SqliteWorld, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(world)
    monkeypatch.setattr(log_heads, "LOCK_TIMEOUT_SECONDS", 0.05)
    with caplog.at_level(logging.WARNING), FileLock(world.root / LOCK_FILE):
        append(world, 2)
    assert "log_heads.json was not written" in caplog.text
    assert number(world) == 1
    found = verdict(world)
    assert (found.n_events, found.reason) == (3, None)

    append(world)
    assert number(world) == 4
    assert verdict(world).is_whole


def test_a_full_disk_keeps_the_older_heads(
    world: SqliteWorld, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(world)

    def refuse(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("inklings_desktop.storage.log.log_heads.os.fsync", refuse)
        append(world)
    assert "No space left on device" in caplog.text
    assert number(world) == 1
    assert verdict(world).is_whole
    append(world)
    assert number(world) == 3


def test_the_head_of_a_deleted_workspace_is_dropped(world: SqliteWorld) -> None:
    append(world)
    append(world, 1, OTHER_WORKSPACE_ID)
    heads(world).drop(OTHER_WORKSPACE_ID)
    heads(world).drop(OTHER_WORKSPACE_ID)
    assert set(heads(world).read().heads) == {WORKSPACE_ID}
    assert verdict(world).is_whole


def test_dropping_a_head_needs_the_file(
    world: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(world)
    monkeypatch.setattr(log_heads, "LOCK_TIMEOUT_SECONDS", 0.01)
    with FileLock(world.root / LOCK_FILE), pytest.raises(DatabaseBusyError):
        heads(world).drop(WORKSPACE_ID)
    assert number(world) == 1


def test_a_log_that_was_rightly_replaced_gets_another_head(world: SqliteWorld) -> None:
    append(world, 3)
    row = rows_of(world.path())[0]
    heads(world).put({WORKSPACE_ID: Head(1, row[-1])})
    assert number(world) == 1
    assert verdict(world).is_whole


def test_the_file_can_be_read_by_people(world: SqliteWorld) -> None:
    append(world)
    document = json.loads((world.root / HEADS_FILE).read_text(encoding="utf-8"))
    assert document["format"] == "inklings-log-heads"
    assert document["logs"][f"workspace {WORKSPACE_ID}"]["events"] == 1


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_two_processes_append_to_one_whole_chain(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    times = reduced_or_full(TIMES, TIMES_ENDURANCE)
    with sqlite_world(tmp_path) as world:
        append(world)
    arguments = ("tests.storage.logging_process", str(tmp_path), str(times), "-")
    writers = [started(*arguments), started(*arguments)]
    said = [finished(writer, timeout_seconds=600) for writer in writers]

    acknowledged = sorted(int(line) for lines in said for line in lines[1:])
    assert acknowledged == list(range(2, 2 * times + 2))
    with sqlite_world(tmp_path) as world:
        assert number(world) == 2 * times + 1
        found = verdict(world)
        assert (found.n_events, found.reason) == (2 * times + 1, None)
        assert len({row[3] for row in rows_of(world.path())}) == 3


@pytest.mark.parametrize("death", ["before", "between"])
def test_a_kill_between_commit_and_head_leaves_a_whole_log(tmp_path: Path, death: str) -> None:
    with sqlite_world(tmp_path) as world:
        append(world, 2)
    with started("tests.storage.logging_process", str(tmp_path), "1", death) as writer:
        assert line_of(writer) == "ready"
        assert line_of(writer) == ""
    assert writer.returncode == -9

    with sqlite_world(tmp_path) as world:
        assert number(world) == 2
        found = verdict(world)
        assert (found.n_events, found.reason) == (3, None)
        append(world)
        assert number(world) == 4
        assert verdict(world).is_whole


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_heads_are_never_ahead_of_a_log_whose_writer_is_killed(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(11)  # noqa: S311  it only chooses when to kill
    with sqlite_world(tmp_path) as world:
        append(world)
    last = 1
    for _ in range(reduced_or_full(KILLS, KILLS_ENDURANCE)):
        with started("tests.storage.logging_process", str(tmp_path), "0", "-") as writer:
            assert line_of(writer) == "ready"
            for _ in range(chance.randrange(1, 12)):
                last = int(line_of(writer))
            writer.kill()
        with sqlite_world(tmp_path) as world:
            found = verdict(world)
            assert found.reason is None
            assert found.n_events >= last
            assert last - 1 <= number(world) <= found.n_events


def test_nothing_but_the_key_and_the_noted_heads_decides(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        append(world)
        key = install_key(tmp_path)
        assert key == world.databases.key()
        (tmp_path / HEADS_FILE).write_bytes((tmp_path / HEADS_FILE).read_bytes() + b" \n")
        assert verdict(world).is_whole
        (tmp_path / HEADS_FILE).write_bytes(b"\xff\xfe not json")
        assert verdict(world).reason is LogFault.HEADS_EDITED


def test_heads_that_cannot_be_read_are_told_from_missing_ones(tmp_path: Path) -> None:
    (tmp_path / HEADS_FILE).mkdir()
    with pytest.raises(StorageError):
        LogHeads(tmp_path, b"key").read()
