"""The providers, what they offer, and models of them that can be asked."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from weakref import WeakSet

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.anthropic_wire import AnthropicWire
from inklings_desktop.agent.providers.connecting import is_loopback
from inklings_desktop.agent.providers.openai_wire import OpenAIWire
from inklings_desktop.agent.providers.problems import problem
from inklings_desktop.agent.providers.sign_in import PROVIDER as SIGN_IN
from inklings_desktop.agent.providers.wire import UNKNOWN_WINDOW
from inklings_desktop.agent_settings import BUILT_IN as KEYS
from inklings_desktop.agent_settings import TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inklings_desktop.agent.planning import Json
    from inklings_desktop.agent.providers.keys import Keys, KeyState
    from inklings_desktop.agent.providers.wire import Wire

CHAT: Final = "openai_chat"
MESSAGES: Final = "anthropic_messages"
OLLAMA: Final = "ollama"
TURN_TOKENS: Final = (12_000, 600)
"""What a turn of two calls takes in and writes as a rule."""
PROBE_SECONDS: Final = 0.3
_WIRES: Final[Mapping[str, type[Wire]]] = {CHAT: OpenAIWire, MESSAGES: AnthropicWire}
_LISTINGS: Final = {CHAT: "/models", MESSAGES: "/v1/models?limit=1000"}
_EFFORT: Final = {"reasoning", "reasoning_effort"}
_PRICE_SCALE: Final = 1_000_000 * 1_000_000
"""From dollars a token to millionths of a dollar for a million tokens."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of models.

    Attributes:
        wire: ``openai_chat`` or ``anthropic_messages``.
        address: The base of its paths.
        variable: Of the environment, which may hold its key; empty where it may do without one.
    """

    id: str
    title: str
    wire: str
    address: str
    variable: str = ""

    @property
    def is_local(self) -> bool:
        """Whether what it is sent stays on this machine."""
        return is_loopback(self.address)

    @property
    def needs_key(self) -> bool:
        """Whether it answers nobody without a key."""
        return bool(self.variable)

    @property
    def can_sign_in(self) -> bool:
        """Whether a key can be had by ``sign_in``."""
        return self.id == SIGN_IN

    @property
    def listing(self) -> str:
        """Where its models are listed: below its address, or an address of its own."""
        if self.id == OLLAMA:
            return self.address.removesuffix("/v1") + "/api/tags"
        return _LISTINGS[self.wire]


BUILT_IN: Final = (
    Provider(
        "anthropic", TITLES["anthropic"], MESSAGES, "https://api.anthropic.com", KEYS["anthropic"]
    ),
    Provider("openai", TITLES["openai"], CHAT, "https://api.openai.com/v1", KEYS["openai"]),
    Provider("xai", TITLES["xai"], CHAT, "https://api.x.ai/v1", KEYS["xai"]),
    Provider(SIGN_IN, TITLES[SIGN_IN], CHAT, "https://openrouter.ai/api/v1", KEYS[SIGN_IN]),
    Provider(OLLAMA, TITLES[OLLAMA], CHAT, "http://127.0.0.1:11434/v1"),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that a provider lists; None for what it does not tell.

    Attributes:
        name: As its provider names it.
        window: Tokens that it takes in all.
        input_price: Millionths of a dollar for a million tokens.
        output_price: The same for what it writes.
        has_tools: Whether it can call tools.
        has_effort: Whether it can be told how much to think.
    """

    name: str
    title: str
    window: int | None = None
    input_price: int | None = None
    output_price: int | None = None
    has_tools: bool | None = None
    has_effort: bool | None = None

    @property
    def turn_micro(self) -> int | None:
        """About what a turn costs, in millionths of a dollar; None for not told."""
        if self.input_price is None or self.output_price is None:
            return None
        n_read, n_written = TURN_TOKENS
        return (n_read * self.input_price + n_written * self.output_price) // 1_000_000


