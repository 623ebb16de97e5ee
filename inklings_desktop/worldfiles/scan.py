"""Lists the text files of a world folder, by their names and stamps alone."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import OutsideFileError
from inklings_desktop.domain.world.pages import MOST_INODE, FileStamp
from inklings_desktop.domain.world.path_rules import PAGE_SUFFIXES
from inklings_desktop.worldfiles.folders import (
    close,
    identity,
    is_link,
    open_folder,
    opened_root,
    status_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    from inklings_desktop.worldfiles.folders import Place

MAX_DEPTH = 64
"""Folders in folders; what lies deeper is told as a folder that was not read."""


class Scan:
    """One look at a folder.

    Attributes:
        stamps: Text files, links, and folders that could not be opened; by path once it is done.
        n_other: Files that are no text and were left alone.
    """

    def __init__(
        self,
        path: str,
        data_root: Path,
        ignore: Sequence[str] = (),
        suffixes: tuple[str, ...] = PAGE_SUFFIXES,
    ) -> None:
        self.stamps: list[FileStamp] = []
        self.n_other = 0
        self._is_ignored = ignoring(ignore)
        self._suffixes = suffixes
        self._data_root = identity(data_root)
        with opened_root(path) as root:
            known = status_of(root)
            self._device = known.st_dev
            self._list(root, "", 0)
        # A stick that was pulled out while it was read would look like a folder without files.
        if identity(Path(path)) != (known.st_dev, known.st_ino):
            raise OutsideFileError(Path(path), "went away", is_reading=True)
        self.stamps.sort()

    def _list(self, place: Place, below: str, depth: int) -> None:
        folders = []
        with os.scandir(place) as entries:
            for entry in entries:
                name = entry.name
                if name.startswith("."):
                    continue
                path, is_folder = below + name, entry.is_dir(follow_symlinks=False)
                if self._is_ignored and self._is_ignored(path + "/" * is_folder):
                    continue
                if is_folder:
                    folders.append((name, path))
                else:
                    self._add(entry, path)
        for name, path in folders:
            self._enter(place, name, path, depth)

    def _add(self, entry: os.DirEntry[str], path: str) -> None:
        is_page = path.endswith(self._suffixes) or path.casefold().endswith(self._suffixes)
        if not is_page and not entry.is_symlink():
            self.n_other += 1
            return
        try:
            status = entry.stat(follow_symlinks=False)
            if not path.isascii():
                path.encode()
        except (OSError, UnicodeError):
            self.n_other += 1  # vanished, or a name that is no text
            return
        if is_page and stat.S_ISREG(status.st_mode) and not is_link(status):
            self._take(path, status)
        elif is_link(status):
            if is_page or "." not in entry.name:  # a link to a picture is no page
                self._take(path, status, is_a_link=True)
        else:
            self.n_other += 1

    def _enter(self, place: Place, name: str, path: str, depth: int) -> None:
        try:
            folder = open_folder(name, place)
        except FileNotFoundError:
            return  # moved or deleted since its name was read
        except OSError as error:
            # Neither is there to be read, and both are shown. Anything else ends the look: what a
            # failing disk does not list would be missed as if the author had deleted it.
            is_a_link = error.errno in {errno.ENOTDIR, errno.ELOOP}
            if not is_a_link and not isinstance(error, PermissionError):
                raise OutsideFileError(Path(path), str(error), is_reading=True) from error
            self._take(path, is_a_link=is_a_link)
            return
        try:
            status = status_of(folder)
            if (status.st_dev, status.st_ino) == self._data_root:
                return
            if status.st_dev != self._device:  # another disk that is mounted here
                self._take(path, status, is_a_link=True)
            elif depth >= MAX_DEPTH:
                self._take(path)
            else:
                self._list(folder, path + "/", depth + 1)
        except PermissionError:
            self._take(path)
        finally:
            close(folder)

    def _take(
        self, path: str, status: os.stat_result | None = None, *, is_a_link: bool = False
    ) -> None:
        if status is None:
            self.stamps.append(FileStamp(path, 0, 0, 0, is_a_link))
            return
        inode = status.st_ino & MOST_INODE
        self.stamps.append(FileStamp(path, status.st_size, status.st_mtime_ns, inode, is_a_link))


def ignoring(patterns: Sequence[str]) -> Callable[[str], bool] | None:
    """Whether a path is to be left alone; a folder's ends with ``/``. None leaves none alone."""
    if not patterns:
        return None
    from pathspec import GitIgnoreSpec

    compiled: list[GitIgnoreSpecPattern] = []
    for pattern in patterns:
        try:
            compiled += GitIgnoreSpec.from_lines([pattern]).patterns
        except ValueError:
            continue  # it means nothing; Git passes it over as well
    return GitIgnoreSpec(compiled).match_file
