from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client, MCPError
from mcp.types import INVALID_PARAMS

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import Tier
from inklings_desktop.mcp_server.words.answers import DAMAGED, NOT_WRITTEN_YET
from tests.mcp_server.agent_door import LOOM, STRANGER
from tests.support.damaging import make_unreadable

if TYPE_CHECKING:
    from tests.mcp_server.agent_door import AgentDoor

BODY = "Plainly."


def read(door: AgentDoor, address: str, client: str = LOOM) -> Any:
    """The text, or code and message of the error."""

    async def asked() -> Any:
        async with Client(door.server(client)) as speaking:
            try:
                found: Any = await speaking.read_resource(address)
            except MCPError as failed:
                return failed.error.code, failed.error.message
            return found.contents[0].text

    return asyncio.run(asked())


def templates(door: AgentDoor, client: str = LOOM) -> set[str]:
    async def asked() -> Any:
        async with Client(door.server(client)) as speaking:
            return await speaking.list_resource_templates()

    return {one.uri_template for one in asyncio.run(asked()).resource_templates}


def write_entry(door: AgentDoor, name: str, tier: Tier) -> None:
    inklings = door.inklings
    entry = inklings.entries.find(door.workspace.id, name, tier)
    inklings.entries.save(entry.ref, BODY, expected_version=entry.version)


def test_a_client_is_shown_the_addresses_it_may_read(door: AgentDoor) -> None:
    named, orientation = "inklings://named/{tier}/{name}", "inklings://orientation/{conversation}"
    assert templates(door) == {named, orientation}
    assert templates(door, STRANGER) == {named, orientation}
    door.inklings.clients.revoke(STRANGER)
    assert templates(door, STRANGER) == set()
    only_talking = Right(Tier.CONVERSATION, door.workspace.id, Action.READ)
    door.inklings.clients.grant(STRANGER, [only_talking])
    assert templates(door, STRANGER) == {orientation}


def test_of_an_entry_that_damage_left_a_part_of_an_agent_gets_no_word(door: AgentDoor) -> None:
    write_entry(door, "VOICE", Tier.WORKSPACE)
    path = door.inklings.data_dir / "workspaces" / door.workspace.id / "agents.db"
    make_unreadable(path, table="named_entries", column="body", where="name = 'VOICE'")
    told = door.answer("named_entry_read", name="VOICE")
    assert (told["body"], told["notice"]) == ("", DAMAGED)
    assert read(door, "inklings://named/workspace/VOICE") == DAMAGED
    assert "VOICE" not in door.answer("memory_orient")["markdown"]


def test_an_entry_that_the_author_never_wrote_says_so_and_stands_nowhere(door: AgentDoor) -> None:
    (voice,) = door.answer("named_entry_list", tier="workspace")["entries"]
    told = door.answer("named_entry_read", name="VOICE")
    assert told == voice | {"body": ""}
    assert (told["not_written_yet"], told["characters"]) == (True, 0)
    assert read(door, "inklings://named/workspace/VOICE") == told["notice"] == NOT_WRITTEN_YET
    assert "VOICE" not in door.answer("memory_orient")["markdown"]
    write_entry(door, "VOICE", Tier.WORKSPACE)
    told = door.answer("named_entry_read", name="VOICE")
    assert told["body"] == BODY
    assert "not_written_yet" not in told


def test_what_is_not_there_and_what_is_closed_are_told_as_missing(door: AgentDoor) -> None:
    write_entry(door, "SOUL", Tier.ACCOUNT)
    assert read(door, "inklings://named/account/SOUL") == BODY
    closed = read(door, "inklings://named/account/SOUL", STRANGER)
    unknown = read(door, "inklings://named/account/NO_SUCH_ENTRY", STRANGER)
    assert {closed, unknown} == {(INVALID_PARAMS, "There is no such named entry in this scope.")}


@pytest.mark.parametrize(
    "address",
    [
        "inklings://named/nowhere/VOICE",
        "inklings://named/workspace/..%2F..%2Fetc",
        "inklings://orientation/00000000000",
        "inklings://elsewhere/1",
    ],
)
def test_an_address_that_leads_nowhere_is_an_answer_and_no_crash(
    door: AgentDoor, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = read(door, address)
    assert code == INVALID_PARAMS
    assert "Traceback" not in capsys.readouterr().err


def listed(door: AgentDoor, client: str = LOOM) -> set[str]:
    async def asked() -> Any:
        async with Client(door.server(client)) as speaking:
            return await speaking.list_resources()

    return {str(one.uri) for one in asyncio.run(asked()).resources}


def test_the_named_entries_that_a_client_may_read_are_listed(door: AgentDoor) -> None:
    voice, soul = "inklings://named/workspace/VOICE", "inklings://named/account/SOUL"
    assert listed(door) == {voice, soul}
    assert listed(door, STRANGER) == {voice}
    write_entry(door, "VOICE", Tier.WORKSPACE)
    assert {read(door, one, STRANGER) for one in listed(door, STRANGER)} == {BODY}
    door.inklings.clients.revoke(STRANGER)
    assert listed(door, STRANGER) == set()


def test_the_orientations_of_conversations_under_way_are_listed(door: AgentDoor) -> None:
    room = door.answer("conversation_start", title="The bell")["conversation"]
    address = f"inklings://orientation/{room['ref_code']}"
    assert address in listed(door)
    assert address not in listed(door, STRANGER)
    write_entry(door, "VOICE", Tier.WORKSPACE)
    assert BODY in read(door, address)
    door.answer("conversation_end", conversation=room["id"])
    assert address not in listed(door)
