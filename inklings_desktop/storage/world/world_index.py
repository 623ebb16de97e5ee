"""The ``WorldIndex`` of each workspace, over its ``world.db``."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any
from uuid import UUID

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.words.phrases import phrase_runs
from inklings_desktop.domain.words.query_text import KeywordQuery, folded
from inklings_desktop.domain.world.finding import WorldAnswer
from inklings_desktop.domain.world.pages import FolderLook, PageState, WholePage
from inklings_desktop.storage.rows.memories import from_ms_or_none, to_ms, to_ms_or_none
from inklings_desktop.storage.search.resident import ResidentCache
from inklings_desktop.storage.search.search_text import match_expression, phrase_expression
from inklings_desktop.storage.world.index_schema import PLACE_BITS
from inklings_desktop.storage.world.page_rows import (
    BLOCK_COLUMNS,
    BLOCKS_OF_PAGE,
    PAGE_COLUMNS,
    block_of,
    change_of,
    drop_pages,
    link_of,
    page_of,
    page_range,
)
from inklings_desktop.storage.world.passage_rows import (
    FoundPassage,
    drop_passages,
    passages_of_page,
)
from inklings_desktop.storage.world.settling import Settling
from inklings_desktop.storage.world.world_file import WorldFile
from inklings_desktop.usecases.ports.world import LookNote

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.finding import WorldQuery
    from inklings_desktop.domain.world.pages import (
        Block,
        FileStamp,
        Page,
        PageChange,
        ReadPage,
        WorldFolder,
    )
    from inklings_desktop.storage.rows.snapshot import View
    from inklings_desktop.storage.search.vector_snapshot import VectorSnapshot
    from inklings_desktop.usecases.ports.store import Clock
    from inklings_desktop.usecases.ports.world import PageMeaning

    _ReadPages = tuple[object, dict[int, tuple[Page, Axes]]]

PAGES_READ = 2_000
"""Pages that are remembered between searches; some 5 MB of them at most."""
MISSING_STATES = frozenset({"missing", "denied"})

_SELECT = f"SELECT {PAGE_COLUMNS} FROM pages p WHERE"  # noqa: S608 - our own
_PAGES = f"""{_SELECT} p.gone_at IS NULL AND p.folder_id = ifnull(?, p.folder_id) AND p.path > ?
    AND (? = '' OR p.path BETWEEN ? || '/' AND ? || '0') ORDER BY p.path, p.folder_id LIMIT ?"""
_EXACT = f"{_SELECT} p.gone_at IS NULL AND (p.id = ? OR p.path = ?) ORDER BY p.path, p.folder_id"
_READ = f"{_SELECT} p.gone_at IS NULL AND p.id = (SELECT page_read FROM meta)"  # noqa: S608 - our own
_NAMED = f"""{_SELECT} p.gone_at IS NULL
    AND p.sequence IN (SELECT page FROM page_names WHERE name = ?) ORDER BY p.path, p.folder_id"""  # noqa: S608 - our own
_LINKS = "SELECT block, target, kind FROM links WHERE page = ? ORDER BY sequence"
_LINKED_FROM = f"""{_SELECT} p.gone_at IS NULL AND p.sequence <> ? AND p.sequence IN (
    SELECT l.page FROM page_names n JOIN links l ON l.target_name = n.name WHERE n.page = ?)
    AND p.folder_id = ? ORDER BY p.path"""  # noqa: S608 - our own
_BLOCKS_BY_ID = f"""SELECT {PAGE_COLUMNS}, {BLOCK_COLUMNS} FROM blocks b
    JOIN pages p ON p.sequence = b.key >> {PLACE_BITS} AND p.gone_at IS NULL
    WHERE b.id IN (SELECT unhex(value) FROM json_each(?))"""  # noqa: S608 - our own
_SHARING = """SELECT s.sequence, s.page, s.first, s.last, s.begin, s.end, s.heading FROM (
    SELECT rowid, rank FROM passage_fts WHERE passage_fts MATCH ? ORDER BY rank, rowid LIMIT ?) f
    JOIN passages s ON s.sequence = f.rowid ORDER BY f.rank, f.rowid"""
_STATES = "SELECT state, count(*) FROM pages WHERE folder_id = ? AND gone_at IS NULL GROUP BY state"
_COMPARED = """SELECT count(*), count(v.passage) FROM pages p
    JOIN passages s ON s.page = p.sequence LEFT JOIN passage_vectors v ON v.passage = s.sequence
    WHERE p.folder_id = ? AND p.gone_at IS NULL"""
_LOOK = (
    "SELECT state, n_other, n_left_out, looked_at, is_watched, every_seconds"
    " FROM folder_looks WHERE folder_id = ?"
)
_NOTES = "SELECT folder_id, state, n_other, looked_at, is_watched, every_seconds FROM folder_looks"
_PUT_LOOK = """
INSERT INTO folder_looks VALUES (?, ?, ?, 0, ?, ?, ?) ON CONFLICT (folder_id) DO UPDATE SET
    state = excluded.state, n_other = excluded.n_other, is_watched = excluded.is_watched,
    looked_at = ifnull(excluded.looked_at, looked_at), every_seconds = excluded.every_seconds
