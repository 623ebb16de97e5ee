"""Clients in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.clients import Client, ClientActivity, ClientCall
from inklings_desktop.domain.errors import NotFoundError

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.fake_file import FakeChanges, FakeFile


class FakeClientRepository:
    """The ``ClientRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges) -> None:
        self._file = file
        self._changes = changes

    def clients(self) -> tuple[Client, ...]:
        """All of them, the first known first."""
        return tuple(
            sorted(self._file.clients.values(), key=lambda one: (one.created_at, one.name))
        )

    def get(self, name: str) -> Client:
        """The client with exactly this name."""
        try:
            return self._file.clients[name]
        except KeyError:
            raise NotFoundError("client", name) from None

    def save(self, client: Client) -> None:
        """Store a client with its rights."""
        self._file.clients[client.name] = client
        self._changes.clients = True

    def drop(self, name: str) -> None:
        """Forget a client with its requests."""
        self._file.clients.pop(name, None)
        self._file.calls = tuple(one for one in self._file.calls if one.client != name)
        self._changes.clients = True

    def note_call(self, call: ClientCall) -> None:
        """Keep a request of a client that is known."""
        if call.client not in self._file.clients:
            return
        self._file.calls = (*self._file.calls, call)
        self._changes.clients = True

    def writes_since(self, name: str, since: datetime) -> int:
        """How many requests counted as writes."""
        return sum(
            one.client == name and one.is_write and one.at >= since for one in self._file.calls
        )

    def activity(self, name: str, limit: int) -> ClientActivity:
        """What a client did lately."""
        own = [one for one in reversed(self._file.calls) if one.client == name]
        failed = next((one for one in own if one.error), None)
        return ClientActivity(
            own[0].at if own else None,
            failed.error if failed else "",
            failed.at if failed else None,
            tuple(own[:limit]),
        )
