"""Clients of the agent that are none of ours, and what each of them hears.

    python -m tests.agent.foreign_clients > docs/agent_clients.md

Two of them run wherever the agent does: the client of the protocol's own library for Python, and a
plain one that needs none. The third, acpx, is a program of its own (``tests/agent/acpx.py``).
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import acp

from inklings_desktop import __version__
from tests.agent.acpx import Acpx
from tests.agent.conftest import world_at
from tests.mcp_server.served_process import serve_command
from tests.support.agent_process import WORLD_AGENT
from tests.support.processes import REPOSITORY, limited
from tests.support.stopwatch import HANG_SECONDS, SCENE_SECONDS, until

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from types import TracebackType
    from typing import Self

    from tests.agent.conftest import World

PAGE = REPOSITORY / "docs" / "agent_clients.md"
KEPT = "The ferry to Wend is late on Sundays."
BELL = "The bell of Wend is never rung at noon."
FORGET = f"Forget that {BELL[0].lower()}{BELL[1:]}"
ONCE, DENY, STOP = "once", "deny", "stop"
"""What is answered to a question; the last stops the turn instead."""
SAID = (
    (f"Remember that {KEPT[0].lower()}{KEPT[1:]}", DENY),
    (f"Remember that {BELL[0].lower()}{BELL[1:]}", DENY),
    ("When is the bell of Wend rung?", DENY),
    (FORGET, DENY),
    (FORGET, STOP),
    (FORGET, ONCE),
)
_ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_COMMANDS = "available_commands_update"
_INTRODUCTION = """\
# What other programs hear of the World Agent

The [World Agent](agent.md) speaks version 1 of the
[Agent Client Protocol](https://agentclientprotocol.com);
[The World Agent elsewhere](agent-elsewhere.md) says how an editor is set up to talk with it.

What follows is written by `python -m tests.agent.foreign_clients` and held against what these
clients hear today by tests. Ids and the version of Inklings are left out.
"""


class ForeignClient(Protocol):
    """One client with one agent, from its start to its end.

    Attributes:
        heard: What it was told, in order: updates, and what it was asked under ``asked``.
        answer: What it answers to the next question.
    """

    heard: list[dict[str, Any]]
    answer: str

    def __enter__(self) -> Self:
        """Start the agent."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Go; the agent ends with that."""
        ...

    def begin(self) -> dict[str, Any]:
        """What the agent says of itself."""
        ...

    def open(self, memory: dict[str, Any], session: str = "") -> str:
        """The id of a new session, or of the one that was loaded."""
        ...

    def say(self, session: str, text: str) -> str:
        """How a turn ended."""
        ...

    def hear_out(self) -> None:
        """Wait until it was told of every tool how that ended: on a busy machine after a stop."""
        ...

    def sessions(self) -> list[str | None]:
        """The titles of the conversations that there are."""
        ...


@dataclass
class SdkClient:
    """The client of the protocol's library for Python, which checks every message."""

    command: list[str]
    heard: list[dict[str, Any]] = field(default_factory=list)
    answer: str = DENY

    def __enter__(self) -> Self:
        """Start the agent as the library does."""
        self._runner = asyncio.Runner()
        self._life = AsyncExitStack()
        self._has_commands = asyncio.Event()
        self._agent, _ = self._run(self._life.enter_async_context(self._started()))
        return self

    def __exit__(self, *_: object) -> None:
        """Go as the library does."""
        self._run(self._life.aclose())
        self._runner.close()

    def _run(self, work: Coroutine[Any, Any, Value]) -> Value:
        """What some work comes to, which does not hang."""
        return self._runner.run(asyncio.wait_for(work, SCENE_SECONDS))

    def _started(self) -> Any:
        kept = {"stderr": subprocess.DEVNULL}
        me: Any = self  # it answers what it is asked, and nothing else
        return acp.spawn_agent_process(me, *self.command, cwd=REPOSITORY, transport_kwargs=kept)

    def begin(self) -> dict[str, Any]:
        """What the agent says of itself."""
        return _json(self._run(self._agent.initialize(acp.PROTOCOL_VERSION)))

    def open(self, memory: dict[str, Any], session: str = "") -> str:
        """The id of a new session, or of the one that was loaded."""
        server = acp.schema.McpServerStdio.model_validate(memory)

        async def opened() -> str:
            if session:
                await self._agent.load_session("/", session, [server])
                found = session
            else:
                found = (await self._agent.new_session("/", mcp_servers=[server])).session_id
            await self._has_commands.wait()
            return found

        return self._run(opened())

    def say(self, session: str, text: str) -> str:
        """How a turn ended."""
        prompt = self._agent.prompt(session, [acp.text_block(text)])
        return str(self._run(prompt).stop_reason)

    def hear_out(self) -> None:
        """Wait until it was told of every tool how that ended."""
        self._run(until(lambda: not _has_open_tools(self.heard)))

    def sessions(self) -> list[str | None]:
        """The titles of the conversations that there are."""
        return [one.title for one in self._run(self._agent.list_sessions()).sessions]

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """Called by the library with what the agent tells."""
        assert session_id
        self.heard.append(_json(update))
        if self.heard[-1]["sessionUpdate"] == _COMMANDS:
            self._has_commands.set()

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[Any], **_: Any
    ) -> Any:
        """Called by the library with what the agent asks."""
        asked = {"toolCall": _json(tool_call), "options": [_json(one) for one in options]}
        self.heard.append({"asked": asked, "answer": self.answer})
        if self.answer == STOP:
            await self._agent.cancel(session_id)
        return acp.RequestPermissionResponse.model_validate({"outcome": _outcome(self.answer)})


