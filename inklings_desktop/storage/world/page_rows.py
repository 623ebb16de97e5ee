"""Pages, blocks, names and links as rows, and back."""

from __future__ import annotations

import json
import posixpath
import re
import time
from dataclasses import replace
from os import urandom
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from uuid import UUID, uuid4

from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.world.pages import (
    Block,
    BlockKind,
    LinkKind,
    Page,
    PageChange,
    PageEvent,
    PageLink,
    PageState,
)
from inklings_desktop.domain.world.path_rules import is_conflict_copy
from inklings_desktop.storage.rows.memories import from_ms, from_ms_or_none, to_ms
from inklings_desktop.storage.world.index_schema import PLACE_BITS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.world.pages import ReadPage

PAGE_COLUMNS = (
    "p.sequence, p.id, p.folder_id, p.path, p.title, p.aliases, p.front, p.front_lines,"
    " p.front_problem, p.tags, p.state, p.encoding, p.newline, p.digest, p.size, p.place,"
    " p.mtime_ns, p.noticed_at, p.gone_at, p.is_copy"
)
BLOCK_COLUMNS = "b.id, b.kind, b.heading, b.text, b.digest, b.own_id, b.first_line, b.last_line"
BLOCKS_OF_PAGE = f"SELECT {BLOCK_COLUMNS} FROM blocks b WHERE b.key BETWEEN ? AND ? ORDER BY b.key"  # noqa: S608 - our own
_DROP_BLOCKS = "DELETE FROM blocks WHERE key BETWEEN ? AND ?"
_PUT_PAGE = """
INSERT INTO pages (id, folder_id, path, title, aliases, front, front_lines, front_problem, tags,
    state, encoding, newline, digest, size, place, mtime_ns, noticed_at, is_copy, inode, sequence)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (sequence) DO UPDATE SET path = excluded.path, title = excluded.title,
    aliases = excluded.aliases, front = excluded.front, front_lines = excluded.front_lines,
    front_problem = excluded.front_problem, tags = excluded.tags, state = excluded.state,
    encoding = excluded.encoding, newline = excluded.newline, digest = excluded.digest,
    size = excluded.size, place = excluded.place, mtime_ns = excluded.mtime_ns,
    noticed_at = excluded.noticed_at, is_copy = excluded.is_copy, inode = excluded.inode,
    gone_at = NULL
RETURNING sequence, id
"""
_PUT_CHANGE = (
    "INSERT INTO page_changes (page_id, folder_id, path, what, at, counts)"
    " VALUES (?, ?, ?, ?, ?, ?) RETURNING number"
)
_NO_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|#", re.IGNORECASE)


def page_of(row: Sequence[Any]) -> Page:
    """A page from ``PAGE_COLUMNS``."""
    _, id_, folder_id, path, title, aliases, front, lines, problem, tags, *rest = row
    state, encoding, newline, digest, size, place, mtime_ns, noticed_at, gone_at, is_copy = rest
    return Page(
        id_,
        folder_id,
        path,
        title,
        _list_of(aliases),
        json.loads(front),
        json.loads(lines),
        problem,
        _list_of(tags),
        PageState(state),
        encoding,
        newline,
        digest,
        size,
        place,
        from_ms(mtime_ns // 1_000_000),
        from_ms(noticed_at),
        from_ms_or_none(gone_at),
        bool(is_copy),
    )


def put_page(
    connection: sqlite3.Connection, folder_id: str, page: ReadPage, sequence: int | None, at_ms: int
) -> tuple[int, str]:
    """Store a page under its sequence, or as a new one; its sequence and id."""
    stamp = page.stamp
    values = (
        str(uuid4()),
        folder_id,
        stamp.path,
        page.title or posixpath.basename(stamp.path),
        _json(page.aliases),
        _json(page.front),
        _json(page.front_lines),
        page.front_problem,
        _json(page.tags),
        page.state.value,
        page.encoding,
        page.newline,
        page.digest,
        stamp.size,
        page.order,
        stamp.mtime_ns,
        at_ms,
        is_conflict_copy(stamp.path),
        stamp.inode,
        sequence,
    )
    if sequence is not None:
        for table in ("page_names", "links"):
            connection.execute(f"DELETE FROM {table} WHERE page = ?", (sequence,))  # noqa: S608 - ours
    ((number, id_),) = connection.execute(_PUT_PAGE, values).fetchall()
    names = ((name, number) for name in _names_of(page))
    connection.executemany("INSERT INTO page_names VALUES (?, ?)", names)
    connection.executemany(
        "INSERT INTO links (page, block, target, target_name, kind) VALUES (?, ?, ?, ?, ?)",
        (
            (number, one.block, one.target, _target_name(one, stamp.path), one.kind.value)
            for one in page.links
        ),
    )
    return number, id_


def block_of(row: Sequence[Any]) -> Block:
    """A block from ``BLOCK_COLUMNS``."""
    id_, kind, heading, text, digest, own_id, first_line, last_line = row
    id_ = str(UUID(bytes=id_))
    return Block(id_, BlockKind(kind), heading, text, digest, own_id, first_line, last_line)


def put_blocks(
    connection: sqlite3.Connection, sequence: int, blocks: Sequence[Block], ids: Sequence[str]
) -> None:
    """Store the blocks of a page in place of those before.

    Args:
        connection: In a transaction.
        sequence: Of the page.
        blocks: As they were read.
        ids: Of each the id that it keeps, or empty for a new one.
    """
    connection.execute(_DROP_BLOCKS, page_range(sequence))
    connection.executemany(
        "INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                block_key(sequence, place),
                UUID(id_).bytes if id_ else _new_id(),
                one.kind.value,
                one.heading,
                one.text,
                one.digest,
                one.own_id,
                one.first_line,
                one.last_line,
            )
            for place, (one, id_) in enumerate(zip(blocks, ids, strict=True))
        ),
    )


