"""How like the query memories are in meaning, computed so that the same texts give the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector

DECIMALS = 9


def cosines_to(query: FloatVector, vectors: FloatMatrix) -> list[float]:
    """The cosine of each vector to the query, in [-1, 1], to nine digits.

    In double precision from each vector alone: the figures depend neither on the order of the
    vectors, as those of a matrix product do, nor on the machine.

    Args:
        query: float32, shape (dimension,), length 1.
        vectors: float32, shape (n, dimension), of one model; each finite and of length 1.
    """
    import numpy as np

    exact = np.einsum("ij,j->i", vectors.astype(np.float64), query.astype(np.float64))
    np.minimum(np.maximum(exact, -1.0, out=exact), 1.0, out=exact)
    found: list[float] = exact.round(DECIMALS).tolist()
    return found
