"""Backups and comparisons with them in words: when, why, what differs, what is set back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.log.backup import BackupFault, BackupReason
from inklings_desktop.domain.log.backup_comparison import Side
from inklings_desktop.domain.memory import MemoryEntry
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
from inklings_desktop.ui.kit.look.translation import counted, decimal, tr
from inklings_desktop.ui.kit.words.memory_facts import exact_time, lifetime_label
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.backup import Backup, CheckReport
    from inklings_desktop.domain.log.backup_comparison import Comparison, Difference, ScrubbedSince
    from inklings_desktop.ui.kit.words.messages import Message


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


MANY = 200
"""More rows than these can be filtered."""
_ROLES = {Side.ONLY_NOW: "ochre", Side.ONLY_THEN: "accent", Side.DIFFERS: "graphite"}


@dataclass(frozen=True, slots=True)
class CompareState:
    """What the dialog shows.

    Attributes:
        backup: Which backup.
        whose: Name of the world, or of what belongs to the person.
        now: The moment of the comparison.
        comparison: None until it is there.
        problem: Why there is none.
        left: Ids of differences that stay as they are now.
        current: Id of the row that is looked at.
        side: Which differences are listed; None for all.
        is_restoring: Whether the chosen ones are being set back.
    """

    backup: Backup
    whose: str
    now: datetime
    comparison: Comparison | None = None
    problem: Message | None = None
    left: frozenset[str] = frozenset()
    current: str = ""
    side: Side | None = None
    is_restoring: bool = False

    @property
    def shown(self) -> tuple[Difference, ...]:
        """The differences that are listed."""
        found = () if self.comparison is None else self.comparison.differences
        return tuple(one for one in found if self.side in {None, one.side})

    @property
    def chosen(self) -> tuple[Difference, ...]:
        """What would be set back."""
        found = () if self.comparison is None else self.comparison.differences
        return tuple(one for one in found if one.id not in self.left)

    @property
    def looked_at(self) -> Difference | None:
        """The difference that is looked at."""
        return next((one for one in self.shown if one.id == self.current), None)

    @property
    def scrub(self) -> ScrubbedSince | None:
        """The scrub that is looked at."""
        found = () if self.comparison is None else self.comparison.scrubbed
        return next((one for one in found if scrub_id(one) == self.current), None)


def scrub_id(scrub: ScrubbedSince) -> str:
    """Names a scrub among the rows."""
    return f"scrub {scrub.event_number}"


def head_words(state: CompareState) -> tuple[str, str]:
    """What the dialog is about, and the line below."""
    backup = state.backup
    why = tr("backup made {why}").format(why=reason_words(backup.reason))
    parts = (
        state.whose,
        *(() if backup.reason is BackupReason.UNKNOWN else (why,)),
        size_words(backup.n_bytes),
        *(() if state.comparison is None else (tr("checked and whole"),)),
    )
    made = made_words(backup.created_at, state.now)
    return tr("Compare with {made}").format(made=made), ", ".join(parts)


def headline(state: CompareState) -> tuple[str, str]:
    """What setting everything back would do, and what holds."""
    found = state.comparison
    if state.problem is not None:
        return state.problem.title, state.problem.text
    if found is None:
        return tr("Comparing\u2026"), tr("The backup is checked first.")
    same = tr("{memories} and {entries} are the same in both.").format(
        memories=counted(found.n_same_memories, "1 memory", "{n} memories"),
        entries=counted(found.n_same_entries, "1 named entry", "{n} named entries"),
    )
    log = tr("Nothing has changed yet. The event log is not restored.")
    if found.is_same:
        return tr("This backup is the same as today."), same
    words: dict[Side, Callable[[int], str]] = {
        Side.ONLY_NOW: lambda n: counted(n, "1 would go", "{n} would go"),
        Side.ONLY_THEN: lambda n: counted(n, "1 would come back", "{n} would come back"),
        Side.DIFFERS: lambda n: counted(n, "1 would change", "{n} would change"),
    }
    sentence = ", ".join(said(n) for side, said in words.items() if (n := found.count(side)))
    if found.n_unlisted:
        more = counted(
            found.n_unlisted,
            "One more is not listed: restore everything to get it back.",
            "{n} more are not listed: restore everything to get them back.",
        )
        same = f"{same} {more}"
    return sentence, f"{same} {log}"


def side_words(side: Side) -> str:
    """Where a difference stands, in two words."""
    return {
        Side.ONLY_NOW: tr("only now"),
        Side.ONLY_THEN: tr("only in the backup"),
        Side.DIFFERS: tr("differs"),
    }[side]


def title_of(one: Difference) -> str:
    """What a difference is about: a name, or the beginning of a text."""
    shown = one.shown
    return excerpt(shown.content) if isinstance(shown, MemoryEntry) else shown.name


def compare_rows(state: CompareState) -> list[BadgeRow]:
    """Scrubs since, which nothing brings back, after the differences."""
    rows = [
        BadgeRow(
            one.id,
            title_of(one),
            _meta(one, state),
            side_words(one.side),
            _ROLES[one.side],
            is_remembered=True,
        )
        for one in state.shown
    ]
    scrubs = () if state.comparison is None or state.side else state.comparison.scrubbed
    return rows + [
        BadgeRow(
            scrub_id(one),
            counted(one.n_removed, "1 entry", "{n} entries"),
            "" if one.at is None else made_words(one.at, state.now),
            tr("deleted for good since"),
            "madder",
            is_remembered=False,
        )
        for one in scrubs
    ]


def _meta(one: Difference, state: CompareState) -> str:
    if one.id in state.left:
        return tr("stays")
    shown = one.shown
    if not isinstance(shown, MemoryEntry):
        return tr("named entry")
    if one.side is Side.DIFFERS:
        return ", ".join(changed_facts(one)) or tr("memory, another text")
    at = shown.created_at
    if one.side is Side.ONLY_THEN and isinstance(one.now, MemoryEntry) and one.now.forgotten_at:
        made = made_words(one.now.forgotten_at, state.now)
        return tr("memory, forgotten {made}").format(made=made)
    return tr("memory, {made}").format(made=made_words(at, state.now))


def changed_facts(one: Difference) -> list[str]:
    """What differs beside the text of a memory: ``importance 0.60, now 0.50``."""
    then, now = one.then, one.now
    if one.side is not Side.DIFFERS or not (
        isinstance(then, MemoryEntry) and isinstance(now, MemoryEntry)
    ):
        return []
    yes, no = tr("yes"), tr("no")
    pairs = (
        (tr("importance"), decimal(then.importance, 2), decimal(now.importance, 2)),
        (tr("lifetime"), lifetime_label(then.lifetime), lifetime_label(now.lifetime)),
        (tr("tags"), ", ".join(then.tags) or tr("none"), ", ".join(now.tags) or tr("none")),
        (tr("pinned"), yes if then.pinned else no, yes if now.pinned else no),
        (tr("paused"), yes if then.paused else no, yes if now.paused else no),
        (tr("locked"), yes if then.locked else no, yes if now.locked else no),
    )
    return [
        tr("{what} {then}, now {now}").format(what=what, then=before, now=after)
        for what, before, after in pairs
        if before != after
    ]


def text_of(one: MemoryEntry | NamedEntry | None) -> str:
    """What it says; nothing for nothing."""
    if one is None:
        return ""
    return one.content if isinstance(one, MemoryEntry) else one.body


def sides_of(one: Difference) -> tuple[str, str]:
    """The texts to compare, now and then: a restore adds and takes away what it shows."""
    then = "" if one.side is Side.ONLY_NOW else text_of(one.then)
    now = "" if one.side is Side.ONLY_THEN else text_of(one.now)
    return now, then


def effect_words(one: Difference, *, stays: bool) -> str:
    """What becomes of it, as the switch stands."""
    if stays:
        return tr("Stays as it is now.")
    if one.side is Side.ONLY_NOW:
        gone = tr("It will be deleted; you can restore it.")
        return gone if one.is_entry else tr("It will be forgotten; you can restore it.")
    if one.side is Side.ONLY_THEN:
        return tr("It will be restored.")
    if one.is_entry:
        return tr("Today\u2019s text stays in the history of {name}.").format(name=title_of(one))
    return tr("Today\u2019s text stays in its history.")


def scrub_words(scrub: ScrubbedSince, now: datetime) -> tuple[str, str]:
    """What was scrubbed, and that nothing brings it back."""
    entries = counted(scrub.n_removed, "1 entry was", "{n} entries were")
    when = "" if scrub.at is None else made_words(scrub.at, now)
    return (
        tr("{entries} scrubbed {when}").format(entries=entries, when=when),
        tr(
            "Deleted for good, from the backups too; it can\u2019t be restored. See event "
            "{number} in the log."
        ).format(number=scrub.event_number),
    )


def restore_words(n: int) -> str:
    """The word of the button."""
    return counted(n, "Restore 1 difference", "Restore {n} differences")
