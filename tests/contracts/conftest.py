"""The store that every contract is asked of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.kept_roots import copied_or_made
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.usecases.ports.store import Store, WorkspaceDirectory
    from tests.support.fake_publisher import FakePublisher
    from tests.support.sqlite_store import SqliteWorld


BOTH = (WORKSPACE_ID, OTHER_WORKSPACE_ID)


@pytest.fixture
def under_test(kept_roots: Path, tmp_path: Path) -> Iterator[SqliteWorld]:
    """A store with two workspaces and nothing in it."""
    root = tmp_path / "data"

    def make() -> None:
        with sqlite_world(root, workspace_ids=BOTH) as made:
            made.path(None)

    copied_or_made(kept_roots / "two_workspaces", root, make)
    with sqlite_world(root, workspace_ids=BOTH) as world:
        yield world


@pytest.fixture
def store(under_test: SqliteWorld) -> Store:
    """The store alone."""
    return under_test.store


@pytest.fixture
def publisher(under_test: SqliteWorld) -> FakePublisher:
    """Who hears of the store's commits."""
    return under_test.publisher


@pytest.fixture
def directory(under_test: SqliteWorld) -> WorkspaceDirectory:
    """The workspaces of the store."""
    return under_test.directory
