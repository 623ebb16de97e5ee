"""Files that are no exports of ours, in words: what they are, how they are read, what stays out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.transfer.foreign.formats import FormatId
from inklings_desktop.domain.transfer.foreign.found import LeftOut
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.transfer.import_state import ImportState, ImportTo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.import_plan import ImportPreview, ImportRow


_NAMED = 12
"""How many fields without a place are named; the command line names them all."""


def files_named(paths: tuple[Path, ...]) -> str:
    """The one file or folder by its name, else how many there are."""
    if len(paths) == 1:
        return paths[0].name
    return counted(len(paths), "1 file", "{n} files")


def read_files(name: str, n_files: int) -> str:
    """What was read: a file by its name, a folder with how many files of it, else how many."""
    files = counted(n_files, "1 file", "{n} files")
    if not name:
        return files
    return name if n_files == 1 else f"{name} ({files})"


def targets_of(
    preview: ImportPreview,
    here: Workspace,
    workspaces: Sequence[Workspace],
    channels: Sequence[Channel],
) -> tuple[ImportTo, ...]:
    """Where the files can go; empty where they say so themselves.

    Args:
        preview: What importing them would do.
        here: The open workspace.
        workspaces: All of them.
        channels: Those of the open one.
    """
    if preview.document.foreign is None:
        named = [one for one in preview.document.sections if one.workspace is not None]
        if len(named) != 1:
            return ()
        into = tr("Into {workspace}").format(workspace=here.name)
        return (ImportTo(tr("The tiers named in the file")), ImportTo(into, into=here.id))
    others = [one for one in workspaces if one.id != here.id]
    return (
        ImportTo(here.name, place=ScopeKey.workspace(here.id)),
        *(ImportTo(f"#{one.name}", place=ScopeKey.channel(here.id, one.id)) for one in channels),
        ImportTo(tier_title(Tier.ACCOUNT), place=ScopeKey.account()),
        *(ImportTo(one.name, place=ScopeKey.workspace(one.id)) for one in others),
    )


def format_name(format_id: str) -> str:
    """What a format is called."""
    return _FORMATS[FormatId(format_id)]()


def how_sentences(state: ImportState) -> str:
    """How foreign files were read, and what of them does not come in; empty for an export."""
    document = state.preview.document
    foreign = document.foreign
    if foreign is None:
        return ""
    kinds = {FormatId(one) for one in foreign.formats}
    if FormatId.MARKDOWN in kinds:
        kinds.discard(FormatId.TEXT)  # the rule is the same where there are no headings
    told = list(dict.fromkeys(rule() for one, rule in _RULES.items() if one in kinds))
    left = [_LEFT_OUT[LeftOut(name)](n) for name, n in foreign.left_out.items()]
    if left:
        told.append(tr("Left out: {what}.").format(what=", ".join(left)))
    if document.unknown:
        more = ["\u2026"] if len(document.unknown) > _NAMED else []
        names = spelled_out(", ".join([*document.unknown[:_NAMED], *more]))
        told.append(tr("No place here for: {names}.").format(names=names))
    if foreign.is_guessed:
        told.append(tr("A file is not UTF-8 and was read as Windows-1252: look at its accents."))
    return " ".join(told)


def where_in_files(row: ImportRow) -> str:
    """The line of a row, and its file where there are several; empty where neither is known."""
    if row.origin is None:
        return ""
    file, line = spelled_out(row.origin.file), row.origin.line
    if not line:
        return file
    if not file:
        return tr("Line {line}").format(line=grouped(line))
    return tr("{file}, line {line}").format(file=file, line=grouped(line))


_FORMATS = {
    FormatId.MARKDOWN: lambda: tr("Markdown"),
    FormatId.TEXT: lambda: tr("plain text"),
    FormatId.CSV: lambda: tr("table"),
    FormatId.MCP_MEMORY: lambda: tr("MCP memory"),
    FormatId.MEM0: lambda: tr("mem0"),
    FormatId.CHATGPT: lambda: tr("ChatGPT memories"),
    FormatId.SILLYTAVERN: lambda: tr("SillyTavern lorebook"),
    FormatId.NOVELAI: lambda: tr("NovelAI lorebook"),
    FormatId.JSON: lambda: tr("JSON"),
}
_RULES: Mapping[FormatId, Callable[[], str]] = {
    FormatId.MARKDOWN: lambda: tr(
        "Each paragraph and each list item is one memory; the headings above it become its tags."
    ),
    FormatId.TEXT: lambda: tr(
        "Each paragraph and each list item is one memory; each line where none is blank."
    ),
    FormatId.CSV: lambda: tr("Each row is one memory."),
    FormatId.MCP_MEMORY: lambda: tr("Each observation and each relation is one memory."),
    FormatId.SILLYTAVERN: lambda: tr(
        "Each entry is one memory; title and keys become tags, and what is switched off is paused."
    ),
    FormatId.NOVELAI: lambda: tr(
        "Each entry is one memory; title and keys become tags, and what is switched off is paused."
    ),
}
_LEFT_OUT: Mapping[LeftOut, Callable[[int], str]] = {
    LeftOut.REPEATED: lambda n: counted(
        n, "1 that says the same as another", "{n} that say the same as another"
    ),
    LeftOut.EMPTY: lambda n: counted(n, "1 without a text", "{n} without a text"),
    LeftOut.HEADING: lambda n: counted(
        n, "1 heading with nothing under it", "{n} headings with nothing under them"
    ),
    LeftOut.KEYWORD: lambda n: counted(
        n, "1 keyword that cannot be a tag", "{n} keywords that cannot be tags"
    ),
    LeftOut.PICTURE: lambda n: counted(n, "1 picture", "{n} pictures"),
    LeftOut.OTHER_FILE: lambda n: counted(
        n,
        "1 file that is empty, or neither Markdown nor text",
        "{n} files that are empty, or neither Markdown nor text",
    ),
}
