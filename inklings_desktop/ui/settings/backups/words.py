"""Backups in words: when and why each was made, what it holds, how the files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.log.backup import BackupFault, BackupReason
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import exact_time

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Backup, CheckReport


@dataclass(frozen=True, slots=True)
class BackupRow:
    """One backup as the table shows it; every text is final.

    Attributes:
        name: Names it.
        made: When.
        why: Why.
        holds: How much is in it.
        size: Its size.
        stays: Whether only a person removes it.
        can_restore: Whether it can be compared and restored.
        spoken: The whole row in one sentence.
    """

    name: str
    made: str
    why: str
    holds: str
    size: str
    stays: bool
    can_restore: bool
    spoken: str


@dataclass(frozen=True, slots=True)
class DataPlaces:
    """Where the data lies.

    Attributes:
        workspace: Folder of the open workspace.
        workspace_bytes: Of its database.
        account: The account's database.
        account_bytes: Its size.
        free_bytes: What the disk has left; None where it does not say.
    """

    workspace: Path
    workspace_bytes: int
    account: Path
    account_bytes: int
    free_bytes: int | None


def size_words(n_bytes: int) -> str:
    """A size as a person reads it: ``4.2 MB``."""
    return QLocale().formattedDataSize(n_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def made_words(at: datetime, now: datetime) -> str:
    """When something was made: ``today 10:30``, ``13 Mar, 10:31``, or with its year."""
    local, today = on_the_wall(at), on_the_wall(now)
    if local.date() == today.date():
        return tr("today {time}").format(time=f"{local:%H:%M}")
    whole = exact_time(at)
    return whole.replace(f" {local.year},", ",") if local.year == today.year else whole


def reason_words(reason: BackupReason) -> str:
    """Why a backup was made."""
    return {
        BackupReason.DAILY: tr("automatically"),
        BackupReason.BY_HAND: tr("by hand"),
        BackupReason.BEFORE_IMPORT: tr("before an import"),
        BackupReason.BEFORE_CONSOLIDATION: tr("before a consolidation"),
        BackupReason.BEFORE_RESTORE: tr("before a restore"),
        BackupReason.BEFORE_UPDATE: tr("before an update"),
        BackupReason.BEFORE_REPAIR: tr("before a repair"),
        BackupReason.FROM_FILE: tr("from a file"),
        BackupReason.UNKNOWN: tr("not noted"),
    }[reason]


def backup_row(backup: Backup, now: datetime) -> BackupRow:
    """One backup as a row."""
    made, size = made_words(backup.created_at, now), size_words(backup.n_bytes)
    why = reason_words(backup.reason)
    if backup.is_pinned or backup.reason is BackupReason.BY_HAND:
        why = tr("{why}, kept").format(why=why)
    holds = _fault_words(backup.fault)
    if backup.fault is None and backup.holdings is not None:
        holds = counted(backup.holdings.n_memories, "1 memory", "{n} memories")
    return BackupRow(
        backup.name,
        made,
        why,
        holds,
        size,
        backup.stays,
        backup.fault is None,
        ", ".join(part for part in (made, why, holds, size) if part),
    )


def _fault_words(fault: BackupFault | None) -> str:
    return {
        None: "",
        BackupFault.DAMAGED: tr("damaged"),
        BackupFault.FOREIGN: tr("not of this place"),
        BackupFault.NEWER: tr("from a newer Inklings"),
    }[fault]


@dataclass(frozen=True, slots=True)
class Health:
    """What is known of the files.

    Attributes:
        report: Of the last check since the start; None before one.
        checked_at: When that was.
        copied_at: When this world was last copied, each page read and the copy checked; None
            where it was not yet.
    """

    report: CheckReport | None = None
    checked_at: datetime | None = None
    copied_at: datetime | None = None


def health_words(health: Health) -> tuple[str, str, str]:
    """How the files are: an icon, its role, and the words."""
    report = health.report
    if report is None and health.copied_at is None:
        return "circle-dashed", "inkFaint", tr("not looked at yet")
    if report is None:
        return "check-circle", "accent", tr("no damage found")
    if report.is_damaged:
        return "warning-circle", "madder", tr("damage found: see inklings check")
    if not report.is_clean:
        return "warning", "ochre", tr("nothing lost, something to repair: inklings check --repair")
    return "check-circle", "accent", tr("no damage found")


def checked_words(health: Health, now: datetime) -> str:
    """When the files were last looked at."""
    if health.checked_at is not None:
        return made_words(health.checked_at, now)
    if health.copied_at is None:
        return tr("not yet")
    return tr("{made}, for the backup").format(made=made_words(health.copied_at, now))


def delete_question(backup: Backup, now: datetime) -> tuple[str, str]:
    """What is asked before a backup is deleted, and what follows."""
    made = made_words(backup.created_at, now)
    return (
        tr("Delete the backup of {made}?").format(made=made),
        tr("Its file is removed. What you use now does not change."),
    )


def restore_question(backup: Backup, name: str, now: datetime) -> tuple[str, str]:
    """What is asked before a whole backup is restored, and what follows."""
    made = made_words(backup.created_at, now)
    return (
        tr("Restore all of {made}?").format(made=made),
        tr(
            "Everything in {name} is restored as it was then: memories, named entries, "
            "conversations and notes. Today\u2019s state is backed up first, so you can "
            "undo this. The event log is not restored."
        ).format(name=name),
    )
