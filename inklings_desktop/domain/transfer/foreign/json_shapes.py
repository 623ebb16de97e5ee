"""Pieces of JSON that readers of several formats look for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.transfer.document import ImportRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable


def objects_in(value: object) -> list[dict[str, Any]]:
    """The objects of a list, or of an object whose names are numbers of entries."""
    some: Iterable[object] = ()
    if isinstance(value, list):
        some = value
    elif isinstance(value, dict):
        some = value.values()
    return [one for one in some if isinstance(one, dict)]


def texts_in(value: object) -> list[str]:
    """The texts of a list; of one text with commas in it, what stands between them."""
    if isinstance(value, str):
        return [one.strip() for one in value.split(",")]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def rows_in(value: object, *names: str) -> list[Any] | None:
    """The list that a file is, or that stands in it under the first of these names; else None."""
    if isinstance(value, dict):
        value = next((value[one] for one in names if isinstance(value.get(one), list)), None)
    return value if isinstance(value, list) else None


def fits(is_so: bool) -> None:  # noqa: FBT001 - an assertion
    """Return only if a file is what it was taken for.

    Raises:
        ImportRefusedError: It is not.
    """
    if not is_so:
        raise ImportRefusedError("other_format")
