"""The key of this installation: 32 random bytes that the event chains depend on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.storage.engine.driver_errors import file_error
from inklings_desktop.storage.engine.files import publish_new, write_private

if TYPE_CHECKING:
    from pathlib import Path

KEY_FILE = "install.key"
KEY_BYTES = 32


def install_key(root: Path) -> bytes:
    """The key under this data root, made at the first call; two processes get the same one.

    Raises:
        DatabaseCorruptError: The file is not 32 bytes long; it is left as it is.
        StorageError: It can be neither read nor made.
    """
    import secrets

    path = root / KEY_FILE
    if not path.exists():
        fresh = path.with_name(f"{KEY_FILE}.{os.getpid()}-{secrets.token_hex(4)}.new")
        write_private(fresh, secrets.token_bytes(KEY_BYTES))
        publish_new(fresh, path)
    try:
        key = path.read_bytes()
    except OSError as error:
        raise file_error(error, path) from error
    if len(key) != KEY_BYTES:
        raise DatabaseCorruptError(path, "length")
    return key
