"""The table of the design as floors, on made-up text; no link may go to a strange block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from inklings_desktop.domain.world.block_matching import Elsewhere, Fate, Match, match_blocks
from inklings_desktop.domain.world.pages import Block
from tests.support.world_text import WorldText, made_block

N_PAGES, N_BLOCKS = 40, 10

Change = Callable[[list[Block], WorldText], Iterable[Block]]


def pages(text: WorldText) -> list[list[Block]]:
    return [
        [
            made_block(text.paragraph(1 + n % 4), f"{page}/{n}", f"Part {n // 3}")
            for n in range(N_BLOCKS)
        ]
        for page in range(N_PAGES)
    ]


def like(block: Block, text: str) -> Block:
    return made_block(text, block.id, block.heading)


def edit(share_of_words: float, every: int) -> Change:
    def change(old: list[Block], text: WorldText) -> Iterable[Block]:
        for n, one in enumerate(old):
            yield one if n % every else like(one, text.edited(one.text, share_of_words))

    return change


def reorder(old: list[Block], text: WorldText) -> Iterable[Block]:
    return text.random.sample(old, len(old))


def rename_headings(old: list[Block], _text: WorldText) -> Iterable[Block]:
    return [made_block(one.text, one.id, f"New {one.heading}") for one in old]


def split(old: list[Block], text: WorldText) -> Iterable[Block]:
    for one in old:
        words = one.text.split()
        at = text.random.randint(len(words) // 3, 2 * len(words) // 3)
        yield like(one, " ".join(words[:at]))
        yield like(one, " ".join(words[at:]))


def replace_a_fifth(old: list[Block], text: WorldText) -> Iterable[Block]:
    for n, one in enumerate(old):
        yield made_block(text.paragraph(2), "new", one.heading) if n % 5 == 2 else one


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
        there = {one.id for one in new}
        for one, match in zip(old, match_blocks(old, new), strict=True):
            n_there += one.id in there
            if match.new is not None:
                assert new[match.new].id == one.id
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
                assert there[match.new].id == one.id
                n_found += 1
    assert n_found >= 0.99 * len(gone)


def fates(old: Sequence[Block], new: Sequence[Block]) -> list[tuple[Fate, int | None]]:
    return [(one.fate, one.new) for one in match_blocks(old, new)]


def test_the_authors_id_comes_first() -> None:
    text = WorldText(1)
    one, other, third = text.paragraph(), text.paragraph(), text.paragraph()
    old = [made_block(one, own_id="oath"), made_block(other)]
    new = [made_block(one), made_block(third, own_id="oath")]
    assert fates(old, new) == [(Fate.EDITED, 1), (Fate.GONE, None)]
    twice = [made_block(one, own_id="a"), made_block(other, own_id="a")]
    assert fates(twice, twice[::-1]) == [(Fate.SAME, 1), (Fate.SAME, 0)]


def test_of_equal_blocks_the_one_below_the_same_heading_is_meant() -> None:
    old = [made_block("Nothing is known.", heading=one) for one in ("Looks", "Past")]
    assert fates(old, [old[1]]) == [(Fate.GONE, None), (Fate.SAME, 0)]
    assert fates(old, [old[1], old[0]]) == [(Fate.SAME, 1), (Fate.SAME, 0)]


def test_a_short_block_is_found_only_if_it_is_equal() -> None:
    old = [made_block("The queen fears the sea."), made_block("Salt is dear.")]
    new = [made_block("The queen loves the sea."), made_block("SALT is dear")]
    assert fates(old, new) == [(Fate.GONE, None), (Fate.SAME, 1)]


def test_words_that_are_in_several_blocks_or_with_those_of_others_were_split() -> None:
    text = WorldText(3)
    parts = [text.sentence() for _ in range(6)]
    whole = [made_block(" ".join(parts))]
    halves = [made_block(" ".join(one)) for one in (parts[:4], parts[4:])]
    assert fates(halves, whole) == [(Fate.EDITED, 0), (Fate.SPLIT, 0)]
    assert fates(whole, [made_block(one) for one in parts])[0][0] is Fate.SPLIT
    # A block that was there already has nobody else's words.
    assert fates([*halves, *whole], whole) == [(Fate.GONE, None)] * 2 + [(Fate.SAME, 0)]


def test_a_block_elsewhere_is_found_once() -> None:
    old = [made_block("The same words twice.")] * 2
    found = match_blocks(old, (), old[:1])
    assert found == [Match(0, Fate.MOVED, 0, 1.0), Match(1, Fate.GONE, None, 0.0)]


def test_a_page_that_is_wholly_new_finds_nothing() -> None:
    text = WorldText(6)
    for _ in range(N_PAGES):
        old, new = ([made_block(text.paragraph()) for _ in range(N_BLOCKS)] for _ in range(2))
        assert {one.fate for one in match_blocks(old, new)} == {Fate.GONE}
    assert match_blocks([], new) == []


def test_a_page_of_equal_blocks_is_matched_in_order() -> None:
    old = [made_block("* * *")] * 4_000
    assert [one.new for one in match_blocks(old, old[1:])] == [*range(3_999), None]


def test_a_huge_page_is_matched_by_candidates() -> None:
    text = WorldText(7)
    old = [made_block(text.paragraph(2), str(n)) for n in range(400)]
    new = [like(one, text.edited(one.text, 0.1)) for one in reversed(old)]
    found = match_blocks(old, new)
    assert all(one.new is not None and new[one.new].id == str(one.old) for one in found)
