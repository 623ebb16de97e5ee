"""Records as the JSON documents of an export file; ``transfer_reading`` is the way back.

The names of the fields are part of the interface: ``resources/schemas/export.schema.json``.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.background.activities import payload_of_budget
from inklings_desktop.domain.background.schedules import stored_schedule
from inklings_desktop.domain.knowledge.facts import payload_of
from inklings_desktop.domain.memory import NOTHING_MORE, Tier
from inklings_desktop.domain.plain_rows import row_of, time_text
from inklings_desktop.domain.transfer.document import (
    FORMAT,
    SCHEMA_VERSION,
)

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.background.activities import Activity
    from inklings_desktop.domain.background.golden import GoldenQuestion
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.knowledge.domains import Domain, Role
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.domain.rooms.messages import Message
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.document import (
        ChannelRecord,
        ConversationRecord,
        EntryRecord,
        GrantRecord,
        MemoryRecord,
        NoteRecord,
        SourceRecord,
        StoredVector,
    )
    from inklings_desktop.domain.world.pages import WorldFolder

_MEMORY = (
    "id sequence version tier=scope.tier scope_key=scope.key content lifetime source curator"
    " written_by importance tags agent_id source_conversation derived_from created_at edited_at"
    " accessed_at access_count confirmed_at imported_at imported_curator pinned paused locked"
    " forgotten_at forgotten_reason successor_id run_id"
)
_VERSION = "version content importance lifetime tags action changed_at changed_by door written_by"
_ENTRY = "id name curator is_built_in is_template version created_at edited_at deleted_at body"
_WHERE = (
    "sources curators writers lifetimes tags phrases importance_min importance_max written_since"
    " written_before state without_embedding attention kinds"
)


def head_document(exported_at: datetime, app_version: str, decay: DecayConfig) -> dict[str, Any]:
    """What stands before the account and the workspaces."""
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "exported_at": time_text(exported_at),
        "app_version": app_version,
        "settings": {"decay": {tier.value: decay.rate(tier) for tier in Tier}},
    }


def workspace_head(workspace: Workspace) -> dict[str, Any]:
    """What stands before the rows of a workspace."""
    return row_of(workspace, "id name created_at")


def memory_row(record: MemoryRecord) -> dict[str, Any]:
    """A memory with all its fields, its vector and its history."""
    return {
        **row_of(record.entry, _MEMORY),
        "vector": None if record.vector is None else _vector(record.vector),
        "history": [
            row_of(one, _VERSION if one.extra == NOTHING_MORE else f"{_VERSION} extra")
            for one in record.history
        ],
        **(_settled(record) if record.details is not None else {}),
        **({"sources": [*map(_source, record.sources)]} if record.sources else {}),
    }


def channel_row(record: ChannelRecord) -> dict[str, Any]:
    """A channel."""
    return {
        "id": record.channel.id,
        "sequence": record.sequence,
        **row_of(record.channel, "name description created_at archived_at"),
    }


def conversation_row(record: ConversationRecord) -> dict[str, Any]:
    """A conversation with those who take part."""
    return {
        "id": record.conversation.id,
        "sequence": record.sequence,
        **row_of(
            record.conversation, "ref_code channel_id title state started_at ended_at heard_at"
        ),
        "participants": [
            {"client": client, "joined_at": time_text(joined)}
            for client, joined in record.participants
        ],
    }


def note_row(record: NoteRecord) -> dict[str, Any]:
    """A working note; its value is JSON in a text, so that it comes back byte for byte."""
    return {
        "conversation_id": record.note.conversation_id,
        "sequence": record.sequence,
        **row_of(record.note, "key value_json created_at updated_at"),
    }


def entry_row(record: EntryRecord) -> dict[str, Any]:
    """A named entry with every revision."""
    revisions = [
        row_of(one, "number body saved_at saved_by door curator action") for one in record.revisions
    ]
    return {**row_of(record.entry, _ENTRY), "revisions": revisions}


def message_row(message: Message) -> dict[str, Any]:
    """A message; its parts are JSON in a text, so that they come back byte for byte."""
    return row_of(
        message,
        "id conversation_id number turn role state parts_json client produced_by model created_at"
        " read_at",
    )


def golden_row(question: GoldenQuestion) -> dict[str, Any]:
    """A golden question; how it fared is found out again."""
    return row_of(
        question, "id tier=scope.tier scope_key=scope.key question must must_not created_at"
    )


def filter_row(saved: SavedFilter) -> dict[str, Any]:
    """A saved filter."""
    return {
        **row_of(saved, "id tier room name"),
        **row_of(saved.words, "query=text mode sort"),
        "where": row_of(saved.words.where, _WHERE),
        "created_at": time_text(saved.created_at),
    }


def proposal_row(proposal: Proposal) -> dict[str, Any]:
    """What an agent proposes."""
    return row_of(
        proposal,
        "id kind tier scope_key target_id target_name base_version payload reason client state note"
        " created_at decided_at",
    )


def folder_row(folder: WorldFolder) -> dict[str, Any]:
    """A folder of pages without its place on the disk, which is nobody's but this machine's."""
    return {
        **row_of(folder, "id name kind ignore=rules.ignore axes=rules.axes folders=rules.folders"),
        "added_at": time_text(folder.added_at),
    }


def _settled(record: MemoryRecord) -> dict[str, Any]:
    """What a fact or a rule is besides."""
    assert record.details is not None
    return {
        **row_of(record.entry, "kind domain_id topic"),
        "details": payload_of(record.details),
    }


def domain_row(domain: Domain) -> dict[str, Any]:
    """A domain of facts and rules."""
    return row_of(
        domain,
        "id name description closed=is_closed created_by created_kind created_at archived_at",
    )


def role_row(role: Role) -> dict[str, Any]:
    """A role that the author made."""
    return row_of(role, "name created_at")


def grant_row(grant: GrantRecord) -> dict[str, Any]:
    """What a role may do in a domain."""
    return row_of(grant, "role domain_id permission")


def kept_row(kept: WorkingMemory) -> dict[str, Any]:
    """What an agent keeps, without its earlier texts."""
    return row_of(kept, "agent part body updated_at")


def activity_row(activity: Activity) -> dict[str, Any]:
    """An activity without how its runs went: they are conversations of the channel."""
    return {
        **row_of(activity, "id name prompt channel_id created_by created_at"),
        "schedule": stored_schedule(activity.schedule),
        "timezone": activity.schedule.zone,
        "budget": dict(payload_of_budget(activity.budget)),
    }


def _source(record: SourceRecord) -> dict[str, Any]:
    """Where a memory comes from; the digest of what the page said is made again from the text."""
    names = "place kind target_id folder_id path heading own_id state changed_at"
    seen = record.derivation.seen_digest.hex()
    return {**row_of(record.derivation, names), "seen_digest": seen, "base": record.base}


def _vector(vector: StoredVector) -> dict[str, Any]:
    return {
        "model_id": vector.model_id,
        "dimension": vector.dimension,
        "float32": base64.b64encode(vector.blob).decode("ascii"),
    }
