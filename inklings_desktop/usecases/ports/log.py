"""What the use cases need of event logs: append, read, check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.log.events import (
        Event,
        EventDraft,
        EventFacets,
        EventFilter,
        LogVerdict,
        LostWrites,
    )


class EventLog(Protocol):
    """The append-only log of one file."""

    def append(self, draft: EventDraft, at: datetime) -> Event:
        """Add an event to the chain, in the transaction it belongs to."""
        ...

    def latest(
        self, limit: int, before: int | None = None, where: EventFilter | None = None
    ) -> tuple[Event, ...]:
        """Events that match, newest first, with numbers below ``before``."""
        ...

    def get(self, number: int) -> Event:
        """One event.

        Raises:
            NotFoundError: There is none with this number.
        """
        ...

    def facets(self) -> EventFacets:
        """Values in use in the whole log."""
        ...


class LogAudit(Protocol):
    """Checks event logs against their chains and their noted heads."""

    def verify(self, workspace_id: str | None) -> LogVerdict:
        """What the check of one log found, without the workspace's name; None is the account's.

        A file that cannot be read is a verdict, no error.
        """
        ...

    def lost_writes(self, workspace_id: str | None) -> LostWrites | None:
        """What one file once held and does not hold any more; None when nothing is known of."""
        ...

    def accept_lost_writes(self, workspace_id: str | None) -> None:
        """Let writes that are missing in this file be no fault any more.

        Raises:
            StorageError: It cannot be noted.
        """
        ...

    def noted_workspaces(self) -> frozenset[str]:
        """Workspaces whose heads are noted, whether they are there or not."""
        ...

    def anchor(
        self, workspace_ids: Sequence[str | None], doubtful: Sequence[str | None] = ()
    ) -> None:
        """Note the heads of these logs as they are now; heads that cannot be trusted are dropped.

        Args:
            workspace_ids: Logs whose chains are whole; None is the account's.
            doubtful: Logs whose chains are not: each gets a head as well if it has none, so that
                none of them is ever taken for a new one.

        Raises:
            StorageError: They cannot be noted.
        """
        ...
