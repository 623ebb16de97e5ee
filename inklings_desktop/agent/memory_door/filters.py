"""Which tools a process of the agent may see and call; a process never has more than is here."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Process: TypeAlias = Literal["orchestrator", "pipeline", "records"]
ORCHESTRATOR: Final = "orchestrator"
PIPELINE: Final = "pipeline"
"""Gathers what a turn begins with; no planner has a say in what it calls."""
RECORDS: Final = "records"
"""The program itself: it keeps the conversation, whatever a planner wants."""

_SKILLS = "skill_"
_ALLOWED: dict[str, frozenset[str]] = {
    ORCHESTRATOR: frozenset(
        {
            "memory_read", "memory_put", "memory_update", "memory_forget", "memory_restore",
            "memory_orient", "memory_get", "memory_search", "memory_recent", "conversation_list",
            "named_entry_list", "named_entry_read", "named_entry_propose",
            "note_write", "note_read", "note_list", "note_clear", "conversation_rename",
            "skill_search", "skill_read", "skill_propose", "activity_list", "activity_propose",
        }
    ),
    PIPELINE: frozenset({"memory_orient", "skill_search", "workspace_overview"}),
    RECORDS: frozenset(
        {
            "conversation_start", "conversation_get", "conversation_list", "conversation_end",
            "conversation_archive", "conversation_resume", "conversation_rename",
            "message_append", "message_list", "memory_read", "memory_get", "memory_forget",
            "memory_restore", "note_read", "note_write", "workspace_overview",
        }
    ),
}  # fmt: skip
_NO_SKILLS = frozenset({"skill_trace_append"})
_USES_SKILLS = frozenset({ORCHESTRATOR})


def may_call(process: str, tool: str) -> bool:
    """Whether a process may call a tool; one that nobody knows may call none."""
    if tool in _ALLOWED.get(process, frozenset()):
        return True
    return process in _USES_SKILLS and tool.startswith(_SKILLS) and tool not in _NO_SKILLS
