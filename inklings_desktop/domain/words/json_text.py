"""Sets one value in JSON that people write by hand; comments and everything else stay as written.

Comments and commas before a closing bracket are taken as the editors that keep their settings in
JSON take them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_STRING = r'"(?:\\.|[^"\\])*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*")
_MARGIN = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)
_BYTE_ORDER_MARK = "\ufeff"
_DECODER = json.JSONDecoder()


def read_json(text: str) -> Any:
    """What the text says; a text without anything says an empty object.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It is nested too deeply.
    """
    plain = _without_last_commas(_without_comments(text.removeprefix(_BYTE_ORDER_MARK)))
    return json.loads(plain) if plain.strip() else {}


def with_value(text: str, path: Sequence[str], value: object) -> str:
    """The text with a value at a path of keys, those that are missing made.

    Args:
        text: JSON that ``read_json`` reads, and that holds objects along the path.
        path: Keys from the outermost object inwards; at least one.
        value: Anything that JSON can say.
    """
    if text.startswith(_BYTE_ORDER_MARK):
        return _BYTE_ORDER_MARK + with_value(text[1:], path, value)
    bare = _without_comments(text)
    if not bare.strip():
        line_end = "\n" if text and not text.endswith("\n") else ""
        text = f"{text}{line_end}{{}}\n"
        bare = _without_comments(text)
    plain = _without_last_commas(bare)
    start = _after_space(plain, 0)
    end = start
    for depth, key in enumerate(path):
        members, close = _members(plain, start)
        if key not in members:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _inserted(text, bare, (start, close), members, (key, value))
        start, end = members[key]
    return text[:start] + _written(text, bare, value, _margin_at(text, start)) + text[end:]


def _without_comments(text: str) -> str:
    """The same with every comment blanked, so that each character stays where it is."""
    return _COMMENT.sub(_blanked, text)


def _without_last_commas(text: str) -> str:
    return _LAST_COMMA.sub(_blanked, text)


def _blanked(found: re.Match[str]) -> str:
    word = found[0]
    return word if word.startswith('"') else re.sub(r"[^\r\n]", " ", word)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _members(plain: str, start: int) -> tuple[dict[str, tuple[int, int]], int]:
    """Where the values of an object begin and end, and its closing bracket.

    Of a key that is there twice the last counts, as it does for whoever reads the file.
    """
    members: dict[str, tuple[int, int]] = {}
    at = _after_space(plain, start + 1)
    while plain[at] != "}":
        key, at = _DECODER.raw_decode(plain, at)
        begin = _after_space(plain, _after_space(plain, at) + 1)
        _value, end = _DECODER.raw_decode(plain, begin)
        members[key] = begin, end
        at = _after_space(plain, end)
        if plain[at] == ",":
            at = _after_space(plain, at + 1)
    return members, at


def _inserted(
    text: str,
    bare: str,
    span: tuple[int, int],
    members: dict[str, tuple[int, int]],
    member: tuple[str, object],
) -> str:
    """The text with one more member as the last of the object that spans these brackets."""
    start, close = span
    outer = _margin_at(text, start)
    end = len(text[:close].rstrip())
    last = max((one[1] for one in members.values()), default=end)
    inner = _margin_at(text, last) if "\n" in text[start:last] else outer + _unit(bare)
    needs_comma = bool(members) and "," not in bare[last:close]
    line_end = _line_end(text)
    key, value = member
    written = f"{json.dumps(key, ensure_ascii=False)}: {_written(text, bare, value, inner)}"
    return "".join(
        (
            text[:last],
            "," if needs_comma else "",
            text[last:end],
            f"{line_end}{inner}{written}",
            "" if "\n" in text[end:close] else f"{line_end}{outer}",
            text[end:],
        )
    )


def _written(text: str, bare: str, value: object, margin: str) -> str:
    words = json.dumps(value, ensure_ascii=False, indent=_unit(bare))
    return words.replace("\n", f"{_line_end(text)}{margin}")


def _unit(bare: str) -> str:
    """By how much the text indents."""
    found = _MARGIN.search(bare)
    return found[0] if found else "  "


def _margin_at(text: str, at: int) -> str:
    """The white space that the line of this character begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
