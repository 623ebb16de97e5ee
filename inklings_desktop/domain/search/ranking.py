"""How the hits of one search are ordered, and why.

Two short lists, keywords and meaning, hold the candidates; a blend of scores orders them;
relevance weighs in gently, so that it breaks near ties and never buries the right answer; what
says the same as a better hit is folded into it.

The blend: words and meaning weigh the same, each measured against the best of its kind; a little
is added when the question names the memory's subject, and when the conversation that it comes
from holds several good candidates. The best of that order are looked at again where the words of
the question and of memories are known as vectors: how near they come to each other, word by word,
then weighs as well. The weights were measured on public questions over dialogues,
facts and tales, one set of weights for all; ranking knows nothing of where a text comes from.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Self, overload

from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.domain.likeness.folding import repeats_of_better
from inklings_desktop.domain.memories.decay import MS_PER_HOUR, relevance, relevances
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.explanation import (
    Blend,
    Column,
    Explanation,
    Fading,
    Placing,
    PlainColumn,
    column_like,
    factor_of,
    steady,
)
from inklings_desktop.domain.search.hits import Candidates, Traits, aligned
from inklings_desktop.domain.words.function_words import STOP_WORDS
from inklings_desktop.domain.words.query_text import bare, folded, is_cjk, words_of
from inklings_desktop.domain.words.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.words.query_text import KeywordQuery

    Nearness = Callable[[Sequence[str]], Mapping[str, float]]
    """How near each of these memories comes word by word; empty where that is not known."""


class SubjectTerms:
    """The words of one query, compared with tags as the index compares words."""

    def __init__(self, query: KeywordQuery) -> None:
        self._stems = frozenset(map(_compared, query.words))
        self._runs = tuple(word for word in query.words if any(map(is_cjk, word)))

    def shares_named(self, tags_of: Sequence[tuple[str, ...]]) -> list[float]:
        """Of each memory's tags, the share of the best-named tag's words that the query holds.

        Args:
            tags_of: The tags of each memory.

        Returns:
            0 to 1, in the same order.
        """
        tags = set(chain.from_iterable(tags_of))
        if not self._runs:  # of most tags no word is in the query, which is told at once
            is_other = self._stems.isdisjoint
            tags = {tag for tag in tags if not is_other(_words_of_tag(tag))}
        shares = {tag: share for tag in tags if (share := self._share(_words_of_tag(tag)))}
        if not shares:
            return [0.0] * len(tags_of)
        is_unnamed, of_tag = shares.keys().isdisjoint, shares.get
        return [
            0.0 if is_unnamed(own) else max([of_tag(tag, 0.0) for tag in own]) for own in tags_of
        ]

    def _share(self, words: frozenset[str]) -> float:
        n_named = len(words & self._stems)
        if self._runs:
            n_named += sum(
                any(word in run for run in self._runs)
                for word in words - self._stems
                if any(map(is_cjk, word))
            )
        return n_named / len(words) if n_named else 0.0


@functools.lru_cache(maxsize=4096)
def _words_of_tag(tag: str) -> frozenset[str]:
    """The stems of a tag's words; without its stop words, unless it has no others."""
    words = words_of(folded(tag))
    content = [word for word in words if word not in STOP_WORDS] or words
    return frozenset(map(_compared, content))


def _compared(word: str) -> str:
    return stem(word if word.isascii() else bare(word))


SECOND_LENGTH = 50
"""How many of the best are compared word by word."""
FAR = 0.55
"""As near as the words of most candidates come: only what is nearer counts."""

WORDS, MEANING, SUBJECT = 0.4, 0.4, 0.2
SUBJECT_ALONE = 0.3
"""Of the subject in a search without meaning; words weigh the rest."""
WORDS_SECOND, MEANING_SECOND, SUBJECT_SECOND, WORD_BY_WORD = 0.32, 0.24, 0.16, 0.28
"""Of the second look."""
OWN, SESSION = 0.8, 0.2
BEST_OF_SESSION = 3


class Meaning(NamedTuple):
    """What a search by meaning goes by.

    Attributes:
        calibration: What the cosines of the query's model say.
        nearness: Compares word by word; None leaves that out.
    """

    calibration: Calibration = UNMEASURED
    nearness: Nearness | None = None


