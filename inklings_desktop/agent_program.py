"""``inklings-agent``: the World Agent as a program of its own; the composition root of it.

It speaks the Agent Client Protocol over standard input and output, reaches memory through tools
alone, and keeps the state of its runs beside that memory. What takes long is imported once the
client has had its first answer.
"""

from __future__ import annotations

import os

# Before any import: nothing is traced by a service, and no class is made from what a file says.
os.environ["LANGSMITH_TRACING"] = "false"
os.environ["LANGCHAIN_TRACING_V2"] = "false"
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"

import argparse
import asyncio
import gc
import hashlib
import json
import locale
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import uuid4

import inklings_desktop
from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.scripts import SCRIPT_MODE
from inklings_desktop.data_root import cache_dir, default_data_dir, named_folder
from inklings_desktop.freed_memory import share_one_heap
from inklings_desktop.logs import file_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from acp.connection import Connection

    from inklings_desktop.agent.acp_door.updates import Client
    from inklings_desktop.agent.acp_door.world_agent import WorldAgent
    from inklings_desktop.agent.graph.turn import Limits, PlannerPort
    from inklings_desktop.agent.memory_door.call import ServerCommand
    from inklings_desktop.agent.planning import Sent
    from inklings_desktop.agent.ports import RunState
    from inklings_desktop.agent.providers.catalogue import Catalogue
    from inklings_desktop.agent.providers.keys import Keys
    from inklings_desktop.agent.providers.port import ChatModel, Models
    from inklings_desktop.agent.providers.routing import RoutedModels
    from inklings_desktop.agent.scripts.executor import Interpreter
    from inklings_desktop.agent_settings import AgentSettings
    from inklings_desktop.settings_file import LiveSettings

_FINGERPRINT_CHARACTERS = 16
FAILED = 1
LANGUAGES = ("en", "de")


class LocalWorkplace:
    """A data root of this user, and the memory server of this installation.

    Attributes:
        limits: What a turn may use that nobody watches; None where somebody does.
        most_cost: What such a turn may cost at most; 0 for as it is set.
    """

    def __init__(self, data_dir: Path, workspace: str | None) -> None:
        """Work there.

        Args:
            workspace: Name or id of the workspace; None for the only one that is granted.
        """
        self.limits: Limits | None = None
        self.most_cost = 0.0
        self.version = inklings_desktop.__version__
        self.language = _language()
        self.data_dir = data_dir
        self.cache = cache_dir()
        self._workspace = workspace
        self._runs: dict[str, RunState] = {}
        self._settings: LiveSettings | None = None
        self._catalogue: tuple[Catalogue, Keys] | None = None
        self._interpreter: Interpreter | None = None
        self._loading = threading.Lock()

    def settings(self) -> AgentSettings:
        from inklings_desktop.settings_file import LiveSettings

        if self._settings is None:
            self._settings = LiveSettings(self.data_dir)
        found = self._settings().agent
        if not self.most_cost:
            return found
        return replace(found, turn_cost=min(found.turn_cost or self.most_cost, self.most_cost))

    @cached_property
    def models(self) -> RoutedModels:
        from inklings_desktop.agent.providers.routing import RoutedModels

        def make(provider: str, model: str) -> ChatModel:
            return self.catalogue()[0].model(provider, model)

        return RoutedModels(self.settings, make)

    def interpreter(self) -> Interpreter:
        from inklings_desktop.agent.scripts.executor import Interpreter

        with self._loading:
            if self._interpreter is None:
                self._interpreter = Interpreter(self.cache, self.data_dir)
        return self._interpreter

    def skill_head(self, text: str) -> Mapping[str, object]:
        from inklings_desktop.worldfiles.skill_folders import LocalSkillFolders

        return LocalSkillFolders().head(text)

    def catalogue(self) -> tuple[Catalogue, Keys]:
        from inklings_desktop.agent.providers import catalogue
        from inklings_desktop.agent.providers.keys import Keys

        def added() -> Iterator[catalogue.Provider]:
            for one in self.settings().providers:
                yield catalogue.Provider(one.id, one.id, one.wire, one.base_url)

        with self._loading:
            if self._catalogue is None:
                keys = Keys()
                self._catalogue = catalogue.Catalogue(keys, added), keys
        return self._catalogue

    def spent_since(self, since: int) -> int:
        from inklings_desktop.domain.errors import InklingsError
        from inklings_desktop.storage.places import DATABASE_NAME, WORKSPACES_FOLDER

        total = 0
        for one in (self.data_dir / WORKSPACES_FOLDER).glob(f"*/{DATABASE_NAME}"):
            with suppress(InklingsError):  # one that cannot be read spends nothing now
                runs = self.run_state(one.parent.name)
                total += runs.spent(None, since).cost_micro or 0
                runs.rest()
        return total

    def memory_command(self) -> ServerCommand:
        from inklings_desktop.agent.memory_door.call import ServerCommand
        from inklings_desktop.agent_settings import KEY_VARIABLES

        program, before = _program()
        arguments = [*before, "mcp", "serve", "--client", words.WORLD_AGENT]
        arguments += ["--data-dir", str(self.data_dir)]
        if self._workspace is not None:
            arguments += ["--workspace", self._workspace]
        kept = ((name, value) for name, value in os.environ.items() if name not in KEY_VARIABLES)
        return ServerCommand(program, tuple(arguments), tuple(sorted(kept)))

    def root(self) -> str:
        place = str(self.data_dir.resolve())
        return hashlib.sha256(place.encode()).hexdigest()[:_FINGERPRINT_CHARACTERS]

    def run_state(self, workspace_id: str) -> RunState:
        from inklings_desktop.agent.memory_door.call import PATIENCE_SECONDS
        from inklings_desktop.storage.runs.run_state import SqliteRunState

        if workspace_id not in self._runs:
            self._runs[workspace_id] = SqliteRunState(
                self.data_dir, workspace_id, busy_timeout_ms=round(PATIENCE_SECONDS * 1000)
            )
        return self._runs[workspace_id]


