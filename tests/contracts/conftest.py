"""Every implementation of the store, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from inklings_desktop.domain.rooms.workspace import Workspace
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.fakes import FakePublisher, FakeStore, FakeWorkspaceDirectory
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.usecases.ports.store import Store, WorkspaceDirectory


class StoreUnderTest(NamedTuple):
    """One implementation with two workspaces."""

    store: Store
    directory: WorkspaceDirectory
    publisher: FakePublisher


@pytest.fixture(params=["sqlite", "memory"])
def under_test(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreUnderTest]:
    """A store with two workspaces and nothing in it."""
    ids = (WORKSPACE_ID, OTHER_WORKSPACE_ID)
    if request.param == "sqlite":
        with sqlite_world(tmp_path, workspace_ids=ids) as world:
            yield StoreUnderTest(world.store, world.directory, world.publisher)
        return
    publisher = FakePublisher()
    store = FakeStore(publisher)
    directory = FakeWorkspaceDirectory(store)
    for workspace_id in ids:
        directory.create(Workspace(workspace_id, f"World {workspace_id[:8]}", NOON))
    yield StoreUnderTest(store, directory, publisher)


@pytest.fixture
def store(under_test: StoreUnderTest) -> Store:
    """The store alone."""
    return under_test.store


@pytest.fixture
def publisher(under_test: StoreUnderTest) -> FakePublisher:
    """Who hears of the store's commits."""
    return under_test.publisher


@pytest.fixture
def directory(under_test: StoreUnderTest) -> WorkspaceDirectory:
    """The workspaces of the store."""
    return under_test.directory