def ranked(
    found: Candidates,
    traits: Traits,
    texts: Mapping[str, str],
    query: KeywordQuery,
    meaning: Meaning,
    *,
    decay: DecayConfig,
    now: datetime,
) -> Ranking:
    """The candidates in final order, what says the same folded into the better one.

    Candidates of several scope keys of one tier are measured against the best of them all, so that
    their scores can be compared. They are folded within a scope key only.

    Args:
        found: What ``candidates`` returned, of one scope key or of several.
        traits: Of the memories; a candidate without them is left out.
        texts: What those say that may say the same as another.
        query: For the subject.
        meaning: Of the query.
        now: When relevance is looked at.

    Returns:
        Every candidate, folded ones included, best score first; equal scores by id.
    """
    found, traits = aligned(found, traits)
    if not found.ids:
        return Ranking()
    column = column_like(traits.importances)
    as_of, usual = now.timestamp() * 1000.0, decay.rate(traits.scopes[0].tier)
    rates = column([1.0 if is_pinned else usual for is_pinned in traits.pinned])
    hours = (-column(traits.touched) + as_of) / MS_PER_HOUR
    relevances = relevances_of(traits, rates, hours)
    measured = _Measured.of(found, traits, SubjectTerms(query), relevances, column)
    blends = measured.blended({})
    order = measured.in_order(blends)
    near: Mapping[str, float] = {}
    if meaning.nearness is not None and measured.has_meaning:
        near = meaning.nearness(order[:SECOND_LENGTH])
    if near:
        blends = measured.blended(near)
        order = measured.in_order(blends)
    places = dict(zip(found.ids, range(len(found)), strict=True))
    into = _folded(order, places, traits, texts)
    behind: defaultdict[str, list[str]] = defaultdict(list)
    if into:
        for key in order:
            if key in into:
                behind[into[key]].append(key)
    fadings = (rates, hours, relevances)
    return Ranking(order, into, behind, places, found, traits, blends, fadings, meaning.calibration)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(Sequence["Placing"]):
    """Candidates in final order; how each came there is written out when it is asked for.

    Attributes:
        ids: Of the memories, best score first; equal scores by id.
        folded_into: The better hit that says the same, of those that do not stand for themselves.
        behind: What stands behind a hit, the best first.
        places: Of each memory in what follows.
        found: The candidates.
        traits: Theirs.
        blends: What each kind of evidence adds: a column of each.
        fadings: Rates, hours and relevance of them, likewise.
        calibration: What the cosines say.
    """

    ids: Sequence[str] = ()
    folded_into: Mapping[str, str] = field(default_factory=dict)
    behind: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    found: Candidates = field(default_factory=Candidates)
    traits: Traits = field(default_factory=Traits)
    blends: Sequence[Column] = ()
    fadings: Sequence[Column] = ()
    calibration: Calibration = UNMEASURED

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Placing: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Placing]: ...
    def __getitem__(self, place: int | slice) -> Placing | Sequence[Placing]:
        if isinstance(place, slice):
            return [self.of(one) for one in self.ids[place]]
        return self.of(self.ids[place])

    def of(self, key: str) -> Placing:
        """The place of a candidate, and why."""
        place, found, traits = self.places[key], self.found, self.traits
        rate, hours, value = [float(column[place]) for column in self.fadings]
        cosine = traits.cosines[place]
        explanation = Explanation(
            found.keyword_ranks[place],
            found.semantic_ranks[place],
            found.scores[place],
            cosine,
            found.fused(place),
            Blend._make([float(column[place]) for column in self.blends]),
            Fading(
                float(traits.importances[place]),
                rate,
                max(0.0, hours),
                int(traits.access_counts[place]),
                value,
            ),
            tuple(self.behind.get(key, ())),
            self.calibration.is_about(cosine),
            self.calibration.above(cosine),
        )
        return Placing(key, explanation, self.folded_into.get(key))