class ConnectedClient:
    """The client at the other end of the library's connection."""

    def __init__(self) -> None:
        self.connection: Connection | None = None

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        assert self.connection is not None
        await self.connection.send_notification(method, dict(params))

    async def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        assert self.connection is not None
        return await self.connection.send_request(method, dict(params))


class Nobody:
    """Stands in for a client where nobody can be asked: every question waits for the author."""

    def __init__(self) -> None:
        self.text = ""

    async def notify(self, _method: str, params: Mapping[str, Any]) -> None:
        """Keep what belongs to the answer."""
        update = params["update"]
        if update["sessionUpdate"] == words.AGENT_CHUNK:
            self.text += update["content"]["text"]

    async def ask(self, _method: str, _params: Mapping[str, Any]) -> Any:
        """That the author decides later."""
        return {"outcome": {"outcome": "selected", "optionId": words.OPTION_LATER}}


def main(
    given: Sequence[str] | None = None,
    workplace: Callable[[Path, str | None], LocalWorkplace] = LocalWorkplace,
    planner: PlannerPort | None = None,
    models: Models | None = None,
) -> None:
    """Serve one client until it goes; the process ends with it.

    Args:
        given: The arguments; None for those of the process.
        workplace: Makes what it works at.
        planner: Decides the next step of a turn; None for the rules.
        models: What there is to talk with; None for what is set.
    """
    arguments = _arguments(sys.argv[1:] if given is None else given)
    share_one_heap()
    gc.disable()  # until everything is loaded: next to nothing of that is garbage
    data_dir = named_folder(arguments.data_dir) if arguments.data_dir else default_data_dir()
    # Standard output belongs to the protocol, to the last byte: whatever prints there is diverted.
    sink = os.dup(1)
    os.dup2(2, 1)
    place = workplace(data_dir, arguments.workspace)
    status = 0
    with file_log(data_dir):
        if arguments.headless:
            prompt = Path(arguments.prompt_file).read_text(encoding="utf-8")
            with os.fdopen(sink, "wb") as out:
                status = asyncio.run(answer_alone(place, prompt, arguments.conversation, out))
        elif arguments.complete:
            with os.fdopen(sink, "wb") as out:
                work = complete(
                    place, models or place.models, arguments.workspace, sys.stdin.buffer, out
                )
                status = asyncio.run(work)
        elif arguments.script:
            from inklings_desktop.agent.acp_door.script_door import run_script

            with os.fdopen(sink, "wb") as out:
                status = asyncio.run(run_script(place, sys.stdin.buffer, out))
        else:
            asyncio.run(serve(place, sink, planner, models, arguments.activity))
    sys.stderr.flush()
    os._exit(status)


async def serve(
    workplace: LocalWorkplace,
    sink: int,
    planner: PlannerPort | None,
    models: Models | None,
    budget: str | None = None,
) -> None:
    """Answer the client on standard input until it goes.

    Args:
        sink: Descriptor that takes what we say.
        planner: Decides the next step of a turn; None for the rules.
        models: What there is to talk with; None for what is set.
        budget: What a turn may use that nobody watches, as JSON; None where somebody does.
    """
    from acp.connection import Connection

    from inklings_desktop.agent.acp_door.lifeline import Lifeline
    from inklings_desktop.agent.acp_door.routes import Routes

    client = ConnectedClient()
    agent = made(workplace, client, planner, models, budget)
    lifeline = Lifeline(sys.stdin.buffer, sink)
    client.connection = Connection(Routes(agent), lifeline, listening=False)
    await client.connection.main_loop()
    await agent.leave()


async def answer_alone(
    place: LocalWorkplace, prompt: str, conversation: str | None, out: BinaryIO
) -> int:
    """Answer a prompt, with nobody to ask, and say the answer; the exit status."""
    from acp.exceptions import RequestError

    from inklings_desktop.agent.acp_door.routes import Routes

    nobody = Nobody()
    agent = made(place, nobody, None)
    routes, opened = Routes(agent), {"cwd": "/", "mcpServers": []}
    try:
        if conversation is None:
            conversation = str((await routes(words.NEW, opened, False))["sessionId"])
        else:
            await routes(words.RESUME, opened | {"sessionId": conversation}, False)
        block = {"type": "text", "text": prompt}
        asked = {"sessionId": conversation, "prompt": [block]}
        ended = await routes(words.PROMPT, asked, False)
    except RequestError as error:
        sys.stderr.write(f"inklings-agent: {error}\n")
        return FAILED
    finally:
        await agent.leave()
    out.write(f"{nobody.text}\n".encode())
    return 0 if ended["stopReason"] == words.END_TURN else FAILED


