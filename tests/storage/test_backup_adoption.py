"""A file of the person's own among the backups: verified, and without what was scrubbed since."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    BackupDamagedError,
    ForeignDatabaseError,
    InvalidValueError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.log.events import EventDraft, EventKind
from tests.storage.keeping import N_MEMORIES, Keeping, keeping
from tests.support.asking import asked_by
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, an_agent
from tests.support.sqlite_store import raw


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path / "root") as kept:
        yield kept


@pytest.fixture
def file(kept: Keeping, tmp_path: Path) -> Path:
    """A backup that the person keeps elsewhere, and that is no managed one any more."""
    made = kept.create()
    path = tmp_path / "my-backup.db"
    shutil.move(kept.file_of(made), path)
    kept.keeper.remove([made.name])
    return path


def test_it_becomes_a_backup_that_stays_and_can_be_restored(kept: Keeping, file: Path) -> None:
    before = file.read_bytes()
    kept.write("written since")

    found = kept.keeper.adopt(file)

    assert (found.reason, found.stays, found.workspace_id) == (
        BackupReason.FROM_FILE,
        True,
        WORKSPACE_ID,
    )
    assert kept.keeper.find(found.name) == found
    assert kept.restore(found).n_memories == N_MEMORIES
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir() if one != kept.world.root] == [file.name]


def test_what_was_scrubbed_since_does_not_come_back_with_it(kept: Keeping, file: Path) -> None:
    with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.events.append(
            EventDraft(
                EventKind.SCRUB_EXECUTED,
                "Ada",
                "person",
                "cli",
                "workspace",
                WORKSPACE_ID,
                counts={"removed": N_MEMORIES},
                marks={"mode": "keep_named"},
            ),
            NOON,
        )
        unit.commit()

    found = kept.keeper.adopt(file)

    assert found.holdings is not None
    assert (found.holdings.n_memories, found.holdings.n_entries) == (0, 1)
    assert b"saltglass" in file.read_bytes()
    assert b"saltglass" not in kept.file_of(found).read_bytes()


def test_nothing_is_left_of_a_file_that_is_refused(
    kept: Keeping, file: Path, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.db"
    content = bytearray(file.read_bytes())
    content[8_192:16_384] = bytes(8_192)
    damaged.write_bytes(content)
    stranger = tmp_path / "stranger.db"
    with raw(stranger) as connection:
        connection.execute("CREATE TABLE notes (id INTEGER)")
    no_database = tmp_path / "letter.db"
    no_database.write_text("Dear Ada", encoding="utf-8")

    with pytest.raises(BackupDamagedError):
        kept.keeper.adopt(damaged)
    for path in (stranger, no_database):
        with pytest.raises(ForeignDatabaseError):
            kept.keeper.adopt(path)

    assert kept.keeper.kept_of(WORKSPACE_ID) == ()


def test_one_of_another_history_is_refused(kept: Keeping, tmp_path: Path) -> None:
    with keeping(tmp_path / "other") as other:
        other.write("another past")
        elsewhere = tmp_path / "elsewhere.db"
        shutil.copy(other.file_of(other.create()), elsewhere)
    kept.write("my own past")

    with pytest.raises(InvalidValueError) as caught:
        kept.keeper.adopt(elsewhere)

    assert caught.value.rule == "other_history"
    assert kept.keeper.kept_of(WORKSPACE_ID) == ()


def test_one_of_a_workspace_that_is_gone_is_refused(kept: Keeping, tmp_path: Path) -> None:
    path = tmp_path / "gone.db"
    shutil.copy(kept.file_of(kept.keeper.create(OTHER_WORKSPACE_ID)), path)
    kept.databases.close()
    shutil.rmtree(kept.world.root / "workspaces" / OTHER_WORKSPACE_ID)

    with pytest.raises(ForeignDatabaseError):
        kept.keeper.adopt(path)


def test_agents_bring_no_file(kept: Keeping, file: Path) -> None:
    with pytest.raises(ScopeDeniedError):
        asked_by(an_agent("researcher"), keeper=kept.keeper).keeping.adopt_backup(file)
