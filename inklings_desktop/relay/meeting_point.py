"""Where the relays and the one host of a data root find each other, open to this user alone."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import time
from contextlib import contextmanager, suppress

import inklings_desktop

TYPE_CHECKING = False  # the module that has it takes as long to import as all of this
if TYPE_CHECKING:
    from collections.abc import Iterator

KEY_BYTES = 32
_NAME_CHARACTERS = 20
_POLL_SECONDS = 0.02


class MeetingPoint:
    """The address of a host, the key to it, and the locks that keep it the only one.

    Attributes:
        address: Path of a socket, or name of a pipe.
        family: Which of both.
        key: Proves to either side that the other is this user.
        trouble: File in which a host says why it could not start.
    """

    __slots__ = ("_place", "address", "family", "key", "trouble")

    def __init__(self, root: str, who: str = "") -> None:
        """Find the place for a data root; another version of the program meets elsewhere.

        Args:
            root: The data root.
            who: Who else than relays and their host meets there.

        Raises:
            OSError: There is no folder that is this user's alone.
        """
        folder = _own_folder()
        self.key = _key(os.path.join(folder, "key"))
        program = f"{inklings_desktop.__version__}\0{os.path.dirname(inklings_desktop.__file__)}"
        meant = f"{os.path.realpath(root)}\0{program}{who}".encode(errors="surrogateescape")
        name = hashlib.sha256(self.key + meant).hexdigest()[:_NAME_CHARACTERS]
        self._place = os.path.join(folder, name)
        self.trouble = f"{self._place}.err"
        if sys.platform == "win32":
            self.family, self.address = "AF_PIPE", rf"\\.\pipe\inklings-{name}"
        else:
            self.family, self.address = "AF_UNIX", f"{self._place}.sock"

    @property
    def is_reachable(self) -> bool:
        """Whether the address can still be found by others; some systems tidy such folders."""
        return self.family != "AF_UNIX" or os.path.exists(self.address)

    @contextmanager
    def locked(self, name: str, seconds: float = 0.0) -> Iterator[bool]:
        """Whether this process alone holds a lock now; the system frees it when a process dies.

        Args:
            name: Which lock.
            seconds: How long whoever has it is waited for.
        """
        deadline = time.monotonic() + seconds
        handle = os.open(f"{self._place}.{name}", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            while not (is_mine := _is_locked(handle)) and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
            yield is_mine
        finally:
            os.close(handle)


def _own_folder() -> str:
    """A folder that nobody else can look into, with a path short enough for a socket in it."""
    if sys.platform == "win32":
        folder = os.path.join(tempfile.gettempdir(), "inklings")
        os.makedirs(folder, exist_ok=True)
        return folder
    user = os.getuid()
    of_session = f"/run/user/{user}"
    parent, name = tempfile.gettempdir(), f"inklings-{user}"
    if os.access(of_session, os.W_OK | os.X_OK):
        parent, name = of_session, "inklings"
    folder = os.path.join(parent, name)
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == user
    if not is_ours or stat.S_IMODE(found.st_mode) & 0o077:
        raise PermissionError(None, "not this user's alone", folder)
    return folder


def _key(path: str) -> bytes:
    """The key in this file, made at the first call; of several that make it one wins."""
    with suppress(FileNotFoundError), open(path, "rb") as file:
        return file.read()
    handle, fresh = tempfile.mkstemp(dir=os.path.dirname(path))
    with open(handle, "wb") as file:
        file.write(os.urandom(KEY_BYTES))
    with suppress(FileExistsError):
        # A rename would take the place of another's key; a link does not.
        os.link(fresh, path)
    os.unlink(fresh)
    with open(path, "rb") as file:
        return file.read()


if sys.platform == "win32":
    import msvcrt

    def _is_locked(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _is_locked(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
