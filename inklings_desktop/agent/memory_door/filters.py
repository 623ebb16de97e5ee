"""Which tools each process may call: one table, for what is listed and for what is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from inklings_desktop.agent.planning import is_skill

if TYPE_CHECKING:
    from collections.abc import Collection

Process: TypeAlias = Literal[
    "orchestrator", "researcher", "worker", "composer", "pipeline", "records", "analysis"
]
ORCHESTRATOR: Final = "orchestrator"
"""Whom the author speaks with; it alone speaks with the others."""
RESEARCHER: Final = "researcher"
"""Reads and reports; it writes nothing but what it found, as working notes."""
WORKER: Final = "worker"
"""Acts within its brief."""
COMPOSER: Final = "composer"
"""Words skills; the author decides about each."""
PIPELINE: Final = "pipeline"
"""Gathers what a turn begins with; no planner has a say in what it calls."""
RECORDS: Final = "records"
"""The program itself: it keeps the conversation, whatever a planner wants."""
ANALYSIS: Final = "analysis"
"""A script that a person runs, or that is run dry: it reads, and no more."""
TEAM: Final[tuple[Process, ...]] = (RESEARCHER, WORKER, COMPOSER)
"""Those that the Orchestrator may send for something."""

SPAWN: Final = "spawn"
SET_PLAN: Final = "set_plan"
RUN_SCRIPT: Final = "run_script"
NOTE_OUTCOME: Final = "note_outcome"
"""What the program itself does with an answer that was worked out by a skill; never offered."""
VALIDATE_SKILL: Final = "validate_skill"
DRY_RUN_SKILL: Final = "dry_run_skill"
LOCAL: Final = frozenset({SPAWN, SET_PLAN, RUN_SCRIPT, NOTE_OUTCOME, VALIDATE_SKILL, DRY_RUN_SKILL})
"""Tools of the agent's own process: no server is asked."""

NOTES: Final = frozenset({"note_write", "note_read", "note_list", "note_clear"})
BY_BRIEF: Final = frozenset({
    "memory_put", "memory_update", "memory_forget", "named_entry_propose", "world_propose",
})  # fmt: skip
"""What a Worker may do only where its brief names it."""
FINDINGS: Final = "finding/"
"""How the keys of notes begin that tell what somebody found."""
_LOOKS = frozenset({
    "memory_read", "memory_search", "memory_get", "memory_orient", "memory_history",
    "named_entry_list", "named_entry_read", "event_list",
    "world_search", "world_read", "world_outline", "world_changes",
    "retcon_list", "note_read", "note_list", "skill_read",
})  # fmt: skip
_ALLOWED: dict[str, frozenset[str]] = {
    ORCHESTRATOR: NOTES | {
        SPAWN, SET_PLAN, NOTE_OUTCOME,
        "memory_read", "memory_put", "memory_update", "memory_forget", "memory_restore",
        "memory_orient", "memory_get", "memory_search", "memory_recent", "conversation_list",
        "named_entry_list", "named_entry_read", "named_entry_propose", "conversation_rename",
        "skill_search", "skill_read", "skill_propose", "activity_list", "activity_propose",
        "world_search", "world_read", "world_outline", "world_changes", "world_propose",
        "retcon_list",
    },
    RESEARCHER: _LOOKS | {"note_write"},
    WORKER: NOTES | {
        RUN_SCRIPT, "memory_read", "memory_list", "memory_search", "memory_get", "channel_list",
        "fact_search", "world_search", "world_read", "world_outline", "world_changes",
        "skill_read",
    },
    COMPOSER: NOTES | {
        VALIDATE_SKILL, DRY_RUN_SKILL,
        "memory_read", "skill_search", "skill_read", "skill_propose",
    },
    PIPELINE: frozenset({"memory_orient", "memory_search", "skill_search", "workspace_overview"}),
    RECORDS: frozenset({
        "conversation_start", "conversation_get", "conversation_list", "conversation_end",
        "conversation_archive", "conversation_resume", "conversation_rename",
        "message_append", "message_list", "memory_read", "memory_get", "memory_forget",
        "memory_restore", "note_read", "note_write", "workspace_overview",
        "skill_read", "skill_trace_append",
    }),
    ANALYSIS: frozenset({
        "memory_read", "memory_list", "memory_get", "memory_history", "channel_list",
        "fact_search", "world_read", "world_search", "world_outline", "world_changes",
    }),
}  # fmt: skip
_ALWAYS_LEFT = frozenset({SPAWN, SET_PLAN, NOTE_OUTCOME, "skill_search", "skill_read"})
"""What a skill takes from nobody: to read on, and to send others, who have no more themselves."""


def may_call(process: str, tool: str, named: Collection[str] = ()) -> bool:
    """Whether a process may call a tool at all; one that nobody knows may call none.

    Args:
        process: Who calls.
        tool: What is called.
        named: Tools that its brief names: what a Worker writes with.
    """
    if tool in _ALLOWED.get(process, frozenset()):
        return True
    if process == WORKER and tool in BY_BRIEF:
        return tool in named
    return process == ORCHESTRATOR and is_skill(tool)


def is_left(tool: str, only: Collection[str] | None) -> bool:
    """Whether one who works by a skill may still call a tool that is its own.

    Args:
        only: Tools that the skill makes use of; None where it does not say, or for no skill.
    """
    return only is None or tool in only or tool in _ALWAYS_LEFT or is_skill(tool)
