"""Clients as the account keeps them, what they may do, and what the author sees as one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_management
from inklings_desktop.domain.access.clients import (
    MAX_CLIENTS,
    Client,
    ClientKind,
    Right,
    caller_of,
    own_role,
)
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.knowledge.domains import Gate
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from inklings_desktop.usecases.ports.store import FindView, Store, StoreView, UnitOfWork
    from inklings_desktop.usecases.ports.transfer import TransferStore, TransferUnit, TransferView


@dataclass(frozen=True, slots=True)
class LookingStore:
    """A store in which nothing can be changed: looking leaves no trace, not even a refusal."""

    store: TransferStore

    def read(self, workspace_id: str | None) -> AbstractContextManager[TransferView]:
        """A snapshot of one file.

        Raises:
            NotFoundError: There is no such workspace.
        """
        return self.store.read(workspace_id)

    def find(self, workspace_id: str | None) -> AbstractContextManager[FindView]:
        """The same of memories to be found."""
        return self.store.find(workspace_id)

    def write(
        self, workspace_id: str | None, *, initiator: str, durable: bool = True
    ) -> AbstractContextManager[TransferUnit]:
        """Refused, whoever asks.

        Raises:
            ScopeDeniedError: Always.
        """
        del initiator, durable
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        raise ScopeDeniedError(Action.WRITE.value, tier.value)


def count_nothing(
    _caller: Caller, _workspace_id: str | None, _ids: Sequence[str], _at: datetime
) -> None:
    """Whoever looks through an agent's eyes reads nothing for it."""


def see_as(store: Store, caller: Caller, client: str, workspace_id: str, role: str = "") -> Caller:
    """Who a client would be at its next request in a workspace, with rights to read alone.

    Raises:
        ScopeDeniedError: The caller is an agent, or the client may read nothing there.
        NotFoundError: There is no such client or workspace, or it does not hold that role.
    """
    authorize_management(caller)
    with store.read(workspace_id) as view:
        taking_part = view.conversations.participation(client)
    with store.read(None) as view:
        known = view.clients.get(client)
    gates = gates_for(store, known, workspace_id)
    seeing = caller_of(known, workspace_id, taking_part, gates).only_reading().acting_as(role)
    if not seeing.may_read_in(workspace_id):
        raise ScopeDeniedError(Action.READ.value, Tier.WORKSPACE.value)
    return seeing


def gates_for(store: Store, client: Client, workspace_id: str) -> tuple[Gate, ...]:
    """What each role of a client may do in the domains of a workspace, its own role first.

    Which roles it holds lies in the account: a workspace that is copied grants nobody anything.
    """
    with store.read(workspace_id) as found:
        if not found.knowledge.domains():
            return (Gate(own_role(client), {}, {}),)
    with store.read(None) as account:
        held = account.knowledge.client_roles(workspace_id, client.name)
    roles = [one.role for one in sorted(held, key=lambda one: not one.is_default)]
    if not any(one.is_default for one in held):
        roles = [own_role(client), *(one for one in roles if one != own_role(client))]
    with store.read(workspace_id) as found:
        gates = found.knowledge.gates(roles)
    return tuple(gates[role] for role in roles)


def known_client(view: StoreView, name: str) -> Client | None:
    """The client of this name; None if it never came."""
    try:
        return view.clients.get(name)
    except NotFoundError:
        return None


def client_or_new(unit: UnitOfWork, name: str, now: datetime) -> Client:
    """The stored client, or a new one that the author has not said anything about."""
    known = known_client(unit, name)
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


def record_rights(
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
