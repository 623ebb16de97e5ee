"""Reads a JSON file that anybody may have written: bounded in depth, breadth and memory.

One pass over the bytes finds where each row begins and ends; rows are then parsed one at a time,
so that a file of 50 MiB never becomes a tree of 50 MiB of small objects.
Source: the fault study's list of hostile files (depth, duplicate keys, numbers that are not
finite, huge integers, halves of characters, foreign encodings).
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    ImportRefusedError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_DEPTH = 32
MAX_ROWS = 250_000
MAX_MARKS_IN_ROW = 100_000
MAX_MARKS = 6_000_000
MAX_SKELETON_BYTES = 2 * 1024 * 1024
MAX_DIGITS = 18
FIRST_ROW_DEPTH = 4
"""``account`` has its rows at this depth, a workspace one deeper."""

BOM = b"\xef\xbb\xbf"
# A string that never ends is one mark up to the end: looking for its end again and again from
# every quote in it would take the square of its length.
_MARK = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)|[\[\]{},]', re.DOTALL)
_OPEN = frozenset(b"[{")
_CLOSE = frozenset(b"]}")
_QUOTE, _COMMA, _BRACE, _BRACKET = b'",{['
_ROW_KEY = "\ue000row"
"""Stands in the skeleton for a row; no name in a file of ours holds a private character."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row whose bytes are not parsed yet."""

    data: bytes
    start: int
    end: int

    def value(self, where: str) -> dict[str, Any]:
        """The row, parsed.

        Raises:
            ImportRefusedError: It is no sound JSON object; ``where`` names it.
        """
        found = parsed(self.data[self.start : self.end], where)
        if not isinstance(found, dict):
            raise ImportRefusedError("type", where)
        return found


def read_skeleton(data: bytes) -> dict[str, Any]:
    """The file without its rows: every row is a ``RawRow`` in its place.

    Raises:
        ImportRefusedError: Too large, not UTF-8, not JSON, nested too deeply, or too many rows.
    """
    if len(data) > MAX_FILE_BYTES:
        raise ImportRefusedError("too_large", limit=MAX_FILE_BYTES)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in data[:1024]:
        raise ImportRefusedError("encoding")
    data = data.removeprefix(BOM)
    if not data.lstrip()[:1] == b"{":
        raise ImportRefusedError("not_json")
    rows = _find_rows(data)
    parts: list[bytes] = []
    at = 0
    for number, (start, end) in enumerate(rows):
        parts += [data[at:start], b'{"%s":%d}' % (_ROW_KEY.encode(), number)]
        at = end
    parts.append(data[at:])
    n_own = len(data) - sum(end - start for start, end in rows)
    if n_own > MAX_SKELETON_BYTES + 8 * len(rows):
        raise ImportRefusedError("not_ours")
    found = parsed(b"".join(parts), "")
    if not isinstance(found, dict):
        raise ImportRefusedError("not_ours")
    skeleton = _with_rows(found, data, rows)
    if not isinstance(skeleton, dict):
        raise ImportRefusedError("not_ours")
    return skeleton


def _find_rows(data: bytes) -> list[tuple[int, int]]:
    """Begin and end of every outermost object in an array, from the fourth level on."""
    rows: list[tuple[int, int]] = []
    is_list: list[bool] = []
    start = -1
    row_depth = n_marks = n_in_row = 0
    for mark in _MARK.finditer(data):
        byte = data[mark.start()]
        if byte == _QUOTE:
            continue
        n_marks += 1
        n_in_row += 1
        if byte == _COMMA:
            continue
        if byte in _OPEN:
            depth = len(is_list) + 1
            if depth > MAX_DEPTH:
                raise ImportRefusedError("too_deep", limit=MAX_DEPTH)
            if start < 0 and byte == _BRACE and depth >= FIRST_ROW_DEPTH and is_list[-1]:
                start, row_depth, n_in_row = mark.start(), depth, 0
            is_list.append(byte == _BRACKET)
        else:
            if not is_list:
                raise ImportRefusedError("not_json")
            if start >= 0 and len(is_list) == row_depth:
                rows.append((start, mark.end()))
                start = -1
                if len(rows) > MAX_ROWS:
                    raise ImportRefusedError("too_many", limit=MAX_ROWS)
            is_list.pop()
        if n_marks > MAX_MARKS or (start >= 0 and n_in_row > MAX_MARKS_IN_ROW):
            raise ImportRefusedError("too_many", limit=MAX_MARKS)
    if is_list:
        raise ImportRefusedError("not_json")
    return rows


def _with_rows(value: Any, data: bytes, rows: Sequence[tuple[int, int]]) -> Any:
    """The skeleton with each stand-in replaced; its depth is bounded by then."""
    if isinstance(value, dict):
        number = value.get(_ROW_KEY)
        if number is not None:
            if not isinstance(number, int) or not 0 <= number < len(rows):
                raise ImportRefusedError("not_ours")
            return RawRow(data, *rows[number])
        return {key: _with_rows(one, data, rows) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_rows(one, data, rows) for one in value]
    return value


def require_bounded(data: bytes, max_marks: int) -> None:
    """Return only if a JSON text is neither too deep nor too broad to be parsed as a whole.

    Raises:
        ImportRefusedError: It is.
    """
    depth = n_marks = 0
    for mark in _MARK.finditer(data):
        byte = data[mark.start()]
        if byte == _QUOTE:
            continue
        n_marks += 1
        depth += (byte in _OPEN) - (byte in _CLOSE)
        if depth > MAX_DEPTH:
            raise ImportRefusedError("too_deep", limit=MAX_DEPTH)
        if n_marks > max_marks:
            raise ImportRefusedError("too_many", limit=max_marks)


def parsed(part: bytes, where: str) -> Any:
    """A piece of JSON; numbers are finite and short, and no name stands in an object twice.

    Raises:
        ImportRefusedError: It is not sound.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ImportRefusedError("duplicate_key", where)
        return found

    def whole(literal: str) -> int:
        if len(literal) > MAX_DIGITS:
            raise ImportRefusedError("number", where)
        return int(literal)

    def finite(literal: str) -> float:
        number = float(literal)
        if not math.isfinite(number):
            raise ImportRefusedError("number", where)
        return number

    def never(_literal: str) -> NoReturn:
        raise ImportRefusedError("number", where)

    try:
        text = part.decode("utf-8")
    except UnicodeDecodeError:
        raise ImportRefusedError("encoding", where) from None
    try:
        value: Any = json.loads(
            text,
            object_pairs_hook=unique,
            parse_int=whole,
            parse_float=finite,
            parse_constant=never,
        )
    except (ValueError, RecursionError):
        raise ImportRefusedError("not_json", where) from None
    if "\\u" in text:
        _refuse_half_characters(value, where)
    return value


def _refuse_half_characters(value: Any, where: str) -> None:
    """Escapes can name NUL and halves of characters, which no text of ours holds."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if "\x00" in one or any("\ud800" <= character <= "\udfff" for character in one):
                raise ImportRefusedError("characters", where)
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, dict):
            waiting.extend(one)
            waiting.extend(one.values())
