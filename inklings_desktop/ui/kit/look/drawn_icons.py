"""Plain icons of our own, for an installation without the icon package.

The common ones are a stroke or two in a square of 24; any other icon is the first letter of its
name in a frame. They say what a button does, no more.
"""

from typing import Final

_RING: Final = "M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17"
_FRAME: Final = "M4.5 4.5h15v15h-15z"
_STROKES: Final = {
    "arrow-down": "M12 5v14M6 13l6 6 6-6",
    "arrow-left": "M19 12H5M11 6l-6 6 6 6",
    "arrow-right": "M5 12h14M13 6l6 6-6 6",
    "arrow-up": "M12 19V5M6 11l6-6 6 6",
    "caret-down": "M6 9l6 6 6-6",
    "caret-left": "M15 6l-6 6 6 6",
    "caret-right": "M9 6l6 6-6 6",
    "caret-up": "M6 15l6-6 6 6",
    "check": "M5 13l4 4L19 7",
    "check-circle": f"{_RING}M8 12l3 3 5-6",
    "circle": _RING,
    "clock": f"{_RING}M12 7v5l3.5 2.5",
    "copy": "M8.5 8.5h11v11h-11zM5 15.5V5h10.5",
    "dots-three": "M5 12h.01M12 12h.01M19 12h.01",
    "folder": "M3 6h6l2 2.5h10V19H3z",
    "info": f"{_RING}M12 11.5V17M12 7.5h.01",
    "list": "M4 6h16M4 12h16M4 18h16",
    "lock-simple": "M5.5 11h13v9h-13zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
    "magnifying-glass": "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L20 20",
    "minus": "M5 12h14",
    "pause": "M9 6v12M15 6v12",
    "pencil-simple": "M4.5 19.5l1-4L16 5l3 3L8.5 18.5z",
    "play": "M8 5l11 7-11 7z",
    "plus": "M12 5v14M5 12h14",
    "square": _FRAME,
    "stop": _FRAME,
    "trash": "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
    "warning": "M12 4L2.5 20h19zM12 10v4.5M12 17.2h.01",
    "warning-circle": f"{_RING}M12 7v6M12 16.5h.01",
    "x": "M6 6l12 12M18 6L6 18",
    "x-circle": f"{_RING}M9 9l6 6M15 9l-6 6",
}
_SOLID: Final = frozenset({"circle", "play", "square", "stop"})
_WIDTHS: Final = {"regular": 1.6, "fill": 1.6, "bold": 2.4}


def drawn_icon(name: str, weight: str) -> bytes:
    """An icon as SVG, in the same colour word as those of the package.

    Args:
        name: As the package calls it, such as ``caret-down``.
        weight: ``regular``, ``fill`` or ``bold``.
    """
    letter = "" if name in _STROKES else name[0].upper()
    fill = "currentColor" if weight == "fill" and name in _SOLID else "none"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
        f'<path d="{_STROKES.get(name, _FRAME)}" fill="{fill}" stroke="currentColor" '
        f'stroke-width="{_WIDTHS[weight]}" stroke-linecap="round" stroke-linejoin="round"/>'
        '<text x="12" y="16" font-family="sans-serif" font-size="11" text-anchor="middle" '
        f'fill="currentColor">{letter}</text></svg>'
    ).encode()
