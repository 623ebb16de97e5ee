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

MAX_LINES = 100_000
"""A page of more is cut coarsely: nobody wrote it by hand, and each block costs memory."""

_OWN_ID = re.compile(r"(?:\A|\s)\^([A-Za-z0-9-]+)\s*\Z")
_MOST_CHARACTERS = MAX_BLOCK_BYTES // 4


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
        text = "\n".join(lines[part.first : end])
        if not text:
            continue
        if len(text) <= _MOST_CHARACTERS or len(text.encode()) <= MAX_BLOCK_BYTES:
            yield _block(part, text, part.first, end)
            continue
        for first, last, piece in _pieces(lines, part.first, end):
            yield _block(part, piece, first, last)


def own_id_of(text: str) -> str:
    """The author's ``^id`` at the end of a text, without its mark; empty where there is none."""
    found = _OWN_ID.search(text[-200:]) if "^" in text else None
    return found[1] if found else ""


def paragraphs(lines: Sequence[str], first: int = 0) -> Iterator[Part]:
    """What blank lines part, and where there are none, up to a passage of lines."""
    least = MAX_PASSAGE_CHARACTERS // 2 if len(lines) > MAX_LINES else 0
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


def _block(part: Part, text: str, first: int, end: int) -> Block:
    own_id = "" if part.kind is BlockKind.CODE else own_id_of(text)
    if not own_id and part.kind is BlockKind.LIST:
        own_id = own_id_of(text.partition("\n")[0])  # of an item with items below it
    return Block("", part.kind, part.heading, text, digest_of(text), own_id, first + 1, end)


def _pieces(lines: Sequence[str], first: int, end: int) -> Iterator[tuple[int, int, str]]:
    """First line, line after the last, and text of what fits into a block."""
    begin, n_characters = first, 0
    for number in range(first, end):
        line = lines[number]
        if begin < number and n_characters + len(line) + 1 > _MOST_CHARACTERS:
            yield begin, number, "\n".join(lines[begin:number])
            begin, n_characters = number, 0
        n_characters += len(line) + 1
        if len(line) > _MOST_CHARACTERS:
            yield from ((number, number + 1, piece) for piece in _cut(line))
            begin, n_characters = number + 1, 0
    if begin < end:
        yield begin, end, "\n".join(lines[begin:end])


def _cut(line: str) -> Iterator[str]:
    """A line in pieces, between its words as long as there is a blank."""
    while len(line) > _MOST_CHARACTERS:
        place = line.rfind(" ", 1, _MOST_CHARACTERS)
        place = place if place > 0 else _MOST_CHARACTERS
        yield line[:place]
        line = line[place:].lstrip(" ")
    if line:
        yield line
