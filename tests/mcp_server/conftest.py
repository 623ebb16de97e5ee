"""The agent's door for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.mcp_server.agent_door import AgentDoor, agent_door

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def door(tmp_path: Path) -> Iterator[AgentDoor]:
    """One workspace behind the agent's door."""
    with agent_door(tmp_path / "root") as opened:
        yield opened
