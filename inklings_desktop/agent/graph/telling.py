"""What a turn did: as parts of its message, and step by step for the person to look at later."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import PERMISSION, TEXT, TOOL, TOUCHED
from inklings_desktop.agent.memory_door.filters import ORCHESTRATOR
from inklings_desktop.agent.planning import is_skill
from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent.planning import Call
    from inklings_desktop.agent.ports import RunState

MAX_EXCERPT = 250
_KINDS = {
    "memory_read": "search", "memory_search": "search", "memory_list": "search",
    "memory_recent": "read", "memory_orient": "read", "conversation_list": "read",
    "memory_get": "read", "memory_history": "read", "event_list": "read",
    "named_entry_list": "read", "named_entry_read": "read",
    "note_read": "read", "note_list": "read", "memory_put": "edit", "memory_update": "edit",
    "memory_restore": "edit", "note_write": "edit", "named_entry_propose": "edit",
    "conversation_rename": "edit", "memory_forget": "delete", "note_clear": "delete",
    "world_search": "search", "world_read": "read", "world_outline": "read",
    "world_changes": "read", "skill_search": "search", "skill_read": "read",
    "retcon_list": "read", "world_propose": "edit", "spawn": "think",
}  # fmt: skip
_READS = frozenset({"memory_read", "memory_search", "memory_get", "memory_list"})
_HOW = {"memory_forget": "forgotten", "memory_restore": "restored"}
_LINK = re.compile(r"\]\(memory:([a-z]+)/([0-9a-f-]{36})\)")
HELD, KNOWN = "held_for_review", "known"

Json = dict[str, Any]


def tool_kind(tool: str) -> str:
    """The protocol's word for what a tool does."""
    return "read" if is_skill(tool) else _KINDS.get(tool, "other")


def tool_part(
    turn: str, call: Call, status: str, process: str = ORCHESTRATOR, parent: str = ""
) -> Json:
    """The card of a call.

    Args:
        turn: Its id.
        call: What is called.
        status: In the protocol's word, or ``refused``.
        process: Who calls it.
        parent: Id of the call by which that one was sent; empty for the Orchestrator's own.
    """
    whose = {words.PROCESS: process} | ({words.PARENT: f"{turn}:{parent}"} if parent else {})
    return whose | {
        "kind": TOOL,
        "id": f"{turn}:{call.id}",
        "title": call.title or call.tool,
        "tool": call.tool,
        "tool_kind": tool_kind(call.tool),
        "status": status,
        "input": dict(call.arguments),
        "touched": [],
    }


MOST_STEPS = 7
_STATES = {"done": "completed", "now": "in_progress"}


def plan_entries(arguments: Mapping[str, Any], held: Sequence[Mapping[str, Any]]) -> list[Json]:
    """The steps of a plan, at most seven, of which one is now.

    A step that was told stays where it is: what a later plan leaves out is struck, and what it adds
    comes behind.
    """
    told = arguments.get("steps")
    wanted: dict[str, str] = {}
    for one in told if isinstance(told, list) else ():
        step = one if isinstance(one, dict) else {"text": one}
        text = " ".join(str(step.get("text") or "").split())[:200]
        if text:
            wanted[text] = _STATES.get(str(step.get("state")), "pending")
    order = [str(one["content"]) for one in held]
    order += [one for one in wanted if one not in order]
    is_now = next((one for one in order if wanted.get(one) == "in_progress"), "")
    entries = []
    for text in order[: max(MOST_STEPS, len(held))]:
        status = wanted.get(text, "pending")
        if status == "in_progress" and text != is_now:
            status = "pending"
        entry: Json = {"content": text, "priority": "medium", "status": status}
        if text not in wanted:
            entry["_meta"] = {words.OWN: {words.STRUCK: True}}
        entries.append(entry)
    return entries


def permission_part(turn: str, call: Call, question: str, outcome: str) -> Json:
    """How a question about a call ended."""
    return {
        "kind": PERMISSION,
        "id": f"{turn}:{call.id}:asked",
        "title": question,
        "outcome": outcome,
        "tool": f"{turn}:{call.id}",
    }


