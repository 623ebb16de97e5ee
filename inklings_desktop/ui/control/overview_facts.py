"""Figures of whole tiers as a person reads them; pure functions.

The words are translatable, the figures are the same in every language.
"""

from __future__ import annotations

import math
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import RelevanceBand
from inklings_desktop.domain.memories.overview import GROWTH_DAYS
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, decimal, grouped, lowered, tr
from inklings_desktop.ui.kit.marks.meters import Bar
from inklings_desktop.ui.kit.words.consolidation_words import since_words
from inklings_desktop.ui.kit.words.memory_facts import ATTENTION_MARKS, band_label, tier_title
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.background.golden import GoldenRecord
    from inklings_desktop.domain.memories.overview import Attention, TierOverview
    from inklings_desktop.usecases.search.overview import LikelyDuplicate

_BEGINS = 40
_HOURS_PER_DAY, _HOURS_PER_YEAR = 24.0, 24 * 365.25

# The stroke of a band is one colour at another strength, here as in every list.
_BAND_MARKS = {
    RelevanceBand.VIVID: ("accent", 1.0),
    RelevanceBand.STEADY: ("accent", 0.55),
    RelevanceBand.FADING: ("ochre", 0.8),
    RelevanceBand.NEARLY_GONE: ("graphite", 0.55),
}


@dataclass(frozen=True, slots=True)
class TierFacts:
    """One tier card.

    Attributes:
        tier: Which.
        name: As on its tab.
        figure: Active memories.
        figure_tip: What the figure counts where that is not plain; else empty.
        news: How many are new.
        growth: Counts of the last days, for the line.
        growth_told: The line in words.
        bands: Bars of relevance.
        embedded: How many have an embedding.
        embedded_share: The same as a part, 0 up to 1.
        rate: How fast things fade here.
        summary: Everything on the card in one sentence, for screen readers.
    """

    tier: Tier
    name: str
    figure: str
    figure_tip: str
    news: str
    growth: tuple[int, ...]
    growth_told: str
    bands: tuple[Bar, ...]
    embedded: str
    embedded_share: float
    rate: str
    summary: str


class LookKind(StrEnum):
    """Lists of things worth a look that are no filter of the Memory page."""

    LIKELY_DUPLICATES = "likely_duplicates"
    BROKEN_QUESTIONS = "broken_questions"


@dataclass(frozen=True, slots=True)
class LookFacts:
    """One row of things worth a look.

    Attributes:
        kind: Which list it opens.
        icon: Its mark.
        role: Colour of the mark.
        sentence: How many of what.
        note: What that means.
        tiers: Where they are: the tier, what its list is called, how many it shows.
        is_one_list: Whether one list shows all of them, whatever their tier.
    """

    kind: AttentionKind | LookKind
    icon: str
    role: str
    sentence: str
    note: str
    tiers: tuple[tuple[Tier, str, str], ...]
    is_one_list: bool = False

    @property
    def told(self) -> str:
        """Note and places, for screen readers."""
        places = (f"{name} {count}" for _, name, count in self.tiers)
        return ", ".join((self.note, *places))


def tier_facts(one: TierOverview) -> TierFacts:
    """A tier as its card shows it."""
    bands = tuple(
        Bar(
            band_label(band),
            grouped(count),
            count / one.n_active if one.n_active else 0.0,
            *_BAND_MARKS[band],
        )
        for band, count in one.bands.items()
    )
    figure_tip, news, embedded = _archived(one), _news(one.n_new), _embedded(one)
    rate = rate_sentence(one.tier, one.half_life_hours)
    spoken = (
        counted(one.n_active, "1 memory", "{n} memories"),
        figure_tip,
        news,
        ", ".join(f"{lowered(bar.name, is_noun=False)} {bar.figure}" for bar in bands),
        tr("embedded: {coverage}").format(coverage=embedded),
        rate,
    )
    return TierFacts(
        tier=one.tier,
        name=tier_title(one.tier),
        figure=grouped(one.n_active),
        figure_tip=figure_tip,
        news=news,
        growth=one.growth,
        growth_told=tr("{before} {days} days ago, {now} now").format(
            before=grouped(one.growth[0]), days=GROWTH_DAYS, now=grouped(one.growth[-1])
        ),
        bands=bands,
        embedded=embedded,
        embedded_share=_share(one),
        rate=rate,
        summary="; ".join(part for part in spoken if part),
    )


def rate_sentence(tier: Tier, half_life_hours: float) -> str:
    """How fast things fade in a tier: ``Half gone in 2.9 days, unless it is read``."""
    if math.isinf(half_life_hours):
        if tier is Tier.CONVERSATION:
            return tr("Cleared or summed up when it closes")
        return tr("Nothing fades here")
    if half_life_hours < 2 * _HOURS_PER_DAY:
        time = tr("{n} hours").format(n=decimal(half_life_hours, 1))
    elif half_life_hours < 2 * _HOURS_PER_YEAR:
        time = tr("{n} days").format(n=decimal(half_life_hours / _HOURS_PER_DAY, 1))
    else:
        time = tr("{n} years").format(n=decimal(half_life_hours / _HOURS_PER_YEAR, 1))
    return tr("Half gone in {time}, unless it is read").format(time=time)


