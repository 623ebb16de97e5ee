"""Asks the system how much room is left for a data root, and how large its databases are."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.places import DATABASE_NAME, WORKSPACES_FOLDER

if TYPE_CHECKING:
    from pathlib import Path


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
