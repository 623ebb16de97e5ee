"""The table of formats that come in, how each is known by what stands in it, and its reader.

Looked through from the top: the first that knows a file reads it. ``docs/importing.md`` says the
same for people.
"""

from __future__ import annotations

import re
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.foreign.chat_list import is_chat_list, read_chat_list
from inklings_desktop.domain.transfer.foreign.csv_rows import has_header, read_csv
from inklings_desktop.domain.transfer.foreign.found import Found
from inklings_desktop.domain.transfer.foreign.gathered import (
    claude_texts,
    is_chat_json,
    is_claude,
    is_graph,
    is_graph_line,
    is_lines,
    is_mem0,
    is_memories,
    json_lines,
    read_chat_json,
    read_graph,
    read_mem0,
    read_memories,
)
from inklings_desktop.domain.transfer.foreign.lorebooks import (
    is_novel,
    is_tavern,
    read_novel,
    read_tavern,
)
from inklings_desktop.domain.transfer.foreign.notes import (
    Grain,
    blocks_of,
    read_markdown,
    read_text,
    take_blocks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from inklings_desktop.domain.transfer.foreign.found import Finds
    from inklings_desktop.domain.transfer.foreign.source import SourceFile

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".nwd"})
TEXT_SUFFIXES = frozenset({".txt", ".text", ""})
_TABLE_SUFFIXES = frozenset({".csv", ".tsv"})
_JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".lorebook"})
FOLDER_SUFFIXES = (
    MARKDOWN_SUFFIXES | TEXT_SUFFIXES | _TABLE_SUFFIXES | _JSON_SUFFIXES | {".docx"}
) - {""}
"""What is read out of a folder or an archive."""
_BOLD_LINE = re.compile(r"^\*\*([^*]{1,64}?):?\*\*:?$")
_OTHERS = {
    ".rtf": "Rich Text",
    ".doc": "Word (older than .docx)",
    ".odt": "OpenDocument",
    ".pages": "Pages",
    ".pdf": "PDF",
    ".epub": "EPUB",
    ".html": "HTML",
    ".htm": "HTML",
    ".org": "Org",
    ".rst": "reStructuredText",
    ".tex": "LaTeX",
    ".fountain": "Fountain",
    ".yaml": "YAML",
    ".yml": "YAML",
    ".toml": "TOML",
    ".xml": "XML",
    ".opml": "OPML",
    ".enex": "Evernote",
    ".xlsx": "Excel",
    ".xls": "Excel",
    ".ods": "OpenDocument",
    ".scriv": "Scrivener",
    ".scrivx": "Scrivener",
    ".msk": "Manuskript",
    ".nwx": "novelWriter (choose the folder of the project)",
    ".canvas": "Obsidian Canvas",
    ".scenario": "NovelAI (a scenario)",
    ".story": "NovelAI (a story)",
    ".charx": "RisuAI",
    ".risum": "RisuAI",
    ".png": "a picture (of a character card, export the card as JSON)",
}
"""Programs and kinds of files that are known and not read, by the ending of the name."""
_BEGINS = {
    b"{\\rtf": ".rtf",
    b"%pdf": ".pdf",
    b"<!doctype html": ".html",
    b"<html": ".html",
    b"<?xml": ".xml",
    b"\x89png": ".png",
}
_PACKED = {
    "mimetype": "EPUB or OpenDocument",
    "xl/workbook.xml": "Excel",
    "ppt/presentation.xml": "PowerPoint",
    "card.json": "RisuAI",
}


class FormatId(StrEnum):
    """What a file can be."""

    INKLINGS = "inklings"
    MARKDOWN = "markdown"
    TEXT = "text"
    CSV = "csv"
    MCP_MEMORY = "mcp-memory"
    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    SILLYTAVERN = "sillytavern"
    NOVELAI = "novelai"
    JSON = "json"
    DOCX = "docx"


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a person wants files to be read.

    Attributes:
        format: What they are; None looks at each.
        by: How much of a note is one memory.
        encoding: Of their texts; empty finds out.
        columns: What some columns of a table are, by their headings.
    """

    format: FormatId | None = None
    by: Grain = Grain.PARAGRAPH
    encoding: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        id: Its name on the command line and in answers.
        source: Whom a memory of it comes from when nobody says; empty takes the file's name.
        knows: Whether a file is of it.
        read: Takes what stands in a file.
    """

    id: FormatId
    source: str
    knows: Callable[[SourceFile], bool]
    read: Callable[[SourceFile, Finds, Wishes], None]


def _is_graph(source: SourceFile) -> bool:
    value = source.value_or_none()
    if is_graph(value) or is_graph_line(value):
        return True
    return value is None and is_lines(source) and is_graph_line(json_lines(source)[0][1])


def _is_memories(source: SourceFile) -> bool:
    value = source.value_or_none()
    if value is not None:
        return is_memories(value)
    return is_lines(source) and any(is_memories(one) for _line, one in json_lines(source))


def _is_chat(source: SourceFile) -> bool:
    is_note = source.suffix in MARKDOWN_SUFFIXES | TEXT_SUFFIXES
    return is_chat_json(source.value_or_none()) or (is_note and is_chat_list(source))


