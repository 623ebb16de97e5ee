"""A players' bot behind a wall: a foreign client in a process of its own, and one that may pass."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from tests.mcp_server.served_process import serve_command
from tests.mcp_server.test_domain_no_leak import ASKED, PROMPTED

if TYPE_CHECKING:
    from pathlib import Path

BOT, KEEPER = "players-bot", "keepers-desk"
MARK, OPEN = "Hollowmere", "The ferry leaves at dawn."
SECRET = f"Nerys sleeps beneath {MARK}."
WITHOUT_MARK = "What sleeps beneath?"
QUERY = f"{MARK} sleeps beneath"


def walled(root: Path, here: str) -> tuple[str, str]:
    """A world with a domain for everybody and one for keepers; the id of what each holds."""
    with open_inklings(root, workspace=here, embedder=NullEmbedder("none")) as inklings:
        inklings.domains.create(here, "Rumours")
        inklings.domains.create(here, "Secrets", closed=True)
        for role in ("players", "keepers"):
            inklings.domains.create_role(here, role)
        inklings.domains.grant(here, "keepers", "Secrets", Permission.READ)
        for client, role in ((BOT, "players"), (KEEPER, "keepers")):
            rights = [Right(Tier.WORKSPACE, here, one) for one in (Action.READ, Action.WRITE)]
            rights += [Right(Tier.WORKSPACE, here, Action.PROPOSE)]
            inklings.clients.grant(client, rights)
            inklings.domains.assign(client, here, role, default=True)
        known = inklings.facts.put(here, FactDraft("Rumours", "Ferry", OPEN)).fact.memory.id
        inklings.policies.put(here, PolicyDraft("Secrets", f"Never name {MARK}.", always=True))
        secret = inklings.facts.put(here, FactDraft("Secrets", "Nerys", SECRET)).fact.memory.id
        return known, secret


async def told(root: Path, here: str, client: str, secret: str) -> dict[str, str]:
    """What a client hears by everything that the door offers, asked for what is secret."""
    command, *more = serve_command(root, here, client)
    heard: dict[str, str] = {}
    async with Client(stdio_client(StdioServerParameters(command=command, args=more))) as speaking:
        listed = [one.name for one in (await speaking.list_tools()).tools]
        addresses = [str(one.uri) for one in (await speaking.list_resources()).resources]
        asked = [(name, given) for name in listed for given in ASKED.get(name, ())]
        for name, given in asked:
            found: Any = await speaking.call_tool(name, aimed(given, secret))
            heard[name] = heard.get(name, "") + found.model_dump_json()
        for name, words in PROMPTED:
            message = dict.fromkeys(words, WITHOUT_MARK)  # it may be repeated
            try:
                found = await speaking.get_prompt(name, message)
            except MCPError as error:
                found = error.error
            heard[f"prompt {name}"] = heard.get(f"prompt {name}", "") + found.model_dump_json()
        for address in (*addresses, "inklings://facts/Secrets", "inklings://facts/Rumours"):
            try:
                found = await speaking.read_resource(address)
            except MCPError as error:
                found = error.error
            heard[address] = found.model_dump_json()
    return heard


def aimed(given: dict[str, Any], secret: str) -> dict[str, Any]:
    """The same question, aimed at what is secret."""
    aim = {"id": secret, "ids": [secret], "sources": [secret], "query": QUERY}
    return given | {name: value for name, value in aim.items() if name in given}


def test_the_players_bot_cannot_reach_secrets_and_the_keeper_can(world: tuple[Path, str]) -> None:
    root, here = world
    _, secret = walled(root, here)
    bot = asyncio.run(told(root, here, BOT, secret))
    assert {name for name, said in bot.items() if MARK in said} == set()
    assert OPEN in bot["fact_search"] + bot["prompt begin_turn"]
    assert bot["inklings://facts/Secrets"] != bot["inklings://facts/Rumours"]
    keeper = asyncio.run(told(root, here, KEEPER, secret))
    for name in (
        "fact_search",
        "fact_history",
        "memory_read",
        "memory_search",
        "memory_get",
        "memory_orient",
        "policy_list",
        "prompt begin_turn",
        "inklings://facts/Secrets",
        "inklings://policies",
    ):
        assert MARK in keeper[name], name


def test_write_denied_raises_and_logs(world: tuple[Path, str]) -> None:
    root, here = world
    known, _ = walled(root, here)
    words = {"topic": "Nerys", "content": "Nerys woke.", "sources": [known]}

    async def refused(client: str) -> str:
        command, *more = serve_command(root, here, client)
        way = stdio_client(StdioServerParameters(command=command, args=more))
        async with Client(way) as speaking:
            found = await speaking.call_tool("fact_put", {"domain": "Secrets", **words})
            assert found.is_error
            assert found.meta is not None
            said = " ".join(getattr(one, "text", "") for one in found.content)
            return f"{found.meta['inklings']['word']}: {said}"

    assert asyncio.run(refused(KEEPER)).startswith(
        "denied: You may read the domain Secrets, not write in it."
    )
    assert asyncio.run(refused(BOT)) == "not_found: There is no such domain in this scope."
    with open_inklings(root, workspace=here, embedder=NullEmbedder("none")) as inklings:
        where = EventFilter(kinds=frozenset({EventKind.DENIED}))
        (event,) = inklings.log.list(None, where, limit=10)
        secrets = next(
            one.domain.id for one in inklings.domains.list(here) if one.domain.name == "Secrets"
        )
        assert event.actor == KEEPER
        assert secrets in event.ids
