"""One folder of a world folder, held open: files in it are named without any path."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

_BY_DESCRIPTOR = os.open in os.supports_dir_fd
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW
_BINARY = getattr(os, "O_BINARY", 0)
_NO_EXCHANGE = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}
_EXCHANGE = 2
"""``RENAME_EXCHANGE`` of Linux and ``RENAME_SWAP`` of macOS."""
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, *_NO_EXCHANGE}
_HIDDEN = re.compile(r"\.inklings-[0-9a-f]{16}\.tmp")
_ONLY_NEW = 4 if sys.platform == "darwin" else 1
"""``RENAME_NOREPLACE`` of Linux and ``RENAME_EXCL`` of macOS."""


@dataclass(frozen=True, slots=True)
class PagePlace:
    """A folder to which no link led.

    Attributes:
        folder: Its path, for whoever has no descriptor.
        descriptor: Of the folder; None on Windows.
    """

    folder: Path
    descriptor: int | None

    def name(self, name: str) -> str:
        """How the system is told of a file in it."""
        return name if self.descriptor is not None else str(self.folder / name)

    def read(self, name: str) -> tuple[bytes, int]:
        """The bytes and the mode of a plain file."""
        handle = os.open(
            self.name(name), os.O_RDONLY | _NO_FOLLOW | _BINARY, dir_fd=self.descriptor
        )
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise InvalidValueError("page", "link")
            return file.read(), stat.S_IMODE(found.st_mode)

    @contextmanager
    def written_beside(self, data: bytes, mode: int) -> Iterator[str]:
        """A new file with these bytes; what is left under its name goes."""
        name = _hidden_name()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
        handle = os.open(self.name(name), flags, mode, dir_fd=self.descriptor)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                if hasattr(os, "fchmod"):
                    os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            yield name
        finally:
            self.discard(name)

    def exchange(self, one: str, other: str) -> None:
        """Let two files have each other's name, in one step wherever the system can."""
        if sys.platform == "win32":
            _exchange_on_windows(self.name(one), self.name(other))
        elif not _renamed((self.descriptor, one), (self.descriptor, other), _EXCHANGE):
            # No exchange on this file system: what stands there is kept by a second name first.
            kept = f"{other}.was"
            try:
                os.link(one, kept, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
            except OSError:
                data, mode = self.read(one)
                with self.written_beside(data, mode) as copy:
                    os.rename(copy, kept, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
            os.replace(other, one, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
            os.rename(kept, other, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def give_name(self, name: str, to: PagePlace, new: str) -> None:
        """Give a file another name, never that of one that is there.

        Raises:
            ConflictError: Something has this name.
        """
        try:
            if self.descriptor is None:
                (self.folder / name).rename(to.folder / new)
                return
            os.link(
                name,
                new,
                src_dir_fd=self.descriptor,
                dst_dir_fd=to.descriptor,
                follow_symlinks=False,
            )
            os.unlink(name, dir_fd=self.descriptor)
        except FileExistsError as error:
            raise ConflictError("page", new) from error
        except OSError as error:  # most sticks know no second name of a file
            if error.errno not in _NO_LINKS or not self._renamed_to(name, to, new):
                raise

    def _renamed_to(self, name: str, to: PagePlace, new: str) -> bool:
        try:
            return _renamed((self.descriptor, name), (to.descriptor, new), _ONLY_NEW)
        except FileExistsError as error:
            raise ConflictError("page", new) from error

    def is_same(self, name: str, there: PagePlace, other: str) -> bool:
        """Whether two names are of one file that has several."""
        one = os.stat(self.name(name), dir_fd=self.descriptor, follow_symlinks=False)
        two = os.stat(there.name(other), dir_fd=there.descriptor, follow_symlinks=False)
        return one.st_nlink > 1 and os.path.samestat(one, two)

    def take_away(self, name: str) -> str:
        """Give a file a name that nobody looks at; which one."""
        hidden = _hidden_name()
        folder = self.descriptor
        os.rename(self.name(name), self.name(hidden), src_dir_fd=folder, dst_dir_fd=folder)
        return hidden

    def left_behind(self, before: float) -> Iterator[tuple[str, bytes]]:
        """Hidden files of ours that nobody touched since an instant, with their bytes.

        None where the system cannot tell when a file got its name: somebody may be at it.
        """
        names = os.listdir(self.descriptor) if self.descriptor is not None else ()  # noqa: PTH208
        for name in names:
            if _HIDDEN.fullmatch(name):
                found = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
                if stat.S_ISREG(found.st_mode) and max(found.st_ctime, found.st_mtime) < before:
                    yield name, self.read(name)[0]

    def discard(self, name: str) -> None:
        """Remove a file; nothing happens where there is none."""
        with suppress(FileNotFoundError):
            os.unlink(self.name(name), dir_fd=self.descriptor)

    def sync(self) -> None:
        """Let the names last a power cut, where the system can promise it."""
        if self.descriptor is not None:
            with suppress(OSError):
                os.fsync(self.descriptor)


@contextmanager
def page_place(root: Path, parts: tuple[str, ...], *, makes: bool = False) -> Iterator[PagePlace]:
    """A folder below a world folder, reached without following a link or leaving the device.

    Args:
        root: The world folder.
        parts: Names of the folders below it.
        makes: Whether folders that are not there are made.

    Raises:
        InvalidValueError: A link stands on the way, or another device begins there.
        OSError: It cannot be opened.
    """
    if not _BY_DESCRIPTOR:
        folder = root
        for part in parts:
            folder /= part
            if makes:
                folder.mkdir(exist_ok=True)
            if folder.is_symlink() or bool(getattr(folder.lstat(), "st_reparse_tag", False)):
                raise InvalidValueError("page", "link")
        yield PagePlace(folder, None)
        return
    handles = [os.open(root, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))]
    try:
        device = os.fstat(handles[0]).st_dev
        for part in parts:
            if makes:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=handles[-1])
            found = os.stat(part, dir_fd=handles[-1], follow_symlinks=False)
            if stat.S_ISLNK(found.st_mode) or found.st_dev != device:
                raise InvalidValueError("page", "link")
            handles.append(os.open(part, _FOLDER, dir_fd=handles[-1]))
        yield PagePlace(root.joinpath(*parts), handles[-1])
    finally:
        for handle in handles:
            os.close(handle)


def _hidden_name() -> str:
    """A name that nobody has and nobody looks at."""
    return f".inklings-{secrets.token_hex(8)}.tmp"


def _renamed(one: tuple[int | None, str], other: tuple[int | None, str], how: int) -> bool:
    """Whether the system renamed in this way in one step; each name stands in an open folder."""
    library = ctypes.CDLL(None, use_errno=True)
    call = getattr(library, "renameatx_np" if sys.platform == "darwin" else "renameat2", None)
    if call is None or one[0] is None:
        return False
    names = (one[0], os.fsencode(one[1]), other[0], os.fsencode(other[1]))
    if call(*names, ctypes.c_uint(how)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NO_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), one[1])


def _exchange_on_windows(one: str, other: str) -> None:
    import ctypes.wintypes

    kept = f"{other}.was"
    library = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]
    if not library.ReplaceFileW(
        ctypes.c_wchar_p(one), ctypes.c_wchar_p(other), ctypes.c_wchar_p(kept), 0, None, None
    ):
        number = ctypes.get_last_error()  # type: ignore[attr-defined]
        raise OSError(0, "ReplaceFileW", one, number)
    Path(kept).replace(other)
