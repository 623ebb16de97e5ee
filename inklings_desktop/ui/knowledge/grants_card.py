"""The card of roles by domains: what a role may do where, and what a person does to a domain."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.domains import MAX_DOMAIN_NAME, MAX_ROLE_NAME, Permission
from inklings_desktop.ui.kit.dialogs.ask import ask_name, ask_until
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import link, more, open_menu, words
from inklings_desktop.ui.knowledge import grant_acts
from inklings_desktop.ui.knowledge.grant_dialogs import DomainDialog, TypedDomain
from inklings_desktop.ui.knowledge.grant_grid import GrantGrid
from inklings_desktop.ui.knowledge.grant_popover import GrantPopover
from inklings_desktop.ui.knowledge.grants_state import GIVEN, cell_at, column_at, permission_words
from inklings_desktop.ui.knowledge.kept_card import card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.knowledge.acting_tab import ActingTab, GrantsContent
    from inklings_desktop.ui.knowledge.grants_state import GridColumn

_GRID = "grantGrid"


class GrantsCard:
    """What the card says and does for the tab that it is on."""

    def __init__(self, tab: ActingTab) -> None:
        self._tab = tab

    def said(self, content: GrantsContent) -> Part:
        """The card."""
        told = tr("No domain yet. A domain groups facts and decides who may write them.")
        legend = tr("Grey is the domain\u2019s default. Del puts a cell back to it.")
        grid = part(
            *(GrantGrid, LOOK),
            name=_GRID,
            grid=content.grid,
            given=self._give,
            opened=self._open_cell,
            asked_of=self._open_domain,
        )
        some = (grid, words(legend, "caption"))
        change = more(tr("Change a domain"), self.offers_for_current, name="changeDomain")
        return card(
            tr("Who may read and write which domain"),
            *(some if content.grid.columns else (words(told),)),
            beside=(
                link(tr("New role\u2026"), self._tab.starts(self._new_role), name="newRole"),
                link(tr("New domain\u2026"), self._tab.starts(self._new_domain), name="newDomain"),
                *((change,) if content.grid.columns else ()),
            ),
        )

    @property
    def _grid(self) -> GrantGrid | None:
        return self._tab.view.findChild(GrantGrid, _GRID)

    def _open_cell(self, role: str, domain_id: str) -> None:
        """Ask below a cell what the role may do there."""
        grid = self._grid
        if grid is None:
            return
        column, cell = column_at(grid.grid, domain_id), cell_at(grid.grid, role, domain_id)
        if column is not None and cell is not None:
            card = GrantPopover(self._tab.context.theme, role, column, cell, grid)
            card.meant.connect(partial(self._give, role, domain_id))
            card.closed.connect(card.deleteLater)
            card.popup_below(grid.anchor())

    def _give(self, role: str, domain_id: str, value: str) -> None:
        now = Permission(value) if value != GIVEN else None
        word = tr("the default") if now is None else permission_words()[now]
        text = tr("{role}: {permission}").format(role=role, permission=word)
        tab, cell = self._tab, (role, domain_id)
        give = partial(grant_acts.grant, tab.inklings, tab.workspace_id, cell, now)
        tab.spawn(tab.do(text, give))

    def _open_domain(self, domain_id: str) -> None:
        """Offer what can be done to a domain, below its name."""
        if (grid := self._grid) is not None:
            open_menu(partial(self._offers_for_domain, domain_id), grid.head_of(domain_id))

    def offers_for_current(self) -> Iterable[Offer]:
        """What can be done to the domain of the current cell."""
        grid = self._grid
        return self._offers_for_domain(grid.spot[1]) if grid is not None else ()

    def _offers_for_domain(self, domain_id: str) -> Iterable[Offer]:
        column = (
            column_at(self._tab.content.grid, domain_id) if self._tab.content is not None else None
        )
        if column is None:
            return
        close, archive = grant_acts.close_domain, grant_acts.archive_domain
        named, is_closed, is_archived = column.name, column.is_closed, column.is_archived
        show = tr("Show {domain} to every role") if is_closed else tr("Hide {domain} by default")
        away = tr("Use {domain} again") if is_archived else tr("Archive {domain}")
        hidden = tr("Showed 1 domain") if is_closed else tr("Hid 1 domain")
        archived = tr("1 domain is in use again") if is_archived else tr("Archived 1 domain")

        def does(text: str, act: Callable[..., object], **how: bool) -> Callable[[], object]:
            call = partial(act, self._tab.inklings, self._tab.workspace_id, domain_id, **how)
            return partial(self._tab.spawn_of, partial(self._tab.do, text, call))

        rename = tr("Rename {domain}\u2026").format(domain=named)
        yield rename, partial(self._tab.spawn_of, partial(self._rename_domain, column))
        yield show.format(domain=named), does(hidden, close, closed=not is_closed)
        yield away.format(domain=named), does(archived, archive, on=not is_archived)

    async def _rename_domain(self, column: GridColumn) -> None:
        async def use(name: str) -> bool:
            names = (column.name, name)
            here = self._tab.workspace_id
            rename = partial(grant_acts.rename_domain, self._tab.inklings, here, column.id, names)
            return await self._tab.keep(tr("Renamed 1 domain"), rename)

        title, told = tr("Rename {domain}").format(domain=column.name), tr("Agents see its name.")
        window, yes = self._tab.view.window(), tr("Rename")
        longest = MAX_DOMAIN_NAME
        await ask_name(window, title, told, yes=yes, use=use, name=column.name, longest=longest)

    async def _new_domain(self) -> None:
        window, theme = self._tab.context.window, self._tab.context.theme
        roles = (
            ()
            if self._tab.content is None
            else tuple(one.role for one in self._tab.content.grid.rows)
        )

        async def use(typed: TypedDomain) -> bool:
            make = partial(
                grant_acts.make_domain, self._tab.inklings, self._tab.workspace_id, typed
            )
            return await self._tab.keep(tr("Made 1 domain"), make)

        await ask_until(lambda typed: DomainDialog(window, theme, roles, typed), TypedDomain(), use)

    async def _new_role(self) -> None:
        async def use(name: str) -> bool:
            make = partial(grant_acts.make_role, self._tab.inklings, self._tab.workspace_id, name)
            return await self._tab.keep(tr("Made 1 role"), make)

        told = tr("Small letters, digits and hyphens, such as researcher.")
        window, yes = self._tab.view.window(), tr("Make it")
        await ask_name(window, tr("New role"), told, yes=yes, use=use, longest=MAX_ROLE_NAME)
