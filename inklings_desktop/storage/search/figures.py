"""What relevance is made of, per scope key, as arrays: sorting by it reads no row twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from inklings_desktop.domain.memories.decay import MS_PER_HOUR, relevances
from inklings_desktop.domain.memory import AUTHOR, Lifetime, MemoryKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.rows.snapshot import TOUCHED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig, FloatArray
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.resident import ResidentCache

    Integers = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

MOST_CHANGED = 200
"""Rows that are set beside kept figures."""
NEVER, SHORT_FIRST, LONG_SECOND = 0, 1, 2
"""Whether the cap may forget a memory, and in which round."""
KINDS = tuple(MemoryKind)
_NOTE = KINDS.index(MemoryKind.NOTE)

_EVICTABLE = f"""
CASE WHEN kind <> '{MemoryKind.NOTE.value}' OR pinned = 1 OR locked = 1
    OR curator = '{AUTHOR}' OR written_by = '{AUTHOR}' THEN {NEVER}
WHEN lifetime = '{Lifetime.LONG_TERM.value}' THEN {LONG_SECOND} ELSE {SHORT_FIRST} END
"""
_KIND = " ".join(f"WHEN '{one.value}' THEN {place}" for place, one in enumerate(KINDS))
_COLUMNS = (
    "sequence",
    "importance",
    TOUCHED,
    "access_count",
    "pinned",
    "forgotten_at IS NULL",
    _EVICTABLE,
    f"lifetime = '{Lifetime.SHORT_TERM.value}'",
    f"{_EVICTABLE} = {NEVER} OR paused = 1",
    "paused",
    f"CASE kind {_KIND} END",
)
_EVERY = f"SELECT {', '.join(_COLUMNS)} FROM memories"  # noqa: S608 - our own
_OF_SCOPE = f"{_EVERY} WHERE tier = ? AND scope_key = ?"
_IN_ORDER = f"{_OF_SCOPE} ORDER BY sequence"
# The index holds what was ever read, and by the bare column the whole table would be walked.
_LATER = "(changed_seq > ? OR read_seq > ? AND read_seq > 0) ORDER BY sequence + 0"
_SINCE = f"{_OF_SCOPE} AND {_LATER}"
_SINCE_IN_FILE = f"{_EVERY} WHERE {_LATER}"


class Weighed(NamedTuple):
    """The figures of some memories that ranking weighs, column by column: lists or arrays.

    Attributes:
        touched: Milliseconds since 1970 from which hours count.
        access_count: Reads by agents.
        pinned: Whether they never fade.
    """

    importance: Sequence[float]
    touched: Sequence[float]
    access_count: Sequence[float]
    pinned: Sequence[bool]


@dataclass(frozen=True, slots=True)
class Figures:
    """One row per memory of a scope key, forgotten ones included, in order of sequence.

    Attributes:
        sequences: int64, shape (n_entries,), rising.
        importance: float64, shape (n_entries,).
        touched: int64, shape (n_entries,): milliseconds since 1970 from which hours count.
        access_count: float64, shape (n_entries,).
        pinned: bool, shape (n_entries,).
        active: bool, shape (n_entries,).
        evictable: int64, shape (n_entries,): never, in the first round, in the second.
        short_term: bool, shape (n_entries,).
        guarded: bool, shape (n_entries,): author-made, pinned, locked, paused, or no note.
        paused: bool, shape (n_entries,).
        kinds: int8, shape (n_entries,): places in ``KINDS``.
    """

    sequences: Integers
    importance: FloatArray
    touched: Integers
    access_count: FloatArray
    pinned: Mask
    active: Mask
    evictable: Integers
    short_term: Mask
    guarded: Mask
    paused: Mask
    kinds: npt.NDArray[np.int8]

    @classmethod
    def of(cls, rows: Sequence[Any]) -> Self:
        """Figures of rows in order of sequence."""
        columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(_COLUMNS)
        return cls(
            np.array(columns[0], np.int64),
            np.array(columns[1], np.float64),
            np.array(columns[2], np.int64),
            np.array(columns[3], np.float64),
            np.array(columns[4], np.bool_),
            np.array(columns[5], np.bool_),
            np.array(columns[6], np.int64),
            np.array(columns[7], np.bool_),
            np.array(columns[8], np.bool_),
            np.array(columns[9], np.bool_),
            np.array(columns[10], np.int8),
        )

    def with_changes(self, changed: Self) -> Self:
        """These figures with changed rows replaced and new ones at the end."""
        is_known = np.isin(changed.sequences, self.sequences)
        places = np.searchsorted(self.sequences, changed.sequences[is_known])

        def merged(old: npt.NDArray[Any], new: npt.NDArray[Any]) -> npt.NDArray[Any]:
            result = np.concatenate([old, new[~is_known]])
            result[places] = new[is_known]
            return result

        return type(self)(
            merged(self.sequences, changed.sequences),
            merged(self.importance, changed.importance),
            merged(self.touched, changed.touched),
            merged(self.access_count, changed.access_count),
            merged(self.pinned, changed.pinned),
            merged(self.active, changed.active),
            merged(self.evictable, changed.evictable),
            merged(self.short_term, changed.short_term),
            merged(self.guarded, changed.guarded),
            merged(self.paused, changed.paused),
            merged(self.kinds, changed.kinds),
        )

    def are(self, kinds: Iterable[MemoryKind]) -> Mask:
        """Which rows are of one of these kinds; bool, shape (n_entries,)."""
        return np.isin(self.kinds, [KINDS.index(one) for one in kinds])

    def relevance(self, rate: float, as_of: datetime) -> FloatArray:
        """Relevance of every row at an instant; float64, shape (n_entries,)."""
        return relevance_at(
            as_of, rate, self.importance, self.touched, self.access_count, self.pinned
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The figures of several scope keys as one."""
        return cls(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in cls.__dataclass_fields__
            )
        )


