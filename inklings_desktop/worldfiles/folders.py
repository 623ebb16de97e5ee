"""Opens what lies in a world folder, step by step, and never through a link.

Where the system can, each step starts from the descriptor of the one before, so that nobody can
put a link on the way between a look and the next.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError, OutsideFileError
from inklings_desktop.domain.world.pages import FolderKind

if TYPE_CHECKING:
    from collections.abc import Iterator

VAULT_FOLDER = ".obsidian"
PROJECT_FILE = "nwProject.nwx"

HAS_DESCRIPTORS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | _NO_LINK | getattr(os, "O_DIRECTORY", 0)
_LINK_TAGS = {0xA0000003, 0xA000000C}
"""Windows: a junction or mounted drive, and a symbolic link."""

Place = int | str
"""An open folder: its descriptor, or its path where the system opens nothing from one."""


def is_link(status: os.stat_result) -> bool:
    """Whether a status that was not followed is that of a link or a junction."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) in _LINK_TAGS


@contextmanager
def opened_root(path: str) -> Iterator[Place]:
    """A world folder; the person chose it, so that a link to it is followed.

    Raises:
        OutsideFileError: It is not there, or cannot be opened.
    """
    try:
        root = os.open(path, _FOLDER & ~_NO_LINK) if HAS_DESCRIPTORS else _real_folder(path)
    except OSError as error:
        raise OutsideFileError(Path(path), str(error), is_reading=True) from error
    try:
        yield root
    finally:
        close(root)


def open_folder(name: str, place: Place) -> Place:
    """A folder in an open one; an ``OSError`` for a link and what cannot be opened."""
    if isinstance(place, int):
        return os.open(name, _FOLDER, dir_fd=place)
    path = os.path.join(place, name)  # noqa: PTH118  a hot path, and strings all the way
    if is_link(os.lstat(path)):
        raise NotADirectoryError(path)
    return path


def status_of(place: Place) -> os.stat_result:
    """What the system says of an open folder."""
    return os.stat(place)  # noqa: PTH116  a descriptor, as a rule


def close(place: Place) -> None:
    """Close a folder that was opened."""
    if isinstance(place, int):
        os.close(place)


@contextmanager
def opened_file(root: Place, path: str) -> Iterator[int]:
    """A file below a root; an ``OSError`` where something on the way is a link, or not there."""
    *folders, name = path.split("/")
    places = [root]
    try:
        for folder in folders:
            places.append(open_folder(folder, places[-1]))
        file = _open_file(name, places[-1])
    finally:
        for place in places[1:]:
            close(place)
    try:
        yield file
    finally:
        os.close(file)


def kind_of(path: Path, data_root: Path) -> FolderKind:
    """What kind of folder this is.

    Raises:
        InvalidValueError: Of the field ``path``: ``missing``, ``not_a_folder``, ``denied``,
            ``root`` of a file system, ``home`` (the home folder, or what holds it), or
            ``data_root`` (it, what holds it or lies in it).
    """
    try:
        real = path.expanduser().resolve(strict=True)
        names = {one.name for one in real.iterdir()}
    except NotADirectoryError as error:
        raise InvalidValueError("path", "not_a_folder") from error
    except PermissionError as error:
        raise InvalidValueError("path", "denied") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidValueError("path", "missing") from error
    if real.parent == real:
        raise InvalidValueError("path", "root")
    if _holds(real, Path.home()):
        raise InvalidValueError("path", "home")
    if _holds(real, data_root) or _holds(data_root, real):
        raise InvalidValueError("path", "data_root")
    if PROJECT_FILE in names:
        return FolderKind.NOVELWRITER
    return FolderKind.VAULT if VAULT_FOLDER in names else FolderKind.PLAIN


def identity(path: Path) -> tuple[int, int] | None:
    """Which file or folder it is, whatever it is called; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _holds(outer: Path, inner: Path) -> bool:
    """Whether a folder is another one or holds it; by what they are, not by their names."""
    wanted = identity(outer)
    real = inner.resolve()
    return wanted is not None and any(identity(one) == wanted for one in (real, *real.parents))


def _real_folder(path: str) -> str:
    if not path:
        raise FileNotFoundError(path)  # else it would be the folder that the program runs in
    real = os.path.realpath(path)
    with os.scandir(real):
        return real


def _open_file(name: str, place: Place) -> int:
    if isinstance(place, int):
        return os.open(name, _FILE, dir_fd=place)
    path = os.path.join(place, name)  # noqa: PTH118
    if is_link(os.lstat(path)):
        raise OSError(f"a link: {name}")
    return os.open(path, _FILE)
