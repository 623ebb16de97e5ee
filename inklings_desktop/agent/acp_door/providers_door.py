"""Requests about providers, their keys, and what work goes to which model; of no conversation."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_settings import CLASSES, PROCESSES, route_of
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.agent.ports import RunState
    from inklings_desktop.agent.providers.catalogue import Catalogue, Offer
    from inklings_desktop.agent.providers.keys import Keys
    from inklings_desktop.agent.providers.routing import RoutedModels
    from inklings_desktop.agent_settings import AgentSettings

DAYS_SHOWN = 7
_DAY_MS = 24 * 60 * 60 * 1000


@dataclass(slots=True)
class ProvidersDoor:
    """Answers what is asked about providers.

    Attributes:
        load: Loads them and their keys; always the same objects. It may wait: call it on a thread.
        models: Is told where a key changed.
        settings: What is set.
        run_state: The state of the runs of a workspace, by its id.
        offers: What each provider listed last, by its id.
    """

    load: Callable[[], tuple[Catalogue, Keys]]
    models: RoutedModels
    settings: Callable[[], AgentSettings]
    run_state: Callable[[str], RunState]
    offers: dict[str, tuple[Offer, ...]] = field(default_factory=dict)
    _attempt: asyncio.Task[None] | None = None

    async def list(self, _asked: Mapping[str, Any]) -> dict[str, Any]:
        """Every provider, with what may be told of its key; nobody is asked on the network."""
        return await asyncio.to_thread(self._listed)

    async def set(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Keep a key that its provider accepts; one that is refused changes nothing."""
        from inklings_desktop.agent.providers.keys import Keys

        id_, key = _id(asked), str(asked.get("key") or "")
        catalogue, keys = await asyncio.to_thread(self.load)
        on_trial = Keys(lambda: None, {})
        on_trial.set(id_, key)
        trial = type(catalogue)(on_trial, lambda: (catalogue.provider(id_),))
        await trial.test(id_)
        return await self._kept(keys, id_, key)

    async def forget(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Remove a key from where it was kept."""
        _, keys = await asyncio.to_thread(self.load)
        await asyncio.to_thread(keys.forget, _id(asked))
        self.models.forget()
        return {}

    async def test(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What a provider lists, once it is known that it accepts the key; how long that took."""
        return await self._asked(_id(asked), tests_key=True)

    async def list_models(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What a provider lists, and how long the answer took, in milliseconds."""
        return await self._asked(_id(asked), tests_key=False)

    async def sign_in(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Begin to sign in: the address for the browser. With ``wait``, how it ended.

        ``cancel`` ends an attempt, as another one does.
        """
        attempt = self._attempt
        if asked.get("wait") and attempt is not None:
            try:
                await asyncio.shield(attempt)
            except asyncio.CancelledError:
                if not attempt.cancelled():
                    raise
                raise AgentError(words.SIGN_IN_FAILED, detail=_id(asked)) from None
            return {}
        if attempt is not None:
            attempt.cancel()
        if asked.get("cancel") or asked.get("wait"):
            return {}
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        begun = self._attempt = asyncio.create_task(self._signed_in(_id(asked), address))
        await asyncio.wait((begun, address), return_when=asyncio.FIRST_COMPLETED)
        if not address.done():
            await begun  # nobody can listen on this machine
        return {"url": address.result()}

    async def routes(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Which work goes to which model, and what it cost in a workspace in the last days."""
        settings, usage = self.settings(), []
        if workspace := str(asked.get("workspace") or ""):
            since = round(time.time() * 1000) - DAYS_SHOWN * _DAY_MS
            usage = [
                {
                    "process": one.process,
                    "provider": one.provider,
                    "model": one.model,
                    "calls": one.n_calls,
                    "input_tokens": one.spent.input_tokens,
                    "output_tokens": one.spent.output_tokens,
                    "cost_micro": one.spent.cost_micro,
                    "currency": one.spent.currency,
                }
                for one in await asyncio.to_thread(self.run_state(workspace).spent_on, since)
            ]
        routes = [route_of(settings, one) for one in PROCESSES]
        return {
            "classes": {one: settings.classes.named(one) for one in CLASSES},
            "routes": [
                {"process": one.process, "wanted": one.wanted, "given": one.given}
                | {"model": one.model}
                for one in routes
            ],
            "usage": usage,
        }

    def leave(self) -> None:
        """Wait for no browser any more."""
        if self._attempt is not None:
            self._attempt.cancel()

    def _listed(self) -> dict[str, Any]:
        catalogue, keys = self.load()
        own = {one.id for one in self.settings().providers}
        told = []
        for one in catalogue.providers:
            state = catalogue.key_state(one.id)
            told.append(
                {
                    "id": one.id,
                    "title": one.title,
                    "address": one.address,
                    "key": "" if state.where == "nowhere" else state.where,
                    "ends": state.last,
                    "needs_key": one.needs_key,
                    "signs_in": one.can_sign_in,
                    "is_local": one.is_local,
                    "is_own": one.id in own,
                }
            )
        return {"keyring": keys.is_lasting, "providers": told}

    async def _asked(self, id_: str, *, tests_key: bool) -> dict[str, Any]:
        catalogue, _ = await asyncio.to_thread(self.load)
        from inklings_desktop.agent.providers.catalogue import is_running

        provider = catalogue.provider(id_)
        if provider.is_local and not await is_running(provider):
            raise AgentError(words.PROVIDER_UNREACHABLE, retry=True, detail=id_)
        if tests_key and provider.can_sign_in:  # it lists its models to everybody
            await catalogue.test(id_)
        began = time.monotonic()
        found = self.offers[id_] = await catalogue.offers(id_)
        ms = round((time.monotonic() - began) * 1000)
        return {"models": [_offer(one) for one in found], "ms": ms}

    async def _signed_in(self, id_: str, address: asyncio.Future[str]) -> None:
        """Tell the address once somebody listens there, and keep the key that comes of it."""
        from inklings_desktop.agent.providers.sign_in import signing_in

        _, keys = await asyncio.to_thread(self.load)
        async with signing_in() as attempt:
            address.set_result(attempt.address)
            key = await attempt.key()
        await self._kept(keys, id_, key)

    async def _kept(self, keys: Keys, id_: str, key: str) -> dict[str, Any]:
        state = await asyncio.to_thread(keys.set, id_, key)
        self.models.forget()
        return {"key": state.where, "ends": state.last}


def _id(asked: Mapping[str, Any]) -> str:
    return str(asked.get("id") or "")


def _offer(one: Offer) -> dict[str, Any]:
    return {
        "id": one.name,
        "title": one.title,
        "window": one.window,
        "input_price": one.input_price,
        "output_price": one.output_price,
        "has_tools": one.has_tools,
    }
