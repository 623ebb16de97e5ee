"""How like each other the candidates of one search are, and how like the query.

Figures are computed in double precision from the vectors alone, row by row, and rounded: the same
memories give the same figures whatever their order, and equal texts give equal ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from inklings_desktop.domain.vectors import FloatVector

    Doubles = npt.NDArray[np.float64]

DUPLICATE_COSINE = 0.9
"""Above it two memories say the same to whoever reads a list of hits."""
DECIMALS = 9

_ROWS_AT_ONCE = 256
_SMALLEST_NORM = 1e-12


class Likeness:
    """The cosines among some memories and to a query.

    A vector that is no number, has no length or has another dimension than the rest counts as
    missing: it is like nothing.
    """

    def __init__(
        self, vectors: Mapping[str, FloatVector | None], query: FloatVector | None
    ) -> None:
        """Take the vectors of one model.

        Args:
            vectors: By memory id; float32, shape (dimension,).
            query: The query's vector, or None when meaning is not compared.
        """
        self._cosines: dict[str, float] = {}
        self._places: dict[str, int] = {}
        self._matrix: Doubles | None = None
        known = {key: vector for key, vector in vectors.items() if vector is not None}
        if known:  # else numpy need not be loaded
            self._take(known, query)

    def to_query(self, memory_id: str) -> float | None:
        """Cosine to the query in [-1, 1]; None when one of the two has no vector."""
        return self._cosines.get(memory_id)

    def has(self, memory_id: str) -> bool:
        """Whether the memory has a usable vector."""
        return memory_id in self._places

    def duplicates(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """For each memory the others of these that say nearly the same (cosine > 0.9)."""
        import numpy as np

        matrix = self._matrix
        known = [one for one in ids if one in self._places]
        found: dict[str, frozenset[str]] = {}
        if matrix is None or len(known) < 2:  # noqa: PLR2004 two make a pair
            return found
        rows = matrix[[self._places[one] for one in known]]
        for start in range(0, len(known), _ROWS_AT_ONCE):
            near = np.round(rows[start : start + _ROWS_AT_ONCE] @ rows.T, DECIMALS)
            firsts, seconds = np.nonzero(near > DUPLICATE_COSINE)
            pairs: dict[str, set[str]] = {}
            for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True):
                if start + first != second:
                    pairs.setdefault(known[start + first], set()).add(known[second])
            found |= {one: frozenset(others) for one, others in pairs.items()}
        return found

    def _take(self, known: Mapping[str, FloatVector], query: FloatVector | None) -> None:
        import numpy as np

        dimension = _dimension(known, query)
        fitting = [key for key, vector in known.items() if vector.shape == (dimension,)]
        if not fitting:
            return
        matrix = np.array([known[key] for key in fitting], np.float64)
        norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
        sound = np.isfinite(norms) & (norms > _SMALLEST_NORM)
        if not sound.all():
            matrix, norms = matrix[sound], norms[sound]
            fitting = [key for key, is_sound in zip(fitting, sound, strict=True) if is_sound]
        matrix /= norms[:, None]
        self._matrix = matrix
        self._places = {key: place for place, key in enumerate(fitting)}
        if query is None:
            return
        wanted = np.asarray(query, np.float64)
        length = float(np.sqrt(wanted @ wanted))
        if not (np.isfinite(length) and length > _SMALLEST_NORM):
            return
        # Not a matrix product: its sums may depend on where in the matrix a row stands.
        cosines = np.einsum("ij,j->i", matrix, wanted / length)
        rounded = np.clip(np.round(cosines, DECIMALS), -1.0, 1.0).tolist()
        self._cosines = dict(zip(fitting, rounded, strict=True))


def _dimension(known: Mapping[str, FloatVector], query: FloatVector | None) -> int:
    """The query's dimension, else the one that most vectors have."""
    if query is not None:
        return len(query)
    lengths = [len(vector) for vector in known.values()]
    return max(sorted(set(lengths)), key=lengths.count)
