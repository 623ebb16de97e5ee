"""Which block of a changed page is which: by what they say, never by where they are.

No id of ours is ever written into a page, so a block is known again by its text: the author's own
``^id`` first, then equal words, then the likeness of their sequence. A block without enough in
common with any other is gone; a link to the wrong block would be worse.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.folding import folded_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.world.pages import Block

LEAST_WORDS = 8
"""Of fewer words only equal ones are the same block."""
LEAST_LEFT = 5
"""A longer block may have lost some words: what is left of it has at least these."""
LIKE_ON_PAGE = 0.45
LIKE_ELSEWHERE = 0.6
HELD = 85.0
"""Percent of the words of one block that another holds in order, side by side."""
N_CANDIDATES = 5

_MOST_WORDS = 2_000
"""Of a longer block the beginning is compared; a page may be one endless line."""
_MOST_PAIRS = 2_500
"""Pages with more pairs to compare are compared by candidates, as other pages are."""
_MOST_HELD = 250_000
"""Words times words; of larger pairs neither is looked for in the other, which takes its square."""
_COMMON_WORD = 32
"""A word of more blocks than this finds no candidate."""


class Fate(StrEnum):
    """What became of a block."""

    SAME = "same"
    EDITED = "edited"
    SPLIT = "split"
    """Its words are in several blocks now, or in one with those of others."""
    MOVED = "moved"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Match:
    """What became of one block.

    Attributes:
        old: Its place among the old blocks.
        new: Place of the block that it became: among the new ones of its page, where it moved
            among those of other pages; None where it is gone. Where it was split, of the block
            with most of it.
        likeness: Of the two sequences of words, 0 to 1; 1 where no word changed.
    """

    old: int
    fate: Fate
    new: int | None
    likeness: float


class Elsewhere:
    """Blocks that are new on other pages changed in the same look; each is found once.

    Made once for all pages of a look. Only what no block of its own page became belongs in here.
    """

    def __init__(self, blocks: Sequence[Block] = ()) -> None:
        self._blocks = _Blocks(blocks)
        self._taken: set[int] = set()
        self._equal: defaultdict[bytes, deque[int]] = defaultdict(deque)
        for place, one in enumerate(blocks):
            self._equal[one.digest].append(place)

    def take(self, old: Block, words: Sequence[str]) -> tuple[int, float] | None:
        """The block that this one became, and how alike they are; None where none is."""
        found = None
        equal = self._equal.get(old.digest, deque())
        while equal and found is None:
            place = equal.popleft()
            found = None if place in self._taken else (place, 1.0)
        if found is None and len(words) >= LEAST_WORDS:
            there = [one for one in self._blocks.candidates(words) if one not in self._taken]
            every = [(self._blocks.likeness(words, one, LIKE_ELSEWHERE), -one) for one in there]
            likeness, place = max(every, default=(0.0, 0))
            found = (-place, likeness) if likeness else None
        if found is not None:
            self._taken.add(found[0])
        return found


def match_blocks(
    old: Sequence[Block], new: Sequence[Block], elsewhere: Elsewhere | Sequence[Block] = ()
) -> list[Match]:
    """What became of each block of a page, in the order of the old ones.

    Args:
        old: Blocks of the page as it was; or the bases of memories, after an index was lost.
        new: Blocks of the page as it is; none where the page is gone.
        elsewhere: Blocks that are new on other pages; a block that moved is looked for in them.
    """
    others = elsewhere if isinstance(elsewhere, Elsewhere) else Elsewhere(elsewhere)
    page = _Page(_Blocks(old), _Blocks(new))
    page.pair_by_id()
    page.pair_equal()
    page.pair_alike()
    page.look_for_parts()
    for one in page.waiting_old():
        place = others.take(old[one], page.old.words(one))
        page.found[one] = (
            Match(one, Fate.MOVED, *place) if place else Match(one, Fate.GONE, None, 0.0)
        )
    return [page.found[one] for one in range(len(old))]


class _Blocks:
    """Blocks with their words, and by their words."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.all = blocks
        self._words: dict[int, list[str]] = {}
        self._by_word: defaultdict[str, list[int]] | None = None

    def words(self, place: int) -> list[str]:
        if place not in self._words:
            self._words[place] = folded_words(self.all[place].text)[:_MOST_WORDS]
        return self._words[place]

    def likeness(self, words: Sequence[str], place: int, least: float) -> float:
        """Indel likeness of word sequences, 0 to 1; 0 below ``least`` and for very short ones."""
        mine = self.words(place)
        if len(mine) < LEAST_LEFT:
            return 0.0
        return Indel.normalized_similarity(words, mine, score_cutoff=least)

    def candidates(self, words: Iterable[str]) -> list[int]:
        """The few blocks that share most rare words; a word weighs less the more blocks have it."""
        if self._by_word is None:
            self._by_word = defaultdict(list)
            for place in range(len(self.all)):
                for word in set(self.words(place)):
                    self._by_word[word].append(place)
        shared: Counter[int] = Counter()
        for word in set(words):
            having = self._by_word.get(word, ())
            if len(having) <= _COMMON_WORD:
                for place in having:
                    shared[place] += 1_000 // len(having)
        best = sorted(shared.items(), key=lambda one: (-one[1], one[0]))
        return [place for place, _ in best[:N_CANDIDATES]]