@dataclass
class PlainClient:
    """A client of a few lines and no library: one line out, lines in."""

    command: list[str]
    heard: list[dict[str, Any]] = field(default_factory=list)
    answer: str = DENY

    def __enter__(self) -> Self:
        """Start the agent."""
        self._n_asked = 0
        self._agent = subprocess.Popen(
            self.command,
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, *_: object) -> None:
        """Close its input, and wait until it has gone by itself; then it has gone in any case."""
        try:
            self._agent.communicate(timeout=HANG_SECONDS)
        finally:
            self._agent.kill()

    def begin(self) -> dict[str, Any]:
        """What the agent says of itself."""
        return self._ask("initialize", protocolVersion=1)

    def open(self, memory: dict[str, Any], session: str = "") -> str:
        """The id of a new session, or of the one that was loaded."""
        where = {"cwd": "/", "mcpServers": [memory]}
        if session:
            self._ask("session/load", sessionId=session, **where)
        else:
            session = self._ask("session/new", **where)["sessionId"]
        while not any(one.get("sessionUpdate") == _COMMANDS for one in self.heard):
            self._take()
        return session

    def say(self, session: str, text: str) -> str:
        """How a turn ended."""
        prompt = [{"type": "text", "text": text}]
        return str(self._ask("session/prompt", sessionId=session, prompt=prompt)["stopReason"])

    def hear_out(self) -> None:
        """Wait until it was told of every tool how that ended."""
        while _has_open_tools(self.heard):
            self._take()

    def sessions(self) -> list[str | None]:
        """The titles of the conversations that there are."""
        return [one["title"] for one in self._ask("session/list")["sessions"]]

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._n_asked += 1
        self._write({"id": self._n_asked, "method": method, "params": params})
        while True:
            message = self._take()
            if message.get("id") == self._n_asked and "method" not in message:
                result: dict[str, Any] = message["result"]
                return result

    def _take(self) -> dict[str, Any]:
        assert self._agent.stdout is not None
        with limited(self._agent):
            message: dict[str, Any] = json.loads(self._agent.stdout.readline())
        params = message.get("params", {})
        if message.get("method") == "session/update":
            self.heard.append(params["update"])
        elif message.get("method") == "session/request_permission":
            self.heard.append({"asked": params, "answer": self.answer})
            if self.answer == STOP:
                session = {"sessionId": params["sessionId"]}
                self._write({"method": "session/cancel", "params": session})
            self._write({"id": message["id"], "result": {"outcome": _outcome(self.answer)}})
        return message

    def _write(self, message: dict[str, Any]) -> None:
        assert self._agent.stdin is not None
        self._agent.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        self._agent.stdin.flush()


Value = TypeVar("Value")
Kind: TypeAlias = "Callable[[list[str]], ForeignClient]"
KINDS: dict[str, Kind] = {"sdk": SdkClient, "plain": PlainClient}


def agent_command(world: World) -> list[str]:
    """How the agent is started."""
    arguments = ["--data-dir", str(world.root), "--workspace", world.workspace]
    return [sys.executable, "-m", "inklings_desktop.agent_program", *arguments]


