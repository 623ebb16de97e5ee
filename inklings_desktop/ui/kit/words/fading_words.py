"""How fast things fade in a tier, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memories.decay import half_life_hours
from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.decay import DecayConfig

_HOURS_PER_DAY = 24
_HOURS_PER_YEAR = 8766


def fading_line(tier: Tier, decay: DecayConfig) -> str:
    """What is true of a whole tier at the rates in force, as a sentence."""
    hours = half_life_hours(decay.rate(tier))
    if math.isinf(hours):
        if tier is Tier.CONVERSATION:
            return _tr("Nothing fades here until the conversation closes.")
        return _tr("Nothing fades here.")
    if hours < 2 * _HOURS_PER_DAY:
        return _tr("Half-life here is {hours} hours.").format(hours=f"{hours:.1f}")
    if hours < 2 * _HOURS_PER_YEAR:
        return _tr("Half-life here is {days} days.").format(days=f"{hours / _HOURS_PER_DAY:.1f}")
    return _tr("Half-life here is {years} years.").format(years=f"{hours / _HOURS_PER_YEAR:.1f}")


def _tr(text: str) -> str:
    return QCoreApplication.translate("fading_words", text)
