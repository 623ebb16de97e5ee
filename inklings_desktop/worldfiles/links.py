"""Finds what the text of a block names: wiki links, embeds, links of Markdown, tags.

Every pattern goes over a text once, however it is written: none tries again what another start
has tried.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from inklings_desktop.domain.world.pages import LinkKind

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIKI = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_MARKDOWN = re.compile(
    r"(!?)\[[^\[\]\n]*\]\("
    r"(?:<([^<>\n]+)>|([^()\s<>]+(?:\([^()\s<>]*\)[^()\s<>]*)?))"
    r"(?:[ \t][^()\n]*)?\)"
)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
# Letters of any script and emoji; no marks of ASCII but - _ /, and no marks of print.
_TAG = re.compile(r"(?<!\S)#([^\s!-,.:-@\[-^`{-~\u2000-\u200c\u200e-\u206f\u3000-\u303f]+)")
_TICKS = re.compile(r"`+")


def links_of(text: str) -> Iterator[tuple[str, LinkKind]]:
    """Target and kind of each, in the order of kinds; what leads out of the folder is none."""
    if "`" in text:
        text = _without_code(text)
    if "[[" in text:
        for mark, target in _WIKI.findall(text):
            # A table's cell has to write the bar with a backslash before it.
            if tidy := target.rstrip("\\").strip():
                yield tidy, LinkKind.EMBED if mark else LinkKind.WIKI
    if "](" in text:
        for mark, pointed, plain in _MARKDOWN.findall(text):
            target = unquote(pointed or plain).strip()
            if target and not _ELSEWHERE.match(target):
                yield target, LinkKind.EMBED if mark else LinkKind.MARKDOWN


def tags_of(text: str) -> Iterator[str]:
    """The tags in a text without ``#``; a number alone is none."""
    if "#" not in text:
        return
    for tag in _TAG.findall(_without_code(text) if "`" in text else text):
        if not tag.strip("/-_").isdecimal() and (tidy := tag.strip("/")):
            yield tidy


def _without_code(text: str) -> str:
    """The text with blanks in place of what stands between backticks."""
    runs = [found.span() for found in _TICKS.finditer(text)]
    following: dict[int, int] = {}
    closing = [0] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        begin, end = runs[number]
        closing[number] = following.get(end - begin, 0)
        following[end - begin] = number
    kept, place, number = [], 0, 0
    while number < len(runs):
        if last := closing[number]:
            kept.append(text[place : runs[number][0]])
            place, number = runs[last][1], last
        number += 1
    return " ".join([*kept, text[place:]])