class _Measured(NamedTuple):
    """The evidence for each candidate, column by column.

    Columns rather than an object for each candidate: a search has some 130 of them.

    Attributes:
        ids: Of the memories.
        shared: The places of those that share a session, for each session with several.
        words: Against the best of them, 0 to 1, as what follows.
        likes: Likeness of meaning; 0 without a vector.
        named: Share of the best-named tag.
        factors: What relevance multiplies the blend by.
        compared: Which of them were compared in meaning.
        column: Makes further columns.
    """

    ids: Sequence[str]
    shared: Sequence[Sequence[int]]
    words: Column
    likes: Column
    named: Column
    factors: Column
    compared: Sequence[bool]
    column: Callable[[Sequence[float]], Column]

    @classmethod
    def of(
        cls,
        found: Candidates,
        traits: Traits,
        subject: SubjectTerms,
        relevances: Column,
        column: Callable[[Sequence[float]], Column],
    ) -> Self:
        """The evidence for these candidates, of which these are the traits."""
        compared = [one is not None for one in traits.cosines]
        cosines = [one if one and one > 0.0 else 0.0 for one in traits.cosines]
        best_score, best_cosine = max(found.scores), max(cosines)
        words, likes = column(found.scores), column(cosines)
        conversations = traits.conversations
        if traits.scopes[0].tier is Tier.CONVERSATION:
            conversations = [scope.key for scope in traits.scopes]
        sessions: defaultdict[str, list[int]] = defaultdict(list)
        for place, session in enumerate(conversations):
            if session is not None:
                sessions[session].append(place)
        return cls(
            found.ids,
            [places for places in sessions.values() if len(places) > 1],
            words / best_score if best_score > 0.0 else words,
            likes / best_cosine if best_cosine > 0.0 else likes,
            column(subject.shares_named(traits.tags)),
            factor_of(relevances.clip(0.0, 1.0)),
            compared,
            column,
        )

    @property
    def has_meaning(self) -> bool:
        """Whether any was compared in meaning."""
        return True in self.compared

    def blended(self, near: Mapping[str, float]) -> Sequence[Column]:
        """What each kind of evidence adds, after the first look or, with nearness, the second.

        Returns:
            The columns of ``Blend``.
        """
        of_words, of_meaning, of_subject, of_nearness = (
            (WORDS_SECOND, MEANING_SECOND, SUBJECT_SECOND, WORD_BY_WORD)
            if near
            else (WORDS, MEANING, SUBJECT, 0.0)
            if self.has_meaning
            else (1.0 - SUBJECT_ALONE, 0.0, SUBJECT_ALONE, 0.0)
        )
        usual, alone = OWN * of_words, OWN * (of_words + of_meaning)
        # Where there is nothing to compare in meaning, words stand for it.
        weights = [usual if is_compared else alone for is_compared in self.compared]
        words = self.words * self.column(weights)
        meant, named = self.likes * (OWN * of_meaning), self.named * (OWN * of_subject)
        nearness = [0.0] * len(self.ids)
        if near:
            best = max(near.values()) - FAR
            unit = OWN * of_nearness / best if best > 0.0 else 0.0
            nearness = [unit * max(0.0, near.get(key, 0.0) - FAR) for key in self.ids]
        close = self.column(nearness)
        unit = SESSION / (OWN * BEST_OF_SESSION)
        goods = words + meant + named + close
        goodness = goods * unit
        for places in self.shared:
            best_of = sorted([goods[place] for place in places], reverse=True)[:BEST_OF_SESSION]
            together = unit * sum(best_of)
            for place in places:
                goodness[place] = together
        return words, meant, named, close, goodness

    def in_order(self, blends: Sequence[Column]) -> list[str]:
        """The candidates by their score, the best first; equal ones by id."""
        words, meant, named, close, goodness = blends
        scores = steady(words + meant + named + close + goodness) * self.factors
        return [key for _, key in sorted(zip((-scores).tolist(), self.ids, strict=True))]


def relevances_of(traits: Traits, rates: Column, hours: Column) -> Column:
    """The relevance of each memory, hours after it was last touched."""
    columns = traits.importances, rates, hours, traits.access_counts
    if isinstance(rates, PlainColumn):
        return PlainColumn(map(relevance, *columns))
    return relevances(*columns)


def _folded(
    order: Sequence[str], places: Mapping[str, int], traits: Traits, texts: Mapping[str, str]
) -> dict[str, str]:
    """Each repeat with the best hit of its scope key that it stands behind."""
    by_scope: defaultdict[str, list[str]] = defaultdict(list)
    for key in order if texts else ():
        if key in texts:
            by_scope[traits.scopes[places[key]].key].append(key)
    keys = {key: traits.said[places[key]] for ids in by_scope.values() for key in ids}
    into: dict[str, str] = {}
    for ids in by_scope.values():
        into |= repeats_of_better(ids, texts, keys)
    return into
