"""A conversation as it is stored, with every kind of part."""

from __future__ import annotations

import json
from typing import Any

MEMORY = "0b4d7e90-0000-4000-8000-000000000001"
GLASS = f"inklings://memory/workspace/{MEMORY}"
_READ = {
    "id": MEMORY, "tier": "workspace", "scope": "w", "version": 2, "how": "read", "undo": False,
    "excerpt": "The harbour glass hums", "why": "harbour",
}  # fmt: skip
_WRITTEN = _READ | {"id": MEMORY.replace("1", "2"), "how": "written", "undo": True, "why": ""}


def message(role: str, parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A message as the memory's door answers with it."""
    return {
        "id": f"m-{role}-{len(parts)}",
        "turn": "t1-0a1b2c3d",
        "role": role,
        "state": "complete",
        "parts": json.dumps(parts),
        "client": "world-agent",
        "produced_by": "person" if role == "user" else "mechanical",
        "at": "2026-03-01T08:00:00.000Z",
    } | more


MESSAGES = [
    message(
        "user",
        [
            {"kind": "text", "text": "What hums at low tide?"},
            {"kind": "attachment", "uri": GLASS, "title": "Glass"},
            {"kind": "attachment", "uri": "inklings://text/1", "title": "Pasted", "text": "A lamp"},
        ],
    ),
    message(
        "assistant",
        [
            {
                "kind": "plan",
                "entries": [{"content": "Look", "priority": "high", "status": "completed"}],
            },
            {
                "kind": "tool", "id": "t1-0a1b2c3d:1", "title": "Read memories",
                "tool": "memory_read", "tool_kind": "search", "status": "completed",
                "input": {"query": "hums"}, "outcome": "1 found", "touched": [_READ],
                "process": "orchestrator", "ms": 12,
            },
            {
                "kind": "tool", "id": "t1-0a1b2c3d:2", "title": "Forget", "tool": "memory_forget",
                "tool_kind": "delete", "status": "refused", "input": {}, "outcome": "denied",
                "touched": [], "process": "worker", "parent": "t1-0a1b2c3d:1",
            },
            {
                "kind": "permission", "id": "t1-0a1b2c3d:2:asked", "title": "Forget this?",
                "outcome": "denied", "tool": "t1-0a1b2c3d:2",
            },
            {
                "kind": "text",
                "text": f"You have noted: [the glass](memory:workspace/{MEMORY}).",
                "quotes": [{"id": MEMORY, "tier": "workspace"}],
            },
            {"kind": "touched", "touched": [_READ, _WRITTEN]},
            {"kind": "hologram", "depth": 3},
        ],
        at="2026-03-01T08:00:02.500Z",
    ),
    message("notice", [{"kind": "notice", "word": "went_on", "values": {"turn": "t1"}}], turn="n1"),
    message("user", [{"kind": "text", "text": "Go on"}], turn="t2-0a1b2c3d"),
    message(
        "assistant",
        [{"kind": "text", "text": "I was", "quotes": []}, {"kind": "stopped", "ms": 4000}],
        turn="t2-0a1b2c3d", state="stopped",
    ),
    message("user", [{"kind": "scrubbed"}], turn="t3-0a1b2c3d"),
    message(
        "assistant",
        [{"kind": "problem", "word": "memory_unreachable", "detail": "2"}],
        turn="t3-0a1b2c3d", state="failed", produced_by="model",
    ),
]  # fmt: skip
