"""Scrubs that agents ask for, as the author answers them in an open window.

The grants of the client decide once more when the author confirms; whatever changed between the
wish and its answer ends the request.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    authorize,
    authorize_management,
)
from inklings_desktop.domain.access.clients import Participation, caller_of
from inklings_desktop.domain.errors import (
    InklingsError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ManifestChangedError
from inklings_desktop.domain.scrub.scrub_request import (
    WINDOW_LEASE_SECONDS,
    ScrubRequest,
    ScrubRequestEndedError,
    ScrubRequestState,
    action_of,
)
from inklings_desktop.usecases.ports.progress import UNHEARD, Progress
from inklings_desktop.usecases.scrubbing.scrub_asking import request_event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.scrub.manifest import ScrubOutcome
    from inklings_desktop.usecases.ports.store import Store
    from inklings_desktop.usecases.scrubbing.scrub import ExecuteScrub, Manifests


@dataclass(frozen=True, slots=True)
class ListScrubRequests:
    """Requests that wait for the author, in whatever workspace."""

    manifests: Manifests

    def __call__(self, caller: Caller) -> tuple[ScrubRequest, ...]:
        """The first asked first; those that lapsed are not among them.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        with self.manifests.store.read(None) as view:
            found = view.scrub_requests.open_requests()
        now = self.manifests.clock()
        waiting = ScrubRequestState.WAITING
        return tuple(one for one in found if one.as_of(now).state is waiting)


@dataclass(frozen=True, slots=True)
class DeclineScrub:
    """Turn down what an agent asks for; nothing is removed."""

    manifests: Manifests

    def __call__(self, caller: Caller, request_id: str) -> ScrubRequest:
        """The request, declined; one that has ended or is being carried out stays as it is.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
        """
        authorize_management(caller)
        tools = self.manifests
        with tools.store.write(None, initiator=caller.name) as unit:
            now = tools.clock()
            request = unit.scrub_requests.get(request_id).as_of(now)
            if request.state is not ScrubRequestState.WAITING:
                return request
            declined = request.ended(ScrubRequestState.DECLINED, now)
            unit.scrub_requests.save(declined)
            unit.events.append(request_event(EventKind.SCRUB_DECLINED, caller, declined), now)
            unit.commit()
        return declined


@dataclass(frozen=True, slots=True)
class CheckScrubRequest:
    """Whether a request still asks for what it asked for, before the author reads on."""

    manifests: Manifests

    def __call__(self, caller: Caller, request_id: str, digest: str) -> ScrubRequest:
        """The request; ended as ``changed`` or ``withdrawn`` if it no longer holds.

        Args:
            caller: The person.
            request_id: The request's.
            digest: Of the manifest that the person was shown.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
        """
        authorize_management(caller)
        tools = self.manifests
        with tools.store.read(None) as view:
            request = view.scrub_requests.get(request_id).as_of(tools.clock())
        if request.state is not ScrubRequestState.WAITING:
            return request
        if request.digest != digest:
            return _end(tools, caller, request, ScrubRequestState.CHANGED)
        if not _may_still(tools.store, request):
            return _end(tools, caller, request, ScrubRequestState.WITHDRAWN)
        return request


