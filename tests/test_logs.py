from __future__ import annotations

import errno
import io
import logging
import logging.handlers
import os
import stat
import sys
from pathlib import Path

import pytest

from inklings_desktop.logs import ROOT, file_log, topic


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


def test_a_disk_that_takes_no_line_lets_nothing_be_printed_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class FullDisk(io.StringIO):
        def flush(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    with file_log(tmp_path):
        (handler,) = (
            one
            for one in logging.getLogger(ROOT).handlers
            if isinstance(one, logging.handlers.RotatingFileHandler)
        )
        stream = handler.stream
        monkeypatch.setattr(handler, "stream", FullDisk())
        topic("storage").warning("the head was not written")
        monkeypatch.setattr(handler, "stream", stream)
        topic("storage").warning("room again")
    assert capfd.readouterr() == ("", "")
    assert "room again" in (tmp_path / "logs" / "inklings.log").read_text(encoding="utf-8")
