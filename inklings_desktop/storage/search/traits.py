"""What ranking weighs of some memories, read without their rows."""

from __future__ import annotations

import json
from itertools import repeat
from typing import TYPE_CHECKING

from inklings_desktop.domain.search.ranking import Traits
from inklings_desktop.storage.rows.memories import from_ms, tags_of, vectors_of
from inklings_desktop.storage.rows.snapshot import TOUCHED
from inklings_desktop.storage.search.side_file.side_file import NONSENSE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.figures import FiguresIndex, Weighed
    from inklings_desktop.storage.search.resident import ResidentCache
    from inklings_desktop.storage.search.side_file.side_file import SideFile
    from inklings_desktop.storage.search.vector_snapshot import VectorSnapshot

_OWN = f"""
SELECT id, tier, scope_key, tags, source_conversation, importance, {TOUCHED}, access_count, pinned,
    said"""
_WANTED = """
WHERE id IN (SELECT value FROM json_each(?)) AND forgotten_at IS NULL AND paused = 0
"""
_TRAITS = f"{_OWN}, 0, NULL FROM memories {_WANTED}"
_WITH_VECTORS = f"""
{_OWN}, dimension, vector
FROM memories m LEFT JOIN memory_vectors v ON v.sequence = m.sequence AND v.model_id = ?
{_WANTED}"""
_WEIGHED = f"""
SELECT sequence, importance, {TOUCHED}, access_count, pinned
FROM json_each(?) JOIN memories ON sequence = value
"""  # noqa: S608 - our own
_REPEATS = """
WITH wanted AS (SELECT value FROM json_each(?))
SELECT id, content FROM memories WHERE id IN wanted AND (tier, scope_key, said) IN (
    SELECT tier, scope_key, said FROM memories WHERE id IN wanted
    GROUP BY tier, scope_key, said HAVING count(*) > 1
)
"""


class SqliteTraitsReader:
    """The ``TraitsReader`` of one transaction."""

    def __init__(
        self,
        transaction: Snapshot,
        vectors: ResidentCache[VectorSnapshot],
        figures: Callable[[], FiguresIndex] | None,
        side_file: SideFile,
    ) -> None:
        """Read what is resident from there, the rest from the file.

        Args:
            transaction: Open.
            vectors: The vectors kept for this file.
            figures: Makes the arrays behind relevance; None to read rows instead: a search that
                comes alone, or after a change, would make them of a whole scope key for a few
                dozen memories.
            side_file: Where the vectors may lie.
        """
        self._transaction = transaction
        self._vectors = vectors
        self._figures = figures
        self._side_file = side_file

    def of(
        self,
        scopes: Sequence[ScopeKey],
        ids: Sequence[str],
        model_id: str,
        *,
        with_vectors: bool = True,
    ) -> dict[str, Traits]:
        """Traits of the retrievable ones among these memories, with their vectors if wanted."""
        if not ids:
            return {}
        try:
            found = self._resident(scopes, ids, model_id)
        except NONSENSE:
            self._side_file.refuse()
            self._vectors.clear()
            found = {}
        if len(found) == len(ids):
            return found
        missing = [one for one in ids if one not in found]
        return found | self._stored(scopes, missing, model_id if with_vectors else None)

    def texts_of_repeats(self, ids: Sequence[str]) -> dict[str, str]:
        """What those of these memories say that may say the same as another of them."""
        return dict(self._transaction.rows(_REPEATS, (json.dumps(list(ids)),)))

    def _resident(
        self, scopes: Sequence[ScopeKey], ids: Sequence[str], model_id: str
    ) -> dict[str, Traits]:
        """Those that are in the resident arrays, which hold no texts."""
        found: dict[str, Traits] = {}
        for scope in dict.fromkeys(scopes):
            snapshot = self._vectors.at_hand(self._transaction, (scope, model_id))
            if snapshot is None:
                continue
            known = snapshot.known(ids)
            if not known.ids:
                continue
            weighed = self._weighed(scope, known.sequences)
            columns = zip(
                repeat(scope, len(known.ids)),
                [one.tags for one in known.abouts],
                [one.conversation for one in known.abouts],
                weighed.importance,
                map(from_ms, weighed.touched),
                weighed.access_count,
                weighed.pinned,
                known.vectors,
                known.said,
                strict=True,
            )
            found.update(zip(known.ids, map(Traits._make, columns), strict=True))
        return found

    def _weighed(self, scope: ScopeKey, sequences: Sequence[int]) -> Weighed:
        from inklings_desktop.storage.search.figures import Weighed

        if self._figures is not None:
            return self._figures().of_scopes([scope]).of_sequences(sequences)
        rows = self._transaction.rows(_WEIGHED, (json.dumps(sequences),))
        places = {sequence: figures for sequence, *figures in rows}
        importance, touched, counts, pinned = zip(*map(places.__getitem__, sequences), strict=True)
        return Weighed(list(importance), list(touched), list(counts), list(map(bool, pinned)))

    def _stored(
        self, scopes: Sequence[ScopeKey], ids: Sequence[str], model_id: str | None
    ) -> dict[str, Traits]:
        wanted = json.dumps(list(ids))
        if model_id is None:
            rows = self._transaction.rows(_TRAITS, (wanted,))
        else:
            rows = self._transaction.rows(_WITH_VECTORS, (model_id, wanted))
        vectors: Sequence[FloatVector | None] = [None] * len(rows)
        if any(row[-1] is not None for row in rows):
            vectors = vectors_of([(row[-2] or 0, row[-1]) for row in rows])
        asked = {(scope.tier.value, scope.key): scope for scope in scopes}
        found: dict[str, Traits] = {}
        for row, vector in zip(rows, vectors, strict=True):
            (
                id_, tier, scope_key, tags, conversation, importance, touched_ms, access_count,
                pinned, said, _dimension, _blob,
            ) = row  # fmt: skip
            scope = asked.get((tier, scope_key))
            if scope is not None:
                found[id_] = Traits(
                    scope,
                    tags_of(tags),
                    conversation,
                    importance,
                    from_ms(touched_ms),
                    access_count,
                    bool(pinned),
                    vector,
                    said,
                )
        return found
