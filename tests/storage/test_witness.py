"""What a witness says of its file; ``test_lost_writes`` shows it beside a real one."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest
from filelock import FileLock

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.storage.log import witness
from inklings_desktop.storage.log.witness import WITNESS_FOLDER, Loss, NotedWrite, Witness
from inklings_desktop.storage.rows.memories import to_ms
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID

KEY = b"k" * 32
AT = to_ms(NOON)


@pytest.fixture
def one(tmp_path: Path) -> Witness:
    return Witness(tmp_path, KEY, lambda: NOON)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the witness of the workspace lies."""
    return tmp_path / WITNESS_FOLDER / WORKSPACE_ID


def note(one: Witness, numbers: Iterable[int]) -> None:
    for number in numbers:
        one.note(WORKSPACE_ID, number)


def writes(*numbers: int) -> list[NotedWrite]:
    return [NotedWrite(number, AT, 0) for number in numbers]


def test_every_write_is_told_as_it_was_noted_of_the_file_it_was_made_to(
    one: Witness, path: Path
) -> None:
    assert one.testimony(WORKSPACE_ID) == witness.Testimony([], [])
    assert one.newest(WORKSPACE_ID) == 0

    note(one, (1, 3, 2))
    one.note(WORKSPACE_ID, 4, n_scrubs=2)
    one.note(None, 9)

    assert one.testimony(WORKSPACE_ID) == witness.Testimony(
        [*writes(1, 3, 2), NotedWrite(4, AT, 2)], []
    )
    assert one.testimony(None) == witness.Testimony(writes(9), [])
    assert one.testimony(OTHER_WORKSPACE_ID) == witness.Testimony([], [])
    assert (one.newest(WORKSPACE_ID), one.newest(None)) == (4, 9)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_line_is_what_earlier_programs_wrote(one: Witness, path: Path) -> None:
    one.note(WORKSPACE_ID, 1, n_scrubs=2)

    assert path.read_bytes() == b"wrote 1 1773489600000 2 d0013a0577ee767f\n"


