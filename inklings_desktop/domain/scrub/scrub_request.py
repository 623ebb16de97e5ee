"""What an agent may ask of a scrub: that the author looks at one and confirms it in a window.

A request names client, place, mode and the digest of what was previewed; it holds no word of any
memory. It lapses by itself, and ends as soon as memory is no longer what was previewed.
Source: design of the memory store, "Scopes for agents".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.scrub.manifest import ScrubMode, phrase_of

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.manifest import Breakdown

REQUEST_LIFE = timedelta(minutes=10)
"""How long a request waits for the author."""
WINDOW_BEAT_SECONDS = 5.0
"""How often an open window says that it is there."""
WINDOW_LEASE_SECONDS = 15.0
"""How long that holds: a window that was killed, or stands still, counts no longer than this."""
MAX_WAITING_PER_CLIENT = 3
MAX_REQUESTS_KEPT = 100
"""Requests that are kept in all; the oldest that have ended leave first."""


class ScrubRequestState(StrEnum):
    """What became of a request."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    """The author has confirmed it, and it is being carried out."""
    EXECUTED = "executed"
    DECLINED = "declined"
    EXPIRED = "expired"
    CHANGED = "changed"
    """Memory is no longer what was previewed; nothing was removed."""
    WITHDRAWN = "withdrawn"
    """The client lost the right to it; nothing was removed."""


OPEN_STATES = frozenset({ScrubRequestState.WAITING, ScrubRequestState.CONFIRMED})


@dataclass(frozen=True, slots=True)
class ScrubRequest:
    """A scrub that an agent asks for.

    Attributes:
        id: Its id.
        client: Name of the client that asks.
        scope: The tier and scope key.
        mode: What is spared.
        digest: Of the manifest that was previewed, hexadecimal.
        n_removed: How many entries would go.
        asked_at: When it was asked.
        expires_at: When it lapses.
        state: What became of it.
        ended_at: When; None while it is open.
        event_number: Number of the ``scrub.executed`` event; None without one.
    """

    id: str
    client: str
    scope: ScopeKey
    mode: ScrubMode
    digest: str
    n_removed: int
    asked_at: datetime
    expires_at: datetime
    state: ScrubRequestState = ScrubRequestState.WAITING
    ended_at: datetime | None = None
    event_number: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it has no outcome yet."""
        return self.state in OPEN_STATES

    def as_of(self, now: datetime) -> ScrubRequest:
        """The request as it stands at an instant: one that nobody answered in time has lapsed.

        One that was confirmed by a window that was killed then lapses a good while later. A clock
        that was set back makes no request younger than it was when it was asked.
        """
        is_confirmed = self.state is ScrubRequestState.CONFIRMED
        last = self.expires_at + REQUEST_LIFE if is_confirmed else self.expires_at
        if self.is_open and not self.asked_at <= now < last:
            return self.ended(ScrubRequestState.EXPIRED, last)
        return self

    def ended(
        self, state: ScrubRequestState, at: datetime, event_number: int | None = None
    ) -> ScrubRequest:
        """The same request with its outcome."""
        return replace(self, state=state, ended_at=at, event_number=event_number)


@dataclass(frozen=True, slots=True)
class ScrubFigures:
    """A dry run as an agent may have it: the right to count is no right to read.

    Sources, names and samples are words that people and agents wrote, and what lies beside the
    scope is nobody's business here; none of that is in it.

    Attributes:
        scope: The tier and scope key.
        mode: What is spared.
        digest: Of the manifest, hexadecimal.
        counted_at: When it was counted.
        by_kind: Memories in any state, named entries, working notes that would go.
        by_curator: Memories by curator.
        by_lifetime: Memories by lifetime.
        n_forgotten: Memories among them that were forgotten before.
        n_proposals: Proposals about what goes; they go too and do not count in the phrase.
        n_questions: Golden questions asked of what goes; likewise.
        n_kept: Named entries of this tier that stay.
        token: Asked for with it; bound to digest, scope, mode and client.
        expires_at: When the token is refused, however unchanged the memory is.
        has_window: Whether a window was open in which the author could confirm it.
    """

    scope: ScopeKey
    mode: ScrubMode
    digest: str
    counted_at: datetime
    by_kind: Breakdown
    by_curator: Breakdown
    by_lifetime: Breakdown
    n_forgotten: int
    n_proposals: int
    n_questions: int
    n_kept: int
    token: str
    expires_at: datetime
    has_window: bool

    @property
    def n_removed(self) -> int:
        """How many entries would go: the figure in the phrase."""
        return sum(count for _, count in self.by_kind)

    @property
    def phrase(self) -> str:
        """What an agent repeats to ask for the scrub."""
        return phrase_of(self.scope, self.mode, self.n_removed)


class PreviewOutdatedError(InklingsError):
    """Memory is no longer what an agent previewed; nothing was asked of the author."""


class NoWindowError(InklingsError):
    """No window is open that could confirm a scrub; nothing was asked and nothing removed."""


class ScrubRequestEndedError(InklingsError):
    """The request can no longer be confirmed; nothing was removed by trying.

    Attributes:
        request: With what became of it.
    """

    def __init__(self, request: ScrubRequest) -> None:
        super().__init__(request.id, request.state.value)
        self.request = request


def action_of(mode: ScrubMode) -> Action:
    """The right to ask for a scrub of this mode.

    The state of its runs is an agent's own work: who may count it may ask for it to go.
    """
    return {
        ScrubMode.KEEP_NAMED: Action.SCRUB_KEEP_NAMED,
        ScrubMode.FULL: Action.SCRUB_FULL,
        ScrubMode.RUN_STATE: Action.SCRUB_PREVIEW,
    }[mode]
