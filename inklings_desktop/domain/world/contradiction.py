"""Whether two texts plainly contradict each other, sentence by sentence.

Found is what says nearly the same words with another number, date, name, yes or no. A
contradiction in other words is not found. Nothing is decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from inklings_desktop.domain.likeness.differences import Difference, differences
from inklings_desktop.domain.likeness.grounding import (
    content_words,
    is_negation,
    sentences_of,
    without_ending,
)
from inklings_desktop.domain.words.query_text import bare
from inklings_desktop.domain.words.stemming import stem
from inklings_desktop.domain.world.folding import folded_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

LEAST_WORDS = 4
"""Words of content without which a sentence says too little to be contradicted."""
ALIKE = 0.8
"""Share of the shorter sentence that the other must have in order, to be of the same thing."""

_REPLACED = (Difference.NUMBERS, Difference.DATES)
"""Left out they contradict nothing: only another one in their place does."""
_MOST_SENTENCES, _MOST_WORDS = 40, 200
"""Of a text, and of a sentence; what is beyond is not compared."""
_LONGEST_REPLACED = 2
"""Words at the ends of both that count as one in place of another, not as a frame around it."""


class SentenceWords(NamedTuple):
    """A sentence word by word: as they are compared for numbers and such, and their stems."""

    plain: Sequence[str]
    stems: Sequence[str]

    def part(self, start: int, end: int) -> SentenceWords:
        """The words from one place up to another."""
        return SentenceWords(self.plain[start:end], self.stems[start:end])


class _Gap(NamedTuple):
    """Words of the one in place of words of the other; either may be none."""

    start: int
    end: int
    other_start: int
    other_end: int


def sentences_in(text: str) -> Sequence[SentenceWords]:
    """The sentences of a text word by word, as far as they are compared."""
    found = []
    for sentence in sentences_of(text)[:_MOST_SENTENCES]:
        plain = [
            part
            for word in folded_words(sentence)[:_MOST_WORDS]
            for part in ((word,) if is_negation(word) else without_ending(word))
        ]
        found.append(SentenceWords(plain, [stem(bare(word)) for word in plain]))
    return found


def contradicts(
    one: str,
    other: str,
    names: AbstractSet[str],
    read: Callable[[str], Sequence[SentenceWords]] = sentences_in,
) -> Difference | None:
    """In what two texts contradict each other; None where they don't, as far as words tell.

    Args:
        one: A memory, or a block of a page.
        other: The same. Of either the first forty sentences of up to 200 words count.
        names: The stems of the names that count (``rewording.names_in``); two sentences that
            share none are of different things.
        read: Reads a text as ``sentences_in`` does; whoever asks about many pairs remembers.
    """
    mine, theirs = read(one), read(other)
    said = {tuple(sentence.stems) for sentence in mine}
    said_there = {tuple(sentence.stems) for sentence in theirs}
    for left in mine:
        if tuple(left.stems) in said_there:
            continue
        for right in theirs:
            if tuple(right.stems) not in said and (found := _between(left, right, names)):
                return found
    return None


def _between(
    left: SentenceWords, right: SentenceWords, names: AbstractSet[str]
) -> Difference | None:
    short, long = sorted((left, right), key=lambda one: len(one.stems))
    least = ALIKE * len(short.stems)
    shared = set(short.stems).intersection(long.stems)
    if names.isdisjoint(shared) or LCSseq.similarity(short.stems, long.stems) < least:
        return None
    if any(len(content_words(" ".join(one.plain))) < LEAST_WORDS for one in (short, long)):
        return None
    if len(long.stems) - len(short.stems) > _LONGEST_REPLACED:
        long = _unframed(short.stems, long)
    gaps, n_shared = _gaps(short.stems, long.stems)
    if n_shared < least:
        return None
    told = differences(*_aligned(short, long, gaps))
    if Difference.ORDER in told:
        return Difference.ORDER
    renamed = [gap for gap in gaps if _renames(short, long, gap, names)]
    if any(0 in {gap.start, gap.other_start} for gap in renamed):
        return None  # the same of somebody else
    told = tuple(
        one
        for one in told
        if one not in _REPLACED or any(_replaces(short, long, gap, one) for gap in gaps)
    )
    return told[0] if told else (Difference.NAME if renamed else None)


def _unframed(short: Sequence[str], long: SentenceWords) -> SentenceWords:
    """The part of a sentence that stands in place of a shorter one.

    What is said around it ("In the second draft ...") is no part of what both say.
    """
    window = fuzz.partial_ratio_alignment(short, long.stems)
    assert window is not None  # only below a least score, and there is none
    start, end = window.dest_start, window.dest_end
    blocks = LCSseq.editops(short, long.stems[start:end]).as_matching_blocks()
    first, last = blocks[0], blocks[max(len(blocks) - 2, 0)]  # behind it comes one of no words
    end = start + last.b - last.a + len(short)
    return long.part(max(start + first.b - first.a, 0), end)


def _gaps(left: Sequence[str], right: Sequence[str]) -> tuple[list[_Gap], int]:
    """Where the two differ, and how many words they share in order."""
    blocks = LCSseq.editops(left, right).as_matching_blocks()
    gaps: list[_Gap] = []
    place = other = 0
    for block in blocks:
        if place < block.a or other < block.b:
            gaps.append(_Gap(place, block.a, other, block.b))
        place, other = block.a + block.size, block.b + block.size
    return gaps, sum(block.size for block in blocks)


def _renames(left: SentenceWords, right: SentenceWords, gap: _Gap, names: AbstractSet[str]) -> bool:
    """Whether a name stands there in another's place."""
    mine = names & set(left.stems[gap.start : gap.end])
    theirs = names & set(right.stems[gap.other_start : gap.other_end])
    return bool(mine - theirs and theirs - mine)


def _replaces(left: SentenceWords, right: SentenceWords, gap: _Gap, told: Difference) -> bool:
    """Whether a number or date stands there in another's place."""
    sides = left.plain[gap.start : gap.end], right.plain[gap.other_start : gap.other_end]
    return all(told in differences(" ".join(side), "") for side in sides)


def _aligned(left: SentenceWords, right: SentenceWords, gaps: Sequence[_Gap]) -> tuple[str, str]:
    """What the two say of the same thing, without what only one of them says at its ends."""
    start, end, other_start, other_end = 0, len(left.plain), 0, len(right.plain)
    for gap in gaps:
        size, other_size = gap.end - gap.start, gap.other_end - gap.other_start
        if size == other_size <= _LONGEST_REPLACED:
            continue
        if gap.start == gap.other_start == 0:
            start, other_start = gap.end, gap.other_end
        if (gap.end, gap.other_end) == (len(left.plain), len(right.plain)):
            end, other_end = gap.start, gap.other_start
    return " ".join(left.plain[start:end]), " ".join(right.plain[other_start:other_end])