def page_range(sequence: int, first: int = 0, last: int = (1 << PLACE_BITS) - 1) -> tuple[int, int]:
    """The keys of a page's blocks, or of some in a row."""
    return block_key(sequence, first), block_key(sequence, last)


def block_key(sequence: int, place: int) -> int:
    """The key of a block."""
    return sequence << PLACE_BITS | place


def blocks_of(connection: sqlite3.Connection, sequence: int) -> list[Block]:
    """The blocks of a page in order."""
    rows = connection.execute(BLOCKS_OF_PAGE, page_range(sequence))
    return list(map(block_of, rows))


def move_id(connection: sqlite3.Connection, id_: str, key: int) -> None:
    """Let the block of this key have an id that another had."""
    stored = UUID(id_).bytes
    connection.execute("DELETE FROM blocks WHERE id = ? AND key <> ?", (stored, key))
    connection.execute("UPDATE blocks SET id = ? WHERE key = ?", (stored, key))


def drop_pages(connection: sqlite3.Connection, sequences: Sequence[int]) -> None:
    """Forget pages whose passages are gone already."""
    connection.executemany(_DROP_BLOCKS, [page_range(one) for one in sequences])
    for table, column in (("page_names", "page"), ("links", "page"), ("pages", "sequence")):
        connection.executemany(
            f"DELETE FROM {table} WHERE {column} = ?",  # noqa: S608 - our own
            [(one,) for one in sequences],
        )


def note_change(connection: sqlite3.Connection, change: PageChange) -> PageChange:
    """Number a change of a page and store it."""
    values = (
        change.page_id,
        change.folder_id,
        change.path,
        change.what.value,
        to_ms(change.at),
        json.dumps(change.counts),
    )
    ((number,),) = connection.execute(_PUT_CHANGE, values).fetchall()
    return replace(change, number=number)


def change_of(row: Sequence[Any]) -> PageChange:
    """A change from all columns of its table."""
    number, page_id, folder_id, path, what, at, counts = row
    what, at, counts = PageEvent(what), from_ms(at), json.loads(counts)
    return PageChange(number, page_id, folder_id, path, what, at, counts)


def link_of(row: Sequence[Any]) -> PageLink:
    """A link from block, target and kind."""
    block, target, kind = row
    return PageLink(block, target, LinkKind(kind))


def _new_id() -> bytes:
    """An id that no other has, near the latest ones: an index of random ones is slow to grow."""
    return (time.time_ns() >> 20).to_bytes(6, "big") + urandom(10)


def _list_of(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _names_of(page: ReadPage) -> set[str]:
    """By what a page is found: title, aliases, its path and every end of it, with ending or not."""
    parts = page.stamp.path.split("/")
    ends = ["/".join(parts[place:]) for place in range(len(parts))]
    ends += [posixpath.splitext(one)[0] for one in ends]
    return {name_key(one) for one in (page.title, *page.aliases, *ends)} - {""}


def _target_name(link: PageLink, path: str) -> str:
    """The name of the page that a link means; empty where it means none."""
    if link.kind is LinkKind.TAG:
        return ""
    target = link.target
    if link.kind is LinkKind.MARKDOWN:
        if _NO_ADDRESS.match(target):
            return ""
        target = posixpath.join(posixpath.dirname(path), unquote(target))
    page = re.split(r"[#^|]", target, maxsplit=1)[0].strip().strip("/")
    return name_key(posixpath.normpath(page).removesuffix(".md")) if page else ""


def _json(value: Iterable[Any]) -> str:
    return json.dumps(value, default=str)
