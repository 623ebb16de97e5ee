from __future__ import annotations

import numpy as np
import pytest

from inklings_desktop.domain.likeness import Likeness

EAST = np.array([1.0, 0.0], np.float32)


def towards(degrees: float) -> np.typing.NDArray[np.float32]:
    angle = np.deg2rad(degrees)
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


def test_cosines_to_the_query_and_among_each_other() -> None:
    likeness = Likeness({"a": towards(0), "b": towards(60), "c": towards(20)}, EAST)

    assert likeness.to_query("a") == 1.0
    assert likeness.to_query("b") == pytest.approx(0.5, abs=1e-6)
    assert likeness.duplicates(["a", "b", "c"]) == {"a": {"c"}, "c": {"a"}}


def test_the_threshold_itself_is_no_duplicate() -> None:
    nine_tenths = np.array([0.9, np.sqrt(1 - 0.81)], np.float64)

    assert Likeness({"a": EAST, "b": nine_tenths.astype(np.float32)}, None).duplicates("ab") == {}
    assert Likeness({"a": EAST, "b": towards(25.8)}, None).duplicates("ab") != {}


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
    likeness = Likeness({"a": EAST, "b": broken, "c": EAST}, EAST)

    assert likeness.to_query("b") is None
    assert not likeness.has("b")
    assert likeness.duplicates(["a", "b", "c"]) == {"a": {"c"}, "c": {"a"}}


def test_the_length_of_a_vector_decides_nothing() -> None:
    likeness = Likeness({"a": towards(60) * 500}, EAST * 3)

    assert likeness.to_query("a") == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("query", [None, np.zeros(2, np.float32), EAST * np.float32("nan")])
def test_without_a_usable_query_nothing_is_compared_with_it(
    query: np.typing.NDArray[np.float32] | None,
) -> None:
    likeness = Likeness({"a": EAST, "b": EAST}, query)

    assert likeness.to_query("a") is None
    assert likeness.duplicates(["a", "b"]) == {"a": {"b"}, "b": {"a"}}


def test_equal_vectors_give_equal_figures_wherever_they_stand() -> None:
    source = np.random.default_rng(7)
    one = source.standard_normal(384).astype(np.float32)
    query = source.standard_normal(384).astype(np.float32)
    vectors = {f"m{n}": source.standard_normal(384).astype(np.float32) for n in range(300)}
    repeated = dict.fromkeys((f"r{n}" for n in range(40)), one)

    likeness = Likeness(vectors | repeated, query)

    assert len({likeness.to_query(key) for key in repeated}) == 1
    near = likeness.duplicates([*vectors, *repeated])
    assert all(near[key] == repeated.keys() - {key} for key in repeated)
