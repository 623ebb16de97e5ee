"""Why a memory stands where it stands, in a person's words; pure functions."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.memories.decay import (
    DecayConfig,
    age_hours,
    effective_rate,
    relevance,
    relevance_of,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.explanation import RELEVANCE_FLOOR, Blend, Explanation, Fading
from inklings_desktop.domain.search.hits import RRF_K
from inklings_desktop.domain.words.query_text import KeywordQuery, folded, match_spans
from inklings_desktop.ui.kit.look.translation import counted, decimal, quoted, tr
from inklings_desktop.ui.kit.marks.meters import Bar
from inklings_desktop.ui.kit.words.memory_facts import (
    importance_figure,
    relative_age,
    relevance_figure,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.search.search_memories import SearchResult


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One line of the table that says how a memory was found.

    Attributes:
        icon: Of the kind of search.
        name: Which search.
        detail: What it went by, such as the words that matched.
        rank: Its place in that list, or why it has none.
        figure: What the search measured; may be empty.
    """

    icon: str
    name: str
    detail: str
    rank: str
    figure: str


@dataclass(frozen=True, slots=True)
class StrengthFacts:
    """How relevant a memory is now, and what that is made of.

    Attributes:
        figure: Its relevance.
        bars: Importance, decay, reads.
    """

    figure: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """The arithmetic of the engine that put a memory in its place.

    Attributes:
        bars: The named factors of the blend, as the engine returned them.
        formula: How they become the score.
        spoken: The same for a screen reader.
        note: What the formula leaves unsaid.
    """

    bars: tuple[Bar, ...]
    formula: str
    spoken: str
    note: str


@dataclass(frozen=True, slots=True)
class HitFacts:
    """Why one hit of a search stands where it stands.

    Attributes:
        title: Names the search.
        place: ``2nd of 6``.
        why: How it was found and what put it there.
    """

    title: str
    place: str
    why: WhyFacts


@dataclass(frozen=True, slots=True)
class WhyFacts:
    """Everything about one place in one list.

    Attributes:
        sentence: Why, in one sentence; the rest is for those who ask.
        found: Which searches found it; empty when it was not found by any.
        fused: Fused rank score; empty likewise.
        found_note: What the table leaves unsaid, or why there is none.
        strength: How relevant the memory is now.
        order: The arithmetic of its place; None when no score put it there.
        folded: Ids of the memories behind it that say the same, best first.
    """

    sentence: str
    found: tuple[FoundRow, ...]
    fused: str
    found_note: str
    strength: StrengthFacts
    order: OrderFacts | None
    folded: tuple[str, ...] = ()


SHOWN_WORDS = 3
SHOWN_QUERY = 32
LOOKED_AT_CHARACTERS = 4_000

_TIMES = "\u00d7"
_STRONG_READS = 5.0
_SAME = 0.0005


def why_found(
    explanation: Explanation, entry: MemoryEntry, query: KeywordQuery, *, next_score: float | None
) -> WhyFacts:
    """Why a search put a memory where it stands.

    Args:
        explanation: As the engine returned it.
        entry: The memory.
        query: What was looked for, to name the words that matched.
        next_score: Score of the hit below; None for the last one.
    """
    return WhyFacts(
        sentence=_sentence(explanation, entry, query),
        found=(_by_words(explanation, entry, query), _by_meaning(explanation)),
        fused=score_figure(explanation.fused, 4),
        found_note=tr("Each list gives 1 \u00f7 ({k} + rank).").format(k=RRF_K),
        strength=strength_facts(explanation.fading),
        order=_order(explanation, next_score),
        folded=explanation.folded,
    )


def hit_facts(result: SearchResult, memory_id: str, text: str) -> HitFacts | None:
    """Why a search found a memory; None when it is not among the hits.

    Args:
        result: The hits, best first.
        memory_id: Of the memory.
        text: What was typed.
    """
    for place, hit in enumerate(result.hits):
        if hit.entry.id == memory_id:
            below = result.hits[place + 1 : place + 2]
            why = why_found(
                hit.explanation,
                hit.entry,
                result.query,
                next_score=below[0].score if below else None,
            )
            place_of = tr("{place} of {n}").format(
                place=ordinal(place + 1), n=QLocale().toString(len(result.hits))
            )
            title = tr("Why \u201c{text}\u201d found this").format(text=_shortened(text.strip()))
            return HitFacts(title, place_of, why)
    return None


def fading_of_entry(entry: MemoryEntry, decay: DecayConfig, now: datetime) -> Fading:
    """What relevance is made of for a memory that no search returned."""
    return Fading(
        entry.importance,
        effective_rate(entry, decay),
        age_hours(entry, now),
        entry.access_count,
        relevance_of(entry, decay, now),
    )


def strength_facts(fading: Fading) -> StrengthFacts:
    """How relevant a memory is, and what that is made of."""
    decay = relevance(1.0, fading.rate, fading.hours, 0)
    boost = relevance(1.0, 1.0, 0.0, fading.reads)
    faded = (
        tr("Never fades")
        if fading.rate >= 1.0
        else tr("Decay, {stretch}").format(stretch=relative_age(timedelta(hours=fading.hours)))
    )
    return StrengthFacts(
        relevance_figure(fading.relevance),
        (
            Bar(
                tr("Importance"),
                importance_figure(fading.importance),
                fading.importance,
                "accent",
            ),
            Bar(faded, f"{_TIMES} {decimal(decay, 3)}", decay, "accent"),
            Bar(
                _reads(fading.reads),
                f"{_TIMES} {decimal(boost, 2)}",
                min(1.0, boost / _STRONG_READS),
                "lapis",
            ),
        ),
    )


