"""Which agent the person talks with: found, agreed to, and how its process is started."""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import typer

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.launching import (
    empty_folder,
    own_environment,
    world_agent_command,
)
from inklings_desktop.agent_client.presets import (
    FOUND,
    IN_DATA,
    NOT_FOUND,
    RELATIVE,
    SHARED,
    agents,
    environment,
)
from inklings_desktop.agent_client.session import Problem
from inklings_desktop.cli.agents.chat_terminal import problem_failure
from inklings_desktop.cli.messages import CommandFailedError, refused
from inklings_desktop.cli.output import one_line, visible
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.session import Guest
    from inklings_desktop.cli.program import Program
    from inklings_desktop.usecases.bundle import Inklings

PRESETS: Final = "agent.presets"
MEMORY_TIME = timedelta(seconds=30)
"""So long an agent may take until it comes by the memory that it was handed."""
UNUSED: Final = "This agent did not connect your memory."
_WHY_NOT = {
    NOT_FOUND: "{title} was not found on this machine. Install it, or name its program in"
    " settings.toml.",
    RELATIVE: "{title} has a relative path. Give the absolute path of its program.",
    IN_DATA: "{title} is in the data folder, so it is not started.",
    SHARED: "{title} is not started: other users may change its program, or a folder above it.",
}


@dataclass(frozen=True, slots=True)
class Launch:
    """How an agent's process is started.

    Attributes:
        folder: Where it works; None for where this process does.
        guest: What it is where it is another's; None for the World Agent.
    """

    command: list[str]
    variables: dict[str, str]
    folder: Path | None = None
    guest: Guest | None = None


class MemoryWatch:
    """Looks once, after a while, whether an agent came by the memory that it was handed."""

    def __init__(self, client: str, clock: Callable[[], datetime]) -> None:
        """It is about to be handed it."""
        self._client, self._clock, self._since = client, clock, clock()
        self._is_over = False

    def is_unused(self, inklings: Inklings) -> bool:
        """Whether it had its time and did not come; told once."""
        if self._is_over or self._clock() - self._since < MEMORY_TIME:
            return False
        self._is_over = True
        came_at = inklings.clients.show(self._client, calls=1).activity.last_call_at
        return came_at is None or came_at < self._since


def known_agents(inklings: Inklings) -> list[Agent]:
    """Every agent of another maker that has a name here."""
    return agents(inklings.settings.agent.presets, inklings.data_dir)


def chosen_agent(inklings: Inklings, name: str, *, is_agreed: bool = False) -> Agent | None:
    """The agent of this name, agreed to now or before; None for the World Agent.

    Raises:
        CommandFailedError: There is none, or it is not started.
    """
    if name == words.WORLD_AGENT:
        return None
    known = {one.id: one for one in known_agents(inklings)}
    if name not in known:
        names = ", ".join((words.WORLD_AGENT, *known))
        raise refused("no_agent", f"There is no agent “{one_line(name, 60)}”. There are: {names}.")
    agent = known[name]
    if (why_not := _WHY_NOT.get(agent.state)) is not None:
        raise refused(f"agent_{agent.state}", why_not.format(title=one_line(agent.title)))
    return agent if agent.state != FOUND else _agreed(inklings, agent, is_agreed=is_agreed)


def _agreed(inklings: Inklings, agent: Agent, *, is_agreed: bool) -> Agent:
    """The agent once the person has seen what is started, and agreed; that is kept.

    Raises:
        CommandFailedError: Nobody can be asked, or the answer was no.
    """
    started = visible(" ".join(agent.started))
    if not is_agreed and sys.stdin.isatty():
        typer.echo(f"{one_line(agent.title)} would be started as: {started}", err=True)
        if agent.preset.env:
            typer.echo(f"It is given: {one_line(', '.join(agent.preset.env))}", err=True)
        is_agreed = typer.confirm("Start it?", err=True)
    if not is_agreed:
        raise refused(
            "agent_unconfirmed",
            f"{one_line(agent.title)} would be started as: {started}\n"
            f"Agree to that with: inklings agent allow {agent.id}",
        )
    confirmed = agent.confirmed()
    inklings.preferences.put_row(PRESETS, confirmed.row())
    return confirmed


def launch(
    program: Program, inklings: Inklings, agent: Agent | None, data_dir: Path, workspace_id: str
) -> Launch:
    """How the chosen agent is started.

    Raises:
        CommandFailedError: The World Agent is not installed.
    """
    if agent is None:
        command = (program.agent_command or world_agent_command)(data_dir, workspace_id)
        if command is None:
            raise CommandFailedError(problem_failure(Problem(words.AGENT_NOT_INSTALLED)))
        return Launch(command, own_environment(os.environ))
    assert agent.command is not None
    folder = empty_folder()
    server = inklings.clients.describe_server(agent.client, workspace_id)
    guest = agent.guest(server, str(folder))
    return Launch(agent.command, environment(os.environ, agent.preset), folder, guest)
