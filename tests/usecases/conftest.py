"""The world in which use cases are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.usecases.world import a_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.usecases.world import World


@pytest.fixture
def world(kept_roots: Path, tmp_path: Path) -> Iterator[World]:
    """A world with one empty workspace."""
    with a_world(kept_roots, tmp_path / "data") as made:
        yield made