def look_facts(one: Attention) -> LookFacts:
    """A list of things worth a look as its row shows it."""
    icon, role = ATTENTION_MARKS[one.kind]
    sentence, note = _look_words(one)
    return LookFacts(
        one.kind,
        icon,
        role,
        sentence,
        note,
        tuple((tier, list_name(tier), grouped(count)) for tier, count in one.by_tier.items()),
    )


def duplicate_facts(found: Sequence[LikelyDuplicate]) -> LookFacts | None:
    """Pairs that may say the same as their row shows them; None without any.

    Args:
        found: The pairs that wait, of every tier.
    """
    if not found:
        return None
    by_tier = Counter(one.first.scope.tier for one in found)
    most = max(found, key=lambda one: one.cosine)
    begins = excerpt(most.first.content)
    shown = begins if len(begins) <= _BEGINS else f"{begins[:_BEGINS].rstrip()}\u2026"
    return LookFacts(
        LookKind.LIKELY_DUPLICATES,
        "copy",
        "lapis",
        counted(len(found), "1 pair reads alike", "{n} pairs read alike"),
        tr("{text}: {cosine} alike").format(text=shown, cosine=decimal(most.cosine, 2)),
        tuple((tier, list_name(tier), grouped(by_tier[tier])) for tier in Tier if by_tier[tier]),
    )


def broken_facts(records: Iterable[GoldenRecord]) -> LookFacts | None:
    """Golden questions that are not answered as they must be, as their row shows them.

    Args:
        records: How the questions of every tier fared last.

    Returns:
        None where all are answered.
    """
    broken = sorted(
        (one for one in records if not one.is_right), key=lambda one: one.since, reverse=True
    )
    if not broken:
        return None
    by_tier = Counter(one.answer.question.scope.tier for one in broken)
    asked = excerpt(broken[0].answer.question.question)
    shown = asked if len(asked) <= _BEGINS else f"{asked[:_BEGINS].rstrip()}\u2026"
    return LookFacts(
        LookKind.BROKEN_QUESTIONS,
        "warning",
        "ochre",
        counted(
            len(broken),
            "1 golden question is not answered",
            "{n} golden questions are not answered",
        ),
        tr("{question} {since}").format(question=shown, since=since_words(broken[0])),
        tuple((tier, list_name(tier), grouped(by_tier[tier])) for tier in Tier if by_tier[tier]),
        is_one_list=True,
    )


def list_name(tier: Tier) -> str:
    """What the list over all rooms of a tier is called."""
    if tier is Tier.CONVERSATION:
        return tr("All conversations")
    return tr("All channels") if tier is Tier.CHANNEL else tier_title(tier)


def _look_words(one: Attention) -> tuple[str, str]:
    n = one.total
    match one.kind:
        case AttentionKind.UNREADABLE:
            return (
                counted(n, "1 cannot be read", "{n} cannot be read"),
                tr("damaged text, hidden from agents until you rewrite it"),
            )
        case AttentionKind.BELOW_THRESHOLD:
            return (
                counted(n, "1 faded almost to nothing", "{n} faded almost to nothing"),
                tr("short-term, and not read for long"),
            )
        case AttentionKind.WAITING_FOR_EMBEDDING if not one.has_model:
            return (
                counted(n, "1 found by words only", "{n} found by words only"),
                tr("no search model is installed; found by words only"),
            )
        case AttentionKind.WAITING_FOR_EMBEDDING:
            return (
                counted(n, "1 being prepared for search", "{n} being prepared for search"),
                tr("found by words only until then"),
            )
        case AttentionKind.NEVER_READ:
            return (
                counted(n, "1 never read", "{n} never read"),
                tr("no agent has asked for them yet"),
            )
        case AttentionKind.READY_TO_PROMOTE:
            return (
                counted(n, "1 ready to become long-term", "{n} ready to become long-term"),
                tr("short-term, still vivid and read often"),
            )


def _news(n_new: int) -> str:
    if n_new == 0:
        return tr("none new in {days} days").format(days=GROWTH_DAYS)
    return tr("+{n} in {days} days").format(n=grouped(n_new), days=GROWTH_DAYS)


def _archived(one: TierOverview) -> str:
    if not one.n_archived:
        return ""
    return counted(
        one.n_archived,
        "1 in an archived room, left out of lists of all rooms",
        "{n} in archived rooms, left out of lists of all rooms",
    )


def _embedded(one: TierOverview) -> str:
    if not one.has_model:
        return tr("no model installed")
    return tr("{n} of {m}").format(n=grouped(one.n_embedded), m=grouped(one.n_retrievable))


def _share(one: TierOverview) -> float:
    if not (one.has_model and one.n_retrievable):
        return 0.0
    return one.n_embedded / one.n_retrievable
