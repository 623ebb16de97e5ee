"""The vectors of one scope key; immutable, cheap to carry forward."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from inklings_desktop.domain.likeness.likeness import cosines_to
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.hits import NO_HITS, Hits
from inklings_desktop.storage.search.vector_base import (
    About,
    Known,
    coded_ids,
    highest,
    hits_of,
    passing,
)
from inklings_desktop.storage.search.vector_base import nearest as nearest_of_bases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.storage.search.vector_base import VectorBase

    Mask = npt.NDArray[np.bool_]
    Integers = npt.NDArray[np.integer[Any]]

SHARED = 0
GROWTH = 1.5
MAX_DEAD_SHARE = 0.5

NOTHING_SAID = About((), None)


class VectorRow(NamedTuple):
    """One memory as the snapshot needs it; ``vector`` is None when it has no usable one."""

    sequence: int
    id: str
    agent_id: str | None
    vector: FloatVector | None
    about: About = NOTHING_SAID
    said: bytes = b""


class VectorBlock(NamedTuple):
    """Many memories with a usable vector each, for a build that holds no row twice.

    Attributes:
        sequences: Of the memories.
        ids: In the same order.
        agent_ids: Whose private entries they are; None for shared ones.
        about: What they are about.
        said: Keys of what they say.
        matrix: float32, shape (n, dimension); every row of length 1.
    """

    sequences: Sequence[int]
    ids: Sequence[str]
    agent_ids: Sequence[str | None]
    about: Sequence[About]
    said: Sequence[bytes]
    matrix: FloatMatrix


class Rows(NamedTuple):
    """Vectors as one matrix, and whose they are.

    Attributes:
        matrix: float32, shape (n_rows, dimension).
        sequences: Integers, shape (n_rows,).
        agents: Integers, shape (n_rows,): 0 for shared.
        alive: bool, shape (n_rows,).
        ids: Of the memories.
    """

    matrix: FloatMatrix
    sequences: Integers
    agents: Integers
    alive: Mask
    ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class VectorSnapshot:
    """Rows of the side file, and in order of arrival those that came later.

    A changed vector leaves a dead row and comes in at the end. The buffers may be longer than the
    snapshot: what lies beyond ``n_rows`` belongs to a later one, so adding a vector copies no
    matrix. Only ``alive`` is a copy per change.

    Attributes:
        model_id: Model of every vector.
        n_rows: Rows of the buffers that belong to this snapshot.
        buffer: float32, shape (capacity, dimension).
        sequences: int64, shape (capacity,).
        agents: int64, shape (capacity,): 0 for shared, else the place in ``agent_names`` + 1.
        ids: At least ``n_rows`` memory ids.
        about: As many, what the memories are about.
        said: As many keys of what they say.
        places: The newest row of every sequence, shared with later snapshots like the lists.
        alive: bool, shape (n_rows,): whether search may return the row.
        agent_names: Agents with private entries here.
        base: What the side file holds of the scope key; None without one.
        base_alive: bool, shape (rows of the base,).
    """

    model_id: str
    n_rows: int
    buffer: FloatMatrix
    sequences: Integers
    agents: Integers
    ids: list[str]
    about: list[About]
    said: list[bytes]
    places: dict[int, int]
    alive: Mask
    agent_names: tuple[str, ...] = ()
    base: VectorBase | None = None
    base_alive: Mask = field(default_factory=lambda: np.empty(0, np.bool_))

    @classmethod
    def on(cls, base: VectorBase) -> Self:
        """What the side file holds, before anything came later."""
        file = base.file
        return cls(
            file.model_id,
            0,
            np.empty((1, file.long.shape[1]), np.float32),
            np.empty(1, np.int64),
            np.empty(1, np.int64),
            [],
            [],
            [],
            {},
            np.empty(0, np.bool_),
            file.agent_names,
            base,
            np.ones(len(base), np.bool_),
        )

    @classmethod
    def of(cls, model_id: str, rows: Sequence[VectorRow]) -> Self:
        """A snapshot of these rows; those without a vector are left out."""
        lengths = Counter(len(row.vector) for row in rows if row.vector is not None)
        dimension = lengths.most_common(1)[0][0] if lengths else 0
        empty = cls(
            model_id,
            0,
            np.empty((max(len(rows), 1), dimension), np.float32),
            np.empty(max(len(rows), 1), np.int64),
            np.empty(max(len(rows), 1), np.int64),
            [],
            [],
            [],
            {},
            np.empty(0, np.bool_),
        )
        return empty.with_rows(rows, shared_buffers=True)

    @classmethod
    def built(
        cls, model_id: str, capacity: int, dimension: int, blocks: Iterable[VectorBlock]
    ) -> Self:
        """A snapshot of these blocks.

        Args:
            model_id: Model of every vector.
            capacity: Rows to make room for at once; more are taken too.
            dimension: Length of every vector.
            blocks: Taken one after the other, so that they need not be held together.
        """
        grown = cls(
            model_id,
            0,
            np.empty((max(capacity, 1), dimension), np.float32),
            np.empty(max(capacity, 1), np.int64),
            np.empty(max(capacity, 1), np.int64),
            [],
            [],
            [],
            {},
            np.empty(0, np.bool_),
        )
        names: list[str] = []
        for block in blocks:
            begun, total = grown.n_rows, grown.n_rows + len(block.ids)
            grown = grown._with_room(total, shared_buffers=True)
            grown.buffer[begun:total] = block.matrix
            grown.sequences[begun:total] = block.sequences
            grown.agents[begun:total] = [_agent_code(one, names) for one in block.agent_ids]
            grown.ids.extend(block.ids)
            grown.about.extend(block.about)
            grown.said.extend(block.said)
            grown.places.update(zip(block.sequences, range(begun, total), strict=True))
            grown = replace(grown, n_rows=total)
        return replace(grown, alive=np.ones(grown.n_rows, np.bool_), agent_names=tuple(names))

    @property
    def dimension(self) -> int:
        """Length of its vectors; 0 while there are none."""
        return int(self.buffer.shape[1])

    def with_rows(self, rows: Sequence[VectorRow], *, shared_buffers: bool) -> Self:
        """The snapshot after these rows changed.

        Args:
            rows: Changed memories; one without a vector is out of the search from now on.
            shared_buffers: Whether the new rows may be written behind this snapshot's own in the
                same buffers. Only the newest committed snapshot may.
        """
        arriving = [
            row for row in rows if row.vector is not None and len(row.vector) == self.dimension
        ]
        base_alive, gone = self.base_alive, np.array([row.sequence for row in rows], np.int64)
        if self.base is not None:
            base_alive = self.base.without(base_alive, gone)
        if self.n_rows:
            alive = self.alive & ~np.isin(self.sequences[: self.n_rows], gone)
        else:
            alive = self.alive
        total = self.n_rows + len(arriving)
        grown = self._with_room(total, shared_buffers=shared_buffers) if arriving else self
        names = list(grown.agent_names)
        for place, row in enumerate(arriving, start=self.n_rows):
            grown.buffer[place] = row.vector
            grown.sequences[place] = row.sequence
            grown.agents[place] = _agent_code(row.agent_id, names)
            grown.ids.append(row.id)
            grown.about.append(row.about)
            grown.said.append(row.said)
            grown.places[row.sequence] = place
        return replace(
            grown,
            n_rows=total,
            alive=np.concatenate([alive, np.ones(len(arriving), np.bool_)]),
            agent_names=tuple(names),
            base_alive=base_alive,
        )

    @property
    def is_mostly_dead(self) -> bool:
        """Whether a fresh build is better than carrying on."""
        return self.n_rows > 0 and int(self.alive.sum()) < self.n_rows * (1 - MAX_DEAD_SHARE)

    def known(self, sequences: Sequence[int]) -> Known:
        """What is held of those of these memories that are here, in this state."""
        later = self._later(sequences)
        found = Known(
            self.sequences[later].tolist(),
            [self.about[one] for one in later],
            [self.said[one] for one in later],
        )
        if self.base is None or len(later) == len(sequences):
            return found
        base = self.base.known(np.array(sequences, np.int64), self.base_alive)
        if not later:
            return base
        return Known(
            found.sequences + base.sequences, found.abouts + base.abouts, found.said + base.said
        )

    def cosines(self, vector: FloatVector, sequences: Sequence[int]) -> dict[int, float]:
        """How near those of these memories are that are here, in this state."""
        found: dict[int, float] = {}
        later = self._later(sequences)
        if later:
            held = self.sequences[later].tolist()
            found.update(zip(held, cosines_to(vector, self.buffer[later]), strict=True))
        if self.base is not None and len(later) < len(sequences):
            held, vectors = self.base.vectors(np.array(sequences, np.int64), self.base_alive)
            found.update(zip(held, cosines_to(vector, vectors), strict=True))
        return found

    def _later(self, sequences: Sequence[int]) -> list[int]:
        """The rows of the buffers of those that came later."""
        if not self.n_rows:
            return []
        places = [self.places.get(one, self.n_rows) for one in sequences]
        return [one for one in places if one < self.n_rows and self.alive[one]]

    def in_one(self) -> Rows:
        """Every row; those of the side file are copied before what came later."""
        later = Rows(
            self.buffer[: self.n_rows],
            self.sequences[: self.n_rows],
            self.agents[: self.n_rows],
            self.alive,
            self.ids[: self.n_rows],
        )
        if self.base is None or not len(self.base):
            return later
        base = self.base
        first = Rows(base.long, base.sequences, base.agents, self.base_alive, base.ids[:])
        if not self.n_rows:
            return first
        return Rows(
            np.concatenate([first.matrix, later.matrix]),
            np.concatenate([first.sequences, later.sequences]),
            np.concatenate([first.agents, later.agents]),
            np.concatenate([first.alive, later.alive]),
            [*first.ids, *later.ids],
        )

    def later_near(
        self,
        vector: FloatVector,
        limit: int,
        *,
        visible_to: frozenset[str] | None,
        allowed: Integers | None,
    ) -> Hits:
        """The most similar of what came later; as ``nearest`` says."""
        agents, sequences = self.agents[: self.n_rows], self.sequences[: self.n_rows]
        mask = self._findable(self.alive, agents, sequences, visible_to, allowed)
        if not mask.any():
            return NO_HITS
        buffer = self.buffer[: self.n_rows]
        near = highest(buffer @ vector, mask, limit)
        return hits_of(buffer[near], sequences[near], coded_ids(self.ids, near), vector, limit)

    def base_mask(self, *, visible_to: frozenset[str] | None, allowed: Integers | None) -> Mask:
        """Which rows of the base this agent may find among those allowed."""
        if self.base is None:
            return self.base_alive
        agents, sequences = self.base.agents, self.base.sequences
        return self._findable(self.base_alive, agents, sequences, visible_to, allowed)

    def _findable(
        self,
        mask: Mask,
        agents: Integers,
        sequences: Integers,
        visible_to: frozenset[str] | None,
        allowed: Integers | None,
    ) -> Mask:
        """Which of some rows this agent may find among those allowed."""
        is_passed = passing(self.agent_names, visible_to)
        if is_passed is not None:
            mask = mask & is_passed[agents]
        if allowed is not None:
            mask = mask & np.isin(sequences, allowed)
        return mask

    def _with_room(self, total: int, *, shared_buffers: bool) -> Self:
        if shared_buffers and total <= len(self.sequences):
            return self
        capacity = max(int(total * GROWTH) if shared_buffers else total, 1)

        buffer = np.empty((capacity, self.dimension), np.float32)
        sequences = np.empty(capacity, np.int64)
        agents = np.empty(capacity, np.int64)
        buffer[: self.n_rows] = self.buffer[: self.n_rows]
        sequences[: self.n_rows] = self.sequences[: self.n_rows]
        agents[: self.n_rows] = self.agents[: self.n_rows]
        return replace(
            self,
            buffer=buffer,
            sequences=sequences,
            agents=agents,
            ids=self.ids[: self.n_rows],
            about=self.about[: self.n_rows],
            said=self.said[: self.n_rows],
            places={key: at for key, at in self.places.items() if at < self.n_rows},
        )


def nearest(
    snapshots: Sequence[VectorSnapshot],
    vector: FloatVector,
    limit: int,
    *,
    visible_to: frozenset[str] | None,
    allowed: Integers | None,
) -> list[Hits]:
    """The most similar rows of some scope keys together.

    Args:
        snapshots: Of each scope key; all of one dimension.
        vector: float32, shape (dimension,), length 1.
        limit: Most neighbours wanted, of several scope keys also those as near as the last.
        visible_to: Walls behind which it is asked; None sees every entry.
        allowed: Sequences that may come back; None allows all.

    Returns:
        Those of each scope key, best first; equal cosines by id.
    """
    if limit <= 0 or not np.isfinite(vector).all():
        return [NO_HITS for _ in snapshots]
    found = [
        one.later_near(vector, limit, visible_to=visible_to, allowed=allowed) for one in snapshots
    ]
    held = [(place, one.base) for place, one in enumerate(snapshots) if one.base]
    masks = [
        snapshots[place].base_mask(visible_to=visible_to, allowed=allowed) for place, _ in held
    ]
    of_bases = nearest_of_bases([base for _, base in held], masks, vector, limit)
    for (place, _), hits in zip(held, of_bases, strict=True):
        if found[place]:
            both = sorted([*found[place], *hits], key=lambda one: (-one.figure, one.id))
            hits = Hits.of(both[:limit])  # noqa: PLW2901
        found[place] = hits
    if len(found) == 1 or sum(map(len, found)) <= limit:
        return found
    least = sorted(chain.from_iterable(hits.figures for hits in found), reverse=True)[limit - 1]
    return [hits[: sum(cosine >= least for cosine in hits.figures)] for hits in found]


def _agent_code(agent_id: str | None, names: list[str]) -> int:
    if agent_id is None:
        return SHARED
    if agent_id not in names:
        names.append(agent_id)
    return names.index(agent_id) + 1
