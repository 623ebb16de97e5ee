"""Rates of decay while they are tried: saved, wanted, and what both mean; pure functions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.decay import DecayPreset, half_life_hours
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.settings import MIN_RATE

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.decay import DecayConfig
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
    return round(LOWEST + step * STEP, 4)


def rate_from(text: str) -> float | None:
    """The rate that a person typed, with point or comma; nothing outside 0 to 1."""
    try:
        rate = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return rate if math.isfinite(rate) and MIN_RATE <= rate <= 1.0 else None


def half_life_days(rate: float) -> float:
    """Days until half is gone; infinite when nothing fades."""
    return half_life_hours(rate) / HOURS_A_DAY


def left_after(rate: float, hours: float) -> float:
    """The share that is left after some hours."""
    return math.pow(rate, hours)
