"""What programs gathered: MCP's memory server, mem0, ChatGPT, Claude; and JSON of anybody's.

- MCP's reference memory server keeps a line of JSON for each entity, with its observations, and
  for each relation (``memory.jsonl``); its tool ``read_graph`` answers with both as lists.
- mem0 answers ``get_all`` with a list, or one under ``results``; each memory's text is ``memory``.
- ChatGPT's data export holds ``memory.json``: a list of objects with ``content`` and ``enabled``.
- Its saved memories as text come as the list that is copied by hand, each entry a line about *the
  user*; or as a chat writes it out, ``[date saved, if available] - memory content``; older ones
  number the entries, ``1. [2025-04-02]. The user ...``.
- Claude's holds ``memories.json``: a Markdown text on all conversations and one for each project.
- The smallest JSON that comes in is a list of texts, or of objects with ``content``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.foreign.found import (
    Finds,
    Found,
    LeftOut,
    as_text,
    with_lines,
)
from inklings_desktop.domain.transfer.foreign.rows import OWN, Shape, take
from inklings_desktop.domain.transfer.foreign.source import (
    objects_in,
    objects_of,
    rows_in,
    time_in,
    value_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_TIMES = {"created_at": "created_at", "updated_at": "edited_at"}
_MEM0 = Shape({"memory": "content", "categories": "tags", **_TIMES}, keeps_rest=False, is_own=False)
_CHAT = Shape({"content": "content", "enabled": "on", **_TIMES}, keeps_rest=False)
_MARK = r"[ \t]*+(?:[-*\u2022][ \t]++|\d{1,5}[.)][ \t]*+)?"
_DATED = re.compile(
    _MARK + r"\[(?P<date>\d{4}-\d\d-\d\d[^\]]{0,20}|(?:unknown|no date|date|n/a)[^\]]{0,30})\]"
    r"[ \t]*+[.:\u2013\u2014-]?[ \t]*+(?P<content>\S.*)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(_MARK + r"(?P<content>\S.*)$")
_ABOUT = re.compile(_MARK + r"(?:the )?user(?:'s|\u2019s)?\b", re.IGNORECASE)
_CLAUDE_TEXTS = ("conversations_memory", "project_memories")


def is_lines(source: SourceFile) -> bool:
    """Whether this is one JSON object on each line, with a broken line here and there at most."""
    lines = [one for one in source.text.split("\n") if one.strip()]
    n_objects = sum(one.lstrip()[:1] == "{" and one.rstrip()[-1:] == "}" for one in lines)
    return n_objects > 0 and n_objects * 2 > len(lines)


def is_graph(source: SourceFile) -> bool:
    """Whether this is a graph of entities and relations, in one or a line for each."""
    value = source.value_or_none()
    if value is None:
        return is_lines(source) and _is_graph_line(next(_lines(source), (0, None))[1])
    return _is_graph(value) or _is_graph_line(value)


def is_mem0(value: Any) -> bool:
    """Whether this is what mem0 answers with."""
    return any(isinstance(one.get("memory"), str) for one in objects_in(rows_in(value)))


def is_chat_json(value: Any) -> bool:
    """Whether this is the ``memory.json`` of a data export of ChatGPT."""
    rows = objects_in(rows_in(value))
    return any(isinstance(one.get("content"), str) and "enabled" in one for one in rows)


def is_claude(value: Any) -> bool:
    """Whether this is the ``memories.json`` of a data export of Claude."""
    return any(set(_CLAUDE_TEXTS) & one.keys() for one in _accounts(value))


def is_memories(source: SourceFile) -> bool:
    """Whether this is the smallest JSON that comes in."""
    value = source.value_or_none()
    if value is None:
        return is_lines(source) and any(_are_memories(one) for _line, one in _lines(source))
    return _are_memories(value)


def _are_memories(value: Any) -> bool:
    rows = rows_in(value)
    if rows is None:
        return isinstance(value, dict) and isinstance(value.get("content"), str)
    texts = all(isinstance(one, str) for one in rows) and bool(rows)
    return texts or any(isinstance(one.get("content"), str) for one in objects_in(rows))


def read_graph(source: SourceFile, finds: Finds) -> None:
    """Take each observation and each relation."""
    for line, value in _graph_rows(source, finds):
        kind = value.get("type") if isinstance(value, dict) else None
        if kind == "relation":
            _take_relation(value, line, source.name, finds)
        elif kind == "entity":
            _take_entity(value, line, source.name, finds)
        elif isinstance(value, dict):
            finds.refuse(as_text(value), line, "type", "word", source.name)
        else:
            finds.refuse(str(value), line, "json", "object", source.name)


def read_mem0(source: SourceFile, finds: Finds) -> None:
    """Take each memory of mem0; where several users have some, each is tagged with its user."""
    rows = objects_of(finds, _rows(finds, source.value_of(is_mem0), source.name), source.name)
    n_users = len({as_text(one.get("user_id")) for one in rows} - {""})
    shape = replace(_MEM0, roles={**_MEM0.roles, "user_id": "tags"}) if n_users > 1 else _MEM0
    for row in rows:
        take(finds, shape, list(row.items()), source.name)


def read_chat_json(source: SourceFile, finds: Finds) -> None:
    """Take each memory of ChatGPT's data export; one that is switched off comes in paused."""
    rows = _rows(finds, source.value_of(is_chat_json), source.name)
    for row in objects_of(finds, rows, source.name):
        take(finds, _CHAT, list(row.items()), source.name)


