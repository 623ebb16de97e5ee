"""Why a hit stands where it stands, from its figures, and when a text is a match at all."""

from __future__ import annotations

import operator
import re
from enum import StrEnum
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from inklings_desktop.domain.likeness.sameness import languages_of
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.function_words import (
    ENGLISH,
    EVERY_LANGUAGE,
    GRAMMAR_WITHOUT_BLANKS,
)
from inklings_desktop.domain.words.query_text import (
    KeywordQuery,
    folded,
    forms_of,
    holds_any,
    is_cjk,
    keyword_query,
    match_spans,
    n_said,
    openings_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inklings_desktop.domain.memory import MemoryEntry

Column: TypeAlias = Any
"""Figures of candidates: an array of one dimension, or a list; a ``PlainColumn`` to reckon with."""


class PlainColumn(list[Any]):
    """A list of figures with as much of an array's arithmetic as ranking needs."""

    __slots__ = ()

    def __add__(self, other: Any) -> PlainColumn:
        """Row by row, as all that follows; the other is a column or one figure for every row."""
        return self._with(operator.add, other)

    def __mul__(self, other: Any) -> PlainColumn:
        return self._with(operator.mul, other)

    def __truediv__(self, other: Any) -> PlainColumn:
        return self._with(operator.truediv, other)

    def __floordiv__(self, other: Any) -> PlainColumn:
        return self._with(operator.floordiv, other)

    def __neg__(self) -> PlainColumn:
        return PlainColumn(map(operator.neg, self))

    def clip(self, least: float, most: float) -> PlainColumn:
        """Nothing below the least, nothing above the most."""
        return PlainColumn([min(max(one, least), most) for one in self])

    def tolist(self) -> list[Any]:
        """As a list, which it is."""
        return self

    def _with(self, reckon: Callable[[Any, Any], Any], other: Any) -> PlainColumn:
        return PlainColumn(map(reckon, self, other if isinstance(other, list) else repeat(other)))


def column_like(figures: Sequence[float]) -> Callable[[Sequence[float]], Column]:
    """What makes columns of the kind that goes with these figures."""
    if isinstance(figures, list | tuple):
        return PlainColumn
    import numpy as np

    return np.asarray


def together(columns: Sequence[Column]) -> Column:
    """Some columns, lists or arrays, one after the other."""
    if any(isinstance(one, list | tuple) for one in columns):
        return list(chain.from_iterable(columns))
    import numpy as np

    return np.concatenate(columns)


_SHORT_NUMBER = 3
_GRAMMAR = re.compile(f"[{GRAMMAR_WITHOUT_BLANKS}]+")


def matching(message: str, texts: Iterable[str]) -> list[bool]:
    """Whether each text matches a message; one that says nothing matches none."""
    query = _telling(message)
    openings = openings_of(query)
    return [
        not query.is_empty and holds_any(text, openings) and bool(match_spans(text, query))
        for text in texts
    ]


class Asked:
    """What a message asks about, to tell how much of it a text says."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._forms: tuple[frozenset[str], ...] | None = None

    def said(self, text: str) -> tuple[int, int]:
        """How many of the telling words stand in a text, and how many there are."""
        if self._forms is None:
            self._forms = tuple(map(forms_of, _telling(self._message).words))
        return n_said(text, self._forms), len(self._forms)


def _telling(message: str) -> KeywordQuery:
    """The words of a message that say what it is about."""
    tidy = folded(message)
    # "War" and "die" are grammar in German, and no reason to miss an English war.
    is_english = "en" in languages_of(words_of(tidy))
    grammar = ENGLISH if is_english else EVERY_LANGUAGE
    # Folded, katakana would read like grammar.
    words = keyword_query(_GRAMMAR.sub(" ", message)).words
    parts = (part for word in words for part in word.replace("\u2019", "'").split("'"))
    return KeywordQuery(tuple(dict.fromkeys(one for one in parts if _tells(one, grammar))))


def _tells(word: str, grammar: frozenset[str]) -> bool:
    if word.isdecimal():
        return len(word) > _SHORT_NUMBER
    is_letter = len(word) == 1 and word.isalpha() and not is_cjk(word)
    return bool(word) and not is_letter and word not in grammar


Figures = TypeVar("Figures", float, PlainColumn)

RELEVANCE_FLOOR = 0.9
SURE, OF_WORDS, MOST = 0.2, 0.4, 0.6
"""Where a likeness alone makes a match, what all the words of the query add to it, and the share of
them that is enough. Measured on public questions: of the right answers among the first ten 91 in
100 are matches, of the questions 99 in 100 have one; of the hits on questions without an answer
1 in 100, where any shared word and any likeness made it 34."""
_UNIT = 1e9
"""Scores nearer to each other than one in so many are equal: last digits of sums may differ."""


def steady(blend: Figures) -> Figures:
    """A blend without the noise of its last digits; of one hit, or a column of them."""
    return (blend * _UNIT + 0.5) // 1.0 / _UNIT


def factor_of(value: Figures) -> Figures:
    """What the blend is multiplied by: ``0.9 + 0.1 · relevance``, for relevance up to 1."""
    return value * (1.0 - RELEVANCE_FLOOR) + RELEVANCE_FLOOR


class Blend(NamedTuple):
    """What each kind of evidence adds to the blend; they sum to it, 0 to 1.

    Attributes:
        words: Matched words. In a search without meaning, or for a memory without a vector, they
            stand for meaning too.
        meaning: Likeness to the query; 0 where it was not compared.
        subject: The query names a tag.
        word_by_word: Its words are near to those of the query; 0 where they were not compared. A
            memory whose words are not known yet counts as the middle of the others.
        session: The conversation that it comes from holds several good candidates.
    """

    words: float
    meaning: float
    subject: float
    word_by_word: float
    session: float

    @property
    def total(self) -> float:
        """All of them together, 0 to 1."""
        # In a fixed order: how ``sum`` adds differs between versions of Python.
        return self.words + self.meaning + self.subject + self.word_by_word + self.session


class Fading(NamedTuple):
    """How the relevance of a memory comes about at an instant.

    Attributes:
        rate: Share left after one hour; 1 means that it does not fade.
        hours: Since the memory was last touched.
        reads: By agents; they raise relevance.
        relevance: What they make together.
    """

    importance: float
    rate: float
    hours: float
    reads: int
    relevance: float

    @property
    def factor(self) -> float:
        """What the blend is multiplied by: ``0.9 + 0.1 · min(1, relevance)``."""
        return factor_of(min(1.0, self.relevance))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit stands where it stands.

    Attributes:
        keyword_rank: Place in the keyword list from 1, equal scores sharing the better one; None
            if it was not in it.
        semantic_rank: Place in the meaning list likewise; None if it was not in it.
        bm25: Keyword score, 0 without a match.
        cosine: Likeness of meaning; None without vectors.
        fused: Reciprocal rank fusion score, ``1/(60+rank)`` summed over both lists.
        blend: The parts of what orders the list, before relevance.
        fading: The parts of relevance.
        folded: Ids of the memories that say the same and stand behind this hit, the best first.
        is_like: Whether the model takes this likeness for one.
        above: How far it lies above what the model takes for a likeness, as ``Calibration`` says.
    """

    keyword_rank: int | None
    semantic_rank: int | None
    bm25: float
    cosine: float | None
    fused: float
    blend: Blend
    fading: Fading
    folded: tuple[str, ...] = ()
    is_like: bool = False
    above: float | None = None

    @property
    def is_found(self) -> bool:
        """Whether a person is shown it: it shares a word with the query, or is like it."""
        return self.keyword_rank is not None or self.is_like

    @property
    def relevance(self) -> float:
        """Importance after decay and reads."""
        return self.fading.relevance

    @property
    def score(self) -> float:
        """Blend times relevance factor, 0 to 1."""
        # Rounded before it fades: what differs by the noise of floats alone stays equal at every
        # instant, and what differs by age alone keeps its order as time goes on.
        return steady(self.blend.total) * self.fading.factor


@dataclass(frozen=True, slots=True)
class Placing:
    """A candidate's place in the final order.

    Attributes:
        id: The memory.
        explanation: How its score came about.
        folded_into: The better hit that says the same; None when it stands for itself.
    """

    id: str
    explanation: Explanation
    folded_into: str | None = None


class NextStep(StrEnum):
    """What may help where nothing matched; the doors say it."""

    OTHER_WORDS = "other_words"
    WIDER_PLACE = "wider_place"
    FEWER_FILTERS = "fewer_filters"


@dataclass(frozen=True, slots=True)
class RankedHit:
    """One hit in final order.

    Attributes:
        score: What ordered the list: blend times relevance factor.
        explanation: How the score came about.
        asked: What was looked for.
    """

    entry: MemoryEntry
    score: float
    explanation: Explanation
    asked: Asked

    @property
    def is_match(self) -> bool:
        """Whether it answers the query, rather than being the nearest of what is there."""
        return is_match(self.explanation, self.asked, self.entry)


def is_match(why: Explanation, asked: Asked, entry: MemoryEntry) -> bool:
    """Whether a hit answers what was asked.

    The one rule for every door: only a match counts as read. A chance word is no match where the
    meaning is another: the less alike a memory is, the more of what was asked it has to say, and
    one word of several counts nothing. Where meaning was not compared, words decide.
    """
    if why.above is None:
        return why.keyword_rank is not None
    if why.above >= SURE or why.keyword_rank is None:
        return why.above >= SURE
    n_said, n_asked = asked.said("\n".join((entry.content, *entry.tags)))
    if n_said == 0 or (n_said == 1 and n_asked > 2):  # noqa: PLR2004 - one of several
        return False
    share = n_said / n_asked
    return share > MOST or why.above + OF_WORDS * share >= SURE
