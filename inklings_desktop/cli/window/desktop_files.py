"""The menu entry of the window: the files that a Linux desktop reads, in the person's own folders.

Source: the desktop entry, icon theme and base directory specifications of freedesktop.org.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.resource_files import DESKTOP_ID, resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ENTRY = Path("applications", f"{DESKTOP_ID}.desktop")
_INDEX_SECONDS = 60


def own_folder() -> Path:
    """Where a person's own desktop files lie."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"


def entry_of_the_system() -> Path | None:
    """The menu entry that a package brought for everybody, if one did."""
    named = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    entries = (Path(one) / ENTRY for one in named.split(":") if Path(one) != own_folder())
    return next((one for one in entries if one.is_file()), None)


def window_command() -> list[str]:
    """What starts the window of this very installation, by absolute path."""
    beside = Path(sys.executable).with_name("inklings-desktop")
    return [str(beside)] if beside.exists() else [sys.executable, "-m", "inklings_desktop"]


def desktop_files(command: Sequence[str], data_dir: Path | None) -> dict[Path, bytes]:
    """Menu entry, icons and description, each by its place below a folder of shared files.

    Args:
        command: What starts the window.
        data_dir: What it opens, unless the person's usual data root; the sample world has its own.
    """
    share = resource(f"share/{ENTRY.as_posix()}").parents[1]
    files = {
        path.relative_to(share): path.read_bytes()
        for path in sorted(share.rglob("*"))
        if path.is_file()
    }
    entry = files[ENTRY].decode("utf-8")
    if data_dir is not None:
        option = " ".join(map(_quoted, ("--data-dir", str(data_dir.absolute()))))
        entry = entry.replace(" %u", f" {option} %u")
    files[ENTRY] = _started_by(command, entry).encode("utf-8")
    return files


def place(folder: Path, files: Mapping[Path, bytes]) -> list[Path]:
    """Write the files that are not there as they should be; those that were written."""
    written = []
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            written.append(path)
    return _indexed(folder, written)


def take_away(folder: Path, files: Mapping[Path, bytes]) -> list[Path]:
    """Remove the files that are there; those that were."""
    removed = [folder / name for name in files if (folder / name).is_file()]
    for path in removed:
        path.unlink()
    return _indexed(folder, removed)


def _started_by(command: Sequence[str], entry: str) -> str:
    """The menu entry with this command for the bare name, hidden when its program is gone."""
    program = command[0].replace("\\", "\\\\")
    words = " ".join(map(_quoted, command))
    # A function, so that no backslash of a path is taken for a group of the pattern.
    entry = re.sub(r"(?m)^Exec=inklings-desktop\b", lambda _: f"Exec={words}", entry)
    return re.sub(r"(?m)^Exec=", lambda _: f"TryExec={program}\nExec=", entry, count=1)


def _quoted(word: str) -> str:
    """One argument as the value of ``Exec`` has it: quoted for its words, escaped as a string."""
    escaped = re.sub(r'(["`$\\])', r"\\\1", word).replace("%", "%%")
    return f'"{escaped}"'.replace("\\", "\\\\")


def _indexed(folder: Path, changed: list[Path]) -> list[Path]:
    """The same files, once the desktop knows again which program opens which link."""
    indexer = shutil.which("update-desktop-database")
    if changed and indexer is not None:
        subprocess.run(  # noqa: S603 - a fixed program on a folder of ours
            [indexer, str(folder / ENTRY.parent)],
            check=False,
            capture_output=True,
            timeout=_INDEX_SECONDS,
        )
    return changed
