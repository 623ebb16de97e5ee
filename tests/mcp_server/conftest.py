"""The agent's door for tests."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.mcp_server.agent_door import AgentDoor, agent_door, make_root
from tests.support.checked_schemas import a_schema_is_checked_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.rooms.workspace import Workspace

__all__ = ["a_schema_is_checked_once"]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Workspace]:
    """A data root behind the agent's door and its workspace, made once; nobody opens it."""
    root = tmp_path_factory.mktemp("door") / "root"
    return root, make_root(root)


@pytest.fixture
def door(tmp_path: Path, made: tuple[Path, Workspace]) -> Iterator[AgentDoor]:
    """One workspace behind the agent's door."""
    root, workspace = made
    copy = Path(shutil.copytree(root, tmp_path / "root"))
    with agent_door(copy, workspace) as opened:
        yield opened


@pytest.fixture
def world(tmp_path: Path, made: tuple[Path, Workspace]) -> tuple[Path, str]:
    """A data root and the workspace in it, opened by nobody."""
    root, workspace = made
    return Path(shutil.copytree(root, tmp_path / "root")), workspace.id
