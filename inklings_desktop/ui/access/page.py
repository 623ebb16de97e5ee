"""The Access tab: clients by tier, one client's rights, what it asked for, and its drill."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QBoxLayout, QWidget

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.access.cards import ABOVE, CARD_SIDE, calls_card, switch_row
from inklings_desktop.ui.access.connection import ConnectionProcess
from inklings_desktop.ui.access.drill import DrillProcess
from inklings_desktop.ui.access.matrix import PADDING, ClientTable, MatrixHead
from inklings_desktop.ui.access.state import AccessContent
from inklings_desktop.ui.access.view import CONNECT, GAP, AccessView
from inklings_desktop.ui.access.words import client_detail, client_row
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.accessibility import order_tabs
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.text_layout import shortened
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.declared import LOOK, Declared, part
from inklings_desktop.ui.kit.page.destinations import ToClientsView, ToForgetWritten, ToTab
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    choice,
    flow,
    hairline,
    link,
    mark,
    opening,
    plate,
    words,
)
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.ui.access.state import ClientDetail, ClientRow, RightSwitch
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.usecases.bundle import Inklings

_MATRIX, _RIGHTS = "clientMatrix", "clientRights"
_LONGEST_NAME = 28
_READS_ACCOUNT = Right(Tier.ACCOUNT, None, Action.READ)


class AccessPage(Declared[AccessContent]):
    """Who may do what; read while somebody looks, and again when clients or rooms change."""

    watches = About.CLIENTS | About.ROOMS
    view: AccessView

    def __init__(self, context: Context, parent: QWidget) -> None:
        self._chosen, self._shows_scrubs = "", False
        self._stops: list[str] = []
        view = AccessView(context.theme, parent)
        super().__init__(context, view, view.stack)
        self.connection = ConnectionProcess(context, self)
        self.drill = DrillProcess(context, self)
        view.turned.connect(self.say_again)
        view.empty.action_requested.connect(
            lambda key: self.connect_new() if key == CONNECT else self.read_again()
        )

    # -- what is on show ----------------------------------------------------------------------

    def read_content(self) -> AccessContent:
        """Every client with its rights and latest requests.

        Raises:
            InklingsError: A file cannot be read.
        """
        inklings, here = self.inklings, self.workspace_id
        found = inklings.clients.list()
        channels = inklings.places.channels(here, include_archived=True)
        now = inklings.clock()
        return AccessContent(
            tuple(client_row(one, here, channels, now) for one in found),
            {one.client.name: client_detail(one, here, channels, now) for one in found},
        )

    def show_content(self, content: AccessContent) -> None:
        self.view.show_front(content)
        self.content = content
        self.look_at(self._chosen)

    def show_failure(self, error: InklingsError) -> None:
        """Say in place of the clients why they cannot be shown."""
        self.show_content(AccessContent(failure=message_of(error)))

    def detail(self) -> ClientDetail | None:
        """The chosen client; None while there is none."""
        if self.content is None or not self.content.rows:
            return None
        details = self.content.details
        return details.get(self._chosen) or details[self.content.rows[0].name]

    @Slot(str)
    def look_at(self, name: str) -> None:
        """Choose another client, and show its rights."""
        self._chosen = name
        if (detail := self.detail()) is not None:
            self._chosen = detail.name
            self._shows_scrubs |= any(one.is_scrub and one.is_on for one in detail.switches)
        self.say_again()

    def said(self, content: AccessContent | None) -> tuple[Inside, ...]:
        detail = self.detail()
        if content is None or detail is None:
            return ()
        way = QBoxLayout.Direction
        return (
            self._matrix(content.rows, detail.name),
            across(
                self._rights(detail),
                calls_card(detail.calls),
                spacing=GAP,
                direction=way.LeftToRight if self.view.is_wide else way.TopToBottom,
            ),
            STRETCH,
        )

    @Slot()
    def say_again(self) -> None:
        super().say_again()
        detail = self.detail()
        stops = [] if detail is None else [one.key for one in self._switches(detail)]
        if stops != self._stops:  # what came later is where it is read, and not at the end
            self._stops = stops
            order_tabs(self.view)

    def arrive(self, where: Destination) -> None:
        if isinstance(where, ToTab):
            self.look_at(where.row)

    def panes(self) -> Panes:
        view, detail = self.view, self.detail()
        rights = view.findChild(QWidget, _RIGHTS)
        matrix = view.findChild(QWidget, _MATRIX)
        if view.is_empty or detail is None or rights is None or matrix is None:
            return [(view, view.focus_clients)]
        first = rights.findChild(QWidget, f"right-{detail.switches[0].key}")
        assert first is not None
        enter = partial(first.setFocus, Qt.FocusReason.ShortcutFocusReason)
        return [(matrix, view.focus_clients), (rights, enter)]

    def _matrix(self, rows: tuple[ClientRow, ...], chosen: str) -> Part:
        return plate(
            part(MatrixHead, LOOK, rows=rows),
            part(
                ClientTable,
                LOOK,
                rows=rows,
                current=chosen,
                client_chosen=self.look_at,
                looked=self._view_as,
            ),
            across(
                link(
                    tr("Connect another client\u2026"),
                    self.connect_new,
                    name="connectClient",
                    stores=True,
                ),
                STRETCH,
                margins=(PADDING, 4, PADDING, 5),
            ),
            box=vbox,
            kind="card",
            margins=1,
            spacing=0,
            name=_MATRIX,
        )

    def _rights(self, detail: ClientDetail) -> Part:
        """Everything the author can give one client."""
        name = shortened(spelled_out(detail.name), _LONGEST_NAME).replace("&", "&&")
        small = partial(button, small=True)
        return plate(
            across(
                mark(
                    detail.icon, "inkSoft", detail.name, "title", inked=False, edge=20, place=(1,)
                ),
                small(
                    tr("Revoke all"),
                    self.starts(partial(self._revoke_all, detail.name)),
                    kind="dangerOutline",
                    name="revokeAll",
                    stores=True,
                    enabled=detail.has_rights,
                ),
                spacing=10,
            ),
            10,
            flow(
                small(
                    tr("View as"),
                    self._view_as,
                    icon="eye",
                    name="viewAs",
                    toolTip=tr(
                        "The whole window as this client sees it (V in the list of clients)"
                    ),
                ),
                small(
                    tr("Canary drill\u2026"),
                    lambda: self.drill.open(detail.name, self.workspace_id),
                    name="canaryDrill",
                    toolTip=tr("Try whether anything crosses to this client"),
                ),
                small(
                    tr("Connection\u2026"),
                    lambda: self.connection.open(self.workspace_id, detail),
                    stores=True,
                ),
                small(
                    tr("Forget what {name} wrote\u2026").format(name=name),
                    lambda: self.context.go(ToForgetWritten(detail.name, self.workspace_id)),
                    icon="eraser",
                    name="forgetWritten",
                    stores=True,
                    toolTip=tr("Counts it first, here and in your account; you can undo it"),
                ),
                gap=8,
            ),
            10,
            across(
                choice(
                    tr("What it is"),
                    Segment(
                        ClientKind.EXTERNAL.value,
                        tr("External client"),
                        tooltip=tr("Reads this workspace, where it takes part; not the account."),
                    ),
                    Segment(
                        ClientKind.WORLD_AGENT.value,
                        tr("My World Agent"),
                        tooltip=tr(
                            "Reads all four tiers, writes all but the account, proposes everywhere."
                        ),
                    ),
                    now=detail.kind.value,
                    wanted=partial(self._want_kind, detail),
                    stores=True,
                ),
                words(detail.elsewhere, way="elided", visible=bool(detail.elsewhere), place=(1,)),
                STRETCH,
                spacing=12,
            ),
            12,
            below(
                *(
                    switch_row(one, partial(self._want, detail.name, one))
                    for one in self._switches(detail)
                ),
                spacing=0,
            ),
            hairline(),
            8,
            across(
                opening(
                    LinkButton,
                    tr("Open one channel\u2026"),
                    offers=self.channels,
                    stores=True,
                    visible=bool(detail.channels),
                ),
                link(
                    tr("Hide scrub rights") if self._shows_scrubs else tr("Scrub rights\u2026"),
                    self._turn_scrubs,
                    name="scrubRights",
                ),
                STRETCH,
                spacing=18,
            ),
            STRETCH,
            box=vbox,
            kind="card",
            margins=(CARD_SIDE, 14, CARD_SIDE, 14),
            spacing=0,
            name=_RIGHTS,
            spoken=tr("Rights of {name}").format(name=detail.name),
            place=(1, ABOVE),
        )

    def _switches(self, detail: ClientDetail) -> list[RightSwitch]:
        return [one for one in detail.switches if self._shows_scrubs or not one.is_scrub]

    def channels(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """The channels that can be opened by themselves, each with what opens it."""
        detail = self.detail()
        if detail is None:
            return
        for channel_id, name in detail.channels:
            right = Right(Tier.CHANNEL, self.workspace_id, Action.READ, channel_id)
            yield f"#{name}", self.starts(partial(self._set_right, detail.name, right, on=True))

    # -- commands -----------------------------------------------------------------------------

    @Slot()
    def connect_new(self) -> None:
        """Show how a client is connected that is yet to come."""
        self.connection.open(self.workspace_id, None)

    def _view_as(self) -> None:
        if (detail := self.detail()) is not None:
            self.context.go(ToClientsView(detail.name, self.workspace_id))

    def _turn_scrubs(self) -> None:
        self._shows_scrubs = not self._shows_scrubs
        self.say_again()

    def _want(self, name: str, wanted: RightSwitch, on: bool) -> None:  # noqa: FBT001 - it says so
        self.spawn(self._switch(name, wanted, on=on))

    async def _switch(self, name: str, wanted: RightSwitch, *, on: bool) -> None:
        if on and wanted.opens_account and not await self._may_open_account(name):
            return
        await self._set_right(name, wanted.right, on=on)

    async def _set_right(self, name: str, right: Right, *, on: bool) -> None:
        change = self.inklings.clients.grant if on else self.inklings.clients.revoke
        await self.change(change, name, {right})

    def _want_kind(self, detail: ClientDetail, key: str) -> None:
        if key != detail.kind.value:
            self.say_again()  # what is true stays on show until the change is made
            self.spawn(self._take_for(detail, ClientKind(key)))

    async def _take_for(self, detail: ClientDetail, kind: ClientKind) -> None:
        wanted = preset_rights(kind, self.workspace_id)
        opens_account = _READS_ACCOUNT in wanted and any(
            one.opens_account for one in detail.switches
        )
        if not opens_account or await self._may_open_account(detail.name):
            await self.change(taken_for, self.inklings, detail.name, kind, self.workspace_id)

    async def _revoke_all(self, name: str) -> None:
        if await ask(
            self.context.window,
            tr("Take every right from {name}?").format(name=name),
            tr(
                "From its next request on it reads and writes nothing, in any workspace. What it"
                " wrote stays."
            ),
            yes=tr("Revoke all"),
            no=tr("Keep its rights"),
            is_destructive=True,
        ):
            await self.change(self.inklings.clients.revoke, name)

    async def _may_open_account(self, name: str) -> bool:
        return await ask(
            self.context.window,
            tr("Let {name} read what the agent remembers about you, in every workspace?").format(
                name=name
            ),
            tr("Account memory is shared by all your workspaces. You can close it again."),
            yes=tr("Let it read"),
            no=tr("Keep it closed"),
        )


def taken_for(inklings: Inklings, name: str, kind: ClientKind, workspace_id: str) -> None:
    """Take away what the kind does not have here and in the account, then give what it has.

    Raises:
        InklingsError: A file cannot be written to; at worst the client has fewer rights.
    """
    wanted = preset_rights(kind, workspace_id)
    client = inklings.clients.show(name).client
    here = client.rights_in(workspace_id) | client.rights_in(None)
    if here - wanted:
        inklings.clients.revoke(name, here - wanted)
    inklings.clients.grant(name, wanted, kind=kind)
