"""Rows of named entries, revisions, drafts and proposals as domain objects, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.entries.named_entry import (
    EntryAction,
    EntryDraft,
    EntryRevision,
    NamedEntry,
    RevisionHead,
)
from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.storage.engine.maintenance import LossyText
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
)

if TYPE_CHECKING:
    from sqlalchemy import Row


_CURATORS = {curator.value: curator for curator in Curator}
_ACTIONS = {action.value: action for action in EntryAction}


def named_entry_values(entry: NamedEntry, changed_seq: int) -> dict[str, Any]:
    """The columns of a named entry."""
    names = (
        "id tier name curator is_built_in is_template version created_at edited_at deleted_at body"
    )
    return {**columns_of(entry, names), "changed_seq": changed_seq}


@of_sensible_rows
def named_entry_of(row: Row[*tuple[Any, ...]], workspace_id: str | None) -> NamedEntry:
    """The named entry of a whole row; which tier is its file's to say."""
    (
        id_, _tier, name, curator, is_built_in, is_template, version, created_at, edited_at,
        deleted_at, _changed_seq, body,
    ) = row  # fmt: skip
    return NamedEntry(
        id=id_,
        tier=Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE,
        workspace_id=workspace_id,
        name=name,
        body=body,
        curator=_CURATORS.get(curator, Curator.IMPORT),
        is_built_in=bool(is_built_in),
        version=version,
        created_at=from_ms(created_at),
        edited_at=from_ms_or_none(edited_at),
        deleted_at=from_ms_or_none(deleted_at),
        is_template=bool(is_template),
        is_unreadable=curator not in _CURATORS or LossyText in map(type, row),
    )


def revision_values(revision: EntryRevision) -> dict[str, Any]:
    """The columns of a revision."""
    names = "entry_id number saved_at saved_by door curator action body"
    return {**columns_of(revision, names), "n_characters": len(revision.body)}


@of_sensible_rows
def revision_head_of(row: Row[*tuple[Any, ...]]) -> RevisionHead:
    """The revision of a row without its body."""
    entry_id, number, saved_at, saved_by, door, curator, action, n_characters = row
    return RevisionHead(
        entry_id,
        number,
        from_ms(saved_at),
        saved_by,
        door,
        _CURATORS.get(curator, Curator.IMPORT),
        _ACTIONS.get(action, EntryAction.SAVED),
        n_characters,
    )


@of_sensible_rows
def revision_of(row: Row[*tuple[Any, ...]]) -> EntryRevision:
    """The revision of a whole row."""
    entry_id, number, saved_at, saved_by, door, curator, action, _n_characters, body = row
    return EntryRevision(
        entry_id,
        number,
        body,
        from_ms(saved_at),
        saved_by,
        door,
        _CURATORS.get(curator, Curator.IMPORT),
        _ACTIONS.get(action, EntryAction.SAVED),
    )


def draft_values(draft: EntryDraft) -> dict[str, Any]:
    """The columns of unsaved typing."""
    return columns_of(draft, "entry_id base_version kept_at body")


@of_sensible_rows
def draft_of(row: Row[*tuple[Any, ...]]) -> EntryDraft:
    """The unsaved typing of a row."""
    entry_id, base_version, kept_at, body = row
    return EntryDraft(entry_id, body, base_version, from_ms(kept_at))


def proposal_values(proposal: Proposal, changed_seq: int) -> dict[str, Any]:
    """The columns of a proposal."""
    return {
        **columns_of(
            proposal,
            "id kind tier scope_key target=target_id target_name base_version reason client state"
            " note created_at decided_at",
        ),
        "payload": json.dumps(dict(proposal.payload), ensure_ascii=False),
        "changed_seq": changed_seq,
    }


@of_sensible_rows
def proposal_of(row: Row[*tuple[Any, ...]], workspace_id: str | None) -> Proposal:
    """The proposal of a whole row."""
    (
        _sequence, id_, kind, tier, scope_key, target, target_name, base_version, payload, reason,
        client, state, note, created_at, decided_at, _changed_seq,
    ) = row  # fmt: skip
    return Proposal(
        id=id_,
        kind=ProposalKind(kind),
        workspace_id=workspace_id,
        tier=Tier(tier),
        scope_key=scope_key,
        target_id=target,
        target_name=target_name,
        base_version=base_version,
        payload=dict(json.loads(payload)),
        reason=reason,
        client=client,
        state=ProposalState(state),
        note=note,
        created_at=from_ms(created_at),
        decided_at=from_ms_or_none(decided_at),
    )
