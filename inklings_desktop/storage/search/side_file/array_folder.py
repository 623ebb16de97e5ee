"""Arrays in a folder: written whole or not at all, and mapped without reading them.

``find/<number>/`` beside a database holds ``head.json`` and ``arrays``, one array after the other.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from inklings_desktop.storage.engine.connecting import (
    FILE_MODE,
    make_folder,
    sync_folder,
    write_private,
)
from inklings_desktop.storage.search.side_file.folders import (
    LOCK_FILE,
    UNFINISHED,
    folder_of,
    numbered,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import numpy.typing as npt

    Array = npt.NDArray[Any]

FORMAT = 2
HEAD, ARRAYS = "head.json", "arrays"
_ALIGNED = 64


class UnfitFolderError(Exception):
    """A folder does not hold what its head says, or has no head of ours."""


@contextmanager
def only_one_maker(database: Path, timeout_seconds: float = 0.0) -> Iterator[None]:
    """One process at a time that makes or removes folders beside a database.

    Raises:
        TimeoutError: Another one is at it.
        OSError: The lock cannot be made.
    """
    from filelock import FileLock  # a search that only reads does without

    lock = FileLock(database.with_name(LOCK_FILE), timeout=timeout_seconds, mode=FILE_MODE)
    with lock:
        yield


def write(database: Path, head: Mapping[str, Any], arrays: Mapping[str, Array]) -> Path:
    """Write a folder with the next number; the lock is held.

    Returns:
        The folder, on the disk.

    Raises:
        StorageError, OSError: The disk refuses it; nothing is left of it.
    """
    import shutil

    folder = folder_of(database)
    make_folder(folder)
    number = max((one for one, _ in numbered(database)), default=0) + 1
    unfinished = folder / UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)
    make_folder(unfinished)
    try:
        places, digest = _write_arrays(unfinished / ARRAYS, arrays)
        whole = {
            "format": FORMAT,
            **head,
            "places": places,
            "sha256": digest,
            "written": _written(unfinished / ARRAYS),
        }
        content = json.dumps(whole, ensure_ascii=False).encode(errors="surrogatepass")
        seal = hashlib.sha256(content).hexdigest().encode()
        write_private(unfinished / HEAD, seal + b"\n" + content)
        sync_folder(unfinished)
        finished = folder / str(number)
        unfinished.rename(finished)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    sync_folder(folder)
    return finished


def read_head(folder: Path) -> dict[str, Any]:
    """The head of a folder.

    Raises:
        UnfitFolderError: It is none of ours, or is damaged.
        OSError: It cannot be read.
    """
    seal, _, content = (folder / HEAD).read_bytes().partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != seal:
        raise UnfitFolderError("head")
    head: dict[str, Any] = json.loads(content.decode(errors="surrogatepass"))
    if head.get("format") != FORMAT:
        raise UnfitFolderError("format")
    return head


def mapped(folder: Path, head: Mapping[str, Any]) -> dict[str, Array]:
    """The arrays of a folder; nothing of them is read yet, unless somebody wrote to their file.

    Raises:
        UnfitFolderError: It is not what was written.
        OSError: It cannot be mapped.
    """
    if _written(folder / ARRAYS) != head["written"] and not is_whole(folder, head):
        raise UnfitFolderError("arrays")
    with (folder / ARRAYS).open("rb") as file:
        held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return {
        name: np.frombuffer(held, dtype, int(np.prod(shape)), begin).reshape(shape)
        for name, (dtype, shape, begin, _) in head["places"].items()
    }


def is_whole(folder: Path, head: Mapping[str, Any]) -> bool:
    """Whether the arrays are those that were written; reads all of them."""
    with (folder / ARRAYS).open("rb") as file:
        digest: str = head["sha256"]
        return hashlib.file_digest(file, "sha256").hexdigest() == digest


def damaged_folders(database: Path) -> list[Path]:
    """Finished folders that do not hold what was written; reads all of them."""
    found = []
    for _, folder in numbered(database):
        try:
            is_sound = is_whole(folder, read_head(folder))
        except (OSError, ValueError, UnfitFolderError):
            is_sound = not folder.exists()  # a newer one took its place
        if not is_sound:
            found.append(folder)
    return found


def _written(path: Path) -> list[int]:
    """Tells a file from one that somebody else put there, or wrote to: node, size and time."""
    status = path.stat()
    return [status.st_ino, status.st_size, status.st_mtime_ns]


def _write_arrays(
    path: Path, arrays: Mapping[str, Array]
) -> tuple[dict[str, tuple[str, list[int], int, int]], str]:
    """Type, shape, first byte and end of each array, and the digest of all."""
    places: dict[str, tuple[str, list[int], int, int]] = {}
    digest, at = hashlib.sha256(), 0
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    with os.fdopen(handle, "wb") as file:
        for name, array in arrays.items():
            plain = np.ascontiguousarray(array)
            content = plain.reshape(-1).view(np.uint8).data if plain.size else memoryview(b"")
            gap = bytes(-(at + len(content)) % _ALIGNED)
            for part in (content, gap):
                file.write(part)
                digest.update(part)
            places[name] = (plain.dtype.str, list(plain.shape), at, at + len(content) + len(gap))
            at += len(content) + len(gap)
        file.flush()
        os.fsync(file.fileno())
    return places, digest.hexdigest()


def remove_older(database: Path, kept: Path) -> None:
    """Take every other folder away; one that a system still holds goes the next time."""
    import shutil

    for _, folder in numbered(database):
        if folder != kept:
            with suppress(OSError):
                shutil.rmtree(folder)
