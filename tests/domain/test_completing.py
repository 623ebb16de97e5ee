"""Which operator somebody is typing."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.search.search_operators import (
    Operator,
    Unfinished,
    typed_search,
    unfinished_at,
    written,
)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("ta|", Unfinished(0, 2, "ta")),
        ("sea ta|g more", Unfinished(4, 7, "ta")),
        ("tag:|", Unfinished(0, 4, "", Operator.TAG)),
        ("sea TAG:so|ng x", Unfinished(4, 12, "so", Operator.TAG)),
        ('source:"old no|', Unfinished(0, 14, "old no", Operator.SOURCE)),
        ("after:2026-0|", Unfinished(0, 12, "2026-0", Operator.AFTER)),
    ],
)
def test_the_operator_at_the_caret_is_known(typed: str, found: Unfinished) -> None:
    assert unfinished_at(typed.replace("|", ""), typed.index("|")) == found


@pytest.mark.parametrize("typed", ["|", "sea |", "note:x|", "12|", "x-ta|", "-tag:so|", '"sea ta|'])
def test_elsewhere_nothing_can_be_completed(typed: str) -> None:
    found = unfinished_at(typed.replace("|", ""), typed.index("|"))
    assert found is None or (found.operator is None and typed.startswith('"'))


@pytest.mark.parametrize("value", ["song", "high tide", "ebb"])
def test_what_is_put_in_is_understood(value: str) -> None:
    found = typed_search(written(Operator.TAG, value))
    assert found.where.tags == {value}