def played(kind: Kind, world: World) -> list[tuple[str, list[str]]]:
    """What was asked, and what was heard of it, line by line."""
    # Clients may name the memory. This one's host does not stay when it is no longer needed.
    serve = serve_command(world.root, world.workspace, WORLD_AGENT, "--linger", "0")
    memory = {"name": "inklings", "command": serve[0], "args": serve[1:], "env": []}
    said: list[tuple[str, list[str]]] = []
    with kind(agent_command(world)) as client:
        said.append(("initialize", _introduced(client.begin())))
        session = client.open(memory)
        said.append(("session/new", lines_of(client.heard)))
        for text, client.answer in SAID:
            client.heard.clear()
            reason = client.say(session, text)
            client.hear_out()
            said.append((f'session/prompt "{text}"', [*lines_of(client.heard), f"= {reason}"]))
    with kind(agent_command(world)) as client:
        client.begin()
        client.open(memory, session)
        asked = "session/load, by another process of the agent"
        said.append((asked, lines_of(client.heard)))
        said.append(("session/list", [str(one) for one in client.sessions()]))
    return said


def transcript(kind: Kind, world: World) -> str:
    """What a client hears, as it stands on the page."""
    return "".join(
        f"> {asked}\n" + "".join(f"{_normal(line)}\n" for line in heard) + "\n"
        for asked, heard in played(kind, world)
    )


def lines_of(heard: list[dict[str, Any]]) -> list[str]:
    """Updates as lines; a tool is one line, with what became of it."""
    lines: list[str] = []
    tools: dict[str, dict[str, Any]] = {}
    for one in heard:
        if "asked" in one:
            tools[one["asked"]["toolCall"]["toolCallId"]]["answer"] = one["answer"]
            continue
        match one["sessionUpdate"]:
            case "user_message_chunk":
                lines += _told(tools)
                lines.append(f"you: {one['content']['text']}")
            case "tool_call" | "tool_call_update":
                tool = tools.setdefault(one["toolCallId"], {})
                tool.update(one)
                if asked := one["_meta"]["inklings"].get("permission"):
                    tool["answer"] = asked["outcome"]
            case "agent_message_chunk":
                lines += _told(tools)
                lines.append(f"agent: {one['content']['text']}")
            case "session_info_update" if one.get("title"):
                lines.append(f"title: {one['title']}")
            case "available_commands_update":
                names = [f"/{command['name']}" for command in one["availableCommands"]]
                lines.append(f"commands: {' '.join(names)}")
    return [*lines, *_told(tools)]


def _has_open_tools(heard: list[dict[str, Any]]) -> bool:
    status = {one["toolCallId"]: one["status"] for one in heard if one.get("status")}
    return "pending" in status.values()


def _told(tools: dict[str, dict[str, Any]]) -> list[str]:
    found = list(tools.values())
    tools.clear()
    return [
        f"{one['kind']}: {one['title']}"
        + (f" (asked; answered {one['answer']})" if "answer" in one else "")
        + f" {one['status']}"
        for one in found
    ]


def _introduced(answer: dict[str, Any]) -> list[str]:
    info, can = answer["agentInfo"], answer["agentCapabilities"]
    sessions = " ".join(sorted(can["sessionCapabilities"]))
    return [
        f"{info['title']} {info['version']}, protocol {answer['protocolVersion']}",
        f"sessions: {'load ' if can['loadSession'] else ''}{sessions}",
    ]


def _outcome(answer: str) -> dict[str, str]:
    if answer == STOP:
        return {"outcome": "cancelled"}
    return {"outcome": "selected", "optionId": answer}


def _json(model: Any) -> dict[str, Any]:
    found: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found


def _normal(line: str) -> str:
    """A line without what differs from run to run."""
    return _ID.sub("ID", line).replace(__version__, "VERSION")


def main() -> None:
    """Print the page."""
    acpx = Acpx.pinned()
    if not acpx.is_there():
        sys.exit(f"npx cannot fetch {acpx.package} here")
    with tempfile.TemporaryDirectory() as folder:
        heard = transcript(SdkClient, world_at(Path(folder) / "python"))
        shown = acpx.transcript(world_at(Path(folder) / "acpx"), Path(folder))
    sys.stdout.write(
        f"{_INTRODUCTION}\n## The Python library's client\n\n"
        f"agent-client-protocol {version('agent-client-protocol')}; a plain client without any"
        " library hears the same. What\nis asked about is denied, stopped and allowed in turn.\n\n"
        f"```text\n{heard}```\n\n## {acpx.package}\n\n```console\n{shown}```\n"
    )


if __name__ == "__main__":
    main()
