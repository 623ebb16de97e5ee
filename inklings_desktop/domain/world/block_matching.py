"""Which block of a changed page is which: by what they say, never by where they are.

No id of ours is ever written into a page, so a block is known again by its text: the author's own
``^id`` first, then equal words, then the likeness of their sequence. A block without enough in
common with any other is gone; a link to the wrong block would be worse.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.folding import folded_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LEAST_WORDS = 8
"""Of fewer words only equal ones are the same block."""
LEAST_LEFT = 5
"""A longer block may have lost some words: what is left of it has at least these."""
LIKE_ON_PAGE = 0.45
LIKE_ELSEWHERE = 0.6
HELD = 85.0
"""Percent of the words of one block that another holds in order, side by side."""
N_CANDIDATES = 5

_MOST_PAIRS = 2_500
"""Pages with more pairs to compare are compared by candidates, as other pages are."""
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


class Comparable(Protocol):
    """What of a block is compared.

    Attributes:
        own_id: The author's ``^id``; empty or None where there is none.
        digest: ``digest_of`` the text.
    """

    @property
    def text(self) -> str: ...
    @property
    def heading(self) -> str: ...
    @property
    def own_id(self) -> str | None: ...
    @property
    def digest(self) -> bytes: ...


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

    def __init__(self, blocks: Sequence[Comparable] = ()) -> None:
        self._blocks = _Blocks(blocks)
        self._free = set(range(len(blocks)))

    def take(self, old: Comparable, words: Sequence[str]) -> tuple[int, float] | None:
        """The block that this one became, and how alike they are; None where none is."""
        for one in self._blocks.equal_to(old):
            if one in self._free:
                self._free.remove(one)
                return one, 1.0
        if len(words) < LEAST_WORDS:
            return None
        candidates = [one for one in self._blocks.candidates(words) if one in self._free]
        found = [(self._blocks.likeness(words, one, LIKE_ELSEWHERE), -one) for one in candidates]
        likeness, place = max(found, default=(0.0, 0))
        if not likeness:
            return None
        self._free.remove(-place)
        return -place, likeness


def match_blocks(
    old: Sequence[Comparable],
    new: Sequence[Comparable],
    elsewhere: Elsewhere | Sequence[Comparable] = (),
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
        if found := others.take(old[one], page.old.words(one)):
            page.found[one] = Match(one, Fate.MOVED, *found)
    gone = (Match(one, Fate.GONE, None, 0.0) for one in range(len(old)))
    return [page.found.get(match.old, match) for match in gone]


class _Blocks:
    """Blocks with what is asked of them more than once."""

    def __init__(self, blocks: Sequence[Comparable]) -> None:
        self.all = blocks
        self._words: dict[int, list[str]] = {}
        self._by_digest: defaultdict[bytes, list[int]] = defaultdict(list)
        for place, one in enumerate(blocks):
            self._by_digest[one.digest].append(place)
        self._by_word: dict[str, list[int]] | None = None

    def words(self, place: int) -> list[str]:
        if place not in self._words:
            self._words[place] = folded_words(self.all[place].text)
        return self._words[place]

    def equal_to(self, other: Comparable) -> Sequence[int]:
        return self._by_digest.get(other.digest, ())

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

    def _waiting_new(self) -> list[int]:
        return [one for one in range(len(self.new.all)) if one not in self._taken]

    def _pair(self, old: int, new: int, fate: Fate, likeness: float) -> None:
        self.found[old] = Match(old, fate, new, likeness)
        self._taken.add(new)

    def pair_by_id(self) -> None:
        places = _by_own_id(self.new.all)
        for own_id, old in _by_own_id(self.old.all).items():
            if (new := places.get(own_id)) is None:
                continue
            if self.old.all[old].digest == self.new.all[new].digest:
                self._pair(old, new, Fate.SAME, 1.0)
            else:
                words = self.old.words(old), self.new.words(new)
                self._pair(old, new, Fate.EDITED, Indel.normalized_similarity(*words))

    def pair_equal(self) -> None:
        """Equal words; of several such blocks first those below the same heading, in order."""
        for needs_heading in (True, False):
            for old in self.waiting_old():
                mine = self.old.all[old]
                for new in self.new.equal_to(mine):
                    is_there = self.new.all[new].heading == mine.heading
                    if new not in self._taken and (is_there or not needs_heading):
                        self._pair(old, new, Fate.SAME, 1.0)
                        break

    def pair_alike(self) -> None:
        """The most alike pairs first; of equally alike ones the nearest."""
        pairs = sorted(
            (-likeness, abs(old - new), old, new)
            for old, new in self._pairs()
            if (likeness := self.new.likeness(self.old.words(old), new, LIKE_ON_PAGE))
        )
        for likeness, _, old, new in pairs:
            if old not in self.found and new not in self._taken:
                self._pair(old, new, Fate.EDITED, -likeness)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        waiting = [one for one in self.waiting_old() if len(self.old.words(one)) >= LEAST_WORDS]
        there = self._waiting_new()
        is_large = len(waiting) * len(there) > _MOST_PAIRS
        for old in waiting:
            for new in self.new.candidates(self.old.words(old)) if is_large else there:
                if new not in self._taken:
                    yield old, new

    def look_for_parts(self) -> None:
        """Blocks whose words are in several now, or in one with those of others."""
        for old in range(len(self.old.all)):
            words, match = self.old.words(old), self.found.get(old)
            if match is None:
                self._look_for_whole(old, words)
            elif match.fate is Fate.EDITED and match.new is not None:
                left = len(words) - len(self.new.words(match.new))
                if left >= LEAST_WORDS and self._largest_piece(words) is not None:
                    self.found[old] = Match(old, Fate.SPLIT, match.new, match.likeness)

    def _look_for_whole(self, old: int, words: Sequence[str]) -> None:
        if len(words) < LEAST_WORDS:
            return
        unchanged = {one.new for one in self.found.values() if one.fate is Fate.SAME}
        for new in range(len(self.new.all)):
            mine = self.new.words(new)
            if new not in unchanged and len(words) <= len(mine) and _is_held(words, mine):
                break
        else:
            if (piece := self._largest_piece(words)) is None:
                return
            new = piece
        likeness = Indel.normalized_similarity(words, self.new.words(new))
        self._pair(old, new, Fate.SPLIT, likeness)

    def _largest_piece(self, words: Sequence[str]) -> int | None:
        """The longest block that nothing became yet and that is a piece of these words."""
        pieces = [
            (len(mine), -new)
            for new in self._waiting_new()
            if LEAST_WORDS <= len(mine := self.new.words(new)) < len(words)
            and _is_held(mine, words)
        ]
        return -max(pieces)[1] if pieces else None


def _is_held(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether a stretch of ``whole`` says nearly all of ``part``, which is no longer."""
    return fuzz.partial_ratio(part, whole, score_cutoff=HELD) > 0


def _by_own_id(blocks: Sequence[Comparable]) -> dict[str, int]:
    """The places of blocks by the author's id; one that two have names neither."""
    ids = Counter(one.own_id for one in blocks if one.own_id)
    return {one.own_id: n for n, one in enumerate(blocks) if one.own_id and ids[one.own_id] == 1}
