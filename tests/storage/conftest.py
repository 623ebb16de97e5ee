"""A data root with two workspaces, over real files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld, sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SqliteWorld]:
    """Adapters over a fresh data root."""
    with sqlite_world(tmp_path, workspace_ids=(WORKSPACE_ID, OTHER_WORKSPACE_ID)) as world:
        yield world
