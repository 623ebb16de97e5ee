"""Relays and their host meet in a folder that is one user's alone, or not at all."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from inklings_desktop.relay.meeting_point import MeetingPoint

STRANGER = 4_000_000_000
"""A user whom this machine does not have."""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, on a machine without a folder for each session."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    return tmp_path


def own_folder(temporary: Path, user: int) -> Path:
    return temporary / f"inklings-{user}"


@pytest.mark.parametrize("mode", [0o710, 0o701, 0o720, 0o702, 0o740, 0o704])
def test_a_folder_that_others_may_open_is_refused(temporary: Path, mode: int) -> None:
    if sys.platform == "win32":
        return
    folder = own_folder(temporary, os.getuid())
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(PermissionError, match="not this user's alone"):
        MeetingPoint(str(temporary / "data"))
    assert not list(folder.iterdir())


def test_a_folder_of_another_user_is_refused(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        return
    monkeypatch.setattr(os, "getuid", lambda: STRANGER)
    folder = own_folder(temporary, STRANGER)
    folder.mkdir(0o700)  # by whoever runs this, who is not that user
    with pytest.raises(PermissionError, match="not this user's alone"):
        MeetingPoint(str(temporary / "data"))
    assert not list(folder.iterdir())


def test_a_link_in_the_place_of_the_folder_is_refused(temporary: Path) -> None:
    if sys.platform == "win32":
        return
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir(0o700)
    own_folder(temporary, os.getuid()).symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(PermissionError, match="not this user's alone"):
        MeetingPoint(str(temporary / "data"))
    assert not list(elsewhere.iterdir())


def test_a_folder_of_ones_own_is_made_and_met_in_again(temporary: Path) -> None:
    first = MeetingPoint(str(temporary / "data"))
    again = MeetingPoint(str(temporary / "data"))
    assert (first.address, first.key) == (again.address, again.key)
    if sys.platform != "win32":
        folder = own_folder(temporary, os.getuid())
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
