"""Which programs agents come in by, what the author lets them do, and what they asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, authorize_management
from inklings_desktop.domain.access.clients import (
    MAX_CLIENTS,
    WRITES_COUNTED_FOR,
    Client,
    ClientActivity,
    ClientCall,
    ClientKind,
    Participation,
    caller_of,
    preset_rights,
)
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, NotLetInError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.refusals import Attempt, record_refusal

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from inklings_desktop.domain.access.clients import Right
    from inklings_desktop.domain.errors import ScopeDeniedError
    from inklings_desktop.usecases.ports.store import (
        Clock,
        SettingsSource,
        Store,
        StoreView,
        UnitOfWork,
    )

SHOWN_CALLS = 20


@dataclass(frozen=True, slots=True)
class ClientWithActivity:
    """A client and what it did lately."""

    client: Client
    activity: ClientActivity


@dataclass(frozen=True, slots=True)
class ListClients:
    """The clients that came, or were granted something."""

    store: Store

    def __call__(
        self, caller: Caller, *, calls: int = SHOWN_CALLS
    ) -> tuple[ClientWithActivity, ...]:
        """The first known first, each with its latest requests.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        with self.store.read(None) as view:
            return tuple(
                ClientWithActivity(one, view.clients.activity(one.name, calls))
                for one in view.clients.clients()
            )


@dataclass(frozen=True, slots=True)
class ShowClient:
    """One client with its latest requests."""

    store: Store

    def __call__(
        self, caller: Caller, name: str, *, calls: int = SHOWN_CALLS
    ) -> ClientWithActivity:
        """The client with exactly this name.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
        """
        authorize_management(caller)
        with self.store.read(None) as view:
            return ClientWithActivity(view.clients.get(name), view.clients.activity(name, calls))


@dataclass(frozen=True, slots=True)
class GrantRights:
    """Let a client do more."""

    store: Store
    clock: Clock

    def __call__(
        self,
        caller: Caller,
        name: str,
        rights: Collection[Right],
        *,
        kind: ClientKind | None = None,
    ) -> Client:
        """The client as it is now; one that never came is made.

        Args:
            caller: Who asks.
            name: The client's name, exactly as it is configured.
            rights: What it may do from now on, besides what it may do already.
            kind: What the author takes it for; None leaves that as it is.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name cannot be kept, or there are too many clients.
            NotFoundError: There is no such workspace or channel.
        """
        authorize_management(caller)
        self._require_places(rights)
        now = self.clock()
        with self.store.write(None, initiator=caller.name) as unit:
            before = _client_of(unit, name, now)
            after = before.with_rights(rights)
            if kind is not None:
                after = replace(after, kind=kind)
            unit.clients.save(after)
            added = after.rights - before.rights
            _record(unit, caller, EventKind.GRANTED, after, added, now)
            unit.commit()
        return after

    def _require_places(self, rights: Collection[Right]) -> None:
        for workspace_id in sorted({one.workspace_id for one in rights if one.workspace_id}):
            with self.store.read(workspace_id) as view:
                for right in rights:
                    if right.workspace_id == workspace_id and right.channel_id is not None:
                        view.conversations.get_channel(right.channel_id)


@dataclass(frozen=True, slots=True)
class RevokeRights:
    """Let a client do less, from its next request on."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, name: str, rights: Collection[Right] | None = None
    ) -> Client:
        """The client as it is now; None takes everything away.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such client.
        """
        authorize_management(caller)
        now = self.clock()
        with self.store.write(None, initiator=caller.name) as unit:
            before = unit.clients.get(name)
            after = before.without_rights(before.rights if rights is None else rights)
            if rights is None:
                after = replace(after, kind=ClientKind.EXTERNAL)
            unit.clients.save(after)
            _record(unit, caller, EventKind.REVOKED, after, before.rights - after.rights, now)
            unit.commit()
        return after


@dataclass(frozen=True, slots=True)
class LetClientIn:
    """Let a client read where nothing was ever said about it."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, name: str, workspace_id: str) -> None:
        """Give it the rights of an external client here; one that is known stays as it is.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name cannot be kept, or there are too many clients.
        """
        authorize_management(caller)
        with self.store.read(None) as view:
            known = _known(view, name)
        if known is None or known.kind is ClientKind.UNKNOWN:
            rights = preset_rights(ClientKind.EXTERNAL, workspace_id)
            GrantRights(self.store, self.clock)(caller, name, rights)


