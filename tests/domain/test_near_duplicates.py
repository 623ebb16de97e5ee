from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.likeness import near_duplicates
from inklings_desktop.domain.likeness.near_duplicates import compare
from tests.support.wide import examples


def unit(matrix: np.ndarray) -> np.ndarray:
    rows: np.ndarray = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return rows.astype(np.float32)


def plain(
    vectors: np.ndarray, usable: np.ndarray, groups: np.ndarray, is_new: np.ndarray
) -> list[tuple[int, int]]:
    """Every pair, looked at one by one."""
    n = len(vectors)
    return [
        (i, j)
        for i in range(n)
        for j in range(i + 1, n)
        if float(vectors[i] @ vectors[j]) > 0.95
        and usable[i]
        and usable[j]
        and groups[i] == groups[j]
        and (is_new[i] or is_new[j])
    ]


@settings(max_examples=examples(60), deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 40),
    n_new=st.integers(0, 40),
    block=st.sampled_from([3, 7, 1024]),
)
def test_blocks_find_what_looking_at_every_pair_finds(
    seed: int, n_rows: int, n_new: int, block: int
) -> None:
    dice = np.random.default_rng(seed)
    centres = dice.standard_normal((6, 8))
    vectors = unit(centres[dice.integers(0, 6, n_rows)] + 0.15 * dice.standard_normal((n_rows, 8)))
    usable = dice.random(n_rows) > 0.2
    groups = dice.integers(0, 2, n_rows)
    is_new = np.arange(n_rows) >= n_rows - n_new
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_duplicates, "BLOCK", block)
        found = compare(vectors, usable, groups, is_new, threshold=0.95)
    assert [(one.first, one.second) for one in found.pairs] == plain(
        vectors, usable, groups, is_new
    )
    assert found.is_complete
    assert found.n_new == int((is_new & usable).sum())
    assert all(0.95 < one.cosine <= 1.0 for one in found.pairs)


def test_without_anything_new_nothing_is_compared() -> None:
    vectors = unit(np.ones((5, 4)))
    none = np.zeros(5, np.bool_)
    found = compare(vectors, ~none, np.zeros(5, np.int64), none, threshold=0.95)
    assert (found.pairs, found.n_new, found.n_rows) == ((), 0, 5)


def test_too_many_pairs_end_the_comparison_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "MAX_PAIRS", 10)
    every = np.ones(20, np.bool_)
    found = compare(unit(np.ones((20, 4))), every, np.zeros(20, np.int64), every, threshold=0.95)
    assert len(found.pairs) == 10
    assert not found.is_complete


def test_it_can_be_stopped_between_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "BLOCK", 2)
    every = np.ones(20, np.bool_)
    asked: list[int] = []

    def stop_at_three() -> None:
        asked.append(1)
        if len(asked) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        compare(
            unit(np.eye(20)),
            every,
            np.zeros(20, np.int64),
            every,
            threshold=0.95,
            checkpoint=stop_at_three,
        )
    assert len(asked) == 3
