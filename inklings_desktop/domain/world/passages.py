"""A page cut into passages: what a search finds, each a few neighbouring blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.world.pages import MAX_PASSAGE_CHARACTERS, BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.world.pages import Block

CONTEXT_CHARACTERS = 300
"""What each neighbour lends to a passage: a word is found beside the scene that it belongs to."""
_BETWEEN = "\n\n"


class Passage(NamedTuple):
    """Neighbouring blocks under one heading, or a piece of a single long one.

    Attributes:
        first: Place of its first block on the page.
        last: Place of its last block.
        begin: Where the piece begins in the text of the block; 0 for whole blocks.
        end: Where it ends; 0 for whole blocks.
        heading: What it stands under, joined by ``/``.
        text: What it says, at most 1,000 characters.
    """

    first: int
    last: int
    begin: int
    end: int
    heading: str
    text: str


def passages_of(blocks: Sequence[Block]) -> list[Passage]:
    """The passages of a page in order; every character of its blocks is in one of them.

    A heading stands at the beginning of the passage below it.
    """
    found: list[Passage] = []
    group: list[int] = []
    under: str | None = None
    size = 0

    def end_group() -> None:
        if group:
            heading = blocks[group[-1]].heading if under is None else under
            text = _BETWEEN.join(blocks[place].text for place in group)
            found.append(Passage(group[0], group[-1], 0, 0, heading, text))
            group.clear()

    for place, block in enumerate(blocks):
        is_heading = block.kind is BlockKind.HEADING
        fits = size + len(_BETWEEN) + len(block.text) <= MAX_PASSAGE_CHARACTERS
        belongs = under is None or (not is_heading and under == block.heading)
        if group and not (fits and belongs):
            end_group()
        if not group:
            size, under = 0, None
        if len(block.text) > MAX_PASSAGE_CHARACTERS:
            found += (
                Passage(place, place, begin, end, block.heading, block.text[begin:end])
                for begin, end in _pieces(block.text)
            )
            continue
        group.append(place)
        size += len(_BETWEEN) + len(block.text)
        if not is_heading:
            under = block.heading
    end_group()
    return found


def text_of(blocks: Sequence[Block], begin: int, end: int) -> str:
    """What a passage says, from its blocks and its piece of them."""
    return blocks[0].text[begin:end] if end else _BETWEEN.join(one.text for one in blocks)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where a long text is cut: after a blank if there is one, so that no word is."""
    begin = 0
    while begin < len(text):
        end = begin + MAX_PASSAGE_CHARACTERS
        if end < len(text):
            blank = max(text.rfind(" ", begin + 1, end), text.rfind("\n", begin + 1, end))
            end = blank + 1 if blank > 0 else end
        yield begin, min(end, len(text))
        begin = end
