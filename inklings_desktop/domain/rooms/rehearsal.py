"""What other rates of decay would change: what comes and goes, and how far each tier fades."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry, Tier
    from inklings_desktop.domain.rooms.orientation import Orientation, OrientationItem


class Step(StrEnum):
    """What becomes of a memory's place in what an agent is given."""

    ENTERS = "enters"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a memory stands among those of its tier.

    Attributes:
        rank: Its place, from 1; None beyond those that are considered at all.
        relevance: Importance after decay and reads; None likewise.
    """

    rank: int | None = None
    relevance: float | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A memory that an agent would be given, or would not be any more.

    Attributes:
        step: Which of the two.
        before: Where it stands under the rates that hold.
        after: Where it would stand.
    """

    entry: MemoryEntry
    step: Step
    before: Standing
    after: Standing


@dataclass(frozen=True, slots=True)
class TierShift:
    """How a tier would fade.

    Attributes:
        n_active: Memories in it that are not forgotten.
        n_gone: Those that have all but faded under the rates that hold.
        n_gone_then: Those that would have.
        n_rebanded: Those that would change the band that relevance is drawn in.
    """

    tier: Tier
    n_active: int
    n_gone: int
    n_gone_then: int
    n_rebanded: int


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What other rates would change, of the memories that are there.

    Attributes:
        moves: What comes, then what goes, each in the order of the tiers.
        tiers: How far each tier would fade.
    """

    moves: tuple[Move, ...]
    tiers: tuple[TierShift, ...]


def moves_between(before: Orientation, after: Orientation) -> tuple[Move, ...]:
    """What an agent is given after and not before, then the other way round."""
    then, now = _items(after), _items(before)

    def move(item: OrientationItem, step: Step) -> Move:
        id_ = item.ranked.entry.id
        return Move(item.ranked.entry, step, _standing(now.get(id_)), _standing(then.get(id_)))

    enters = [
        move(item, Step.ENTERS)
        for id_, item in then.items()
        if item.is_sent and not (id_ in now and now[id_].is_sent)
    ]
    leaves = [
        move(item, Step.LEAVES)
        for id_, item in now.items()
        if item.is_sent and not (id_ in then and then[id_].is_sent)
    ]
    return (*enters, *leaves)


def _items(document: Orientation) -> dict[str, OrientationItem]:
    return {item.ranked.entry.id: item for part in document.sections for item in part.items}


def _standing(item: OrientationItem | None) -> Standing:
    return Standing() if item is None else Standing(item.rank, item.ranked.relevance)
