"""The table of the design as floors, on made-up text; no link may go to a strange block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from inklings_desktop.domain.world.block_matching import Elsewhere, Fate, Match, match_blocks
from tests.support.world_text import MadeBlock, WorldText

N_PAGES, N_BLOCKS = 40, 10

Change = Callable[[list[MadeBlock], WorldText], Iterable[MadeBlock]]


def pages(text: WorldText) -> list[list[MadeBlock]]:
    return [
        [MadeBlock(text.paragraph(1 + n % 4), (page, n), f"Part {n // 3}") for n in range(N_BLOCKS)]
        for page in range(N_PAGES)
    ]


def like(block: MadeBlock, text: str) -> MadeBlock:
    return MadeBlock(text, block.origin, block.heading)


def edit(share_of_words: float, every: int) -> Change:
    def change(old: list[MadeBlock], text: WorldText) -> Iterable[MadeBlock]:
        for n, one in enumerate(old):
            yield one if n % every else like(one, text.edited(one.text, share_of_words))

    return change


def reorder(old: list[MadeBlock], text: WorldText) -> Iterable[MadeBlock]:
    return text.random.sample(old, len(old))


def rename_headings(old: list[MadeBlock], _text: WorldText) -> Iterable[MadeBlock]:
    return [MadeBlock(one.text, one.origin, f"New {one.heading}") for one in old]


def split(old: list[MadeBlock], text: WorldText) -> Iterable[MadeBlock]:
    for one in old:
        words = one.text.split()
        at = text.random.randint(len(words) // 3, 2 * len(words) // 3)
        yield like(one, " ".join(words[:at]))
        yield like(one, " ".join(words[at:]))


def replace_a_fifth(old: list[MadeBlock], text: WorldText) -> Iterable[MadeBlock]:
    for n, one in enumerate(old):
        yield MadeBlock(text.paragraph(2), "new", one.heading) if n % 5 == 2 else one


@pytest.mark.parametrize(
    ("change", "floor"),
    [
        (edit(0.05, 1), 1.0),
        (edit(0.3, 2), 1.0),
        (edit(0.6, 3), 0.97),
        (reorder, 1.0),
        (rename_headings, 1.0),
        (split, 0.984),
        (replace_a_fifth, 1.0),
    ],
)
def test_blocks_are_found_again_and_never_a_strange_one(change: Change, floor: float) -> None:
    text = WorldText(40)
    n_there = n_found = 0
    for old in pages(text):
        new = list(change(old, text))
        there = {one.origin for one in new}
        for one, match in zip(old, match_blocks(old, new), strict=True):
            n_there += one.origin in there
            if match.new is not None:
                assert new[match.new].origin == one.origin
                n_found += 1
    assert n_found >= floor * n_there


def test_blocks_that_moved_to_other_pages_are_found_there() -> None:
    text = WorldText(41)
    every = pages(text)
    gone = [one for page in every for one in page[::3]]
    there = [one if n % 2 else like(one, text.edited(one.text, 0.15)) for n, one in enumerate(gone)]
    elsewhere = Elsewhere(there)
    n_found = 0
    for page in every:
        stays = [one for n, one in enumerate(page) if n % 3]
        for one, match in zip(page, match_blocks(page, stays, elsewhere), strict=True):
            if match.fate is Fate.MOVED:
                assert match.new is not None
                assert there[match.new].origin == one.origin
                n_found += 1
    assert n_found >= 0.99 * len(gone)


def fates(old: Sequence[MadeBlock], new: Sequence[MadeBlock]) -> list[tuple[Fate, int | None]]:
    return [(one.fate, one.new) for one in match_blocks(old, new)]


def test_the_authors_id_comes_first() -> None:
    text = WorldText(1)
    one, other, third = text.paragraph(), text.paragraph(), text.paragraph()
    old = [MadeBlock(one, own_id="oath"), MadeBlock(other)]
    new = [MadeBlock(one), MadeBlock(third, own_id="oath")]
    assert fates(old, new) == [(Fate.EDITED, 1), (Fate.GONE, None)]


def test_an_id_that_two_blocks_have_names_neither() -> None:
    text = WorldText(2)
    one, other = text.paragraph(), text.paragraph()
    old = [MadeBlock(one, own_id="a"), MadeBlock(other, own_id="a")]
    new = [MadeBlock(other, own_id="a"), MadeBlock(one)]
    assert fates(old, new) == [(Fate.SAME, 1), (Fate.SAME, 0)]


def test_of_equal_blocks_the_one_below_the_same_heading_is_meant() -> None:
    old = [MadeBlock("Nothing is known.", heading=one) for one in ("Looks", "Past")]
    assert fates(old, [old[1]]) == [(Fate.GONE, None), (Fate.SAME, 0)]
    assert fates(old, [old[1], old[0]]) == [(Fate.SAME, 1), (Fate.SAME, 0)]


def test_a_short_block_is_found_only_if_it_is_equal() -> None:
    old = [MadeBlock("The queen fears the sea."), MadeBlock("Salt is dear.")]
    new = [MadeBlock("The queen loves the sea."), MadeBlock("SALT is dear")]
    assert fates(old, new) == [(Fate.GONE, None), (Fate.SAME, 1)]


def test_what_two_blocks_said_may_stand_in_one() -> None:
    text = WorldText(3)
    one, other = text.paragraph(3), text.paragraph(1)
    new = [MadeBlock(f"{one} {other}")]
    assert fates([MadeBlock(one), MadeBlock(other)], new) == [(Fate.EDITED, 0), (Fate.SPLIT, 0)]


def test_what_one_block_said_may_stand_in_several() -> None:
    text = WorldText(4)
    parts = [text.sentence() for _ in range(6)]
    new = [MadeBlock(" ".join(parts[at : at + 2])) for at in (0, 2, 4)]
    ((fate, place),) = fates([MadeBlock(" ".join(parts))], new)
    assert fate is Fate.SPLIT
    assert place is not None


def test_a_block_that_was_there_already_holds_nobody_elses_words() -> None:
    text = WorldText(5)
    one, both = text.paragraph(1), text.paragraph(3)
    old = [MadeBlock(one), MadeBlock(f"{one} {both}")]
    assert fates(old, [old[1]]) == [(Fate.GONE, None), (Fate.SAME, 0)]


def test_a_block_elsewhere_is_found_once() -> None:
    old = [MadeBlock("The same words twice.")] * 2
    assert match_blocks(old, (), old[:1]) == [
        Match(0, Fate.MOVED, 0, 1.0),
        Match(1, Fate.GONE, None, 0.0),
    ]


def test_a_page_that_is_wholly_new_finds_nothing() -> None:
    text = WorldText(6)
    for _ in range(N_PAGES):
        old, new = ([MadeBlock(text.paragraph()) for _ in range(N_BLOCKS)] for _ in range(2))
        assert {one.fate for one in match_blocks(old, new)} == {Fate.GONE}
    assert match_blocks([], new) == []


def test_a_huge_page_is_matched_by_candidates() -> None:
    text = WorldText(7)
    old = [MadeBlock(text.paragraph(2), n) for n in range(400)]
    new = [like(one, text.edited(one.text, 0.1)) for one in reversed(old)]
    found = match_blocks(old, new)
    assert all(one.new is not None and new[one.new].origin == one.old for one in found)
