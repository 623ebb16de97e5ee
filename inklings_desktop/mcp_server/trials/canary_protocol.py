"""A drill over the protocol: every tool and resource asked as one client, and what it asks."""

from __future__ import annotations

import json
import uuid
from contextlib import ExitStack, nullcontext
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.canary import PathResult
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.mcp_server.trials.canary_planting import NOTE_KEY, SOUGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcp import Client as ProtocolClient

    from inklings_desktop.domain.access.canary import Allowed, Canary, DrillDoor
    from inklings_desktop.mcp_server.server import InklingsServer
    from inklings_desktop.mcp_server.trials.canary_planting import Planted, PlantedRoom
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress


OF_HISTORY = frozenset({"past_versions", "memory_history"})
"""Where the author's own agent asks what a memory said before."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question was answered.

    Attributes:
        text: Everything that was said, errors included.
    """

    text: str
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One way to ask.

    Attributes:
        path: Name of the use case, tool or resource.
        ask: Asks, for a key where it takes one.
        key: Id or name that is asked for; an answer may repeat it.
        canary: The marker behind the key; a closed one must be answered like an unknown key.
    """

    path: str
    ask: Callable[[str], Answer]
    key: str = ""
    canary: Canary | None = None


@dataclass(slots=True)
class _Tally:
    n_asked: int = 0
    n_refused: int = 0
    crossed: list[Canary] = field(default_factory=list)
    told_apart: list[Canary] = field(default_factory=list)


@dataclass(slots=True)
class Asking:
    """Asks questions by one door and keeps what was heard.

    Attributes:
        allowed: What the client may be told.
        heard: Markers that were told.
    """

    door: DrillDoor
    allowed: Allowed
    canaries: list[Canary]
    progress: Progress
    heard: set[Canary] = field(default_factory=set)
    _tallies: dict[str, _Tally] = field(default_factory=dict)

    def put(self, question: Question) -> None:
        """Ask, and listen for what may not be told.

        Raises:
            StoppedError: The person stopped it.
        """
        self.progress.require_wanted()
        tally = self._tallies.setdefault(question.path, _Tally())
        answer = question.ask(question.key)
        tally.n_asked += 1
        tally.n_refused += answer.is_refused
        # What was asked for by its key is known already; a refusal may say it again.
        text = _without(answer.text, question.key)
        for canary in self.canaries:
            if not canary.is_in(text):
                continue
            self.heard.add(canary)
            is_history = question.path in OF_HISTORY and self.allowed.may_hear_earlier(canary)
            if not (is_history or self.allowed.may_hear(canary)):
                tally.crossed.append(canary)
        target = question.canary
        if target is None or self.allowed.may_meet(target) or target in tally.crossed:
            return
        unknown = _unlike(question.key)
        if _without(question.ask(unknown).text, unknown) != text:
            tally.told_apart.append(target)

    def results(self) -> tuple[PathResult, ...]:
        """What came of every path, in the order of the first questions."""
        return tuple(
            PathResult(
                self.door,
                path,
                one.n_asked,
                one.n_refused,
                tuple(dict.fromkeys(one.crossed)),
                tuple(dict.fromkeys(one.told_apart)),
            )
            for path, one in self._tallies.items()
        )


def _without(text: str, key: str) -> str:
    return text.replace(key, "\u2026") if key else text


def _unlike(key: str) -> str:
    """A key of the same form behind which there is nothing."""
    fresh = str(uuid.uuid4())
    if len(key) == len(fresh):
        return fresh
    word = fresh.replace("-", "")[: len(key)]
    return word.upper() if key.isupper() else word


_MANY = 100
_BUDGET = 200_000
_EXCHANGES_PER_SERVER = 50


@dataclass(slots=True)
class ProtocolQuestions:
    """The questions of one client; those that change something come last, on what is not its own.

    A server stops answering whom it refused too often, and then proves nothing: there is a fresh
    one before that.

    Attributes:
        serve: Makes a server for the client over the drill's data root.
        planted: What lies there.
    """

    serve: Callable[[], InklingsServer]
    planted: Planted
    _line: _Line | None = None
    _n_exchanges: int = 0

    def __iter__(self) -> Iterator[Question]:
        yield Question("tools/list", lambda _key: self._listed("tools"))
        yield Question("resources/list", lambda _key: self._listed("resources"))
        yield Question("resources/templates", lambda _key: self._listed("templates"))
        yield Question("prompts/list", lambda _key: self._listed("prompts"))
        yield from self._prompts()
        yield from self._memories()
        yield from self._rooms()
        yield from self._entries()
        yield from self._pages()
        yield from self._settled()
        yield from self._changes()

    def _tool(self, tool: str, **arguments: Any) -> Question:
        return Question(tool, lambda _key: self._called(tool, arguments))

    def _keyed(self, tool: str, place: str, canary: Canary, argument: str, **more: Any) -> Question:
        """A question by a tool that takes a key; the marker behind it is this."""

        def ask(key: str) -> Answer:
            return self._called(tool, {argument: key, **more})

        return Question(tool, ask, place, canary)

    def _prompts(self) -> Iterator[Question]:
        for name, arguments in (
            ("begin_turn", {"message": SOUGHT}),
            ("orient", {"message": SOUGHT}),
            ("remember", {"what": SOUGHT}),
            ("wrap-up", {}),
        ):
            yield Question(f"prompt:{name}", partial(self._prompted, name, arguments))
        for world in (self.planted.home, self.planted.elsewhere):
            for room in world.conversations:
                yield Question("prompt:orient", self._oriented, room.id, room.canary)

    def _prompted(self, name: str, arguments: dict[str, Any], _key: str) -> Answer:
        return self._spoken("prompt", name, arguments)

    def _oriented(self, key: str) -> Answer:
        return self._spoken("prompt", "orient", {"message": SOUGHT, "conversation": key})

    def _places(self) -> Iterator[tuple[Tier, PlantedRoom]]:
        """Every channel and conversation of both workspaces."""
        for world in (self.planted.home, self.planted.elsewhere):
            for room in world.channels:
                yield Tier.CHANNEL, room
            for room in world.conversations:
                yield Tier.CONVERSATION, room

    def _memories(self) -> Iterator[Question]:
        elsewhere = self.planted.elsewhere
        for mode in ("hybrid", "keyword"):
            for query in (SOUGHT, ""):
                more = {"query": query, "mode": mode, "limit": _MANY}
                for tier in (Tier.WORKSPACE, Tier.ACCOUNT):
                    yield self._tool("memory_read", tier=tier.value, **more)
                where = {"tier": "workspace", **more}
                yield self._keyed("memory_read", elsewhere.id, elsewhere.canary, "scope", **where)
                for tier, room in self._places():
                    where = {"tier": tier.value, **more}
                    yield self._keyed("memory_read", room.id, room.canary, "scope", **where)
        for query in (SOUGHT, "after:2000"):
            yield self._tool("memory_search", query=query, limit=_MANY)
        yield self._tool("memory_recent", since="2000-01-01", limit=_MANY)
        yield from self._lists()
        for ref, canary in self.planted.memories:
            yield Question("memory_get", self._gotten, ref.id, canary)
        for query in (SOUGHT, ""):
            yield self._tool("memory_orient", query=query, budget_tokens=_BUDGET)
            for tier in Tier:
                yield self._tool(
                    "memory_orient", query=query, budget_tokens=_BUDGET, tiers=[tier.value]
                )

    def _gotten(self, key: str) -> Answer:
        return self._called("memory_get", {"ids": [key]})

    def _lists(self) -> Iterator[Question]:
        for tier in (Tier.WORKSPACE, Tier.ACCOUNT):
            yield self._tool("memory_list", tier=tier.value, limit=_MANY)
        for tier, room in self._places():
            where = {"tier": tier.value, "limit": _MANY}
            yield self._keyed("memory_list", room.id, room.canary, "scope", **where)

    def _rooms(self) -> Iterator[Question]:
        yield self._tool("workspace_overview")
        yield self._tool("proposal_list")
        yield self._tool("channel_list", archived=True)
        yield self._tool("conversation_list", archived=True)
        for world in (self.planted.home, self.planted.elsewhere):
            for channel in world.channels:
                yield self._keyed(
                    "conversation_list", channel.id, channel.canary, "channel", archived=True
                )
            for room in world.conversations:
                for key in room.canary.traces[1:]:
                    for name in ("conversation_get", "note_list", "message_list", "memory_orient"):
                        yield self._keyed(name, key, room.canary, "conversation")
                    yield self._keyed("note_read", key, room.canary, "conversation", key=NOTE_KEY)
                    yield self._resource("orientation", "inklings://orientation/", key, room.canary)

    def _entries(self) -> Iterator[Question]:
        for tier in (None, "workspace", "account"):
            yield self._tool("named_entry_list", **({} if tier is None else {"tier": tier}))
        for entry, canary in self.planted.entries:
            yield self._keyed("named_entry_read", entry.name, canary, "name")
            yield self._keyed("named_entry_read", entry.name, canary, "name", tier=entry.tier.value)
            address = f"inklings://named/{entry.tier.value}/"
            yield self._resource("named_entry", address, entry.name, canary)

    def _pages(self) -> Iterator[Question]:
        yield self._tool("world_search", query=SOUGHT, limit=50)
        yield self._tool("world_outline")
        yield self._tool("world_changes", since="2000-01-01")
        yield self._tool("retcon_list", state="all")
        proposed = {"text": "Mine.", "reason": "None."}
        for world in (self.planted.home, self.planted.elsewhere):
            for name, more in (
                ("world_read", {}),
                ("world_outline", {}),
                ("world_propose", proposed),
            ):
                yield self._keyed(name, world.page.id, world.page.canary, "page", **more)

    def _settled(self) -> Iterator[Question]:
        for name in ("domain_list", "policy_list", "working_memory_read", "activity_list"):
            yield self._tool(name)
        yield self._tool("event_list")
        yield self._tool("skill_search", query=SOUGHT)
        yield self._tool("skill_read", name="name-collisions")
        for role in ("", "world-agent"):
            yield self._tool("fact_search", query=SOUGHT, history=True, role=role)
        rules = "inklings://policies"
        yield Question("resource:policies", lambda _key: self._spoken("read", rules))
        for ref, canary in self.planted.memories:
            for domain in canary.traces[1:-1]:  # of a fact
                yield self._resource("facts", "inklings://facts/", domain, canary)
            yield self._keyed("fact_history", ref.id, canary, "id")
            yield self._keyed("memory_history", ref.id, canary, "id")
            more = {"content": "Mine.", "reason": "None at all."}
            yield self._keyed("fact_supersede", ref.id, canary, "id", **more)

    def _changes(self) -> Iterator[Question]:
        """What would change something of somebody else's: the answer may betray it too."""
        for ref, canary in self.planted.memories:
            if canary.is_elsewhere or self._is_own(ref.scope):
                continue
            has_room = ref.scope.tier in {Tier.CHANNEL, Tier.CONVERSATION}
            where = {"tier": ref.scope.tier.value, **({"scope": ref.scope.key} if has_room else {})}
            patch = {"importance": 0.4}
            yield self._keyed(
                "memory_update", ref.id, canary, "id", patch=patch, expected_version=99, **where
            )
        for world in (self.planted.home, self.planted.elsewhere):
            for room in world.conversations:
                if self._is_own(ScopeKey.conversation(world.id, room.id)):
                    continue
                for name in (
                    "note_clear",
                    "conversation_resume",
                    "conversation_end",
                    "conversation_archive",
                    "run_state_purge",
                ):
                    yield self._keyed(name, room.id, room.canary, "conversation")
                yield self._keyed(
                    "note_write", room.id, room.canary, "conversation", key="mine", value=1
                )
        for entry, canary in self.planted.entries:
            yield self._keyed(
                "named_entry_propose", entry.name, canary, "name", body="Mine.", reason="None."
            )
        for tier in Tier:
            for mode in ("keep_named", "full"):
                yield self._tool("scrub_preview", tier=tier.value, mode=mode)

    def _is_own(self, scope: ScopeKey) -> bool:
        """Whether a conversation is the client's own: it may do there as it likes."""
        own = self.planted.home.conversations[0]
        return scope.tier is Tier.CONVERSATION and scope.key == own.id

    def _resource(self, name: str, address: str, key: str, canary: Canary) -> Question:
        return Question(
            f"resource:{name}", lambda key: self._spoken("read", address + key), key, canary
        )

    def _called(self, tool: str, arguments: dict[str, Any]) -> Answer:
        return self._spoken("call", tool, arguments)

    def _listed(self, what: str) -> Answer:
        return self._spoken("list", what)

    def _spoken(self, what: str, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        if self._n_exchanges % _EXCHANGES_PER_SERVER == 0:
            self.close()
            self._line = _Line(self.serve())
        self._n_exchanges += 1
        assert self._line is not None
        return self._line.exchange(what, name, arguments or {})

    def close(self) -> None:
        """Let go of the server; whoever asked anything calls this in the end."""
        line, self._line = self._line, None
        if line is not None:
            line.close()


class _Line:
    """A client's connection to a server in this process, kept for many exchanges.

    An agent has one for all it asks; to open one takes longer than to ask.
    """

    def __init__(self, server: InklingsServer) -> None:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client as ProtocolClient

        with ExitStack() as opening:
            self._portal = opening.enter_context(start_blocking_portal())
            self._client = opening.enter_context(
                self._portal.wrap_async_context_manager(ProtocolClient(server))
            )
            self._closing = opening.pop_all()

    def exchange(self, what: str, name: str, arguments: dict[str, Any]) -> Answer:
        from mcp.shared.exceptions import MCPError

        try:
            answer: Answer = self._portal.call(_exchanged, self._client, what, name, arguments)
        except MCPError as error:
            return Answer(str(error), is_refused=True)
        return answer

    def close(self) -> None:
        self._closing.close()


def server_of(inklings: Inklings, client: str) -> InklingsServer:
    """The server of the agent's door over an opened data root."""
    from inklings_desktop.mcp_server.server import InklingsServer
    from inklings_desktop.mcp_server.session import ClientSession

    session = ClientSession(client, lambda: nullcontext(inklings))
    session.is_program = True  # every tool is asked, also what is shown to one program alone
    return InklingsServer(session)


async def _exchanged(
    client: ProtocolClient, what: str, name: str, arguments: dict[str, Any]
) -> Answer:
    if what == "call":
        called = await client.call_tool(name, arguments)
        return Answer(_json(called), bool(called.is_error))
    match what, name:
        case "read", _:
            result: Any = await client.read_resource(name)
        case "prompt", _:
            result = await client.get_prompt(name, arguments)
        case _, "prompts":
            result = await client.list_prompts()
        case _, "tools":
            result = await client.list_tools()
        case _, "resources":
            result = await client.list_resources()
        case _:
            result = await client.list_resource_templates()
    return Answer(_json(result))


def _json(result: Any) -> str:
    return json.dumps(result.model_dump(mode="json"), ensure_ascii=False)