def is_chat_list(source: SourceFile) -> bool:
    """Whether most lines are dated entries or, of a plain text, are about the user."""
    lines = _told_lines(source)
    is_plain = source.suffix not in {".md", ".markdown"}
    n_fit = sum(
        bool(_DATED.match(line) or (is_plain and _ABOUT.match(line))) for _number, line in lines
    )
    return n_fit > 1 and n_fit * 2 > len(lines)


def read_chat_list(source: SourceFile, finds: Finds) -> None:
    """Take each entry; where they are dated, lines without a date go on with the one above."""
    lines = _told_lines(source)
    is_dated = any(_DATED.match(line) for _number, line in lines)
    open_entry: Found | None = None
    for number, line in lines:
        dated = _DATED.match(line)
        if dated is not None:
            if open_entry is not None:
                finds.add(open_entry)
            date = dated["date"].strip()
            at = time_in(date)
            told = [("date", date)] if at is None and date[:1].isdigit() else []
            content = with_lines(dated["content"].rstrip(), told)
            open_entry = Found(content, number, source.name, created_at=at or time_in(date[:10]))
        elif open_entry is not None:
            content = f"{open_entry.content}\n{line.strip()}"
            at = open_entry.created_at
            open_entry = Found(content, open_entry.line, source.name, created_at=at)
        elif not is_dated and (plain := _PLAIN.match(line)) is not None:
            finds.add(Found(plain["content"].rstrip(), number, source.name))
        else:
            finds.refuse(line.strip(), number, "entry", "no_date", source.name)
    if open_entry is not None:
        finds.add(open_entry)


def claude_texts(source: SourceFile, finds: Finds) -> list[tuple[str, str]]:
    """The texts of Claude's data export, each with the project it is on; none for all of them."""
    texts = []
    for account in _accounts(source.value_of(is_claude)):
        for name, one in account.items():
            if name == "conversations_memory" and as_text(one):
                texts.append(("", as_text(one)))
            elif name == "project_memories" and isinstance(one, dict):
                texts += [(project, as_text(text)) for project, text in one.items()]
            else:
                finds.drop(name, one, source.name)
    return texts


def read_memories(source: SourceFile, finds: Finds) -> None:
    """Take each row of the smallest JSON."""
    for line, row in _memory_rows(source, finds):
        if isinstance(row, str):
            finds.add(Found(row, line, source.name))
        elif isinstance(row, dict):
            take(finds, OWN, list(row.items()), source.name, line)
        else:
            finds.refuse(as_text(row), line, "json", "object", source.name)


