"""Programs that are ahead and bring a workspace up to date: to be killed, or to run side by side.

Arguments: ``open`` and a data root, or ``killed``, a data root that is copied for each kill, the
folder for the copies, and before which statements to kill. Whoever is killed is a fork of this
program, so that its start is paid for once.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.upgrade.migrating import Place, bring_up_to_date
from tests.storage.later_schema import LATER, later, path_of
from tests.support.builders import WORKSPACE_ID, FixedClock

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import Any


def hearing(hear: Callable[[sqlite3.Connection, str], None]) -> Callable[[Path], Any]:
    """Makes bare connections that tell of each statement before they run it."""

    class Hearing(sqlite_module().Connection):  # type: ignore[misc]  # whichever driver it is
        def execute(self, sql: str, *values: Any) -> Any:
            hear(super(), sql)  # type: ignore[arg-type]  # a connection that tells of nothing
            return super().execute(sql, *values)

    def connect(path: Path) -> Any:
        place = f"{path.absolute().as_uri()}?mode=rw"
        return sqlite_module().connect(place, uri=True, isolation_level=None, factory=Hearing)

    return connect


def migrate(root: Path, hear: Callable[[sqlite3.Connection, str], None]) -> None:
    """Bring the workspace up to date on a connection that tells of each statement."""
    with later(root) as databases:
        place = Place(root, FixedClock(), databases.log_heads(), databases.key())
        path = path_of(root, WORKSPACE_ID)
        bring_up_to_date(path, WORKSPACE_ID, place, LATER, connect=hearing(hear))


def statements_of(root: Path) -> list[str]:
    """Every statement that the steps send to the file of this data root, which they change."""
    said: list[str] = []
    migrate(root, lambda _connection, sql: said.append(sql))
    return said


def _killed_before(root: Path, number: int) -> None:
    n_heard = 0

    def hear(_connection: object, _sql: str) -> None:
        nonlocal n_heard
        if n_heard == number:
            os.kill(os.getpid(), signal.SIGKILL)
        n_heard += 1

    if os.fork() == 0:
        migrate(root, hear)
        os._exit(0)
    _, status = os.wait()
    assert os.WIFSIGNALED(status)


def main(what: str, root: str, *more: str) -> None:
    """Say ``ready``, wait for a line and open the file; or kill and say ``done``."""
    if what == "open":
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        with later(Path(root)) as databases:
            databases.file(WORKSPACE_ID)
    for number in more[1:]:
        copy = Path(more[0]) / number
        shutil.copytree(root, copy)
        _killed_before(copy, int(number))
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
