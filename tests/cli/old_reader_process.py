"""A program that reads a database as it was when it began; it ends with its standard input.

Argument: the database.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing


def main(path: str) -> None:
    """Hold one read transaction open."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM memories").fetchone()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
