"""How the hits of one search are ordered, and why.

Two short lists, keywords and meaning, are fused by reciprocal rank fusion (Cormack, Clarke and
Büttcher 2009) to collect the candidates; a blend of scores orders them; relevance weighs in
gently, so that it breaks near ties and never buries the right answer; what says the same as a
better hit is folded into it.

The blend: words and meaning weigh the same, each measured against the best of its kind; a little
is added when the question names the memory's subject, and when the conversation that it comes
from holds several good candidates. The best of that order are looked at again where the words of
the question and of memories are known as vectors: how near they come to each other, word by word,
then weighs as well. The weights were measured on public questions over dialogues,
facts and tales, one set of weights for all; ranking knows nothing of where a text comes from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple, Self, overload

from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.domain.likeness.folding import repeats_of_better
from inklings_desktop.domain.memories.decay import MS_PER_HOUR, relevance
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.subject_terms import SubjectTerms

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.words.query_text import KeywordQuery

    Nearness = Callable[[Sequence[str]], Mapping[str, float]]
    """How near each of these memories comes word by word; empty where that is not known."""
    Column = Sequence[float]
    """One figure of every candidate, in the order of the candidates."""

RRF_K = 60
LIST_LENGTH = 60
"""How many of the nearest are candidates: weak neighbours beyond them drown the strong hit."""
WORDS_LENGTH = 100
"""How many of the best matches are: a match far down may be near in meaning, or named."""
RELEVANCE_FLOOR = 0.9

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

_UNIT = 1e9
"""Scores nearer to each other than one in so many are equal: last digits of sums may differ."""


class KeywordHit(NamedTuple):
    """A full-text match: memory id, BM25 score, higher is better, and the memory's sequence."""

    id: str
    bm25: float
    sequence: int = 0


class SemanticHit(NamedTuple):
    """A near vector: memory id, cosine in [-1, 1] and the memory's sequence."""

    id: str
    cosine: float
    sequence: int = 0


class Candidate(NamedTuple):
    """A memory in at least one list, before anything is known of it but its places there."""

    id: str
    keyword_rank: int | None
    semantic_rank: int | None
    bm25: float
    sequence: int = 0

    @property
    def fused(self) -> float:
        """Its reciprocal rank fusion score: ``1/(60+rank)`` summed over both lists."""
        ranks = (self.keyword_rank, self.semantic_rank)
        return sum(1.0 / (RRF_K + rank) for rank in ranks if rank is not None)


class Traits(NamedTuple):
    """What ranking weighs of a memory besides its places in the lists.

    Attributes:
        scope: Where it belongs.
        tags: What it is about.
        conversation: Where it was written, if that is known.
        importance: 0 to 1.
        touched: Milliseconds since 1970 from which its hours count.
        access_count: Reads by agents.
        pinned: Never fades.
        said: Key of its content; those that say the same share one.
        cosine: To the query; None where meaning is not compared, or it has no vector.
    """

    scope: ScopeKey
    tags: tuple[str, ...]
    conversation: str | None
    importance: float
    touched: int
    access_count: int = 0
    pinned: bool = False
    said: bytes = b""
    cosine: float | None = None


def repeating(traits: Mapping[str, Traits]) -> list[str]:
    """Those of these memories that may say the same as another."""
    times = Counter([one.said for one in traits.values()])
    if len(times) == len(traits):
        return []
    return [key for key, one in traits.items() if times[one.said] > 1]


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
        importance: As given, 0 to 1.
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
        return _factor(self.relevance)


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

    @property
    def is_match(self) -> bool:
        """Whether it has to do with the query, rather than being the nearest of what is there."""
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
        return _steady(self.blend.total) * self.fading.factor


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


@dataclass(frozen=True, slots=True)
class RankedHit:
    """One hit in final order.

    Attributes:
        entry: The memory.
        score: What ordered the list: blend times relevance factor.
        explanation: How the score came about.
    """

    entry: MemoryEntry
    score: float
    explanation: Explanation


def candidates(keyword: Sequence[KeywordHit], semantic: Sequence[SemanticHit]) -> list[Candidate]:
    """The memories that are in either list, each once.

    Args:
        keyword: Best match first, of one scope key.
        semantic: Nearest first, of the same scope key; empty without a model.
    """
    by_words = _ranks([hit.bm25 for hit in keyword])
    by_meaning = dict(
        zip([hit.id for hit in semantic], _ranks([hit.cosine for hit in semantic]), strict=True)
    )
    found = [
        Candidate(id_, rank, by_meaning.pop(id_, None), bm25, sequence)
        for (id_, bm25, sequence), rank in zip(keyword, by_words, strict=True)
    ]
    found += [
        Candidate(id_, None, by_meaning[id_], 0.0, sequence)
        for id_, _, sequence in semantic
        if id_ in by_meaning
    ]
    return found


