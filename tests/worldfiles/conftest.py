from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.world_folders import WorldOnDisk


@pytest.fixture
def world(tmp_path: Path) -> WorldOnDisk:
    return WorldOnDisk(tmp_path)
