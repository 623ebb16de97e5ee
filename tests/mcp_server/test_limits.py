"""Every limit of every tool: over it nothing is kept, and the sentence names it."""

from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.domain.access.clients import ClientCall
from inklings_desktop.domain.entries.proposals import MAX_PENDING_PER_CLIENT
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.mcp_server.session import MAX_REFUSALS_PER_MINUTE
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor

PUT = {"tier": "workspace", "content": "The tide turns."}
DEEP: Any = "bottom"
for _ in range(70):
    DEEP = [DEEP]
LINES = "\n".join(f"- The tide turns {number}" for number in range(201))


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("memory_read", {"tier": "workspace", "limit": 101}, "1 to 100 hits"),
        ("memory_read", {"tier": "workspace", "limit": 0}, "1 to 100 hits"),
        ("memory_put", PUT | {"content": "x" * 65_537}, "at most 64 KiB of text"),
        ("memory_put", PUT | {"content": " \u200b "}, "at least one word"),
        ("memory_put", PUT | {"importance": 1.01}, "from 0 to 1"),
        ("memory_put", PUT | {"tags": [str(n) for n in range(33)]}, "at most 32 tags"),
        ("memory_put", PUT | {"tags": ["x" * 65]}, "at most 64 characters"),
        ("memory_put", PUT | {"source": "x" * 65}, "at most 64 characters"),
        ("memory_put", PUT | {"derived_from": [f"p{n}" for n in range(65)]}, "at most 64 pages"),
        ("memory_put", PUT | {"derived_from": ["x" * 257]}, "at most 256 characters"),
        ("memory_orient", {"budget_tokens": 0}, "1 to 200,000 tokens"),
        ("memory_orient", {"budget_tokens": 200_001}, "1 to 200,000 tokens"),
        (
            "named_entry_propose",
            {"name": "VOICE", "body": "x" * 262_145, "reason": "Longer."},
            "at most 256 KiB of text",
        ),
        (
            "named_entry_propose",
            {"name": "VOICE", "body": "Loudly.", "reason": "x" * 501},
            "at most 500 characters",
        ),
        ("named_entry_propose", {"name": "VOICE", "body": "Loudly.", "reason": " "}, "Say in"),
        ("conversation_start", {"title": "x" * 121}, "at most 120 characters"),
    ],
)
def test_over_a_limit_nothing_is_kept_and_the_limit_is_named(
    door: AgentDoor, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in door.refusal(tool, **arguments)
    inklings = door.inklings
    scope = ScopeKey.workspace(door.workspace.id)
    assert inklings.listing.browse([scope]).entries == ()
    assert inklings.proposals.list(door.workspace.id) == ()
    assert inklings.places.conversations(door.workspace.id) == ()


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("memory_update", {"patch": {"content": "x" * 65_537}}, "at most 64 KiB of text"),
        ("memory_update", {"patch": {"tags": ["x" * 65]}}, "at most 64 characters"),
        ("memory_update", {"patch": {"importance": -0.1}}, "from 0 to 1"),
        ("memory_update", {"patch": {"curator": "author"}}, "content, importance, lifetime"),
        ("memory_update", {"patch": {"lifetime": "always"}}, "'long_term', 'short_term'"),
        ("memory_forget", {"reason": "x" * 201}, "at most 200 characters"),
    ],
)
def test_over_a_limit_a_memory_stays_as_it_is(
    door: AgentDoor, tool: str, arguments: dict[str, Any], said: str
) -> None:
    put = door.answer("memory_put", **PUT)["memory"]
    named = {"tier": "workspace", "id": put["id"]}
    version: dict[str, Any] = {"expected_version": 1} if tool == "memory_update" else {}
    assert said in door.refusal(tool, **named, **version, **arguments)
    (read,) = door.answer("memory_read", tier="workspace")["hits"]
    assert (read["content"], read["version"]) == (PUT["content"], 1)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("note_write", {"key": "x" * 129, "value": 1}, "at most 128 characters"),
        ("note_write", {"key": "k", "value": "x" * 65_536}, "at most 64 KiB of JSON"),
        ("note_write", {"key": "k", "value": DEEP}, "at most 64 levels"),
        ("conversation_end", {"summary": "three words x" * 6_000}, "at most 64 KiB of text"),
        ("conversation_end", {"summary": LINES}, "at most 200 lines"),
    ],
)
def test_over_a_limit_a_conversation_goes_on(
    door: AgentDoor, tool: str, arguments: dict[str, Any], said: str
) -> None:
    room = door.answer("conversation_start")["conversation"]
    assert said in door.refusal(tool, conversation=room["id"], **arguments)
    now = door.answer("conversation_get", conversation=room["id"])["conversation"]
    assert now["state"] == "active"
    assert door.answer("note_list", conversation=room["id"])["notes"] == []


