"""Rates of decay while they are tried, and what they would change, in a person's words; pure."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.memories.decay import DecayPreset, half_life_hours
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.rehearsal import Step
from inklings_desktop.ui.kit.look.memory_marks import figure_of
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from inklings_desktop.domain.background.golden import GoldenAnswer, GoldenComparison
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.rooms.rehearsal import Move, Rehearsal, Standing
    from inklings_desktop.settings_file import Value

LOWEST, HIGHEST, STEP = 0.980, 1.000, 0.0005
N_STEPS = round((HIGHEST - LOWEST) / STEP)
CUSTOM = "custom"
HOURS_A_DAY = 24.0
WEEK_HOURS = 7 * HOURS_A_DAY
FADING_CONVERSATION = DecayPreset.SLOW.value.conversation


@dataclass(frozen=True, slots=True)
class Rates:
    """What holds and what is wanted.

    Attributes:
        saved: The rates that hold.
        wanted: Those that are tried; the same while nothing is.
    """

    saved: DecayConfig
    wanted: DecayConfig

    @property
    def is_changed(self) -> bool:
        """Whether anything would be saved."""
        return self.saved != self.wanted

    def changes(self, tier: Tier) -> bool:
        """Whether another rate is tried for a tier."""
        return self.saved.rate(tier) != self.wanted.rate(tier)

    def moved(self, tier: Tier, rate: float) -> Rates:
        """The same with another rate wanted for a tier."""
        return replace(self, wanted=replace(self.wanted, **{tier.value: rate}))

    def with_preset(self, name: str) -> Rates:
        """The same with the rates of a preset wanted; those there are, for another word."""
        presets = {one.name.lower(): one.value for one in DecayPreset}
        return replace(self, wanted=presets.get(name, self.wanted))

    def now_saved(self, saved: DecayConfig) -> Rates:
        """What is wanted stays wanted where it differed from what held."""
        wanted = {
            tier.value: (self.wanted if self.changes(tier) else saved).rate(tier) for tier in Tier
        }
        return Rates(saved, replace(saved, **wanted))


def preset_of(rates: DecayConfig) -> str:
    """``reference``, ``slow``, or ``custom``."""
    return next((one.name.lower() for one in DecayPreset if one.value == rates), CUSTOM)


def values_of(rates: DecayConfig) -> dict[str, Value]:
    """The rates as the settings file keeps them: a preset by its name, others by their figures."""
    preset = preset_of(rates)
    if preset != CUSTOM:
        return {"decay.preset": preset} | {f"decay.{tier.value}": None for tier in Tier}
    return {f"decay.{tier.value}": rates.rate(tier) for tier in Tier}


def step_of(rate: float) -> int:
    """The step of the slider nearest to a rate."""
    return max(0, min(N_STEPS, round((rate - LOWEST) / STEP)))


def rate_of(step: int) -> float:
    """The rate of a step."""
    step = max(0, min(N_STEPS, step))
    return round(LOWEST + step * STEP, 4)


def half_life_days(rate: float) -> float:
    """Days until half is gone; infinite when nothing fades."""
    return half_life_hours(rate) / HOURS_A_DAY


def left_after(rate: float, hours: float) -> float:
    """The share that is left after some hours."""
    return math.pow(rate, hours)


_DAYS_IN_HOURS = 1.0
_DAYS_WITHOUT_TENTHS = 100.0
_SHARE_WITH_TENTHS = 0.01


def rate_words(rate: float) -> str:
    """A rate as it is printed: three decimals, four where they are needed."""
    text = QLocale().toString(rate, "f", 6).rstrip("0")
    digits = len(text) - 1 - max(text.rfind("."), text.rfind(","))
    return text if digits >= 3 else QLocale().toString(rate, "f", 3)  # noqa: PLR2004 - as printed


def half_life_words(rate: float) -> str:
    """When half is gone."""
    days = half_life_days(rate)
    if math.isinf(days):
        return tr("never")
    if days < _DAYS_IN_HOURS:
        return tr("{n} hours").format(n=QLocale().toString(days * 24, "f", 1))
    return tr("{n} days").format(n=_figure(days))


def half_life_short(rate: float) -> str:
    """The same as a label of a curve."""
    days = half_life_days(rate)
    if days < _DAYS_IN_HOURS:
        return tr("{n} h").format(n=QLocale().toString(days * 24, "f", 1))
    return tr("{n} d").format(n=_figure(days))


def share_words(share: float) -> str:
    """What is left, in per cent."""
    digits = 1 if 0 < share < _SHARE_WITH_TENTHS else 0
    return f"{QLocale().toString(share * 100, 'f', digits)} %"


def _figure(days: float) -> str:
    return QLocale().toString(days, "f", 0 if days >= _DAYS_WITHOUT_TENTHS else 1)


@dataclass(frozen=True, slots=True)
class LineFacts:
    """One line of a rehearsal.

    Attributes:
        icon: Before the badge.
        role: Colour role of both.
        badge: What becomes of it, in a word.
        text: What it is about.
        told: What follows.
    """

    icon: str
    role: str
    badge: str
    text: str
    told: str


def move_line(move: Move) -> LineFacts:
    """A memory that comes or goes."""
    text = " ".join(move.entry.content.split())
    if move.step is Step.ENTERS:
        return LineFacts("arrow-right", "accent", tr("enters"), text, move_words(move))
    return LineFacts("arrow-left", "ochre", tr("leaves"), text, move_words(move))


def golden_lines(found: GoldenComparison) -> list[LineFacts]:
    """Each golden question; those that would fail first."""
    lines = []
    for before, after in zip(found.before, found.after, strict=True):
        question, told = after.question.question, answer_words(before, after)
        if after.is_right:
            lines.append(LineFacts("check-circle", "accent", tr("still right"), question, told))
        else:
            lines.append(LineFacts("warning", "madder", tr("fails"), question, told))
    return sorted(lines, key=lambda one: one.role != "madder")


def move_words(move: Move) -> str:
    """``Workspace, 12th to 10th, relevance 1.46 to 1.95``."""
    parts = [tier_title(move.entry.scope.tier), _places(move.before, move.after)]
    before, after = move.before.relevance, move.after.relevance
    if before is not None and after is not None:
        parts.append(
            tr("relevance {before} to {after}").format(
                before=figure_of(before), after=figure_of(after)
            )
        )
    return ", ".join(parts)


def _places(before: Standing, after: Standing) -> str:
    if before.rank is None:
        return tr("now in place {after}").format(after=after.rank)
    if after.rank is None:
        return tr("from place {before} to far below").format(before=before.rank)
    if before.rank == after.rank:
        return tr("in place {place}").format(place=before.rank)
    return tr("place {before} to {after}").format(before=before.rank, after=after.rank)


def band_words(rehearsal: Rehearsal) -> str:
    """``13 of 43 change band``, of the tiers in which anything does."""
    moved = [one for one in rehearsal.tiers if one.n_rebanded]
    if not moved:
        return tr("No memory changes its band.")
    return counted(
        sum(one.n_rebanded for one in moved),
        "1 of {total} changes its band.",
        "{n} of {total} change band.",
    ).format(total=sum(one.n_active for one in moved))


def golden_words(found: GoldenComparison) -> tuple[str, str, str]:
    """The light: an icon, the role of its colour, and a sentence."""
    broken, total = found.would_break, len(found.after)
    if not total:
        return ("info", "inkSoft", tr("No golden questions yet."))
    if len(broken) == 1:
        sentence = tr("1 golden question would fail: {question}")
        return ("warning", "madder", sentence.format(question=broken[0].question.question))
    if broken:
        sentence = counted(
            len(broken), "1 golden question would fail", "{n} golden questions would fail"
        )
        return ("warning", "madder", sentence)
    n_right = sum(one.is_right for one in found.after)
    sentence = counted(
        n_right, "1 of {total} golden questions passes", "{n} of {total} golden questions pass"
    )
    return ("check-circle", "accent", sentence.format(total=total))


def answer_words(before: GoldenAnswer, after: GoldenAnswer) -> str:
    """How a question fares: ``answered, place 3 to 1``."""
    if before.is_right and not after.is_right:
        return tr("answered now, and would be lost")
    if after.is_right and not before.is_right:
        return tr("not answered now, and would be")
    if not after.is_right:
        return tr("not answered, before and after")
    then, now = _best(after), _best(before)
    if not then:  # it says what must not be found
        return tr("answered as before")
    if then == now:
        return tr("answered as before, in place {place}").format(place=then)
    return tr("answered, place {before} to {after}").format(before=now, after=then)


def _best(answer: GoldenAnswer) -> int:
    return min((answer.ranks.get(one, 0) for one in answer.question.must), default=0)
