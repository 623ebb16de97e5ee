"""Where the key of a provider is: in the system's keyring, in this process, in the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from inklings_desktop.acp_wire import words
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SERVICE: Final = "Inklings Desktop"
N_SHOWN: Final = 4
_SHORT: Final = 12
"""A key with fewer characters shows none of them."""
_NO_KEYRING: Final = ("null", "fail", "plaintext", "keyrings.alt")
"""Parts of the names of keyrings that keep nothing, or keep it for everybody to read."""

Where: TypeAlias = Literal["keyring", "process", "environment", "nowhere"]


@dataclass(frozen=True, slots=True)
class KeyState:
    """What may be told about a key.

    Attributes:
        where: ``process`` for one that is gone when the agent ends.
        last: Its last four characters; empty for a short one.
    """

    where: Where
    last: str = ""


class Keys:
    """The keys of the providers. Every method may wait for the system: call it on a thread."""

    def __init__(
        self,
        keyring: Callable[[], Any | None] | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """Keep keys in a keyring, by default the system's; without one for this process only."""
        self._keyring = keyring or system_keyring
        self._environ = environ
        self._held: dict[str, str] = {}

    @property
    def is_lasting(self) -> bool:
        """Whether a key that is set is there after the agent has ended."""
        return self._keyring() is not None

    def find(self, provider: str, variable: str = "") -> str:
        """The key of a provider; empty where there is none.

        Args:
            provider: Its id.
            variable: Of the environment, looked at last.
        """
        return self._found(provider, variable)[1]

    def describe(self, provider: str, variable: str = "") -> KeyState:
        """Where the key of a provider is, and how it ends."""
        where, key = self._found(provider, variable)
        return KeyState(where, key[-N_SHOWN:] if len(key) >= _SHORT else "")

    def set(self, provider: str, key: str) -> KeyState:
        """Keep a key, and say where it is.

        Raises:
            AgentError: ``invalid_value``: it cannot be a key.
        """
        key = key.strip()
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise AgentError(words.INVALID_VALUE)
        self.forget(provider)
        if self._asked("set_password", provider, key) is None:
            self._held[provider] = key
        return self.describe(provider)

    def forget(self, provider: str) -> None:
        """Remove a key from where it can be removed; one of the environment stays."""
        self._held.pop(provider, None)
        self._asked("delete_password", provider)

    def _found(self, provider: str, variable: str) -> tuple[Where, str]:
        if key := self._held.get(provider):
            return "process", key
        if key := self._asked("get_password", provider):
            return "keyring", key
        key = self._environ.get(variable, "").strip()
        return ("environment", key) if key else ("nowhere", "")

    def _asked(self, verb: str, provider: str, *key: str) -> Any:
        """What the keyring answers, True for nothing to say; None where it does not do it."""
        keyring = self._keyring()
        if keyring is None:
            return None
        try:
            found = getattr(keyring, verb)(SERVICE, provider, *key)
        except Exception:  # noqa: BLE001 - each keyring fails in its own way, when locked or gone
            return None
        return found if verb == "get_password" else True


def system_keyring() -> Any | None:
    """The keyring of the system; None where there is none that keeps a secret."""
    import keyring

    return keeping(keyring.get_keyring())


def keeping(keyring: Any) -> Any | None:
    """A keyring that keeps a secret: this one, or the first that it asks; None for none."""
    for one in getattr(keyring, "backends", None) or [keyring]:
        kind = type(one)
        name = f"{kind.__module__}.{kind.__qualname__}".lower()
        if not any(part in name for part in _NO_KEYRING):
            return one
    return None
