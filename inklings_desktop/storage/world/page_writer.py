"""Writes into a world folder, by an accepted proposal alone: no other module does.

A page is changed only while it is byte for byte what the author compared. The new text is written
beside it, and the two exchange their names, so that what another program saved in that very moment
comes out of the exchange and is put back.
"""

from __future__ import annotations

import codecs
import re
import time
from contextlib import contextmanager
from difflib import SequenceMatcher
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    OutsideFileError,
)
from inklings_desktop.domain.world.path_rules import path_key
from inklings_desktop.storage.engine.driver import outside_error
from inklings_desktop.storage.world.page_place import page_place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from inklings_desktop.domain.world.pages import WorldFolder
    from inklings_desktop.storage.world.page_place import PagePlace

NEW_MODE = 0o644
LATE_WRITER_SECONDS = 2.0
"""How long a program that had the page open may still write to what was exchanged."""
LEFT_AFTER_SECONDS = 3_600.0
"""So long after its last touch a hidden file of ours is one that a killed program left."""
_MOST_EXCHANGES = 1_000
_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class LocalPageWriter:
    """The ``PageWriter`` of this machine."""

    def __init__(self, wait: Callable[[float], None] = time.sleep) -> None:
        self._wait = wait

    def digest(self, data: bytes) -> bytes:
        return digest_of_bytes(data)

    def text_of(self, folder: WorldFolder, path: str) -> tuple[str, bytes]:
        with _place_of(folder, path, is_reading=True) as (place, name):
            try:
                data = place.read(name)[0]
            except FileNotFoundError as error:
                raise NotFoundError("page", path) from error
        text = _decoded(data)[1].replace("\r\n", "\n").replace("\r", "\n")
        return text, digest_of_bytes(data)

    def change(
        self, folder: WorldFolder, path: str, base: bytes, text: str, keep: Callable[[bytes], None]
    ) -> bytes:
        with _place_of(folder, path) as (place, name):
            old, mode = place.read(name)
            data = _encoded(text, old)
            if old == data:
                return digest_of_bytes(data)  # a power cut fell between the page and the log
            _require(path, old, base)
            self._exchange(place, name, (old, data, mode), keep)
            return digest_of_bytes(data)

    def create(self, folder: WorldFolder, path: str, text: str) -> bytes:
        data = text.encode("utf-8")
        made = digest_of_bytes(data)
        with _place_of(folder, path, makes=True) as (place, name):
            if not _says(place, name, made):  # else a power cut fell between page and log
                with place.written_beside(data, NEW_MODE) as beside:
                    place.give_name(beside, place, name)
            place.sync()
        return made

    def move(self, folder: WorldFolder, path: str, to: str, base: bytes) -> None:
        with (
            _place_of(folder, path) as (place, name),
            _place_of(folder, to, makes=True) as (there, new),
        ):
            if _says(there, new, base) and not _says(place, name, base):
                return  # a power cut fell between the page and the log
            _require(path, place.read(name)[0], base)
            try:
                place.give_name(name, there, new)
            except ConflictError:
                # The same file under both names: a power cut fell between giving and taking one.
                if path_key(path) == path_key(to) or not place.is_same(name, there, new):
                    raise
                place.discard(name)
            there.sync()
            place.sync()

    def set_back(
        self,
        folder: WorldFolder,
        path: str,
        now: bytes,
        data: bytes,
        keep: Callable[[bytes], None] | None = None,
    ) -> None:
        with _place_of(folder, path) as (place, name):
            old, mode = place.read(name)
            if old != data:
                _require(path, old, now)
                self._exchange(place, name, (old, data, mode), keep or _keep_nothing)

    def remove_made(self, folder: WorldFolder, path: str, now: bytes) -> None:
        with _place_of(folder, path) as (place, name):
            _require(path, place.read(name)[0], now)
            taken = place.take_away(name)
            if digest_of_bytes(place.read(taken)[0]) != now:
                place.give_name(taken, place, name)
                raise ConflictError("page_text", path)
            place.discard(taken)
            place.sync()

    def tidy(self, folder: WorldFolder, path: str, known: Collection[bytes]) -> None:
        with _place_of(folder, path) as (place, _):
            for name, data in place.left_behind(time.time() - LEFT_AFTER_SECONDS):
                if digest_of_bytes(data) in known:
                    place.discard(name)

    def _exchange(
        self,
        place: PagePlace,
        name: str,
        pages: tuple[bytes, bytes, int],
        keep: Callable[[bytes], None],
    ) -> None:
        """Let a page say something else; ``pages`` are its old bytes, its new ones, its mode."""
        old, data, mode = pages
        with place.written_beside(data, mode) as beside:
            keep(old)
            place.exchange(name, beside)
            came_out = place.read(beside)[0]
            if came_out != old:
                _put_back(place, name, beside, data, came_out)
                raise ConflictError("page_text", name)
            place.sync()
            self._wait(LATE_WRITER_SECONDS)
            if (late := place.read(beside)[0]) != old:
                keep(late)
        place.sync()


