"""Named entries and proposals as JSON documents; scripts hold on to these names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.documents import time_text

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import EntryRevision, NamedEntry, RevisionHead
    from inklings_desktop.domain.entries.proposals import Proposal


def entry_document(entry: NamedEntry) -> dict[str, Any]:
    """A named entry with its body exactly as written."""
    return {
        "id": entry.id,
        "tier": entry.tier.value,
        "workspace_id": entry.workspace_id,
        "name": entry.name,
        "heading": entry.heading,
        "body": entry.body,
        "characters": entry.n_characters,
        "curator": entry.curator.value,
        "built_in": entry.is_built_in,
        "template": entry.is_template,
        "version": entry.version,
        "created_at": time_text(entry.created_at),
        "edited_at": time_text(entry.edited_at),
        "deleted_at": time_text(entry.deleted_at),
    }


def head_document(head: RevisionHead) -> dict[str, Any]:
    """A revision without its body."""
    return {
        "number": head.number,
        "saved_at": time_text(head.saved_at),
        "saved_by": head.saved_by,
        "door": head.door,
        "curator": head.curator.value,
        "action": head.action.value,
        "characters": head.n_characters,
    }


def revision_document(revision: EntryRevision) -> dict[str, Any]:
    """A revision with its body."""
    return head_document(revision.head) | {"body": revision.body}


def proposal_document(proposal: Proposal) -> dict[str, Any]:
    """A proposal with everything it asks for."""
    return {
        "id": proposal.id,
        "kind": proposal.kind.value,
        "tier": proposal.tier.value,
        "workspace_id": proposal.workspace_id,
        "scope_key": proposal.scope_key,
        "target_id": proposal.target_id or None,
        "target_name": proposal.target_name or None,
        "base_version": proposal.base_version,
        "payload": dict(proposal.payload),
        "reason": proposal.reason,
        "looks_like": [kind.value for kind in proposal.secrets],
        "client": proposal.client,
        "state": proposal.state.value,
        "note": proposal.note,
        "created_at": time_text(proposal.created_at),
        "decided_at": time_text(proposal.decided_at),
    }
