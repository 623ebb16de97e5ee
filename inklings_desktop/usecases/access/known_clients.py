"""Clients as the account keeps them, and the record of what they may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.access.clients import (
    MAX_CLIENTS,
    Client,
    ClientKind,
    Right,
)
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.domain.memory_values import checked_agent

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.access.clients import Right
    from inklings_desktop.usecases.ports.store import (
        StoreView,
        UnitOfWork,
    )


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
