"""How much of what a turn may hold, in tokens of four characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.orientation import SHARES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CHARACTERS_PER_TOKEN = 4
STANDING_TOKENS = 2_000
"""The standing slice is whole whatever it takes; the memories have what is theirs besides."""
CANDIDATE_TOKENS = 2_000
ORIENTATION_TOKENS = STANDING_TOKENS + CANDIDATE_TOKENS

One = TypeVar("One")


def fitting(
    by_tier: Mapping[str, Sequence[One]],
    length: Callable[[One], int],
    tokens: int = CANDIDATE_TOKENS,
) -> dict[str, tuple[One, ...]]:
    """Of each tier the first ones that fit in its share; what one tier leaves passes on.

    Args:
        by_tier: What each tier offers, best first.
        length: Characters of one.
        tokens: For all of them.
    """
    kept: dict[str, tuple[One, ...]] = {}
    unused = 0.0
    for tier in Tier:
        room = SHARES[tier] * tokens * CHARACTERS_PER_TOKEN + unused
        fit: list[One] = []
        for one in by_tier.get(tier.value, ()):
            if length(one) > room:
                break
            room -= length(one)
            fit.append(one)
        unused = room
        kept[tier.value] = tuple(fit)
    return kept
