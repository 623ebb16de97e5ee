"""Backups, findings and deletions as JSON documents; scripts hold on to these names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.documents import lost_document, time_text
from inklings_desktop.domain.log.backup_comparison import is_there
from inklings_desktop.domain.memory import MemoryEntry

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
    return {
        "name": backup.name,
        "workspace_id": backup.workspace_id,
        "created_at": time_text(backup.created_at),
        "bytes": backup.n_bytes,
        "reason": backup.reason.value,
        "kept": backup.stays,
        "memories": backup.holdings and backup.holdings.n_memories,
        "named_entries": backup.holdings and backup.holdings.n_entries,
        "fault": backup.fault and backup.fault.value,
    }


def restoration_document(restored: Restoration) -> dict[str, Any]:
    """What a restore did, and where the state before is."""
    return {
        "restored": backup_document(restored.backup),
        "kept": restored.safety and backup_document(restored.safety),
        "set_aside": restored.set_aside,
        "memories": restored.n_memories,
        "events_lost": restored.n_events_lost,
        "event": restored.event_number,
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
            {
                "event": one.event_number,
                "at": time_text(one.at),
                "tier": one.tier,
                "scope": one.scope_key,
                "removed": one.n_removed,
            }
            for one in found.scrubbed
        ],
    }


def _text_of(one: MemoryEntry | NamedEntry | None) -> dict[str, Any] | None:
    if one is None or not is_there(one):
        return None
    if isinstance(one, MemoryEntry):
        return {
            "content": one.content,
            "importance": one.importance,
            "lifetime": one.lifetime.value,
            "tags": list(one.tags),
        }
    return {"name": one.name, "body": one.body}


def set_back_document(done: SetBackDone) -> dict[str, Any]:
    """What was set back, and where the state before is; ``event`` is null when nothing was."""
    return {
        "restored": backup_document(done.backup),
        "kept": backup_document(done.safety),
        "gone": done.n_gone,
        "returned": done.n_returned,
        "changed": done.n_changed,
        "left": list(done.left),
        "event": done.event_number,
    }


def report_document(report: CheckReport) -> dict[str, Any]:
    """What a check found."""
    return {
        "clean": report.is_clean,
        "damaged": report.is_damaged,
        "files": report.n_files,
        "memories": report.n_memories,
        "events": report.n_events,
        "backups": report.n_backups,
        "findings": [finding_document(one) for one in report.findings],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """One thing that is wrong."""
    return {
        "kind": finding.kind.value,
        "workspace_id": finding.workspace_id,
        "count": finding.count,
        "detail": finding.detail,
        "damage": finding.is_damage,
        "repaired": finding.is_repaired,
        "lost_writes": lost_document(finding.lost),
    }


def deletion_document(deletion: WorkspaceDeletion) -> dict[str, Any]:
    """What deleting a workspace removes; ``event`` is null while nothing is deleted."""
    return {
        "id": deletion.workspace_id,
        "name": deletion.name,
        "phrase": deletion.phrase,
        "memories": deletion.n_memories,
        "named_entries": deletion.n_named_entries,
        "conversations": deletion.n_conversations,
        "events": deletion.n_events,
        "backups": deletion.n_backups,
        "event": deletion.event_number,
        "unreadable": deletion.is_damaged,
    }
