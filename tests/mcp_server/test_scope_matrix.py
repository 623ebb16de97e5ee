"""``scope_matrix``: every tool and resource before every set of grants, held to a written table."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import MCPServer

from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.mcp_server import session
from inklings_desktop.mcp_server.hosting.host import Host
from inklings_desktop.relay.meeting_point import MeetingPoint
from inklings_desktop.worldfiles.skill_folders import SHIPPED
from tests.mcp_server.agent_door import AgentDoor, sentence
from tests.mcp_server.scope_probes import address, arguments, messages_of
from tests.mcp_server.scope_table import (
    COLUMNS,
    LISTED,
    LISTED_PROMPTS,
    LISTED_RESOURCES,
    ROWS,
    TIERS,
    Cell,
    Column,
    Place,
    Row,
    expected,
    is_listed,
)
from tests.mcp_server.scope_world import CLIENT, MARKS, ScopeWorld, scope_world
from tests.mcp_server.served_process import serve_command
from tests.mcp_server.write_scope_matrix import DOCUMENT, rendered
from tests.support.stopwatch import HANG_SECONDS
from tests.support.wide import mostly_wide

REFUSALS = ("Not open to this client: ", "There is no such ", " is not let in yet, ")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client heard."""

    text: str
    is_error: bool

    @property
    def is_refusal(self) -> bool:
        """Whether it was turned away, for the one reason or the other that sounds the same."""
        return self.is_error and any(words in self.text for words in REFUSALS)

    def cell(self, *, listed: bool) -> Cell:
        """The cell of the table that it stands for."""
        if self.is_error:
            return Cell.NO if listed else Cell.HIDDEN
        held = '"status":"held_for_review"' in self.text or '"status":"waiting"' in self.text
        return Cell.HELD if held else Cell.YES


@contextmanager
def in_process(world: ScopeWorld) -> Iterator[Client]:
    """A client of a server of its own."""
    yield Client(world.door.server(CLIENT))


@contextmanager
def relayed(world: ScopeWorld) -> Iterator[Client]:
    """A client of the relay, a process of its own, to a host of this process."""
    inklings = world.door.inklings
    root = inklings.data_dir
    place = MeetingPoint(str(root))
    host = Host(
        place,
        root,
        lambda _embedder: nullcontext(inklings),
        lambda error: (str(error), 1),
        linger=0.0,
    )
    thread = threading.Thread(target=host.run, name="host", daemon=True)
    command, *more = serve_command(root, world.here, CLIENT, "--linger", "0")
    with place.locked("host") as is_mine:
        assert is_mine
        thread.start()
        yield Client(stdio_client(StdioServerParameters(command=command, args=more)))
        thread.join(HANG_SECONDS)
        assert not thread.is_alive()


