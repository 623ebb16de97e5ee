"""Scrubs that agents ask for, in memory."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from tests.support.fake_file import FakeChanges, FakeFile


class FakeScrubRequestRepository:
    """The ``ScrubRequestRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges) -> None:
        self._file = file
        self._changes = changes

    def get(self, request_id: str) -> ScrubRequest:
        """The request with exactly this id."""
        try:
            return self._file.requests[request_id]
        except KeyError:
            raise NotFoundError("scrub_request", request_id) from None

    def open_requests(self, client: str | None = None) -> tuple[ScrubRequest, ...]:
        """Those without an outcome, the first asked first."""
        return tuple(
            one
            for one in self._file.requests.values()
            if one.is_open and client in {None, one.client}
        )

    def save(self, request: ScrubRequest) -> None:
        """Store a request."""
        self._file.requests[request.id] = request
        self._changes.scrub_requests = True

    def note_window(self, holder: str, now: datetime, seconds: float) -> None:
        """Keep in mind that a window is there."""
        self._file.windows[holder] = (now, now + timedelta(seconds=seconds))

    def drop_window(self, holder: str) -> None:
        """A window is closed."""
        self._file.windows.pop(holder, None)

    def has_window(self, now: datetime) -> bool:
        """Whether any window is there."""
        return any(taken <= now < until for taken, until in self._file.windows.values())
