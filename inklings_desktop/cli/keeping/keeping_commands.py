"""``inklings backup`` and ``inklings check``: keep copies, bring them back, look everything over.

They work on a data root whose account file is damaged as well: that is when they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.keeping.backup_commands import add_backup_commands
from inklings_desktop.cli.keeping.keeping_documents import (
    KEEP_ON_RECORD,
    STEPS,
    lost_words,
    names_of,
    opened_command,
    owner_of,
    report_document,
)
from inklings_desktop.cli.keeping.keeping_options import CheckOptions
from inklings_desktop.cli.messages import ENVIRONMENT, REFUSED, wrong_usage
from inklings_desktop.cli.output import counted, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.domain.log.backup import FindingKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    import typer

    from inklings_desktop.cli.options import CommonOptions
    from inklings_desktop.domain.log.backup import CheckReport, Finding
    from inklings_desktop.usecases.bundle import Inklings


_FORGED = "forged_log "
_UNREADABLE = {
    "damaged": "The file is damaged, or not a database",
    "schema": (
        "The database is from an unreleased Inklings, or another program changed its tables"
    ),
    "newer": "The database is from a newer Inklings",
    "older": (
        "The database is from an earlier Inklings, and is brought up to date when its folder can "
        "be written to"
    ),
    "migration": "The database is from an earlier Inklings and could not be brought up to date",
    "foreign": (
        "This folder has the database of another workspace, as a copy of its folder does. "
        "Inklings does not use it; move the folder out of workspaces"
    ),
    "missing": "The folder has no database",
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
    FindingKind.EVENT_ANCHOR: "The event log cannot be verified from its beginning ({detail})",
    FindingKind.BACKUP: "A backup cannot be restored: {detail}",
    FindingKind.LEFT_OVER: "A program that was killed left {detail}",
    FindingKind.LOOSENED: "Other users of this machine may open {detail}",
    FindingKind.LINK: (
        "{detail} is a link, and Inklings writes nothing through links; put a folder in its place"
    ),
    FindingKind.SIDE_FILE: (
        "What makes searches fast is damaged in {detail}; the database answers in its place"
    ),
    FindingKind.STRAY: (
        "{detail} is a copy of a database. Inklings does not use it, and no scrub clears it"
    ),
}
_OF_THE_ROOT = (
    FindingKind.LEFT_OVER,
    FindingKind.LOOSENED,
    FindingKind.SIDE_FILE,
    FindingKind.STRAY,
)
_PURGE = (
    "The scrub of event {number} is not finished: text of {entries} may remain in files of "
    "Inklings. It is finished by the open window, or when Inklings is started next{wait}"
)
_WAITS = {
    "snapshot": ", once no other program reads an older state of this memory",
    "start": "",
}


def add_keeping_commands(app: typer.Typer) -> None:
    """Add every command about backups, and the check."""
    add_backup_commands(app)
    opened_command(app, "check", CheckOptions, check)


def check(inklings: Inklings, options: CheckOptions) -> Answer:
    """Check every database, log and backup; exit 0 clean, 1 findings, 3 damaged."""
    _refuse_workspace(options, "A check looks at every workspace")
    with shown_progress(options, STEPS) as progress:
        report = inklings.keeping.check_data(repair=options.repair, progress=progress)
    names = names_of(inklings)
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


def _refuse_workspace(options: CommonOptions, reason: str) -> None:
    if options.workspace is not None:
        raise wrong_usage(f"{reason}; leave out --workspace.")


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
    if finding.kind not in _OF_THE_ROOT:
        place = f"{owner_of(finding.workspace_id, names)}: "
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
            "Text that can't be read is kept as it is. Write it again, forget it, or restore a "
            "backup: inklings backup list"
        )
    if report.is_damaged:
        return "What is damaged can only come back from a backup: inklings backup list"
    open_kinds = {one.kind for one in report.findings if not one.is_repaired}
    if open_kinds == {FindingKind.STRAY}:
        return "Nothing is damaged. Delete the copies yourself if you do not need them."
    if open_kinds <= {FindingKind.PURGE}:
        return "Nothing has to be done but to wait."
    if repaired:
        return "This could not be repaired."
    return "Repair what can be repaired with: inklings check --repair"
