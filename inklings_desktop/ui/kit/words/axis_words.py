"""The four axes of a page in words: what they are called, their values, and where those stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.world.axes import AxisSource
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inklings_desktop.domain.world.axes import Axes, AxisValue


def axis_rows(axes: Axes | None) -> tuple[tuple[str, str, str], ...]:
    """Name, value and explanation of each axis; no explanation where nothing says so.

    Before they are read there are names alone.
    """
    names = {
        "origin": tr("Origin"),
        "lifecycle": tr("Lifecycle"),
        "weight": tr("Weight"),
        "standing": tr("Standing"),
    }
    if axes is None:
        return tuple((name, "", "") for name in names.values())
    found = ((name, getattr(axes, key)) for key, name in names.items())
    return tuple((name, axis_word(one.value), axis_reason(one)) for name, one in found)


def reasons_line(rows: Iterable[tuple[str, str, str]]) -> str:
    """Where the values of ``axis_rows`` were read; empty where nothing says any of them."""
    return "; ".join(f"{value} \u2013 {reason}" for _, value, reason in rows if reason)


def axis_word(value: str) -> str:
    """The value of an axis; a word of the author's own stays as it is."""
    known = {
        "author": tr("author"),
        "agent": tr("agent"),
        "import": tr("import"),
        "idea": tr("idea"),
        "draft": tr("draft"),
        "canon": tr("canon"),
        "retired": tr("retired"),
        "minor": tr("minor"),
        "normal": tr("normal"),
        "core": tr("core"),
        "settled": tr("settled"),
        "open": tr("open"),
        "contested": tr("contested"),
    }
    return known.get(value, value)


def axis_reason(one: AxisValue) -> str:
    """Where the value of an axis was read; empty where nothing says so."""
    page = one.path.rpartition("/")[2]
    said = f"{one.name}: {one.written}"
    match one.source:
        case AxisSource.KEY if one.line is not None:
            return tr("{said}, line {n} of {page}").format(said=said, n=one.line, page=page)
        case AxisSource.KEY:
            return tr("{said} in {page}").format(said=said, page=page)
        case AxisSource.RULE:
            return tr("your rule for {pattern}").format(pattern=one.name)
        case AxisSource.TAG:
            return f"#{one.name}"
        case AxisSource.CALLOUT:
            return f"[!{one.name}]"
        case _:
            return ""
