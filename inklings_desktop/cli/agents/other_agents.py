"""``inklings agent``: which agents one can talk with here, and whether they work."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import inklings_desktop
from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.greeting import Greeting, greet
from inklings_desktop.agent_client.launching import (
    INSTALLING,
    empty_folder,
    is_installed,
    leave_folder,
    own_environment,
    world_agent_command,
)
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.presets import (
    FOUND,
    IN_DATA,
    NOT_FOUND,
    READY,
    RELATIVE,
    SHARED,
    environment,
)
from inklings_desktop.agent_client.session import NO_ANSWER, SIGN_IN_NEEDED
from inklings_desktop.cli.agents.agent_commands import letting_in
from inklings_desktop.cli.agents.agent_options import PresetOptions
from inklings_desktop.cli.agents.chosen_agent import chosen_agent, known_agents
from inklings_desktop.cli.agents.provider_commands import add_provider_commands
from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.messages import REFUSED, wrong_usage
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import one_line, table
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace

if TYPE_CHECKING:
    import typer

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

TITLE: Final = "World Agent"
STATES: Final = {
    READY: "ready",
    FOUND: "found",
    NOT_FOUND: "not found",
    RELATIVE: "relative path",
    IN_DATA: "in the data folder",
    SHARED: "others may change it",
}
"""How an agent is, in a word or three; the window says the same."""


def other_agents_group() -> typer.Typer:
    """Every command about agents that one talks with."""
    agents = group("agent", "Agents that you can talk with, and the models behind ours.")
    command(agents, "presets", CommonOptions, presets, begins_root=False)
    command(agents, "allow", PresetOptions, allow, begins_root=False)
    command(agents, "doctor", CommonOptions, doctor, begins_root=False)
    add_provider_commands(agents)
    return agents


def presets(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the agents that one can talk with, and whether they are on this machine."""
    known = known_agents(inklings)
    state = READY if is_installed() else NOT_FOUND
    ours = {
        "id": words.WORLD_AGENT, "title": TITLE, "client": words.WORLD_AGENT, "state": state,
        "command": [],
    }  # fmt: skip
    rows = [[words.WORLD_AGENT, TITLE, STATES[state], "built in"]]
    rows += [[one.id, one.title, STATES[one.state], " ".join(one.started)] for one in known]
    return Answer({"presets": [ours, *map(_document, known)]}, table(rows))


def allow(inklings: Inklings, options: PresetOptions) -> Answer:
    """Agree to the program that an agent is started as; its path is kept in settings.toml."""
    agent = chosen_agent(inklings, options.preset, is_agreed=True)
    if agent is None:
        raise wrong_usage("The World Agent is part of this program; it needs no agreement.")
    line = f"{one_line(agent.title)} is started as: {one_line(' '.join(agent.started), 2_000)}"
    return Answer({"preset": _document(agent)}, [line])


def doctor(inklings: Inklings, _options: CommonOptions) -> Answer:
    """Say which agents are installed, whether they answer, and what memory is open to them."""
    workspace = required_workspace(inklings)
    let_in = {
        one.client.name for one in inklings.clients.list() if one.client.rights_in(workspace.id)
    }
    said = [_try_ours(inklings, workspace, let_in)]
    known = known_agents(inklings)
    here = [one for one in known if one.state != NOT_FOUND]
    said += [_try_other(one, workspace, let_in) for one in here]
    lines = [line for document in said for line in document.pop("lines")]
    if not here:
        sought = ", ".join(f"{one.title} ({one.preset.command[0]})" for one in known)
        lines.append(one_line(f"No other agent was found on this machine. Looked for: {sought}."))
    document = {"version": inklings_desktop.__version__, "agents": said}
    is_well = all(one["answers"] is not False for one in said)
    return Answer(document, lines, status=0 if is_well else REFUSED)


def _try_ours(inklings: Inklings, workspace: Workspace, let_in: set[str]) -> dict[str, Any]:
    started = world_agent_command(inklings.data_dir, workspace.id)
    document: dict[str, Any] = {"id": words.WORLD_AGENT, "state": READY, "answers": None}
    if started is None:
        told = f"{TITLE}: {STATES[NOT_FOUND]}. Install it with: {INSTALLING}"
        return document | {"state": NOT_FOUND, "lines": [told]}
    variables = own_environment(os.environ)
    greeting = greet(partial(PlainProcess, started, variables))
    letting = f"inklings mcp grant {words.WORLD_AGENT} --as world-agent"
    return document | _told(TITLE, greeting, words.WORLD_AGENT, let_in, letting)


def _try_other(agent: Agent, workspace: Workspace, let_in: set[str]) -> dict[str, Any]:
    """Start one that the person has agreed to; no other is started."""
    document = _document(agent) | {"answers": None}
    title = one_line(agent.title)
    if agent.command is None:
        told = f"{title}: {STATES[agent.state]}, {one_line(agent.program, 2_000)}"
        allowing = f"  To try it: inklings agent allow {agent.id}"
        return document | {"lines": [told, *([allowing] if agent.state == FOUND else [])]}
    folder = empty_folder()
    try:
        variables = environment(os.environ, agent.preset)
        greeting = greet(partial(PlainProcess, agent.command, variables, folder), str(folder))
    finally:
        leave_folder(folder)
    letting = letting_in(agent.client, workspace.name)
    return document | _told(title, greeting, agent.client, let_in, letting)


def _told(
    title: str, greeting: Greeting, client: str, let_in: set[str], letting: str
) -> dict[str, Any]:
    """What came of a greeting, and of the memory that is open to the agent."""
    facts, problem = greeting.facts, greeting.problem
    version = one_line(facts.version, 60) if facts is not None else ""
    lines = [f"{title}: {greeting_words(greeting)}{f', version {version}' if version else ''}"]
    if problem is not None and problem.word == SIGN_IN_NEEDED and facts is not None:
        lines += [f"  {one_line(one)}" for one in (problem.detail, *facts.sign_in) if one]
    elif problem is not None:
        lines += [f"  {one_line(one, 200)}" for one in greeting.last_lines[-3:]]
    is_open = client in let_in
    lines.append("  It may read this world." if is_open else f"  Not let in yet: {letting}")
    return {
        "answers": problem is None, "problem": problem and problem.word, "version": version,
        "seconds": round(greeting.seconds, 1), "let_in": is_open, "lines": lines,
    }  # fmt: skip


def greeting_words(greeting: Greeting) -> str:
    """How a greeting went, in the words of the window."""
    problem = greeting.problem
    if problem is None:
        return f"answered in {greeting.seconds:.1f} s"
    if problem.word == SIGN_IN_NEEDED:
        return "sign in there first"
    if problem.word == NO_ANSWER:
        return "did not answer"
    is_code = problem.detail.removeprefix("-").isdecimal()
    return f"ended with code {problem.detail}" if is_code else "did not start"


def _document(agent: Agent) -> dict[str, Any]:
    return {
        "id": agent.id, "title": agent.title, "client": agent.client, "state": agent.state,
        "command": agent.started,
    }  # fmt: skip
