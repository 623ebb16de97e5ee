"""The memories in an orientation document, as whoever was handed it reads them back."""

from __future__ import annotations

import re

# Every line of a memory is quoted, so no text of one can pass for the head of another.
_ITEM = re.compile(
    r"^- \*(?P<framing>[^*\n]+)\* \([^\n]*\bid (?P<id>[0-9a-f-]{36})\)\n"
    r"(?P<text>(?: {2}>[^\n]*\n?)+)",
    re.MULTILINE,
)
_QUOTED = re.compile(r"^ {2}> ?", re.MULTILINE)


def told_in(markdown: str, n_standing: int) -> dict[str, tuple[str, str]]:
    """Framing and text of each memory behind the standing part, by its id."""
    return {
        found["id"]: (found["framing"], _QUOTED.sub("", found["text"]).rstrip("\n"))
        for found in _ITEM.finditer(markdown, n_standing)
    }
