"""What the use cases need to know of the programs that agents come in by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.clients import Client, ClientActivity, ClientCall


class ClientRepository(Protocol):
    """Clients, their rights and their latest requests; in the account's file only."""

    def clients(self) -> tuple[Client, ...]:
        """All of them, the first known first."""
        ...

    def get(self, name: str) -> Client:
        """The client with exactly this name.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def save(self, client: Client) -> None:
        """Store a client with its rights, new or changed."""
        ...

    def drop(self, name: str) -> None:
        """Forget a client with its rights and requests; nothing happens if there is none."""
        ...

    def note_call(self, call: ClientCall) -> None:
        """Keep a request among the latest of its client; the oldest leave."""
        ...

    def writes_since(self, name: str, since: datetime) -> int:
        """How many of a client's kept requests counted as writes since an instant."""
        ...

    def activity(self, name: str, limit: int) -> ClientActivity:
        """What a client did lately; at most ``limit`` requests of it."""
        ...
