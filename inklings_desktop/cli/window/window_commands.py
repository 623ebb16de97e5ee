"""``inklings open``, ``inklings demo`` and ``inklings integrate``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inklings_desktop.cli.command import program_command
from inklings_desktop.cli.documents import workspace_document
from inklings_desktop.cli.messages import refused, wrong_usage
from inklings_desktop.cli.options import CommonOptions, IntegrateOptions, OpenOptions
from inklings_desktop.cli.output import counted, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.window.desktop_files import (
    ENTRY,
    desktop_files,
    entry_of_the_system,
    own_folder,
    place,
    take_away,
    window_command,
)
from inklings_desktop.data_root import default_data_dir, sample_data_dir
from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.links import parse_link

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import typer

    from inklings_desktop.cli.program import Program


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
