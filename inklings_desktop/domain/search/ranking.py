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

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple, overload

from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.domain.likeness.folding import repeats_of_better
from inklings_desktop.domain.likeness.likeness import cosines_to
from inklings_desktop.domain.memories.decay import hours_since, relevance
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.subject_terms import SubjectTerms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.words.query_text import KeywordQuery

    _Blend = tuple[float, float, float, float, float]
    """Words, meaning, subject, word by word, session."""
    _Measured = tuple[str, float, float | None, float]
    """Session; words, meaning and subject, each against the best of its kind, 0 to 1."""
    Nearness = Callable[[Sequence[str]], Mapping[str, float]]
    """How near each of these memories comes word by word; empty where that is not known."""
    _Fading = tuple[float, float, float]
    """Rate, hours, relevance."""

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

DECIMALS = 9
"""Scores nearer to each other than this are equal: sums may differ in their last digits."""


class KeywordHit(NamedTuple):
    """A full-text match: memory id and BM25 score, higher is better."""

    id: str
    bm25: float


class SemanticHit(NamedTuple):
    """A near vector: memory id and cosine in [-1, 1]."""

    id: str
    cosine: float


class Candidate(NamedTuple):
    """A memory in at least one list, before anything is known of it but its places there."""

    id: str
    keyword_rank: int | None
    semantic_rank: int | None
    bm25: float
    fused: float


class Traits(NamedTuple):
    """What ranking weighs of a memory besides the query.

    Attributes:
        scope: Where it belongs.
        tags: What it is about.
        conversation: Where it was written, if that is known.
        importance: 0 to 1.
        touched_at: From when its hours count.
        access_count: Reads by agents.
        pinned: Never fades.
        vector: Of its content, by the model in use; None while it has none.
        said: Key of its content; those that say the same share one.
    """

    scope: ScopeKey
    tags: tuple[str, ...]
    conversation: str | None
    importance: float
    touched_at: datetime
    access_count: int = 0
    pinned: bool = False
    vector: FloatVector | None = None
    said: bytes = b""


def repeating(traits: Mapping[str, Traits]) -> list[str]:
    """Those of these memories that may say the same as another of their scope key."""
    first: dict[tuple[ScopeKey, bytes], str] = {}
    found: dict[str, None] = {}
    for key, one in traits.items():
        other = first.setdefault((one.scope, one.said), key)
        if other != key:
            found[other] = found[key] = None
    return list(found)


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
        return sum(self)


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
        return round(sum(self.blend), DECIMALS) * self.fading.factor


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


def candidates(
    keyword: Sequence[KeywordHit], semantic: Sequence[SemanticHit]
) -> tuple[Candidate, ...]:
    """The memories that reciprocal rank fusion of both lists collects, best first.

    Args:
        keyword: Best match first, of one scope key.
        semantic: Nearest first, of the same scope key; empty without a model.

    Returns:
        Whatever is in a list. Equal scores fall back to the id, so the same lists always give the
        same order.
    """
    keyword_ranks, semantic_ranks = _ranks(keyword), _ranks(semantic)
    found = []
    for memory_id, score in dict(keyword).items():
        by_words, by_meaning = keyword_ranks[memory_id], semantic_ranks.pop(memory_id, None)
        fused = 1.0 / (RRF_K + by_words)
        if by_meaning is not None:
            fused += 1.0 / (RRF_K + by_meaning)
        found.append(Candidate(memory_id, by_words, by_meaning, score, fused))
    for memory_id, by_meaning in semantic_ranks.items():
        found.append(Candidate(memory_id, None, by_meaning, 0.0, 1.0 / (RRF_K + by_meaning)))
    found.sort(key=lambda one: (-one.fused, one.id))
    return tuple(found)


