"""How a command is made: a set of options, a body, an answer."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar, get_type_hints

import typer
from typer.core import TyperGroup

from inklings_desktop.agent_settings import Rows
from inklings_desktop.cli.messages import unavailable, wrong_usage
from inklings_desktop.cli.options import TOLD, CommonOptions
from inklings_desktop.cli.output import visible, write_answer
from inklings_desktop.data_root import default_data_dir
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.relay.refusal import unusable
from inklings_desktop.settings import FILE_NAME as SETTINGS_FILE
from inklings_desktop.settings import SETTINGS
from inklings_desktop.usecases.steps.reading_on import read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.cli.program import Answer, Program
    from inklings_desktop.settings_file import Problem
    from inklings_desktop.usecases.bundle import Inklings

OptionsT = TypeVar("OptionsT", bound=CommonOptions)


@dataclass(frozen=True, slots=True)
class Invocation:
    """One run of the program.

    Attributes:
        program: What the commands reach for outside.
        common: Options given before the command's name.
    """

    program: Program
    common: CommonOptions


class WholeHelp(TyperGroup):
    """Lists its commands with their whole sentence; the library cuts it at the screen's edge."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, a sentence each, into the help."""
        told = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, " ".join((one.help or "").split("\n\n", 1)[0].split()))
                    for name, one in told
                    if one is not None and not one.hidden
                ]
            )


def group(name: str, about: str) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(
        name=name, cls=WholeHelp, help=about, no_args_is_help=True, rich_markup_mode=None
    )


def command(
    group: typer.Typer,
    name: str,
    options_type: type[OptionsT],
    body: Callable[[Inklings, OptionsT], Answer],
    *,
    require_account: bool = True,
    begins_root: bool = True,
) -> None:
    """Add a command that works on an opened data root; the body's docstring is its help.

    Without ``begins_root`` it refuses a data root that is not there, which others begin.
    """

    def on_opened(program: Program, options: OptionsT) -> Answer:
        if not begins_root:
            require_root(options)
        opened = program.open_inklings(
            options.data_dir, workspace=options.workspace, require_account=require_account
        )
        with opened as inklings:
            answer = read_on(lambda: body(inklings, options))
        return replace(answer, notes=[*settings_notes(inklings.preferences), *answer.notes])

    on_opened.__doc__ = body.__doc__
    program_command(group, name, options_type, on_opened)


def require_root(options: CommonOptions) -> None:
    """Return only if the data root is there.

    Raises:
        CommandFailedError: It is not, as when its name was mistyped; nothing is made.
    """
    if (reason := unusable(str(options.data_dir or default_data_dir()))) is not None:
        raise unavailable("no_data", reason)


def program_command(
    group: typer.Typer,
    name: str,
    options_type: type[OptionsT],
    body: Callable[[Program, OptionsT], Answer],
) -> None:
    """Add a command that opens what it needs itself; the body's docstring is its help."""

    def call(ctx: typer.Context, **values: Any) -> int:
        invocation: Invocation = ctx.obj
        options = _with_common(options_type(**values), invocation.common)
        _require_unicode(values)
        answer = body(invocation.program, options)
        write_answer(answer, as_json=options.as_json)
        return answer.status

    _dress(call, options_type)
    group.command(name, help=body.__doc__)(call)


class _TellsProblems(Protocol):
    """The settings of a data root."""

    def problems(self) -> Sequence[Problem]:
        """What in their file cannot be used."""


def settings_notes(settings: _TellsProblems) -> list[str]:
    """Say which settings could not be used; they are never replaced in silence."""
    notes = []
    for problem in settings.problems():
        place = f"{SETTINGS_FILE} line {problem.line}" if problem.line else SETTINGS_FILE
        if problem.key == SETTINGS_FILE:
            notes.append(f"{place} cannot be read; every default is in force.")
        elif isinstance(SETTINGS.get(problem.key), Rows):
            notes.append(f"{place}, {problem.key}: an entry cannot be used, and is left out.")
        else:
            told = "this setting cannot be used; its default is in force."
            notes.append(f"{place}, {visible(problem.key)}: {told}")
    return notes


def _dress(call: Any, options_type: type[CommonOptions]) -> None:
    """Give the function the parameters that the fields of the options describe."""
    hints = get_type_hints(options_type, include_extras=True)
    common = {one.name for one in fields(CommonOptions)}
    parameters = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=Annotated[hints[one.name], one.metadata[TOLD]]
            if TOLD in one.metadata
            else hints[one.name],
        )
        for one in sorted(fields(options_type), key=lambda one: one.name in common)
    ]
    context = inspect.Parameter(
        "ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    call.__signature__ = inspect.Signature([context, *parameters])
    call.__annotations__ = {one.name: one.annotation for one in (context, *parameters)}


def _with_common(options: OptionsT, given: CommonOptions) -> OptionsT:
    """The command's own options, completed by those before its name."""
    return replace(
        options,
        data_dir=options.data_dir or given.data_dir,
        workspace=options.workspace or given.workspace,
        as_json=options.as_json or given.as_json,
    )


def _require_unicode(values: dict[str, Any]) -> None:
    """Refuse arguments with bytes that are no text; folders may have any name."""
    for value in values.values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not _is_unicode(text):
                raise wrong_usage("An argument is not valid UTF-8 text. Nothing was changed.")


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
