"""The table of formats that come in, how each is known by what stands in it, and its reader.

Looked through from the top: the first that knows a file reads it. ``docs/importing.md`` says the
same for people.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.foreign.chat_list import is_chat_list, read_chat_list
from inklings_desktop.domain.transfer.foreign.csv_rows import has_header, read_csv
from inklings_desktop.domain.transfer.foreign.gathered import (
    is_chat_json,
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
from inklings_desktop.domain.transfer.foreign.notes import read_markdown, read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.transfer.foreign.found import Finds
    from inklings_desktop.domain.transfer.foreign.source import SourceFile

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
TEXT_SUFFIXES = frozenset({".txt", ".text", ""})
NOTE_SUFFIXES = MARKDOWN_SUFFIXES | TEXT_SUFFIXES - {""}
"""What is read out of a folder."""
_TABLE_SUFFIXES = frozenset({".csv", ".tsv"})
_JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".lorebook"})


class FormatId(StrEnum):
    """What a file can be."""

    INKLINGS = "inklings"
    MARKDOWN = "markdown"
    TEXT = "text"
    CSV = "csv"
    MCP_MEMORY = "mcp-memory"
    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    SILLYTAVERN = "sillytavern"
    NOVELAI = "novelai"
    JSON = "json"


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
    read: Callable[[SourceFile, Finds], None]


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


def _read_chat(source: SourceFile, finds: Finds) -> None:
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
        return first[0].strip() == "---" or any(one.startswith(("# ", "## ")) for one in first)
    return source.suffix in MARKDOWN_SUFFIXES


FORMATS = (
    Format(
        FormatId.NOVELAI, "NovelAI", lambda source: is_novel(source.value_or_none()), read_novel
    ),
    Format(
        FormatId.SILLYTAVERN,
        "SillyTavern",
        lambda source: is_tavern(source.value_or_none()),
        read_tavern,
    ),
    Format(FormatId.MCP_MEMORY, "MCP memory", _is_graph, read_graph),
    Format(FormatId.MEM0, "mem0", lambda source: is_mem0(source.value_or_none()), read_mem0),
    Format(FormatId.CHATGPT, "ChatGPT", _is_chat, _read_chat),
    Format(FormatId.JSON, "", _is_memories, read_memories),
    Format(FormatId.CSV, "", _is_table, read_csv),
    Format(FormatId.MARKDOWN, "", _is_markdown, read_markdown),
    Format(FormatId.TEXT, "", lambda source: source.suffix in TEXT_SUFFIXES, read_text),
)


def format_of(source: SourceFile) -> Format:
    """What a file is.

    Raises:
        ImportRefusedError: None that is known, or JSON that is not sound.
    """
    for one in FORMATS:
        if one.knows(source):
            return one
    if source.begins_like_json and source.suffix in _JSON_SUFFIXES:
        source.value()
    raise ImportRefusedError("unknown")


def named_format(id_: FormatId) -> Format:
    """The format of this name, which is not our own."""
    return next(one for one in FORMATS if one.id is id_)
