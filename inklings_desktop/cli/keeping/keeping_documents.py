"""Backups, findings and deletions as JSON documents; scripts hold on to these names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.documents import lost_document, time_text

if TYPE_CHECKING:
    from inklings_desktop.domain.log.backup import (
        Backup,
        CheckReport,
        Finding,
        Restoration,
        WorkspaceDeletion,
    )


def backup_document(backup: Backup) -> dict[str, Any]:
    """A managed backup; ``workspace_id`` is null for the account's."""
    return {
        "name": backup.name,
        "workspace_id": backup.workspace_id,
        "created_at": time_text(backup.created_at),
        "bytes": backup.n_bytes,
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
