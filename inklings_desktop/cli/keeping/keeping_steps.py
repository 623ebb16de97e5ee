"""What the commands of backups and of the check share: how they open, whom they name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.cli.command import program_command, settings_notes
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import one_line
from inklings_desktop.cli.scopes import names_apart
from inklings_desktop.usecases.steps.reading_on import read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import typer

    from inklings_desktop.cli.program import Answer, Program
    from inklings_desktop.usecases.bundle import Inklings

OptionsT = TypeVar("OptionsT", bound=CommonOptions)

ACCOUNT = "the account"
STEPS = {
    "copy": "Copying",
    "verify": "Verifying",
    "keep": "Keeping the present state",
    "restore": "Bringing it back",
    "files": "Checking databases",
    "backups": "Checking backups",
    "done": "Done",
}


def opened_command(
    group: typer.Typer,
    name: str,
    options_type: type[OptionsT],
    body: Callable[[Inklings, OptionsT], Answer],
) -> None:
    """Add a command that works on a data root whose account file is damaged as well."""

    def on_opened(program: Program, options: OptionsT) -> Answer:
        with program.open_inklings(
            options.data_dir, workspace=None, require_account=False
        ) as inklings:
            answer = read_on(lambda: body(inklings, options))
            return replace(answer, notes=[*settings_notes(inklings.preferences), *answer.notes])

    on_opened.__doc__ = body.__doc__
    program_command(group, name, options_type, on_opened)


def names_of(inklings: Inklings) -> Mapping[str, str]:
    """Names of the workspaces by their id."""
    every = inklings.places.workspaces()
    apart = zip(every, names_apart(every), strict=True)
    return {one.id: one.name if told == one.name else f"{one.name} ({told})" for one, told in apart}


def owner_of(workspace_id: str | None, names: Mapping[str, str]) -> str:
    """Whose a file is, in words."""
    return ACCOUNT if workspace_id is None else one_line(names.get(workspace_id, workspace_id))
