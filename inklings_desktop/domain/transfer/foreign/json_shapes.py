"""Pieces of JSON that readers of several formats look for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.transfer.document import ImportRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inklings_desktop.domain.transfer.foreign.found import Finds

ROWS = ("memories", "results", "items", "data", "entries", "result", "response")
"""Names under which programs answer with a list, or with another answer around it."""


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
        value: The file.
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


def fits(is_so: bool) -> None:  # noqa: FBT001 - an assertion
    """Return only if a file is what it was taken for.

    Raises:
        ImportRefusedError: It is not.
    """
    if not is_so:
        raise ImportRefusedError("other_format")