def matched_words(content: str, query: KeywordQuery) -> tuple[str, ...]:
    """The words of a text that a query matched, each once, in the order in which they stand."""
    text = content[:LOOKED_AT_CHARACTERS]
    words: dict[str, str] = {}
    for start, length in match_spans(text, query):
        word = text[start : start + length]
        words.setdefault(folded(word), word)
    return tuple(words.values())


def ordinal(number: int) -> str:
    """A place in a list: ``1st``, ``2nd``, ``12th``."""
    teens = range(11, 14)
    ends = {1: tr("{n}st"), 2: tr("{n}nd"), 3: tr("{n}rd")}
    form = tr("{n}th") if number % 100 in teens else ends.get(number % 10, tr("{n}th"))
    return form.format(n=QLocale().toString(number))


def score_figure(score: float, decimals: int = 3) -> str:
    """A score with its decimals, the same in every language."""
    return decimal(score, decimals)


def _sentence(explanation: Explanation, entry: MemoryEntry, query: KeywordQuery) -> str:
    """Why a search found it, for who reads no figures."""
    by_meaning = explanation.semantic_rank is not None
    if explanation.keyword_rank is None:
        return tr("Found by meaning.") if by_meaning else tr("Found because it is close.")
    words = matched_words(entry.content, query)
    by = counted(len(words), "the word {words}", "the words {words}") if words else tr("a tag")
    by = by.replace("{words}", _shown_words(words))
    told = tr("Found by {words} and by meaning.") if by_meaning else tr("Found by {words}.")
    return told.replace("{words}", by)  # not to be filled in twice


def _shown_words(words: Sequence[str]) -> str:
    shown = ", ".join(quoted(word) for word in words[:SHOWN_WORDS])
    beyond = len(words) - SHOWN_WORDS
    if beyond <= 0:
        return shown
    return counted(beyond, "{words} and 1 more", "{words} and {n} more").replace("{words}", shown)


def _by_words(explanation: Explanation, entry: MemoryEntry, query: KeywordQuery) -> FoundRow:
    name = tr("Words")
    if explanation.keyword_rank is None:
        return FoundRow("text-t", name, "", tr("no word matches"), "")
    shown = _shown_words(matched_words(entry.content, query)) or tr("in a tag")
    figure = f"BM25 {decimal(explanation.bm25, 2)}"
    return FoundRow("text-t", name, shown, ordinal(explanation.keyword_rank), figure)


def _by_meaning(explanation: Explanation) -> FoundRow:
    name = tr("Meaning")
    if explanation.cosine is None:
        return FoundRow("intersect", name, "", tr("not compared"), "")
    alike = tr("{figure} alike").format(figure=decimal(explanation.cosine, 2))
    if explanation.semantic_rank is None:
        return FoundRow("intersect", name, "", tr("not near"), alike)
    return FoundRow("intersect", name, "", ordinal(explanation.semantic_rank), alike)


def _order(explanation: Explanation, next_score: float | None) -> OrderFacts:
    blend, factor = explanation.blend, explanation.fading.factor
    total, score = score_figure(blend.total), score_figure(explanation.score)
    formula = f"{total} {_TIMES} {decimal(factor, 3)} = {score}"
    spoken = tr("{blend} times relevance factor {factor} is {score}").format(
        blend=total, factor=decimal(factor, 3), score=score
    )
    if next_score is not None:
        following = tr("next: {score}").format(score=score_figure(next_score))
        formula, spoken = f"{formula}   {following}", f"{spoken}; {following}"
    weight = f"{decimal(RELEVANCE_FLOOR, 1)} + {decimal(1 - RELEVANCE_FLOOR, 1)}"
    note = tr(
        "The second factor is {weight} {times} relevance, at most 1: it settles near ties."
    ).format(weight=weight, times=_TIMES)
    return OrderFacts(_blend_bars(blend), formula, spoken, note)


def _blend_bars(blend: Blend) -> tuple[Bar, ...]:
    names = {
        "words": tr("Words"),
        "meaning": tr("Meaning"),
        "subject": tr("Names its subject"),
        "word_by_word": tr("Word by word"),
        "session": tr("Its conversation"),
    }
    return tuple(
        Bar(
            names.get(name, name),
            score_figure(value),
            value,
            "accent" if value >= _SAME else "line",
        )
        for name, value in zip(blend._fields, blend, strict=True)
    )


def _shortened(text: str) -> str:
    """What was typed, as far as it fits into a title."""
    return text if len(text) <= SHOWN_QUERY else f"{text[: SHOWN_QUERY - 1].rstrip()}\u2026"


def _reads(n_reads: int) -> str:
    if n_reads == 0:
        return tr("Never read")
    return counted(n_reads, "Read once", "Read {n} times")
