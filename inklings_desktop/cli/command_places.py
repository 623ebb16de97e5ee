"""Where each command is made: a process imports what the command it was given needs.

A server for an agent is started by somebody who waits for its first answer, and so is every
command of a script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import typer

HOOK = "hook"
_WITH_A_VALUE = frozenset({"--data-dir", "--workspace"})


def add_commands(app: typer.Typer, name: str | None = None) -> None:
    """Add every command, or only those that are made together with the one of this name."""
    wanted = [adder for names, adder in _ADDERS.items() if name in names]
    for adder in wanted or _ADDERS.values():
        adder(app)


def named_command(arguments: Sequence[str]) -> str | None:
    """The word that names the command or its group; None where none is given."""
    rest = iter(arguments)
    for argument in rest:
        if argument in _WITH_A_VALUE:
            next(rest, None)
        elif not argument.startswith("-"):
            return argument
    return None


def _windows(app: typer.Typer) -> None:
    from inklings_desktop.cli.window.window_commands import add_window_commands

    add_window_commands(app)


def _scrub(app: typer.Typer) -> None:
    from inklings_desktop.cli.scrubbing.scrub_commands import add_scrub_command

    add_scrub_command(app)


def _transfer(app: typer.Typer) -> None:
    from inklings_desktop.cli.transfer.transfer_commands import add_transfer_commands

    add_transfer_commands(app)


def _orient(app: typer.Typer) -> None:
    from inklings_desktop.cli.rooms.orient_commands import add_orient_command

    add_orient_command(app)


def _log(app: typer.Typer) -> None:
    from inklings_desktop.cli.log.log_commands import add_log_command

    add_log_command(app)


def _workspaces(app: typer.Typer) -> None:
    from inklings_desktop.cli.rooms.room_commands import workspace_group

    app.add_typer(workspace_group())


def _memories(app: typer.Typer) -> None:
    from inklings_desktop.cli.memories.memory_commands import memory_group

    app.add_typer(memory_group())


def _pages(app: typer.Typer) -> None:
    from inklings_desktop.cli.world.world_commands import world_group

    app.add_typer(world_group())


def _facts(app: typer.Typer) -> None:
    from inklings_desktop.cli.knowledge.fact_commands import fact_group

    app.add_typer(fact_group())


def _domains(app: typer.Typer) -> None:
    from inklings_desktop.cli.knowledge.domain_commands import domain_group, role_group

    for group in (domain_group(), role_group()):
        app.add_typer(group)


def _policies(app: typer.Typer) -> None:
    from inklings_desktop.cli.knowledge.policy_commands import policy_group, working_memory_group

    for group in (policy_group(), working_memory_group()):
        app.add_typer(group)


def _skills(app: typer.Typer) -> None:
    from inklings_desktop.cli.skills.skill_commands import skill_group

    app.add_typer(skill_group())


def _entries(app: typer.Typer) -> None:
    from inklings_desktop.cli.entries.entry_commands import entry_group

    app.add_typer(entry_group())


def _rooms(app: typer.Typer) -> None:
    from inklings_desktop.cli.rooms.room_commands import (
        channel_group,
        conversation_group,
        note_group,
    )

    for group in (channel_group(), conversation_group(), note_group()):
        app.add_typer(group)


def _agents(app: typer.Typer) -> None:
    from inklings_desktop.cli.agents.agent_commands import agent_group

    app.add_typer(agent_group())


def _chat(app: typer.Typer) -> None:
    from inklings_desktop.cli.agents.chat_commands import add_chat_command

    add_chat_command(app)


def _other_agents(app: typer.Typer) -> None:
    from inklings_desktop.cli.agents.other_agents import other_agents_group

    app.add_typer(other_agents_group())


def _hooks(app: typer.Typer) -> None:
    from inklings_desktop.cli.agents.hook_commands import hook_group

    app.add_typer(hook_group())


def _analyses(app: typer.Typer) -> None:
    from inklings_desktop.cli.analyses.analysis_commands import analysis_group

    app.add_typer(analysis_group())


def _keeping(app: typer.Typer) -> None:
    from inklings_desktop.cli.keeping.keeping_commands import add_keeping_commands

    add_keeping_commands(app)


def _clock(app: typer.Typer) -> None:
    from inklings_desktop.cli.background.clock_commands import add_clock_commands

    add_clock_commands(app)


def _activities(app: typer.Typer) -> None:
    from inklings_desktop.cli.background.activity_commands import activity_group

    app.add_typer(activity_group())


def _golden(app: typer.Typer) -> None:
    from inklings_desktop.cli.background.golden_commands import golden_group

    app.add_typer(golden_group())


def _models(app: typer.Typer) -> None:
    from inklings_desktop.cli.background.model_commands import model_group

    app.add_typer(model_group())


_ADDERS: dict[tuple[str, ...], Callable[[typer.Typer], None]] = {
    ("open", "demo", "integrate"): _windows,
    ("scrub",): _scrub,
    ("export", "import"): _transfer,
    ("orient",): _orient,
    ("log",): _log,
    ("workspace",): _workspaces,
    ("memory",): _memories,
    ("world",): _pages,
    ("fact",): _facts,
    ("domain", "role"): _domains,
    ("policy", "working-memory"): _policies,
    ("skill",): _skills,
    ("entry",): _entries,
    ("channel", "conversation", "note"): _rooms,
    ("mcp",): _agents,
    ("chat",): _chat,
    ("agent",): _other_agents,
    ("analysis",): _analyses,
    (HOOK,): _hooks,
    ("backup", "check"): _keeping,
    ("backfill", "consolidate"): _clock,
    ("activity",): _activities,
    ("golden",): _golden,
    ("model",): _models,
}
