"""Who provides models: where, by which key, whether they answer, and what can be done about it.

The agent's own process speaks to providers and to the keyring; this asks it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QWidget

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.launching import INSTALLING
from inklings_desktop.agent_settings import BUILT_IN, WIRES, is_safe_address
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.ask import ask, ask_line
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.asking import ask_agent
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    link,
    mark,
    more,
    open_menu,
    sized,
    words,
)
from inklings_desktop.ui.kit.panes.scope_picker import RoomPopup
from inklings_desktop.ui.settings import agents_words as says
from inklings_desktop.ui.settings.frame import card, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.settings.agents_words import ProviderFacts, Tried
    from inklings_desktop.ui.settings.frame import Group

PLACE = "agent.providers"
_MOST_KEY, _MOST_ADDRESS = 4_000, 500
_LINK, _NEEDED = sized(fixedHeight=18), {"cancel", "signIn", "key"}


class Providers:
    """The section *Providers* of a group, which is said again when something here changes.

    Attributes:
        known: From top to bottom.
        tried: What came of asking them, by their ids.
        usage: What was spent in the last days, as the agent tells it.
        has_keyring: Whether keys stay.
        absent: Word of why nothing is known; empty while there is none.
    """

    def __init__(self, group: Group[Any]) -> None:
        """Nothing is known of them yet."""
        self.known: tuple[ProviderFacts, ...] = ()
        self.tried: dict[str, Tried] = {}
        self.usage: tuple[Mapping[str, Any], ...] = ()
        self.has_keyring, self.absent = True, ""
        self._group = group
        self._looking: asyncio.Task[None] | None = None
        self._doing: dict[str, str] = {}

    def card(self, **said: Any) -> Part:
        """Everyone who provides models, and a way to add one."""
        answered_by = {id_ for id_, one in self.tried.items() if not one.word}
        has_none = not any(one.key or one.id in answered_by for one in self.known)
        told = ""
        if self.known and has_none and not any(self._doing.values()):
            told = tr("No provider yet. Everything but conversation works.")
        if self.absent == wire.AGENT_NOT_INSTALLED:
            told = tr("The World Agent is not installed. Install it with: {command}")
        elif self.absent:
            told = tr("The World Agent could not be started, so providers can\u2019t be shown.")
        heads = (tr("Name and way in"), tr("Last test"), "") if self.known else ()
        text = tr("Add a provider\u2026")
        add = button(text, self._add, icon="plus", small=True, name="addProvider", stores=True)
        return card(
            tr("Providers"),
            table(heads, *map(self._row, self.known), least=(0, 138, 0)),
            words(told.format(command=INSTALLING), visible=bool(told), name="noProvider"),
            STRETCH,
            beside=(add,),
            **said,
        )

    def _row(self, one: ProviderFacts) -> tuple[Part, ...]:
        busy, tried = self._doing.get(one.id, ""), self.tried.get(one.id)
        icon, role, said = says.state_of(one, tried, busy)
        spoken = tr("More about {provider}").format(provider=one.title)
        acts, to_do = self._acts(one, busy, tried or says.Tried()), []
        is_shut = tried is not None and tried.word in {wire.KEY_REFUSED, wire.NO_KEY}
        if busy == says.SIGNING_IN or (not busy and (is_shut or not one.can_be_asked)):
            # What it takes to go on stands beside it.
            what, (text, act) = next((id_, act) for id_, act in acts.items() if id_ in _NEEDED)
            heard = "{}: {}".format(text.rstrip("\u2026"), one.title)
            to_do = [link(text, act, name=f"{what}:{one.id}", spoken=heard, dress=_LINK)]
        place = says.place_words(one)
        title = words(one.title, "bodyStrong", way="plain" if place else "elided")
        return (
            below(
                STRETCH,
                across(title, words(place, "caption", way="elided"), STRETCH, spacing=8),
                across(words(says.way_in(one), way="elided"), *to_do, STRETCH, spacing=8),
                STRETCH,
                spacing=0,
            ),
            across(mark(icon, role or "inkSoft", said), STRETCH),
            more(spoken, acts.values, name=f"more:{one.id}"),
        )

    def _acts(self, one: ProviderFacts, busy: str, tried: Tried) -> dict[str, Offer]:
        """What can be done with a provider by now, each with its words."""
        starts, asks = self._group.starts, self._group.asks
        cancel = partial(self._ask, wire.PROVIDER_SIGN_IN, {"id": one.id, "cancel": True})
        can_sign_in = one.signs_in and not one.key
        key = tr("Change key\u2026") if one.key else tr("Add key\u2026")
        acts: dict[str, tuple[object, str, Callable[[], object]]] = {
            "cancel": (busy == says.SIGNING_IN, tr("Cancel"), starts(cancel)),
            "test": (one.can_be_asked, tr("Test"), starts(partial(self._test, one.id))),
            "models": (tried.models, tr("Models\u2026"), partial(self._show_models, one)),
            "signIn": (can_sign_in, tr("Sign in\u2026"), starts(partial(self._sign_in, one))),
            "key": (one.needs_key or one.is_own, key, lambda: asks(self._ask_key(one))),
            "remove": (one.is_own, tr("Remove\u2026"), lambda: asks(self._remove(one))),
        }
        return {id_: (text, act) for id_, (can_be, text, act) in acts.items() if can_be}

    # -- what the agent knows -------------------------------------------------------------------

    def look(self) -> None:
        """Ask who provides models, then those that may answer for theirs; once at a time."""
        if self._looking is None or self._looking.done():
            self._looking = self._group.spawn(self._look())

    async def _look(self) -> None:
        if await self._read():
            usable = [one.id for one in self.known if one.can_be_asked]
            await asyncio.gather(*map(self._test, usable), self._read_usage())

    async def _ask(self, method: str, params: dict[str, Any], *seconds: float) -> dict[str, Any]:
        return await ask_agent(self._group.context, method, params, *seconds)

    async def _read(self) -> bool:
        """Whether it is known who provides models."""
        try:
            told = await self._ask(wire.PROVIDER_LIST, {})
        except AgentError as error:
            self.absent = error.word
        else:
            self.absent, self.has_keyring = "", bool(told["keyring"])
            self.known = tuple(map(says.provider_of, told["providers"]))
        self._group.say_again()
        return not self.absent

    async def _read_usage(self) -> None:
        told = await self._ask(wire.ROUTE_LIST, {"workspace": self._group.workspace_id})
        self.usage = tuple(told["usage"])
        self._group.say_again()

    async def _test(self, id_: str) -> None:
        self._show_doing(id_, says.TESTING)
        try:
            told = await self._ask(wire.PROVIDER_TEST, {"id": id_})
        except AgentError as error:
            self.tried[id_] = says.Tried(word=error.word)
        else:
            models = tuple(str(one["id"]) for one in told["models"])
            self.tried[id_] = says.Tried(models, int(told["ms"]))
        self._show_doing(id_, "")

    async def _changed(self, id_: str) -> None:
        """Say what is so now of a provider whose key or address is another one."""
        self.tried.pop(id_, None)
        self._doing.pop(id_, None)
        if await self._read() and any(one.id == id_ and one.can_be_asked for one in self.known):
            await self._test(id_)

    def _show_doing(self, id_: str, what: str) -> None:
        self._doing[id_] = what
        self._group.say_again()

    # -- what the person does -------------------------------------------------------------------

    def _show_models(self, one: ProviderFacts) -> None:
        """List what a provider offers; one that is chosen is put to a class."""
        over = self._group.view.findChild(QWidget, f"more:{one.id}")
        assert over is not None
        title = tr("Models of {provider}").format(provider=one.title)
        choices, hint = says.model_choices((one,), self.tried, "")[2:], tr("Find a model")
        popup = RoomPopup(self._group.context.theme, choices, None, over, title=title, hint=hint)

        def uses(model: str) -> Iterator[Offer]:
            for id_, (name, _) in says.class_words().items():
                said = tr("Use it as {class_name} model").format(class_name=name)
                yield said, partial(self._group.save, f"agent.classes.{id_}", model)

        popup.chosen.connect(lambda model: open_menu(lambda: uses(model), over))
        popup.closed.connect(popup.deleteLater)
        popup.popup_below(over)
        popup.field.setFocus(Qt.FocusReason.PopupFocusReason)

    async def _sign_in(self, one: ProviderFacts) -> None:
        self._show_doing(one.id, says.SIGNING_IN)
        method, asked = wire.PROVIDER_SIGN_IN, {"id": one.id}
        try:
            began = await self._ask(method, asked)
            QDesktopServices.openUrl(QUrl(str(began["url"])))
            await self._ask(method, asked | {"wait": True}, wire.SIGN_IN_SECONDS)
        except AgentError as error:
            self.tried[one.id] = says.Tried(word=error.word)
            self._show_doing(one.id, "")
        else:
            await self._changed(one.id)

    async def _remove(self, one: ProviderFacts) -> None:
        title = tr("Remove {provider}?").format(provider=one.title)
        told, yes, no = tr("Its key is deleted as well."), tr("Remove"), tr("Keep it")
        window, remove = self._group.context.window, self._group.inklings.preferences.remove_row
        if await ask(window, title, told, yes=yes, no=no, is_destructive=True):
            await self._ask(wire.PROVIDER_FORGET, {"id": one.id})
            if await self._group.change(remove, PLACE, one.id):
                await self._changed(one.id)

    async def _ask_key(self, one: ProviderFacts) -> None:
        async def keep(key: str) -> str:
            self._show_doing(one.id, says.TESTING)
            asked = {"id": one.id} | ({"key": key} if key else {})
            try:
                await self._ask(wire.PROVIDER_SET if key else wire.PROVIDER_FORGET, asked)
            except AgentError as error:
                self._show_doing(one.id, "")
                said = tr("Not kept: {problem}.")
                return said.format(problem=says.problem_words(error.word))
            await self._changed(one.id)
            return ""

        def hide(dialog: TextDialog) -> None:
            assert isinstance(dialog.field, QLineEdit)
            dialog.field.setEchoMode(QLineEdit.EchoMode.Password)

        said = tr("It is tested first, then kept in the system\u2019s keyring.")
        if not self.has_keyring:
            said = tr("It is tested first, then kept until you close the window.")
        if one.key:
            said += " " + tr("Leave empty to delete it.")
        field = Field(("keyDialog", "keyField", "keepKey"), tr("Key"), "", longest=_MOST_KEY)
        title, yes = tr("Key for {provider}").format(provider=one.title), tr("Test and keep")
        window = self._group.context.window
        await ask_line(window, title, said, field, yes=yes, use=keep, dress=hide)

    def _add(self) -> None:
        chosen = {"wire": WIRES[0]}
        names, context = ("addressDialog", "addressField", "addAddress"), self._group.context

        async def add(address: str) -> str:
            if not is_safe_address(address):
                return tr("It must begin with https://, or be on this machine.")
            known = context.inklings.settings.agent.providers
            others = {*BUILT_IN, *(one.id for one in known if one.base_url != address)}
            host = (urlsplit(address).hostname or "").strip(":")
            id_ = next(one for n in count(2) for one in (host, f"{host}-{n}") if one not in others)
            added, put_row = {"id": id_, "base_url": address}, context.inklings.preferences.put_row
            if await self._group.change(put_row, PLACE, added | chosen):
                await self._changed(id_)
            return ""

        def offer(dialog: TextDialog) -> None:
            said = zip(WIRES, (tr("As OpenAI\u2019s"), tr("As Anthropic\u2019s")), strict=True)
            segments, spoken = [Segment(*one) for one in said], tr("How it speaks")
            wires = SegmentedSwitch(context.theme, segments, spoken, parent=dialog)
            wires.setObjectName("addressWire")
            wires.show_choice(chosen["wire"])
            wires.choice_changed.connect(partial(chosen.__setitem__, "wire"))
            dialog.show_between(wires)

        said = tr(
            "How the server speaks, and its address: as OpenAI\u2019s often with /v1 at its end,"
            " as Anthropic\u2019s without."
        )
        field = Field(names, tr("Address"), "https://", longest=_MOST_ADDRESS)
        title, yes, window = tr("Add a provider"), tr("Add"), context.window
        self._group.asks(ask_line(window, title, said, field, yes=yes, use=add, dress=offer))