class Catalogue:
    """The built-in providers and those that were added, with their keys.

    What is added never takes the place of a built-in one: its key would go elsewhere.
    """

    def __init__(self, keys: Keys, added: Callable[[], Iterable[Provider]] = tuple) -> None:
        """Offer the built-in providers, and what is added at the time."""
        self._keys = keys
        self._added = added
        self._windows: dict[tuple[str, str], int] = {}
        self._made: WeakSet[Wire] = WeakSet()

    @property
    def providers(self) -> tuple[Provider, ...]:
        """Every provider, the built-in ones first."""
        built_in = {one.id for one in BUILT_IN}
        return (*BUILT_IN, *(one for one in self._added() if one.id not in built_in))

    def provider(self, id_: str) -> Provider:
        """One by its id.

        Raises:
            AgentError: ``model_unknown``: there is none.
        """
        for one in self.providers:
            if one.id == id_:
                return one
        raise problem(words.MODEL_UNKNOWN, id_)

    def model(self, provider: str, model: str) -> Wire:
        """A model that can be asked; its key is looked for when it is asked first.

        Raises:
            AgentError: ``model_unknown``, ``address_refused``.
        """
        return self._wire(self.provider(provider), model)

    def key_state(self, provider: str) -> KeyState:
        """Where a provider's key is. It may wait for the system: call it on a thread."""
        return self._keys.describe(provider, self.provider(provider).variable)

    async def offers(self, provider: str) -> tuple[Offer, ...]:
        """What a provider lists, in its order; every model made here knows its window then.

        Raises:
            AgentError: It lists nothing: its key is missing, say.
        """
        one = self.provider(provider)
        found = await self._wire(one).get(one.listing, _offers)
        self._windows |= {(one.id, each.name): each.window for each in found if each.window}
        for wire in self._made:
            wire.window = self._windows.get((wire.provider, wire.model), wire.window)
        return found

    async def test(self, provider: str) -> None:
        """Ask a provider for what costs nothing and only a key that is accepted gets.

        Raises:
            AgentError: It does not answer, or refuses the key.
        """
        one = self.provider(provider)
        await self._wire(one).get("/key" if one.can_sign_in else one.listing, dict)

    def _wire(self, provider: Provider, model: str = "") -> Wire:
        def key() -> str:
            found = self._keys.find(provider.id, provider.variable)
            if provider.needs_key and not found:
                raise problem(words.NO_KEY, provider.id)
            return found

        window = self._windows.get((provider.id, model), UNKNOWN_WINDOW)
        make = _WIRES[provider.wire]
        wire = make(provider.id, model, address=provider.address, key=key, window=window)
        # Ollama passes on what is meant for such a model.
        wire.is_local &= not (provider.id == OLLAMA and model.endswith("cloud"))
        self._made.add(wire)
        return wire


async def is_running(provider: Provider, seconds: float = PROBE_SECONDS) -> bool:
    """Whether somebody listens at a provider's address of this machine; no library is needed."""
    parts = urlsplit(provider.address)
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.close()
            return True
    return False


def _offers(told: Json) -> tuple[Offer, ...]:
    """The models of a listing, in any of its forms; what has no name is left out."""
    rows = told.get("data") or told.get("models") or ()
    return tuple(_offer(row) for row in rows if row.get("id") or row.get("name"))


def _offer(row: Mapping[str, Any]) -> Offer:
    name = row.get("id") or row["name"]
    windows = (row.get(key) for key in ("context_length", "max_input_tokens", "max_model_len"))
    can = row.get("supported_parameters") or row.get("capabilities")
    prices = row.get("pricing") or {}
    return Offer(
        name,
        row.get("display_name") or row.get("name") or name,
        next(filter(None, windows), None),
        _price(prices.get("prompt")),
        _price(prices.get("completion")),
        "tools" in can if isinstance(can, list) else None,
        bool(_EFFORT & set(can)) if isinstance(can, list) else None,
    )


def _price(told: str | None) -> int | None:
    """A price for a million tokens; None where it changes, which is told as less than nothing."""
    price = -1.0 if told is None else float(told)
    return round(price * _PRICE_SCALE) if price >= 0 else None
