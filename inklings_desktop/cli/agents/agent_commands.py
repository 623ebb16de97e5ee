"""``inklings mcp``: serve agents, and say what they may do."""

from __future__ import annotations

import errno
import json
import shlex
import sys
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from inklings_desktop.cli.agents.agent_options import (
    AddOptions,
    CheckOptions,
    ConfigOptions,
    GrantOptions,
    Preset,
    RevokeOptions,
    ServeOptions,
    TokenOptions,
)
from inklings_desktop.cli.command import command, group, program_command, require_root
from inklings_desktop.cli.documents import time_text
from inklings_desktop.cli.entries.entry_lines import change_lines
from inklings_desktop.cli.messages import (
    REFUSED,
    CommandFailedError,
    failure_of,
    unavailable,
    wrong_usage,
)
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import find_channel, required_workspace
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, imitated, preset_rights
from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.ages import age
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.relay.refusal import refuse
from inklings_desktop.usecases.ports.connections import StepResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.cli.agents.agent_options import Allowed
    from inklings_desktop.cli.program import Program
    from inklings_desktop.domain.access.clients import Client, ClientActivity
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.access.clients import ClientWithActivity
    from inklings_desktop.usecases.bundle import Inklings

_KINDS = {
    Preset.WORLD_AGENT: ClientKind.WORLD_AGENT,
    Preset.EXTERNAL: ClientKind.EXTERNAL,
}


def agent_group() -> typer.Typer:
    """Every command about agents."""
    agents = group("mcp", "Agents: serve them, and say what they may do.")
    program_command(agents, "serve", ServeOptions, serve)
    command(agents, "clients", CommonOptions, list_all, begins_root=False)
    command(agents, "grant", GrantOptions, grant, begins_root=False)
    command(agents, "revoke", RevokeOptions, revoke, begins_root=False)
    command(agents, "config", ConfigOptions, config, begins_root=False)
    command(agents, "add", AddOptions, add, begins_root=False)
    command(agents, "token", TokenOptions, token, begins_root=False)
    program_command(agents, "check", CheckOptions, check)
    return agents


def serve(program: Program, options: ServeOptions) -> Answer:
    """Serve one client over standard input and output, or every one over HTTP on the loopback."""
    if options.client is None and not options.http:
        raise wrong_usage("Name the client with --client NAME; only --http serves every one.")

    def say(address: str, token: str | None) -> None:
        served = "every client with a token" if options.client is None else options.client
        typer.echo(f"Serving {one_line(served)} at {address}", err=True)
        if token is None:
            typer.echo("See the token of a client with: inklings mcp token CLIENT", err=True)
        else:
            typer.echo(_header(token), err=True)

    try:
        require_root(options)
        program.serve_agent(
            options.data_dir,
            options.workspace,
            options.client,
            port=options.port if options.http else None,
            say=say,
            failing=lambda error: failure_of(error).message,
            linger=None if options.http or options.in_process else options.linger,
        )
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise unavailable(
            "port_taken",
            f"Another program listens on port {options.port}. Choose another one with --port;"
            " 0 takes one that is free.",
        ) from error
    except (InklingsError, CommandFailedError) as error:
        if options.http:
            raise
        failure = failure_of(error) if isinstance(error, InklingsError) else error.failure
        refuse(failure.message)
        raise typer.Exit(failure.status) from error
    # Standard output belongs to the protocol, to the last byte.
    raise typer.Exit


