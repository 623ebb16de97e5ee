"""Scrubs that agents ask for: they count and ask, and the author confirms in an open window.

An agent never removes anything. What it may ask for is decided by its grants alone, when it asks
and once more when the author confirms; whatever changed between the two ends the request.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import (
    Action,
    authorize,
    authorize_agent,
    authorize_management,
    authorize_some,
)
from inklings_desktop.domain.clients import Participation, caller_of
from inklings_desktop.domain.errors import (
    InklingsError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.events import EventDraft, EventFilter, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, ScopeKey, Tier
from inklings_desktop.domain.scrub import ManifestChangedError
from inklings_desktop.domain.scrub_request import (
    MAX_WAITING_PER_CLIENT,
    REQUEST_LIFE,
    WINDOW_LEASE_SECONDS,
    NoWindowError,
    PreviewOutdatedError,
    ScrubFigures,
    ScrubRequest,
    ScrubRequestEndedError,
    ScrubRequestState,
    action_of,
)
from inklings_desktop.domain.scrub_token import TokenScope, is_of_digest, require_phrase
from inklings_desktop.usecases.progress import UNHEARD, Progress
from inklings_desktop.usecases.refusals import Attempt, record_refusal, refusals_recorded
from inklings_desktop.usecases.rooms import channel_for, conversation_for
from inklings_desktop.usecases.scrub import bearer_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from inklings_desktop.domain.access import Caller
    from inklings_desktop.domain.scrub import ScrubMode, ScrubOutcome
    from inklings_desktop.usecases.ports import IdSource, Store, UnitOfWork
    from inklings_desktop.usecases.scrub import ExecuteScrub, Manifests

_LATEST_SCRUBS = 50


@dataclass(frozen=True, slots=True)
class ScrubPlace:
    """Where an agent wants to scrub, as it names the place.

    Attributes:
        workspace_id: The workspace that it is bound to.
        tier: The tier.
        room: Id or ref code of a conversation, id or name of a channel; None for the tiers that
            have one scope only.
    """

    workspace_id: str
    tier: Tier
    room: str | None = None


@dataclass(frozen=True, slots=True)
class CountScrub:
    """The dry run for an agent: figures, and a token to ask with. Changes nothing."""

    manifests: Manifests

    def __call__(self, caller: Caller, place: ScrubPlace, mode: ScrubMode) -> ScrubFigures:
        """What would go, in figures.

        Raises:
            ScopeDeniedError: The caller is no agent, or has no right to this; or there is no such
                room.
            InvalidValueError: A room has to be named, or must not be.
        """
        tools = self.manifests
        scope = _scope_of(tools, caller, Action.SCRUB_PREVIEW, place, "scrub.preview")
        now = tools.clock()
        with tools.store.read(scope.workspace_id) as view:
            contents = tools.counted(view, scope, mode, now)
            return ScrubFigures.of(tools.manifest(caller, contents, view, now))


@dataclass(frozen=True, slots=True)
class AskForScrub:
    """Ask the author to confirm a scrub that was counted; removes nothing itself."""

    manifests: Manifests
    new_id: IdSource

    def __call__(
        self, caller: Caller, place: ScrubPlace, mode: ScrubMode, *, token: str, phrase: str
    ) -> ScrubRequest:
        """The request that now waits; the earlier one if the same is waiting already.

        Args:
            caller: The agent.
            place: As counted.
            mode: As counted.
            token: The count's.
            phrase: The count's.

        Raises:
            ScopeDeniedError: The caller is no agent, or has no right to this; or there is no such
                room.
            NoWindowError: No window is open that could show it.
            InvalidValueError: The token was not made for this or has expired, the phrase is
                another one, there is nothing to remove, or too many requests wait.
            PreviewOutdatedError: Memory changed since the count.
        """
        tools = self.manifests
        scope = _scope_of(tools, caller, action_of(mode), place, "scrub.execute")
        with tools.store.read(None) as view:
            has_window = view.scrub_requests.has_window(tools.clock())
        if not has_window:
            attempt = Attempt("scrub.execute", scope.tier, scope.workspace_id)
            record_refusal(tools.store, tools.clock, caller, attempt)
            raise NoWindowError
        now = tools.clock()
        confirmed = TokenScope(scope, mode, bearer_of(caller)).confirmed(tools.key(), token, now)
        with tools.store.read(scope.workspace_id) as view:
            manifest = tools.manifest(caller, tools.counted(view, scope, mode, now), view, now)
        if not is_of_digest(confirmed, manifest.digest):
            raise PreviewOutdatedError
        require_phrase(manifest, phrase)
        if manifest.n_removed == 0:
            raise InvalidValueError("scope", "nothing_to_remove")
        fresh = ScrubRequest(
            self.new_id(),
            caller.name,
            scope,
            mode,
            manifest.digest,
            manifest.n_removed,
            now,
            now + REQUEST_LIFE,
        )
        with tools.store.write(None, initiator=caller.name) as unit:
            waiting = _waiting(unit, now, caller.name)
            for earlier in waiting:
                if _wish(earlier) == _wish(fresh):
                    return earlier
            if len(waiting) >= MAX_WAITING_PER_CLIENT:
                raise InvalidValueError("scrub_requests", "too_many", MAX_WAITING_PER_CLIENT)
            unit.scrub_requests.save(fresh)
            unit.events.append(_event(EventKind.SCRUB_REQUESTED, caller, fresh), now)
            unit.commit()
        return fresh


@dataclass(frozen=True, slots=True)
class FollowScrubRequest:
    """What became of a scrub that an agent asked for."""

    manifests: Manifests

    def __call__(self, caller: Caller, request_id: str) -> ScrubRequest:
        """The request as it stands now.

        Raises:
            ScopeDeniedError: The caller has no right to it any more.
            NotFoundError: There is none, or it is another client's.
        """
        tools = self.manifests
        with tools.store.read(None) as view:
            request = view.scrub_requests.get(request_id)
        if not caller.is_agent or request.client != caller.name:
            raise NotFoundError("scrub_request", request_id)
        attempt = Attempt("scrub.execute", request.scope.tier, request.scope.workspace_id)
        with refusals_recorded(tools.store, tools.clock, caller, attempt):
            authorize(caller, action_of(request.mode), request.scope)
        return _found_out(tools.store, request).as_of(tools.clock())


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
            unit.events.append(_event(EventKind.SCRUB_DECLINED, caller, declined), now)
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
        """The request, taken by this window alone."""
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


def _scope_of(
    tools: Manifests, caller: Caller, action: Action, place: ScrubPlace, verb: str
) -> ScopeKey:
    """The scope key of a place, if the agent may do this there; refusals become events."""
    workspace_id = None if place.tier is Tier.ACCOUNT else place.workspace_id
    attempt = Attempt(verb, place.tier, workspace_id, (place.room or "",))
    with refusals_recorded(tools.store, tools.clock, caller, attempt):
        authorize_agent(caller, action, place.tier)
        authorize_some(caller, action, place.tier, workspace_id)
        if workspace_id is None or place.tier is Tier.WORKSPACE:
            own = ScopeKey.workspace(workspace_id) if workspace_id else ScopeKey.account()
            if place.room not in {None, "", own.key}:
                raise InvalidValueError("scope", "not_wanted")
            authorize(caller, action, own)
            return own
        if not place.room:
            raise InvalidValueError("scope", "missing")
        with tools.store.read(workspace_id) as view:
            if place.tier is Tier.CHANNEL:
                channel = channel_for(view, caller, action, workspace_id, place.room)
                return ScopeKey.channel(workspace_id, channel.id)
            room = conversation_for(view, caller, action, workspace_id, place.room)
            return ScopeKey.conversation(workspace_id, room.id)


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


def _waiting(unit: UnitOfWork, now: datetime, client: str) -> list[ScrubRequest]:
    """What a client waits for; what lapsed is put down as such in passing."""
    waiting = []
    for stored in unit.scrub_requests.open_requests(client):
        request = stored.as_of(now)
        if request.is_open:
            waiting.append(request)
        else:
            unit.scrub_requests.save(request)
    return waiting


def _end(
    tools: Manifests, caller: Caller, request: ScrubRequest, state: ScrubRequestState
) -> ScrubRequest:
    """Put down why a request no longer holds."""
    ended = request.ended(state, tools.clock())
    with tools.store.write(None, initiator=caller.name) as unit:
        unit.scrub_requests.save(ended)
        unit.commit()
    return ended


def _found_out(store: Store, request: ScrubRequest) -> ScrubRequest:
    """The request with the outcome that a killed window could not put down any more.

    The event of the execution is part of the removal itself, so it tells for certain.
    """
    if request.state is not ScrubRequestState.CONFIRMED:
        return request
    where = EventFilter(kinds=frozenset({EventKind.SCRUB_EXECUTED}))
    try:
        with store.read(request.scope.workspace_id) as view:
            for event in view.events.latest(_LATEST_SCRUBS, None, where):
                if event.marks.get("request") == request.id:
                    at = event.at or request.asked_at
                    return request.ended(ScrubRequestState.EXECUTED, at, event.number)
    except NotFoundError:
        pass  # the workspace is gone, and with it whatever was asked for
    return request


def _wish(request: ScrubRequest) -> tuple[object, ...]:
    """What tells two requests of one client apart."""
    return request.scope, request.mode, request.digest


def _event(kind: EventKind, caller: Caller, request: ScrubRequest) -> EventDraft:
    """That it was asked for, or turned down; in the account's log, beside the grants."""
    scope = request.scope
    return EventDraft(
        kind,
        caller.name,
        caller.kind.value,
        caller.door.value,
        scope.tier.value,
        scope.workspace_id or ACCOUNT_KEY,
        (),
        {"entries": request.n_removed},
        {"mode": request.mode.value, "manifest": request.digest, "request": request.id},
    )
