"""Data roots that many tests begin with: made by the first of them, copied for the others."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from filelock import FileLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LONGEST_INODE = (1 << 63) - 1


def copied_or_made(kept: Path, root: Path, make: Callable[[], object]) -> None:
    """Fill a data root as an earlier test of this run did, or by making it.

    Args:
        kept: A folder of the whole run for what is made, which other workers may make; nobody
            opens it.
        root: Where it shall be; nothing is there.
        make: Makes it, and leaves it closed.
    """
    with FileLock(kept.with_name(f"{kept.name}.lock")):
        if not kept.exists():
            make()
            copy_root(root, kept)
            return
    copy_root(kept, root)


def copy_root(root: Path, other: Path) -> None:
    """Copy a closed data root, and the pages beside it, which the copy links instead."""
    shutil.copytree(root, other)
    pages, its_pages = (one.with_name(f"{one.name}-pages") for one in (root, other))
    if not pages.exists():
        return
    shutil.copytree(pages, its_pages)
    for path in other.glob("workspaces/*/agents.db"):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE world_folders SET path = ?", (str(its_pages),))
    stamps = [
        (one.stat().st_ino & _LONGEST_INODE, one.relative_to(its_pages).as_posix())
        for one in its_pages.rglob("*.md")
    ]
    for path in other.glob("workspaces/*/world.db"):
        with closing(sqlite3.connect(path)) as connection, connection:
            # else the first look would read every page again
            connection.executemany("UPDATE pages SET inode = ? WHERE path = ?", stamps)
