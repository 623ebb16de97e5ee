"""Whether the machine runs on its battery, by the folders of its supplies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from inklings_desktop.scheduler.mains import supplies_say_so

BATTERY = {"type": "Battery", "status": "Discharging"}
FULL = {"type": "Battery", "status": "Full"}
PLUGGED = {"type": "Mains", "online": "1"}
UNPLUGGED = {"type": "Mains", "online": "0"}
MOUSE = {"type": "Battery", "status": "Discharging", "scope": "Device"}


@pytest.mark.parametrize(
    ("supplies", "is_on_battery"),
    [
        ((BATTERY, UNPLUGGED), True),
        ((BATTERY,), True),
        ((BATTERY, PLUGGED), False),  # it drinks more than it is given
        ((FULL, PLUGGED), False),
        ((FULL,), False),
        ((MOUSE, PLUGGED), False),
        ((MOUSE,), False),
        ((), False),
    ],
)
def test_a_battery_that_nothing_feeds(
    tmp_path: Path, supplies: tuple[Mapping[str, str], ...], *, is_on_battery: bool
) -> None:
    for number, supply in enumerate(supplies):
        folder = tmp_path / f"supply{number}"
        folder.mkdir()
        for name, said in supply.items():
            (folder / name).write_text(f"{said}\n", encoding="utf-8")
    assert supplies_say_so(tmp_path) is is_on_battery


def test_a_system_without_such_folders_runs_on_mains(tmp_path: Path) -> None:
    assert not supplies_say_so(tmp_path / "none")
