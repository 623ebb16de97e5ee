"""Which files under a data root are ours, how large they are, and how much room is left."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError, StorageError
from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.backups.backups import UNFINISHED_PREFIX, all_backups
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.places import (
    DATABASE_NAME,
    WORKSPACES_FOLDER,
    WORLD_ASIDE,
    WORLD_NAME,
    workspace_folder,
)
from inklings_desktop.storage.schema.marks import APPLICATION_ID

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from inklings_desktop.storage.databases import Databases, OpenFile


@dataclass(frozen=True, slots=True)
class FolderDiskProbe:
    """The ``DiskProbe`` over the folder of a data root; opens no database."""

    root: Path

    def room(self) -> DiskRoom:
        try:
            free = shutil.disk_usage(self.root).free
            every = (
                self.root / DATABASE_NAME,
                *self.root.glob(f"{WORKSPACES_FOLDER}/*/{DATABASE_NAME}"),
            )
            largest = max(_size(one) + _size(one.with_name(f"{one.name}-wal")) for one in every)
        except OSError as error:
            raise file_error(error, self.root) from error
        return DiskRoom(free, largest)


def _size(path: Path) -> int:
    """Bytes of a file; 0 for one that is not there, or went a moment ago."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


_INDEX_OF_WAL = "-shm"
"""Holds page numbers alone; closing it in this process would drop SQLite's locks."""
_SIDE_SUFFIXES = ("-wal", "-journal")
_HEADER_BYTES, _MARK_AT = 72, 68
_HEADER = b"SQLite format 3\x00"


def stores(databases: Databases) -> dict[Path, OpenFile | None]:
    """The databases of ours with those that are in use, and the managed backups of any of them.

    One that is damaged, of another version or of another workspace than its folder says is none.
    """
    root = databases.root
    found: dict[Path, OpenFile | None] = {}
    with suppress(StorageError):
        found[root / DATABASE_NAME] = databases.file(None)
    for path in root.glob(f"{WORKSPACES_FOLDER}/*/{DATABASE_NAME}"):
        with suppress(StorageError, NotFoundError):
            found[path] = databases.file(path.parent.name)
    found |= dict.fromkeys(one.path for one in all_backups(root) if one.fault is None)
    return found


def files_under(root: Path) -> Iterator[tuple[Path, int]]:
    """Every regular file and its size, in order of their names.

    Links are not followed, but for folders of ours that lie elsewhere: all workspaces, or one.
    """
    workspaces = root / WORKSPACES_FOLDER
    for folder, folders, names in os.walk(root, followlinks=True):
        place = Path(folder)
        folders[:] = sorted(
            one
            for one in folders
            if workspaces in {place, place / one} or not (place / one).is_symlink()
        )
        for name in sorted(names):
            path = place / name
            if not name.endswith(_INDEX_OF_WAL) and path.is_file() and not path.is_symlink():
                yield path, path.stat().st_size


def database_of(path: Path, own: Container[Path]) -> Path | None:
    """The database of ours that a file belongs to, itself or one beside it; else None."""
    for suffix in ("", *_SIDE_SUFFIXES):
        database = path.with_name(path.name.removesuffix(suffix))
        if path.name.endswith(suffix) and database in own:
            return database
    return None


def holds_pages(path: Path, root: Path) -> bool:
    """Whether a file is the index of a workspace's pages, or lies beside it for SQLite.

    It says what the author's own files say, which no scrub touches.
    """
    is_beside_store = path.parent.parent == root / WORKSPACES_FOLDER
    return is_beside_store and path.name.startswith((WORLD_NAME, WORLD_ASIDE))


def stray_copies(databases: Databases) -> tuple[str, ...]:
    """Databases of this program that lie under the root and that it does not use, by name.

    Somebody copied them, or a program that keeps folders in step did: no scrub clears them.
    """
    root = databases.root
    known = {root / DATABASE_NAME, *stores(databases), *(one.path for one in all_backups(root))}
    used = {(one.stat().st_dev, one.stat().st_ino) for one in known if one.exists()}
    found = []
    for path, _ in files_under(root):
        parts = path.relative_to(root).parts
        is_unfinished = any(one.startswith((".", UNFINISHED_PREFIX)) for one in parts)
        if is_unfinished or path in known or _is_looked_at(root, parts):
            continue
        with suppress(OSError):
            status = path.stat()
            # To open and close what another connection uses would drop its locks.
            if (status.st_dev, status.st_ino) not in used and _is_store(path):
                found.append(path.relative_to(root).as_posix())
    return tuple(found)


def _is_looked_at(root: Path, parts: tuple[str, ...]) -> bool:
    """Whether a check names it where it looks at the workspaces."""
    if len(parts) != len(("workspaces", "id", "file")) or parts[::2] != (
        WORKSPACES_FOLDER,
        DATABASE_NAME,
    ):
        return False
    try:
        workspace_folder(root, parts[1])
    except NotFoundError:
        return False
    return True


def _is_store(path: Path) -> bool:
    with path.open("rb") as file:
        begins = file.read(_HEADER_BYTES)
    return begins.startswith(_HEADER) and begins[_MARK_AT:] == APPLICATION_ID.to_bytes(4)
