"""One file as its readers see it: its name, its text, and its JSON if it holds any."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.transfer_text import MAX_DEPTH, MAX_DIGITS, require_bounded
from inklings_desktop.domain.wall_clock import midnight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inklings_desktop.domain.transfer.foreign.found import Finds

MAX_MARKS = 1_500_000
"""Brackets and commas of one JSON file: it becomes a tree as a whole."""
ROWS = ("memories", "results", "items", "data", "entries", "result", "response")
"""Names under which programs answer with a list, or with another answer around it."""
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_ENCODINGS = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r", "cp866"),
    *("mac_roman", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"),
)
_GUESSED_FROM = 200_000
_WESTERN = frozenset(
    "\u00e4\u00f6\u00fc\u00df\u00c4\u00d6\u00dc\u00e0\u00e1\u00e2\u00e3\u00e5\u00e6\u00e7\u00e8\u00e9\u00ea\u00eb"
    "\u00ec\u00ed\u00ee\u00ef\u00f1\u00f2\u00f3\u00f4\u00f5\u00f8\u00f9\u00fa\u00fb\u00ff\u0153\u00c0\u00c1\u00c5\u00c6"
    "\u00c7\u00c8\u00c9\u00ca\u00cd\u00d1\u00d3\u00d8\u00da\u0152\u2018\u2019\u201a\u201c\u201d\u201e\u2013\u2014\u2026"
    "\u2022\u2039\u203a\u00ab\u00bb\u00bf\u00a1\u20ac\u00a3\u00a7\u00b0\u00b7\u2122\u00a0\u00bd\u00d7\u00ae\u00a9"
)
_STRAY = re.compile("[\udc80-\udcff]")
_LATEST_SECONDS = 253_402_300_799
_MILLIS_FROM = 100_000_000_000
_OF_A_DAY = len("2024-03-05")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")


class SourceFile:
    """A text file of anybody's.

    Attributes:
        name: As a person would name it; inside a folder with the folders above it.
        text: What stands in it, with plain line ends.
        encoding: What it was read as where that was guessed; else empty.
        strays: Signs that do not fit the encoding, as Windows-1252 has them, each with its line.
    """

    def __init__(self, name: str, data: bytes, encoding: str = "") -> None:
        """Read the text, in an encoding if one is named.

        Raises:
            ImportRefusedError: It is empty, no text, or not of the encoding that was named.
        """
        self.name = name
        text, self.encoding = _decoded(data, encoding)
        self.strays = [
            (line, _as_windows(one))
            for line, some in enumerate(text.split("\n"), start=1)
            for one in _STRAY.findall(some)
        ]
        self.text = _STRAY.sub(lambda match: _as_windows(match[0]), text) if self.strays else text
        if not self.text.strip("\ufeff \t\r\n"):
            raise ImportRefusedError("empty", name)

    @property
    def suffix(self) -> str:
        """The ending of its name in small letters, with its dot."""
        head, dot, tail = self.name.rpartition(".")
        return f".{tail.casefold()}" if dot and head and "/" not in tail else ""

    @property
    def title(self) -> str:
        """Its name without folders and ending."""
        name = self.name.rpartition("/")[2]
        return name.rpartition(".")[0] or name

    @property
    def begins_like_json(self) -> bool:
        """Whether its first sign opens an object or a list."""
        return self.text.lstrip("\ufeff \t\n")[:1] in {"{", "["}

    def value(self) -> Any:
        """What it holds as JSON.

        Raises:
            ImportRefusedError: It is no JSON (``broken_json``), or too deep or too broad.
        """
        if isinstance(self._parsed, ImportRefusedError):
            raise self._parsed
        return self._parsed

    def value_of(self, is_so: Callable[[Any], bool]) -> Any:
        """What it holds as JSON of one kind.

        Raises:
            ImportRefusedError: It is none of that kind (``other_format``), or not sound.
        """
        value = self.value()
        if not is_so(value):
            raise ImportRefusedError("other_format")
        return value

    def value_or_none(self) -> Any:
        """What it holds as JSON; None where that is none, or not sound."""
        is_sound = self.begins_like_json and not isinstance(self._parsed, ImportRefusedError)
        return self._parsed if is_sound else None

    @cached_property
    def _parsed(self) -> Any:
        """What it holds as JSON, or why it holds none."""
        try:
            return value_of(self.text, self.name)
        except ImportRefusedError as error:
            return error


def value_of(text: str, where: str = "") -> Any:
    """A text as JSON; whatever can be read costs nothing around it.

    A name that is there twice gets a number, a figure that no computer can hold stays a text, and
    half a character stays where it is: its row is refused when it is checked.

    Raises:
        ImportRefusedError: It is no JSON (``broken_json``, with the line), too deep or too broad.
    """
    require_bounded(text.encode("utf-8", "surrogatepass"), MAX_MARKS)

    def whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        names = unique([name for name, _one in pairs])
        return {name: one for name, (_name, one) in zip(names, pairs, strict=True)}

    def figure(literal: str) -> object:
        number = float(literal)
        return number if math.isfinite(number) else literal

    try:
        return json.loads(
            text.lstrip("\ufeff"),
            strict=False,
            object_pairs_hook=whole,
            parse_int=lambda one: int(one) if len(one) <= MAX_DIGITS else one,
            parse_float=figure,
            parse_constant=str,
        )
    except json.JSONDecodeError as error:
        raise ImportRefusedError("broken_json", where, error.lineno) from None
    except RecursionError:
        raise ImportRefusedError("too_deep", where, MAX_DEPTH) from None


def objects_in(value: object) -> list[dict[str, Any]]:
    """The objects of a list, or of an object whose names are numbers of entries."""
    some: Iterable[object] = ()
    if isinstance(value, list):
        some = value
    elif isinstance(value, dict):
        some = value.values()
    return [one for one in some if isinstance(one, dict)]


def objects_of(finds: Finds, value: object, file: str) -> list[dict[str, Any]]:
    """The same, with whatever is no object refused by name."""
    some = list(value.values()) if isinstance(value, dict) else value
    for one in some if isinstance(some, list) else ():
        if not isinstance(one, dict):
            finds.refuse(str(one), 0, "json", "object", file)
    return objects_in(value)


def rows_in(value: object, around: dict[str, Any] | None = None) -> list[Any] | None:
    """The list that a file is, or that is inside it under one of ``ROWS``; else None.

    Args:
        around: Takes what the file says beside the list.
    """
    while isinstance(value, dict):
        inside = next((one for one in ROWS if isinstance(value.get(one), list | dict)), None)
        if inside is None:
            return None
        if around is not None:
            around |= {name: one for name, one in value.items() if name != inside}
        value = value[inside]
    return value if isinstance(value, list) else None


def unique(names: Sequence[str]) -> list[str]:
    """Names of which none is there twice: the second of a name gets a number."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name.casefold()] += 1
        n = seen[name.casefold()]
        found.append(f"{name} ({n})" if name and n > 1 else name)
    return found


