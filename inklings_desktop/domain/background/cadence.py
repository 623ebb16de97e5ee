"""When background work is due: numbers that a person may set; every one of them can be off."""

from __future__ import annotations

from dataclasses import field
from datetime import timedelta
from enum import StrEnum

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

BACKFILL_FIRST_SECONDS = 60.0
QUIET = timedelta(days=1)
"""So long after the clock first met a file nothing of it is set aside unasked."""


class PruneMode(StrEnum):
    """What becomes of short-term memories that have faded."""

    REVIEW = "review"
    PRUNE = "prune"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Cadence:
    """What brings a consolidation of one tier; 0 switches a trigger off.

    Attributes:
        new_entries: So many new memories bring a run.
        idle_minutes: ... once the person has not touched anything for so long.
        every_hours: A run at least this often; after missed ones a single run makes up for all.
    """

    new_entries: int = 0
    idle_minutes: float = 0.0
    every_hours: float = 0.0

    @property
    def interval(self) -> timedelta | None:
        """Time between two runs; None when no clock brings them."""
        return timedelta(hours=self.every_hours) if self.every_hours else None


@dataclass(frozen=True, slots=True)
class BackgroundConfig:
    """Everything a person may set about background work.

    Attributes:
        backfill_minutes: Time between two searches for missing vectors; 0 for never.
        forget_at_close: Whether what a closed conversation left behind is forgotten.
        silent_days: After so many days of silence a conversation rests; 0 for never.
        backup_hours: Time between two looks whether something is to be backed up; 0 for never.
        channel: When channels are consolidated.
        workspace: When a workspace's own tier is.
        account: When the account's tier is.
        prune: What becomes of faded short-term memories.
        consolidates: Whether any of the three cadences holds.
        words_merges: Whether a model may word what several memories become.
    """

    backfill_minutes: float = 30.0
    forget_at_close: bool = True
    silent_days: float = 14.0
    backup_hours: float = 4.0
    channel: Cadence = field(default_factory=lambda: Cadence(12, 0.0, 24.0))
    workspace: Cadence = field(default_factory=lambda: Cadence(40, 10.0, 7 * 24.0))
    account: Cadence = field(default_factory=lambda: Cadence(20, 10.0, 14 * 24.0))
    prune: PruneMode = PruneMode.REVIEW
    consolidates: bool = True
    words_merges: bool = False

    def cadence(self, tier: Tier) -> Cadence:
        """When a tier is consolidated; the conversation tier only at close or on request."""
        match tier if self.consolidates else Tier.CONVERSATION:
            case Tier.CHANNEL:
                return self.channel
            case Tier.WORKSPACE:
                return self.workspace
            case Tier.ACCOUNT:
                return self.account
            case Tier.CONVERSATION:
                return Cadence()
