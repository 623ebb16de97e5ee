"""The agent's door for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.mcp_server.agent_door import AgentDoor, agent_door
from tests.support.checked_schemas import a_schema_is_checked_once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["a_schema_is_checked_once"]


@pytest.fixture
def door(tmp_path: Path) -> Iterator[AgentDoor]:
    """One workspace behind the agent's door."""
    with agent_door(tmp_path / "root") as opened:
        yield opened


@pytest.fixture
def world(tmp_path: Path) -> tuple[Path, str]:
    """A data root and the workspace in it, opened by nobody."""
    root = tmp_path / "root"
    with agent_door(root) as opened:
        return root, opened.workspace.id