@dataclass(frozen=True, slots=True)
class AdmitClient:
    """Who a request is, as the agent's door establishes it; asked anew for every request."""

    store: Store
    clock: Clock

    def __call__(self, name: str, workspace_id: str) -> Caller:
        """The caller that this client is in this workspace.

        A client that was never seen is noted as one that knocked.

        Raises:
            NotLetInError: The author has not said anything about it yet.
            InvalidValueError: The name cannot be kept, or there are too many clients.
            NotFoundError: There is no such workspace.
        """
        with self.store.read(workspace_id) as view:
            taking_part = view.conversations.participation(name)
        with self.store.read(None) as view:
            known = _known(view, name)
        client = known or self._knocked(name, workspace_id)
        if client.kind is ClientKind.UNKNOWN:
            raise NotLetInError(name)
        return caller_of(client, workspace_id, taking_part)

    def _knocked(self, name: str, workspace_id: str) -> Client:
        now = self.clock()
        with self.store.write(None, initiator=name) as unit:
            known = _known(unit, name)
            if known is not None:
                return known
            client = _client_of(unit, name, now)
            unit.clients.save(client)
            # Whoever only looked which tools there are has knocked as well.
            knock = ClientCall(
                client.name, now, "connect", None, workspace_id, "refused", error="not_let_in"
            )
            unit.clients.note_call(knock)
            unit.commit()
        stranger = caller_of(client, workspace_id, Participation())
        attempt = Attempt("client.admit", Tier.WORKSPACE, workspace_id)
        record_refusal(self.store, self.clock, stranger, attempt)
        return client


@dataclass(frozen=True, slots=True)
class NoteCall:
    """Keep what a client asked for, for the author to see."""

    store: Store

    def __call__(self, call: ClientCall) -> None:
        """Note one request; what is no longer among the latest is dropped."""
        with self.store.write(None, initiator=call.client, durable=False) as unit:
            unit.clients.note_call(call)
            unit.commit()


@dataclass(frozen=True, slots=True)
class NoteRefusal:
    """Put down what was refused to a client where no use case has done so."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, verb: str, workspace_id: str, denied: ScopeDeniedError
    ) -> None:
        """Append the event of a refusal, unless there is one already.

        Args:
            caller: Who was refused.
            verb: What it tried, a word of the program's own.
            workspace_id: The workspace that it is bound to.
            denied: The refusal.
        """
        if denied.is_recorded:
            return
        tier = Tier(denied.tier)
        place = None if tier is Tier.ACCOUNT else workspace_id
        record_refusal(self.store, self.clock, caller, Attempt(verb, tier, place))
        denied.is_recorded = True


@dataclass(frozen=True, slots=True)
class RequireAllowance:
    """Hold a client to its limit of writes, in all its processes together."""

    store: Store
    clock: Clock
    settings: SettingsSource

    def __call__(self, name: str) -> None:
        """Return only while the client may write.

        Raises:
            InvalidValueError: It wrote as often as it may within a minute.
        """
        since, most = self.clock() - WRITES_COUNTED_FOR, self.settings().writes_per_minute
        with self.store.read(None) as view:
            if view.clients.writes_since(name, since) >= most:
                raise InvalidValueError("writes", "too_many", most)


def _known(view: StoreView, name: str) -> Client | None:
    try:
        return view.clients.get(name)
    except NotFoundError:
        return None


def _client_of(unit: UnitOfWork, name: str, now: datetime) -> Client:
    """The stored client, or a new one that the author has not said anything about."""
    known = _known(unit, name)
    if known is not None:
        return known
    others = unit.clients.clients()
    if len(others) >= MAX_CLIENTS:
        # Names that nobody let in make room for the next one, the first that came before the rest.
        strangers = [one for one in others if one.kind is ClientKind.UNKNOWN]
        if not strangers:
            raise InvalidValueError("clients", "too_many", MAX_CLIENTS)
        unit.clients.drop(min(strangers, key=lambda one: one.created_at).name)
    return Client(checked_agent(name), ClientKind.UNKNOWN, now)


def _record(
    unit: UnitOfWork,
    caller: Caller,
    kind: EventKind,
    client: Client,
    rights: Collection[Right],
    at: datetime,
) -> None:
    """One event per change: which client, and how many rights of which sort."""
    counts: dict[str, int] = {}
    for right in rights:
        word = f"{right.tier.value}:{right.action.value}"
        counts[word] = counts.get(word, 0) + 1
    workspaces = sorted({one.workspace_id for one in rights if one.workspace_id})
    unit.events.append(
        EventDraft(
            kind,
            caller.name,
            caller.kind.value,
            caller.door.value,
            Tier.ACCOUNT.value,
            ACCOUNT_KEY,
            (client.name, *workspaces),
            counts,
            {"kind": client.kind.value},
        ),
        at,
    )
