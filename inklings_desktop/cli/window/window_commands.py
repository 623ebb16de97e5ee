"""``inklings open``, ``demo`` and ``integrate``, and the menu entry of a Linux desktop."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.cli.command import program_command
from inklings_desktop.cli.documents import workspace_document
from inklings_desktop.cli.messages import refused, wrong_usage
from inklings_desktop.cli.options import CommonOptions, IntegrateOptions, OpenOptions
from inklings_desktop.cli.output import counted, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.data_root import default_data_dir, sample_data_dir
from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.links import parse_link
from inklings_desktop.resource_files import DESKTOP_ID, resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import typer

    from inklings_desktop.cli.program import Program

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


def add_window_commands(app: typer.Typer) -> None:
    """Add the commands that stand alone."""
    program_command(app, "open", OpenOptions, open_window)
    program_command(app, "demo", CommonOptions, make_demo)
    program_command(app, "integrate", IntegrateOptions, integrate)


def open_window(program: Program, options: OpenOptions) -> Answer:
    """Open the window."""
    _refuse_workspace(options, "The window opens the workspace it showed last")
    if options.link:
        try:
            parse_link(options.link)
        except InvalidValueError:
            raise wrong_usage(
                f"{visible(options.link)} is no link into Inklings. One looks like "
                "inklings://memory/ and an id; entry, conversation and page work as well. "
                "Nothing was opened."
            ) from None
    status = program.run_window(
        options.data_dir,
        demo=options.demo,
        tour=options.tour,
        smoke_test=options.smoke_test,
        link=options.link,
    )
    return Answer({"status": status}, [], status=status)


def make_demo(program: Program, options: CommonOptions) -> Answer:
    """Make the sample world, in a data root of its own."""
    _refuse_workspace(options, "The sample world brings its own workspaces")
    data_dir = options.data_dir or sample_data_dir(default_data_dir())
    place = visible(str(data_dir))
    try:
        loaded = program.make_sample_world(data_dir)
    except ConflictError:
        raise refused(
            "conflict",
            f"{place} already has workspaces, so the sample world was not added. Nothing was "
            "changed. Choose a new folder with --data-dir, or open this one with: inklings open "
            f"--data-dir {place}",
        ) from None
    document = {
        "data_dir": str(data_dir),
        "workspace": workspace_document(loaded.workspace),
        "memories": loaded.n_memories,
        "embedded": loaded.n_embedded,
    }
    said = [
        f"Made the sample world with {counted(loaded.n_memories, 'memory')} in {place}.",
        f"Look at it with: inklings open --data-dir {place}",
    ]
    return Answer(document, said)


def integrate(_program: Program, options: IntegrateOptions) -> Answer:
    """Put the window into the menu of a Linux desktop, with its icon and for its links."""
    _refuse_workspace(options, "The menu entry opens the workspace that the window showed last")
    if not sys.platform.startswith("linux"):
        raise refused(
            "unsupported",
            "A menu entry can be made on Linux only. Nothing was changed. Here the window opens "
            "with: inklings open",
        )
    folder = own_folder()
    files = desktop_files(window_command(), options.data_dir)
    if options.remove:
        removed = take_away(folder, files)
        said = [f"Removed the menu entry, {counted(len(removed), 'file')} in {_shown(folder)}."]
        if not removed:
            said = [f"You have no menu entry in {_shown(folder)}. Nothing was changed."]
        return _integrated(written=[], removed=removed, said=said)
    if (entry := entry_of_the_system()) is not None:
        where = _shown(entry)
        said = [f"Inklings Desktop is in the menu already, by {where}. Nothing was changed."]
        return _integrated(written=[], removed=[], said=said)
    written = place(folder, files)
    said = [
        f"Inklings Desktop is in the menu now, by {_shown(folder / ENTRY)}.",
        f"Wrote {counted(len(written), 'file')}; inklings integrate --remove takes them away.",
    ]
    if not written:
        said = [f"The menu entry in {_shown(folder)} is as it should be. Nothing was changed."]
    return _integrated(written=written, removed=[], said=said)


def _integrated(*, written: Sequence[Path], removed: Sequence[Path], said: list[str]) -> Answer:
    document = {"written": [str(one) for one in written], "removed": [str(one) for one in removed]}
    return Answer(document, said)


def _shown(path: Path) -> str:
    return visible(str(path))


def _refuse_workspace(options: CommonOptions, because: str) -> None:
    if options.workspace is not None:
        raise wrong_usage(f"{because}; leave out --workspace. Nothing was changed.")
