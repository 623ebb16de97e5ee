from __future__ import annotations

import numpy as np
import pytest

from inklings_desktop.domain.likeness.likeness import cosines_to

EAST = np.array([1.0, 0.0], np.float32)


def towards(degrees: float) -> np.typing.NDArray[np.float32]:
    angle = np.deg2rad(degrees)
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


def test_cosines_to_the_query() -> None:
    cosines = cosines_to(EAST, {"a": towards(0), "b": towards(60), "c": towards(180)})

    assert cosines == pytest.approx({"a": 1.0, "b": 0.5, "c": -1.0}, abs=1e-6)


@pytest.mark.parametrize(
    "broken",
    [
        None,
        np.array([np.nan, 1.0], np.float32),
        np.array([np.inf, 0.0], np.float32),
        np.zeros(2, np.float32),
        np.ones(3, np.float32),
        np.ones((2, 2), np.float32),
    ],
    ids=["none", "nan", "infinite", "zero", "other length", "matrix"],
)
def test_a_broken_vector_is_like_nothing(broken: np.typing.NDArray[np.float32] | None) -> None:
    assert cosines_to(EAST, {"a": EAST, "b": broken, "c": EAST}) == {"a": 1.0, "c": 1.0}


def test_the_length_of_a_vector_decides_nothing() -> None:
    assert cosines_to(EAST * 3, {"a": towards(60) * 500})["a"] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("query", [None, np.zeros(2, np.float32), EAST * np.float32("nan")])
def test_without_a_usable_query_nothing_is_compared_with_it(
    query: np.typing.NDArray[np.float32] | None,
) -> None:
    assert cosines_to(query, {"a": EAST, "b": EAST}) == {}


def test_equal_vectors_give_equal_figures_wherever_they_stand() -> None:
    source = np.random.default_rng(7)
    one = source.standard_normal(384).astype(np.float32)
    query = source.standard_normal(384).astype(np.float32)
    vectors = {f"m{n}": source.standard_normal(384).astype(np.float32) for n in range(300)}
    repeated = dict.fromkeys((f"r{n}" for n in range(40)), one)

    cosines = cosines_to(query, vectors | repeated)

    assert len({cosines[key] for key in repeated}) == 1
