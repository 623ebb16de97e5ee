"""Text of a made-up world: as long as it is asked for, the same for the same seed."""

from __future__ import annotations

import random

from inklings_desktop.domain.world.folding import digest_of
from inklings_desktop.domain.world.pages import Block, BlockKind


def _listed(words: str) -> list[str]:
    return words.split()


_BEGIN = _listed("ae bra cael dor eil fen gar hal ith jor kal lor mar ny oth per rha syl tor vor")
_END = _listed("dan mir rath wen lis dun vain gast thas ric nor leth mund ria sel tir")
PEOPLE = [f"{one}{two}".capitalize() for one in _BEGIN for two in _END[:4]]
PLACES = [f"{one}{two}".capitalize() for one in _BEGIN for two in _END[4:8]]
_BASES = _listed(
    "lantern ferry ledger oath bell tower salt amber silver cloak bridge harbour orchard mirror"
    " candle anchor parchment bronze kettle river winter garden stable falcon dagger prayer"
    " library lighthouse quarry sermon vineyard wagon compass crown debt feast hammer island"
    " journal kingdom meadow needle opal painting quill robe saddle temple violet wharf"
)
THINGS = [f"{one}{two}" for two in _listed("stone wright song hall ward light") for one in _BASES]
QUALITIES = _listed(
    "old crooked heavy quiet bitter golden narrow hollow patient gentle crimson broken wooden"
    " frozen distant humble polished stubborn hidden ancient"
)
DEEDS = _listed(
    "carried guarded painted traded buried repaired borrowed counted praised followed burned"
    " measured promised visited mended watched carved opened cleaned remembered"
)


def made_block(text: str, origin: str = "", heading: str = "", own_id: str = "") -> Block:
    """A block of a page, whose id says where it came from."""
    return Block(origin, BlockKind.PARAGRAPH, heading, text, digest_of(text), own_id, 1, 1)


class WorldText:
    """Makes sentences, paragraphs, and edits of them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - made-up text

    def sentence(self) -> str:
        """Some 16 words that begin with a person and name a place, things and a number."""
        one, number = self.random.choice, self.random.randint(2, 99)
        clauses = [
            f"{one(DEEDS)} the {one(QUALITIES)} {one(THINGS)} of {one(PLACES)}",
            f"{one(DEEDS)} {number} {one(QUALITIES)} {one(THINGS)}s",
            f"never asked {one(PEOPLE)} about her {one(THINGS)} or {one(THINGS)}",
            f"and {one(PEOPLE)} {one(DEEDS)} every {one(THINGS)} they owned",
            f"because no {one(THINGS)} in {one(PLACES)} looks {one(QUALITIES)}",
            f"with {one(QUALITIES)} {one(THINGS)}s, some {one(THINGS)} and his {one(THINGS)}",
        ]
        return f"{one(PEOPLE)} {' '.join(self.random.sample(clauses, 3))}."

    def paragraph(self, n_sentences: int = 3) -> str:
        """Sentences in a row."""
        return " ".join(self.sentence() for _ in range(n_sentences))

    def edited(self, text: str, share: float) -> str:
        """The text with this share of its words replaced, left out or doubled by another."""
        words = text.split()
        for place in range(len(words)):
            if self.random.random() < share:
                other = self.random.choice(THINGS)
                words[place] = self.random.choice([other, other, "", f"{words[place]} {other}"])
        return " ".join(words)
