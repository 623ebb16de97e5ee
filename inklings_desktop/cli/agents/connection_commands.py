"""``inklings mcp config``, ``add`` and ``check``: how a client is connected."""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from typing import TYPE_CHECKING

import typer

from inklings_desktop.cli.command import require_root
from inklings_desktop.cli.entries.entry_lines import change_lines
from inklings_desktop.cli.messages import REFUSED
from inklings_desktop.cli.output import one_line, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.usecases.ports.connections import StepResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.cli.agents.agent_options import AddOptions, CheckOptions, ConfigOptions
    from inklings_desktop.cli.program import Program
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

# Python stays a text: nothing of it is run here.
_READERS: dict[ClientProgram, Callable[[str], object]] = {
    ClientProgram.CODEX: tomllib.loads,
    ClientProgram.LANGCHAIN: str,
    ClientProgram.OPENAI_AGENTS: str,
    ClientProgram.PYDANTIC_AI: str,
}


def config(inklings: Inklings, options: ConfigOptions) -> Answer:
    """Say what a client needs in its configuration to reach this data."""
    workspace = required_workspace(inklings)
    found = inklings.clients.describe_connection(options.client, workspace.id, options.program)
    read = _READERS.get(options.program, _read_json)
    document = {
        "configuration": read(found.configuration),
        "places": list(found.places),
    }
    lines = found.configuration.split("\n")
    notes = [f"Merge this into its file: {place}" for place in found.places]
    if found.hooks:
        document["hooks"] = json.loads(found.hooks)["hooks"]
        document["hook_places"] = list(found.hook_places)
        lines += ["", *found.hooks.splitlines()]
        notes += [f"Merge the hooks, the second part, into: {one}" for one in found.hook_places]
    return Answer(document, lines, notes + _rights_notes(inklings, options.client, workspace))


def add(inklings: Inklings, options: AddOptions) -> Answer:
    """Add this program to a client's own file: shows what would change, and asks."""
    workspace = required_workspace(inklings)
    change = inklings.clients.preview_addition(options.client, workspace.id, options.program)
    path = visible(str(change.path))
    difference = change_lines(change.before or "", change.after)
    notes = _rights_notes(inklings, options.client, workspace)
    document = {
        "path": str(change.path),
        "difference": difference,
        "written": False,
        "backup": None,
    }
    if not change.is_needed:
        return Answer(document, [f"{path} already has this; nothing was written."], notes)
    shown = [path if change.before is not None else f"{path} (new)", *difference]
    if options.dry_run:
        return Answer(document, [*shown, "Nothing was written."], notes)
    if not options.yes and not _is_agreed(shown):
        left = "Nothing was written. To write it, add --yes."
        return Answer(document, [left] if sys.stdin.isatty() else [*shown, left], notes)
    backup = inklings.clients.apply_addition(change)
    lines = [*(shown if options.yes else ()), f"Written to {path}. Restart the client."]
    if backup is not None:
        lines.append(f"The file as it was: {visible(str(backup))}")
    document |= {"written": True, "backup": backup and str(backup)}
    return Answer(document, lines, notes)


def _is_agreed(shown: list[str]) -> bool:
    """Whether the person at the terminal says yes to this; without one nobody does."""
    if not sys.stdin.isatty():
        return False
    for line in shown:
        typer.echo(line, err=True)
    return typer.confirm("Write this?", err=True)


def _rights_notes(inklings: Inklings, client: str, workspace: Workspace) -> list[str]:
    """That a client has no rights here yet, where that is so, and the command that lets it in."""
    known = [one.client for one in inklings.clients.list()]
    if any(one.name == client and one.rights_in(workspace.id) for one in known):
        return []
    return [f"It reads nothing until you let it in: {letting_in(client, workspace.name)}"]


def _read_json(text: str) -> object:
    return json.loads(text)


def check(program: Program, options: CheckOptions) -> Answer:
    """Play this client against the real server, in a store made for it; nothing real is read."""
    require_root(options)
    with program.open_inklings(options.data_dir, workspace=options.workspace) as inklings:
        workspace = required_workspace(inklings)
        steps = inklings.clients.rehearse_connection(options.client, workspace.id, lambda: False)
    document = [
        {"step": one.step, "result": one.result, "reason": one.reason, "said": one.said}
        for one in steps
    ]
    lines = [
        one_line(
            " ".join(word for word in (f"{one.step}:", one.result, one.reason, one.said) if word)
        )
        for one in steps
    ]
    is_failed = any(one.result is StepResult.FAILED for one in steps)
    return Answer({"steps": document}, lines, status=REFUSED if is_failed else 0)


def letting_in(client: str, workspace: str) -> str:
    """The command that lets a client in."""
    return one_line(
        f"inklings --workspace {shlex.quote(workspace)} mcp grant {shlex.quote(client)}"
        " --as external"
    )
