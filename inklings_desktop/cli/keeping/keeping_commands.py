"""``inklings backup`` and ``inklings check``: keep copies, bring them back, look everything over.

They work on a data root whose account file is damaged as well: that is when they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.cli.command import group, program_command
from inklings_desktop.cli.keeping.keeping_documents import (
    backup_document,
    report_document,
    restoration_document,
)
from inklings_desktop.cli.keeping.keeping_options import (
    BackupOptions,
    CheckOptions,
    ListBackupsOptions,
    RestoreBackupOptions,
)
from inklings_desktop.cli.keeping.lost_write_lines import KEEP_ON_RECORD, lost_words
from inklings_desktop.cli.messages import ENVIRONMENT, REFUSED, wrong_usage
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.domain.log.backup import BackupFault, FindingKind
from inklings_desktop.usecases.keeping.health import ALL
from inklings_desktop.usecases.steps.reading_on import read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import typer

    from inklings_desktop.cli.program import Program
    from inklings_desktop.domain.log.backup import Backup, CheckReport, Finding
    from inklings_desktop.usecases.bundle import Inklings

OptionsT = TypeVar("OptionsT", bound=CommonOptions)

ACCOUNT = "the account"
_KIB = 1024.0
_FAULTS = {
    None: "",
    BackupFault.DAMAGED: "damaged",
    BackupFault.FOREIGN: "not ours",
    BackupFault.NEWER: "from a newer Inklings",
}
_STEPS = {
    "copy": "Copying",
    "verify": "Verifying",
    "keep": "Keeping the present state",
    "restore": "Bringing it back",
    "files": "Checking databases",
    "backups": "Checking backups",
    "done": "Done",
}
_FORGED = "forged_log "
_UNREADABLE = {
    "damaged": "The database is damaged or no database at all",
    "newer": "The database is from a newer Inklings",
    "older": (
        "The database is from an earlier Inklings, and is brought up to date when its folder can "
        "be written to"
    ),
    "migration": "The database is from an earlier Inklings and could not be brought up to date",
    "foreign": "The database is not the one that belongs there",
    "missing": "The folder holds no database",
}
_FOUND = {
    FindingKind.PAGES: "The database is damaged inside ({count} found)",
    FindingKind.INDEX_PAGES: (
        "Indexes are damaged inside ({count} found); everything that was written can be read"
    ),
    FindingKind.REFERENCES: "Rows point to something that is gone ({count})",
    FindingKind.TEXT: "Part of a row cannot be read, and no agent gets it: {detail}",
    FindingKind.FULL_TEXT: "The search index does not match its rows",
    FindingKind.SEARCH_ROWS: "Memories are missing or wrong in the search index ({count})",
    FindingKind.VECTORS: "Embeddings that are of no use ({count})",
    FindingKind.COUNTS: "Tiers whose memories are miscounted ({count})",
    FindingKind.EVENT_CHAIN: "The event log is not what was written ({detail})",
    FindingKind.EVENT_ANCHOR: "How far the event log had come is not known ({detail})",
    FindingKind.BACKUP: "A backup cannot be restored: {detail}",
    FindingKind.LEFT_OVER: "A program that was killed left {detail}",
    FindingKind.LOOSENED: "Other users of this machine may open {detail}",
}
_PURGE = (
    "The scrub of event {number} is not finished: text of {entries} may remain in files of "
    "Inklings. It is finished by the open window, or when Inklings is started next{wait}"
)
_WAITS = {
    "snapshot": ", once no other program reads an older state of this memory any more",
    "start": "",
}


def add_keeping_commands(app: typer.Typer) -> None:
    """Add every command about backups, and the check."""
    backups = group("backup", "Managed backups: verified copies below the data root.")
    _opened_command(backups, "create", BackupOptions, create)
    _opened_command(backups, "list", ListBackupsOptions, list_backups)
    _opened_command(backups, "restore", RestoreBackupOptions, restore)
    app.add_typer(backups)
    _opened_command(app, "check", CheckOptions, check)


def create(inklings: Inklings, options: BackupOptions) -> Answer:
    """Back up the account and every workspace, or the one that is named."""
    made: list[Backup] = []
    with shown_progress(options, _STEPS) as progress:
        for workspace_id in _wanted(inklings, options.workspace, account=options.account):
            progress.require_wanted()
            made.append(inklings.keeping.create_backup(workspace_id, progress))
    names = _names(inklings)
    lines = [
        f"Backed up {_owner(one.workspace_id, names)} as {one.name} ({_size(one.n_bytes)})."
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
    names = _names(inklings)
    rows = [
        [
            one.name,
            _owner(one.workspace_id, names),
            local_time(one.created_at),
            _size(one.n_bytes),
            _FAULTS[one.fault],
        ]
        for one in backups
    ]
    none = ["There is no backup yet. Make one with: inklings backup create"]
    return Answer({"backups": [backup_document(one) for one in backups]}, table(rows) or none)


def restore(inklings: Inklings, options: RestoreBackupOptions) -> Answer:
    """Bring back what a backup holds; the state before is kept as a backup of its own."""
    with shown_progress(options, _STEPS) as progress:
        restored = inklings.keeping.restore_backup(
            _backup_name(inklings, options), progress, accept_log=options.accept_log
        )
    owner = _owner(restored.backup.workspace_id, _names(inklings))
    lines = [
        f"Restored {owner} from {restored.backup.name}: {counted(restored.n_memories, 'memory')}."
    ]
    if restored.safety is not None:
        lines.append(
            "The state before is kept. Bring it back with: inklings backup restore "
            f"{restored.safety.name}"
        )
    if restored.set_aside is not None:
        lines.append(f"The damaged database is kept as backups/{restored.set_aside}.")
    if restored.n_events_lost:
        lines.append(f"The log lost {counted(restored.n_events_lost, 'event')} with it.")
    return Answer(restoration_document(restored), [visible(line) for line in lines])


def check(inklings: Inklings, options: CheckOptions) -> Answer:
    """Check every database, log and backup; exit 0 clean, 1 findings, 3 damaged."""
    _refuse_workspace(options, "A check looks at every workspace")
    with shown_progress(options, _STEPS) as progress:
        report = inklings.keeping.check_data(repair=options.repair, progress=progress)
    names = _names(inklings)
    lines = [_said(one, names) for one in report.findings]
    if any(one.lost is not None for one in report.findings):
        lines.append(KEEP_ON_RECORD)
    lines.append(
        f"Checked {counted(report.n_files, 'database')} with "
        f"{counted(report.n_memories, 'memory')} and {counted(report.n_events, 'event')}, and "
        f"{counted(report.n_backups, 'backup')}. {_verdict(report, repaired=options.repair)}"
    )
    status = ENVIRONMENT if report.is_damaged else 0 if report.is_clean else REFUSED
    return Answer(report_document(report), [visible(line) for line in lines], status=status)


def _opened_command(
    group: typer.Typer,
    name: str,
    options_type: type[OptionsT],
    body: Callable[[Inklings, OptionsT], Answer],
) -> None:
    def on_opened(program: Program, options: OptionsT) -> Answer:
        with program.open_inklings(
            options.data_dir, workspace=None, require_account=False
        ) as inklings:
            return read_on(lambda: body(inklings, options))

    on_opened.__doc__ = body.__doc__
    program_command(group, name, options_type, on_opened)


def _wanted(inklings: Inklings, workspace: str | None, *, account: bool) -> Sequence[str | None]:
    """Whose files are meant; None is the account's."""
    if account and workspace is not None:
        raise wrong_usage("Name a workspace or say --account, not both.")
    if account:
        return [None]
    if workspace is not None:
        return [inklings.workspaces.find(workspace).id]
    return [None, *(one.id for one in inklings.places.workspaces())]


