"""The JSON of a working note as text for a person."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.conversation import WorkingNote

_ONE_LINE_CHARACTERS = 40
_INDENT = "  "


def readable_json(text: str) -> str:
    """The same JSON over several lines; short lists and objects inside it stay on one.

    What cannot be laid out (nested too deeply, numbers too long) comes back as it is.
    """
    try:
        value = json.loads(text)
        if isinstance(value, dict | list) and value:
            return _over_lines(value, "")
        return _on_one_line(value)
    except (ValueError, RecursionError):
        return text


def memory_text(note: WorkingNote) -> str:
    """What a memory made from a note would say: its key and its value in one line."""
    try:
        value = json.loads(note.value_json)
    except (ValueError, RecursionError):
        value = None
    return f"{note.key}: {value if isinstance(value, str) else note.value_json}"


def _over_lines(value: object, indent: str) -> str:
    inner = indent + _INDENT
    match value:
        case dict():
            rows = [
                f"{inner}{_on_one_line(key)}: {_laid_out(one, inner)}" for key, one in value.items()
            ]
            opening, closing = "{", "}"
        case list():
            rows = [f"{inner}{_laid_out(one, inner)}" for one in value]
            opening, closing = "[", "]"
        case _:
            return _on_one_line(value)
    return "\n".join([opening, ",\n".join(rows), f"{indent}{closing}"])


def _laid_out(value: object, indent: str) -> str:
    line = _on_one_line(value)
    return line if len(line) <= _ONE_LINE_CHARACTERS else _over_lines(value, indent)


def _on_one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
