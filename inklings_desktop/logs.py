"""Topic loggers and one rotating file; memory text never above debug level.

May import the standard library only. Nothing goes to standard output: an agent's protocol may
be speaking there.
"""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOT = "inklings"
MAX_BYTES = 1_000_000
N_BACKUPS = 3

# Without a log file nothing is printed in its place: a terminal may be speaking a protocol.
logging.getLogger(ROOT).addHandler(logging.NullHandler())
# What is found at the start is for the person as well: warnings go to standard error.
if logging.lastResort is not None:
    logging.getLogger(f"{ROOT}.start").addHandler(logging.lastResort)


def topic(name: str) -> logging.Logger:
    """The logger of one topic: ``storage``, ``ui``, ``embedding``, ``start``."""
    return logging.getLogger(f"{ROOT}.{name}")


@contextmanager
def file_log(data_dir: Path) -> Iterator[None]:
    """Log to ``logs/inklings.log`` under the data root; a crash leaves its trace in ``crash.log``.

    Where the folder cannot be written to there is no log, which is no reason not to start.
    """
    folder = data_dir / "logs"
    try:
        if folder.is_symlink():
            folder.unlink()  # nothing is written through a link
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        crash_file = open(  # noqa: SIM115 - closed below; only this way takes an opener
            folder / "crash.log", "a", encoding="utf-8", opener=_private
        )
        handler = _PrivateLog(
            folder / "inklings.log", maxBytes=MAX_BYTES, backupCount=N_BACKUPS, encoding="utf-8"
        )
    except OSError:
        yield
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger(ROOT)
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    faulthandler.enable(crash_file)
    try:
        yield
    finally:
        faulthandler.disable()
        root.removeHandler(handler)
        for one in (crash_file, handler):
            with suppress(OSError):  # a disk that took no line takes none now
                one.close()


class _PrivateLog(logging.handlers.RotatingFileHandler):
    """A rotating file that is the owner's alone, like everything under the data root."""

    def _open(self) -> Any:
        return open(self.baseFilename, self.mode, encoding=self.encoding, opener=_private)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - its name there
        """Print nothing where a disk took no line: a terminal may be speaking a protocol."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
