"""By what a client shows over HTTP which one it is; over standard input it is told to us."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller


class ClientTokens(Protocol):
    """Keeps one bearer token for each client that was ever given one."""

    def get(self, client: str) -> str:
        """The token of a client, made at the first call.

        Raises:
            StorageError: It can be neither read nor made.
        """
        ...

    def renew(self, client: str) -> str:
        """A new token in the place of the one before, which is good for nothing from now on.

        Raises:
            StorageError: It cannot be kept; the one before stays.
        """
        ...

    def remove(self, client: str) -> bool:
        """Take the token of a client away; whether there was one.

        Raises:
            StorageError: It cannot be taken away.
        """
        ...

    def client_of(self, token: str) -> str | None:
        """Whose token this is; None for whatever is nobody's."""
        ...


@dataclass(frozen=True, slots=True)
class ShowClientToken:
    """What a client has to show over HTTP."""

    tokens: ClientTokens

    def __call__(self, caller: Caller, name: str, *, renew: bool = False) -> str:
        """The bearer token of a client; the same until it is renewed or removed.

        A token says who comes, never what that client may do.

        Args:
            caller: Who asks.
            name: The client's name, exactly as it is configured.
            renew: Whether it gets a new one, and the one before is good for nothing.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name cannot be kept.
            StorageError: The token can be neither read nor kept.
        """
        authorize_management(caller)
        client = checked_agent(name)
        return self.tokens.renew(client) if renew else self.tokens.get(client)


@dataclass(frozen=True, slots=True)
class RemoveClientToken:
    """No longer serve a client over HTTP."""

    tokens: ClientTokens

    def __call__(self, caller: Caller, name: str) -> bool:
        """Take the token of a client away; whether there was one.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: No client can have this name.
            StorageError: It cannot be taken away.
        """
        authorize_management(caller)
        return self.tokens.remove(checked_agent(name))


@dataclass(frozen=True, slots=True)
class FindTokenOwner:
    """Who comes with a token."""

    tokens: ClientTokens

    def __call__(self, token: str) -> str | None:
        """The client that this is the token of; None for whatever is nobody's."""
        return self.tokens.client_of(token)
