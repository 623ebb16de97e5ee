"""What programs gathered: MCP's reference memory server, mem0, ChatGPT; and JSON of anybody's.

- MCP's reference memory server keeps a line of JSON for each entity, with its observations, and
  for each relation (``memory.jsonl``); its tool ``read_graph`` answers with both as lists.
- mem0 answers ``get_all`` with a list, or one under ``results``; each memory's text is ``memory``.
- ChatGPT's data export holds ``memory.json``: a list of objects with ``content`` and ``enabled``.
- The smallest JSON that comes in is a list of texts, or of objects with ``content``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE, Lifetime
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.foreign.found import Finds, Found, LeftOut
from inklings_desktop.domain.transfer.foreign.json_shapes import fits, objects_in, rows_in, texts_in
from inklings_desktop.domain.transfer.foreign.source import time_in, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_MEM0_PLACED = {"memory", "categories", "created_at", "updated_at", "id", "hash"}
_CHAT_PLACED = {"content", "enabled", "created_at", "updated_at", "id"}
_OWN_PLACED = {"content", "tags", "importance", "lifetime", "created_at", "source", "id"}
_ROWS = ("memories", "results", "items")


class _Broken(NamedTuple):
    """A line that is no sound JSON."""

    text: str


def json_lines(source: SourceFile) -> list[tuple[int, Any]]:
    """The lines of a file as JSON, each with its number, the broken ones as they stand.

    Raises:
        ImportRefusedError: A line is too deep or too broad.
    """
    found: list[tuple[int, Any]] = []
    for number, line in enumerate(source.text.split("\n"), start=1):
        if line.strip():
            try:
                found.append((number, value_of(line)))
            except ImportRefusedError as error:
                if error.reason in {"too_deep", "too_many"}:
                    raise
                found.append((number, _Broken(line)))
    return found


def is_lines(source: SourceFile) -> bool:
    """Whether this is one JSON object on each line, with a broken line here and there at most."""
    lines = [one for one in source.text.split("\n") if one.strip()]
    n_objects = sum(one.lstrip()[:1] == "{" and one.rstrip()[-1:] == "}" for one in lines)
    return n_objects > 0 and n_objects * 2 > len(lines)


def is_graph(value: Any) -> bool:
    """Whether this is a graph of entities and relations."""
    return isinstance(value, dict) and isinstance(value.get("entities"), list)


def is_graph_line(value: Any) -> bool:
    """Whether a line is an entity or a relation."""
    return isinstance(value, dict) and value.get("type") in {"entity", "relation"}


def is_mem0(value: Any) -> bool:
    """Whether this is what mem0 answers with."""
    return any(isinstance(one.get("memory"), str) for one in objects_in(rows_in(value, *_ROWS)))


def is_chat_json(value: Any) -> bool:
    """Whether this is the ``memory.json`` of a data export of ChatGPT."""
    rows = objects_in(rows_in(value, *_ROWS))
    return any(isinstance(one.get("content"), str) and "enabled" in one for one in rows)


def is_memories(value: Any) -> bool:
    """Whether this is the smallest JSON that comes in."""
    rows = rows_in(value, *_ROWS)
    if rows is None:
        return isinstance(value, dict) and isinstance(value.get("content"), str)
    texts = all(isinstance(one, str) for one in rows) and bool(rows)
    return texts or any(isinstance(one.get("content"), str) for one in objects_in(rows))


def read_graph(source: SourceFile, finds: Finds) -> None:
    """Take each observation and each relation.

    Raises:
        ImportRefusedError: The file is no graph.
    """
    for line, value in _graph_lines(source):
        if isinstance(value, _Broken):
            finds.refuse(value.text, line, "json", "broken", source.name)
        elif not isinstance(value, dict):
            finds.refuse(str(value), line, "json", "object", source.name)
        elif value.get("type") == "relation":
            _take_relation(value, line, source.name, finds)
        elif value.get("type") == "entity":
            _take_entity(value, line, source.name, finds)
        else:
            finds.refuse("", line, "type", "word", source.name)


def read_mem0(source: SourceFile, finds: Finds) -> None:
    """Take each memory of mem0.

    Raises:
        ImportRefusedError: The file is none of mem0's.
    """
    value = source.value()
    fits(is_mem0(value))
    if isinstance(value, dict):
        finds.drop(set(value) - {*_ROWS, "count", "next", "previous"})
    for row in objects_in(rows_in(value, *_ROWS)):
        finds.drop(one for one in row if one not in _MEM0_PLACED and row[one] not in (None, {}, []))
        tags = texts_in(row.get("categories"))
        _take(source, finds, row, row.get("memory"), tags, is_own=False)


def read_chat_json(source: SourceFile, finds: Finds) -> None:
    """Take each memory of ChatGPT's data export; one that is switched off comes in paused.

    Raises:
        ImportRefusedError: The file is none.
    """
    value = source.value()
    fits(is_chat_json(value))
    for row in objects_in(rows_in(value, *_ROWS)):
        finds.drop(set(row) - _CHAT_PLACED)
        _take(source, finds, row, row.get("content"), (), is_paused=row.get("enabled") is False)


def read_memories(source: SourceFile, finds: Finds) -> None:
    """Take each row of the smallest JSON.

    Raises:
        ImportRefusedError: The file is none.
    """
    for line, row in _memory_rows(source, finds):
        if isinstance(row, _Broken):
            finds.refuse(row.text, line, "json", "broken", source.name)
        elif isinstance(row, str):
            finds.add(Found(row, line, source.name))
        elif not isinstance(row, dict) or not isinstance(row.get("content"), str):
            finds.refuse("", line, "content", "empty", source.name)
        elif row.get("lifetime") not in (None, "long_term", "short_term"):
            finds.refuse(row["content"], line, "lifetime", "word", source.name)
        else:
            finds.drop(set(row) - _OWN_PLACED)
            _take(source, finds, row, row["content"], texts_in(row.get("tags")), line=line)


def _graph_lines(source: SourceFile) -> Iterator[tuple[int, Any]]:
    try:
        value = source.value()
    except ImportRefusedError:
        value = None
    if is_graph(value):
        yield from ((0, {**one, "type": "entity"}) for one in objects_in(value["entities"]))
        yield from ((0, {**one, "type": "relation"}) for one in objects_in(value.get("relations")))
        return
    lines = json_lines(source)
    fits(any(is_graph_line(one) for _line, one in lines))
    yield from lines


def _memory_rows(source: SourceFile, finds: Finds) -> Iterator[tuple[int, Any]]:
    try:
        value = source.value()
    except ImportRefusedError:
        if not is_lines(source):
            raise
        yield from json_lines(source)
        return
    fits(is_memories(value))
    rows = rows_in(value, *_ROWS)
    if rows is None:
        rows = [value]
    elif isinstance(value, dict):
        finds.drop(set(value) - {*_ROWS})
    yield from ((0, one) for one in rows)


def _take_entity(value: dict[str, Any], line: int, file: str, finds: Finds) -> None:
    name, kind = value.get("name"), value.get("entityType")
    if not isinstance(name, str) or not name.strip():
        finds.refuse("", line, "name", "empty", file)
        return
    finds.drop(set(value) - {"type", "name", "entityType", "observations"})
    tags = tuple(one for one in (name, kind) if isinstance(one, str))
    seen = [one for one in texts_in(value.get("observations")) if one.strip()]
    # An observation says nothing without whom it is about.
    about = [f"{name}: {one}" for one in seen] or ([f"{name}: {kind}"] if kind else [])
    finds.leave(LeftOut.EMPTY, not about)
    for content in about:
        finds.add(Found(content, line, file, tags, is_own=False))


def _take_relation(value: dict[str, Any], line: int, file: str, finds: Finds) -> None:
    ends = value.get("from"), value.get("relationType"), value.get("to")
    if not all(isinstance(one, str) and one.strip() for one in ends):
        finds.refuse("", line, "relation", "missing", file)
        return
    first, how, last = map(str, ends)
    finds.drop(set(value) - {"type", "from", "to", "relationType"})
    content = f"{first} {how.replace('_', ' ')} {last}"
    finds.add(Found(content, line, file, (first, last), is_own=False))


def _take(
    source: SourceFile,
    finds: Finds,
    row: dict[str, Any],
    content: object,
    tags: Any,
    *,
    line: int = 0,
    is_own: bool = True,
    is_paused: bool = False,
) -> None:
    """Take a row with the fields that several formats share."""
    if not isinstance(content, str) or not content.strip():
        finds.leave(LeftOut.EMPTY)
        return
    times = {name: time_in(row.get(name)) for name in ("created_at", "updated_at")}
    finds.drop(name for name, at in times.items() if at is None and row.get(name) is not None)
    lifetime, own_source = row.get("lifetime"), row.get("source")
    importance = row.get("importance")
    finds.add(
        Found(
            content,
            line,
            source.name,
            tuple(tags),
            DEFAULT_IMPORTANCE if importance is None else importance,
            Lifetime(lifetime) if lifetime in {"long_term", "short_term"} else None,
            own_source if isinstance(own_source, str) else "",
            times["created_at"],
            times["updated_at"],
            is_own,
            is_paused,
        )
    )