WRITES: dict[str, dict[str, Any]] = {
    "memory_put": PUT,
    "memory_put_many": {"memories": [PUT]},
    "memory_update": {"tier": "workspace", "id": "x", "patch": {}, "expected_version": 1},
    "memory_forget": {"tier": "workspace", "id": "x"},
    "named_entry_propose": {"name": "VOICE", "body": "Loudly.", "reason": "Better."},
    "retcon_keep": {"id": "x"},
    "fact_put": {"domain": "x", "topic": "x", "content": "x"},
    "fact_supersede": {"id": "x", "content": "x", "reason": "x"},
    "domain_create": {"name": "x"},
    "policy_propose": {"domain": "x", "rule": "x", "reason": "x"},
    "working_memory_write": {"body": "x"},
    "activity_propose": {
        "name": "x",
        "prompt": "x",
        "schedule": {"daily": "10:30"},
        "channel": "x",
        "reason": "x",
    },
    "skill_propose": {"files": "x", "reason": "x"},
    "skill_trace_append": {"name": "x", "output": "x"},
    "conversation_start": {},
    "conversation_end": {"conversation": "x"},
    "conversation_archive": {"conversation": "x"},
    "conversation_resume": {"conversation": "x"},
    "conversation_rename": {"conversation": "x", "title": "y"},
    "message_append": {"conversation": "x", "role": "notice", "parts": "[]", "turn": "t"},
    "memory_restore": {"tier": "workspace", "id": "x"},
    "note_write": {"conversation": "x", "key": "k", "value": 1},
    "note_clear": {"conversation": "x"},
    "scrub_execute": {"tier": "workspace", "token": "x", "confirm": "x"},
    "run_state_purge": {"conversation": "x", "token": "x", "confirm": "x"},
}


KEEPING_TALK = {"conversation_resume", "conversation_rename", "message_append"}
"""What the World Agent keeps of a talk counts against no limit: a person talks as they like."""


def test_writes_of_a_minute_are_counted_over_every_tool_that_writes(door: AgentDoor) -> None:
    reading = {tool.name for tool in door.tools() if tool.annotations.read_only_hint}
    assert {tool.name for tool in door.tools()} - reading <= set(WRITES)
    inklings = door.inklings
    limit = inklings.settings.writes_per_minute
    for _ in range(limit - 1):
        inklings.clients.note_call(a_write(door))
    door.answer("memory_put", **PUT)
    for tool, arguments in WRITES.items():
        is_counted = tool not in KEEPING_TALK
        assert (f"{limit} times a minute" in door.refusal(tool, **arguments)) == is_counted, tool
    assert door.answer("memory_read", tier="workspace")["hits"] != []
    # The limit is each client's own.
    assert len(door.answer("memory_read", client=STRANGER, tier="workspace")["hits"]) == 1
    assert door.answer("conversation_start", client=STRANGER)["conversation"]["state"] == "active"


def test_a_client_has_so_many_proposals_and_no_more(door: AgentDoor) -> None:
    for number in range(MAX_PENDING_PER_CLIENT):
        door.answer("memory_put", tier="account", content=f"Likes tea {number}.")
    said = door.refusal("memory_put", tier="account", content="Likes coffee.")
    assert f"{MAX_PENDING_PER_CLIENT} proposals" in said


def test_a_client_that_is_refused_again_and_again_no_longer_fills_the_log(
    door: AgentDoor,
) -> None:
    server = door.server(STRANGER)
    session = server._session
    for _ in range(MAX_REFUSALS_PER_MINUTE):
        with pytest.raises(Exception, match="Not open"):
            session.call("memory_put", _closed)
    with pytest.raises(Exception, match=f"refused {MAX_REFUSALS_PER_MINUTE} times"):
        session.call("memory_put", _closed)
    inklings = door.inklings
    where = EventFilter(kinds=frozenset({EventKind.DENIED}), actors=frozenset({STRANGER}))
    found = inklings.log.list(None, where, limit=500)
    assert len(found) == MAX_REFUSALS_PER_MINUTE
    assert found[0].counts == {"memory.put": 1}
    activity = inklings.clients.show(STRANGER).activity
    assert (activity.last_error, activity.calls[0].answer) == ("over_limit", "failed")


def _closed(_caller: Any) -> tuple[dict[str, Any], int]:
    from inklings_desktop.domain.errors import ScopeDeniedError

    raise ScopeDeniedError("write", "workspace")


def a_write(door: AgentDoor) -> ClientCall:
    """A write that the door has noted."""
    return ClientCall(
        LOOM, door.inklings.clock(), "memory_put", None, None, "stored", is_write=True
    )
