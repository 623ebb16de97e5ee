from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from inklings_desktop.cli.documents import time_text
from tests.cli.console import Console

MEMORY_KEYS = {
    "id", "tier", "workspace_id", "scope_key", "content", "lifetime", "source", "curator",
    "importance", "relevance", "tags", "version", "sequence", "agent_id", "source_conversation",
    "derived_from", "created_at", "edited_at", "accessed_at", "access_count", "confirmed_at",
    "imported_at", "imported_curator", "written_by", "pinned", "paused", "locked", "forgotten_at",
    "forgotten_reason", "successor_id", "run_id", "embedding_model",
}  # fmt: skip


def test_scripts_find_every_field_of_a_memory_under_its_name(
    world: Console, memory: dict[str, Any]
) -> None:
    world.document("memory", "edit", memory["id"], "--importance", "0.9")
    shown = world.document("memory", "show", memory["id"])
    assert set(shown["memory"]) == MEMORY_KEYS
    assert set(shown["history"][0]) == {
        "version", "content", "importance", "lifetime", "tags", "action", "changed_at",
        "changed_by", "door", "written_by",
    }  # fmt: skip
    (hit,) = world.document("memory", "search", "glass", "--tier", "workspace", "--explain")["hits"]
    assert set(hit) == MEMORY_KEYS | {"score", "explanation", "also"}
    assert set(hit["explanation"]) == {
        "keyword_rank", "semantic_rank", "bm25", "cosine", "fused", "blend", "blend_parts",
        "relevance", "relevance_factor", "relevance_parts", "folded",
    }  # fmt: skip


def test_scripts_find_rooms_under_their_names(world: Console) -> None:
    started = world.document("conversation", "start")["conversation"]
    assert set(started) == {
        "id", "ref_code", "channel_id", "title", "state", "started_at", "ended_at",
    }  # fmt: skip
    (channel,) = world.document("channel", "list")["channels"]
    assert set(channel) == {"id", "name", "description", "created_at", "archived_at"}
    assert channel["id"] == started["channel_id"]
    (workspace,) = world.document("workspace", "list")["workspaces"]
    assert set(workspace) == {"id", "name", "created_at"}


def test_times_are_told_in_utc_to_the_millisecond() -> None:
    assert time_text(datetime(2026, 3, 14, 10, 36, 1, 999_999, tzinfo=UTC)) == (
        "2026-03-14T10:36:01.999Z"
    )
    assert time_text(None) is None