def list_all(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the clients that came or were granted something, and what they may do."""
    found = inklings.clients.list()
    names = _workspace_names(inklings)
    now = inklings.clock()
    rows = [
        [
            one.client.name,
            _kind(one.client),
            _rights_line(one.client, names) or _without_rights(one, names),
            "never came"
            if one.activity.last_call_at is None
            else f"last seen {age(one.activity.last_call_at, now)}",
            one.activity.last_error,
        ]
        for one in found
    ]
    none = ["No client has come yet. See what one needs with: inklings mcp config NAME"]
    return Answer({"clients": [_document(one) for one in found]}, table(rows) if rows else none)


def grant(inklings: Inklings, options: GrantOptions) -> Answer:
    """Let a client do more: by its kind, or right by right."""
    rights: set[Right] = set()
    kind = None if options.preset is None else _KINDS[options.preset]
    if kind is not None:
        rights |= preset_rights(kind, required_workspace(inklings).id)
    if options.tier or options.allow or options.channel:
        rights |= _rights(inklings, options.tier, options.allow, options.channel)
    if not rights:
        raise wrong_usage("Say what to grant: --as KIND, or --tier TIER with --allow RIGHT.")
    client = inklings.clients.grant(options.client, rights, kind=kind)
    known = [one.client.name for one in inklings.clients.list()]
    other = imitated(client.name, known)
    notes = [] if other is None else [f"This name could be taken for {other}: is it the right one?"]
    return replace(_changed(inklings, client), notes=notes)


def revoke(inklings: Inklings, options: RevokeOptions) -> Answer:
    """Let a client do less, from its next request on; without options nothing at all."""
    rights = None
    if options.tier or options.allow or options.channel:
        rights = _rights(inklings, options.tier, options.allow, options.channel)
    client = inklings.clients.revoke(options.client, rights)
    return _changed(inklings, client)


def token(inklings: Inklings, options: TokenOptions) -> Answer:
    """Show what a client has to send over HTTP; it stays the same until it is renewed."""
    name = one_line(options.client)
    if options.remove:
        if options.renew:
            raise wrong_usage("Give either --new or --remove.")
        is_removed = inklings.clients.remove_token(options.client)
        had = "has no token now" if is_removed else "had no token"
        return Answer({"client": options.client, "removed": is_removed}, [f"{name} {had}."])
    shown = inklings.clients.show_token(options.client, renew=options.renew)
    document = {"client": options.client, "token": shown, "header": _header(shown)}
    return Answer(document, [_header(shown)], [f"Keep it secret: who has it comes in as {name}."])


def _header(token: str) -> str:
    return f"Authorization: Bearer {token}"


def _rights(
    inklings: Inklings,
    tiers: Sequence[Tier] | None,
    allowed: Sequence[Allowed] | None,
    channel: str | None,
) -> set[Right]:
    if channel is not None and not tiers:
        tiers = [Tier.CHANNEL]
    if not tiers or not allowed:
        raise wrong_usage("Name a tier with --tier and a right with --allow.")
    if channel is not None and set(tiers) != {Tier.CHANNEL}:
        raise wrong_usage("--channel goes with --tier channel alone.")
    rights = set()
    for tier in tiers:
        workspace = None if tier is Tier.ACCOUNT else required_workspace(inklings)
        channel_id = None
        if channel is not None and workspace is not None:
            channel_id = find_channel(inklings, workspace, channel).id
        rights |= {
            Right(tier, workspace.id if workspace else None, Action(one.value), channel_id)
            for one in allowed
        }
    return rights


def _changed(inklings: Inklings, client: Client) -> Answer:
    line = _rights_line(client, _workspace_names(inklings))
    name = one_line(client.name)
    said = f"{name} may do nothing now." if not line else f"{name} may now: {line}."
    return Answer({"client": _client_document(client)}, [said])


def _rights_line(client: Client, names: dict[str, str]) -> str:
    """Rights in one line: ``workspace read, write; account read``."""
    parts = []
    for workspace_id in (
        *sorted({one.workspace_id for one in client.rights if one.workspace_id}),
        None,
    ):
        of_file = client.rights_in(workspace_id)
        for tier in Tier:
            own = sorted({one.action.value for one in of_file if one.tier is tier})
            if not own:
                continue
            place = f" in {names.get(workspace_id, workspace_id)}" if workspace_id else ""
            parts.append(f"{tier.value} {', '.join(own)}{place}")
    return one_line("; ".join(parts))


def _kind(client: Client) -> str:
    return {
        ClientKind.WORLD_AGENT: "my World Agent",
        ClientKind.EXTERNAL: "external",
        ClientKind.UNKNOWN: "not let in yet",
    }[client.kind]


def _without_rights(found: ClientWithActivity, names: dict[str, str]) -> str:
    """That there are none, and for one that knocked the command that lets it in."""
    places = [one.workspace_id for one in found.activity.calls if one.workspace_id in names]
    if found.client.kind is not ClientKind.UNKNOWN or not places:
        return "no rights"
    return f"let it in with: {letting_in(found.client.name, names[places[0]])}"


def _workspace_names(inklings: Inklings) -> dict[str, str]:
    return {one.id: one.name for one in inklings.places.workspaces()}


def _document(one: ClientWithActivity) -> dict[str, Any]:
    return _client_document(one.client) | _activity_document(one.activity)


def _client_document(client: Client) -> dict[str, Any]:
    return {
        "name": client.name,
        "kind": client.kind.value,
        "created_at": time_text(client.created_at),
        "rights": [
            {
                "tier": one.tier.value,
                "workspace_id": one.workspace_id,
                "action": one.action.value,
                "channel_id": one.channel_id,
            }
            for one in sorted(client.rights, key=lambda one: one.sort_key)
        ],
    }


def _activity_document(activity: ClientActivity) -> dict[str, Any]:
    return {
        "last_call_at": time_text(activity.last_call_at),
        "last_error": activity.last_error or None,
        "last_error_at": time_text(activity.last_error_at),
        "calls": [
            {
                "at": time_text(one.at),
                "tool": one.tool,
                "tier": one.tier and one.tier.value,
                "answer": one.answer,
                "entries": one.n_entries,
                "error": one.error or None,
                "milliseconds": one.milliseconds,
            }
            for one in activity.calls
        ],
    }


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
