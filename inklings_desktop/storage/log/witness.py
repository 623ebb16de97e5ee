"""``witness/``: what every file has stored, noted outside the file itself.

A database that lost the end of its WAL, or was put back to an earlier state, is whole in itself:
only somebody else can tell that it once held more. Each file has a witness, to which every durable
write adds a line after its commit. A line is never forced to the disk, so a power cut may take
some: then the witness knows less than the file, which is no fault. It never knows more, unless the
file has lost something. Each line carries a seal made with the installation's key, so that neither
a torn line nor one of another file counts.
"""

from __future__ import annotations

import hmac
import logging
import os
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.storage.backups.backups import ACCOUNT_SCOPE
from inklings_desktop.storage.engine.connecting import (
    FILE_MODE,
    locked,
    make_folder,
    replace_file,
    write_private,
)
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.rows.memories import to_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.usecases.ports.store import Clock

WITNESS_FOLDER = "witness"
LOCK_TIMEOUT_SECONDS = 1.0
POLL_SECONDS = 0.002
LONG_BYTES = 512 * 1024
"""A witness that is longer is trimmed when its file is opened."""
KEPT_WRITES = 4_096
"""As many stay then."""

_LOCK_FILE = ".lock"
_TAIL_BYTES = 4_096
"""Writers that finish at once may note their writes in another order, but not this far apart."""
_WROTE, _LOST, _ACCEPTED = "wrote", "lost", "accepted"

_log = logging.getLogger("inklings.storage")


class NotedWrite(NamedTuple):
    """One write.

    Attributes:
        change_seq: Change number that the file had after it.
        at: When, in milliseconds since 1970, UTC.
        n_scrubs: Scrubs in it.
    """

    change_seq: int
    at: int
    n_scrubs: int


class Loss(NamedTuple):
    """Writes that were missing when somebody looked.

    Attributes:
        writes: Which, the first one first.
        found_at: When it was seen, in milliseconds since 1970, UTC.
    """

    writes: tuple[NotedWrite, ...]
    found_at: int


class Testimony(NamedTuple):
    """What the witness of one file says.

    Attributes:
        writes: Those the file has to hold, as they were noted.
        losses: What was missing, unless the author has accepted it.
    """

    writes: list[NotedWrite]
    losses: list[Loss]

    def against(self, change_seq: int, now: int) -> Testimony:
        """The same, once the file was seen to have come to this number only."""
        missing = tuple(sorted(one for one in self.writes if one.change_seq > change_seq))
        if not missing:
            return self
        held = [one for one in self.writes if one.change_seq <= change_seq]
        return Testimony(held, [*self.losses, Loss(missing, now)])


