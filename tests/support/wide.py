"""Cases of a matrix, examples of a property: a few every day, all in the endurance run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

EVERY_DAY = "every day"
"""The profile of examples of a run that is no endurance run."""
OF_ALL = 4
"""An everyday run tries one of so many examples."""


def examples(full: int, profile: str | None = None) -> int:
    """How many examples of a property this run tries.

    Args:
        full: As many as the endurance run does.
        profile: That of a run; this one's if none is named.
    """
    profile = profile or settings.get_current_profile_name()
    return max(1, full // OF_ALL) if profile == EVERY_DAY else full


def mostly_wide(
    cases: Iterable[Any],
    every_day: Callable[[Any], bool] | Collection[str],
    ids: Callable[[Any], str] | Sequence[str] = (),
) -> list[Any]:
    """Cases for ``parametrize``, of which most are left to ``-m endurance``.

    Args:
        cases: One value each, or a tuple of several.
        every_day: Which are tried in each run: asked with the value or the tuple, or their names.
        ids: What a case is called, or what each is; as pytest has it by default.
    """
    found = []
    for number, case in enumerate(cases):
        values = case if isinstance(case, tuple) else (case,)
        name = ids(case) if callable(ids) else ids[number] if ids else None
        is_daily = every_day(case) if callable(every_day) else name in every_day
        marks = () if is_daily else (pytest.mark.wide,)
        found.append(pytest.param(*values, marks=marks, id=name))
    return found
