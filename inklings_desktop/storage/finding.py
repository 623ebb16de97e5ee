"""What is looked for in the memories of one file, with the driver alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inklings_desktop.storage.rows.memories import entry_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.storage.databases import OpenFile
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.figures import FiguresIndex
    from inklings_desktop.storage.search.full_text_index import SqliteFullTextIndex
    from inklings_desktop.storage.search.token_index import SqliteTokenIndex
    from inklings_desktop.storage.search.traits import SqliteTraitsReader
    from inklings_desktop.storage.search.vector_index import SqliteVectorIndex

_BY_IDS = """
SELECT m.*, v.model_id FROM memories m LEFT JOIN memory_vectors v ON v.sequence = m.sequence
WHERE m.id IN (SELECT value FROM json_each(?))
"""


class SqliteFindView:
    """The ``FindView`` of one state of a file.

    What a list does without is imported when it is first asked for: the first page of a window
    would wait for it.
    """

    def __init__(self, file: OpenFile, snapshot: Snapshot) -> None:
        self.file = file
        self._snapshot = snapshot
        self._kept_figures: FiguresIndex | None = None

    @property
    def full_text(self) -> SqliteFullTextIndex:
        from inklings_desktop.storage.search.full_text_index import SqliteFullTextIndex

        return SqliteFullTextIndex(
            self._snapshot,
            self.file.words,
            self.file.selection,
            self._figures,
        )

    @property
    def vectors(self) -> SqliteVectorIndex:
        # numpy is paid for by the first who looks for meaning.
        from inklings_desktop.storage.search.vector_index import SqliteVectorIndex

        return SqliteVectorIndex(
            self._snapshot, self.file.vectors, self.file.selection, self.file.side_file
        )

    @property
    def traits(self) -> SqliteTraitsReader:
        from inklings_desktop.storage.search.traits import SqliteTraitsReader

        return SqliteTraitsReader(
            self._snapshot,
            self.file.vectors,
            self._figures,
            self.file.side_file,
            is_settled=self.file.words.is_settled,
        )

    def wait_for_side_file(self) -> None:
        """Wait until what is made in the background for faster searches is there."""
        self.file.side_file.settle()

    @property
    def tokens(self) -> SqliteTokenIndex:
        from inklings_desktop.storage.search.token_index import SqliteTokenIndex

        return SqliteTokenIndex(self._snapshot)

    def found(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Memories by id; unknown ids are left out."""
        rows = self._snapshot.rows(_BY_IDS, (json.dumps(list(ids)),)) if ids else []
        found = (entry_of(row, self._snapshot.workspace_id) for row in rows)
        return {entry.id: entry for entry in found}

    def _figures(self) -> FiguresIndex:
        if self._kept_figures is None:
            from inklings_desktop.storage.search.figures import FiguresIndex

            self._kept_figures = FiguresIndex(self._snapshot, self.file.figures)
        return self._kept_figures
