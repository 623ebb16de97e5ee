"""A memory that cannot be read is no agent's, and closes nothing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from tests.support.damaging import MARKED, make_unreadable

if TYPE_CHECKING:
    from tests.mcp_server.agent_door import AgentDoor


def test_every_tool_goes_on_without_it(door: AgentDoor) -> None:
    inklings, scope = door.inklings, ScopeKey.workspace(door.workspace.id)
    bad = inklings.memories.put(MemoryDraft(scope, "Gulls count the tide."))
    inklings.memories.put(MemoryDraft(scope, "Herons count the tide."))
    path = inklings.data_dir / "workspaces" / scope.key / "agents.db"
    make_unreadable(path, where=f"sequence = {bad.sequence}")

    found = door.answer("memory_read", tier="workspace", query="count tide")
    listed = door.answer("memory_list", tier="workspace")
    oriented = door.answer("memory_orient")
    put = door.answer("memory_put", tier="workspace", content="Terns count the tide.")
    lost = door.refusal(
        "memory_update",
        tier="workspace",
        id=bad.id,
        expected_version=bad.version,
        patch={"importance": 0.9},
    )

    assert [one["content"] for one in found["hits"]] == ["Herons count the tide."]
    assert [one["content"] for one in listed["memories"]] == ["Herons count the tide."]
    assert put["memory"]["content"] == "Terns count the tide."
    assert lost.endswith("There is no such memory in this scope.")
    assert MARKED not in repr((found, listed, oriented, put))
