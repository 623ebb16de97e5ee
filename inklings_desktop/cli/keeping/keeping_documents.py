"""What the commands of backups and of the check share: how they open, whom they name, their words.

Scripts hold on to the names in the documents.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from inklings_desktop.cli.command import program_command, settings_notes
from inklings_desktop.cli.documents import lost_document
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, local_time, one_line
from inklings_desktop.cli.scopes import names_apart
from inklings_desktop.domain.log.backup_comparison import is_there
from inklings_desktop.domain.memory import MemoryEntry
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.usecases.steps.reading_on import read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import typer

    from inklings_desktop.cli.program import Answer, Program
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.backup import (
        Backup,
        CheckReport,
        Finding,
        Restoration,
        WorkspaceDeletion,
    )
    from inklings_desktop.domain.log.backup_comparison import Comparison, SetBackDone
    from inklings_desktop.domain.log.events import LostWrites
    from inklings_desktop.usecases.bundle import Inklings

KEEP_ON_RECORD = "Once you know what is missing, accept the loss with: inklings log --anchor"


def lost_words(lost: LostWrites) -> str:
    """One loss, without a full stop at the end."""
    said = (
        f"The file has lost {counted(lost.n_writes, 'write')} that it held, made between "
        f"{local_time(lost.since)} and {local_time(lost.until)}; perhaps an older copy of it was "
        "put back. "
    )
    if lost.backup is None:
        said += "No backup has any of them"
    else:
        said += f"The backup {lost.backup} has {lost.n_in_backup:,} of them"
    if lost.n_scrubs:
        said += (
            f". {counted(lost.n_scrubs, 'scrub')} came after this copy: what was scrubbed then may "
            "be back, and has to be scrubbed again"
        )
    return said


OptionsT = TypeVar("OptionsT", bound=CommonOptions)

ACCOUNT = "the account"
STEPS = {
    "copy": "Copying",
    "verify": "Verifying",
    "keep": "Keeping the present state",
    "restore": "Bringing it back",
    "files": "Checking databases",
    "backups": "Checking backups",
    "done": "Done",
}


def opened_command(
    group: typer.Typer,
    name: str,
    options_type: type[OptionsT],
    body: Callable[[Inklings, OptionsT], Answer],
) -> None:
    """Add a command that works on a data root whose account file is damaged as well."""

    def on_opened(program: Program, options: OptionsT) -> Answer:
        with program.open_inklings(
            options.data_dir, workspace=None, require_account=False
        ) as inklings:
            answer = read_on(lambda: body(inklings, options))
            return replace(answer, notes=[*settings_notes(inklings.preferences), *answer.notes])

    on_opened.__doc__ = body.__doc__
    program_command(group, name, options_type, on_opened)


def names_of(inklings: Inklings) -> Mapping[str, str]:
    """Names of the workspaces by their id."""
    every = inklings.places.workspaces()
    apart = zip(every, names_apart(every), strict=True)
    return {one.id: one.name if told == one.name else f"{one.name} ({told})" for one, told in apart}


def owner_of(workspace_id: str | None, names: Mapping[str, str]) -> str:
    """Whose a file is, in words."""
    return ACCOUNT if workspace_id is None else one_line(names.get(workspace_id, workspace_id))


def backup_document(backup: Backup) -> dict[str, Any]:
    """A managed backup; ``workspace_id`` is null for the account's."""
    return row_of(
        backup,
        "name workspace_id created_at bytes=n_bytes reason kept=stays memories=holdings.n_memories"
        " named_entries=holdings.n_entries fault",
    )


def restoration_document(restored: Restoration) -> dict[str, Any]:
    """What a restore did, and where the state before is."""
    return {
        "restored": backup_document(restored.backup),
        "kept": restored.safety and backup_document(restored.safety),
        **row_of(
            restored, "set_aside memories=n_memories events_lost=n_events_lost event=event_number"
        ),
    }


def comparison_document(found: Comparison) -> dict[str, Any]:
    """How a backup differs from what is there now; ``now`` or ``then`` is null where it is gone."""
    return {
        "backup": backup_document(found.backup),
        "differences": [
            {
                "kind": "named_entry" if one.is_entry else "memory",
                "id": one.id,
                "side": one.side.value,
                "now": _text_of(one.now),
                "then": _text_of(one.then),
            }
            for one in found.differences
        ],
        "unlisted": found.n_unlisted,
        "same_memories": found.n_same_memories,
        "same_named_entries": found.n_same_entries,
        "scrubbed_since": [
            row_of(one, "event=event_number at tier scope=scope_key removed=n_removed")
            for one in found.scrubbed
        ],
    }


def _text_of(one: MemoryEntry | NamedEntry | None) -> dict[str, Any] | None:
    if one is None or not is_there(one):
        return None
    if isinstance(one, MemoryEntry):
        return row_of(one, "content importance lifetime tags")
    return row_of(one, "name body")


def set_back_document(done: SetBackDone) -> dict[str, Any]:
    """What was set back, and where the state before is; ``event`` is null when nothing was."""
    return {
        "restored": backup_document(done.backup),
        "kept": backup_document(done.safety),
        **row_of(done, "gone=n_gone returned=n_returned changed=n_changed left event=event_number"),
    }


def report_document(report: CheckReport) -> dict[str, Any]:
    """What a check found."""
    return {
        **row_of(
            report,
            "clean=is_clean damaged=is_damaged files=n_files memories=n_memories events=n_events"
            " backups=n_backups",
        ),
        "findings": [finding_document(one) for one in report.findings],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """One thing that is wrong."""
    return {
        **row_of(finding, "kind workspace_id count detail damage=is_damage repaired=is_repaired"),
        "lost_writes": lost_document(finding.lost),
    }


def deletion_document(deletion: WorkspaceDeletion) -> dict[str, Any]:
    """What deleting a workspace removes; ``event`` is null while nothing is deleted."""
    return row_of(
        deletion,
        "id=workspace_id name phrase memories=n_memories named_entries=n_named_entries"
        " conversations=n_conversations events=n_events backups=n_backups event=event_number"
        " unreadable=is_damaged",
    )