def time_in(value: object) -> datetime | None:
    """An instant as other programs write it: ISO 8601, or seconds or milliseconds since 1970.

    None where it is none, or lies before 1970; a time without a zone is taken as UTC. A day alone
    begins where this machine is, as days do that are typed or shown.
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
        if len(value.strip()) == _OF_A_DAY:
            found = midnight(found.year, found.month, found.day)
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    found = found.replace(microsecond=found.microsecond // 1000 * 1000)
    return found if found.year >= 1970 else None  # noqa: PLR2004 - where instants begin


def _decoded(data: bytes, wanted: str) -> tuple[str, str]:
    """The text, and the encoding where that was guessed."""
    guessed = ""
    encoding = wanted or next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ImportRefusedError("no_encoding", wanted) from None
    except UnicodeDecodeError as error:
        if wanted:
            line = data.count(b"\n", 0, error.start) + 1
            raise ImportRefusedError("other_encoding", wanted, line) from None
        if encoding != "utf-8" or b"\x00" in data:
            raise ImportRefusedError("unknown") from None
        text = data.decode("utf-8", "surrogateescape")
        n_strays = len(_STRAY.findall(text))
        n_others = len(text) - n_strays - sum(map(str.isascii, text))
        if n_strays > n_others:  # of a text that is UTF-8 nearly all signs are
            guessed = _guessed(data)
            text = data.decode(guessed)
    # No text has NUL in it, and hardly any has more than a few other controls.
    n_controls = sum(map(text[:4096].count, map(chr, (*range(1, 9), *range(14, 27), 127))))
    if "\x00" in text or n_controls > 8:  # noqa: PLR2004 - more than a slip of the hand
        raise ImportRefusedError("unknown")
    return text.replace("\r\n", "\n").replace("\r", "\n"), guessed


def _guessed(data: bytes) -> str:
    """The encoding of a text that says nothing of it.

    Short texts mislead a detector that counts letters: what reads as a western text is one.
    """
    try:
        text = data.decode("cp1252")
        letters = [one for one in text if not one.isspace()]
        signs = [one for one in letters if not one.isascii()]
        if _WESTERN.issuperset(signs) and len(signs) * 3 <= len(letters):
            return "cp1252"
    except UnicodeDecodeError:
        pass
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_GUESSED_FROM], cp_isolation=list(_ENCODINGS)).best()
    for one in (best.encoding if best is not None else "cp1252", "cp1252"):
        with suppress(UnicodeDecodeError):
            data.decode(one)
            return one
    return "latin-1"


def _as_windows(stray: str) -> str:
    """A byte that does not fit, as Windows-1252 has it."""
    return bytes([ord(stray) - 0xDC00]).decode("cp1252", "replace")
