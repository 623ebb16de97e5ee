"""How like the query the candidates of one search are.

Figures are computed in double precision from the vectors alone, row by row, and rounded: the same
memories give the same figures whatever their order, and equal texts give equal ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.memories.vectors import FloatVector

DECIMALS = 9

_SMALLEST_NORM = 1e-12


def cosines_to(
    query: FloatVector | None, vectors: Mapping[str, FloatVector | None]
) -> dict[str, float]:
    """The cosine of each memory to the query, in [-1, 1].

    A vector that is no number, has no length or has another dimension than the query counts as
    missing, and is left out.

    Args:
        query: float32, shape (dimension,); None when meaning is not compared.
        vectors: By memory id; float32, shape (dimension,), of one model.
    """
    if query is None:
        return {}
    fitting = {
        key: vector
        for key, vector in vectors.items()
        if vector is not None and vector.shape == query.shape
    }
    if not fitting:  # else numpy need not be loaded
        return {}
    import numpy as np

    wanted = np.asarray(query, np.float64)
    length = float(np.sqrt(wanted @ wanted))
    if not (np.isfinite(length) and length > _SMALLEST_NORM):
        return {}
    keys = list(fitting)
    matrix = np.concatenate(list(fitting.values())).reshape(len(fitting), -1).astype(np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    sound = np.isfinite(norms) & (norms > _SMALLEST_NORM)
    if not sound.all():
        matrix, norms = matrix[sound], norms[sound]
        keys = [key for key, is_sound in zip(keys, sound, strict=True) if is_sound]
    # Not a matrix product: its sums may depend on where in the matrix a row stands.
    cosines = np.einsum("ij,j->i", matrix, wanted / length) / norms
    rounded = np.clip(np.round(cosines, DECIMALS), -1.0, 1.0).tolist()
    return dict(zip(keys, rounded, strict=True))
