"""Who may think with this memory: agents, providers of models, which work goes where, for how much.

The agent's own process speaks to providers and to the keyring; this asks it, once it is on show.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.launching import INSTALLING
from inklings_desktop.agent_client.presets import Agent
from inklings_desktop.agent_settings import PROCESSES, WIRES, is_safe_address
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.dialogs.ask import answered, begin_asking
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.asking import ask_agent
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.kit.page.parts import across, link, words
from inklings_desktop.ui.kit.panes.banner import Banner, BannerContent
from inklings_desktop.ui.settings import agents_cards as cards
from inklings_desktop.ui.settings.agents_list import AgentsList, agents_of
from inklings_desktop.ui.settings.agents_words import (
    SIGNING_IN,
    TESTING,
    ProviderFacts,
    Tried,
    absence_words,
    problem_words,
    provider_of,
)
from inklings_desktop.ui.settings.frame import Group, card, row, rows

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part

_MOST_KEY, _MOST_ADDRESS = 4_000, 500


class AgentsGroup(Group[tuple[Agent, ...]]):
    """Settings hold at once; providers are asked about once somebody looks."""

    watches = About.SETTINGS
    _providers: tuple[ProviderFacts, ...] = ()
    _usage: tuple[Mapping[str, Any], ...] = ()
    _has_keyring = True
    _absent = ""
    """Word of why no provider can be shown; empty while there is none."""
    _is_looking = False

    def __init__(self, context: Context, parent: QWidget) -> None:
        self._tried: dict[str, Tried] = {}
        self._doing: dict[str, str] = {}
        self._agents = AgentsList(context, self.read_again)
        super().__init__(context, parent)

    def heading(self) -> tuple[str, str]:
        return (
            tr("Agents and models"),
            tr(
                "Who may think with this memory, and with which model. A turn is sent to the one"
                " you choose and to nobody else."
            ),
        )

    def on_shown(self, *, is_shown: bool) -> None:
        super().on_shown(is_shown=is_shown)
        if is_shown and not self._is_looking:
            self.spawn(self._look())

    def read_content(self) -> tuple[Agent, ...]:
        return agents_of(self.inklings)

    def said(self, content: tuple[Agent, ...] | None) -> tuple[Part, ...]:
        settings = self.inklings.settings.agent
        answered_by = {id_ for id_, one in self._tried.items() if not one.word}
        has_none = not any(one.key or one.id in answered_by for one in self._providers)
        told = ""
        if self._providers and has_none and not any(self._doing.values()):
            told = tr("No provider yet. Everything but conversation works.")
        if self._absent:
            told = absence_words(self._absent, INSTALLING)
        unkept = BannerContent(
            "ochre",
            tr("This system has no keyring."),
            tr("The key is kept until you close the window."),
        )
        add = link(tr("Add another provider\u2026"), self._add, name="addProvider", stores=True)
        policies = (
            Segment("decide", tr("It decides")),
            Segment("ask", tr("It asks first")),
            Segment("never", tr("It writes none")),
        )
        return (
            part(
                Banner,
                LOOK,
                how={"inset": True},
                name="noKeyring",
                content=None if self._has_keyring else unkept,
            ),
            self._agents.card(content or (), has_ours=self._absent != wire.AGENT_NOT_INSTALLED),
            cards.providers_card(
                self._providers,
                self._tried,
                self._doing,
                self._act,
                words(
                    tr("keys stay in the system\u2019s keyring"),
                    way="plain",
                    visible=self._has_keyring,
                ),
                words(told, visible=bool(told), name="noProvider"),
                across(add, STRETCH),
            ),
            cards.classes_card(
                settings,
                self._providers,
                self._tried,
                lambda id_, model: self.save(f"agent.classes.{id_}", model),
                words(tr("Ask before a turn costs more than"), way="plain"),
                self.setting("turnCost"),
                words(tr("or a day more than"), way="plain"),
                self.setting("dailyCost"),
            ),
            cards.routing_card(
                [self.setting(f"route:{one}", *cards.segments()) for one in PROCESSES],
                settings,
                self._usage,
            ),
            card(
                "",
                rows(row(tr("New memories"), self.setting("writePolicy", *policies))),
                across(
                    words(tr("What an agent may read is under Access."), way="plain"),
                    link(tr("Open Access"), lambda: self.context.go(ToTab("access"))),
                    STRETCH,
                    spacing=8,
                ),
            ),
        )

    # -- what the agent knows -------------------------------------------------------------------

    async def _look(self) -> None:
        """Ask who provides models, then those that may answer for theirs."""
        self._is_looking = True
        try:
            if await self._read_providers():
                usable = [one.id for one in self._providers if one.can_be_asked]
                await asyncio.gather(*map(self._test, usable), self._read_usage())
        finally:
            self._is_looking = False

    async def _read_providers(self) -> bool:
        """Whether it is known who provides models."""
        try:
            told = await ask_agent(self.context, wire.PROVIDER_LIST, {})
        except AgentError as error:
            self._absent = error.word
        else:
            self._absent = ""
            self._has_keyring = bool(told["keyring"])
            self._providers = tuple(map(provider_of, told["providers"]))
        self.say_again()
        return not self._absent

    async def _read_usage(self) -> None:
        told = await ask_agent(self.context, wire.ROUTE_LIST, {"workspace": self.workspace_id})
        self._usage = tuple(told["usage"])
        self.say_again()

    async def _test(self, id_: str) -> None:
        self._show_doing(id_, TESTING)
        try:
            told = await ask_agent(self.context, wire.PROVIDER_TEST, {"id": id_})
        except AgentError as error:
            self._tried[id_] = Tried(word=error.word)
        else:
            models = tuple(str(one["id"]) for one in told["models"])
            self._tried[id_] = Tried(models, int(told["ms"]))
        self._show_doing(id_, "")

    async def _changed(self, id_: str) -> None:
        """Say what is so now of a provider whose key or address is another one."""
        self._tried.pop(id_, None)
        self._doing.pop(id_, None)
        if await self._read_providers():
            mine = (one for one in self._providers if one.id == id_ and one.can_be_asked)
            for one in mine:
                await self._test(one.id)

    def _show_doing(self, id_: str, what: str) -> None:
        self._doing[id_] = what
        self.say_again()

    # -- what the person does -------------------------------------------------------------------

    def _act(self, what: str, id_: str) -> None:
        match what:
            case cards.TEST:
                self.spawn(self._test(id_))
            case cards.SIGN_IN:
                self.spawn(self._sign_in(id_))
            case cards.CANCEL:
                self.spawn(
                    ask_agent(self.context, wire.PROVIDER_SIGN_IN, {"id": id_, "cancel": True})
                )
            case cards.REMOVE:
                self.spawn(self._remove(id_))
            case cards.KEY:
                self._ask_key(next(one for one in self._providers if one.id == id_))

    async def _sign_in(self, id_: str) -> None:
        self._show_doing(id_, SIGNING_IN)
        ask, method = partial(ask_agent, self.context), wire.PROVIDER_SIGN_IN
        try:
            began = await ask(method, {"id": id_})
            QDesktopServices.openUrl(QUrl(str(began["url"])))
            await ask(method, {"id": id_, "wait": True}, wire.SIGN_IN_SECONDS)
        except AgentError as error:
            self._tried[id_] = Tried(word=error.word)
            self._show_doing(id_, "")
        else:
            await self._changed(id_)

    async def _remove(self, id_: str) -> None:
        await ask_agent(self.context, wire.PROVIDER_FORGET, {"id": id_})
        remove = self.inklings.preferences.remove_row
        if await self.change(remove, "agent.providers", id_):
            await self._changed(id_)

    def _ask_key(self, provider: ProviderFacts) -> None:
        async def keep(key: str) -> str:
            method = wire.PROVIDER_SET if key else wire.PROVIDER_FORGET
            self._show_doing(provider.id, TESTING)
            try:
                told = {"id": provider.id} | ({"key": key} if key else {})
                await ask_agent(self.context, method, told)
            except AgentError as error:
                self._show_doing(provider.id, "")
                said = tr("Not kept: {problem}.")
                return said.format(problem=problem_words(error.word))
            await self._changed(provider.id)
            return ""

        said = tr("It is tested first, then kept in the system\u2019s keyring.")
        if not self._has_keyring:
            said = tr("It is tested first, then kept until you close the window.")
        if provider.key:
            said += " " + tr("Leave empty to delete it.")
        field = Field(("keyDialog", "keyField", "keepKey"), tr("Key"), "", longest=_MOST_KEY)
        title = tr("Key for {provider}").format(provider=provider.title)
        self._begin(self._asked(title, said, field, tr("Test and keep"), keep))

    def _add(self) -> None:
        async def add(address: str) -> str:
            if not is_safe_address(address):
                return tr("It must begin with https://, or be on this machine.")
            id_ = (urlsplit(address).hostname or "").strip(":")
            added = {"id": id_, "wire": WIRES[0], "base_url": address}
            if await self.change(self.inklings.preferences.put_row, "agent.providers", added):
                await self._changed(id_)
            return ""

        said = tr("The address of a server that speaks as OpenAI\u2019s does, often ending in /v1.")
        names = ("addressDialog", "addressField", "addAddress")
        field = Field(names, tr("Address"), "https://", longest=_MOST_ADDRESS)
        self._begin(self._asked(tr("Add another provider"), said, field, tr("Add"), add))

    async def _asked(
        self, title: str, said: str, field: Field, yes: str, use: Callable[[str], Awaitable[str]]
    ) -> None:
        """Ask for a line until it can be used; what ``use`` answers is why it cannot."""
        refusal = ""
        while True:
            window, no = self.context.window, tr("Cancel")
            dialog = TextDialog(window, title, said, field, yes=yes, no=no, on_enter=True)
            if isinstance(dialog.field, QLineEdit) and field.names[0] == "keyDialog":
                dialog.field.setEchoMode(QLineEdit.EchoMode.Password)
            if refusal:
                dialog.refuse(refusal)
            if not await answered(dialog) or not (refusal := await use(dialog.typed.strip())):
                return

    def _begin(self, action: Coroutine[Any, Any, None]) -> None:
        begin_asking(self.background, action, self.context.window)
