"""Removing memory for good, by the person or asked for by an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.scrubbing import scrub, scrub_asking, scrub_requests

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Scrub:
    """Scrubs and the requests for them.

    Attributes:
        has_work: Whether a scrub may be open; cheap, opens no file.
    """

    def __init__(self, parts: Parts, by: By) -> None:
        own = parts.adapters()
        manifests = scrub.Manifests(
            parts.store, parts.directory, own.eraser, parts.clock, parts.settings, own.key
        )
        execute, resume = scrub.ExecuteScrub(manifests, own.operator), scrub.ResumeScrubs(manifests)
        self.preview = by(scrub.PreviewScrub(manifests))
        self.execute = by(execute)
        self.pending = by(scrub.PendingScrubs(manifests))
        self.resume = by(resume)
        self.has_work = resume.has_work
        self.count = by(scrub_asking.CountScrub(manifests))
        self.ask = by(scrub_asking.AskForScrub(manifests, parts.new_id))
        self.follow = by(scrub_asking.FollowScrubRequest(manifests))
        self.requests = by(scrub_requests.ListScrubRequests(manifests))
        self.check_request = by(scrub_requests.CheckScrubRequest(manifests))
        self.confirm = by(scrub_requests.ConfirmScrub(manifests, execute))
        self.decline = by(scrub_requests.DeclineScrub(manifests))
        self.has_window = by(scrub_requests.HasWindow(manifests))
        self.attend = by(scrub_requests.AttendScrubs(manifests))
