"""Domain objects as JSON documents; scripts hold on to these names."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.likeness.folding import named
from inklings_desktop.domain.log.events import TERMINAL_KINDS

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.domain.log.events import DescribedEvent, LogVerdict
    from inklings_desktop.domain.log.lost_writes import LostWrites
    from inklings_desktop.domain.memory import MemoryEntry, MemoryVersion
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation, WorkingNote
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.search.explanation import Explanation, RankedHit
    from inklings_desktop.usecases.search.explain_missing import Missing


def memory_document(entry: MemoryEntry, relevance: float) -> dict[str, Any]:
    """A memory with all its fields and its relevance now."""
    return {
        "id": entry.id,
        "tier": entry.scope.tier.value,
        "workspace_id": entry.scope.workspace_id,
        "scope_key": entry.scope.key,
        "content": entry.content,
        "lifetime": entry.lifetime.value,
        "source": entry.source,
        "curator": entry.curator.value,
        "importance": entry.importance,
        "relevance": relevance,
        "tags": list(entry.tags),
        "version": entry.version,
        "sequence": entry.sequence,
        "agent_id": entry.agent_id,
        "source_conversation": entry.source_conversation,
        "derived_from": [{"target": one.target, "block": one.block} for one in entry.derived_from],
        "created_at": time_text(entry.created_at),
        "edited_at": time_text(entry.edited_at),
        "accessed_at": time_text(entry.accessed_at),
        "access_count": entry.access_count,
        "confirmed_at": time_text(entry.confirmed_at),
        "imported_at": time_text(entry.imported_at),
        "written_by": entry.by,
        "imported_curator": entry.imported_curator and entry.imported_curator.value,
        "pinned": entry.pinned,
        "paused": entry.paused,
        "locked": entry.locked,
        "forgotten_at": time_text(entry.forgotten_at),
        "forgotten_reason": entry.forgotten_reason,
        "successor_id": entry.successor_id,
        "run_id": entry.run_id,
        "embedding_model": entry.embedding_model,
    }


def version_document(version: MemoryVersion) -> dict[str, Any]:
    """An earlier state of a memory; ``content`` is null when the change left the text alone."""
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


def hit_document(hit: RankedHit, *, explain: bool) -> dict[str, Any]:
    """A hit: the memory, its score, its repeats, and on request how the score came about."""
    document = memory_document(hit.entry, hit.explanation.fading.relevance)
    document |= {"score": hit.score, "also": named(hit.explanation.folded)}
    return (
        document | {"explanation": explanation_document(hit.explanation)} if explain else document
    )


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """The figures behind a score, which is the blend times the relevance factor."""
    blend, fading = explanation.blend, explanation.fading
    return {
        "keyword_rank": explanation.keyword_rank,
        "semantic_rank": explanation.semantic_rank,
        "bm25": explanation.bm25,
        "cosine": explanation.cosine,
        "fused": explanation.fused,
        "blend": blend.total,
        "blend_parts": {
            "words": blend.words,
            "meaning": blend.meaning,
            "subject": blend.subject,
            "word_by_word": blend.word_by_word,
            "session": blend.session,
        },
        "relevance": fading.relevance,
        "relevance_factor": fading.factor,
        "relevance_parts": {
            "importance": fading.importance,
            "rate": fading.rate,
            "hours": fading.hours,
            "reads": fading.reads,
        },
        "folded": list(explanation.folded),
    }


def missing_document(missing: Missing, memory_id: str) -> dict[str, Any]:
    """The stage at which a memory fell out of a search, and what is known of it there."""
    explanation = missing.explanation
    return {
        "id": memory_id,
        "stage": missing.stage.value,
        "position": missing.position,
        "folded_into": missing.folded_into,
        "keyword_rank": missing.keyword_rank,
        "semantic_rank": missing.semantic_rank,
        "cosine": missing.cosine,
        "has_embedding": missing.has_vector,
        "explanation": None if explanation is None else explanation_document(explanation),
    }


def workspace_document(workspace: Workspace) -> dict[str, Any]:
    """A workspace."""
    return {
        "id": workspace.id,
        "name": workspace.name,
        "created_at": time_text(workspace.created_at),
    }


def channel_document(channel: Channel) -> dict[str, Any]:
    """A channel."""
    return {
        "id": channel.id,
        "name": channel.name,
        "description": channel.description,
        "created_at": time_text(channel.created_at),
        "archived_at": time_text(channel.archived_at),
    }


def conversation_document(conversation: Conversation) -> dict[str, Any]:
    """A conversation."""
    return {
        "id": conversation.id,
        "ref_code": conversation.ref_code,
        "channel_id": conversation.channel_id,
        "title": conversation.title,
        "state": conversation.state.value,
        "started_at": time_text(conversation.started_at),
        "ended_at": time_text(conversation.ended_at),
    }


def note_document(note: WorkingNote) -> dict[str, Any]:
    """A working note with its value as JSON."""
    return {
        "conversation_id": note.conversation_id,
        "key": note.key,
        "value": json.loads(note.value_json),
        "created_at": time_text(note.created_at),
        "updated_at": time_text(note.updated_at),
    }


def event_document(found: DescribedEvent) -> dict[str, Any]:
    """An event as it was appended, with what its place and the first of its ids are called now."""
    event, place = found.event, found.place
    return {
        "number": event.number,
        "at": time_text(event.at),
        "kind": event.kind.value,
        "actor": event.actor,
        "actor_kind": event.actor_kind,
        "door": event.door,
        "tier": event.tier,
        "scope_key": event.scope_key,
        "ids": list(event.ids),
        "counts": dict(event.counts),
        "marks": dict(event.marks),
        "chain_hash": event.chain_hash,
        "permanent": event.kind in TERMINAL_KINDS,
        "place": None
        if place is None
        else {"kind": place.kind, "name": place.name, "ref_code": place.ref_code or None},
        "things": [
            {"kind": one.kind, "id": one.id, "name": one.name, "active": one.is_active}
            for one in found.things
        ],
    }


def verdict_document(verdict: LogVerdict) -> dict[str, Any]:
    """What the check of one log found."""
    return {
        "workspace_id": verdict.workspace_id,
        "name": verdict.name or None,
        "events": verdict.n_events,
        "segments": verdict.n_segments,
        "whole": verdict.is_whole,
        "reason": verdict.reason and verdict.reason.value,
        "first_broken": verdict.first_broken,
        "lost_writes": lost_document(verdict.lost),
    }


def lost_document(lost: LostWrites | None) -> dict[str, Any] | None:
    """Writes that a file once held."""
    if lost is None:
        return None
    return {
        "writes": lost.n_writes,
        "since": time_text(lost.since),
        "until": time_text(lost.until),
        "scrubs": lost.n_scrubs,
        "backup": lost.backup,
        "in_backup": lost.n_in_backup,
    }


def turn_document(turn: Turn) -> dict[str, Any]:
    """One side of a turn of a conversation with an agent; ``text`` is all of its words."""
    from inklings_desktop.agent_client.rows import TextBlock, text_of_turn

    blocks: list[dict[str, Any]] = []
    for block in turn.blocks:
        kind = type(block).__name__.removesuffix("Block").lower()
        if not isinstance(block, TextBlock):
            fields = asdict(block)
            if "kind" in fields:
                fields["call_kind"] = fields.pop("kind")
            blocks.append({"kind": kind} | fields)
        elif block.begins or not blocks:
            quotes = [asdict(one) for one in block.quotes]
            blocks.append({"kind": kind, "text": block.text, "quotes": quotes})
        else:
            blocks[-1]["text"] += block.text
            blocks[-1]["quotes"] += [asdict(one) for one in block.quotes]
    return {
        "id": turn.id,
        "role": turn.role,
        "speaker": turn.speaker or None,
        "at": time_text(turn.at),
        "state": turn.state,
        "text": text_of_turn(turn),
        "blocks": blocks,
        "touched": [asdict(one) for one in turn.touched],
        "milliseconds": turn.ms,
        "produced_by": turn.produced_by or None,
    }


def time_text(instant: datetime | None) -> str | None:
    """RFC 3339 in UTC, to the millisecond."""
    if instant is None:
        return None
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")
