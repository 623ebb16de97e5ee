"""The command line as a whole."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer
from typer.main import get_command

import inklings_desktop
from inklings_desktop.cli.command import Invocation, WholeHelp
from inklings_desktop.cli.command_places import HOOK, add_commands, named_command
from inklings_desktop.cli.messages import (
    REFUSED,
    CommandFailedError,
    Failure,
    failure_of,
    system_failure,
    wrong_usage,
)
from inklings_desktop.cli.options import AsJson, CommonOptions, DataDir, WorkspaceKey
from inklings_desktop.cli.output import json_text, visible, write_answer
from inklings_desktop.cli.program import Answer, Program
from inklings_desktop.domain.errors import InklingsError

NAME = "inklings"


def run(arguments: Sequence[str], program: Program) -> int:
    """Carry out one command line and return its exit status.

    0 done, 1 refused or failed, 2 wrong usage, 3 the environment's fault; 130 when the person
    interrupted it, as shells expect. A hook always ends with 0: another status may end the session
    of the program that calls it.
    """
    name = named_command(arguments)
    if name == HOOK:
        try:
            _carried_out(arguments, name, program, as_json=False)
        except Exception as error:  # noqa: BLE001 - the session that called goes on
            typer.echo(visible(f"It could not be done: {error!r}"), err=True)
        return 0
    as_json = "--json" in itertools.takewhile(lambda one: one != "--", arguments)
    return _carried_out(arguments, name, program, as_json=as_json)


def _carried_out(
    arguments: Sequence[str], name: str | None, program: Program, *, as_json: bool
) -> int:
    invocation = Invocation(program, CommonOptions())
    try:
        status = get_command(command_line(name))(
            args=list(arguments), prog_name=NAME, obj=invocation, standalone_mode=False
        )
    except InklingsError as error:
        return _failed(failure_of(error), as_json=as_json)
    except CommandFailedError as error:
        return _failed(error.failure, as_json=as_json)
    except typer.TyperException as error:
        return _failed(_usage_failure(error), as_json=as_json)
    except BrokenPipeError:
        return REFUSED
    except OSError as error:
        return _failed(system_failure(error), as_json=as_json)
    return status if isinstance(status, int) else 0


def command_line(name: str | None = None) -> typer.Typer:
    """Every command, or the one of this name, ready to be called with arguments."""
    app = typer.Typer(
        name=NAME,
        cls=WholeHelp,
        help="The long-term memory of a world-building agent, from the command line.",
        no_args_is_help=True,
        invoke_without_command=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        callback=_root,
    )
    add_commands(app, name)
    return app


def _root(
    ctx: typer.Context,
    data_dir: DataDir = None,
    workspace: WorkspaceKey = None,
    *,
    as_json: AsJson = False,
    version: Annotated[bool, typer.Option("--version", help="Say the version, then end.")] = False,
) -> None:
    if version:
        number = inklings_desktop.__version__
        answer = Answer({"version": number}, [f"Inklings Desktop {number}"])
        write_answer(answer, as_json=as_json)
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        raise wrong_usage(f"Name a command; {NAME} --help lists them.")
    ctx.obj = replace(
        ctx.obj, common=CommonOptions(data_dir=data_dir, workspace=workspace, as_json=as_json)
    )


def _failed(failure: Failure, *, as_json: bool) -> int:
    """Say what went wrong: a sentence on stderr and, for scripts, a document on stdout."""
    if as_json:
        error = {"kind": failure.kind, "message": failure.message, **failure.details}
        typer.echo(json_text({"error": error}))
    typer.echo(visible(failure.message), err=True)
    return failure.status


def _usage_failure(error: typer.TyperException) -> Failure:
    """What the command line's parser said, with where to find help."""
    message = error.format_message()
    command = getattr(getattr(error, "ctx", None), "command_path", None)
    if command is not None and not message.startswith("Usage:"):
        message = " ".join(message.replace("Value error, ", "").split())
        if message.startswith("No such option") and not getattr(error, "possibilities", ()):
            message = f"{message.rstrip('.')}. Put -- before a text that begins with -."
        stop = "" if message.endswith((".", "?")) else "."
        message = f"{message}{stop} See {command} --help."
    return Failure("usage", message, error.exit_code)
