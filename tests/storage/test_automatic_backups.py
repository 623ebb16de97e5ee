"""Backups made on change and before a change, noted, thinned and taken away."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.background.tasks import backup_of
from inklings_desktop.domain.errors import DatabaseFullError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.backup import Backup, BackupReason
from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.storage.backups.backups import note_path
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.backing_up import keep_before
from tests.storage.keeping import N_MEMORIES, Keeping, keeping, open_purge
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_person, an_agent
from tests.support.sqlite_store import raw

CLOCK = Caller(CallerKind.CLOCK, "backup", Door.CLOCK)


@dataclass
class Disk:
    """Has as much room as a test wants."""

    found: DiskRoom = field(default_factory=lambda: DiskRoom(10**12))

    def room(self) -> DiskRoom:
        return self.found


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path) as kept:
        yield kept


def new_id() -> str:
    return str(uuid.uuid4())


def run(
    kept: Keeping, workspace_id: str | None = WORKSPACE_ID, trigger: str = "interval"
) -> Mapping[str, int]:
    world = kept.world
    return (
        asked_by(CLOCK, world, keeper=kept.keeper, disk=Disk())
        .keeping.back_up_changes(workspace_id, trigger=trigger)
        .counts
    )


def reasons(kept: Keeping) -> list[BackupReason]:
    return [one.reason for one in kept.keeper.kept_of(WORKSPACE_ID)]


def test_only_what_changed_is_backed_up(kept: Keeping) -> None:
    assert run(kept) == {"backed_up": 1}
    assert run(kept) == {}
    kept.write("the ferry runs twice")
    assert run(kept) == {"backed_up": 1}

    first, second = kept.keeper.kept_of(WORKSPACE_ID)
    assert reasons(kept) == [BackupReason.DAILY] * 2
    assert first.holdings is not None
    assert second.holdings is not None
    assert (first.holdings.n_memories, first.holdings.n_entries) == (N_MEMORIES, 1)
    assert second.holdings.n_memories == N_MEMORIES + 1


def test_starts_that_follow_each_other_closely_are_backed_up_once(kept: Keeping) -> None:
    assert run(kept, trigger="start") == {"backed_up": 1}
    kept.world.clock.advance(hours=0.05)
    kept.write("the ferry runs twice")
    assert run(kept, trigger="start") == {}
    with kept.world.store.read(WORKSPACE_ID) as view:
        state = view.tasks.state(backup_of(WORKSPACE_ID))
    assert state is not None
    assert state.next_due_at == NOON + timedelta(hours=4)  # what changed since is not left out
    kept.world.clock.advance(hours=1)
    assert run(kept, trigger="start") == {"backed_up": 1}


def test_a_file_into_which_nobody_has_written_is_not_backed_up(kept: Keeping) -> None:
    assert run(kept, None) == {}
    assert kept.keeper.kept_of(None) == ()


def test_the_clock_learns_when_it_looked_and_when_it_looks_again(kept: Keeping) -> None:
    run(kept)

    with kept.world.store.read(WORKSPACE_ID) as view:
        state = view.tasks.state(backup_of(WORKSPACE_ID))
    assert state is not None
    assert state.last_run_at == NOON
    assert state.next_due_at == NOON + timedelta(hours=4)


def test_it_leaves_a_disk_that_has_little_room_alone(kept: Keeping) -> None:
    disk = Disk(DiskRoom(1_000, 5_000))
    world = kept.world

    with pytest.raises(DatabaseFullError):
        asked_by(CLOCK, world, keeper=kept.keeper, disk=disk).keeping.back_up_changes(WORKSPACE_ID)

    assert reasons(kept) == []


def test_a_scrub_that_is_not_finished_is_waited_for(kept: Keeping) -> None:
    open_purge(kept.path)
    assert run(kept) == {}

    with raw(kept.path) as connection:
        connection.execute("DELETE FROM purges")
    assert run(kept) == {"backed_up": 1}


def test_agents_back_up_nothing(kept: Keeping) -> None:
    world = kept.world

    with pytest.raises(ScopeDeniedError):
        asked_by(
            an_agent("researcher"), world, keeper=kept.keeper, disk=Disk()
        ).keeping.back_up_changes(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        asked_by(an_agent("researcher"), keeper=kept.keeper).keeping.delete_backup("any")
    with pytest.raises(ScopeDeniedError):
        asked_by(an_agent("researcher"), keeper=kept.keeper).keeping.pin_backup("any", stays=True)


def test_they_are_thinned_as_they_age_and_their_notes_go_with_them(kept: Keeping) -> None:
    by_hand = kept.create()
    for day in range(20):
        kept.world.clock.advance(days=1)
        kept.write(f"day {day}")
        run(kept)

    left = kept.keeper.kept_of(WORKSPACE_ID)
    assert left[0] == by_hand
    assert 13 <= len(left) <= 18
    folder = kept.file_of(by_hand).parent
    assert len(list(folder.glob("*.json"))) == len(list(folder.glob("*.db"))) == len(left)


def test_before_a_consolidation_one_within_the_hour_is_enough(kept: Keeping) -> None:
    def before() -> Backup | None:
        return keep_before(kept.keeper, kept.world.clock, WORKSPACE_ID, UNHEARD)

    assert before() is not None
    kept.world.clock.advance(hours=2)
    assert before() is None  # it holds the same
    kept.write("one more")
    assert before() is not None
    kept.write("and one")
    assert before() is None

    assert reasons(kept) == [BackupReason.BEFORE_CONSOLIDATION] * 2


def test_a_person_keeps_one_and_lets_it_go_again(kept: Keeping) -> None:
    run(kept)
    (made,) = kept.keeper.kept_of(WORKSPACE_ID)
    pin = asked_by(a_person(), keeper=kept.keeper).keeping.pin_backup

    assert not made.stays
    assert pin(made.name, stays=True).stays
    assert kept.keeper.find(made.name).reason is BackupReason.DAILY
    assert not pin(made.name, stays=False).stays


def test_a_deleted_backup_is_gone_with_its_note(kept: Keeping) -> None:
    made = kept.create()
    path = kept.file_of(made)
    assert note_path(path).stat().st_mode & 0o777 == 0o600

    assert asked_by(a_person(), keeper=kept.keeper).keeping.delete_backup(made.name) == made

    assert not path.exists()
    assert not note_path(path).exists()
    with pytest.raises(NotFoundError):
        asked_by(a_person(), keeper=kept.keeper).keeping.delete_backup(made.name)


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b'{"reason": "tea", "kept": true}'])
def test_one_whose_note_says_nothing_stays_and_nobody_knows_why(kept: Keeping, said: bytes) -> None:
    made = kept.create()
    note_path(kept.file_of(made)).write_bytes(said)

    found = kept.keeper.find(made.name)

    assert found.reason is BackupReason.UNKNOWN
    assert found.stays
    assert found.holdings == made.holdings


def test_the_state_before_a_restore_says_so(kept: Keeping) -> None:
    made = kept.create()
    kept.write("later")

    safety = kept.restore(made).safety

    assert safety is not None
    assert safety.reason is BackupReason.BEFORE_RESTORE