class Witness:
    """The witnesses of one data root; safe to use from several threads and processes."""

    def __init__(self, root: Path, key: bytes, clock: Clock) -> None:
        self._folder = root / WITNESS_FOLDER
        self._key = key
        self._clock = clock

    def note(self, workspace_id: str | None, change_seq: int, n_scrubs: int = 0) -> None:
        """Note a write once it is durable; never fails, at worst the witness does not know of it.

        Args:
            workspace_id: Whose file; None for the account's.
            change_seq: Change number that the write took.
            n_scrubs: Scrubs in it.
        """
        try:
            self._add(workspace_id, _WROTE, change_seq, n_scrubs)
        except (OSError, StorageError) as error:
            _log.warning("a write was not witnessed: %s", type(error).__name__)

    def testimony(self, workspace_id: str | None) -> Testimony:
        """What is known of a file.

        Raises:
            StorageError: The witness is there and cannot be read.
        """
        said = Testimony([], [])
        for word, write in self._lines(workspace_id):
            if word == _WROTE:
                said.writes.append(write)
            elif word == _LOST:
                said = said.against(write.change_seq, write.at)
            elif word == _ACCEPTED:
                said.losses.clear()
        return said

    def newest(self, workspace_id: str | None) -> int:
        """The change number that a file has to have come to; 0 when none is known.

        Cheap at any length, as it looks at the end only. Ask before the file: whoever writes
        notes it after the commit, so the file has come at least as far. Never fails.
        """
        newest = 0
        try:
            for word, write in self._lines(workspace_id, _TAIL_BYTES):
                if word == _WROTE:
                    newest = max(newest, write.change_seq)
                elif word == _LOST:
                    newest = min(newest, write.change_seq)
        except StorageError as error:
            _log.warning("a witness cannot be read: %s", error.detail)
        return newest

    def is_long(self, workspace_id: str | None) -> bool:
        """Whether it is time to trim it."""
        try:
            return self._path(workspace_id).stat().st_size > LONG_BYTES
        except OSError:
            return False

    def compare(self, workspace_id: str | None, come_to: Callable[[], int]) -> None:
        """Keep on record what is missing, before the next write covers it; trim what is long.

        Never fails: where nothing can be written, the next opening finds the same.

        Args:
            workspace_id: Whose file; None for the account's.
            come_to: Asks the file for its last change number.
        """
        try:
            with self._locked():
                said = self.testimony(workspace_id)
                change_seq = come_to()
                if said.against(change_seq, 0) is not said:
                    self._add(workspace_id, _LOST, change_seq, is_durable=True)
                elif self.is_long(workspace_id) and not said.losses:
                    self._trim(workspace_id, said.writes)
        except (OSError, StorageError) as error:
            _log.warning("a file was not held against its witness: %s", type(error).__name__)

    def accept(self, workspace_id: str | None) -> None:
        """Let what was found missing until now be no fault any more.

        Raises:
            StorageError: It cannot be noted.
        """
        if self.testimony(workspace_id).losses:
            try:
                self._add(workspace_id, _ACCEPTED, is_durable=True)
            except OSError as error:
                raise file_error(error, self._path(workspace_id)) from error

    def drop(self, workspace_id: str | None) -> None:
        """Forget a file that is gone for good; nothing happens if there is no witness of it.

        Raises:
            StorageError: The folder refuses it.
        """
        path = self._path(workspace_id)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise file_error(error, path) from error

    def _add(
        self,
        workspace_id: str | None,
        word: str,
        change_seq: int = 0,
        n_scrubs: int = 0,
        *,
        is_durable: bool = False,
    ) -> None:
        path = self._path(workspace_id)
        line = self._line(
            workspace_id, word, NotedWrite(change_seq, to_ms(self._clock()), n_scrubs)
        )
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            handle = os.open(path, flags, FILE_MODE)
        except FileNotFoundError:
            make_folder(self._folder)
            handle = os.open(path, flags, FILE_MODE)
        try:
            os.write(handle, line)
            if is_durable:
                os.fsync(handle)
        finally:
            os.close(handle)

    def _trim(self, workspace_id: str | None, writes: Sequence[NotedWrite]) -> None:
        import secrets

        kept = sorted(writes)[-KEPT_WRITES:]
        path = self._path(workspace_id)
        fresh = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.new")
        write_private(fresh, b"".join(self._line(workspace_id, _WROTE, one) for one in kept))
        replace_file(fresh, path)

    def _line(self, workspace_id: str | None, word: str, write: NotedWrite) -> bytes:
        words = f"{word} {write.change_seq} {write.at} {write.n_scrubs}".encode()
        return b"%s %s\n" % (words, self._seal(workspace_id, words))

    def _lines(
        self, workspace_id: str | None, n_last_bytes: int | None = None
    ) -> Iterator[tuple[str, NotedWrite]]:
        """What the witness, or its end, says; lines that are not ours are left out."""
        path = self._path(workspace_id)
        try:
            with path.open("rb") as file:
                if n_last_bytes is not None:
                    file.seek(max(0, file.seek(0, os.SEEK_END) - n_last_bytes))
                content = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise file_error(error, path) from error
        for line in content.splitlines():
            words, _, seal = line.rpartition(b" ")
            if hmac.compare_digest(seal, self._seal(workspace_id, words)):
                word, *numbers = words.decode().split(" ")
                yield word, NotedWrite(*map(int, numbers))

    def _path(self, workspace_id: str | None) -> Path:
        return self._folder / (workspace_id or ACCOUNT_SCOPE)

    def _seal(self, workspace_id: str | None, words: bytes) -> bytes:
        message = b"inklings witness\n%s\n%s" % ((workspace_id or "").encode(), words)
        return hmac.digest(self._key, message, "sha256")[:8].hex().encode()

    def _locked(self) -> AbstractContextManager[None]:
        file = self._folder / _LOCK_FILE
        return locked(file, self._folder, "witness", LOCK_TIMEOUT_SECONDS, POLL_SECONDS)
