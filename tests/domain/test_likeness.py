from __future__ import annotations

import numpy as np
import pytest

from inklings_desktop.domain.likeness.likeness import cosines_to

EAST = np.array([1.0, 0.0], np.float32)


def towards(degrees: float) -> np.typing.NDArray[np.float32]:
    angle = np.deg2rad(degrees)
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


def test_cosines_to_the_query() -> None:
    cosines = cosines_to(EAST, np.array([towards(0), towards(60), towards(180)]))

    assert cosines == pytest.approx([1.0, 0.5, -1.0], abs=1e-6)


def test_no_cosine_leaves_its_range() -> None:
    assert cosines_to(EAST, np.array([EAST, -EAST]) * np.float32(1.0001)) == [1.0, -1.0]


def test_without_vectors_there_are_no_cosines() -> None:
    assert cosines_to(EAST, np.empty((0, 2), np.float32)) == []


def test_equal_vectors_give_equal_figures_wherever_they_stand() -> None:
    source = np.random.default_rng(7)
    query, *vectors = source.standard_normal((301, 384)).astype(np.float32)
    one = vectors[0]

    cosines = cosines_to(query, np.array([*vectors, *[one] * 40]))

    assert len({cosines[0], *cosines[300:]}) == 1
