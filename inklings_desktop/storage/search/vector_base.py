"""The vectors of a file as its side file holds them: nothing is read before it is asked for.

A scan looks at some rotated dimensions of every vector first, and compares the best of those
exactly. Where that was measured to miss too much, or there are few, every vector is compared.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from inklings_desktop.domain.likeness.likeness import cosines_to
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.hits import NO_HITS, Hits

if TYPE_CHECKING:
    import numpy.typing as npt

    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector

    Mask = npt.NDArray[np.bool_]
    Integers = npt.NDArray[np.integer[Any]]

SHORT = 96
"""Rotated dimensions that are looked at first."""
FEWEST_FOR_SHORT = 4_000
"""Fewer are compared whole."""
FEW = 8
"""Where no more than one row in so many counts, no other is read."""
LOOKED_AT, FEWEST_LOOKED_AT = 7, 300
"""Of so many times those wanted, and of so many at least, the vectors are compared exactly: of
7,800 real texts and questions .998 of the nearest 30 and of the nearest 60 are found (measured)."""
NEEDED_RECALL = 0.995
N_TRIED, N_NEAREST = 64, 30
MOST_FITTED = 8_192
"""Rows that a rotation is made from; of more, every so-manieth."""
ROUGHNESS = 1e-5
"""Products in single precision are right to within this."""


class About(NamedTuple):
    """What a memory is about and where it was written; memories that agree share one of these."""

    tags: tuple[str, ...]
    conversation: str | None


class Known(NamedTuple):
    """What is held of some memories, column by column.

    Attributes:
        sequences: Of the memories; all that follows is in the same order.
        abouts: What they are about.
        said: Keys of what they say.
    """

    sequences: list[int]
    abouts: list[About]
    said: list[bytes]


class Texts(Sequence[str]):
    """Texts that lie one after the other in a file."""

    def __init__(self, line: npt.NDArray[np.uint8], bounds: Integers) -> None:
        """Cut a line of UTF-8 where these bounds are; int64, shape (n_texts + 1,)."""
        self._line, self._bounds = line, bounds

    @classmethod
    def arrays(cls, texts: Sequence[str]) -> tuple[npt.NDArray[np.uint8], Integers]:
        """The line and the bounds of these texts."""
        coded = [one.encode(errors="surrogatepass") for one in texts]
        bounds = np.concatenate([[0], np.cumsum([len(one) for one in coded], dtype=np.int64)])
        return np.frombuffer(b"".join(coded), np.uint8), bounds.astype(np.int64)

    def __len__(self) -> int:
        return len(self._bounds) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        coded = self._line[self._bounds[place] : self._bounds[place + 1]].tobytes()
        return coded.decode(errors="surrogatepass")


class Ids(Sequence[str]):
    """Ids of one length at most, as one array of bytes.

    Attributes:
        coded: Bytes, shape (n_ids,): UTF-8.
    """

    def __init__(self, coded: npt.NDArray[np.bytes_]) -> None:
        self.coded = coded

    def __len__(self) -> int:
        return len(self.coded)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return texts_of(self.coded[place])
        return str(self.coded[place].decode())


def coded_ids(ids: Sequence[str], places: Integers) -> npt.NDArray[np.bytes_]:
    """Some ids as bytes, whose order is that of the texts."""
    if isinstance(ids, Ids):
        return ids.coded[places]
    return np.array([ids[place].encode() for place in places.tolist()], np.bytes_)


def texts_of(coded: npt.NDArray[np.bytes_]) -> list[str]:
    """Ids as texts."""
    return [one.decode() for one in coded.tolist()]


def passing(names: Sequence[str], visible_to: frozenset[str] | None) -> Mask | None:
    """Which codes of walls may be found: bool, shape (n_names + 1,); None where all may.

    Args:
        names: Walls by their codes, from 1; 0 is no wall.
        visible_to: Walls behind which it is asked; None sees every row.
    """
    if visible_to is None or visible_to.issuperset(names):
        return None
    return np.array([True, *(one in visible_to for one in names)])


@dataclass(frozen=True, eq=False)
class FileVectors:
    """Every usable vector of one model in a file, scope key by scope key, in order of sequence.

    Attributes:
        model_id: Of every vector.
        ids: Bytes, shape (n_rows,).
        scopes: Tier and scope key, in the order of their rows.
        bounds: Where the rows of each scope key begin, and where the last ones end.
        sequences: int64, shape (n_rows,).
        agents: int32, shape (n_rows,): 0 for shared, else the place in ``agent_names`` + 1.
        agent_names: Agents with private entries.
        abouts: What memories are about, as JSON: each once.
        about: int32, shape (n_rows,): a place in ``abouts``.
        said: uint8, shape (n_rows, length of a key): what they say, as keys.
        long: float32, shape (n_rows, dimension); every row of length 1.
        short: float32, shape (n_rows, 96): the rotated rows; no rows where they find too little.
        rotation: float32, shape (dimension, 96).
    """

    model_id: str
    ids: npt.NDArray[np.bytes_]
    scopes: Sequence[tuple[str, str]]
    bounds: Sequence[int]
    sequences: Integers
    agents: Integers
    agent_names: tuple[str, ...]
    abouts: Sequence[str]
    about: Integers
    said: npt.NDArray[np.uint8]
    long: FloatMatrix
    short: FloatMatrix
    rotation: FloatMatrix

    @cached_property
    def _abouts(self) -> dict[int, About]:
        return {}

    def abouts_at(self, places: Sequence[int]) -> list[About]:
        """What memories are about, by their places in ``abouts``."""
        known = self._abouts
        try:
            return [known[place] for place in places]
        except KeyError:
            for place in set(places).difference(known):
                tags, conversation = json.loads(self.abouts[place])
                known[place] = About(tuple(tags), conversation)
        return [known[place] for place in places]

    def of_scope(self, tier: str, scope_key: str) -> VectorBase:
        """The vectors of one scope key; none of one that has none."""
        at = bisect_left(self.scopes, (tier, scope_key))
        if at < len(self.scopes) and self.scopes[at] == (tier, scope_key):
            return VectorBase(self, self.bounds[at], self.bounds[at + 1])
        return VectorBase(self, 0, 0)


@dataclass(frozen=True, eq=False)
class VectorBase:
    """The vectors of one scope key: some rows of a file's.

    Attributes:
        file: All of them.
        first: The first row.
        end: The one after the last.
    """

    file: FileVectors
    first: int
    end: int

    def __len__(self) -> int:
        return self.end - self.first

    @cached_property
    def sequences(self) -> Integers:
        """int64, shape (n_rows,), rising."""
        return self.file.sequences[self.first : self.end]

    @cached_property
    def agents(self) -> Integers:
        """int32, shape (n_rows,)."""
        return self.file.agents[self.first : self.end]

    @cached_property
    def long(self) -> FloatMatrix:
        """float32, shape (n_rows, dimension)."""
        return self.file.long[self.first : self.end]

    @property
    def short(self) -> FloatMatrix:
        """float32, shape (n_rows, 96), where the file has them."""
        return self.file.short[self.first : self.end]

    @cached_property
    def ids(self) -> Ids:
        """Of the memories."""
        return Ids(self.file.ids[self.first : self.end])

    def without(self, alive: Mask, sequences: Integers) -> Mask:
        """Which rows are left of those alive, without these memories."""
        places = self._rows_of(sequences)
        if not len(places):
            return alive
        left = alive.copy()
        left[places] = False
        return left

    def _rows_of(self, sequences: Integers) -> Integers:
        """The rows of those of these memories that are here, counted from the first."""
        if not len(self):
            return np.empty(0, np.int64)
        places = np.minimum(self.sequences.searchsorted(sequences), len(self) - 1)
        found: Integers = places[self.sequences[places] == sequences]
        return found

    def known(self, sequences: Integers, alive: Mask) -> Known:
        """What is held of those of these memories that are here and alive."""
        file, rows = self.file, self._living(sequences, alive)
        return Known(
            file.sequences[rows].tolist(),
            file.abouts_at(file.about[rows].tolist()),
            file.said.take(rows, axis=0).view(f"V{file.said.shape[1]}").ravel().tolist(),
        )

    def vectors(self, sequences: Integers, alive: Mask) -> tuple[list[int], FloatMatrix]:
        """Those of these memories that are here and alive, and their vectors."""
        rows = self._living(sequences, alive)
        return self.file.sequences[rows].tolist(), self.file.long.take(rows, axis=0)

    def _living(self, sequences: Integers, alive: Mask) -> Integers:
        """The rows of the file of those that are here and alive."""
        rows = self._rows_of(sequences)
        living: Integers = self.first + rows[alive[rows]]
        return living


def nearest(
    bases: Sequence[VectorBase], masks: Sequence[Mask], vector: FloatVector, n_wanted: int
) -> list[Hits]:
    """The most similar rows of some scope keys together, those with equal cosines included.

    Args:
        bases: Of each scope key.
        masks: Which of its rows count.
        vector: float32, shape (dimension,), length 1.
        n_wanted: How many of all of them.

    Returns:
        Those of each scope key, best first; equal cosines by id.
    """
    n_left = sum(int(np.count_nonzero(mask)) for mask in masks)
    if not n_left or n_wanted <= 0:
        return [NO_HITS for _ in bases]
    n_looked_at = max(FEWEST_LOOKED_AT, LOOKED_AT * n_wanted)
    n_rows = sum(map(len, bases))
    if n_left <= n_looked_at and FEW * n_left <= n_rows:
        looked_at: list[Integers] = [np.flatnonzero(mask) for mask in masks]
    else:
        are_many = n_looked_at < n_left and n_rows >= FEWEST_FOR_SHORT
        if are_many and all(len(one.file.short) for one in bases):
            figures = [one.short @ (vector @ one.file.rotation) for one in bases]
        else:
            figures, n_looked_at = [one.long @ vector for one in bases], n_wanted
        looked_at = _highest_of_each(figures, masks, n_looked_at)
    rows = [one.long.take(places, axis=0) for one, places in zip(bases, looked_at, strict=True)]
    if n_looked_at > n_wanted:
        best = _highest_of_each([some @ vector for some in rows], None, n_wanted)
        looked_at = [places[of_them] for places, of_them in zip(looked_at, best, strict=True)]
        rows = [some.take(of_them, axis=0) for some, of_them in zip(rows, best, strict=True)]
    found = []
    for one, places, some in zip(bases, looked_at, rows, strict=True):
        ids, sequences = one.file.ids[one.first + places], one.sequences[places]
        found.append(hits_of(some, sequences, ids, vector, n_wanted))
    return found


def _highest_of_each(
    figures: Sequence[FloatVector], masks: Sequence[Mask] | None, n: int
) -> list[Integers]:
    """The places of the highest of all these figures, in each array of them."""
    mask = None if masks is None else np.concatenate(masks)
    places = highest(np.concatenate(figures), mask, n)
    begins = np.cumsum([0, *map(len, figures[:-1])])
    parts = np.split(places, places.searchsorted(begins[1:]))
    return [part - begin for part, begin in zip(parts, begins.tolist(), strict=True)]


def hits_of(
    rows: FloatMatrix,
    sequences: Integers,
    ids: npt.NDArray[np.bytes_],
    vector: FloatVector,
    n_wanted: int,
) -> Hits:
    """The nearest of some rows, best first; equal cosines by id."""
    cosines = np.array(cosines_to(vector, rows))
    order = np.lexsort((ids, -cosines))[:n_wanted]
    return Hits(texts_of(ids[order]), cosines[order].tolist(), sequences[order].tolist())


def highest(figures: FloatVector, mask: Mask | None, n: int) -> Integers:
    """Places of the highest of these figures, and of those that may be equal to the last.

    Args:
        figures: float32, shape (n_rows,).
        mask: bool, shape (n_rows,): which of them count; None for all.
        n: How many at least, if there are as many.
    """
    if mask is not None and not mask.all():
        if np.count_nonzero(mask) <= n:
            return np.flatnonzero(mask)
        figures = np.where(mask, figures, -np.inf)
    last = len(figures) - n
    if last <= 0:
        return np.arange(len(figures))
    cut = np.partition(figures, last)[last]
    found: Integers = (figures >= cut - ROUGHNESS).nonzero()[0]
    return found


def rotation_of(matrix: FloatMatrix) -> FloatMatrix:
    """The directions along which these vectors differ most; float32, shape (dimension, 96)."""
    fitted = matrix[:: max(1, len(matrix) // MOST_FITTED)]
    _, directions = np.linalg.eigh(fitted.T @ fitted)
    return np.ascontiguousarray(directions[:, ::-1][:, :SHORT], np.float32)


def recall_of(matrix: FloatMatrix, short: FloatMatrix) -> float:
    """The share of the nearest 30 of some rows that the short rows bring among the best 300."""
    n_looked_at = FEWEST_LOOKED_AT
    tried = np.linspace(0, len(matrix) - 1, N_TRIED).astype(np.int64)
    n_found = 0
    for row in tried.tolist():
        nearest = np.argpartition(matrix @ matrix[row], -N_NEAREST)[-N_NEAREST:]
        looked_at = np.argpartition(short @ short[row], -n_looked_at)[-n_looked_at:]
        n_found += int(np.isin(nearest, looked_at).sum())
    return n_found / (N_TRIED * N_NEAREST)


def about_text(tags: Sequence[str], conversation: str | None) -> str:
    """Tags and conversation as one of ``abouts``."""
    return json.dumps([tags, conversation], ensure_ascii=False)
