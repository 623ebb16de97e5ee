"""Domain objects as JSON documents; scripts hold on to these names."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain import plain_rows
from inklings_desktop.domain.likeness.folding import named
from inklings_desktop.domain.log.events import TERMINAL_KINDS
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.domain.log.events import DescribedEvent, LogVerdict, LostWrites
    from inklings_desktop.domain.memory import MemoryEntry, MemoryVersion
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation, WorkingNote
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.search.explanation import Explanation, RankedHit
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.explain_missing import Missing

_MEMORY = (
    "id tier=scope.tier workspace_id=scope.workspace_id scope_key=scope.key content lifetime source"
    " curator importance"
)
_MORE_OF_A_MEMORY = (
    "tags version sequence agent_id source_conversation derived_from created_at edited_at"
    " accessed_at access_count confirmed_at imported_at written_by=by imported_curator pinned"
    " paused locked forgotten_at forgotten_reason successor_id run_id embedding_model"
)
_EVENT = "number at kind actor actor_kind door tier scope_key ids counts marks chain_hash"


def memory_document(entry: MemoryEntry, relevance: float) -> dict[str, Any]:
    """A memory with all its fields and its relevance now."""
    return {
        **row_of(entry, _MEMORY),
        "relevance": relevance,
        **row_of(entry, _MORE_OF_A_MEMORY),
    }


def current_document(inklings: Inklings, entry: MemoryEntry) -> dict[str, Any]:
    """The same with its relevance at this moment."""
    return memory_document(entry, relevance_of(entry, inklings.settings.decay, inklings.clock()))


def version_document(version: MemoryVersion) -> dict[str, Any]:
    """An earlier state of a memory; ``content`` is null when the change left the text alone."""
    return row_of(
        version,
        "version content importance lifetime tags action changed_at changed_by door written_by",
    )


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
        **row_of(explanation, "keyword_rank semantic_rank"),
        "bm25": explanation.bm25,
        "cosine": explanation.cosine,
        "fused": explanation.fused,
        "blend": blend.total,
        "blend_parts": row_of(blend, "words meaning subject word_by_word session"),
        **row_of(fading, "relevance relevance_factor=factor"),
        "relevance_parts": row_of(fading, "importance rate hours reads"),
        "folded": list(explanation.folded),
    }


def missing_document(missing: Missing, memory_id: str) -> dict[str, Any]:
    """The stage at which a memory fell out of a search, and what is known of it there."""
    explanation = missing.explanation
    return {
        "id": memory_id,
        **row_of(
            missing,
            "stage position folded_into keyword_rank semantic_rank cosine has_embedding=has_vector",
        ),
        "explanation": None if explanation is None else explanation_document(explanation),
    }


def workspace_document(workspace: Workspace) -> dict[str, Any]:
    """A workspace."""
    return row_of(workspace, "id name created_at")


def channel_document(channel: Channel) -> dict[str, Any]:
    """A channel."""
    return row_of(channel, "id name description created_at archived_at")


def conversation_document(conversation: Conversation) -> dict[str, Any]:
    """A conversation."""
    return row_of(conversation, "id ref_code channel_id title state started_at ended_at")


def note_document(note: WorkingNote) -> dict[str, Any]:
    """A working note with its value as JSON."""
    return {
        **row_of(note, "conversation_id key"),
        "value": json.loads(note.value_json),
        **row_of(note, "created_at updated_at"),
    }


def event_document(found: DescribedEvent) -> dict[str, Any]:
    """An event as it was appended, with what its place and the first of its ids are called now."""
    event, place = found.event, found.place
    return {
        **row_of(event, _EVENT),
        "permanent": event.kind in TERMINAL_KINDS,
        "place": None
        if place is None
        else {**row_of(place, "kind name"), "ref_code": place.ref_code or None},
        "things": [row_of(one, "kind id name active=is_active") for one in found.things],
    }


def verdict_document(verdict: LogVerdict) -> dict[str, Any]:
    """What the check of one log found."""
    return {
        "workspace_id": verdict.workspace_id,
        "name": verdict.name or None,
        **row_of(verdict, "events=n_events segments=n_segments whole=is_whole reason first_broken"),
        "lost_writes": lost_document(verdict.lost),
    }


def lost_document(lost: LostWrites | None) -> dict[str, Any] | None:
    """Writes that a file once held."""
    names = "writes=n_writes since until scrubs=n_scrubs backup in_backup=n_in_backup"
    return None if lost is None else row_of(lost, names)


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
    return None if instant is None else plain_rows.time_text(instant)
