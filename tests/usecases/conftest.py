"""The world in which use cases are tried."""

from __future__ import annotations

import pytest

from tests.usecases.world import World


@pytest.fixture
def world() -> World:
    """One empty workspace in memory."""
    return World()