@dataclass(frozen=True, slots=True)
class ConfirmScrub:
    """Carry out what an agent asked for, as the author confirmed it."""

    manifests: Manifests
    execute: ExecuteScrub

    def __call__(
        self,
        caller: Caller,
        request_id: str,
        *,
        token: str,
        phrase: str,
        progress: Progress = UNHEARD,
    ) -> ScrubOutcome:
        """What was removed, and the proof or why it is still open.

        Args:
            caller: The person.
            request_id: The request's.
            token: Of the manifest that the person was shown.
            phrase: That manifest's, as the person typed it.
            progress: As for any scrub.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such request, workspace, channel or conversation.
            ScrubRequestEndedError: It lapsed, was answered, or its client lost the right to it.
            ManifestChangedError: Memory changed; nothing was removed, and the request has ended.
            InvalidValueError: The token or the phrase is not the one asked for.
            StorageError: As for any scrub; the request waits on.
            StoppedError: The person stopped it; nothing was removed, and the request waits on.
        """
        tools = self.manifests
        request = self._claimed(caller, request_id)
        try:
            with self._claim_given_back(caller, request):
                outcome = self.execute(
                    caller,
                    request.scope,
                    request.mode,
                    token=token,
                    phrase=phrase,
                    expected_digest=request.digest,
                    request_id=request.id,
                    progress=progress,
                )
        except (ManifestChangedError, NotFoundError):
            _end(tools, caller, request, ScrubRequestState.CHANGED)
            raise
        done = request.ended(ScrubRequestState.EXECUTED, tools.clock(), outcome.event_number)
        with tools.store.write(None, initiator=caller.name) as unit:
            unit.scrub_requests.save(done)
            unit.commit()
        return outcome

    def _claimed(self, caller: Caller, request_id: str) -> ScrubRequest:
        authorize_management(caller)
        tools = self.manifests
        with tools.store.read(None) as view:
            known = view.scrub_requests.get(request_id)
        if known.is_open and not _may_still(tools.store, known):
            known = _end(tools, caller, known, ScrubRequestState.WITHDRAWN)
        with tools.store.write(None, initiator=caller.name) as unit:
            request = unit.scrub_requests.get(request_id).as_of(tools.clock())
            if request.state is not ScrubRequestState.WAITING:
                raise ScrubRequestEndedError(request)
            claimed = replace(request, state=ScrubRequestState.CONFIRMED)
            unit.scrub_requests.save(claimed)
            unit.commit()
        return claimed

    @contextmanager
    def _claim_given_back(self, caller: Caller, request: ScrubRequest) -> Iterator[None]:
        """What failed before anything was removed waits on, as long as it holds."""
        tools = self.manifests
        try:
            yield
        except (ManifestChangedError, NotFoundError):
            raise
        except InklingsError:
            with tools.store.write(None, initiator=caller.name) as unit:
                unit.scrub_requests.save(replace(request, state=ScrubRequestState.WAITING))
                unit.commit()
            raise


@dataclass(frozen=True, slots=True)
class AttendScrubs:
    """A window says that it is there, and that it is closed."""

    manifests: Manifests

    def __call__(self, caller: Caller, window_id: str, *, is_open: bool) -> None:
        """Note the window for a while, or no longer.

        Raises:
            ScopeDeniedError: The caller is an agent.
            StorageError: It cannot be noted.
        """
        authorize_management(caller)
        tools = self.manifests
        with tools.store.write(None, initiator=caller.name, durable=False) as unit:
            if is_open:
                unit.scrub_requests.note_window(window_id, tools.clock(), WINDOW_LEASE_SECONDS)
            else:
                unit.scrub_requests.drop_window(window_id)
            unit.commit()


@dataclass(frozen=True, slots=True)
class HasWindow:
    """Whether a window is open on this data root."""

    manifests: Manifests

    def __call__(self, caller: Caller) -> bool:
        """Whether one said lately that it is there.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        with self.manifests.store.read(None) as view:
            return view.scrub_requests.has_window(self.manifests.clock())


def _may_still(store: Store, request: ScrubRequest) -> bool:
    """Whether the client that asked would be allowed to ask now."""
    scope, taking_part = request.scope, Participation()
    try:
        if scope.workspace_id is not None:
            with store.read(scope.workspace_id) as view:
                taking_part = view.conversations.participation(request.client)
        with store.read(None) as view:
            client = view.clients.get(request.client)
        authorize(
            caller_of(client, scope.workspace_id or "", taking_part),
            action_of(request.mode),
            scope,
        )
    except (ScopeDeniedError, NotFoundError):
        return False
    return True


def _end(
    tools: Manifests, caller: Caller, request: ScrubRequest, state: ScrubRequestState
) -> ScrubRequest:
    """Put down why a request no longer holds."""
    ended = request.ended(state, tools.clock())
    with tools.store.write(None, initiator=caller.name) as unit:
        unit.scrub_requests.save(ended)
        unit.commit()
    return ended
