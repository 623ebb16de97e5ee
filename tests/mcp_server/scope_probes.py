"""How each row of the scope table is asked: a tool with its arguments, or an address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.skills.folder import together
from tests.mcp_server.scope_table import Place
from tests.mcp_server.scope_world import (
    CANON,
    FOLDER,
    MARKS,
    SECRETS,
    SKILL,
    UNKNOWN_ID,
    skill_files,
)

if TYPE_CHECKING:
    from tests.mcp_server.scope_table import Row
    from tests.mcp_server.scope_world import ScopeWorld

A_KEY = "The harbour's key is ghp_" + "a1B2" * 10
ACTIVITY = {
    "name": "Digest",
    "prompt": "What is new?",
    "schedule": {"daily": "10:30"},
    "channel": "general",
    "reason": "It is worth a look.",
}
_NAMES = {"VOICE": "workspace", "SOUL": "account"}


def arguments(row: Row, world: ScopeWorld) -> dict[str, Any]:
    """The arguments of a tool."""
    match row.tool.partition("_"):
        case ("memory", _, "orient"):
            return _orienting(row, world)
        case ("channel" | "proposal" | "workspace" | "activity" | "event", _, _):
            return ACTIVITY if row.tool == "activity_propose" else {}
        case ("memory", _, "restore"):
            target = world.memory("workspace", Place.OWN)
            id_ = UNKNOWN_ID if row.about == "unknown id" else target.id
            return {"tier": "workspace", "id": id_}
        case ("memory", _, _):
            return _on_memories(row, world)
        case ("named", _, _):
            return _on_entries(row)
        case ("conversation", _, _):
            return _on_conversations(row, world)
        case ("message", _, _):
            return _on_messages(row, world)
        case ("note", _, _):
            return _on_notes(row, world)
        case ("world", _, _):
            return _on_pages(row)
        case ("fact" | "domain" | "retcon" | "policy" | "working" as what, _, _):
            return (_on_retcons if what == "retcon" else _on_facts)(row, world)
        case ("run", _, _):
            return _on_run_state(row, world)
        case _:
            return _on_skills(row) if "skill" in row.tool else _on_scrubs(row, world)


def address(row: Row, world: ScopeWorld) -> str:
    """The address of a resource."""
    if row.tool == "resource named":
        return f"inklings://named/{row.about.replace('unknown', 'NOBODYS')}"
    if row.tool == "resource facts":
        known = SECRETS if "closed" in row.about else CANON
        return f"inklings://facts/{'Nowhere' if 'unknown' in row.about else known}"
    if row.tool == "resource policies":
        return "inklings://policies"
    return f"inklings://orientation/{world.room('conversation', row.place)}"


def messages_of(row: Row, world: ScopeWorld) -> tuple[str, dict[str, str]]:
    """A prompt by its name, and its arguments."""
    name = row.tool.removeprefix("prompt ")
    room = {"conversation": world.room("conversation", row.place)} if row.about else {}
    said = {"orient": {"message": "marker"}, "remember": {"what": "says marker"}}
    return name, said.get(name, {}) | room


def _place(row: Row, world: ScopeWorld) -> dict[str, Any]:
    """Tier and scope."""
    if row.about == "conversation that was put away":
        return {"tier": "conversation", "scope": world.room("conversation", "away")}
    if row.about == "channel of another workspace":
        return {"tier": "channel", "scope": world.room("channel", "elsewhere")}
    for tier in ("channel", "conversation"):
        if row.about.endswith(f"{row.place} {tier}"):
            return {"tier": tier, "scope": world.room(tier, row.place)}
    return {"tier": "account" if "account" in row.about else "workspace"}


def _on_memories(row: Row, world: ScopeWorld) -> dict[str, Any]:
    if row.tool == "memory_read":
        query = "says marker" if "query" in row.about else ""
        return _place(row, world) | {"query": query}
    if row.tool == "memory_search":
        return {"query": "after:2000" if row.about else "says marker", "limit": 100}
    if row.tool == "memory_recent":
        return {"since": "2020-01-01", "limit": 100}
    if row.tool == "memory_put_many":
        return {"memories": [_put(row, world) | {"content": f"Among several: {row.about}."}]}
    if row.tool == "memory_list":
        return _place(row, world)
    if row.tool == "memory_put":
        return _put(row, world)
    place = _place(row, world)
    match row.about:
        case "the author's":
            target = world.of_author()
        case "locked by the author":
            target = world.of_author(locked=True)
        case "another client's private":
            target = world.memory("workspace", private_to="keeper")
        case _:
            target = world.memory(place["tier"], row.place)
    memory_id = UNKNOWN_ID if row.about == "unknown id" else target.id
    if row.tool in {"memory_get", "memory_history"}:
        return {"ids": [memory_id]} if row.tool == "memory_get" else {"id": memory_id}
    values = place | {"id": memory_id}
    if row.tool == "memory_forget":
        return values | {"reason": "tried"}
    return values | {"patch": {"tags": ["tried"]}, "expected_version": target.version}


def _put(row: Row, world: ScopeWorld) -> dict[str, Any]:
    if "said in" in row.about:
        spoken = "foreign" if "foreign" in row.about else "own"
        room = world.room("conversation", spoken)
        return {"tier": "workspace", "content": "Said there.", "conversation": room}
    content = A_KEY if "key" in row.about else f"Put there: {row.about}."
    values = _place(row, world) | {"content": content}
    if "replacing" not in row.about:
        return values | {"private": "private" in row.about}
    if "author's" in row.about:
        return values | {"replaces": world.of_author().id}
    keeping = {"private_to": "keeper"} if "private" in row.about else {}
    return values | {"replaces": world.memory("workspace", **keeping).id}


def _orienting(row: Row, world: ScopeWorld) -> dict[str, Any]:
    if row.about.endswith("conversation"):
        return {"conversation": world.room("conversation", row.place), "query": "marker"}
    return {"tiers": [row.about.split()[0]]} if row.about else {}


def _on_entries(row: Row) -> dict[str, Any]:
    if row.tool == "named_entry_list":
        return {"tier": row.about} if row.about else {}
    tier = "account" if "account" in row.about else "workspace"
    name = {"name": row.about} if row.about in _NAMES else {"name": "NOBODYS"}
    values = name | {"tier": _NAMES.get(row.about, tier)}
    if row.tool == "named_entry_propose":
        is_new = row.about.startswith("new")
        return values | {"body": "Otherwise.", "reason": "It reads better.", "new": is_new}
    return values


def _on_conversations(row: Row, world: ScopeWorld) -> dict[str, Any]:
    if row.tool == "conversation_list":
        return {}
    if row.tool == "conversation_start":
        own = row.about == "in general"
        return {"channel": "general" if own else world.room("channel", row.place)}
    rooms = {"conversation_end": "second", "conversation_archive": "third"}
    name = rooms.get(row.tool, "own") if row.place == "own" else row.place
    if row.about == "with a summary":
        room = world.room("conversation", "fourth")
        return {"conversation": room, "summary": "- Three words here"}
    values: dict[str, Any] = {"conversation": world.room("conversation", name)}
    if row.tool == "conversation_rename":
        return values | {"title": "Tried"}
    return values | {"force": True} if row.tool == "conversation_archive" else values


def _on_messages(row: Row, world: ScopeWorld) -> dict[str, Any]:
    room = {"conversation": world.room("conversation", row.place)}
    if row.tool == "message_list":
        return room
    return room | {"role": "assistant", "parts": "[]", "turn": "tried"}


def _on_notes(row: Row, world: ScopeWorld) -> dict[str, Any]:
    # Clearing comes last among the notes; it takes another room, so that one can be tried alone.
    is_clearing = row.tool == "note_clear" and row.place == "own"
    name = "fifth" if is_clearing else row.place
    if row.about == "conversation that was put away":
        name = "away"
    values: dict[str, Any] = {"conversation": world.room("conversation", name)}
    match row.tool:
        case "note_write":
            return values | {"key": "tried", "value": 1}
        case "note_read":
            return values | {"key": "plan"}
        case _:
            return values


def _on_scrubs(row: Row, world: ScopeWorld) -> dict[str, Any]:
    place = _place(row, world)
    if row.tool == "scrub_preview":
        return place
    mode = row.about.split()[0]
    values = place | {"mode": mode, "token": "a" * 64, "confirm": "scrub"}
    if row.place == "unknown":
        return values
    world.memory(place["tier"], row.place)  # never nothing to remove
    counted = world.counted(place["tier"], row.place, mode)
    return values | {"token": counted.token, "confirm": counted.phrase}


def _on_pages(row: Row) -> dict[str, Any]:
    is_elsewhere = "another workspace" in row.about
    match row.tool:
        case "world_search":
            return {"query": "says the marker"}
        case "world_read":
            known = MARKS["page elsewhere" if is_elsewhere else "page"]
            return {"page": UNKNOWN_ID if row.about == "unknown page" else known}
        case "world_propose":
            known = MARKS["page"]
            page = UNKNOWN_ID if row.about == "unknown page" else known
            return {"page": page, "text": "Said anew.", "reason": "It is."}
        case "world_outline" if is_elsewhere:
            return {"folder": FOLDER.format(MARKS["page elsewhere"])}
        case _:
            return {}


def _on_skills(row: Row) -> dict[str, Any]:
    match row.tool:
        case "skill_search":
            return {"query": "tides"}
        case "skill_propose":
            return {"files": together(skill_files("ebb")), "reason": "It is."}
        case _:
            name = "unknown" if row.about == "unknown" else SKILL
            return {"name": name} | ({"output": "Six."} if "trace" in row.tool else {})


def _on_facts(row: Row, world: ScopeWorld) -> dict[str, Any]:
    domain = SECRETS if "closed" in row.about else CANON
    match row.tool:
        case "fact_search":
            return {"query": "says the marker"}
        case "fact_put":
            source = world.memory("workspace", Place.OWN).id
            said = f"{MARKS['workspace']} said so, {source}."
            return {"domain": domain, "topic": "tried", "content": said, "sources": [source]}
        case "domain_list" | "policy_list" | "working_memory_read":
            return {}
        case "working_memory_write":
            return {"body": "Where the work stands."}
        case "policy_propose":
            return {"domain": domain, "rule": "Say the marker.", "reason": "It is."}
        case "domain_create":
            return {"name": "Tides"}
        case _:
            known = UNKNOWN_ID if row.about == "unknown id" else world.fact(domain)
            more = {"content": "Said anew.", "reason": "It is."}
            return {"id": known, **(more if row.tool == "fact_supersede" else {})}


def _on_retcons(row: Row, world: ScopeWorld) -> dict[str, Any]:
    match row.about:
        case "unknown id":
            return {"id": UNKNOWN_ID}
        case "":
            return {}
        case _:
            return {"id": world.retcon(of_author="author" in row.about)}


def _on_run_state(row: Row, world: ScopeWorld) -> dict[str, Any]:
    values = {"conversation": world.room("conversation", row.place)}
    if not row.about.startswith("asked"):
        return values
    if row.place == "unknown":
        return values | {"token": "a" * 64, "confirm": "purge"}
    world.ran(row.place)  # never nothing to remove
    counted = world.counted("conversation", row.place, "run_state")
    return values | {"token": counted.token, "confirm": counted.phrase}
