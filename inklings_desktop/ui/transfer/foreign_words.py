"""Files that are no exports of ours, in words: what they are, how they are read, what stays out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.transfer.foreign.formats import FormatId
from inklings_desktop.domain.transfer.foreign.found import LeftOut
from inklings_desktop.domain.transfer.foreign.notes import Grain
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.transfer.import_state import ImportState, ImportTo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.foreign.formats import Wishes
    from inklings_desktop.domain.transfer.import_plan import ImportPreview, ImportRow

    WishChoice = tuple[str, Wishes, bool]
    """What it is called, what it asks for, and whether that is asked for now."""


_TOLD, _TOLD_CHARACTERS = 20, 80
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
    told = list(dict.fromkeys(rule() for one, rule in _RULES.items() if one in kinds))
    if kinds & NOTES:
        told.insert(0, _GRAINS[state.wishes.by]())
    left = [_LEFT_OUT[LeftOut(name)](n) for name, n in foreign.left_out.items()]
    if left:
        told.append(tr("Left out: {what}.").format(what=", ".join(left)))
    if document.unknown:
        more = ["\u2026"] if len(document.unknown) > _NAMED else []
        names = spelled_out(", ".join([*document.unknown[:_NAMED], *more]))
        told.append(tr("Not imported: {names}.").format(names=names))
    if foreign.is_guessed:
        names = ", ".join(foreign.encodings)
        told.append(tr("Not UTF-8; read as {encoding}.").format(encoding=names))
    n_secrets = sum(row.is_secret for row in state.file.by_status[None])
    if n_secrets:
        told.append(
            counted(
                n_secrets,
                "1 row looks like a key or password.",
                "{n} rows look like keys or passwords.",
            )
        )
    return " ".join(told)


def left_sentences(state: ImportState) -> str:
    """Each thing that is left out, with its place and how it begins; empty for none."""
    foreign = state.preview.document.foreign
    lines = []
    for one in () if foreign is None else foreign.left[:_TOLD]:
        where = ", ".join(filter(None, (one.file, _line(one.line) if one.line else "")))
        text = " ".join(one.text[:_TOLD_CHARACTERS].split())
        lines.append(spelled_out(": ".join(filter(None, (where, text)))))
    if foreign is not None and len(foreign.left) > _TOLD:
        lines.append("\u2026")
    return "\n".join(lines)


def _line(number: int) -> str:
    return tr("Line {line}").format(line=grouped(number))


def wishes_of(state: ImportState) -> tuple[tuple[str, tuple[WishChoice, ...]], ...]:
    """How the files can be read: groups of choices under their names; none for an export."""
    foreign, now = state.preview.document.foreign, state.wishes
    if foreign is None:
        return ()
    groups = []
    if {FormatId(one) for one in foreign.formats} & NOTES:
        grains = tuple((name(), replace(now, by=by), now.by is by) for by, name in _BY.items())
        groups.append((tr("One memory for each"), grains))
    if foreign.columns:
        chosen = next((name for name, role in now.columns.items() if role == "content"), "")
        named = (("", tr("Found automatically")), *((one, one) for one in foreign.columns))
        columns = tuple(
            (
                spelled_out(label),
                replace(now, columns={one: "content"} if one else {}),
                chosen == one,
            )
            for one, label in named
        )
        groups.append((tr("Text column"), columns))
    encodings = (("", tr("Found automatically")), *((one, label) for one, label in _ENCODINGS))
    groups.append(
        (
            tr("Encoding"),
            tuple(
                (label, replace(now, encoding=one), now.encoding == one) for one, label in encodings
            ),
        )
    )
    return tuple(groups)


def where_in_files(row: ImportRow) -> str:
    """The line of a row, and its file where there are several; empty where neither is known."""
    if row.origin is None:
        return ""
    file, line = spelled_out(row.origin.file), row.origin.line
    if not line:
        return file
    if not file:
        return _line(line)
    return tr("{file}, line {line}").format(file=file, line=grouped(line))


_BY: Mapping[Grain, Callable[[], str]] = {
    Grain.PARAGRAPH: lambda: tr("Paragraph"),
    Grain.SECTION: lambda: tr("Section"),
    Grain.FILE: lambda: tr("File"),
}
_ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("cp1252", "Windows-1252"),
    ("cp1250", "Windows-1250"),
    ("cp1251", "Windows-1251"),
    ("koi8-r", "KOI8-R"),
    ("mac-roman", "Mac Roman"),
    ("utf-16-le", "UTF-16"),
    ("shift_jis", "Shift JIS"),
    ("gb18030", "GB 18030"),
    ("big5", "Big5"),
    ("euc-kr", "EUC-KR"),
)
_FORMATS = {
    FormatId.MARKDOWN: lambda: tr("Markdown"),
    FormatId.TEXT: lambda: tr("plain text"),
    FormatId.CSV: lambda: tr("table"),
    FormatId.MCP_MEMORY: lambda: tr("MCP memory"),
    FormatId.MEM0: lambda: tr("mem0"),
    FormatId.CHATGPT: lambda: tr("ChatGPT memories"),
    FormatId.CLAUDE: lambda: tr("Claude memories"),
    FormatId.DOCX: lambda: tr("Word document"),
    FormatId.SILLYTAVERN: lambda: tr("SillyTavern lorebook"),
    FormatId.NOVELAI: lambda: tr("NovelAI lorebook"),
    FormatId.JSON: lambda: tr("JSON"),
}
NOTES = frozenset({FormatId.MARKDOWN, FormatId.TEXT, FormatId.DOCX, FormatId.CLAUDE})
"""What is read by paragraph, section or file."""
_GRAINS: Mapping[Grain, Callable[[], str]] = {
    Grain.PARAGRAPH: lambda: tr("Each paragraph and list item is one memory."),
    Grain.SECTION: lambda: tr("Each section is one memory."),
    Grain.FILE: lambda: tr("Each file is one memory."),
}
_RULES: Mapping[FormatId, Callable[[], str]] = {
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
    LeftOut.REPEATED: lambda n: counted(n, "1 duplicate", "{n} duplicates"),
    LeftOut.EMPTY: lambda n: counted(n, "1 without a text", "{n} without a text"),
    LeftOut.HEADING: lambda n: counted(
        n, "1 heading with nothing under it", "{n} headings with nothing under them"
    ),
    LeftOut.KEYWORD: lambda n: counted(
        n, "1 keyword that cannot be a tag", "{n} keywords that cannot be tags"
    ),
    LeftOut.PICTURE: lambda n: counted(n, "1 picture", "{n} pictures"),
    LeftOut.EMBED: lambda n: counted(n, "1 note shown in another", "{n} notes shown in others"),
    LeftOut.COMMENT: lambda n: counted(n, "1 comment", "{n} comments"),
    LeftOut.DRAWING: lambda n: counted(n, "the data of 1 drawing", "the data of {n} drawings"),
    LeftOut.TEMPLATE: lambda n: counted(n, "1 template", "{n} templates"),
    LeftOut.STRAY: lambda n: counted(n, "1 byte that is not UTF-8", "{n} bytes that are not UTF-8"),
    LeftOut.OTHER_FILE: lambda n: counted(
        n,
        "1 file that is empty or unknown",
        "{n} files that are empty or unknown",
    ),
}
