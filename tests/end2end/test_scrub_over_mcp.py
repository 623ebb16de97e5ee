"""``scrub_bytes`` over the agent's door: what an agent said, asked or got wrong is nowhere left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import Tool
from sqlalchemy import LargeBinary, Text

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import WORLD_ACTIONS, ClientKind, Right
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode, ScrubOutcome
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.schema.client_schema import CLIENT_TABLES
from inklings_desktop.storage.schema.purge_schema import SCRUB_REQUEST_TABLES
from inklings_desktop.storage.schema.tables import events
from tests.end2end.byte_scan import ByteScanner, a_byte_scanner
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor, agent_door
from tests.support.sqlite_store import raw

pytestmark = pytest.mark.end2end

CANARY = "kestrelbrinehollowquayvexmire"
"""One word, longer than a needle, that folding and stemming leave as it is."""
WINDOW = "3d0f9a52-0000-4000-8000-000000000001"
EVERYTHING = [action for action in Action if action is not Action.MANAGE]
EVERYWHERE = [action for action in EVERYTHING if action not in WORLD_ACTIONS]


@pytest.fixture
def scanner() -> Iterator[ByteScanner]:
    with a_byte_scanner() as scanner:
        yield scanner


def everything_granted(door: AgentDoor) -> None:
    here = door.workspace.id
    rights = [
        Right(tier, None if tier is Tier.ACCOUNT else here, action)
        for tier in Tier
        for action in (EVERYTHING if tier is Tier.WORKSPACE else EVERYWHERE)
    ]
    door.inklings.clients.grant(LOOM, rights, kind=ClientKind.WORLD_AGENT)


def said_properly(door: AgentDoor) -> tuple[str, str]:
    """The canary in everything that is kept for good; a conversation and its channel."""
    room = door.answer("conversation_start")["conversation"]
    text = f"The {CANARY} sleeps."
    for tier, scope in (
        ("workspace", None),
        ("account", None),
        ("channel", "general"),
        ("conversation", room["id"]),
    ):
        values: dict[str, Any] = {"tier": tier, "scope": scope, "content": text}
        extra: dict[str, Any] = {} if tier == "account" else {"derived_from": [CANARY]}
        put = door.answer("memory_put", **values, tags=[CANARY], **extra)["memory"]
        place = {"tier": tier, "scope": scope, "id": put["id"]}
        patch = {"content": f"{text} It woke."}
        door.answer("memory_update", **place, patch=patch, expected_version=1)
        door.answer("memory_read", tier=tier, scope=scope, query=CANARY)
        again = door.answer("memory_put", **values | {"content": f"{text} Twice."})["memory"]
        door.answer("memory_forget", **place | {"id": again["id"]}, reason=CANARY)
        held = door.answer("memory_put", **values | {"content": f"{text} password = {CANARY}-7X!"})
        assert held["status"] == "held_for_review"
    door.answer("note_write", conversation=room["id"], key=CANARY, value={CANARY: [CANARY]})
    door.answer("memory_orient", conversation=room["id"], query=CANARY)
    for name in ("VOICE", "SOUL"):
        door.answer("named_entry_propose", name=name, body=CANARY, reason=CANARY)
    other = door.answer("conversation_start")["conversation"]
    door.answer("conversation_end", conversation=other["id"], summary=f"- The {CANARY} was paid")
    return room["id"], room["channel"]


async def said_everywhere(door: AgentDoor, client_name: str) -> int:
    """The canary in place of every argument of every tool, and in addresses; how many calls."""
    n_calls = 0
    async with Client(door.server(client_name)) as client:
        every: list[Tool] = list(await _registered(door))
        for tool in every:
            properties: dict[str, Any] = tool.input_schema["properties"]
            for name in properties:
                for value in (CANARY, [CANARY], {CANARY: CANARY}):
                    if (tool.name, name) == ("conversation_start", "title"):
                        continue  # a title is the name of a room: no tier holds it
                    filled = {one: _harmless(one) for one in tool.input_schema.get("required", [])}
                    await client.call_tool(tool.name, filled | {name: value})
                    n_calls += 1
            await client.call_tool(tool.name, {CANARY: CANARY, "more": CANARY})
        await client.call_tool(CANARY, {CANARY: CANARY})
        for address in (
            f"inklings://named/workspace/{CANARY}",
            f"inklings://named/{CANARY}/VOICE",
            f"inklings://orientation/{CANARY}",
            f"inklings://{CANARY}/{CANARY}",
        ):
            with pytest.raises(MCPError):
                await client.read_resource(address)
    return n_calls


async def _registered(door: AgentDoor) -> list[Any]:
    from mcp.server.mcpserver import MCPServer

    return await MCPServer.list_tools(door.server())


def _harmless(name: str) -> Any:
    values = {"tier": "workspace", "patch": {"tags": ["x"]}, "expected_version": 1, "value": 1}
    return values.get(name, "x")


def wordless_rows(path: Path) -> list[str]:
    """Everything that the agent's door itself stores, and the event log, as text."""
    found = []
    with raw(path) as connection:
        for table in (*CLIENT_TABLES, *SCRUB_REQUEST_TABLES, events):
            names = [one.name for one in table.c if isinstance(one.type, Text | LargeBinary)]
            statement = f"SELECT {', '.join(names)} FROM {table.name}"  # noqa: S608 - our own names
            found += [repr(row) for row in connection.execute(statement)]
    return found