class Meaning(NamedTuple):
    """What a search by meaning goes by.

    Attributes:
        vector: The query's; None leaves meaning out.
        calibration: What the cosines of the vector's model say.
        nearness: Compares word by word; None leaves that out.
    """

    vector: FloatVector | None
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
    vector, calibration, nearness = meaning
    known = {one.id: one for one in found if one.id in traits}
    cosines = cosines_to(vector, {key: traits[key].vector for key in known})
    measured = _measured(known, traits, SubjectTerms(query), cosines)
    rates = {tier: decay.rate(tier) for tier in {traits[key].scope.tier for key in known}}
    fadings: dict[str, _Fading] = {}
    for key in known:
        trait = traits[key]
        rate = 1.0 if trait.pinned else rates[trait.scope.tier]
        hours = hours_since(trait.touched_at, now)
        fadings[key] = (
            rate,
            hours,
            relevance(trait.importance, rate, hours, trait.access_count),
        )

    def in_order(blends: Mapping[str, _Blend]) -> list[str]:
        scores = {
            key: round(sum(blends[key]), DECIMALS) * _factor(fadings[key][2]) for key in known
        }
        return sorted(known, key=lambda key: (-scores[key], key))

    blends = _blends(measured, {}, has_meaning=bool(cosines))
    order = in_order(blends)
    near = nearness(order[:SECOND_LENGTH]) if nearness is not None and cosines else {}
    if near:
        blends = _blends(measured, near, has_meaning=True)
        order = in_order(blends)
    into = _folded(order, traits, texts)
    behind: defaultdict[str, list[str]] = defaultdict(list)
    if into:
        for key in order:
            if key in into:
                behind[into[key]].append(key)
    return Ranking(tuple(order), into, behind, known, traits, cosines, blends, fadings, calibration)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(Sequence["Placing"]):
    """Candidates in final order; how each came there is written out when it is asked for.

    Attributes:
        ids: Of the memories, best score first; equal scores by id.
        folded_into: The better hit that says the same, of those that do not stand for themselves.
        behind: What stands behind a hit, the best first.
        found: The candidates.
        traits: Of each of them.
        cosines: Of those that were compared in meaning.
        blends: What each kind of evidence adds.
        fadings: How relevance comes about.
        calibration: What the cosines say.
    """

    ids: tuple[str, ...] = ()
    folded_into: Mapping[str, str] = field(default_factory=dict)
    behind: Mapping[str, Sequence[str]] = field(default_factory=dict)
    found: Mapping[str, Candidate] = field(default_factory=dict)
    traits: Mapping[str, Traits] = field(default_factory=dict)
    cosines: Mapping[str, float] = field(default_factory=dict)
    blends: Mapping[str, _Blend] = field(default_factory=dict)
    fadings: Mapping[str, _Fading] = field(default_factory=dict)
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
        one, trait = self.found[key], self.traits[key]
        rate, hours, value = self.fadings[key]
        fading = Fading(trait.importance, rate, hours, trait.access_count, value)
        cosine = self.cosines.get(key)
        explanation = Explanation(
            one.keyword_rank,
            one.semantic_rank,
            one.bm25,
            cosine,
            one.fused,
            Blend(*self.blends[key]),
            fading,
            tuple(self.behind.get(key, ())),
            self.calibration.is_about(cosine),
        )
        return Placing(key, explanation, self.folded_into.get(key))


def _ranks(hits: Iterable[tuple[str, float]]) -> dict[str, int]:
    """Places from 1; equal scores share the better place, so their order does not matter."""
    ranks: dict[str, int] = {}
    place, last = 0, None
    for number, (memory_id, score) in enumerate(hits, start=1):
        if score != last:
            place, last = number, score
        ranks[memory_id] = place
    return ranks


def _measured(
    found: Mapping[str, Candidate],
    traits: Mapping[str, Traits],
    subject: SubjectTerms,
    cosines: Mapping[str, float],
) -> dict[str, _Measured]:
    best_bm25 = max((one.bm25 for one in found.values()), default=0.0)
    best_cosine = max(cosines.values(), default=0.0)
    shares: dict[tuple[str, ...], float] = {}
    measured: dict[str, _Measured] = {}
    for key, one in found.items():
        trait = traits[key]
        share = shares.get(trait.tags)
        if share is None:
            share = shares[trait.tags] = subject.share_named(trait.tags)
        words = one.bm25 / best_bm25 if best_bm25 > 0.0 else 0.0
        cosine = cosines.get(key)
        like = None if cosine is None else cosine / best_cosine if cosine > 0.0 else 0.0
        measured[key] = (_session(key, trait), words, like, share)
    return measured


def _blends(
    measured: Mapping[str, _Measured], near: Mapping[str, float], *, has_meaning: bool
) -> dict[str, _Blend]:
    """What each kind of evidence adds, after the first look or, with nearness, the second."""
    of_words, of_meaning, of_subject, of_nearness = (
        (WORDS_SECOND, MEANING_SECOND, SUBJECT_SECOND, WORD_BY_WORD)
        if near
        else (WORDS, MEANING, SUBJECT, 0.0)
        if has_meaning
        else (1.0 - SUBJECT_ALONE, 0.0, SUBJECT_ALONE, 0.0)
    )
    nearest = max(near.values(), default=0.0) - FAR
    parts: list[tuple[str, str, float, float, float, float]] = []
    goods: defaultdict[str, list[float]] = defaultdict(list)
    for key, (session, words, like, share) in measured.items():
        by_words, by_meaning = of_words * words, 0.0
        if like is not None:
            by_meaning = of_meaning * like
        elif has_meaning:
            by_words += of_meaning * words
        named, above = of_subject * share, near.get(key, 0.0) - FAR
        close = of_nearness * above / nearest if above > 0.0 else 0.0
        parts.append((key, session, by_words, by_meaning, named, close))
        goods[session].append(by_words + by_meaning + named + close)
    goodness = {
        session: SESSION * (sum(sorted(each, reverse=True)[:BEST_OF_SESSION]) / BEST_OF_SESSION)
        for session, each in goods.items()
    }
    return {
        key: (OWN * words, OWN * meaning, OWN * named, OWN * close, goodness[session])
        for key, session, words, meaning, named, close in parts
    }


def _session(memory_id: str, traits: Traits) -> str:
    """Whom a memory shares its session with; itself alone when it comes from none."""
    if traits.scope.tier is Tier.CONVERSATION:
        return traits.scope.key
    if traits.conversation is None:
        return f"memory {memory_id}"
    return f"{traits.scope.key} {traits.conversation}"


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
    into: dict[str, str] = {}
    for ids in by_scope.values():
        into |= repeats_of_better(ids, texts)
    return into
