"""How often the named tests do what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def reduced_or_full(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Chooses n: the first figure as a rule, the second under ``pytest -m endurance``."""
    is_endurance_run = request.config.getoption("markexpr") == "endurance"

    def chosen(reduced: int, full: int) -> int:
        return full if is_endurance_run else reduced

    return chosen
