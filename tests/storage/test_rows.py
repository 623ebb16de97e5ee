from __future__ import annotations

import struct
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import Curator, Derivation, Lifetime, MemoryEntry, ScopeKey
from inklings_desktop.storage.rows.memories import (
    entry_of,
    entry_values,
    from_ms,
    to_ms,
    vector_blobs,
    vectors_of,
)
from tests.support.builders import NOON, WORKSPACE_ID

words = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20
)
instants = st.integers(-(10**12), 10**13).map(from_ms)
maybe = st.none() | instants


@st.composite
def entries(draw: st.DrawFn) -> MemoryEntry:
    forgotten_at = draw(maybe)
    return MemoryEntry(
        id=draw(words),
        sequence=draw(st.integers(1, 10**9)),
        version=draw(st.integers(1, 10**6)),
        scope=draw(
            st.sampled_from(
                [
                    ScopeKey.workspace(WORKSPACE_ID),
                    ScopeKey.channel(WORKSPACE_ID, "map-room"),
                    ScopeKey.conversation(WORKSPACE_ID, "c1"),
                ]
            )
        ),
        content=draw(words),
        lifetime=draw(st.sampled_from(Lifetime)),
        source=draw(words),
        curator=draw(st.sampled_from(Curator)),
        importance=draw(st.floats(0, 1)),
        tags=tuple(draw(st.lists(words, unique=True, max_size=4))),
        created_at=draw(instants),
        agent_id=draw(st.none() | words),
        source_conversation=draw(st.none() | words),
        derived_from=tuple(draw(st.lists(st.builds(Derivation, words, words), max_size=2))),
        edited_at=draw(maybe),
        accessed_at=draw(maybe),
        access_count=draw(st.integers(0, 10**9)),
        confirmed_at=draw(maybe),
        imported_at=draw(maybe),
        imported_curator=draw(st.none() | st.sampled_from(Curator)),
        pinned=draw(st.booleans()),
        paused=draw(st.booleans()),
        locked=draw(st.booleans()),
        forgotten_at=forgotten_at,
        forgotten_reason=None if forgotten_at is None else draw(st.none() | words),
        successor_id=None if forgotten_at is None else draw(st.none() | words),
        run_id=draw(st.none() | words),
        embedding_model=draw(st.none() | words),
    )


@given(entries())
def test_a_memory_survives_its_row(entry: MemoryEntry) -> None:
    row = [*entry_values(entry, 7).values(), entry.embedding_model]

    assert entry_of(row, WORKSPACE_ID) == entry


@given(st.datetimes(timezones=st.just(UTC)))
def test_instants_keep_their_milliseconds(instant: datetime) -> None:
    back = from_ms(to_ms(instant))

    assert timedelta() <= instant - back < timedelta(milliseconds=1)
    assert back.tzinfo is UTC


def test_instants_of_other_zones_are_the_same_instant() -> None:
    eastern = NOON.astimezone(datetime.fromisoformat("2026-01-01T00:00:00+09:00").tzinfo)

    assert to_ms(eastern) == to_ms(NOON)


def test_a_vector_is_little_endian_float32() -> None:
    (blob,) = vector_blobs([np.array([0.6, -0.8], np.float32)])

    assert blob == struct.pack("<2f", 0.6, -0.8)
    (back,) = vectors_of([(2, blob)])
    assert back is not None
    assert back.dtype == np.float32
    assert back.tolist() == pytest.approx([0.6, -0.8])


@pytest.mark.parametrize(
    "values",
    [
        [],
        [[1.0, 0.0]],
        [0.0, 0.0],
        [2.0, 0.0],
        [float("nan"), 1.0],
        [float("inf"), 0.0],
        [1e38, 1e38],
    ],
)
def test_no_vector_is_stored_that_is_not_of_unit_length(values: list[float]) -> None:
    with pytest.raises(InvalidValueError):
        vector_blobs([np.array(values, np.float32)])


def test_vectors_of_several_dimensions_are_not_stored_together() -> None:
    with pytest.raises(InvalidValueError):
        vector_blobs([np.array([1.0, 0.0], np.float32), np.array([1.0], np.float32)])


def test_stored_vectors_that_cannot_be_trusted_read_as_none() -> None:
    good = struct.pack("<2f", 0.6, 0.8)
    bad = [
        (2, struct.pack("<2f", float("nan"), 1.0)),
        (2, struct.pack("<2f", float("inf"), 0.0)),
        (2, struct.pack("<2f", 0.0, 0.0)),
        (2, struct.pack("<2f", 1e38, 0.0)),
        (2, struct.pack("<2f", 1e-40, 0.0)),
        (3, good),
        (2, good + b"\x00"),
        (0, b""),
        (2, None),
    ]

    found = vectors_of([(2, good), *bad, (2, good)])

    assert [vector is not None for vector in found] == [True] + [False] * len(bad) + [True]


def test_a_private_entry_keeps_its_agent() -> None:
    entry = MemoryEntry(
        "id", 1, 1, ScopeKey.account(), "text", Lifetime.LONG_TERM, "user", Curator.AGENT,
        0.5, (), NOON,
    )  # fmt: skip
    private = replace(entry, agent_id="researcher")

    assert entry_of([*entry_values(private, 1).values(), None], None) == private
