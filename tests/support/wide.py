"""Cases of a matrix: a few for every day, the others for the endurance run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def mostly_wide(
    cases: Iterable[Any],
    every_day: Callable[[Any], bool],
    ids: Callable[[Any], str] | None = None,
) -> list[Any]:
    """Cases for ``parametrize``, of which most are left to ``-m endurance``.

    Args:
        cases: One value each, a tuple of several, or what ``pytest.param`` gave.
        every_day: Whether a case is tried in each run; it is given the value or the tuple.
        ids: What a case is called; as pytest has it by default.
    """
    found = []
    for case in cases:
        is_made = hasattr(case, "values") and hasattr(case, "marks")
        made = case if is_made else pytest.param(*(case if isinstance(case, tuple) else (case,)))
        value = made.values if len(made.values) > 1 else made.values[0]
        marks = made.marks if every_day(value) else (*made.marks, pytest.mark.wide)
        name = made.id if ids is None else ids(value)
        found.append(pytest.param(*made.values, marks=marks, id=name))
    return found
