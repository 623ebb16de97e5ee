"""Reads the bytes of a file whole and makes text of them, or says why not."""

from __future__ import annotations

import os
import re
import stat
from hashlib import blake2b
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.pages import MAX_PAGE_BYTES, MOST_INODE, FileStamp, PageState
from inklings_desktop.worldfiles.folders import opened_file

if TYPE_CHECKING:
    from inklings_desktop.worldfiles.folders import Place

DIGEST_BYTES = 16
GUESSED = "guessed"

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8", "utf-8-bom"),
    (b"\xff\xfe", "utf-16-le", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be", "utf-16-be"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_NEWLINES = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class FileText:
    r"""What a file holds; its text has ``\n`` between the lines and no byte order mark."""

    stamp: FileStamp
    state: PageState
    digest: bytes = b""
    encoding: str = ""
    newline: str = ""
    text: str = ""


def read_file(root: Place, stamp: FileStamp) -> FileText:
    """A file of a folder as it is now, read once more if it changed meanwhile."""
    if stamp.is_link:
        return FileText(stamp, PageState.LINK)
    try:
        now, data = _read_whole(root, stamp)
        if data is None:
            now, data = _read_whole(root, stamp)
    except PermissionError:
        return FileText(stamp, PageState.UNREADABLE)
    except OSError:  # vanished, or replaced by a link: the next scan says which
        now, data = stamp, None
    if data is None:
        if now.size > MAX_PAGE_BYTES:
            return FileText(now, PageState.TOO_LARGE)
        return FileText(now._replace(size=-1), PageState.UNREADABLE)  # a stamp that no scan gives
    digest = blake2b(data, digest_size=DIGEST_BYTES).digest()
    if (decoded := decode(data)) is None:
        return FileText(now, PageState.NOT_TEXT, digest)
    newline, text = newlines_of(decoded[0])
    return FileText(now, PageState.READ, digest, decoded[1], newline, text)


def decode(data: bytes) -> tuple[str, str] | None:
    """The text and the name of its encoding; None for bytes that are no text."""
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _checked(data[len(mark) :], codec, name)
    return _checked(data, "utf-8", "utf-8") or _guessed(data)


def newlines_of(text: str) -> tuple[str, str]:
    r"""What ends the lines, and the text with ``\n`` instead."""
    if "\r" not in text:
        return "lf", text
    n_both, n_returns, n_feeds = text.count("\r\n"), text.count("\r"), text.count("\n")
    kinds = {"crlf": n_both, "cr": n_returns - n_both, "lf": n_feeds - n_both}
    found = [name for name, number in kinds.items() if number]
    return found[0] if len(found) == 1 else "mixed", _NEWLINES.sub("\n", text)


def _checked(data: bytes, codec: str, name: str) -> tuple[str, str] | None:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else (text, name)


def _guessed(data: bytes) -> tuple[str, str] | None:
    found = _checked(data, "cp1252", GUESSED)
    return None if found is None or _CONTROL.search(found[0]) else found


def _read_whole(root: Place, stamp: FileStamp) -> tuple[FileStamp, bytes | None]:
    """The file's stamp and bytes; no bytes for one too large, or that changed under the reader."""
    with opened_file(root, stamp.path) as file:
        before = os.fstat(file)
        if not stat.S_ISREG(before.st_mode):
            raise FileNotFoundError(stamp.path)
        seen = _stamped(stamp, before)
        if before.st_size > MAX_PAGE_BYTES:
            return seen, None
        data = b""  # in one piece, as a rule; one byte more is asked for, to see that it grew
        while block := os.read(file, before.st_size + 1 - len(data)):
            data += block
        after = _stamped(stamp, os.fstat(file))
        return after, data if seen == after and len(data) == after.size else None


def _stamped(stamp: FileStamp, status: os.stat_result) -> FileStamp:
    # A scan that knows no inode (on Windows) is compared without one.
    inode = status.st_ino & MOST_INODE if stamp.inode else 0
    return stamp._replace(size=status.st_size, mtime_ns=status.st_mtime_ns, inode=inode)
