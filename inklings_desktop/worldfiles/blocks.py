"""Makes blocks of parts of a page: whole lines, none of them larger than a block may be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.folding import digest_of
from inklings_desktop.domain.world.pages import (
    MAX_BLOCK_BYTES,
    MAX_PASSAGE_CHARACTERS,
    Block,
    BlockKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_LINES = 50_000
"""A page of more is cut coarsely: nobody wrote it by hand, and each block costs memory."""

_OWN_ID = re.compile(r"(?:\A|\s)\^([A-Za-z0-9-]+)\s*\Z")


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of a page that belong together.

    Attributes:
        first: Its first line, from 0.
        end: The line after its last.
        heading: The headings above it, joined by ``/``.
    """

    kind: BlockKind
    first: int
    end: int
    heading: str = ""


def blocks_of(parts: Iterable[Part], lines: Sequence[str]) -> Iterator[Block]:
    """The blocks of a page; a part that is too large for one becomes several."""
    for part in parts:
        end = part.end
        while end > part.first and not lines[end - 1].strip():
            end -= 1
        first = part.first + 1
        for piece in _pieces("\n".join(lines[part.first : end])):
            text = piece.removesuffix("\n")
            own_id = "" if part.kind is BlockKind.CODE else own_id_of(text)
            if not own_id and part.kind is BlockKind.LIST:
                own_id = own_id_of(text.partition("\n")[0])  # of an item with items below it
            last, digest = first + text.count("\n"), digest_of(text)
            yield Block("", part.kind, part.heading, text, digest, own_id, first, last)
            first += piece.count("\n")


def own_id_of(text: str) -> str:
    """The author's ``^id`` at the end of a text, without its mark; empty where there is none."""
    found = _OWN_ID.search(text[-200:]) if "^" in text else None
    return found[1] if found else ""


def paragraphs(lines: Sequence[str], first: int = 0, *, is_coarse: bool = False) -> Iterator[Part]:
    """What blank lines part, and where there are none, up to a passage of lines.

    Args:
        lines: Of the whole page.
        first: The line to begin with, from 0.
        is_coarse: Whether paragraphs are taken together up to half a passage.
    """
    least = MAX_PASSAGE_CHARACTERS // 2 if is_coarse or len(lines) > MAX_LINES else 0
    begin, n_characters = first, 0
    for number in range(first, len(lines)):
        line = lines[number]
        is_blank = not line.strip()
        is_full = n_characters + len(line) > MAX_PASSAGE_CHARACTERS or is_blank
        if is_full and begin < number and n_characters >= least:
            yield Part(BlockKind.PARAGRAPH, begin, number)
            begin, n_characters = number, 0
        if is_blank and not n_characters:
            begin = number + 1
        n_characters += 0 if is_blank else len(line)
    if begin < len(lines):
        yield Part(BlockKind.PARAGRAPH, begin, len(lines))


def _pieces(text: str) -> Iterator[str]:
    """What fits into a block: cut between lines, else between words, else anywhere."""
    most = MAX_BLOCK_BYTES if text.isascii() else MAX_BLOCK_BYTES // 4
    while len(text) > most:
        place = text.rfind("\n", 0, most) + 1 or max(text.rfind(" ", 1, most), 0) or most
        yield text[:place]
        text = text[place:]
    if text:
        yield text
