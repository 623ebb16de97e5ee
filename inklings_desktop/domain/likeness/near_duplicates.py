"""Which memories are alike: a blocked matrix product over their vectors.

Only rows that are new since the last comparison are compared with all the others; comparing
everything with everything is left for a change of model.
Source: the performance study (upper blocks of 1,024 rows in one thread; 64 new rows against
10,000 cost a fiftieth of all pairs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    import numpy.typing as npt

    from inklings_desktop.domain.memories.vectors import FloatMatrix

    Mask = npt.NDArray[np.bool_]
    Integers = npt.NDArray[np.int64]

BLOCK = 1_024
MAX_PAIRS = 20_000
"""Most pairs of one comparison: ten thousand copies of one sentence must not fill the memory."""


class NearRows(NamedTuple):
    """Two rows whose vectors point almost the same way; ``first`` is the lower row."""

    first: int
    second: int
    cosine: float


class Comparison(NamedTuple):
    """What one comparison found.

    Attributes:
        pairs: In order of their rows, each once.
        n_new: Rows that were compared with all the others.
        n_rows: Rows there are.
        is_complete: Whether every pair was looked at; False when too many were found.
    """

    pairs: tuple[NearRows, ...]
    n_new: int
    n_rows: int
    is_complete: bool


def _go_on() -> None:
    """Nobody wants it to stop."""


def compare(
    vectors: FloatMatrix,
    usable: Mask,
    groups: Integers,
    is_new: Mask,
    *,
    threshold: float,
    checkpoint: Callable[[], None] = _go_on,
) -> Comparison:
    """Pairs of rows with a cosine above the threshold, of which at least one row is new.

    Args:
        vectors: float32, shape (n_rows, dim), every usable row of length 1.
        usable: bool, shape (n_rows,): rows that may be in a pair.
        groups: int64, shape (n_rows,): only rows of the same group may be in one pair.
        is_new: bool, shape (n_rows,): rows to compare with all the others.
        threshold: A pair has a cosine above it, not equal to it.
        checkpoint: Called between blocks; whatever it raises ends the comparison.
    """
    import numpy as np

    is_new = is_new & usable
    n_rows, n_new = len(vectors), int(is_new.sum())
    found: list[NearRows] = []
    # With most rows new, the upper triangle of everything is less work than new against all.
    is_full = 2 * n_new > n_rows
    blocks = _upper_blocks(n_rows) if is_full else _new_blocks(np.flatnonzero(is_new), n_rows)
    buffer = np.empty((BLOCK, BLOCK), np.float32)
    for rows, columns in blocks:
        checkpoint()
        left = vectors[rows]
        right = vectors[columns]
        product = buffer[: len(left), : len(right)]
        if product.flags.c_contiguous:
            np.dot(left, right.T, out=product)
        else:  # the last block of a row or column
            product = left @ right.T
        places = np.flatnonzero(product > threshold)
        if not len(places):
            continue
        row_numbers = np.arange(n_rows)[rows]
        first = row_numbers[places // len(right)]
        second = columns.start + places % len(right)
        keep = _wanted(first, second, usable, groups, is_new, is_full=is_full)
        cosines = product.reshape(-1)[places[keep]]
        low, high = np.minimum(first, second)[keep], np.maximum(first, second)[keep]
        found += [
            NearRows(int(one), int(other), min(float(cosine), 1.0))
            for one, other, cosine in zip(low, high, cosines, strict=True)
        ]
        if len(found) > MAX_PAIRS:
            del found[MAX_PAIRS:]
            return Comparison(tuple(sorted(found)), n_new, n_rows, is_complete=False)
    return Comparison(tuple(sorted(found)), n_new, n_rows, is_complete=True)


def _wanted(
    first: Integers,
    second: Integers,
    usable: Mask,
    groups: Integers,
    is_new: Mask,
    *,
    is_full: bool,
) -> Mask:
    """Of the places above the threshold, those that are pairs, each once."""
    sound: Mask = usable[first] & usable[second] & (groups[first] == groups[second])
    if is_full:
        sound &= (first < second) & (is_new[first] | is_new[second])
    else:  # a new row meets every row: itself not at all, another new row only from below
        sound &= (first != second) & ((first < second) | ~is_new[second])
    return sound


def _upper_blocks(n_rows: int) -> Iterator[tuple[slice, slice]]:
    for top in range(0, n_rows, BLOCK):
        for left in range(top, n_rows, BLOCK):
            yield slice(top, min(top + BLOCK, n_rows)), slice(left, min(left + BLOCK, n_rows))


def _new_blocks(new: Integers, n_rows: int) -> Iterator[tuple[Integers, slice]]:
    for top in range(0, len(new), BLOCK):
        for left in range(0, n_rows, BLOCK):
            yield new[top : top + BLOCK], slice(left, min(left + BLOCK, n_rows))