async def complete(
    place: LocalWorkplace, models: Models, workspace_id: str, asked: BinaryIO, out: BinaryIO
) -> int:
    """Word one text of several, ``{"texts": [...]}``, as ``{"text": ...}``; the exit status.

    What it costs counts to the day. Nobody can be asked for more: once the day's ceiling is
    reached no model is asked.
    """
    from inklings_desktop.agent.graph.turn import keep_sent
    from inklings_desktop.agent.model_planner.rewording import reworded
    from inklings_desktop.agent.providers.accounts import MICRO, Accounts

    texts, runs, run = json.load(asked)["texts"], place.run_state(workspace_id), f"merge:{uuid4()}"
    ceiling = place.settings().daily_cost * MICRO
    text = None
    if not ceiling or Accounts(place.settings, place.spent_since).today() < ceiling:
        runs.begin_run(run, "", "merge")

        async def note(sent: Sent) -> None:
            keep_sent(runs, run, "merge", sent)

        text = await reworded(models, texts, note)
        runs.end_run(run, "failed" if text is None else "finished")
    if text is None:
        sys.stderr.write("inklings-agent: no model worded it.\n")
        return FAILED
    out.write(json.dumps({"text": text}).encode())
    return 0


def made(
    workplace: LocalWorkplace,
    client: Client,
    planner: PlannerPort | None,
    models: Models | None = None,
    budget: str | None = None,
) -> WorldAgent:
    """The agent with everything that it stands on."""
    from inklings_desktop.agent.acp_door.prompting import Readiness, holder_name
    from inklings_desktop.agent.acp_door.sessions import Sessions
    from inklings_desktop.agent.acp_door.world_agent import WorldAgent
    from inklings_desktop.agent.graph.turn import MechanicalPlanner
    from inklings_desktop.agent.mechanical.steps import next_step
    from inklings_desktop.agent.memory_door.call import MemoryPool
    from inklings_desktop.agent.policy import judge

    rules, judging = next_step, judge
    if budget is not None:
        from inklings_desktop.agent.acp_door.alone import (
            allowance_of,
            judge_alone,
            next_step_alone,
        )

        rules = next_step_alone
        workplace.limits, workplace.most_cost, may = allowance_of(budget)
        judging = partial(judge_alone, judge, may)
    holder = holder_name()
    pool = MemoryPool(sys.stderr)
    return WorldAgent(
        workplace=workplace,
        readiness=Readiness(),
        sessions=Sessions(workplace, client, pool, holder),
        pool=pool,
        planner=planner or MechanicalPlanner(rules),
        judge=judging,
        holder=holder,
        models=models,
    )


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    reading = argparse.ArgumentParser(
        prog="inklings-agent",
        description="The World Agent of Inklings, for programs that speak the Agent Client"
        " Protocol over standard input and output.",
    )
    reading.add_argument("--version", action="version", version=inklings_desktop.__version__)
    reading.add_argument("--data-dir", help="Folder with the data; without it the usual one.")
    reading.add_argument("--workspace", help="Name or id of the workspace.")
    reading.add_argument(
        "--headless",
        action="store_true",
        help="Answer one prompt, without anybody who could be asked.",
    )
    reading.add_argument(
        "--complete",
        choices=["merge"],
        help="Word one text of several, which come as JSON on standard input.",
    )
    reading.add_argument(
        "--activity",
        metavar="BUDGET",
        help="Nobody watches: answer within this budget, JSON of tool_calls, seconds, cost_micro.",
    )
    reading.add_argument(
        SCRIPT_MODE,
        dest="script",
        action="store_true",
        help="Run one script over memory, which comes as JSON on standard input.",
    )
    reading.add_argument("--conversation", help="With --headless: id of the conversation.")
    reading.add_argument("--prompt-file", help="With --headless: file with the prompt.")
    found = reading.parse_args(given)
    if found.complete and not found.workspace:
        reading.error("--complete needs the id of a workspace, in which its cost is kept.")
    if found.headless != bool(found.prompt_file):
        reading.error("--headless and --prompt-file go together.")
    return found


def _program() -> tuple[str, tuple[str, ...]]:
    """The command line of this installation, and what comes before its own arguments."""
    here = Path(sys.executable)
    if getattr(sys, "frozen", False):
        return str(here.with_name("inklings" + here.suffix)), ()
    return str(here), ("-m", "inklings_desktop.cli")


def _language() -> str:
    told = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    chosen = (told or locale.getlocale()[0] or "en")[:2].lower()
    return chosen if chosen in LANGUAGES else LANGUAGES[0]


if __name__ == "__main__":
    main()