def relevance_at(
    as_of: datetime,
    rate: float,
    importance: FloatArray,
    touched: Integers,
    access_count: FloatArray,
    pinned: Mask,
) -> FloatArray:
    """Relevance of memories of one tier at an instant; arrays as in ``Figures``."""
    hours = (to_ms(as_of) - touched) / MS_PER_HOUR
    fading = relevances(importance, rate, hours, access_count)
    if not pinned.any():
        return fading
    lasting = relevances(importance, 1.0, hours, access_count)
    result: FloatArray = np.where(pinned, lasting, fading)
    return result


class FiguresIndex:
    """The figures of one file, as one transaction sees them."""

    def __init__(self, transaction: Snapshot, resident: ResidentCache[Figures]) -> None:
        self._transaction = transaction
        self._resident = resident
        self._later: dict[int, Figures] = {}

    def of_scopes(self, scopes: Sequence[ScopeKey]) -> Figures:
        """Figures of these scope keys, one after the other."""
        wanted = [one for one in scopes if one.workspace_id == self._transaction.workspace_id]
        parts = [self._of_scope(scope) for scope in dict.fromkeys(wanted)]
        if len(parts) == 1:
            return parts[0]  # nothing changes them, so nothing is copied
        return Figures.joined(parts) if parts else Figures.of([])

    def weighed(self, scope: ScopeKey, sequences: Sequence[int]) -> Weighed | None:
        """The figures of some memories from a kept state and what changed since, in this order.

        After each write the rows would have to be read anew from the disk, and the arrays of a
        large scope key to be copied.

        Returns:
            None while no state is kept, or when too much has changed.
        """
        kept = self._resident.latest(self._transaction, scope)
        if kept is None or not len(kept[1].sequences):
            return None
        since, figures = kept
        wanted = np.array(sequences, np.int64)
        places = figures.sequences.searchsorted(wanted).clip(max=len(figures.sequences) - 1)
        is_known = figures.sequences[places] == wanted
        columns = [getattr(figures, name)[places] for name in Weighed._fields]
        if since != self._transaction.counters()[0]:
            changed = self._changed(since)
            if len(changed.sequences) > MOST_CHANGED:
                return None
            is_changed = np.isin(wanted, changed.sequences)
            is_known |= is_changed
            newer = np.searchsorted(changed.sequences, wanted[is_changed])
            for name, column in zip(Weighed._fields, columns, strict=True):
                column[is_changed] = getattr(changed, name)[newer]
        if not is_known.all():
            return None
        importance, touched, counts, pinned = columns
        return Weighed(importance, touched, counts, pinned.tolist())

    def set_aside(self, scopes: Sequence[ScopeKey], *, paused: bool, limit: int) -> list[int]:
        """Sequences of what is active and paused, or else of what is forgotten; latest first."""
        figures = self.of_scopes(scopes)
        is_meant = figures.active & figures.paused if paused else ~figures.active
        latest = np.sort(figures.sequences[is_meant])[::-1][:limit]
        return [int(one) for one in latest]

    def n_notes(self, scope: ScopeKey) -> int:
        """Active memories of a scope key that its cap counts."""
        figures = self.of_scopes([scope])
        return int((figures.active & (figures.kinds == _NOTE)).sum())

    def least_relevant(
        self, scope: ScopeKey, limit: int, decay: DecayConfig, as_of: datetime
    ) -> list[int]:
        """Sequences of what the cap may forget, in the order it would."""
        figures = self.of_scopes([scope])
        relevance = figures.relevance(decay.rate(scope.tier), as_of)
        places = np.flatnonzero(figures.active & (figures.evictable != NEVER))
        order = np.lexsort(
            (figures.sequences[places], relevance[places], figures.evictable[places])
        )
        return [int(one) for one in figures.sequences[places][order][:limit]]

    def _of_scope(self, scope: ScopeKey) -> Figures:
        def build() -> Figures:
            return Figures.of(self._rows(scope, None))

        def refresh(earlier: Figures, since: int, _is_next: bool) -> Figures:  # noqa: FBT001
            rows = self._rows(scope, since)
            return earlier.with_changes(Figures.of(rows)) if rows else earlier

        return self._resident.current(self._transaction, scope, build=build, refresh=refresh)

    def _changed(self, since: int) -> Figures:
        """What has changed in the file; a view asks once for all its scope keys."""
        later = self._later.get(since)
        if later is None:
            later = Figures.of(self._transaction.rows(_SINCE_IN_FILE, (since, since)))
            if not self._transaction.is_write:  # which may change what it has asked
                self._later[since] = later
        return later

    def _rows(self, scope: ScopeKey, since: int | None) -> Sequence[Any]:
        of_scope = (scope.tier.value, scope.key)
        if since is None:
            return self._transaction.rows(_IN_ORDER, of_scope)
        return self._transaction.rows(_SINCE, (*of_scope, since, since))
