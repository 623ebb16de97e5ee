"""The options that every command takes, and those that stand alone.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from pathlib import Path
from typing import Annotated

import typer

from inklings_desktop.data_root import named_folder
from inklings_desktop.domain.plain_data import dataclass


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

    name: Annotated[str, typer.Argument(metavar="NAME")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameOptions(CommonOptions):
    """Another name for something."""

    key: Annotated[str, typer.Argument(metavar="NAME|ID", help="As it is called now.")]
    name: Annotated[str, typer.Argument(metavar="NEW_NAME")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOptions(CommonOptions):
    """How the window opens."""

    link: Annotated[
        str, typer.Argument(metavar="LINK", help="Where to go: inklings://memory/ and an id.")
    ] = ""

    demo: Annotated[bool, typer.Option("--demo", help="On the sample world.")] = False
    tour: Annotated[
        Path | None,
        typer.Option(
            "--tour",
            metavar="DIR",
            parser=_folder,
            help="Render every page into DIR as PNG files, then end.",
        ),
    ] = None
    smoke_test: Annotated[
        bool, typer.Option("--smoke-test", help="Try everything once on a temporary store.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrateOptions(CommonOptions):
    """Whether the menu entry comes or goes."""

    remove: Annotated[bool, typer.Option("--remove", help="Take the menu entry away again.")] = (
        False
    )
