"""What ranking weighs of some memories, read without their rows."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.likeness import cosines_to
from inklings_desktop.domain.search.hits import Trait, Traits, joined
from inklings_desktop.storage.rows.memories import tags_of, vectors_of
from inklings_desktop.storage.rows.snapshot import TOUCHED
from inklings_desktop.storage.search.side_file.side_file import NONSENSE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.search.hits import Candidates
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.figures import FiguresIndex, Weighed
    from inklings_desktop.storage.search.resident import ResidentCache
    from inklings_desktop.storage.search.side_file.side_file import SideFile
    from inklings_desktop.storage.search.vector_snapshot import VectorSnapshot

_OWN = f"""
SELECT m.id, m.tier, m.scope_key, m.tags, m.source_conversation, m.importance, {TOUCHED},
    m.access_count, m.pinned, m.said"""
_WANTED = "WHERE m.forgotten_at IS NULL AND m.paused = 0"
_TRAITS = f"""
{_OWN}, NULL, NULL FROM json_each(?) wanted JOIN memories m ON m.sequence = wanted.value {_WANTED}
"""
_WITH_VECTORS = f"""
{_OWN}, v.dimension, v.vector FROM json_each(?) wanted JOIN memories m ON m.sequence = wanted.value
LEFT JOIN memory_vectors v ON v.sequence = m.sequence AND v.model_id = ? {_WANTED}
"""
_WEIGHED = f"""
SELECT sequence, importance, {TOUCHED}, access_count, pinned
FROM json_each(?) JOIN memories ON sequence = value
"""  # noqa: S608 - our own
_SAID = """
SELECT id, content, tier, scope_key, said FROM memories
WHERE id IN (SELECT value FROM json_each(?))
"""


class SqliteTraitsReader:
    """The ``TraitsReader`` of one transaction."""

    def __init__(
        self,
        transaction: Snapshot,
        vectors: ResidentCache[VectorSnapshot],
        figures: Callable[[], FiguresIndex],
        side_file: SideFile,
        *,
        is_settled: bool,
    ) -> None:
        """Read what is resident from there, the rest from the file.

        Args:
            vectors: The vectors kept for this file.
            figures: Has the arrays behind relevance.
            is_settled: Whether those that are not kept are made: a search that comes alone, or
                after a change, would make them of a whole scope key for a few dozen memories.
            side_file: Where the vectors may lie.
        """
        self._transaction = transaction
        self._vectors = vectors
        self._figures = figures
        self._is_settled = is_settled
        self._side_file = side_file

    def of(
        self, scope: ScopeKey, found: Candidates, model_id: str, vector: FloatVector | None
    ) -> Traits:
        """Traits of the retrievable ones among a scope key's candidates."""
        traits = Traits()
        try:
            traits = self._resident(scope, found, model_id, vector)
        except NONSENSE:
            self._side_file.refuse()
            self._vectors.clear()
        if len(traits) == len(found):
            return traits
        known = set(traits.ids)
        missing = [
            sequence
            for id_, sequence in zip(found.ids, found.sequences, strict=True)
            if id_ not in known
        ]
        stored = self._stored(scope, missing, model_id, vector)
        return joined([traits, stored]) if known else stored

    def texts_of_repeats(self, ids: Sequence[str]) -> dict[str, str]:
        rows = self._transaction.rows(_SAID, (json.dumps(list(ids)),))
        times = Counter([row[2:] for row in rows])
        return {row[0]: row[1] for row in rows if times[row[2:]] > 1}

    def _resident(
        self, scope: ScopeKey, found: Candidates, model_id: str, vector: FloatVector | None
    ) -> Traits:
        """Those that are in the resident arrays, which hold no texts."""
        snapshot = self._vectors.at_hand(self._transaction, (scope, model_id))
        if snapshot is None:
            return Traits()
        sequences, abouts, said = snapshot.known(found.sequences)
        if not sequences:
            return Traits()
        if sequences == found.sequences:
            ids, cosines = found.ids, found.cosines
        else:
            places = dict(zip(found.sequences, range(len(found)), strict=True))
            ids = [found.ids[places[one]] for one in sequences]
            cosines = [found.cosines[places[one]] for one in sequences]
        if vector is not None and None in cosines:
            unknown = [
                one for one, cosine in zip(sequences, cosines, strict=True) if cosine is None
            ]
            further = snapshot.cosines(vector, unknown)
            cosines = [
                further[one] if cosine is None else cosine
                for one, cosine in zip(sequences, cosines, strict=True)
            ]
        weighed = self._weighed(scope, sequences)
        return Traits(
            ids,
            [scope] * len(ids),
            [one.tags for one in abouts],
            [one.conversation for one in abouts],
            weighed.importance,
            weighed.touched,
            weighed.access_count,
            weighed.pinned,
            said,
            cosines,
        )

    def _weighed(self, scope: ScopeKey, sequences: Sequence[int]) -> Weighed:
        from inklings_desktop.storage.search.figures import Weighed

        figures = self._figures()
        if self._is_settled:
            figures.of_scopes([scope])
        weighed = figures.weighed(scope, sequences)
        if weighed is not None:
            return weighed
        rows = self._transaction.rows(_WEIGHED, (json.dumps(sequences),))
        places = {sequence: figures for sequence, *figures in rows}
        importance, touched, counts, pinned = zip(*map(places.__getitem__, sequences), strict=True)
        return Weighed(list(importance), list(touched), list(counts), list(map(bool, pinned)))

    def _stored(
        self,
        scope: ScopeKey,
        sequences: Sequence[int],
        model_id: str,
        vector: FloatVector | None,
    ) -> Traits:
        wanted = json.dumps(sequences)
        if vector is None:
            rows = self._transaction.rows(_TRAITS, (wanted,))
            cosines: list[float | None] = [None] * len(rows)
        else:
            rows = self._transaction.rows(_WITH_VECTORS, (wanted, model_id))
            cosines = _stored_cosines(vector, vectors_of([row[-2:] for row in rows]))
        return Traits.of({
            id_: Trait(
                scope, tags_of(tags), conversation, importance, touched, n_reads, bool(pinned),
                said, cosine,
            )
            for (
                id_, tier, key, tags, conversation, importance, touched, n_reads, pinned, said, *_,
            ), cosine in zip(rows, cosines, strict=True)
            if (tier, key) == (scope.tier.value, scope.key)
        })  # fmt: skip


def _stored_cosines(
    query: FloatVector, vectors: Sequence[FloatVector | None]
) -> list[float | None]:
    import numpy as np

    found: list[float | None] = [None] * len(vectors)
    fitting = [
        (place, one)
        for place, one in enumerate(vectors)
        if one is not None and one.shape == query.shape
    ]
    if fitting:
        places, rows = zip(*fitting, strict=True)
        for place, cosine in zip(places, cosines_to(query, np.array(rows)), strict=True):
            found[place] = cosine
    return found
