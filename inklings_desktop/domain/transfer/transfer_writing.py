"""Records as the JSON documents of an export file; ``transfer_reading`` is the way back.

The names of the fields are part of the interface: ``resources/schemas/export.schema.json``.
"""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.transfer.document import (
    FORMAT,
    SCHEMA_VERSION,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import EntryRevision
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryVersion
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.document import (
        ChannelRecord,
        ConversationRecord,
        EntryRecord,
        MemoryRecord,
        NoteRecord,
        StoredVector,
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
    return {
        "id": workspace.id,
        "name": workspace.name,
        "created_at": time_text(workspace.created_at),
    }


def memory_row(record: MemoryRecord) -> dict[str, Any]:
    """A memory with all its fields, its vector and its history."""
    entry = record.entry
    return {
        "id": entry.id,
        "sequence": entry.sequence,
        "version": entry.version,
        "tier": entry.scope.tier.value,
        "scope_key": entry.scope.key,
        "content": entry.content,
        "lifetime": entry.lifetime.value,
        "source": entry.source,
        "curator": entry.curator.value,
        "written_by": entry.written_by,
        "importance": entry.importance,
        "tags": list(entry.tags),
        "agent_id": entry.agent_id,
        "source_conversation": entry.source_conversation,
        "derived_from": [{"target": one.target, "block": one.block} for one in entry.derived_from],
        "created_at": time_text(entry.created_at),
        "edited_at": time_or_none(entry.edited_at),
        "accessed_at": time_or_none(entry.accessed_at),
        "access_count": entry.access_count,
        "confirmed_at": time_or_none(entry.confirmed_at),
        "imported_at": time_or_none(entry.imported_at),
        "imported_curator": entry.imported_curator and entry.imported_curator.value,
        "pinned": entry.pinned,
        "paused": entry.paused,
        "locked": entry.locked,
        "forgotten_at": time_or_none(entry.forgotten_at),
        "forgotten_reason": entry.forgotten_reason,
        "successor_id": entry.successor_id,
        "run_id": entry.run_id,
        "vector": None if record.vector is None else _vector(record.vector),
        "history": [_version(one) for one in record.history],
    }


def channel_row(record: ChannelRecord) -> dict[str, Any]:
    """A channel."""
    channel = record.channel
    return {
        "id": channel.id,
        "sequence": record.sequence,
        "name": channel.name,
        "description": channel.description,
        "created_at": time_text(channel.created_at),
        "archived_at": time_or_none(channel.archived_at),
    }


def conversation_row(record: ConversationRecord) -> dict[str, Any]:
    """A conversation with those who take part."""
    one = record.conversation
    return {
        "id": one.id,
        "sequence": record.sequence,
        "ref_code": one.ref_code,
        "channel_id": one.channel_id,
        "title": one.title,
        "state": one.state.value,
        "started_at": time_text(one.started_at),
        "ended_at": time_or_none(one.ended_at),
        "heard_at": time_or_none(one.heard_at),
        "participants": [
            {"client": client, "joined_at": time_text(joined)}
            for client, joined in record.participants
        ],
    }


def note_row(record: NoteRecord) -> dict[str, Any]:
    """A working note; its value is JSON in a text, so that it comes back byte for byte."""
    note = record.note
    return {
        "conversation_id": note.conversation_id,
        "sequence": record.sequence,
        "key": note.key,
        "value_json": note.value_json,
        "created_at": time_text(note.created_at),
        "updated_at": time_text(note.updated_at),
    }


def entry_row(record: EntryRecord) -> dict[str, Any]:
    """A named entry with every revision."""
    entry = record.entry
    return {
        "id": entry.id,
        "name": entry.name,
        "curator": entry.curator.value,
        "is_built_in": entry.is_built_in,
        "is_template": entry.is_template,
        "version": entry.version,
        "created_at": time_text(entry.created_at),
        "edited_at": time_or_none(entry.edited_at),
        "deleted_at": time_or_none(entry.deleted_at),
        "body": entry.body,
        "revisions": [_revision(one) for one in record.revisions],
    }


def time_text(instant: datetime) -> str:
    """RFC 3339 in UTC, to the millisecond."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time_or_none(instant: datetime | None) -> str | None:
    """``time_text`` where the instant may be missing."""
    return None if instant is None else time_text(instant)


def _vector(vector: StoredVector) -> dict[str, Any]:
    return {
        "model_id": vector.model_id,
        "dimension": vector.dimension,
        "float32": base64.b64encode(vector.blob).decode("ascii"),
    }


def _version(version: MemoryVersion) -> dict[str, Any]:
    return {
        "version": version.version,
        "content": version.content,
        "importance": version.importance,
        "lifetime": version.lifetime.value,
        "tags": list(version.tags),
        "action": version.action.value,
        "changed_at": time_text(version.changed_at),
        "changed_by": version.changed_by,
        "door": version.door,
        "written_by": version.written_by,
    }


def _revision(revision: EntryRevision) -> dict[str, Any]:
    return {
        "number": revision.number,
        "body": revision.body,
        "saved_at": time_text(revision.saved_at),
        "saved_by": revision.saved_by,
        "door": revision.door,
        "curator": revision.curator.value,
        "action": revision.action.value,
    }
