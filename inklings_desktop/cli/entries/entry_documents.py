"""Named entries and proposals as JSON documents; scripts hold on to these names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import EntryRevision, NamedEntry, RevisionHead
    from inklings_desktop.domain.entries.proposals import Proposal


def entry_document(entry: NamedEntry) -> dict[str, Any]:
    """A named entry with its body exactly as written."""
    return row_of(
        entry,
        "id tier workspace_id name heading body characters=n_characters curator"
        " built_in=is_built_in template=is_template version created_at edited_at deleted_at",
    )


def head_document(head: RevisionHead) -> dict[str, Any]:
    """A revision without its body."""
    return row_of(head, "number saved_at saved_by door curator action characters=n_characters")


def revision_document(revision: EntryRevision) -> dict[str, Any]:
    """A revision with its body."""
    return head_document(revision.head) | {"body": revision.body}


def proposal_document(proposal: Proposal) -> dict[str, Any]:
    """A proposal with everything it asks for."""
    return {
        **row_of(proposal, "id kind tier workspace_id scope_key"),
        "target_id": proposal.target_id or None,
        "target_name": proposal.target_name or None,
        **row_of(
            proposal,
            "base_version payload reason looks_like=secrets client state note created_at"
            " decided_at",
        ),
    }
