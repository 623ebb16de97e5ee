"""The files that come with the program."""

from __future__ import annotations

import sys
from pathlib import Path

from inklings_desktop.domain.errors import NotFoundError

DESKTOP_ID = "io.github.inklings_desktop.inklings"
"""The name of the menu entry and of the icon; a desktop finds both for a window by it."""


def resource(name: str) -> Path:
    """A file of ``resources``: in the frozen program, in the wheel, or in the checkout.

    The changelog stands at the top of the checkout, and is put among them by whoever packs it.

    Raises:
        NotFoundError: There is none of this name: the program is not whole.
    """
    package = Path(__file__).resolve().parent
    frozen = getattr(sys, "_MEIPASS", None)
    places = [Path(frozen) / "resources"] if frozen else []
    places += [package / "resources", package.parent / "resources", package.parent]
    for place in places:
        if (place / name).is_file():
            return place / name
    raise NotFoundError("resource", name)


def template_of(name: str) -> str:
    """The body that VOICE or SOUL is made with, byte for byte."""
    return resource(f"defaults/{name}.md").read_bytes().decode("utf-8")