WAYS: dict[str, Callable[[ScopeWorld], AbstractContextManager[Client]]]
WAYS = {"in process": in_process, "relayed": relayed}
# Each of the relay's columns asks every row: who may do all, who may do nothing, and who is new.
RELAYED = {"everything granted", "everything revoked", "never seen before"}
# Each kind of client, all and nothing, and each right alone in one tier: the tiers take turns.
ALONE = [column for column in COLUMNS if column.name.endswith(" alone")]
EVERY_DAY = [
    *(("in process", column) for column in COLUMNS if column not in ALONE),
    *(("in process", column) for column in ALONE[:: len(ALONE) // len(TIERS) + 1]),
    *(("relayed", column) for column in COLUMNS if column.name == "never seen before"),
]


async def tried(
    world: ScopeWorld, way: Client
) -> tuple[set[str], set[str], set[str], dict[Row, Answer]]:
    """Names of listed tools, resources and prompts, and the answer to every row."""
    inklings = world.door.inklings
    answers = {}
    async with way as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        templates = (await client.list_resource_templates()).resource_templates
        prompts = {one.name for one in (await client.list_prompts()).prompts}
        for row in ROWS:
            answers[row] = await asked(client, row, world)
            for request in inklings.scrub.requests():
                inklings.scrub.decline(request.id)
    return tools, {one.name for one in templates}, prompts, answers


async def asked(client: Client, row: Row, world: ScopeWorld) -> Answer:
    """One row, as a client asks it."""
    if row.tool.startswith("prompt"):
        name, said = messages_of(row, world)
        try:
            told = await client.get_prompt(name, said)
        except MCPError as error:
            return Answer(str(error), is_error=True)
        return Answer(" ".join(one.content.text for one in told.messages), is_error=False)  # type: ignore[union-attr]  # text
    if not row.tool.startswith("resource"):
        result = await client.call_tool(row.tool, arguments(row, world))
        return Answer(sentence(result).replace('": ', '":'), bool(result.is_error))
    try:
        found = await client.read_resource(address(row, world))
    except MCPError as error:
        return Answer(str(error), is_error=True)
    return Answer(str(found.contents[0].text), is_error=False)  # type: ignore[union-attr]  # text


def readable_marks(column: Column) -> set[str]:
    """Markers that this client may ever see, by the rules in words."""
    places = {
        "workspace:read": ("workspace", "VOICE"),
        "account:read": ("account", "SOUL"),
        "channel:read": ("own channel",),
        "conversation:read": ("own conversation", "note"),
        "workspace:world:read": ("page",),
    }
    found = {MARKS[name] for right in column.rights for name in places.get(right, ())}
    if column.kind == "world_agent" and "channel:read" in column.rights:
        found |= {MARKS["foreign channel"], MARKS["left channel"]}
    if "channel:read" in column.in_attic:
        found.add(MARKS["foreign channel"])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "column"),
    mostly_wide(
        (
            (way, column)
            for way in WAYS
            for column in COLUMNS
            if way != "relayed" or column.name in RELAYED
        ),
        every_day=lambda case: case in EVERY_DAY,
        ids=lambda case: f"{case[1].name}, {case[0]}",
    ),
)
def test_scope_matrix(
    door: AgentDoor, way: str, column: Column, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every refusal is to be heard, not the limit of them.
    monkeypatch.setattr(session, "MAX_REFUSALS_PER_MINUTE", len(ROWS) + 1)
    world = scope_world(door, column)
    with WAYS[way](world) as client:
        tools, resources, prompts, answers = asyncio.run(tried(world, client))
    # What skills are called is content: who is not let in learns of their tools, of none by name.
    is_told = "skill_read" in tools and column.name != "never seen before"
    every = ("tides", *SHIPPED) if is_told else ()
    by_name = {f"skill_{one.replace('-', '_')}" for one in every}
    assert tools == by_name | {name for name in LISTED if is_listed(name, column)}
    assert resources == {name for name in LISTED_RESOURCES if is_listed(f"resource {name}", column)}
    assert prompts == {name for name in LISTED_PROMPTS if is_listed(f"prompt {name}", column)}
    found = {
        row.name: answer.cell(listed=is_listed(row.tool, column)) for row, answer in answers.items()
    }
    assert found == {row.name: expected(row, column) for row in ROWS}
    seen = {mark for one in answers.values() for mark in MARKS.values() if mark in one.text}
    assert seen <= readable_marks(column)
    turned_away = [row for row, one in answers.items() if one.is_error]
    assert all(answers[row].is_refusal for row in turned_away)
    assert_alike(answers)
    inklings = door.inklings
    where = EventFilter(kinds=frozenset({EventKind.DENIED}), actors=frozenset({CLIENT}))
    n_closed = sum(REFUSALS[0] in answers[row].text for row in turned_away)
    n_closed += column.kind == "unknown"  # however often it knocks
    assert len(inklings.log.list(None, where, limit=500)) == n_closed
    pending = inklings.proposals.list(world.here, states=[ProposalState.PENDING])
    own = ("scrub", "run_state")
    n_held = sum(cell is Cell.HELD and not name.startswith(own) for name, cell in found.items())
    assert len(pending) == n_held


def assert_alike(answers: dict[Row, Answer]) -> None:
    """What is closed and what is not there answer byte for byte the same."""
    for row, answer in answers.items():
        if row.place not in {Place.FOREIGN, Place.LEFT} or not answer.is_error:
            continue
        about = row.about.replace(row.place, Place.UNKNOWN)
        twin = next((one for one in answers if (one.tool, one.about) == (row.tool, about)), None)
        if twin is not None:
            assert answers[twin] == answer, row.name
    closed, unknown = (
        answers[next(row for row in answers if row.name == f"resource facts, of {one} domain")]
        for one in ("a closed", "an unknown")
    )
    assert closed == unknown
    private = {
        answers[row]
        for row in answers
        if row.about in {"another client's private", "unknown id"} and row.tool == "memory_update"
    }
    assert len(private) == 1


def test_the_matrix_in_the_documents_is_the_one_that_is_tested() -> None:
    is_true = Path(DOCUMENT).read_text(encoding="utf-8") == rendered()
    assert is_true, "write it anew: python -m tests.mcp_server.write_scope_matrix"


def test_every_tool_of_the_door_is_in_the_table(door: AgentDoor) -> None:
    every = {tool.name for tool in asyncio.run(_registered(door))}
    assert every == set(LISTED)
    assert every <= {row.tool for row in ROWS}
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)


async def _registered(door: AgentDoor) -> list[Any]:
    return await MCPServer.list_tools(door.server())
