"""Backups, findings and deletions as JSON documents; scripts hold on to these names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.documents import lost_document
from inklings_desktop.domain.log.backup_comparison import is_there
from inklings_desktop.domain.memory import MemoryEntry
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.backup import (
        Backup,
        CheckReport,
        Finding,
        Restoration,
        WorkspaceDeletion,
    )
    from inklings_desktop.domain.log.backup_comparison import Comparison, SetBackDone


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