"""
_IS_STRANGE = "folder_id NOT IN (SELECT value FROM json_each(?))"
_STRANGE = f"SELECT sequence FROM pages WHERE {_IS_STRANGE}"  # noqa: S608 - our own
_ALL_COUNTS = "SELECT (SELECT count(*) FROM passage_vectors), (SELECT count(*) FROM passages)"
_DROP_STRANGE = [
    f"DELETE FROM {table} WHERE {_IS_STRANGE}"  # noqa: S608 - our own
    for table in ("folder_looks", "page_changes")
]
_COUNTS = (
    "SELECT (SELECT count(*) FROM passage_vectors WHERE model_id = ?),"
    " (SELECT count(*) FROM passages)"
)


class SqliteWorldIndex:
    """The ``WorldIndex`` of one workspace."""

    def __init__(self, file: WorldFile) -> None:
        self._file = file
        self._resident: ResidentCache[VectorSnapshot] = ResidentCache()
        self._read: _ReadPages = (None, {})

    def settle(
        self,
        folder: WorldFolder,
        stamps: Sequence[FileStamp],
        read: Callable[[FileStamp], ReadPage],
        *,
        at: datetime,
        report: Callable[[int, int], None],
        goes_on: Callable[[], bool],
    ) -> tuple[PageChange, ...]:
        settling = Settling(self._file, folder.id, read, at)
        settling.run(stamps, report, goes_on)
        with self._file.writing() as connection:
            connection.execute(
                "UPDATE folder_looks SET n_left_out = ? WHERE folder_id = ?",
                (settling.n_left_out, folder.id),
            )
        return tuple(settling.changes)

    def note_look(self, folder_id: str, note: LookNote) -> None:
        state, n_other, looked_at, is_watched, every_seconds = note
        at = to_ms_or_none(looked_at)
        with self._file.writing() as connection:
            connection.execute(
                _PUT_LOOK, (folder_id, state, n_other, at, is_watched, every_seconds)
            )

    def search(
        self, query: WorldQuery, folders: Sequence[WorldFolder], meaning: PageMeaning
    ) -> WorldAnswer:
        from inklings_desktop.storage.world.page_search import PageSearch

        with self._file.reading() as view:

            def snapshot() -> VectorSnapshot:
                # numpy is paid for by the first who looks for meaning
                from inklings_desktop.storage.world.passage_vectors import snapshot_of

                return snapshot_of(view, self._resident, meaning.model_id)

            known = self._pages_read(view, folders)
            hits = PageSearch(view, query, folders, meaning, snapshot, known).hits()
            ((n_compared, n_all),) = view.rows(_COUNTS, (meaning.model_id,))
            states = {row[0] for one in folders for row in view.rows(_LOOK, (one.id,))}
        return WorldAnswer(hits, n_compared / max(n_all, 1), bool(states & MISSING_STATES))

    def pages(
        self, *, folder_id: str = "", under: str = "", limit: int = 500, after: str = ""
    ) -> tuple[Page, ...]:
        under = under.strip("/")
        values = (folder_id or None, after, under, under, under, limit)
        return self._found(_PAGES, values)

    def named(self, key: str) -> tuple[Page, ...]:
        plain = key.strip().strip("/")
        return self._found(_EXACT, (key, plain)) or self._found(_NAMED, (name_key(plain),))

    def page(self, page_id: str) -> WholePage:
        with self._file.reading() as view:
            rows = view.rows(f"{_SELECT} p.id = ?", (page_id,))
            if not rows:
                raise NotFoundError("page", page_id)
            sequence, page = rows[0][0], page_of(rows[0])
            return WholePage(
                page,
                tuple(map(block_of, view.rows(BLOCKS_OF_PAGE, page_range(sequence)))),
                tuple(map(link_of, view.rows(_LINKS, (sequence,)))),
                tuple(map(page_of, view.rows(_LINKED_FROM, (sequence, sequence, page.folder_id)))),
            )

    def block_page(self, block_id: str) -> WholePage:
        found = self.blocks([block_id])
        if block_id not in found:
            raise NotFoundError("block", block_id)
        return self.page(found[block_id][0].id)

    def changes(self, since: int, limit: int) -> tuple[PageChange, ...]:
        with self._file.reading() as view:
            rows = view.rows(
                "SELECT * FROM page_changes WHERE number > ? ORDER BY number LIMIT ?",
                (since, limit),
            )
        return tuple(map(change_of, rows))

    def blocks(self, ids: Collection[str]) -> Mapping[str, tuple[Page, Block]]:
        asked = {_bytes_of(one): one for one in ids}
        found: dict[str, tuple[Page, Block]] = {}
        with self._file.reading() as view:
            for row in view.rows(_BLOCKS_BY_ID, (json.dumps([one.hex() for one in asked]),)):
                n_columns = len(row) - len(BLOCK_COLUMNS.split(","))
                block = block_of(row[n_columns:])
                found[asked[_bytes_of(block.id)]] = page_of(row[:n_columns]), block
        return found

    def passages_sharing(self, words: Sequence[str], limit: int) -> tuple[tuple[str, str], ...]:
        expression = match_expression(KeywordQuery(tuple(map(folded, words))))
        if expression is None:
            return ()
        found = []
        with self._file.reading() as view:
            for row in view.rows(_SHARING, (f"{{body}} : ({expression})", limit)):
                passage = FoundPassage(*row)
                if blocks := passage.blocks(view):
                    best = max(blocks, key=lambda one: _n_shared(one.text, words))
                    found.append((best.id, passage.text(blocks)))
        return tuple(found)

    def knows_name(self, name: str) -> bool:
        if not any(True for _ in phrase_runs(name)):
            return False
        asked = "SELECT 1 FROM passage_fts WHERE passage_fts MATCH ? LIMIT 1"
        with self._file.reading() as view:
            return bool(view.rows(asked, (phrase_expression([name]),)))

    def looks(self, folders: Sequence[WorldFolder]) -> tuple[FolderLook, ...]:
        with self._file.reading() as view:
            return tuple(_look_at(view, one) for one in folders)

    def without_vector(self, model_id: str, limit: int) -> tuple[tuple[str, str], ...]:
        from inklings_desktop.storage.world.passage_vectors import texts_without

        with self._file.reading() as view:
            ((n_made, n_all),) = view.rows(_COUNTS, (model_id,))
            found = texts_without(view, model_id, limit) if n_made < n_all else []
        return tuple((str(number), text) for number, text in found)

    def put_vectors(self, model_id: str, made: Sequence[tuple[str, FloatVector]]) -> None:
        from inklings_desktop.storage.world.passage_vectors import put_vectors

        with self._file.writing() as connection:
            put_vectors(connection, model_id, [(int(id_), vector) for id_, vector in made])

    def vector_counts(self, model_id: str) -> tuple[int, int]:
        with self._file.reading() as view:
            ((n_made, n_all),) = view.rows(_COUNTS, (model_id,))
        return n_made, n_all

    def look_notes(self) -> Mapping[str, LookNote]:
        with self._file.reading() as view:
            rows = view.rows(_NOTES)
        return {
            folder_id: LookNote(state, n_other, from_ms_or_none(at), bool(is_watched), every)
            for folder_id, state, n_other, at, is_watched, every in rows
        }

    def note_reading(self, page_id: str) -> None:
        with self._file.writing() as connection:
            connection.execute("UPDATE meta SET page_read = ?", (page_id,))

    def page_read(self) -> Page | None:
        return next(iter(self._found(_READ, ())), None)

    def keep_folders(self, folder_ids: Collection[str]) -> None:
        wanted = (json.dumps(list(folder_ids)),)
        with self._file.reading() as view:
            if not view.rows(_STRANGE, wanted):
                return
        with self._file.writing() as connection:
            pages = [one for (one,) in connection.execute(_STRANGE, wanted)]
            for sequence in pages:
                drop_passages(connection, passages_of_page(connection, sequence))
            drop_pages(connection, pages)
            for statement in _DROP_STRANGE:
                connection.execute(statement, wanted)

    def drop(self) -> None:
        self._resident.clear()
        self._file.drop()

    def close(self) -> None:
        """Let go of the file until it is used again."""
        self._resident.clear()
        self._file.close()

    def _pages_read(
        self, view: View, folders: Sequence[WorldFolder]
    ) -> dict[int, tuple[Page, Axes]]:
        """Pages that earlier searches read, while nothing has changed since."""
        state = view.counters(), {one.id: one.rules for one in folders}
        was, known = self._read
        if was != state or len(known) > PAGES_READ:
            known = {}
            self._read = state, known
        return known

    def _found(self, text: str, values: Sequence[Any]) -> tuple[Page, ...]:
        with self._file.reading() as view:
            return tuple(map(page_of, view.rows(text, values)))


class SqliteWorldIndexes:
    """The ``WorldIndexes`` of one data root; safe to use from any thread."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self._root, self._clock = root, clock
        self._lock = threading.Lock()
        self._made: dict[str, SqliteWorldIndex] = {}

    def of(self, workspace_id: str) -> SqliteWorldIndex:
        with self._lock:
            if workspace_id not in self._made:
                file = WorldFile(self._root, workspace_id, lambda: to_ms(self._clock()))
                self._made[workspace_id] = SqliteWorldIndex(file)
            return self._made[workspace_id]

    def let_go(self, workspace_id: str) -> None:
        """Close the index of one."""
        with self._lock:
            held = self._made.pop(workspace_id, None)
        if held is not None:
            held.close()

    def close(self) -> None:
        """Close all of them."""
        for workspace_id in list(self._made):
            self.let_go(workspace_id)


def _look_at(view: View, folder: WorldFolder) -> FolderLook:
    by_state = {PageState(state): n for state, n in view.rows(_STATES, (folder.id,))}
    n_pages = by_state.pop(PageState.READ, 0)
    ((n_compared, n_passages),) = view.rows(_ALL_COUNTS)
    if 0 < n_compared < n_passages:  # only then folders differ, and have to be looked through
        ((n_passages, n_compared),) = view.rows(_COMPARED, (folder.id,))
    looks = view.rows(_LOOK, (folder.id,)) or [("unread", 0, 0, None, 0, 0.0)]
    state, n_other, n_left_out, looked_at, is_watched, every_seconds = looks[0]
    return FolderLook(
        folder,
        state,
        n_pages,
        by_state,
        n_left_out,
        n_other,
        n_compared / max(n_passages, 1),
        from_ms_or_none(looked_at),
        "watched" if is_watched else "looked_at",
        every_seconds,
    )


def _bytes_of(id_: str) -> bytes:
    """A block's id as it is stored; what is no id finds nothing."""
    try:
        return UUID(id_).bytes
    except ValueError:
        return b""


def _n_shared(text: str, words: Sequence[str]) -> int:
    plain = folded(text)
    return sum(folded(one) in plain for one in words)
