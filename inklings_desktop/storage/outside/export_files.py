"""Export files: written whole or not at all, for the owner alone, anywhere on the disk."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.storage.engine.connecting import FILE_MODE, sync_folder
from inklings_desktop.storage.engine.driver import outside_error
from inklings_desktop.usecases.ports.transfer import InputFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

MAX_FILES = 10_000
_NOVEL_PROJECT = "nwProject.nwx"
_SQLITE_MAGIC = b"SQLite format 3\0"


class LocalExportFiles:
    """The ``ExportFiles`` of this machine."""

    def __init__(self, data_dir: Path | None = None) -> None:
        self._data_dir = data_dir

    def write(self, path: Path, parts: Iterable[str]) -> int:
        """Write a file of the owner's alone, whole or not at all; its size in bytes.

        Raises:
            InvalidValueError: It would lie in the data root, or replace a database or something
                that is no plain file.
            StorageError: It cannot be written; whatever had this name is as it was.
        """
        # A link of this name is replaced like a file; what it leads to was never named.
        target = path.parent.resolve() / path.name
        if self._data_dir is not None and _is_within(target.parent, self._data_dir):
            raise InvalidValueError("export_path", "data_root", str(self._data_dir))
        _require_replaceable(target)
        fresh = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}")
        n_bytes = 0
        try:
            try:
                handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
                with os.fdopen(handle, "wb") as file:
                    for part in parts:
                        n_bytes += file.write(part.encode("utf-8"))
                    file.flush()
                    os.fsync(file.fileno())
                fresh.replace(target)
            finally:
                fresh.unlink(missing_ok=True)
        except OSError as error:
            raise outside_error(error, path, is_reading=False) from error
        sync_folder(target.parent)
        return n_bytes

    def found(
        self, paths: Sequence[Path], suffixes: Collection[str]
    ) -> tuple[tuple[InputFile, ...], tuple[str, ...]]:
        files: list[InputFile] = []
        others: list[str] = []
        for path in paths:
            is_project = path.suffix.casefold() == ".nwx" or (path / _NOVEL_PROJECT).is_file()
            if path.suffix.casefold() == ".nwx":
                path = path.parent  # noqa: PLW2901 - a project of novelWriter is its folder
            if not path.is_dir():
                files.append(InputFile(path, path.name))
                continue
            for inside in _files_below(path):
                name = inside.relative_to(path).as_posix()
                is_text = not is_project or name.startswith("content/")
                if inside.suffix.casefold() in suffixes and is_text:
                    files.append(InputFile(inside, name, is_inside=True))
                else:
                    others.append(name)
            if len(files) > MAX_FILES:
                raise ImportRefusedError("too_many_files", limit=MAX_FILES)
        if not files:
            raise ImportRefusedError("no_notes")
        return tuple(files), tuple(others)

    def read(self, path: Path, limit: int) -> bytes:
        try:
            # A pipe would be waited for without end, and a device never ends.
            found = path.stat()
            if not stat.S_ISREG(found.st_mode):
                raise ImportRefusedError("no_file")
            if found.st_size > limit:  # none of it is read to find that out
                raise ImportRefusedError("too_large", limit=limit)
            with path.open("rb") as file:
                data = file.read(limit + 1)
        except OSError as error:
            raise outside_error(error, path, is_reading=True) from error
        if len(data) > limit:  # it grew meanwhile
            raise ImportRefusedError("too_large", limit=limit)
        return data


def _files_below(folder: Path) -> Iterator[Path]:
    """The plain files of a folder and those below, in the order of their names.

    What is hidden is some program's own, and a link could lead anywhere.

    Raises:
        StorageError: A folder cannot be read.
    """

    def refuse(error: OSError) -> NoReturn:
        raise outside_error(error, folder, is_reading=True) from error

    for root, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            path = Path(root, name)
            if not name.startswith(".") and stat.S_ISREG(path.lstat().st_mode):
                yield path


def _is_within(folder: Path, root: Path) -> bool:
    """Whether a resolved folder is a data root or below it, by whatever name that is reached."""
    return any(one.exists() and one.samefile(root) for one in (folder, *folder.parents))


def _require_replaceable(path: Path) -> None:
    """Return only if nothing has this name, or a file that an export may replace.

    A folder is left to the system, which never replaces it; a link goes alone. What has a second
    name is not opened: that one stays, and closing a database of ours would let go of the locks
    that SQLite holds.

    Raises:
        InvalidValueError: It is a database, or a device, a pipe or a socket.
    """
    try:
        found = path.lstat()
        if stat.S_ISDIR(found.st_mode) or stat.S_ISLNK(found.st_mode):
            return
        if not stat.S_ISREG(found.st_mode):
            raise InvalidValueError("export_path", "no_file")
        if found.st_nlink > 1:
            return
        with path.open("rb") as file:
            if file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC:
                raise InvalidValueError("export_path", "database")
    except OSError:
        return  # nothing there, or the writing will say why it cannot be
