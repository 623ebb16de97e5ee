"""Which automatic backups go as they age, and which never do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.log.backup import Backup, BackupFault, BackupReason, done_with
from tests.support.builders import NOON, WORKSPACE_ID

NOW = NOON + timedelta(days=2000)


def a_backup(hours_ago: float, reason: BackupReason = BackupReason.DAILY) -> Backup:
    at = NOW - timedelta(hours=hours_ago)
    return Backup(f"{WORKSPACE_ID}/{at:%Y%m%dT%H%M%S}.db", WORKSPACE_ID, at, 10, reason=reason)


def staying(backups: Iterable[Backup]) -> list[Backup]:
    found = list(backups)
    gone = {one.name for one in done_with(found, NOW)}
    return [one for one in found if one.name not in gone]


def test_of_a_year_of_days_twelve_days_ten_weeks_and_nine_months_stay() -> None:
    every_day = [a_backup(24.0 * n) for n in range(400)]

    left = staying(every_day)

    assert left[:12] == every_day[:12]
    assert 12 + 8 <= len(left) <= 12 + 10 + 9
    assert len({one.created_at.isocalendar()[:2] for one in left}) >= 10
    assert len({(one.created_at.year, one.created_at.month) for one in left}) == 9


def test_thinning_again_and_again_leaves_what_thinning_at_once_does() -> None:
    kept: list[Backup] = []
    for day in range(300, -1, -1):
        kept.append(a_backup(24.0 * day))
        now = NOW - timedelta(days=day)
        gone = {one.name for one in done_with(kept, now)}
        kept = [one for one in kept if one.name not in gone]

    months = {(one.created_at.year, one.created_at.month) for one in kept}
    assert len(months) >= 8
    assert len(kept) <= 31


def test_of_one_day_only_the_latest_stays_once_the_day_is_over() -> None:
    today = [a_backup(hours) for hours in (0.0, 4.0, 8.0)]
    long_ago = [a_backup(72.0 + hours) for hours in (0.0, 1.0, 2.0)]

    left = staying([*today, *long_ago])

    assert left[:3] == today
    assert len(left[3:]) < 3


@pytest.mark.parametrize(
    "one",
    [
        a_backup(9000.0, BackupReason.BY_HAND),
        a_backup(9000.0, BackupReason.FROM_FILE),
        a_backup(9000.0, BackupReason.UNKNOWN),
        replace(a_backup(9000.0), is_pinned=True),
        replace(a_backup(9000.0), fault=BackupFault.DAMAGED),
    ],
)
def test_what_a_person_made_or_keeps_and_what_is_wrong_stays(one: Backup) -> None:
    newer = [a_backup(24.0 * n) for n in range(300)]

    assert one in staying([*newer, one])


def test_before_a_change_the_five_newest_of_a_kind_stay() -> None:
    imports = [a_backup(30.0 + n, BackupReason.BEFORE_IMPORT) for n in range(8)]
    update = a_backup(9000.0, BackupReason.BEFORE_UPDATE)

    assert staying([*imports, update]) == [*imports[:5], update]


def test_the_only_one_stays_however_old() -> None:
    assert done_with([a_backup(99_999.0)], NOW) == ()
    assert done_with([], NOW) == ()
