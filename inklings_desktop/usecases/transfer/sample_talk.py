"""What was said in the sample world, and the events that its agent and its author left behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import CallerKind, Door
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.domain.rooms.messages import Message, MessageRole, MessageState, ProducedBy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.usecases.ports.store import UnitOfWork

    Told = Mapping[str, Any]

_TOOLS = {"read": "memory_read", "written": "memory_put"}


def write_talk(
    unit: UnitOfWork,
    caller: Caller,
    document: Told,
    entries: Mapping[str, MemoryEntry],
    conversations: Mapping[str, Conversation],
    instant_of: Callable[[str], datetime],
) -> None:
    """Write the messages, oldest first; each answer names the memories that it read or kept.

    Args:
        unit: On the file of the workspace.
        caller: The person, whose words the questions are.
        document: The parsed sample world.
        entries: Its memories by id.
        conversations: By key.
        instant_of: Shifts a time of the document.
    """
    for one in document["messages"]:
        role, at = MessageRole(one["role"]), instant_of(one["at"])
        is_persons = role is MessageRole.USER
        unit.messages.append(
            Message(
                one["id"],
                conversations[one["conversation"]].id,
                0,
                one["turn"],
                role,
                MessageState.COMPLETE,
                json.dumps(list(_parts(one, entries)), ensure_ascii=False, separators=(",", ":")),
                caller.name if is_persons else document["clients"][0]["name"],
                ProducedBy.PERSON if is_persons else ProducedBy.MECHANICAL,
                at,
                read_at=None if is_persons else at,
            )
        )


def _parts(one: Told, entries: Mapping[str, MemoryEntry]) -> Iterator[Told]:
    """An answer as the agent itself would have stored it."""
    touched = [_touched(entries[id_], how) for how, id_ in one.get("touched", ())]
    for number, memory in enumerate(touched, 1):
        yield {
            "kind": "tool",
            "id": f"c{number}",
            "title": _TOOLS[memory["how"]],
            "tool": _TOOLS[memory["how"]],
            "tool_kind": "search" if memory["how"] == "read" else "edit",
            "status": "completed",
            "input": {"query": one["query"]} if "query" in one else {},
            "outcome": "",
            "touched": [memory],
            "ms": 200,
        }
    quotes = [{key: memory[key] for key in ("id", "tier")} for memory in touched]
    yield {"kind": "text", "text": one["text"], **({"quotes": quotes} if quotes else {})}
    if touched:
        yield {"kind": "touched", "touched": touched}


def _touched(entry: MemoryEntry, how: str) -> dict[str, Any]:
    return {
        "id": entry.id,
        "tier": entry.scope.tier.value,
        "scope": entry.scope.key,
        "version": entry.version,
        "how": how,
        "undo": False,
        "excerpt": entry.content[:250],
    }


def write_events(
    unit: UnitOfWork,
    caller: Caller,
    agent: str,
    entries: Iterable[MemoryEntry],
    conversations: Iterable[Conversation],
) -> None:
    """Write the log of a workspace: its conversations, and what its agent kept in them."""
    found: list[tuple[datetime, EventDraft]] = []
    person = (caller.name, CallerKind.PERSON.value, Door.WINDOW.value)
    for talk in conversations:
        about = (Tier.CONVERSATION.value, talk.id, (talk.id,))
        steps = [(talk.started_at, EventKind.CONVERSATION_STARTED)]
        if talk.ended_at is not None:
            steps.append((talk.ended_at, EventKind.CONVERSATION_ARCHIVED))
        found += [(at, EventDraft(kind, *person, *about)) for at, kind in steps]
    by_agent = (agent, CallerKind.AGENT.value, Door.MCP.value)
    for one in entries:
        if one.curator is Curator.AGENT and one.scope.tier is Tier.CONVERSATION:
            about = (one.scope.tier.value, one.scope.key, (one.id,))
            draft = EventDraft(EventKind.MEMORY_CREATED, *by_agent, *about, {"memories": 1})
            found.append((one.created_at, draft))
    for at, draft in sorted(found, key=lambda one: one[0]):
        unit.events.append(draft, at)
