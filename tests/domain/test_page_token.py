from __future__ import annotations

import base64
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.listing import MemorySort, PageCursor, cursor_of, token_of


@given(
    st.floats(allow_nan=False),
    st.integers(0, 2**62),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from(MemorySort),
)
def test_a_token_brings_back_its_cursor_exactly(
    value: float, sequence: int, as_of: datetime, sort: MemorySort
) -> None:
    cursor = PageCursor(value, sequence, as_of)
    token = token_of(cursor, sort)
    assert token.replace("-", "").replace("_", "").isalnum()
    assert cursor_of(token, sort) == cursor


@pytest.mark.parametrize(
    "token", ["", "x", "!!!", "bnVsbA", "WzEsMl0", "é", "WyJuZXdlc3QiLDEsMiwzXQ"]
)
def test_anything_else_is_no_token(token: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        cursor_of(token, MemorySort.NEWEST)
    assert (caught.value.field, caught.value.rule) == ("page", "unknown")


@pytest.mark.parametrize(
    ("value", "sequence", "as_of"),
    [
        (float("nan"), 1, "2026-03-14T10:36:00+00:00"),
        (1.0, 2**63, "2026-03-14T10:36:00+00:00"),
        (1.0, -1, "2026-03-14T10:36:00+00:00"),
        (1.0, float("inf"), "2026-03-14T10:36:00+00:00"),
        (1.0, 1, "2026-03-14T10:36:00"),
        (1.0, 1, "yesterday"),
    ],
)
def test_a_token_that_was_tampered_with_is_none(value: float, sequence: float, as_of: str) -> None:
    parts = json.dumps(["newest", value, sequence, as_of]).encode()
    with pytest.raises(InvalidValueError) as caught:
        cursor_of(base64.urlsafe_b64encode(parts).decode(), MemorySort.NEWEST)
    assert (caught.value.field, caught.value.rule) == ("page", "unknown")


def test_a_token_goes_with_its_own_order_only() -> None:
    token = token_of(PageCursor(1.0, 2, datetime(2026, 3, 14, tzinfo=UTC)), MemorySort.NEWEST)
    with pytest.raises(InvalidValueError):
        cursor_of(token, MemorySort.RELEVANCE)
