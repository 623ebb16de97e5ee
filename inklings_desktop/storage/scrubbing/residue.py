"""The search after a scrub: whether a piece of what was removed is left in a file under the root.

Every file is read whole, WAL and backups included, also where a folder is a link. What is found in
a database of ours and stands in one of its own rows was written again by somebody, or stays on
purpose: it proves nothing. Only the databases that this program uses may explain themselves like
that, with their managed backups: a copy that somebody made of one holds what it holds.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import field
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.needles import WINDOW_BYTES, standing_windows
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.repositories.scrub_rows import stored_texts
from inklings_desktop.storage.search.side_file.folders import beside_which, remove_all
from inklings_desktop.storage.workspaces.own_files import (
    database_of,
    files_under,
    holds_pages,
    stores,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.likeness.needles import NeedleSet
    from inklings_desktop.storage.databases import Databases, OpenFile
    from inklings_desktop.usecases.ports.progress import Progress

LOGS_FOLDER = "logs"
NOT_OURS = "not a store that this program uses"
UNREAD = "cannot be read"
_BLOCK_BYTES = 1 << 22


@dataclass(slots=True)
class Residue:
    """What one search came to.

    Attributes:
        n_files: Files read whole.
        n_bytes: Bytes in them.
        n_needles: Needles that could prove something: those in no row that stays.
        hits: Needles found where no row has them, summed over our files.
        n_copied: Needles found in files that are not ours, summed over these.
        remaining: Files that are not ours and hold one or cannot be read, and why they stay.
        places: Our own files with hits, named from the data root; for logs and tests.
    """

    n_files: int = 0
    n_bytes: int = 0
    n_needles: int = 0
    hits: int = 0
    n_copied: int = 0
    remaining: tuple[str, ...] = ()
    places: list[str] = field(default_factory=list)


def search(databases: Databases, needles: NeedleSet, progress: Progress) -> Residue:
    """Look for needles in every file under a data root but the indexes of the author's pages.

    A log file that holds one is emptied, and side files are taken away: they are made anew.

    Args:
        databases: Whose root.
        needles: What to look for.
        progress: Hears ``search`` with bytes done.

    Raises:
        StoppedError: The person stopped it.
        OSError: A file of ours cannot be read.
    """
    root = databases.root
    paths = [one for one in files_under(root) if not holds_pages(one[0], root)]
    total = sum(size for _, size in paths)
    found = Residue()
    explained: set[bytes] = set()
    foreign: list[str] = []
    own = stores(databases)
    for path, _ in paths:
        progress.require_wanted()
        progress.report("search", found.n_bytes, total)
        name = path.relative_to(root).as_posix()
        database = database_of(path, own)
        try:
            met, n_bytes = _met(path, own.get(path), needles)
        except FileNotFoundError:
            continue  # gone since the folder was read: a WAL that was folded back, a finished copy
        except PermissionError:
            if database is not None:
                raise
            foreign.append(f"{name}: {UNREAD}")
            continue
        found.n_files += 1
        found.n_bytes += n_bytes
        if not met:
            continue
        if name.startswith(f"{LOGS_FOLDER}/"):
            _empty(path)
        elif (beside := beside_which(path, root)) is not None:
            remove_all(beside)
        elif database is None:
            found.n_copied += len(met)
            foreign.append(f"{name}: {NOT_OURS}")
        else:
            standing = _standing(database, needles, met)
            explained |= standing
            left = met - standing
            found.hits += len(left)
            if left:
                found.places.append(name)
    found.n_needles = len(needles) - len(explained)
    found.remaining = tuple(foreign)
    return found


def _met(path: Path, open_file: OpenFile | None, needles: NeedleSet) -> tuple[set[bytes], int]:
    """The needles in a file's bytes, and how many bytes it has."""
    if open_file is not None:
        return _met_in(open_file.held_bytes.blocks(path, _BLOCK_BYTES), needles)
    with path.open("rb") as file:
        return _met_in(iter(lambda: file.read(_BLOCK_BYTES), b""), needles)


def _met_in(blocks: Iterator[bytes], needles: NeedleSet) -> tuple[set[bytes], int]:
    met: set[bytes] = set()
    n_bytes, before = 0, b""
    for block in blocks:
        n_bytes += len(block)
        joined = before + block
        met.update(needles.windows_in(joined).values())
        before = joined[1 - WINDOW_BYTES :]
    return met, n_bytes


def _standing(path: Path, needles: NeedleSet, met: set[bytes]) -> frozenset[bytes]:
    """Those that a row of this database explains; none when it is not one."""
    is_sealed = path.name != DATABASE_NAME
    try:
        with closing(connect_raw(path, read_only=True, immutable=is_sealed)) as connection:
            connection.execute("BEGIN")
            return standing_windows(needles.hasher, met, stored_texts(connection.execute))
    except sqlite_module().Error:
        return frozenset()


def _empty(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