def digest_of_bytes(data: bytes) -> bytes:
    """BLAKE2b of 16 bytes: what a page is compared by."""
    return blake2b(data, digest_size=16).digest()


def _put_back(place: PagePlace, name: str, beside: str, ours: bytes, came_out: bytes) -> None:
    """Let what others wrote stand, the latest of it, and ours be beside.

    Args:
        ours: What stands under the name now.
        came_out: What stands beside it.
    """
    stands = ours
    for _ in range(_MOST_EXCHANGES):
        place.exchange(name, beside)
        again = place.read(beside)[0]
        if again == stands:
            return
        # Somebody wrote in between: that is newer than what was put back.
        stands, came_out = came_out, again


def _keep_nothing(_data: bytes) -> None:
    """What is taken back is kept already."""


def _require(path: str, found: bytes, base: bytes) -> None:
    if digest_of_bytes(found) != base:
        raise ConflictError("page_text", path)


def _says(place: PagePlace, name: str, digest: bytes) -> bool:
    """Whether a page is there with these bytes."""
    try:
        return digest_of_bytes(place.read(name)[0]) == digest
    except FileNotFoundError:
        return False


@contextmanager
def _place_of(
    folder: WorldFolder, path: str, *, makes: bool = False, is_reading: bool = False
) -> Iterator[tuple[PagePlace, str]]:
    """The folder of a page and the page's name in it.

    Raises:
        InvalidValueError: The path leads elsewhere, or over a link.
        OutsideFileError: What the disk refuses.
    """
    parts = tuple(path.split("/"))
    if any(one in {"", ".", ".."} or "\0" in one or "\\" in one for one in parts):
        raise InvalidValueError("path", "format")
    if any(one.startswith(".") for one in parts):
        raise InvalidValueError("path", "hidden")
    root = Path(folder.path)
    if not folder.path:  # it came with an import, and nobody has said where it lies
        raise OutsideFileError(root / path, "not linked", is_reading=is_reading)
    try:
        with page_place(root, parts[:-1], makes=makes) as place:
            yield place, parts[-1]
    except OSError as error:
        raise outside_error(error, root / path, is_reading=is_reading) from error


def _encoded(text: str, old: bytes) -> bytes:
    """The text as the page is written: its encoding, its mark, and each line's own newline.

    Raises:
        InvalidValueError: Its encoding is only guessed.
    """
    mark, before = _decoded(old)
    return mark + _with_newlines_of(before, text).encode(_MARKS.get(mark, "utf-8"))


def _decoded(data: bytes) -> tuple[bytes, str]:
    """The byte order mark of a page, and its text."""
    mark = next((one for one in _MARKS if data.startswith(one)), b"")
    try:
        return mark, data[len(mark) :].decode(_MARKS.get(mark, "utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidValueError("page", "encoding") from error


def _with_newlines_of(before: str, text: str) -> str:
    old = _LINE.findall(before)
    ends = [end for _, end in old if end]
    common = max(set(ends), key=ends.count, default="\n")
    new = text.split("\n")
    chosen = [common] * (len(new) - 1) + [""]
    if len(set(ends)) > 1:
        matcher = SequenceMatcher(None, [line for line, _ in old], new, autojunk=False)
        for first, second, size in matcher.get_matching_blocks():
            for step in range(size):
                if second + step < len(new) - 1:
                    chosen[second + step] = old[first + step][1] or common
    return "".join(chain.from_iterable(zip(new, chosen, strict=True)))
