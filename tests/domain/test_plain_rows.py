"""Records as the values that JSON holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

import pytest

from inklings_desktop.domain.plain_rows import plain, row_of


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Part:
    key: str
    n_bytes: int = 3


@dataclass(frozen=True)
class Whole:
    id: str
    part: Part | None
    colour: Colour = Colour.RED
    parts: tuple[Part, ...] = ()


def test_names_may_be_changed_and_reach_into_a_part() -> None:
    names = "key=part.key id bytes=part.n_bytes colour"
    assert list(row_of(Whole("a", Part("k")), names).items()) == [
        ("key", "k"), ("id", "a"), ("bytes", 3), ("colour", "red"),
    ]  # fmt: skip
    assert row_of(Whole("a", None), names)["bytes"] is None


def test_a_name_that_nothing_has_is_no_empty_value() -> None:
    with pytest.raises(AttributeError):
        row_of(Whole("a", None), "id titel")


def test_every_value_becomes_plain() -> None:
    at = datetime(2025, 3, 1, 14, 0, 0, 5_999, tzinfo=timezone(timedelta(hours=2)))
    assert plain(at) == "2025-03-01T12:00:00.005Z"
    assert plain(datetime(2025, 3, 1, tzinfo=UTC)) == "2025-03-01T00:00:00.000Z"
    assert plain(frozenset({"b", "a"})) == ["a", "b"]
    assert plain((Part("k"),)) == [{"key": "k", "n_bytes": 3}]
    assert plain({"a": 1}) == {"a": 1}
    assert type(plain(Colour.RED)) is str


def test_a_file_may_make_something_else_of_each_value() -> None:
    assert row_of(Part("k"), "key n=n_bytes", str) == {"key": "k", "n": "3"}
