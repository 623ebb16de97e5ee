"""Removing memory for good, by the person or asked for by an agent."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from inklings_desktop.usecases.scrubbing import scrub, scrub_asking, scrub_requests

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.manifest import (
        PendingScrub,
        ResumedScrub,
        ScrubManifest,
        ScrubMode,
        ScrubOutcome,
    )
    from inklings_desktop.domain.scrub.scrub_request import ScrubFigures, ScrubRequest
    from inklings_desktop.usecases.scrubbing.scrub_asking import ScrubPlace


class Scrub(Asked):
    """Scrubs and the requests for them; what each verb refuses is said where it is done."""

    @cached_property
    def manifests(self) -> scrub.Manifests:
        """Counts what a scrub is about."""
        parts, own = self.parts, self.adapters
        return scrub.Manifests(
            self.store, parts.directory, own.eraser, self.clock, parts.settings, own.key
        )

    @cached_property
    def _execute(self) -> scrub.ExecuteScrub:
        return scrub.ExecuteScrub(self.manifests, self.adapters.operator)

    def preview(self, scope: ScopeKey, mode: ScrubMode) -> ScrubManifest:
        """The dry run: says what would go, and changes nothing."""
        return scrub.PreviewScrub(self.manifests)(self.caller, scope, mode)

    def execute(
        self,
        scope: ScopeKey,
        mode: ScrubMode,
        *,
        token: str,
        phrase: str,
        progress: Progress = UNHEARD,
    ) -> ScrubOutcome:
        """Removes for good what a dry run showed and the person confirmed."""
        return self._execute(
            self.caller, scope, mode, token=token, phrase=phrase, progress=progress
        )

    def pending(self) -> tuple[PendingScrub, ...]:
        """Scrubs whose rows are gone, while copies of the text may remain in files of ours."""
        return scrub.PendingScrubs(self.manifests)(self.caller)

    def resume(self, progress: Progress = UNHEARD) -> tuple[ResumedScrub, ...]:
        """Finishes what a killed program or a reader's snapshot left open."""
        return scrub.ResumeScrubs(self.manifests)(self.caller, progress)

    def has_work(self) -> bool:
        """Whether a scrub may be open; cheap, opens no file."""
        return scrub.ResumeScrubs(self.manifests).has_work()

    def count(self, place: ScrubPlace, mode: ScrubMode) -> ScrubFigures:
        """The dry run for an agent: figures, and a token to ask with."""
        return scrub_asking.CountScrub(self.manifests)(self.caller, place, mode)

    def ask(self, place: ScrubPlace, mode: ScrubMode, *, token: str, phrase: str) -> ScrubRequest:
        """Asks the author to confirm a scrub that was counted."""
        asking = scrub_asking.AskForScrub(self.manifests, self.new_id)
        return asking(self.caller, place, mode, token=token, phrase=phrase)

    def follow(self, request_id: str) -> ScrubRequest:
        """What became of a scrub that an agent asked for."""
        return scrub_asking.FollowScrubRequest(self.manifests)(self.caller, request_id)

    def requests(self) -> tuple[ScrubRequest, ...]:
        """Requests that wait for the author, in whatever workspace."""
        return scrub_requests.ListScrubRequests(self.manifests)(self.caller)

    def check_request(self, request_id: str, digest: str) -> ScrubRequest:
        """Whether a request still asks for what it asked for, before the author reads on."""
        return scrub_requests.CheckScrubRequest(self.manifests)(self.caller, request_id, digest)

    def confirm(
        self, request_id: str, *, token: str, phrase: str, progress: Progress = UNHEARD
    ) -> ScrubOutcome:
        """Carries out what an agent asked for, as the author confirmed it."""
        confirming = scrub_requests.ConfirmScrub(self.manifests, self._execute)
        return confirming(self.caller, request_id, token=token, phrase=phrase, progress=progress)

    def decline(self, request_id: str) -> ScrubRequest:
        """Turns down what an agent asks for; nothing is removed."""
        return scrub_requests.DeclineScrub(self.manifests)(self.caller, request_id)

    def has_window(self) -> bool:
        """Whether a window is open on this data root."""
        return scrub_requests.HasWindow(self.manifests)(self.caller)

    def attend(self, window_id: str, *, is_open: bool) -> None:
        """A window says that it is there, and that it is closed."""
        scrub_requests.AttendScrubs(self.manifests)(self.caller, window_id, is_open=is_open)