class Meaning(NamedTuple):
    """What a search by meaning goes by.

    Attributes:
        calibration: What the cosines of the query's model say.
        nearness: Compares word by word; None leaves that out.
    """

    calibration: Calibration = UNMEASURED
    nearness: Nearness | None = None


def ranked(
    found: Sequence[Candidate],
    traits: Mapping[str, Traits],
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
        traits: Of each memory; a candidate without them is left out.
        texts: What those say that may say the same as another.
        query: For the subject.
        meaning: Of the query.
        decay: Rates.
        now: When relevance is looked at.

    Returns:
        Every candidate, folded ones included, best score first; equal scores by id.
    """
    known = [one for one in found if one.id in traits]
    if not known:
        return Ranking()
    own = [traits[one.id] for one in known]
    as_of, usual = now.timestamp() * 1000.0, decay.rate(own[0].scope.tier)
    rates = [1.0 if one.pinned else usual for one in own]
    hours = [(as_of - one.touched) / MS_PER_HOUR for one in own]
    importances, counts = [one.importance for one in own], [one.access_count for one in own]
    relevances = list(map(relevance, importances, rates, hours, counts))
    measured = _Measured.of(known, own, SubjectTerms(query), relevances)
    blends = measured.blended({})
    order = measured.in_order(blends)
    near: Mapping[str, float] = {}
    if meaning.nearness is not None and measured.has_meaning:
        near = meaning.nearness(order[:SECOND_LENGTH])
    if near:
        blends = measured.blended(near)
        order = measured.in_order(blends)
    into = _folded(order, traits, texts)
    behind: defaultdict[str, list[str]] = defaultdict(list)
    if into:
        for key in order:
            if key in into:
                behind[into[key]].append(key)
    places = dict(zip(measured.ids, range(len(known)), strict=True))
    fadings = (rates, hours, relevances)
    return Ranking(order, into, behind, places, known, own, blends, fadings, meaning.calibration)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(Sequence["Placing"]):
    """Candidates in final order; how each came there is written out when it is asked for.

    Attributes:
        ids: Of the memories, best score first; equal scores by id.
        folded_into: The better hit that says the same, of those that do not stand for themselves.
        behind: What stands behind a hit, the best first.
        places: Of each memory in what follows.
        found: The candidates.
        traits: Of each of them.
        blends: What each kind of evidence adds: a column of each.
        fadings: Rates, hours and relevance of them, likewise.
        calibration: What the cosines say.
    """

    ids: Sequence[str] = ()
    folded_into: Mapping[str, str] = field(default_factory=dict)
    behind: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    found: Sequence[Candidate] = ()
    traits: Sequence[Traits] = ()
    blends: Sequence[Column] = ()
    fadings: Sequence[Column] = ()
    calibration: Calibration = UNMEASURED

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Placing: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Placing]: ...
    def __getitem__(self, place: int | slice) -> Placing | Sequence[Placing]:
        """The candidate at a place."""
        if isinstance(place, slice):
            return [self.of(one) for one in self.ids[place]]
        return self.of(self.ids[place])

    def of(self, key: str) -> Placing:
        """The place of a candidate, and why."""
        place = self.places[key]
        one, trait = self.found[place], self.traits[place]
        rate, hours, value = [column[place] for column in self.fadings]
        explanation = Explanation(
            one.keyword_rank,
            one.semantic_rank,
            one.bm25,
            trait.cosine,
            one.fused,
            Blend._make([column[place] for column in self.blends]),
            Fading(trait.importance, rate, max(0.0, hours), trait.access_count, value),
            tuple(self.behind.get(key, ())),
            self.calibration.is_about(trait.cosine),
        )
        return Placing(key, explanation, self.folded_into.get(key))


def _ranks(scores: Sequence[float]) -> list[int]:
    """Places from 1; equal scores share the better place, so their order does not matter."""
    places = list(range(1, len(scores) + 1))
    for number in range(1, len(scores)):
        if scores[number] == scores[number - 1]:
            places[number] = places[number - 1]
    return places


class _Measured(NamedTuple):
    """The evidence for each candidate, column by column.

    Columns of numbers rather than an object for each candidate: a search has some 130 of them and
    goes over each column a few times. They are no arrays, which cost more than they save at this
    length, and the first answer by words does without numpy.

    Attributes:
        ids: Of the memories.
        shared: The places of those that share a session, for each session with several.
        words: Against the best of them, 0 to 1, as what follows.
        likes: Likeness of meaning; None without a vector.
        named: Share of the best-named tag.
        factors: What relevance multiplies the blend by.
        has_meaning: Whether any was compared in meaning.
    """

    ids: Sequence[str]
    shared: Sequence[Sequence[int]]
    words: Column
    likes: Sequence[float | None]
    named: Column
    factors: Column
    has_meaning: bool

    @classmethod
    def of(
        cls,
        found: Sequence[Candidate],
        own: Sequence[Traits],
        subject: SubjectTerms,
        relevances: Column,
    ) -> Self:
        """The evidence for these candidates, of which these are the traits."""
        ids = [one.id for one in found]
        scores = [one.bm25 for one in found]
        scopes, tags, conversations, *_, cosines = zip(*own, strict=True)
        best_score = max(scores)
        best_cosine = max((one for one in cosines if one is not None), default=None)
        shares = {one: subject.share_named(one) for one in set(tags)}
        if scopes[0].tier is Tier.CONVERSATION:
            conversations = tuple(scope.key for scope in scopes)
        sessions: defaultdict[str, list[int]] = defaultdict(list)
        for place, session in enumerate(conversations):
            if session is not None:
                sessions[session].append(place)
        return cls(
            ids,
            [places for places in sessions.values() if len(places) > 1],
            [one / best_score for one in scores] if best_score > 0.0 else scores,
            [
                one if not one else one / best_cosine if one > 0.0 and best_cosine else 0.0
                for one in cosines
            ],
            [shares[one] for one in tags],
            list(map(_factor, relevances)),
            best_cosine is not None,
        )

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
        usual, alone, unit = OWN * of_words, OWN * (of_words + of_meaning), OWN * of_meaning
        # Where there is nothing to compare in meaning, words stand for it.
        words = [
            alone * one if like is None else usual * one
            for one, like in zip(self.words, self.likes, strict=True)
        ]
        meant = [unit * like if like else 0.0 for like in self.likes]
        unit = OWN * of_subject
        named = [unit * share for share in self.named]
        close = [0.0] * len(words)
        if near:
            best = max(near.values()) - FAR
            unit = OWN * of_nearness / best if best > 0.0 else 0.0
            close = [unit * max(0.0, near.get(key, 0.0) - FAR) for key in self.ids]
        unit = SESSION / (OWN * BEST_OF_SESSION)
        goods = [a + b + c + d for a, b, c, d in zip(words, meant, named, close, strict=True)]
        goodness = [unit * good for good in goods]
        for places in self.shared:
            best_of = sorted([goods[place] for place in places], reverse=True)[:BEST_OF_SESSION]
            together = unit * sum(best_of)
            for place in places:
                goodness[place] = together
        return words, meant, named, close, goodness

    def in_order(self, blends: Sequence[Column]) -> list[str]:
        """The candidates by their score, the best first; equal ones by id."""
        lows = [
            -_steady(a + b + c + d + e) * factor
            for a, b, c, d, e, factor in zip(*blends, self.factors, strict=True)
        ]
        return [key for _, key in sorted(zip(lows, self.ids, strict=True))]


def _steady(blend: float) -> float:
    """A blend without the noise of its last digits; what ``round`` does at a fifth of the cost."""
    return int(blend * _UNIT + 0.5) / _UNIT


def _factor(value: float) -> float:
    """What the blend is multiplied by: ``0.9 + 0.1 · min(1, relevance)``."""
    return RELEVANCE_FLOOR + (1.0 - RELEVANCE_FLOOR) * min(1.0, value)


def _folded(
    order: Sequence[str], traits: Mapping[str, Traits], texts: Mapping[str, str]
) -> dict[str, str]:
    """Each repeat with the best hit of its scope key that it stands behind."""
    if not texts:
        return {}
    by_scope: defaultdict[str, list[str]] = defaultdict(list)
    for key in order:
        if key in texts:
            by_scope[traits[key].scope.key].append(key)
    keys = {key: traits[key].said for key in texts}
    into: dict[str, str] = {}
    for ids in by_scope.values():
        into |= repeats_of_better(ids, texts, keys)
    return into
