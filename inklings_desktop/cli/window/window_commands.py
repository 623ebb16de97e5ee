"""``inklings open`` and ``inklings demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.command import program_command
from inklings_desktop.cli.documents import workspace_document
from inklings_desktop.cli.messages import refused, wrong_usage
from inklings_desktop.cli.options import CommonOptions, OpenOptions
from inklings_desktop.cli.output import counted, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.data_root import default_data_dir, sample_data_dir
from inklings_desktop.domain.errors import ConflictError

if TYPE_CHECKING:
    import typer

    from inklings_desktop.cli.program import Program


def add_window_commands(app: typer.Typer) -> None:
    """Add the commands that stand alone."""
    program_command(app, "open", OpenOptions, open_window)
    program_command(app, "demo", CommonOptions, make_demo)


def open_window(program: Program, options: OpenOptions) -> Answer:
    """Open the window."""
    _refuse_workspace(options, "The window opens the workspace it showed last")
    status = program.run_window(
        options.data_dir, demo=options.demo, tour=options.tour, smoke_test=options.smoke_test
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
            f"{place} holds workspaces already, so the sample world was not added. Nothing was "
            f"changed. Choose a new folder with --data-dir, or see what is there with: inklings "
            f"open --data-dir {place}",
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


def _refuse_workspace(options: CommonOptions, because: str) -> None:
    if options.workspace is not None:
        raise wrong_usage(f"{because}; leave out --workspace. Nothing was changed.")
