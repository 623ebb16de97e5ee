"""The log of what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.keeping import event_history

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Log:
    """The events of every file, and whether they are all there."""

    def __init__(self, parts: Parts, by: By) -> None:
        store, directory = parts.store, parts.directory
        audit, clock = parts.adapters().audit, parts.clock
        self.list = by(event_history.ListEvents(store))
        self.facets = by(event_history.ListEventFacets(store))
        self.show = by(event_history.ShowEvent(store))
        self.describe = by(event_history.DescribeEvents(store, directory))
        self.verify = by(event_history.VerifyLogs(audit, directory))
        self.anchor = by(event_history.AnchorLogs(store, audit, directory, clock))
        self.find_lost_writes = by(event_history.FindLostWrites(audit, directory))
        self.accept_lost_writes = by(event_history.AcceptLostWrites(store, audit, directory, clock))
