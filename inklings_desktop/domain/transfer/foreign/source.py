"""One file as its readers see it: its name, its text, and its JSON if it holds any."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.transfer_text import parsed, require_bounded

MAX_MARKS = 1_500_000
"""Brackets and commas of one JSON file: it becomes a tree as a whole."""
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LATEST_SECONDS = 253_402_300_799
_MILLIS_FROM = 100_000_000_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")


class SourceFile:
    """A text file of anybody's.

    Attributes:
        name: As a person would name it; inside a folder with the folders above it.
        text: What stands in it, with plain line ends.
        is_guessed: Whether its encoding was guessed.
    """

    def __init__(self, name: str, data: bytes) -> None:
        """Read the text.

        Raises:
            ImportRefusedError: It is empty, or no text.
        """
        self.name = name
        self.text, self.is_guessed = _decoded(data)
        if not self.text.strip("\ufeff \t\r\n"):
            raise ImportRefusedError("empty", name)
        self._value: Any = None
        self._fault: ImportRefusedError | None = None
        self._is_parsed = False

    @property
    def suffix(self) -> str:
        """The ending of its name in small letters, with its dot."""
        head, dot, tail = self.name.rpartition(".")
        return f".{tail.casefold()}" if dot and head and "/" not in tail else ""

    @property
    def begins_like_json(self) -> bool:
        """Whether its first sign opens an object or a list."""
        return self.text.lstrip()[:1] in {"{", "["}

    def value(self) -> Any:
        """What it holds as JSON.

        Raises:
            ImportRefusedError: It is no sound JSON, or too deep or too broad: ``broken_json``.
        """
        if not self._is_parsed:
            self._is_parsed = True
            try:
                self._value = value_of(self.text)
            except ImportRefusedError:
                self._fault = ImportRefusedError("broken_json", self.name)
        if self._fault is not None:
            raise self._fault
        return self._value

    def value_or_none(self) -> Any:
        """What it holds as JSON; None where that is none, or not sound."""
        if not self.begins_like_json:
            return None
        try:
            return self.value()
        except ImportRefusedError:
            return None


def value_of(text: str, where: str = "") -> Any:
    """A text as JSON.

    Raises:
        ImportRefusedError: It is no sound JSON, or too deep or too broad.
    """
    data = text.encode()
    require_bounded(data, MAX_MARKS)
    return parsed(data, where)


def time_in(value: object) -> datetime | None:
    """An instant as other programs write it: ISO 8601, or seconds or milliseconds since 1970.

    None where it is none, or lies before 1970; a time without a zone is taken as UTC.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        seconds = value / 1000 if abs(value) >= _MILLIS_FROM else value
        return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < _LATEST_SECONDS else None
    if not isinstance(value, str) or _DATE.fullmatch(value.strip()) is None:
        return None
    try:
        found = datetime.fromisoformat(value.strip())
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    found = found.replace(microsecond=found.microsecond // 1000 * 1000)
    return found if found.year >= 1970 else None  # noqa: PLR2004 - where instants begin


def _decoded(data: bytes) -> tuple[str, bool]:
    """The text, and whether its encoding was guessed."""
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")
    is_guessed = False
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8" or b"\x00" in data:
            raise ImportRefusedError("unknown") from None
        try:
            text, is_guessed = data.decode("cp1252"), True
        except UnicodeDecodeError:
            raise ImportRefusedError("unknown") from None
    # No text has NUL in it, and hardly any has more than a few other controls.
    n_controls = sum(map(text[:4096].count, map(chr, (*range(1, 9), *range(14, 27), 127))))
    if "\x00" in text or n_controls > 8:  # noqa: PLR2004 - more than a slip of the hand
        raise ImportRefusedError("unknown")
    return text.replace("\r\n", "\n").replace("\r", "\n"), is_guessed
