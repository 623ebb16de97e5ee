"""Opens a database, reads it and closes it, as any other program of the user may."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.sqlite_store import raw


def main(path: str) -> None:
    """The last connection to leave a file folds its WAL back and removes it."""
    with raw(Path(path)) as connection:
        connection.execute("SELECT count(*) FROM memories").fetchone()


if __name__ == "__main__":
    main(*sys.argv[1:])
