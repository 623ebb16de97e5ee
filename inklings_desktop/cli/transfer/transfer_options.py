"""The options of ``inklings export`` and ``inklings import``.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from pathlib import Path

import typer

from inklings_desktop.cli.options import (
    ChannelKey,
    ConversationKey,
    LongOptions,
    argument,
    flag,
    option,
)
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

    file: Path = argument("FILE", "Where to; never overwritten.", parser=_file)
    tier: Tier | None = option("--tier", "One tier alone.")
    channel: ChannelKey = None
    conversation: ConversationKey = None
    everything: bool = flag("--all", "The account and every workspace.")
    no_vectors: bool = flag("--no-vectors", "Leave vectors out; they are computed again.")
    no_history: bool = flag("--no-history", "Leave earlier states out.")
    no_forgotten: bool = flag("--no-forgotten", "Leave forgotten memories out.")
    no_conversations: bool = flag("--no-conversations", "Leave out what was said in conversations.")
    markdown: bool = flag("--markdown", "Write Markdown to read instead; it is not for importing.")
    force: bool = flag("--force", "Replace a file of that name.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions(LongOptions):
    """What comes in from a file."""

    files: list[Path] | None = argument(
        "[FILE]...",
        "An export of Inklings, or notes and memories of other programs; a folder or zip "
        "stands for the files in it.",
        default=None,
        parser=_file,
    )
    read_as: FormatId | None = option(
        "--format", "What the files are; found out by looking if not given."
    )
    by: Grain = option("--by", "How much of a note is one memory.", Grain.PARAGRAPH)
    encoding: str = option(
        "--encoding", "Of the text, for example cp1251; found out if not given.", ""
    )
    column: list[str] | None = option(
        "--column",
        "What a column of a table is: text, title, tags, date, importance, lifetime or source.",
        metavar="WHAT=HEADING",
    )
    tier: Tier | None = option(
        "--tier", "Where memories go whose file names no place: workspace, channel or account."
    )
    channel: ChannelKey = None
    preview: bool = flag("--preview", "Say what would happen, and change nothing.")
    on_conflict: Decision = option(
        "--on-conflict",
        "Where the file differs from yours: keep yours, take the file's, or have both.",
        Decision.KEEP,
    )
    named_entries: bool = flag(
        "--named-entries", "Named entries too; yours stay as a revision of each."
    )
    into: str | None = option(
        "--into",
        "Put the file's one workspace, or memories of another program, into this one.",
        metavar="NAME|ID",
    )
    withdraw: str | None = option("--withdraw", "Undo an import.", metavar="RUN")