class _Page:
    """The matches of one page as they are found."""

    def __init__(self, old: _Blocks, new: _Blocks) -> None:
        self.old, self.new = old, new
        self.found: dict[int, Match] = {}
        self._taken: set[int] = set()

    def waiting_old(self) -> list[int]:
        return [one for one in range(len(self.old.all)) if one not in self.found]

    def _pair(self, old: int, new: int, fate: Fate, likeness: float) -> None:
        self.found[old] = Match(old, fate, new, likeness)
        self._taken.add(new)

    def pair_by_id(self) -> None:
        places = _by_own_id(self.new.all)
        for own_id, old in _by_own_id(self.old.all).items():
            if (new := places.get(own_id)) is not None:
                is_same = self.old.all[old].digest == self.new.all[new].digest
                fate = Fate.SAME if is_same else Fate.EDITED
                self._pair(old, new, fate, 1.0 if is_same else self._likeness(old, new))

    def _likeness(self, old: int, new: int) -> float:
        return Indel.normalized_similarity(self.old.words(old), self.new.words(new))

    def pair_equal(self) -> None:
        """Equal words; of several such blocks first those below the same heading, in order."""
        for key in (attrgetter("digest", "heading"), attrgetter("digest")):
            there: defaultdict[object, deque[int]] = defaultdict(deque)
            for new, block in enumerate(self.new.all):
                if new not in self._taken:
                    there[key(block)].append(new)
            for old in self.waiting_old():
                if places := there.get(key(self.old.all[old])):
                    self._pair(old, places.popleft(), Fate.SAME, 1.0)

    def pair_alike(self) -> None:
        """The most alike pairs first; of equally alike ones the nearest."""
        waiting = [one for one in self.waiting_old() if len(self.old.words(one)) >= LEAST_WORDS]
        free = [one for one in range(len(self.new.all)) if one not in self._taken]
        is_large = len(waiting) * len(free) > _MOST_PAIRS
        pairs = sorted(
            (-likeness, abs(old - new), old, new)
            for old in waiting
            for new in (self.new.candidates(self.old.words(old)) if is_large else free)
            if (likeness := self.new.likeness(self.old.words(old), new, LIKE_ON_PAGE))
        )
        for likeness, _, old, new in pairs:
            if old not in self.found and new not in self._taken:
                self._pair(old, new, Fate.EDITED, -likeness)

    def look_for_parts(self) -> None:
        """Blocks whose words are in several now, or in one with those of others."""
        unchanged = {one.new for one in self.found.values() if one.fate is Fate.SAME}
        for old in range(len(self.old.all)):
            match = self.found.get(old)
            if match is not None and match.fate is Fate.SAME:
                continue
            words = self.old.words(old)
            known = 0 if match is None or match.new is None else len(self.new.words(match.new))
            if len(words) - known < LEAST_WORDS:
                continue
            parts: list[tuple[int, int]] = []
            for new in self.new.candidates(words):
                mine = self.new.words(new)
                if new not in (unchanged if len(mine) >= len(words) else self._taken):
                    short, long = sorted((words, mine), key=len)
                    # Nearly all of the shorter one is a stretch of the longer one.
                    is_fit = len(short) >= LEAST_WORDS and len(short) * len(long) <= _MOST_HELD
                    if is_fit and fuzz.partial_ratio(short, long, score_cutoff=HELD):
                        parts.append((len(mine), -new))
            if match is not None and parts:
                self.found[old] = Match(old, Fate.SPLIT, match.new, match.likeness)
            elif parts:
                new = -max(parts)[1]
                self._pair(old, new, Fate.SPLIT, self._likeness(old, new))


def _by_own_id(blocks: Sequence[Block]) -> dict[str, int]:
    """The places of blocks by the author's id; one that two have names neither."""
    ids = Counter(one.own_id for one in blocks if one.own_id)
    return {one.own_id: place for place, one in enumerate(blocks) if ids[one.own_id] == 1}
