"""What a data root must be before anything is written to it: the owner's alone, and no detour."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from inklings_desktop.storage.backups.backups import BACKUPS_FOLDER
from inklings_desktop.storage.engine.connecting import FOLDER_MODE, OTHERS, make_folder
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.places import WORKSPACES_FOLDER
from inklings_desktop.storage.search.side_file.folders import FIND_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger("inklings.start")


def settle(root: Path) -> None:
    """Make the data root; close one that is there to other users, and remove links in it.

    A link in the place of a folder that is made anew goes. That of the backups stays, for what is
    behind it would be missed, and every write through it is refused.

    Raises:
        StorageError: It cannot be made or closed.
    """
    if not root.exists():
        make_folder(root)
        return
    try:
        if is_open_to_others(root):
            root.chmod(FOLDER_MODE)
            is_closed = not is_open_to_others(root)
            now = "is closed to them now" if is_closed else "cannot be closed on this disk"
            _log.warning("Other users could open %s. It %s.", root, now)
        for path in linked_folders(root):
            if path.name == FIND_FOLDER:
                path.unlink()
                _log.warning("%s was a link. It was removed; a folder takes its place.", path)
    except OSError as error:
        raise file_error(error, root) from error


def is_open_to_others(root: Path) -> bool:
    """Whether other users of the machine may look into the data root, or write to it."""
    return os.name != "nt" and bool(root.stat().st_mode & OTHERS)


def linked_folders(root: Path) -> list[Path]:
    """Folders of ours that are links, so that what is written there lands elsewhere."""
    patterns = (FIND_FOLDER, f"{WORKSPACES_FOLDER}/*/{FIND_FOLDER}", BACKUPS_FOLDER)
    return [path for one in patterns for path in sorted(root.glob(one)) if path.is_symlink()]
