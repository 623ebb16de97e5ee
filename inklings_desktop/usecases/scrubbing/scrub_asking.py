"""Scrubs that agents ask for: they count, ask, and hear what became of it.

An agent never removes anything; the author confirms in an open window. What it may ask for is
decided by its grants alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize,
    authorize_agent,
    authorize_some,
)
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.log.events import EventDraft, EventFilter, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.scrub_contents import breakdown
from inklings_desktop.domain.scrub.scrub_request import (
    MAX_WAITING_PER_CLIENT,
    REQUEST_LIFE,
    NoWindowError,
    PreviewOutdatedError,
    ScrubFigures,
    ScrubRequest,
    ScrubRequestState,
    action_of,
)
from inklings_desktop.domain.scrub.scrub_token import TokenScope, is_of_digest, require_phrase
from inklings_desktop.usecases.scrubbing.scrub import bearer_of
from inklings_desktop.usecases.steps.refusals import Attempt, record_refusal, refusals_recorded
from inklings_desktop.usecases.steps.rooms import channel_for, conversation_for

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.scrub.manifest import ScrubMode
    from inklings_desktop.usecases.ports.store import IdSource, Store, UnitOfWork
    from inklings_desktop.usecases.scrubbing.scrub import Manifests

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
        return _figures(tools, caller, scope, mode, tools.clock())


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
        if not _has_window(tools, tools.clock()):
            attempt = Attempt("scrub.execute", scope.tier, scope.workspace_id)
            record_refusal(tools.store, tools.clock, caller, attempt)
            raise NoWindowError
        now = tools.clock()
        confirmed = TokenScope(scope, mode, bearer_of(caller)).confirmed(tools.key(), token, now)
        counted = _figures(tools, caller, scope, mode, now)
        if not is_of_digest(confirmed, counted.digest):
            raise PreviewOutdatedError
        require_phrase(counted, phrase)
        if counted.n_removed == 0:
            raise InvalidValueError("scope", "nothing_to_remove")
        fresh = ScrubRequest(
            self.new_id(),
            caller.name,
            scope,
            mode,
            counted.digest,
            counted.n_removed,
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
            unit.events.append(request_event(EventKind.SCRUB_REQUESTED, caller, fresh), now)
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


def _figures(
    tools: Manifests, caller: Caller, scope: ScopeKey, mode: ScrubMode, now: datetime
) -> ScrubFigures:
    """The count alone; what lies beside the scope and in the backups is not even looked at."""
    with tools.store.read(scope.workspace_id) as view:
        contents = tools.counted(view, scope, mode, now)
    digest = contents.digest
    token, expires_at = tools.token(caller, contents, digest, now)
    return ScrubFigures(
        scope=scope,
        mode=mode,
        digest=digest,
        counted_at=now,
        by_kind=contents.by_kind(),
        by_curator=breakdown(one.curator for one in contents.memories),
        by_lifetime=breakdown(one.lifetime or "" for one in contents.memories),
        n_forgotten=sum(one.is_forgotten for one in contents.memories),
        n_proposals=contents.n_proposals,
        n_questions=contents.n_questions,
        n_kept=len(contents.kept),
        token=token,
        expires_at=expires_at,
        has_window=_has_window(tools, now),
    )


def _has_window(tools: Manifests, now: datetime) -> bool:
    with tools.store.read(None) as view:
        return view.scrub_requests.has_window(now)


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


def request_event(kind: EventKind, caller: Caller, request: ScrubRequest) -> EventDraft:
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