def scrubbed_by_request(door: AgentDoor, tier: str, scope: str | None) -> ScrubOutcome:
    """The agent asks, the author confirms, the agent hears of it."""
    inklings = door.inklings
    inklings.scrub.attend(WINDOW, is_open=True)  # as a window does every now and then
    place: dict[str, Any] = {"tier": tier, "scope": scope, "mode": "full"}
    counted = door.answer("scrub_preview", **place)
    assert CANARY not in repr(counted)
    asked = door.answer("scrub_execute", **place, token=counted["token"], confirm=counted["phrase"])
    (request,) = inklings.scrub.requests()
    assert asked["request"] == request.id
    manifest = inklings.scrub.preview(request.scope, request.mode)
    outcome = inklings.scrub.confirm(request.id, token=manifest.token, phrase=manifest.phrase)
    told = door.answer("scrub_execute", **place, request=request.id)
    assert told["status"] == "executed"
    return outcome


def test_nothing_of_what_an_agent_said_is_left_after_its_scrubs(
    tmp_path: Path, scanner: ByteScanner
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "settings.toml").write_text("[agents]\nwrites_per_minute = 10000\n", "utf-8")
    with agent_door(root) as door:
        everything_granted(door)
        door.inklings.scrub.attend(WINDOW, is_open=True)
        conversation, channel = said_properly(door)
        assert asyncio.run(said_everywhere(door, LOOM)) > 150
        asyncio.run(said_everywhere(door, STRANGER))
        assert len(scanner.files_with(root, CANARY)) > 1
        rows = wordless_rows(root / DATABASE_NAME)
        assert len(rows) > 150
        assert not [row for row in rows if CANARY in row]
        outcomes = [
            scrubbed_by_request(door, tier, scope)
            for tier, scope in (
                ("conversation", conversation),
                ("channel", channel),
                ("workspace", None),
                ("account", None),
            )
        ]
        assert all(one.is_finished for one in outcomes), outcomes
        receipts = [one.receipt for one in outcomes]
        assert all(one is not None and one.hits == 0 for one in receipts)
        # Until the last of them the same words stand in another tier, and prove nothing.
        assert receipts[-1] is not None
        assert receipts[-1].n_needles > 0
        assert scanner.files_with(root, CANARY) == set()
    assert scanner.files_with(root, CANARY) == set()


def test_text_beside_the_requests_of_a_client_is_a_trace_and_no_excuse(tmp_path: Path) -> None:
    root = tmp_path / "root"
    text = "The Hollow Crown lies under the third quay, and nobody may know of it."
    with agent_door(root) as door:
        door.answer("memory_put", tier="workspace", content=text)
        with raw(root / DATABASE_NAME) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("UPDATE client_calls SET error = ?", (text,))
        inklings, scope = door.inklings, ScopeKey.workspace(door.workspace.id)
        manifest = inklings.scrub.preview(scope, ScrubMode.FULL)
        outcome = inklings.scrub.execute(
            scope, ScrubMode.FULL, token=manifest.token, phrase=manifest.phrase
        )
        assert (outcome.is_finished, outcome.pending) == (False, "text")
        with raw(root / DATABASE_NAME) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("UPDATE client_calls SET error = ''")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        inklings.scrub.resume()
        assert inklings.scrub.pending() == ()
