"""What is derived from the memories of a file, compared with what it should be, and made again.

Index rows, vectors and counts follow from the memories. Where they no longer do, by a fault or an
edit from outside, a search misses or the cap miscounts: nothing is lost, so a repair makes them
again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.maintenance import LossyText, bare, take_triggers_off
from inklings_desktop.storage.search.full_text_upkeep import put_rows, wrong_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

UNIT_TOLERANCE = 1e-3
"""How far the length of a stored vector may be from 1."""

_KEYS = text("SELECT sequence, content, said FROM memories")
_VECTORS = text("SELECT sequence, dimension, vector FROM memory_vectors")
_WRONG_COUNTS = text(
    # A scope key that never held an active memory, such as a restored one of which all are
    # forgotten, has no row: that counts as none.
    "SELECT count(*) FROM ("
    " SELECT tier, scope_key, count(*) FILTER (WHERE forgotten_at IS NULL) AS active"
    " FROM memories GROUP BY tier, scope_key) AS held"
    " LEFT JOIN scope_counts AS kept USING (tier, scope_key)"
    " WHERE held.active <> ifnull(kept.active, 0)"
)
_STRAY_COUNTS = text(
    "SELECT count(*) FROM scope_counts WHERE active <> 0 AND (tier, scope_key) NOT IN"
    " (SELECT tier, scope_key FROM memories)"
)
_COUNT_AGAIN = text(
    "INSERT INTO scope_counts (tier, scope_key, active)"
    " SELECT tier, scope_key, count(*) FILTER (WHERE forgotten_at IS NULL)"
    " FROM memories GROUP BY tier, scope_key"
)


@dataclass(frozen=True, slots=True)
class Drift:
    """What of a file no longer follows from its memories.

    Attributes:
        rows: Index rows that are missing or wrong, as they should be.
        surplus: Sequences of index rows that should not be there.
        keys: Of the memories whose key for finding repeats is wrong, sequence and right key.
        vectors: Sequences of vectors that are of no use.
        n_counts: Scope keys whose active memories are miscounted.
    """

    rows: Sequence[dict[str, Any]]
    surplus: Sequence[int]
    keys: Sequence[tuple[int, bytes]]
    vectors: Sequence[int]
    n_counts: int

    @property
    def counts(self) -> Mapping[FindingKind, int]:
        """How much of each kind; kinds without any are left out."""
        found = {
            FindingKind.SEARCH_ROWS: len(self.rows) + len(self.surplus) + len(self.keys),
            FindingKind.VECTORS: len(self.vectors),
            FindingKind.COUNTS: self.n_counts,
        }
        return {kind: number for kind, number in found.items() if number}


def drift_of(connection: Connection) -> Drift:
    """What has drifted, as this transaction sees the file."""
    wrong, surplus = wrong_rows(connection)
    n_counts = sum(
        connection.execute(statement).scalar_one() for statement in (_WRONG_COUNTS, _STRAY_COUNTS)
    )
    keys = [
        (sequence, right)
        for sequence, content, said in connection.execute(_KEYS)
        if type(content) is not LossyText and (right := key_of(content)) != said
    ]
    return Drift(wrong, surplus, keys, _bad_vectors(connection), n_counts)


def make_again(connection: Connection, drift: Drift) -> None:
    """Bring everything derived up to date, in this upkeep transaction.

    Vectors of no use are dropped; their memories wait for an embedding again.
    """
    raw = bare(connection)
    triggers = take_triggers_off(raw)
    put_rows(connection, drift.rows, drift.surplus)
    raw.executemany(
        "UPDATE memories SET said = ? WHERE sequence = ?",
        [(right, sequence) for sequence, right in drift.keys],
    )
    if drift.vectors:
        raw.executemany(
            "DELETE FROM memory_vectors WHERE sequence = ?", [(one,) for one in drift.vectors]
        )
    if drift.n_counts:
        raw.execute("DELETE FROM scope_counts")
        connection.execute(_COUNT_AGAIN)
    raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")
    for statement in triggers:
        raw.execute(statement)
    # Whoever holds figures or vectors of the file in memory reads them anew.
    raw.execute("UPDATE meta SET reload_seq = reload_seq + 1")


def _bad_vectors(connection: Connection) -> tuple[int, ...]:
    """Vectors that are cut, not finite, not of unit length, or of no memory."""
    known = {row[0] for row in connection.execute(text("SELECT sequence FROM memories"))}
    return tuple(
        sequence
        for sequence, dimension, vector in connection.execute(_VECTORS)
        if sequence not in known or not _is_usable(dimension, vector)
    )


def _is_usable(dimension: int, vector: object) -> bool:
    if not isinstance(vector, bytes) or len(vector) != 4 * dimension:
        return False
    import numpy as np  # paid for by whoever checks vectors, not by the start of the window

    # Damage makes numbers whose squares only a wider type holds.
    values = np.frombuffer(vector, "<f4").astype(np.float64)
    length = float(np.linalg.norm(values))
    return bool(np.isfinite(values).all()) and abs(length - 1.0) <= UNIT_TOLERANCE
