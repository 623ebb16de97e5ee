"""``inklings backup``: keep copies, compare them with what is there, and bring them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.command import group
from inklings_desktop.cli.keeping.keeping_documents import (
    STEPS,
    backup_document,
    comparison_document,
    names_of,
    opened_command,
    owner_of,
    restoration_document,
    set_back_document,
)
from inklings_desktop.cli.keeping.keeping_options import (
    BackupOptions,
    CompareBackupOptions,
    DeleteBackupOptions,
    ListBackupsOptions,
    RestoreBackupOptions,
)
from inklings_desktop.cli.messages import wrong_usage
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.log.backup import BackupFault, BackupReason
from inklings_desktop.domain.log.backup_comparison import Side
from inklings_desktop.domain.memory import MemoryEntry
from inklings_desktop.usecases.keeping.keeping import ALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.domain.log.backup_comparison import Comparison, Difference
    from inklings_desktop.usecases.bundle import Inklings

_KIB = 1024.0
_MIN_PREFIX = 4
_MOST_WORDS = 60
_FAULTS = {
    None: "",
    BackupFault.DAMAGED: "damaged",
    BackupFault.FOREIGN: "not ours",
    BackupFault.NEWER: "from a newer Inklings",
}
_REASONS = {
    BackupReason.DAILY: "every day",
    BackupReason.BY_HAND: "by hand",
    BackupReason.BEFORE_IMPORT: "before an import",
    BackupReason.BEFORE_CONSOLIDATION: "before a consolidation",
    BackupReason.BEFORE_RESTORE: "before a restore",
    BackupReason.BEFORE_UPDATE: "before an update",
    BackupReason.BEFORE_REPAIR: "before a repair",
    BackupReason.FROM_FILE: "from a file",
    BackupReason.UNKNOWN: "not noted",
}
_SIDES = {
    Side.ONLY_NOW: "only now",
    Side.ONLY_THEN: "only then",
    Side.DIFFERS: "differs",
}


def add_backup_commands(app: typer.Typer) -> None:
    """Add every command about backups."""
    backups = group("backup", "Managed backups: verified copies below the data root.")
    opened_command(backups, "create", BackupOptions, create)
    opened_command(backups, "list", ListBackupsOptions, list_backups)
    opened_command(backups, "compare", CompareBackupOptions, compare)
    opened_command(backups, "restore", RestoreBackupOptions, restore)
    opened_command(backups, "delete", DeleteBackupOptions, delete)
    app.add_typer(backups)


def create(inklings: Inklings, options: BackupOptions) -> Answer:
    """Back up the account and every workspace, or the one that is named."""
    made: list[Backup] = []
    with shown_progress(options, STEPS) as progress:
        for workspace_id in _wanted(inklings, options.workspace, account=options.account):
            progress.require_wanted()
            made.append(inklings.keeping.create_backup(workspace_id, progress))
    names = names_of(inklings)
    lines = [
        f"Backed up {owner_of(one.workspace_id, names)} as {one.name} ({_size(one.n_bytes)})."
        for one in made
    ]
    return Answer({"backups": [backup_document(one) for one in made]}, lines)


def list_backups(inklings: Inklings, options: ListBackupsOptions) -> Answer:
    """List the managed backups, the oldest first."""
    if options.account or options.workspace is not None:
        (which,) = _wanted(inklings, options.workspace, account=options.account)
        backups = inklings.keeping.list_backups(which)
    else:
        backups = inklings.keeping.list_backups(ALL)
    names = names_of(inklings)
    rows = [
        [
            one.name,
            owner_of(one.workspace_id, names),
            local_time(one.created_at),
            _why(one),
            "" if one.holdings is None else counted(one.holdings.n_memories, "memory"),
            _size(one.n_bytes),
            _FAULTS[one.fault],
        ]
        for one in backups
    ]
    none = ["There is no backup yet. Make one with: inklings backup create"]
    return Answer({"backups": [backup_document(one) for one in backups]}, table(rows) or none)


def restore(inklings: Inklings, options: RestoreBackupOptions) -> Answer:
    """Bring back what a backup holds; the state before is kept as a backup of its own."""
    if options.only:
        return _set_back(inklings, options)
    with shown_progress(options, STEPS) as progress:
        restored = inklings.keeping.restore_backup(
            _backup_name(inklings, options.workspace, options.name),
            progress,
            accept_log=options.accept_log,
        )
    owner = owner_of(restored.backup.workspace_id, names_of(inklings))
    lines = [
        f"Restored {owner} from {restored.backup.name}: {counted(restored.n_memories, 'memory')}."
    ]
    if restored.safety is not None:
        lines.append(
            "The state before is kept. To go back to it: inklings backup restore "
            f"{restored.safety.name}"
        )
    if restored.set_aside is not None:
        lines.append(f"The damaged database is kept as backups/{restored.set_aside}.")
    if restored.n_events_lost:
        lines.append(f"The log lost {counted(restored.n_events_lost, 'event')} with it.")
    return Answer(restoration_document(restored), [visible(line) for line in lines])


def compare(inklings: Inklings, options: CompareBackupOptions) -> Answer:
    """Say how a backup differs from what is there now; nothing is changed."""
    name = _backup_name(inklings, options.workspace, options.name)
    with shown_progress(options, STEPS) as progress:
        found = inklings.keeping.compare_backup(name, progress)
    return Answer(comparison_document(found), [visible(line) for line in _compared(found)])


def delete(inklings: Inklings, options: DeleteBackupOptions) -> Answer:
    """Take one backup off the disk."""
    gone = inklings.keeping.delete_backup(_backup_name(inklings, options.workspace, options.name))
    return Answer({"deleted": backup_document(gone)}, [f"Deleted the backup {gone.name}."])


def _set_back(inklings: Inklings, options: RestoreBackupOptions) -> Answer:
    """The named differences, set back one by one."""
    with shown_progress(options, STEPS) as progress:
        name = _backup_name(inklings, options.workspace, options.name)
        found = inklings.keeping.compare_backup(name, progress)
        wanted = [_named(found, key) for key in options.only or ()]
        done = inklings.keeping.set_back(name, wanted, progress)
    n_done = done.n_gone + done.n_returned + done.n_changed
    lines = [
        (
            f"Restored {counted(n_done, 'difference')} of {found.backup.name}. The state before is "
            f"kept. To go back to it: inklings backup restore {done.safety.name}"
        )
    ]
    if done.left:
        lines.append(
            f"{counted(len(done.left), 'difference')} not restored: changed in between, or the "
            "place is gone."
        )
    return Answer(set_back_document(done), lines)


def _named(found: Comparison, key: str) -> Difference:
    """The difference that is called so: a memory by its id, a named entry by its name."""
    matches = [
        one
        for one in found.differences
        if (one.id.startswith(key) and len(key) >= _MIN_PREFIX) or _name(one) == key
    ]
    if not matches:
        raise NotFoundError("difference", key)
    if len(matches) > 1:
        raise InvalidValueError("id", "ambiguous")
    return matches[0]


def _name(one: Difference) -> str:
    return "" if isinstance(one.shown, MemoryEntry) else one.shown.name


def _compared(found: Comparison) -> list[str]:
    same = (
        f"{counted(found.n_same_memories, 'memory')} and "
        f"{counted(found.n_same_entries, 'named entry')} are the same in both."
    )
    lines = table(
        [
            [
                one.id[:8] if isinstance(one.shown, MemoryEntry) else one.shown.name,
                _SIDES[one.side],
                one_line(
                    one.shown.content if isinstance(one.shown, MemoryEntry) else "named entry",
                    _MOST_WORDS,
                ),
            ]
            for one in found.differences
        ]
    )
    if found.n_unlisted:
        lines.append(f"And {counted(found.n_unlisted, 'difference')} more.")
    lines += [
        f"Scrubbed since, so not restored: {one.n_removed:,} of {one.tier} {one.scope_key}."
        for one in found.scrubbed
    ]
    if found.is_same:
        return [*lines, f"This backup is the same as today. {same}"]
    return [
        *lines,
        (
            f"{found.count(Side.ONLY_NOW):,} only now, {found.count(Side.ONLY_THEN):,} only then, "
            f"{found.count(Side.DIFFERS):,} differ. {same}"
        ),
        "Restore one with: inklings backup restore NAME --only ID",
    ]


def _wanted(inklings: Inklings, workspace: str | None, *, account: bool) -> Sequence[str | None]:
    """Whose files are meant; None is the account's."""
    if account and workspace is not None:
        raise wrong_usage("Name a workspace or say --account, not both.")
    if account:
        return [None]
    if workspace is not None:
        return [inklings.workspaces.find(workspace).id]
    return [None, *(one.id for one in inklings.places.workspaces())]


def _backup_name(inklings: Inklings, key: str | None, name: str) -> str:
    """The name as it was given, or the whole one where the workspace was given beside it."""
    if key is None:
        return name
    folder, slash, file = name.rpartition("/")
    workspace = inklings.workspaces.find(key)
    if slash and folder != workspace.id:
        raise wrong_usage("That backup is not of the workspace that --workspace names.")
    return f"{workspace.id}/{file}"


def _size(n_bytes: int) -> str:
    if n_bytes < _KIB * _KIB:
        return f"{n_bytes / _KIB:.0f} KiB"
    return f"{n_bytes / _KIB / _KIB:.1f} MiB"


def _why(backup: Backup) -> str:
    return f"{_REASONS[backup.reason]}{', kept' if backup.is_pinned else ''}"
