"""``log_heads.json``: how far every event log has come, noted outside the logs themselves.

A chain alone does not tell that its tail was cut off or that the whole file was put back to an
earlier state; compared with the head noted here it does. The file carries a seal made with the
installation's key, so that an edit of it shows as well. It never goes backward.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.connecting import FILE_MODE, locked, remove_spare, replace_file
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.log.event_chain import Head

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

HEADS_FILE = "log_heads.json"
LOCK_FILE = ".log_heads.lock"
LOCK_TIMEOUT_SECONDS = 1.0
POLL_SECONDS = 0.002

_UNFINISHED = ".log_heads.json.new"
_FORMAT = "inklings-log-heads"
_ACCOUNT = "account"
_WORKSPACE = "workspace "
_KEY_IS_NEW = "key_is_new"

_log = logging.getLogger("inklings.storage")


class HeadsState(StrEnum):
    """What the file is worth."""

    SOUND = "sound"
    MISSING = "missing"
    """It is not there, or was written with another key."""
    EDITED = "edited"
    """It is not what the program wrote; nothing in it counts."""


@dataclass(frozen=True, slots=True)
class NotedHeads:
    """The file as it was read.

    Attributes:
        state: What it is worth.
        heads: Head per workspace, None for the account's; empty unless the state is sound.
        key_is_new: Whether the installation once had another key, and nobody accepted the loss.
    """

    state: HeadsState
    heads: Mapping[str | None, Head] = field(default_factory=dict)
    key_is_new: bool = False


class LogHeads:
    """The noted heads of one data root; safe to use from several threads and processes."""

    def __init__(self, root: Path, key: bytes) -> None:
        self._root = root
        self._path = root / HEADS_FILE
        self._key = key
        self._key_id = self._sign(b"inklings log heads: which key")[:16]

    def read(self) -> NotedHeads:
        """The file as it is now.

        Raises:
            StorageError: It is there and cannot be read.
        """
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return NotedHeads(HeadsState.MISSING)
        except OSError as error:
            raise file_error(error, self._path) from error
        try:
            document = json.loads(text)
            if document["key"] != self._key_id:
                return NotedHeads(HeadsState.MISSING, key_is_new=True)
            logs, key_is_new = document["logs"], document.get(_KEY_IS_NEW, False)
            if not hmac.compare_digest(document["seal"], self._seal(logs, key_is_new=key_is_new)):
                return NotedHeads(HeadsState.EDITED)
            return NotedHeads(HeadsState.SOUND, _heads_of(logs), key_is_new)
        except (ValueError, KeyError, TypeError, AttributeError):
            return NotedHeads(HeadsState.EDITED)

    def begin(self, *, key_is_new: bool = False) -> None:
        """Make the file of an installation, without any head; an existing one of ours stays.

        Args:
            key_is_new: Whether there are databases already, whose key is gone.

        Raises:
            StorageError: It cannot be made; without it the check would miss it for good.
        """
        with self._locked():
            noted = self.read()
            if noted.state is HeadsState.MISSING:
                self._write({}, key_is_new=key_is_new or noted.key_is_new)

    def enter(self, workspace_id: str | None) -> None:
        """Note that a log is empty, before anything is appended to it."""

        def fresh(noted: NotedHeads) -> Mapping[str | None, Head] | None:
            if noted.state is not HeadsState.SOUND or workspace_id in noted.heads:
                return None
            return {**noted.heads, workspace_id: Head()}

        self._note(fresh)

    def advance(
        self,
        workspace_id: str | None,
        head: Head,
        *,
        first: int,
        digest_at: Callable[[int], str | None],
    ) -> None:
        """Note that a log has come further; never fails, at worst the older head stays.

        A head is replaced only where the log still holds the event it names.

        Args:
            workspace_id: Whose log; None for the account's.
            head: The last event that was committed.
            first: Number of the first event of that commit.
            digest_at: The hash of an event of the log; None where it has no such number.
        """

        def fresh(noted: NotedHeads) -> Mapping[str | None, Head] | None:
            if noted.state is HeadsState.EDITED:
                _log.warning("%s was edited; the head of a log is not noted", HEADS_FILE)
                return None
            held = noted.heads.get(workspace_id)
            if held is None:
                # A log taken over begins at 1; beside heads that were lost it counts as lost.
                others_are = any(one.is_anew for one in noted.heads.values())
                is_anew = noted.state is HeadsState.MISSING or first > 1 or others_are
            elif held.number >= head.number:
                return None
            elif held.number > 0 and digest_at(held.number) != held.digest:
                _log.warning("an event log is not the one whose head is noted; that one is kept")
                return None
            else:
                is_anew = held.is_anew
            return {**noted.heads, workspace_id: Head(head.number, head.digest, is_anew)}

        self._note(fresh)

    def put(self, heads: Mapping[str | None, Head], *, accepts_key: bool = False) -> None:
        """Note heads whatever is noted of these logs, because they were rightly replaced.

        Args:
            heads: The heads.
            accepts_key: Whether a new key is no fault from now on.

        Raises:
            StorageError: They cannot be noted.
        """
        with self._locked():
            noted = self.read()
            key_is_new = noted.key_is_new and not accepts_key
            self._write({**noted.heads, **heads}, key_is_new=key_is_new)

    def drop(self, workspace_id: str | None) -> None:
        """Forget a head, because its log is gone for good; nothing happens if none is noted.

        Raises:
            StorageError: The file cannot be read or written.
        """
        with self._locked():
            noted = self.read()
            if workspace_id in noted.heads:
                kept = {one: head for one, head in noted.heads.items() if one != workspace_id}
                self._write(kept, key_is_new=noted.key_is_new)

    def _note(self, fresh: Callable[[NotedHeads], Mapping[str | None, Head] | None]) -> None:
        """Replace the heads by what comes out of those noted now, if anything does."""
        try:
            with self._locked():
                noted = self.read()
                heads = fresh(noted)
                if heads is not None:
                    self._write(heads, key_is_new=noted.key_is_new)
        except StorageError as error:
            _log.warning("%s was not written: %s", HEADS_FILE, error.detail)

    def _locked(self) -> AbstractContextManager[None]:
        file = self._root / LOCK_FILE
        return locked(file, self._path, "heads", LOCK_TIMEOUT_SECONDS, POLL_SECONDS)

    def _write(self, heads: Mapping[str | None, Head], *, key_is_new: bool) -> None:
        """Replace the file in one step; it is whole on the disk before it gets its name."""
        logs = {
            _name(one): {"events": head.number, "hash": head.digest, "anew": head.is_anew}
            for one, head in sorted(heads.items(), key=lambda item: item[0] or "")
        }
        document = {
            "format": _FORMAT,
            "key": self._key_id,
            "logs": logs,
            "seal": self._seal(logs, key_is_new=key_is_new),
            **({_KEY_IS_NEW: True} if key_is_new else {}),
        }
        content = (json.dumps(document, indent=2) + "\n").encode()
        unfinished = self._root / _UNFINISHED
        try:
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            remove_spare(unfinished)
            raise file_error(error, self._path) from error
        # A power cut that brought the file from before back would leave a new log without a head,
        # and a deleted one with it.
        replace_file(unfinished, self._path)

    def _seal(self, logs: Mapping[str, Any], *, key_is_new: bool) -> str:
        canonical = json.dumps(logs, sort_keys=True, separators=(",", ":"))
        kind = b"seal, new key" if key_is_new else b"seal"
        return self._sign(b"inklings log heads: %s\n%s" % (kind, canonical.encode()))

    def _sign(self, message: bytes) -> str:
        return hmac.new(self._key, message, hashlib.sha256).hexdigest()


def _heads_of(logs: Mapping[str, Mapping[str, Any]]) -> dict[str | None, Head]:
    return {
        None if name == _ACCOUNT else name.removeprefix(_WORKSPACE): Head(
            one["events"], one["hash"], one["anew"]
        )
        for name, one in logs.items()
    }


def _name(workspace_id: str | None) -> str:
    return _ACCOUNT if workspace_id is None else f"{_WORKSPACE}{workspace_id}"
