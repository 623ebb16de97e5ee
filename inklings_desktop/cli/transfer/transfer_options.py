"""The options of ``inklings export`` and ``inklings import``.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from pathlib import Path
from typing import Annotated

import typer

from inklings_desktop.cli.options import ChannelKey, ConversationKey, LongOptions
from inklings_desktop.data_root import named_folder
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.foreign.formats import FormatId
from inklings_desktop.domain.transfer.foreign.notes import Grain
from inklings_desktop.domain.transfer.import_plan import Decision


def _file(text: str) -> Path:
    """The file named; a script's empty variable names none."""
    if not text:
        raise typer.BadParameter("the file has no name")
    return named_folder(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions(LongOptions):
    """What goes into a file."""

    file: Annotated[
        Path, typer.Argument(metavar="FILE", parser=_file, help="Where to; never overwritten.")
    ]
    tier: Annotated[
        Tier | None, typer.Option("--tier", help="One tier alone.", show_default=False)
    ] = None
    channel: ChannelKey = None
    conversation: ConversationKey = None
    everything: Annotated[bool, typer.Option("--all", help="The account and every workspace.")] = (
        False
    )
    no_vectors: Annotated[
        bool, typer.Option("--no-vectors", help="Leave vectors out; they are computed again.")
    ] = False
    no_history: Annotated[bool, typer.Option("--no-history", help="Leave earlier states out.")] = (
        False
    )
    no_forgotten: Annotated[
        bool, typer.Option("--no-forgotten", help="Leave forgotten memories out.")
    ] = False
    no_conversations: Annotated[
        bool, typer.Option("--no-conversations", help="Leave out what was said in conversations.")
    ] = False
    markdown: Annotated[
        bool,
        typer.Option("--markdown", help="Write Markdown to read instead; it is not for importing."),
    ] = False
    force: Annotated[bool, typer.Option("--force", help="Replace a file of that name.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions(LongOptions):
    """What comes in from a file."""

    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            parser=_file,
            help="An export of Inklings, or notes and memories of other programs; a folder or zip "
            "stands for the files in it.",
            show_default=False,
        ),
    ] = None
    read_as: Annotated[
        FormatId | None,
        typer.Option(
            "--format",
            help="What the files are; found out by looking if not given.",
            show_default=False,
        ),
    ] = None
    by: Annotated[
        Grain,
        typer.Option("--by", help="How much of a note is one memory."),
    ] = Grain.PARAGRAPH
    encoding: Annotated[
        str,
        typer.Option(
            "--encoding",
            help="Of the text, for example cp1251; found out if not given.",
            show_default=False,
        ),
    ] = ""
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="WHAT=HEADING",
            help="What a column of a table is: text, title, tags, date, importance, lifetime or "
            "source.",
            show_default=False,
        ),
    ] = None
    tier: Annotated[
        Tier | None,
        typer.Option(
            "--tier",
            help="Where memories go whose file names no place: workspace, channel or account.",
            show_default=False,
        ),
    ] = None
    channel: ChannelKey = None
    preview: Annotated[
        bool, typer.Option("--preview", help="Say what would happen, and change nothing.")
    ] = False
    on_conflict: Annotated[
        Decision,
        typer.Option(
            "--on-conflict",
            help="Where the file differs from yours: keep yours, take the file's, or have both.",
        ),
    ] = Decision.KEEP
    named_entries: Annotated[
        bool,
        typer.Option(
            "--named-entries", help="Named entries too; yours stay as a revision of each."
        ),
    ] = False
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="NAME|ID",
            help="Put the file's one workspace, or memories of another program, into this one.",
            show_default=False,
        ),
    ] = None
    withdraw: Annotated[
        str | None,
        typer.Option("--withdraw", metavar="RUN", help="Undo an import.", show_default=False),
    ] = None
