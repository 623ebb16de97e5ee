"""The bearer token of each client in a file of its own, which the owner alone can read.

A token begins with the name of its file: one is looked at, whatever is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.storage.engine.connecting import (
    make_folder,
    replace_file,
    sync_folder,
    write_private,
)
from inklings_desktop.storage.engine.driver import file_error

if TYPE_CHECKING:
    from pathlib import Path

CLIENT_TOKENS_FOLDER = "client_tokens"
SECRET_BYTES = 32
_FILE_NAME = re.compile(r"[0-9a-f]{16}")


class FolderClientTokens:
    """The ``ClientTokens`` of one data root."""

    def __init__(self, root: Path) -> None:
        self._folder = root / CLIENT_TOKENS_FOLDER

    def get(self, client: str) -> str:
        found = self._read(_file_name(client))
        return self.renew(client) if found is None else found[1]

    def renew(self, client: str) -> str:
        name = _file_name(client)
        token = f"{name}.{secrets.token_urlsafe(SECRET_BYTES)}"
        make_folder(self._folder)
        fresh = self._folder / f".{name}.{os.getpid()}-{secrets.token_hex(4)}.new"
        write_private(fresh, json.dumps({"client": client, "token": token}).encode())
        replace_file(fresh, self._folder / name)
        return token

    def remove(self, client: str) -> bool:
        path = self._folder / _file_name(client)
        try:
            path.unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise file_error(error, path) from error
        sync_folder(self._folder)
        return True

    def client_of(self, token: str) -> str | None:
        """Whose token this is; how long that takes tells nothing of how much of it was right."""
        name = token.partition(".")[0]
        if not _FILE_NAME.fullmatch(name):
            return None
        try:
            found = self._read(name)
        except StorageError:
            return None
        if found is None or not hmac.compare_digest(found[1].encode(), token.encode()):
            return None
        return found[0]

    def _read(self, name: str) -> tuple[str, str] | None:
        """Client and token in a file; None where there is none, or nothing of use in it."""
        path = self._folder / name
        try:
            document = json.loads(path.read_bytes())
            return str(document["client"]), str(document["token"])
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None
        except OSError as error:
            raise file_error(error, path) from error


def _file_name(client: str) -> str:
    """Different for every client, whatever characters its name is of."""
    return hashlib.sha256(client.encode()).hexdigest()[:16]
