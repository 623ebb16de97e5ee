"""Tolerant readers: whatever was sent, something of the right kind and size comes out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LINE: Final = 500
MAX_TEXT: Final = 64 * 1024
MAX_DEPTH: Final = 100
_DIRECTIONS = dict.fromkeys(
    [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029], " ")
_LINE = _CONTROLS | _DIRECTIONS
_TEXT = {key: None for key in _LINE if key not in {0x09, 0x0A, 0x85, 0x2028, 0x2029}}


def line_of(told: object, most: int = MAX_LINE) -> str:
    """One line without what turns or hides letters; empty if it is no text."""
    return (
        " ".join(told[: most * 4].translate(_LINE).split())[:most] if isinstance(told, str) else ""
    )


def text_of(told: object, most: int = MAX_TEXT) -> str:
    """Text with its lines, without what turns or hides letters; empty if it is none."""
    return told[:most].translate(_TEXT) if isinstance(told, str) else ""


def dict_of(told: object) -> dict[str, Any]:
    """The object, or an empty one."""
    return told if isinstance(told, dict) else {}


def list_of(told: object) -> list[Any]:
    """The array, or an empty one."""
    return told if isinstance(told, list) else []


def number_of(told: object) -> int | None:
    """A whole number from 0, or None."""
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    return int(told) if 0 <= told < 2**53 else None


def bounded(told: object, most: int = MAX_TEXT) -> dict[str, Any]:
    """An object as it came; only its keys if it is deep or over ``most`` characters of JSON."""
    found = dict_of(told)
    try:
        is_short = len(json.dumps(found, ensure_ascii=False)) <= most and not _is_deep(found)
    except (ValueError, TypeError, RecursionError):  # how deep that is depends on the Python
        is_short = False
    return found if is_short else {line_of(key, 100): "…" for key in list(found)[:50]}


def _is_deep(told: object) -> bool:
    """Whether more objects and arrays lie in one another than anybody shows."""
    level = [told]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else list_of(one))
        ]
        if not level:
            return False
    return True


def content_text(content: Mapping[str, Any]) -> str | None:
    """The words of a block of content; None for a kind that has none."""
    match content.get("type"):
        case "text":
            return text_of(content.get("text"), 8 * 1024 * 1024)
        case "resource":
            return text_of(dict_of(content.get("resource")).get("text"))
        case _:
            return None


def call_outcome(update: Mapping[str, Any]) -> str:
    """What a tool call says of itself in its content, as text; empty without."""
    said = []
    for item in list_of(update.get("content"))[:50]:
        holder = dict_of(item)
        if holder.get("type") == "content":
            said.append(content_text(dict_of(holder.get("content"))) or "")
        elif holder.get("type") == "diff":
            said.append(line_of(holder.get("path")))
    return "\n".join(one for one in said if one)[:MAX_TEXT]
