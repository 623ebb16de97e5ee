from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.logs import file_log, topic

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such modes")
def test_log_files_are_the_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with file_log(tmp_path):
            topic("start").warning("opened")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "logs").iterdir()}
    assert modes == {"crash.log": 0o600, "inklings.log": 0o600}
    assert "opened" in (tmp_path / "logs" / "inklings.log").read_text("utf-8")


def test_a_folder_that_cannot_be_written_to_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("in the way", "utf-8")
    with file_log(tmp_path):
        topic("start").warning("nobody hears")
    assert (tmp_path / "logs").read_text("utf-8") == "in the way"