def _read_chat(source: SourceFile, finds: Finds, _wishes: Wishes) -> None:
    if is_chat_json(source.value_or_none()):
        read_chat_json(source, finds)
    else:
        read_chat_list(source, finds)


def _is_table(source: SourceFile) -> bool:
    is_note = source.suffix in MARKDOWN_SUFFIXES
    return source.suffix in _TABLE_SUFFIXES or (not is_note and has_header(source))


def _is_markdown(source: SourceFile) -> bool:
    if source.suffix in TEXT_SUFFIXES:
        first = source.text.lstrip("\ufeff").split("\n", 50)[:50]
        begins = first[0].strip() in {"---", "+++"} or first[0].startswith(("title:", "%%~"))
        return begins or any(one.startswith(("# ", "## ")) for one in first)
    return source.suffix in MARKDOWN_SUFFIXES


def _read_claude(source: SourceFile, finds: Finds, wishes: Wishes) -> None:
    for project, text in claude_texts(source, finds):
        lines = [_BOLD_LINE.sub(r"## \1", one) for one in text.split("\n")]
        front = Found("", file=source.name, tags=(project,) if project else (), is_own=False)
        title = project or "Claude"
        take_blocks(list(blocks_of(lines)), source, finds, wishes.by, front, title)


FORMATS = (
    Format(
        FormatId.NOVELAI,
        "NovelAI",
        lambda source: is_novel(source.value_or_none()),
        lambda source, finds, _wishes: read_novel(source, finds),
    ),
    Format(
        FormatId.SILLYTAVERN,
        "SillyTavern",
        lambda source: is_tavern(source.value_or_none()),
        lambda source, finds, _wishes: read_tavern(source, finds),
    ),
    Format(
        FormatId.MCP_MEMORY,
        "MCP memory",
        _is_graph,
        lambda source, finds, _wishes: read_graph(source, finds),
    ),
    Format(
        FormatId.MEM0,
        "mem0",
        lambda source: is_mem0(source.value_or_none()),
        lambda source, finds, _wishes: read_mem0(source, finds),
    ),
    Format(FormatId.CHATGPT, "ChatGPT", _is_chat, _read_chat),
    Format(
        FormatId.CLAUDE, "Claude", lambda source: is_claude(source.value_or_none()), _read_claude
    ),
    Format(
        FormatId.JSON,
        "",
        _is_memories,
        lambda source, finds, _wishes: read_memories(source, finds),
    ),
    Format(
        FormatId.CSV,
        "",
        _is_table,
        lambda source, finds, wishes: read_csv(source, finds, wishes.columns),
    ),
    Format(
        FormatId.MARKDOWN,
        "",
        _is_markdown,
        lambda source, finds, wishes: read_markdown(source, finds, wishes.by),
    ),
    Format(
        FormatId.TEXT,
        "",
        lambda source: source.suffix in TEXT_SUFFIXES,
        lambda source, finds, wishes: read_text(source, finds, wishes.by),
    ),
)


def format_of(source: SourceFile) -> Format:
    """What a file is.

    Raises:
        ImportRefusedError: None that is known, or JSON that is not sound.
    """
    known = _sniffed(source.text.encode("utf-8", "replace")) or _other_json(source)
    if known:
        raise ImportRefusedError("other_program", known)
    for one in FORMATS:
        if one.knows(source):
            return one
    if source.begins_like_json and source.suffix in _JSON_SUFFIXES:
        source.value()
    raise refusal_of(source.name)


def refusal_of(name: str, data: bytes = b"", members: Collection[str] = ()) -> ImportRefusedError:
    """Why a file that no reader knows is refused: the program it is of, where that is known.

    Args:
        name: Of the file.
        data: Its bytes.
        members: The files in it, where it is an archive.
    """
    kind = next((one for part, one in _PACKED.items() if part in members), "") or _sniffed(data)
    kind = kind or _OTHERS.get(f".{name.rpartition('.')[2].casefold()}", "")
    return ImportRefusedError("other_program", kind) if kind else ImportRefusedError("unknown")


def _sniffed(data: bytes) -> str:
    """What kind of file begins like this, of those that are known and not read."""
    begins = data[:200].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    found = (one for sign, one in _BEGINS.items() if begins.startswith(sign))
    return _OTHERS.get(next(found, ""), "")


def _other_json(source: SourceFile) -> str:
    """The program whose JSON is known and not read; empty for any other."""
    value = source.value_or_none()
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        return ""
    if first.get("kind") in {"memory", "character"} and ("entries" in first or "persona" in first):
        return "Agnai"
    if first.get("type") == "risu" or "risuai" in str(first.get("spec", "")):
        return "RisuAI"
    if "scenarioVersion" in first or "storyContainerVersion" in first:
        return "NovelAI (a scenario or story)"
    if "mapping" in first or "chat_messages" in first:
        return "a chat (conversations of ChatGPT or Claude)"
    return ""


def named_format(id_: FormatId) -> Format:
    """The format of this name, which is neither our own nor packed."""
    return next(one for one in FORMATS if one.id is id_)