def _backup_name(inklings: Inklings, options: RestoreBackupOptions) -> str:
    """The name as it was given, or the whole one where the workspace was given beside it."""
    if options.workspace is None:
        return options.name
    folder, slash, file = options.name.rpartition("/")
    workspace = inklings.workspaces.find(options.workspace)
    if slash and folder != workspace.id:
        raise wrong_usage("That backup is not of the workspace that --workspace names.")
    return f"{workspace.id}/{file}"


def _refuse_workspace(options: CommonOptions, reason: str) -> None:
    if options.workspace is not None:
        raise wrong_usage(f"{reason}; leave out --workspace.")


def _names(inklings: Inklings) -> Mapping[str, str]:
    return {one.id: one.name for one in inklings.places.workspaces()}


def _owner(workspace_id: str | None, names: Mapping[str, str]) -> str:
    return ACCOUNT if workspace_id is None else one_line(names.get(workspace_id, workspace_id))


def _said(finding: Finding, names: Mapping[str, str]) -> str:
    if finding.kind is FindingKind.UNREADABLE:
        said = _UNREADABLE[finding.detail]
    elif finding.kind is FindingKind.BACKUP and finding.detail.startswith(_FORGED):
        _, number, name = finding.detail.split(" ", 2)
        said = f"The event log in backup {name} is not what was written: event {number} was changed"
    elif finding.lost is not None:
        said = lost_words(finding.lost)
    elif finding.kind is FindingKind.PURGE:
        word, number = finding.detail.split(" ")
        entries = counted(finding.count, "removed entry")
        said = _PURGE.format(number=number, entries=entries, wait=_WAITS[word])
    else:
        said = _FOUND[finding.kind].format(count=f"{finding.count:,}", detail=finding.detail)
    place = ""
    if finding.kind not in (FindingKind.LEFT_OVER, FindingKind.LOOSENED):
        place = f"{_owner(finding.workspace_id, names)}: "
    end = " Repaired." if finding.is_repaired else ""
    if finding.is_repaired and finding.kind is FindingKind.INDEX_PAGES:
        end = (
            " Repaired: they were made again, and nothing is lost."
            f" The damaged database is kept as backups/{finding.detail}."
        )
    return f"{place[:1].upper()}{place[1:]}{said}.{end}"


def _verdict(report: CheckReport, *, repaired: bool) -> str:
    if not report.findings:
        return "All is well."
    if report.is_clean:
        return "Everything that was wrong is repaired."
    if {one.kind for one in report.findings if one.is_damage} == {FindingKind.TEXT}:
        return (
            "What cannot be read is kept as it is. Write it anew, forget it, or bring back a "
            "backup: inklings backup list"
        )
    if report.is_damaged:
        return "What is damaged can only come back from a backup: inklings backup list"
    if all(one.is_repaired or one.kind is FindingKind.PURGE for one in report.findings):
        return "Nothing has to be done but to wait."
    if repaired:
        return "What is named here could not be repaired."
    return "Repair what can be repaired with: inklings check --repair"


def _size(n_bytes: int) -> str:
    if n_bytes < _KIB * _KIB:
        return f"{n_bytes / _KIB:.0f} KiB"
    return f"{n_bytes / _KIB / _KIB:.1f} MiB"
