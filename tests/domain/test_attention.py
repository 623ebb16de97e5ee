"""Which memories stand in which list of things worth a look."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.memories.decay import AttentionKind, deserves_attention
from inklings_desktop.domain.memory import Lifetime, MemoryEntry, ScopeKey
from tests.support.builders import NOON, WORKSPACE_ID, a_memory

TALK = ScopeKey.conversation(WORKSPACE_ID, "talk")


@pytest.mark.parametrize(
    ("entry", "relevance", "lists"),
    [
        (a_memory(access_count=1, embedding_model="m"), 0.5, []),
        (a_memory(access_count=1, embedding_model="m"), 0.01, []),
        (a_memory(access_count=1, embedding_model="m"), 0.0099, ["below_threshold"]),
        (
            a_memory(access_count=1, embedding_model="m", lifetime=Lifetime.LONG_TERM),
            0.0,
            [],
        ),
        (a_memory(access_count=1, embedding_model="m", scope=TALK), 0.0, []),
        (a_memory(access_count=1), 0.5, ["waiting_for_embedding"]),
        (a_memory(access_count=1, embedding_model="other"), 0.5, ["waiting_for_embedding"]),
        (a_memory(embedding_model="m"), 0.5, ["never_read"]),
        (a_memory(paused=True), 0.5, []),
        (a_memory(paused=True, is_unreadable=True), 0.5, ["unreadable"]),
        (a_memory(access_count=4, embedding_model="m"), 0.71, ["ready_to_promote"]),
        (a_memory(access_count=4, embedding_model="m"), 0.7, []),
        (a_memory(access_count=3, embedding_model="m"), 2.0, []),
        (a_memory(access_count=9, embedding_model="m", lifetime=Lifetime.LONG_TERM), 2.0, []),
        (a_memory(forgotten_at=NOON), 0.0, []),
    ],
)
def test_each_list_has_its_rule(entry: MemoryEntry, relevance: float, lists: list[str]) -> None:
    found = [
        kind.value
        for kind in AttentionKind
        if deserves_attention(entry, kind, relevance=relevance, model_id="m")
    ]
    assert found == lists
