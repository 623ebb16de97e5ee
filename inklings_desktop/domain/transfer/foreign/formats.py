"""The table of formats that come in, how each is known by what stands in it, and lorebooks.

Looked through from the top: the first that knows a file reads it. ``docs/importing.md`` says the
same for people.
"""

from __future__ import annotations

import re
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.foreign.found import Finds, Found, about, as_text
from inklings_desktop.domain.transfer.foreign.gathered import (
    claude_texts,
    is_chat_json,
    is_chat_list,
    is_claude,
    is_graph,
    is_mem0,
    is_memories,
    read_chat_json,
    read_chat_list,
    read_graph,
    read_mem0,
    read_memories,
)
from inklings_desktop.domain.transfer.foreign.notes import (
    Grain,
    blocks_of,
    read_markdown,
    read_text,
    take_blocks,
)
from inklings_desktop.domain.transfer.foreign.rows import Shape, has_header, read_csv, take
from inklings_desktop.domain.transfer.foreign.source import objects_in, objects_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

    _Reader = Callable[[SourceFile, Finds, "Wishes"], None]

_TAVERN = Shape(
    {
        "content": "content",
        "comment": "title",
        "name": "title",
        **dict.fromkeys(("key", "keys", "keysecondary", "secondary_keys"), "tags"),
        "constant": "always",
        "disable": "off",
        "enabled": "on",
    },
    keeps_rest=False,
)
_NOVEL = Shape(
    {
        "text": "content",
        "displayname": "title",
        "keys": "tags",
        "forceactivation": "always",
        "enabled": "on",
        "lastupdatedat": "edited_at",
    },
    keeps_rest=False,
)
_WORLD_OF_CARD = ("description", "personality", "scenario")
"""What a character card says of its character; the rest tells a model how to play it."""


def is_tavern(value: Any) -> bool:
    """Whether this is World Info, a character's book, or a card."""
    entries = objects_in(_book(value).get("entries"))
    is_book = any("content" in one and {"key", "keys"} & one.keys() for one in entries)
    return is_book or _card(value) is not None


def is_novel(value: Any) -> bool:
    """Whether this is a lorebook of NovelAI."""
    return isinstance(value, dict) and "lorebookVersion" in value and "entries" in value


def read_tavern(source: SourceFile, finds: Finds) -> None:
    """Take the entries of World Info, and what a card says of its character."""
    value = source.value_of(is_tavern)
    book, card = _book(value), _card(value)
    if value is not book and value is not card:
        finds.drop_rest(value, {"data"}, source.name)
    if card is not None:
        name = as_text(card.get("name"))
        for field, one in card.items():
            if field in _WORLD_OF_CARD and as_text(one):
                tags = tuple(filter(None, (name, field)))
                finds.add(Found(about([name], as_text(one)), 0, source.name, tags))
            elif field not in {"character_book", "name"} or (field == "name" and not name):
                finds.drop(f"card.{field}", one, source.name)
    finds.drop_rest(book, {"entries", "originalData"}, source.name)
    for entry in objects_of(finds, book.get("entries"), source.name):
        take(finds, _TAVERN, list(entry.items()), source.name)


def read_novel(source: SourceFile, finds: Finds) -> None:
    """Take the entries of a lorebook of NovelAI."""
    value = source.value_of(is_novel)
    finds.drop_rest(value, {"entries", "categories", "lorebookVersion"}, source.name)
    categories = {str(one.get("id")): one for one in objects_in(value.get("categories"))}
    for entry in objects_of(finds, value["entries"], source.name):
        category = categories.get(str(entry.get("category") or ""), {})
        row = [(field, one) for field, one in entry.items() if field not in {"id", "category"}]
        is_off = category.get("enabled") is False
        take(finds, _NOVEL, row, source.name, tag=as_text(category.get("name")), is_paused=is_off)


def _card(value: Any) -> dict[str, Any] | None:
    """What a character card says, of any version; None where this is none."""
    inside = value.get("data") if isinstance(value, dict) else None
    for one in (inside, value):
        if isinstance(one, dict) and isinstance(one.get("name"), str) and "entries" not in one:
            is_card = {"first_mes", "personality", "character_book"} & one.keys()
            if is_card and ("description" in one or "character_book" in one):
                return one
    return None


def _book(value: Any) -> dict[str, Any]:
    """The book of a file: itself, the one inside its ``data``, or that of a character card."""
    card = _card(value)
    if card is not None:
        book = card.get("character_book")
        return book if isinstance(book, dict) else {}
    inside = value.get("data") if isinstance(value, dict) else None
    if isinstance(inside, dict) and "entries" in inside:
        return inside
    return value if isinstance(value, dict) else {}


MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".nwd"})
TEXT_SUFFIXES = frozenset({".txt", ".text", ""})
_TABLE_SUFFIXES = frozenset({".csv", ".tsv"})
_JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".lorebook"})
FOLDER_SUFFIXES = (
    MARKDOWN_SUFFIXES | TEXT_SUFFIXES | _TABLE_SUFFIXES | _JSON_SUFFIXES | {".docx"}
) - {""}
"""What is read out of a folder or an archive."""
_BOLD_LINE = re.compile(r"^\*\*([^*]{1,64}?):?\*\*:?$")
_KINDS = {
    "Rich Text": ".rtf",
    "Word (older than .docx)": ".doc",
    "OpenDocument": ".odt .ods",
    "Pages": ".pages",
    "PDF": ".pdf",
    "EPUB": ".epub",
    "HTML": ".html .htm",
    "Org": ".org",
    "reStructuredText": ".rst",
    "LaTeX": ".tex",
    "Fountain": ".fountain",
    "YAML": ".yaml .yml",
    "TOML": ".toml",
    "XML": ".xml .opml",
    "Evernote": ".enex",
    "Excel": ".xlsx .xls",
    "Scrivener": ".scriv .scrivx",
    "Manuskript": ".msk",
    "Obsidian Canvas": ".canvas",
    "NovelAI (a scenario or story)": ".scenario .story",
    "RisuAI": ".charx .risum",
    "a picture (save a character card as JSON)": ".png .jpg .webp",
}
"""Programs and kinds of files that are known and not read, with the endings of their names."""
_OTHERS = {ending: kind for kind, endings in _KINDS.items() for ending in endings.split()}
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
    read: _Reader


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
        begins = first[0].strip() in {"---", "+++"} or first[0].startswith(("title:", "%%~"))
        return begins or any(one.startswith(("# ", "## ")) for one in first)
    return source.suffix in MARKDOWN_SUFFIXES


def _read_claude(source: SourceFile, finds: Finds, wishes: Wishes) -> None:
    for project, text in claude_texts(source, finds):
        lines = [_BOLD_LINE.sub(r"## \1", one) for one in text.split("\n")]
        front = Found("", file=source.name, tags=(project,) if project else (), is_own=False)
        title = project or "Claude"
        take_blocks(list(blocks_of(lines)), source, finds, wishes.by, front, title)


def _holds(knows: Callable[[object], bool]) -> Callable[[SourceFile], bool]:
    """Whether a file holds JSON of this kind."""
    return lambda source: knows(source.value_or_none())


def _plain(read: Callable[[SourceFile, Finds], None]) -> _Reader:
    """A reader that asks nobody how a file is to be read."""
    return lambda source, finds, _wishes: read(source, finds)


FORMATS = (
    Format(FormatId.NOVELAI, "NovelAI", _holds(is_novel), _plain(read_novel)),
    Format(FormatId.SILLYTAVERN, "SillyTavern", _holds(is_tavern), _plain(read_tavern)),
    Format(FormatId.MCP_MEMORY, "MCP memory", is_graph, _plain(read_graph)),
    Format(FormatId.MEM0, "mem0", _holds(is_mem0), _plain(read_mem0)),
    Format(FormatId.CHATGPT, "ChatGPT", _is_chat, _plain(_read_chat)),
    Format(FormatId.CLAUDE, "Claude", _holds(is_claude), _read_claude),
    Format(FormatId.JSON, "", is_memories, _plain(read_memories)),
    Format(FormatId.CSV, "", _is_table, lambda file, to, how: read_csv(file, to, how.columns)),
    Format(
        FormatId.MARKDOWN, "", _is_markdown, lambda file, to, how: read_markdown(file, to, how.by)
    ),
    Format(
        FormatId.TEXT,
        "",
        lambda file: file.suffix in TEXT_SUFFIXES,
        lambda file, to, how: read_text(file, to, how.by),
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

    An archive is told by its ``members``.
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
    if first.get("kind") in ("memory", "character") and ("entries" in first or "persona" in first):
        return "Agnai"
    if first.get("type") == "risu" or "risuai" in str(first.get("spec", "")):
        return "RisuAI"
    if "scenarioVersion" in first or "storyContainerVersion" in first:
        return "NovelAI (a scenario or story)"
    if "mapping" in first or "chat_messages" in first:
        return "a chat (conversations of ChatGPT or Claude)"
    return ""


def named_format(id_: FormatId) -> Format:
    """The format of this name.

    Raises:
        ImportRefusedError: It is our own or a packed one, and the file is none.
    """
    found = next((one for one in FORMATS if one.id is id_), None)
    if found is None:
        raise ImportRefusedError("other_format")
    return found
