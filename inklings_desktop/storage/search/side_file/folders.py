"""Where the side files of a database lie, and how they go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.places import DATABASE_NAME

if TYPE_CHECKING:
    from pathlib import Path

FIND_FOLDER = "find"
"""Made from the rows of the database beside it: it can go at any time, and is in no backup."""
LOCK_FILE = ".find.lock"
UNFINISHED = "unfinished"
"""What a folder is called until it is on the disk."""


def folder_of(database: Path) -> Path:
    """Where the side files of a database lie."""
    return database.with_name(FIND_FOLDER)


def numbered(database: Path) -> list[tuple[int, Path]]:
    """Finished folders by their number, the newest first."""
    try:
        names = [one for one in folder_of(database).iterdir() if one.name.isdecimal()]
    except OSError:
        return []
    return sorted(((int(one.name), one) for one in names), reverse=True)


def remove_all(database: Path) -> None:
    """Take every side file of a database away.

    Raises:
        OSError: One of them is held.
    """
    import shutil

    folder = folder_of(database)
    if folder.exists():
        shutil.rmtree(folder)


def beside_which(path: Path, root: Path) -> Path | None:
    """The database whose side files a path under a data root is one of; None if it is none."""
    for folder in path.relative_to(root).parents:
        database = root / folder.parent / DATABASE_NAME
        if folder.name == FIND_FOLDER and database.exists():
            return database
    return None