def _accounts(value: Any) -> list[dict[str, Any]]:
    return [value] if isinstance(value, dict) else objects_in(value)


def _rows(finds: Finds, value: Any, file: str) -> list[Any] | None:
    """The rows of a file, with what it says beside them named."""
    around: dict[str, Any] = {}
    rows = rows_in(value, around)
    for name, one in around.items():
        if name not in {"count", "next", "previous"} or isinstance(one, str):
            finds.drop(name, one, file)
    return rows


def _lines(source: SourceFile, finds: Finds | None = None) -> Iterator[tuple[int, Any]]:
    """The lines of a file as JSON, each with its number; ``finds`` is told of the broken ones.

    Raises:
        ImportRefusedError: A line is too deep or too broad.
    """
    for number, line in enumerate(source.text.split("\n"), start=1):
        if line.strip():
            try:
                value = value_of(line)
            except ImportRefusedError as error:
                if error.reason in {"too_deep", "too_many"}:
                    raise
                if finds is not None:
                    finds.refuse(line, number, "json", "broken", source.name)
            else:
                yield number, value


def _is_graph(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("entities"), list)


def _is_graph_line(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") in ("entity", "relation")


def _graph_rows(source: SourceFile, finds: Finds) -> Iterator[tuple[int, Any]]:
    value = source.value_or_none()
    if _is_graph(value):
        for name, kind in (("entities", "entity"), ("relations", "relation")):
            for one in value.get(name) or ():
                yield 0, {**one, "type": kind} if isinstance(one, dict) else one
    elif any(_is_graph_line(one) for _line, one in _lines(source)):
        yield from _lines(source, finds)
    else:
        raise ImportRefusedError("other_format")


def _memory_rows(source: SourceFile, finds: Finds) -> Iterator[tuple[int, Any]]:
    if source.value_or_none() is None and is_lines(source):
        yield from _lines(source, finds)
        return
    value = source.value_of(_are_memories)
    rows = _rows(finds, value, source.name)
    yield from ((0, one) for one in ([value] if rows is None else rows))


def _take_entity(value: dict[str, Any], line: int, file: str, finds: Finds) -> None:
    name, kind = as_text(value.get("name")), as_text(value.get("entityType"))
    if not name:
        finds.refuse(as_text(value), line, "name", "empty", file)
        return
    finds.drop_rest(value, {"type", "name", "entityType", "observations"}, file, line)
    tags = tuple(filter(None, (name, kind)))
    observations = value.get("observations")
    some = observations if isinstance(observations, list) else [observations]
    seen = [one for one in map(as_text, some) if one]
    # An observation says nothing without whom it is about.
    told = [f"{name}: {one}" for one in seen] or ([f"{name}: {kind}"] if kind else [])
    if not told:
        finds.leave(LeftOut.EMPTY, name, file, line)
    for content in told:
        finds.add(Found(content, line, file, tags, is_own=False))


def _take_relation(value: dict[str, Any], line: int, file: str, finds: Finds) -> None:
    first, how, last = (as_text(value.get(one)) for one in ("from", "relationType", "to"))
    if not (first and how and last):
        finds.refuse(as_text(value), line, "relation", "missing", file)
        return
    finds.drop_rest(value, {"type", "from", "to", "relationType"}, file, line)
    content = f"{first} {how.replace('_', ' ')} {last}"
    finds.add(Found(content, line, file, (first, last), is_own=False))


def _told_lines(source: SourceFile) -> list[tuple[int, str]]:
    """The lines that say something; a list is often wrapped as a block of code."""
    numbered = enumerate(source.text.split("\n"), start=1)
    return [
        (number, line)
        for number, line in numbered
        if line.strip() and not line.lstrip().startswith("```")
    ]
