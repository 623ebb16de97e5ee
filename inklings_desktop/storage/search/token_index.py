"""Vectors of the words of memories and tags: which are missing, storing and reading them.

They follow from the texts, so nobody else is told of a change. A trigger drops those of a memory
whose text changes or that is forgotten.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.storage.rows.snapshot import Snapshot

_RETRIEVABLE = "m.forgotten_at IS NULL AND m.paused = 0"
_AMONG = "IN (SELECT value FROM json_each(?))"
_OF_MEMORIES = f"""
SELECT m.id, t.data FROM memories m JOIN memory_tokens t ON t.sequence = m.sequence
WHERE m.id {_AMONG} AND t.space = ?
"""  # noqa: S608 - our own
_OF_TAGS = f"SELECT tag, data FROM tag_tokens WHERE tag {_AMONG} AND space = ?"  # noqa: S608 - our own
_LACKING = f"""
FROM memories m LEFT JOIN memory_tokens t ON t.sequence = m.sequence AND t.space = ?
WHERE {_RETRIEVABLE} AND t.sequence IS NULL
"""
_N_WITHOUT = f"SELECT count(*) {_LACKING}"
_WITHOUT = f"SELECT m.id, m.content {_LACKING} ORDER BY m.sequence DESC LIMIT ?"
_TAGS_WITHOUT = f"""
SELECT DISTINCT tag.value FROM memories m, json_each(m.tags) tag
WHERE {_RETRIEVABLE} AND tag.type = 'text' AND (? IS NULL OR m.id {_AMONG})
    AND NOT EXISTS (SELECT 1 FROM tag_tokens t WHERE t.tag = tag.value AND t.space = ?)
LIMIT ?
"""  # noqa: S608 - our own
_FORMER = f"""
DELETE FROM memory_tokens WHERE sequence IN (SELECT sequence FROM memories WHERE id {_AMONG})
"""  # noqa: S608 - our own
_IN_ORDER = f"SELECT id FROM memories WHERE id {_AMONG} ORDER BY sequence"  # noqa: S608 - our own
_PUT = f"""
INSERT INTO memory_tokens (sequence, space, data)
SELECT m.sequence, ?, ? FROM memories m WHERE m.id = ? AND m.content = ? AND {_RETRIEVABLE}
RETURNING sequence
"""  # noqa: S608 - our own
_PUT_TAG = """
INSERT INTO tag_tokens (tag, space, data) VALUES (?, ?, ?)
ON CONFLICT (tag) DO UPDATE SET space = excluded.space, data = excluded.data
"""
DROP_UNUSED_TAGS = """
DELETE FROM tag_tokens
WHERE tag NOT IN (SELECT tag.value FROM memories m, json_each(m.tags) tag WHERE tag.type = 'text')
"""


class SqliteTokenIndex:
    """The ``TokenIndex`` of one transaction."""

    def __init__(self, transaction: Snapshot) -> None:
        self._transaction = transaction

    def of_memories(self, ids: Sequence[str], space: str) -> dict[str, bytes]:
        return dict(self._transaction.rows(_OF_MEMORIES, (json.dumps(list(ids)), space)))

    def of_tags(self, tags: Sequence[str], space: str) -> dict[str, bytes]:
        return dict(self._transaction.rows(_OF_TAGS, (json.dumps(list(tags)), space)))

    def without(self, space: str, limit: int) -> tuple[tuple[str, str], ...]:
        return tuple(self._transaction.rows(_WITHOUT, (space, limit)))

    def n_without(self, space: str) -> int:
        ((number,),) = self._transaction.rows(_N_WITHOUT, (space,))
        return int(number)

    def tags_without(
        self, space: str, limit: int, ids: Sequence[str] | None = None
    ) -> tuple[str, ...]:
        among = None if ids is None else json.dumps(list(ids))
        rows = self._transaction.rows(_TAGS_WITHOUT, (among, among or "[]", space, limit))
        return tuple(tag for (tag,) in rows)

    def put(self, space: str, words: Sequence[tuple[str, str, bytes]]) -> int:
        """Store the words of memories whose text is still what was read; how many."""
        rows = {id_: (space, data, id_, content) for id_, content, data in words}
        wanted = (json.dumps(list(rows)),)
        # Written over, smaller rows would leave the pages as empty as they are; and in any other
        # order pages are split with less in them.
        self._transaction.rows(_FORMER, wanted)
        ids = self._transaction.rows(_IN_ORDER, wanted)
        return sum(len(self._transaction.rows(_PUT, rows[id_])) for (id_,) in ids)

    def put_tags(self, space: str, words: Mapping[str, bytes]) -> None:
        for tag, data in words.items():
            self._transaction.rows(_PUT_TAG, (tag, space, data))

    def drop_unused_tags(self) -> None:
        self._transaction.rows(DROP_UNUSED_TAGS)

    def is_empty(self) -> bool:
        ((is_any,),) = self._transaction.rows(
            "SELECT EXISTS (SELECT 1 FROM memory_tokens) OR EXISTS (SELECT 1 FROM tag_tokens)"
        )
        return not is_any

    def clear(self) -> None:
        for table in ("memory_tokens", "tag_tokens"):
            self._transaction.rows(f"DELETE FROM {table}")  # noqa: S608 - our own