def test_a_loss_that_somebody_else_is_looking_at_is_not_noted_beside_them(
    one: Witness, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(one, (1, 2))
    monkeypatch.setattr(witness, "LOCK_TIMEOUT_SECONDS", 0.02)

    with FileLock(path.with_name(".lock")):
        one.compare(WORKSPACE_ID, lambda: 1)
        assert one.testimony(WORKSPACE_ID).losses == []
    for _ in range(2):
        one.compare(WORKSPACE_ID, lambda: 1)

    assert len(one.testimony(WORKSPACE_ID).losses) == 1


def test_what_is_missing_stays_on_record_until_it_is_accepted(tmp_path: Path, path: Path) -> None:
    now = NOON
    one = Witness(tmp_path, KEY, lambda: now)
    note(one, range(1, 6))
    now += timedelta(minutes=1)
    first = Loss(tuple(writes(4, 5)), to_ms(now))

    for _ in range(2):  # the second look finds nothing new
        one.compare(WORKSPACE_ID, lambda: 3)
        assert one.testimony(WORKSPACE_ID) == witness.Testimony(writes(1, 2, 3), [first])
        assert one.newest(WORKSPACE_ID) == 3
    one.note(WORKSPACE_ID, 4)
    again = NotedWrite(4, to_ms(now), 0)
    one.compare(WORKSPACE_ID, lambda: 2)

    second = Loss((*writes(3), again), to_ms(now))
    assert one.testimony(WORKSPACE_ID) == witness.Testimony(writes(1, 2), [first, second])
    one.accept(WORKSPACE_ID)
    content = path.read_bytes()
    one.accept(WORKSPACE_ID)
    assert one.testimony(WORKSPACE_ID) == witness.Testimony(writes(1, 2), [])
    assert one.newest(WORKSPACE_ID) == 2
    assert path.read_bytes() == content


def test_a_file_that_has_come_as_far_or_further_misses_nothing(one: Witness, path: Path) -> None:
    note(one, (2, 1))
    content = path.read_bytes()

    one.compare(WORKSPACE_ID, lambda: 2)
    one.compare(WORKSPACE_ID, lambda: 3)

    assert path.read_bytes() == content


def test_a_loss_is_forced_to_the_disk_and_a_write_is_not(
    one: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[int] = []
    note(one, (1,))  # which makes the folder
    monkeypatch.setattr(os, "fsync", forced.append)
    note(one, (2,))
    assert forced == []

    one.compare(WORKSPACE_ID, lambda: 1)
    assert len(forced) == 1
    one.accept(WORKSPACE_ID)
    assert len(forced) == 2


def test_a_long_witness_keeps_its_latest_writes_and_a_short_one_all(
    one: Witness, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness, "KEPT_WRITES", 3)
    note(one, (5, 1, 4, 2, 3))
    one.compare(WORKSPACE_ID, lambda: 5)
    assert one.testimony(WORKSPACE_ID).writes == writes(5, 1, 4, 2, 3)

    monkeypatch.setattr(witness, "LONG_BYTES", path.stat().st_size)
    assert not one.is_long(WORKSPACE_ID)
    monkeypatch.setattr(witness, "LONG_BYTES", path.stat().st_size - 1)
    assert one.is_long(WORKSPACE_ID)
    one.compare(WORKSPACE_ID, lambda: 5)

    assert one.testimony(WORKSPACE_ID).writes == writes(3, 4, 5)
    assert not one.is_long(WORKSPACE_ID)
    assert {each.name for each in path.parent.iterdir()} == {WORKSPACE_ID, ".lock"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_long_witness_of_a_loss_is_not_trimmed(
    one: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(one, range(1, 6))
    one.compare(WORKSPACE_ID, lambda: 4)
    monkeypatch.setattr(witness, "KEPT_WRITES", 2)
    monkeypatch.setattr(witness, "LONG_BYTES", 1)

    one.compare(WORKSPACE_ID, lambda: 4)

    assert one.testimony(WORKSPACE_ID) == witness.Testimony(
        writes(1, 2, 3, 4), [Loss(tuple(writes(5)), AT)]
    )


def test_a_witness_is_trimmed_from_half_a_mebibyte_on(one: Witness, path: Path) -> None:
    assert not one.is_long(WORKSPACE_ID)
    note(one, (1,))
    for n_bytes, is_long in ((524_288, False), (524_289, True)):
        os.truncate(path, n_bytes)
        assert one.is_long(WORKSPACE_ID) is is_long


def test_only_the_end_is_looked_at_for_how_far_a_file_came(one: Witness) -> None:
    note(one, (999, *range(1, 201)))

    assert one.newest(WORKSPACE_ID) == 200
    assert len(one.testimony(WORKSPACE_ID).writes) == 201


@pytest.mark.parametrize("stranger", ["another key", "another file", "torn", "edited"])
def test_a_line_whose_seal_does_not_fit_is_left_out(
    stranger: str, one: Witness, path: Path, tmp_path: Path
) -> None:
    note(one, (1,))
    line, other = path.read_bytes(), tmp_path / "other"
    other.mkdir()
    strangers = {
        "another key": line_of(other, key=b"x" * 32),
        "another file": line_of(other, workspace_id=OTHER_WORKSPACE_ID),
        "torn": line_of(other)[:-4],
        "edited": line.replace(b"wrote 1", b"wrote 7") + b"\xff\n",
    }

    path.write_bytes(line + strangers[stranger])

    assert one.testimony(WORKSPACE_ID).writes == writes(1)
    assert one.newest(WORKSPACE_ID) == 1


def line_of(root: Path, *, key: bytes = KEY, workspace_id: str = WORKSPACE_ID) -> bytes:
    """The last line of a witness that has noted a write."""
    Witness(root, key, lambda: NOON).note(workspace_id, 7)
    path = root / WITNESS_FOLDER / workspace_id
    return path.read_bytes().splitlines(keepends=True)[-1]


def test_a_witness_that_cannot_be_read_or_written_holds_no_write_up(
    one: Witness, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.mkdir(parents=True)
    with caplog.at_level(logging.WARNING):
        one.note(WORKSPACE_ID, 1)
        one.compare(WORKSPACE_ID, lambda: 0)
        assert one.newest(WORKSPACE_ID) == 0
    assert [record.message.split(":")[0] for record in caplog.records] == [
        "a write was not witnessed",
        "a file was not held against its witness",
        "a witness cannot be read",
    ]
    for asked in (one.testimony, one.accept, one.drop):
        with pytest.raises(StorageError):
            asked(WORKSPACE_ID)


def test_what_cannot_be_noted_as_accepted_is_said(
    one: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(one, (1, 2))
    one.compare(WORKSPACE_ID, lambda: 1)

    def refuse(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StorageError):
        one.accept(WORKSPACE_ID)


def test_a_file_that_is_gone_for_good_has_no_witness(one: Witness, path: Path) -> None:
    note(one, (1,))
    one.note(OTHER_WORKSPACE_ID, 1)

    one.drop(WORKSPACE_ID)
    one.drop(WORKSPACE_ID)

    assert [each.name for each in path.parent.iterdir()] == [OTHER_WORKSPACE_ID]
