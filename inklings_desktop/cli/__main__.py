"""``inklings``: the command line of Inklings Desktop."""

from __future__ import annotations

import os
import sys

from inklings_desktop.relay.command import leave, plain_hello, relay, say_alone
from inklings_desktop.relay.link import HOST_WORD, HostUnavailableError

TYPE_CHECKING = False  # the module that has it takes as long to import as the relay
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.transfer.sample_world import SampleWorldLoaded


def main() -> None:
    """Run what the arguments ask for and leave with its exit status.

    A client waits for its server: neither the relay to it nor the host of all of them wait for a
    library that reads command lines.
    """
    arguments = sys.argv[1:]
    if arguments[:1] == [HOST_WORD]:
        _be_host(*arguments[1:])
    if (hello := plain_hello(arguments)) is not None:
        try:
            leave(relay(hello))
        except HostUnavailableError as error:
            say_alone(error)
            arguments.append("--in-process")
    _run_command_line(arguments)


def _be_host(root: str, linger: str) -> None:
    from pathlib import Path

    from inklings_desktop.bootstrap import run_host

    def failing(error: InklingsError) -> tuple[str, int]:
        from inklings_desktop.cli.messages import failure_of

        failure = failure_of(error)
        return failure.message, failure.status

    run_host(Path(root), float(linger), failing)
    leave(0)


def _run_command_line(arguments: list[str]) -> None:
    from inklings_desktop.cli.app import run
    from inklings_desktop.cli.program import Program

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    program = Program(_open_inklings, _run_window, _make_sample_world, _serve_agent)
    status = run(arguments, program)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone; without this the interpreter would say so again while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or 1
    sys.exit(status)


# The composition root brings the database and the window with it: only commands that need it
# pay for the import, ``--help`` and ``--version`` do not.
def _open_inklings(
    data_dir: Path | None, *, workspace: str | None, require_account: bool = True
) -> AbstractContextManager[Inklings]:
    from inklings_desktop.bootstrap import open_inklings
    from inklings_desktop.cli.progress import say_upgrade

    return open_inklings(
        data_dir,
        workspace=workspace,
        require_account=require_account,
        may_only_read=True,
        upgrading=say_upgrade,
    )


def _run_window(
    data_dir: Path | None, *, demo: bool, tour: Path | None, smoke_test: bool, link: str
) -> int:
    from inklings_desktop.bootstrap import run_window

    return run_window(data_dir, demo=demo, tour=tour, smoke_test=smoke_test, link=link)


def _make_sample_world(data_dir: Path) -> SampleWorldLoaded:
    from inklings_desktop.bootstrap import make_sample_world

    return make_sample_world(data_dir)


def _serve_agent(
    data_dir: Path | None,
    workspace: str | None,
    client: str | None,
    *,
    port: int | None,
    say: Callable[[str, str | None], None],
    failing: Callable[[InklingsError], str],
    linger: float | None,
) -> None:
    from inklings_desktop.bootstrap import serve_agent

    serve_agent(data_dir, workspace, client, port=port, say=say, failing=failing, linger=linger)


if __name__ == "__main__":
    main()
