from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.storage.search.vector_snapshot import (
    VectorBlock,
    VectorRow,
    VectorSnapshot,
    nearest,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.vectors import FloatVector


def towards(degrees: float) -> FloatVector:
    angle = np.deg2rad(degrees)
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


def a_row(sequence: int, degrees: float | None, agent: str | None = None) -> VectorRow:
    return VectorRow(
        sequence, f"id{sequence}", agent, None if degrees is None else towards(degrees)
    )


def ids(
    snapshot: VectorSnapshot, limit: int = 10, visible_to: frozenset[str] | None = None
) -> list[str]:
    (found,) = nearest([snapshot], towards(0), limit, visible_to=visible_to, allowed=None)
    return [one.id for one in found]


def test_rows_without_a_vector_are_left_out() -> None:
    snapshot = VectorSnapshot.of("m", [a_row(1, None), a_row(2, 10.0)])

    assert ids(snapshot) == ["id2"]
    assert snapshot.dimension == 2


def test_an_empty_snapshot_finds_nothing() -> None:
    snapshot = VectorSnapshot.of("m", [])

    assert snapshot.dimension == 0
    assert snapshot.n_rows == 0


def test_a_vector_of_another_length_is_left_out() -> None:
    odd = VectorRow(9, "odd", None, np.array([1.0], np.float32))

    snapshot = VectorSnapshot.of("m", [odd, a_row(1, 0.0), a_row(2, 5.0)])

    assert ids(snapshot) == ["id1", "id2"]


def test_a_later_snapshot_leaves_the_earlier_one_as_it_was() -> None:
    first = VectorSnapshot.of("m", [a_row(n, n * 10.0) for n in range(1, 4)])

    second = first.with_rows([a_row(2, 0.0), a_row(4, 5.0), a_row(1, None)], shared_buffers=True)
    third = second.with_rows([a_row(5, 1.0)], shared_buffers=True)

    assert ids(first) == ["id1", "id2", "id3"]
    assert ids(second) == ["id2", "id4", "id3"]
    assert ids(third) == ["id2", "id5", "id4", "id3"]


def test_a_private_snapshot_writes_into_nobody_elses_buffers() -> None:
    base = VectorSnapshot.of("m", [a_row(1, 10.0)]).with_rows([a_row(2, 20.0)], shared_buffers=True)

    private = base.with_rows([a_row(3, 0.0)], shared_buffers=False)
    later = base.with_rows([a_row(4, 5.0)], shared_buffers=True)

    assert ids(private) == ["id3", "id1", "id2"]
    assert ids(later) == ["id4", "id1", "id2"]


def test_adding_one_vector_copies_no_matrix() -> None:
    snapshot = VectorSnapshot.of("m", [a_row(n, 1.0) for n in range(1, 101)])
    grown = snapshot.with_rows([a_row(101, 1.0)], shared_buffers=True)

    again = grown.with_rows([a_row(102, 1.0)], shared_buffers=True)

    assert again.buffer is grown.buffer


def test_many_changes_ask_for_a_fresh_build() -> None:
    snapshot = VectorSnapshot.of("m", [a_row(1, 0.0), a_row(2, 1.0)])

    for _ in range(5):
        snapshot = snapshot.with_rows([a_row(1, 0.0)], shared_buffers=True)

    assert snapshot.is_mostly_dead
    assert ids(snapshot) == ["id1", "id2"]


def test_private_rows_are_for_their_agent_and_the_person() -> None:
    snapshot = VectorSnapshot.of("m", [a_row(1, 0.0), a_row(2, 1.0, "a"), a_row(3, 2.0, "b")])

    assert ids(snapshot) == ["id1", "id2", "id3"]
    assert ids(snapshot, visible_to=frozenset({"a"})) == ["id1", "id2"]
    assert ids(snapshot, visible_to=frozenset({"c"})) == ["id1"]


def test_masked_rows_never_take_a_place() -> None:
    snapshot = VectorSnapshot.of("m", [a_row(n, float(n)) for n in range(1, 50)])

    allowed = np.array([40, 30, 20])
    (found,) = nearest([snapshot], towards(0), 2, visible_to=None, allowed=allowed)

    assert [one.id for one in found] == ["id20", "id30"]


@given(
    st.lists(st.sampled_from([0.0, 10.0, 20.0, 90.0, 180.0]), min_size=1, max_size=30),
    st.integers(1, 35),
)
def test_the_best_come_first_and_ties_by_id(angles: list[float], limit: int) -> None:
    snapshot = VectorSnapshot.of("m", [a_row(n, angle) for n, angle in enumerate(angles)])

    (found,) = nearest([snapshot], towards(0), limit, visible_to=None, allowed=None)

    wanted = sorted(range(len(angles)), key=lambda n: (angles[n], f"id{n}"))[:limit]
    assert [one.id for one in found] == [f"id{n}" for n in wanted]
    assert [one.figure for one in found] == pytest.approx(
        [np.cos(np.deg2rad(angles[n])) for n in wanted], abs=1e-6
    )


def test_a_build_in_blocks_is_the_same_as_one_from_rows() -> None:
    rows = [a_row(n, n * 7.0, "a" if n % 3 == 0 else None) for n in range(1, 40)]
    blocks = [
        VectorBlock(
            [row.sequence for row in part],
            [row.id for row in part],
            [row.agent_id for row in part],
            [row.about for row in part],
            [row.said for row in part],
            np.array([row.vector for row in part]),
        )
        for part in (rows[:10], rows[10:11], rows[11:])
    ]

    built = VectorSnapshot.built("m", 5, 2, blocks)

    one_by_one = VectorSnapshot.of("m", rows)
    for walls in (None, frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"})):
        assert ids(built, 50, walls) == ids(one_by_one, 50, walls)


def test_the_row_of_a_memory_is_the_newest_that_the_snapshot_knows() -> None:
    first = VectorSnapshot.of("m", [a_row(1, 0.0)]).with_rows([a_row(2, 1.0)], shared_buffers=True)
    assert first.known([1, 2, 9]).sequences == [1, 2]

    second = first.with_rows([a_row(1, 5.0), a_row(2, None)], shared_buffers=True)

    newest = second.known([1, 2])
    vector = a_row(1, 5.0).vector
    assert vector is not None
    assert newest.sequences == [1]
    assert second.cosines(vector, [1, 2, 9]) == pytest.approx({1: 1.0})
    assert first.known([1, 2]).sequences == [2]  # the other is read from the file


def test_equal_vectors_are_ordered_by_id_wherever_they_stand() -> None:
    source = np.random.default_rng(3)
    one = source.standard_normal(384).astype(np.float32)
    one /= np.linalg.norm(one)
    others = source.standard_normal((40, 384)).astype(np.float32)
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    rows = [VectorRow(n, f"x{n}", None, row) for n, row in enumerate(others)]
    for n, place in enumerate((0, 3, 8, 21, 33)):
        rows.insert(place, VectorRow(100 + n, f"same{9 - n}", None, one))

    (found,) = nearest([VectorSnapshot.of("m", rows)], one, 5, visible_to=None, allowed=None)

    assert [hit.id for hit in found] == ["same5", "same6", "same7", "same8", "same9"]
    assert {hit.figure for hit in found} == {1.0}
