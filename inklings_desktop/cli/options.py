"""How an option of a command is said, and the options that every command takes.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from collections.abc import Callable
from dataclasses import MISSING, field
from pathlib import Path
from typing import Annotated, Any

import typer

from inklings_desktop.data_root import named_folder
from inklings_desktop.domain.plain_data import dataclass

TOLD = "told"
"""Where a field of options keeps what the command line says of it."""
REQUIRED: Any = MISSING


def option(
    name: str,
    about: str,
    default: Any = None,
    *,
    metavar: str | None = None,
    parser: Callable[[str], Any] | None = None,
) -> Any:
    """A field of options that is given by its name."""
    told = typer.Option(name, help=about, metavar=metavar, parser=parser)
    return field(default=default, metadata={TOLD: told})


def flag(name: str, about: str) -> Any:
    """A field of options that is true where its name is given."""
    return option(name, about, default=False)


def argument(
    metavar: str,
    about: str | None = None,
    *,
    default: Any = REQUIRED,
    parser: Callable[[str], Any] | None = None,
) -> Any:
    """A field of options that is given by its place."""
    told = typer.Argument(metavar=metavar, help=about, parser=parser)
    return field(default=default, metadata={TOLD: told})


def _folder(text: str) -> Path:
    """The folder named; a script's empty variable is not the folder it happens to run in."""
    if not text:
        raise typer.BadParameter("the folder has no name")
    return named_folder(text)


DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="DIR",
        parser=_folder,
        help="Data root; else $INKLINGS_DATA_DIR, else the folder of this user.",
        show_default=False,
    ),
]
WorkspaceKey = Annotated[
    str | None,
    typer.Option(
        "--workspace",
        metavar="NAME|ID",
        help="Workspace; may be left out while there is only one.",
        show_default=False,
    ),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", help="One JSON document on stdout, diagnostics on stderr."),
]
ChannelKey = Annotated[
    str | None,
    typer.Option("--channel", metavar="NAME|ID", help="Channel.", show_default=False),
]
ConversationKey = Annotated[
    str | None,
    typer.Option("--conversation", metavar="ID|REF", help="Conversation.", show_default=False),
]
Archived = Annotated[bool, typer.Option("--archived", help="Archived ones as well.")]
ShowProgress = Annotated[
    bool,
    typer.Option(
        "--progress", help="Say every step on stderr; with --json as one JSON document per line."
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOptions:
    """Taken by every command."""

    data_dir: DataDir = None
    workspace: WorkspaceKey = None
    as_json: AsJson = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LongOptions(CommonOptions):
    """Taken by every command whose work may take a while."""

    progress: ShowProgress = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameOptions(CommonOptions):
    """Something new with a name."""

    name: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameOptions(CommonOptions):
    """Another name for something."""

    key: str = argument("NAME|ID", "As it is called now.")
    name: str = argument("NEW_NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOptions(CommonOptions):
    """How the window opens."""

    link: str = argument("LINK", "Where to go: inklings://memory/ and an id.", default="")

    demo: bool = flag("--demo", "On the sample world.")
    tour: Path | None = option(
        "--tour",
        "Render every page into DIR as PNG files, then end.",
        metavar="DIR",
        parser=_folder,
    )
    smoke_test: bool = flag("--smoke-test", "Try everything once on a temporary store.")


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrateOptions(CommonOptions):
    """Whether the menu entry comes or goes."""

    remove: bool = flag("--remove", "Take the menu entry away again.")