def touched_by(call: Call, answer: Mapping[str, Any], read: Mapping[str, Json]) -> list[Json]:
    """The memories that a call read or changed.

    Args:
        call: What was called.
        answer: What came back.
        read: What was touched in this turn before, by its id: of a memory that was forgotten, a
            tool names the id alone.
    """
    tier = str(call.arguments.get("tier") or "")
    if call.tool in _READS:
        hits = answer.get("hits") or answer.get("memories") or []
        return [_touched(hit, tier, "read") for hit in hits if isinstance(hit, dict)]
    if answer.get("status") == HELD:
        named = (call.arguments.get(one) for one in ("content", "name", "title", "reason"))
        content = str(next(filter(None, named), ""))
        held = [{"id": one, "content": content} for one in answer.get("proposals") or []]
        return [_touched(one, tier, "proposed") for one in held]
    if call.tool == "memory_forget":
        return [_gone(one, tier, read) for one in answer.get("forgotten") or []]
    memory = answer.get("memory")
    if not isinstance(memory, dict):
        return []
    if answer.get("status") == KNOWN or answer.get("already_known"):
        return [_touched(memory, tier, "read")]
    content = call.arguments.get("content") or memory.get("content") or ""
    how = _HOW.get(call.tool, "written")
    found = [_touched(memory | {"content": content}, tier, how, undo=how == "written")]
    if isinstance(answer.get("replaced"), str):
        found.append(_gone(answer["replaced"], tier, read))
    return found


def _gone(id_: str, tier: str, read: Mapping[str, Json]) -> Json:
    if id_ in read:
        return read[id_] | {"how": "forgotten", "undo": True}
    return _touched({"id": id_}, tier, "forgotten", undo=True)


def _touched(memory: Mapping[str, Any], tier: str, how: str, *, undo: bool = False) -> Json:
    return {
        "id": str(memory.get("id", "")),
        "tier": str(memory.get("tier") or tier),
        "scope": memory.get("scope"),
        "version": int(memory.get("version") or 0),
        "how": how,
        "undo": undo,
        "excerpt": str(memory.get("content") or "")[:MAX_EXCERPT],
    }


def united(results: Iterable[Mapping[str, Any]]) -> list[Json]:
    """The memories that a whole turn touched; what was changed stands before what was read."""
    found: dict[str, Json] = {}
    for result in results:
        for one in result["part"].get("touched", []):
            kept = found.get(one["id"])
            if kept is None or kept["how"] == "read" or one["how"] != "read":
                found[one["id"]] = one
    return sorted(found.values(), key=lambda one: one["how"] == "read")


def parts_of_turn(
    results: Sequence[Mapping[str, Any]],
    plan: Sequence[Mapping[str, Any]],
    answer: Mapping[str, Any],
    last: Sequence[Json],
) -> list[Json]:
    """The parts of a turn's message, in the order in which they were told."""
    parts: list[Json] = []
    if plan:
        parts.append({"kind": words.PLAN, "entries": list(plan)})
    for result in results:
        if (result.get("said") or {}).get("text"):
            said = str(result["said"]["text"])
            parts.append({"kind": TEXT, "text": said, "quotes": quotes_in(said)})
        parts.append(result["part"])
        if result.get("asked"):
            parts.append(result["asked"])
    if answer.get("text") or answer.get("quotes"):
        text = {"kind": TEXT, "text": answer["text"], "quotes": answer.get("quotes", [])}
        parts.append(text)
    if touched := united(results):
        parts.append({"kind": TOUCHED, "touched": touched})
    return [*parts, *last]


def quotes_in(text: str) -> list[Json]:
    """The memories that a text links, each once: by them a scrub finds what names one."""
    named = dict.fromkeys(_LINK.findall(text))
    return [{"id": id_, "tier": tier} for tier, id_ in named]


def trace_orientation(
    runs: RunState, conversation: str, turn: str, items: Sequence[Mapping[str, Any]]
) -> None:
    """Note which memories a turn began with."""
    summary = {"touched": list(items)}
    runs.add_trace(run_id_of(conversation, turn), "orient", "tool", summary)


def trace_call(
    runs: RunState,
    conversation: str,
    turn: str,
    result: Mapping[str, Any],
    decided: Mapping[str, Any],
) -> None:
    """Note one call: what it was, what became of it, and the text that it replaced."""
    part = result["part"]
    arguments = json.dumps(result["call"]["arguments"], sort_keys=True, ensure_ascii=False)
    summary = {
        "id": part["id"],
        "tool": part["tool"],
        "status": part["status"],
        "outcome": part["outcome"],
        "ms": part["ms"],
        "decision": decided.get("decision", ""),
        "arguments": hashlib.sha256(arguments.encode()).hexdigest(),
        "touched": [
            {key: one[key] for key in ("id", "tier", "version", "how")} for one in part["touched"]
        ],
    }
    detail = {
        "call": result["call"],
        "outcome": result["outcome"],
        "before": decided.get("before"),
    }
    runs.add_trace(run_id_of(conversation, turn), "act", "tool", summary, detail)
