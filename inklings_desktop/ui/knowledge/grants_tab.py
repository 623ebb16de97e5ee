"""The tab of house rules and grants: what agents are told, who may write where, what they keep."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.dialogs.ask import ask_text
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import Chip
from inklings_desktop.ui.kit.page.deciding import DecidingTab
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    grid,
    hairline,
    link,
    more,
    open_menu,
    plate,
    scrolling,
    sized,
    switch,
    words,
)
from inklings_desktop.ui.kit.words.memory_facts import age_label
from inklings_desktop.ui.knowledge import acts
from inklings_desktop.ui.knowledge.facts_state import FactStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.knowledge.domains import Domain, Role
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.ui.kit.dialogs.field_dialogs import Field
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.usecases.knowledge.values import GrantMatrix, PolicyView

_KEPT, _MARGIN, _CARD, _CELL, _ROLE = 316, 24, 18, 40, 150
_SHOWN_OF_KEPT = 400
_TALL, _WIDE = 96, 460
_CELL_NAME = "cell"
_LETTERS = {"N": Permission.NONE, "R": Permission.READ, "W": Permission.WRITE}


@dataclass(frozen=True, slots=True)
class GrantsContent:
    """What the tab shows.

    Attributes:
        kept: What agents keep between their runs.
        now: When it was read, for ages.
    """

    rules: tuple[PolicyView, ...]
    matrix: GrantMatrix
    kept: tuple[WorkingMemory, ...]
    now: datetime


class GrantsTab(DecidingTab[GrantsContent]):
    """House rules with their switches, roles by domains, and what each agent keeps."""

    key: ClassVar = "grants"
    buttons: ClassVar = {}
    detail: ClassVar = "grantsRules"
    anywhere: ClassVar = tuple(_LETTERS)

    def _press(self, key: str) -> None:
        self._give(_LETTERS[key])

    @staticmethod
    def title() -> str:
        """What stands on the tab."""
        return tr("House rules and grants")

    @staticmethod
    def read_count(context: Context, workspace_id: str) -> int:
        """How many rules there are; runs on a reader."""
        return sum(one.n_policies for one in context.inklings.domains.list(workspace_id))

    def read_content(self) -> GrantsContent:
        inklings, here = self.inklings, self.workspace_id
        return GrantsContent(
            inklings.policies.list(here),
            inklings.domains.matrix(here),
            inklings.working_memories.list(here),
            inklings.clock(),
        )

    def keys_of(self, content: GrantsContent) -> Sequence[str]:
        return [one.policy.memory.id for one in content.rules]

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: GrantsContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        left = (self._said_rules(content), self._said_matrix(content))
        kept = self._said_kept(content)
        if self.is_narrow:
            inside: tuple[Part, ...] = (below(*left, kept, STRETCH, spacing=16),)
        else:
            inside = (
                across(
                    below(*left, STRETCH, spacing=16, place=(1,)),
                    below(kept, STRETCH),
                    spacing=16,
                ),
            )
        return (scrolling(*inside, margins=(_MARGIN, 16, _MARGIN, 24), place=(1,)),)

    def _said_rules(self, content: GrantsContent) -> Part:
        domains = content.matrix.domains
        new = link(tr("New rule\u2026"), partial(self._ask_rule, domains), name="newRule")
        told = tr("No house rule yet. One says what agents have to do, or to leave, in a domain.")
        lines = [line for one in content.rules for line in (hairline(), self._said_rule(one))]
        return _card(
            tr("House rules"),
            tr("what agents are told when it fits"),
            *(lines or [words(told)]),
            beside=(new,) if domains else (),
            name=self.detail,
        )

    def _said_rule(self, view: PolicyView) -> Part:
        rule, details = view.policy, view.policy.details
        n = len(view.observations)
        facts = [counted(n, "from 1 fact", "from {n} facts")] if n else []
        role = [tr("only {role} writes there").format(role=details.required_role)]
        told = [
            *facts,
            *(role if details.required_role else []),
            *([tr("at every turn")] if details.always else []),
            rule.memory.by,
        ]
        return across(
            switch(
                rule.memory.content,
                on=rule.is_active,
                wanted=lambda on: self.spawn(self._switch(view, on=on)),
                name=f"rule:{rule.memory.id}",
            ),
            below(
                words(rule.memory.content, "reading"),
                across(
                    part(Chip, LOOK, text=rule.domain),
                    words(", ".join(told), way="plain"),
                    words(
                        tr("check facts"), "metaStrong", way="plain",
                        visible=view.rests_on_superseded,
                    ),
                    STRETCH,
                    spacing=8,
                ),
                spacing=4,
                place=(1,),
            ),
            more(tr("More"), partial(self._offers_for_rule, view), name=f"more:{rule.memory.id}"),
            spacing=14,
            margins=(0, 6, 0, 6),
        )  # fmt: skip

    def _said_matrix(self, content: GrantsContent) -> Part:
        matrix = content.matrix
        told = tr("No domain yet. A domain groups facts and decides who may write them.")
        cells = [
            words(domain.name, "metaStrong", way="elided", place=(0, column))
            for column, domain in enumerate(matrix.domains, start=1)
        ]
        for row, role in enumerate(matrix.roles, start=1):
            cells.append(self._said_role(matrix, role, row))
            cells += [
                self._said_cell(matrix, role, domain, (row, column))
                for column, domain in enumerate(matrix.domains, start=1)
            ]
        table = grid(
            *cells,
            stretch=len(matrix.domains) + 1,
            gap=18,
            dress=partial(_roomy, len(matrix.roles)),
        )
        return _card(
            tr("Who may read and write which domain"),
            "",
            table if matrix.domains else words(told),
            beside=(
                link(tr("New role\u2026"), self.starts(self._new_role), name="newRole"),
                link(tr("New domain\u2026"), self.starts(self._new_domain), name="newDomain"),
            ),
        )

    @staticmethod
    def _said_role(matrix: GrantMatrix, role: Role, row: int) -> Part:
        clients = ", ".join(matrix.clients.get(role.name, ())) or tr("nobody")
        return below(
            words(role.name, "metaStrong", way="plain"),
            words(clients, way="elided"),
            spacing=0,
            place=(row, 0),
        )

    def _said_cell(
        self, matrix: GrantMatrix, role: Role, domain: Domain, place: tuple[int, int]
    ) -> Part:
        cell = matrix.cells[role.name, domain.id]
        named = _words_of()[cell.permission]
        barred = tr(", held by a rule") if cell.is_barred else ""
        spoken = tr("{role} in {domain}: {permission}").format(
            role=role.name, domain=domain.name, permission=named + barred
        )
        name = f"{_CELL_NAME}:{role.name}:{domain.id}"
        return part(
            *(FilterChip, LOOK, named),
            name=name,
            accessibleName=spoken,
            toolTip=spoken,
            popover_requested=lambda: self._ask_cell(name),
            place=place,
        )

    def _said_kept(self, content: GrantsContent) -> Part:
        about = tr(
            "One page each agent keeps between runs. No other agent reads it; you may read and"
            " clear it."
        )
        lines: list[Part] = []
        for one in content.kept:
            lines += [
                hairline(),
                across(
                    words(_name_of(one), "metaStrong", way="plain"),
                    STRETCH,
                    words(age_label(one.updated_at, content.now), way="plain"),
                    spacing=8,
                ),
                words(one.body[:_SHOWN_OF_KEPT], "reading"),
                across(
                    STRETCH,
                    link(
                        tr("Clear\u2026"),
                        partial(self.spawn_of, partial(self._clear, one)),
                        name=f"clear:{one.agent}:{one.part}",
                    ),
                ),
            ]
        nobody = words(tr("No agent keeps anything now."))
        return _card(
            tr("Working memories"),
            "",
            words(about),
            *(lines or [nobody]),
            dress=sized() if self.is_narrow else sized(fixedWidth=_KEPT),
        )

    # -- acts ---------------------------------------------------------------------------------

    async def _do(self, text: str, call: Callable[..., object]) -> None:
        """Do something that can be undone, and say so."""
        if (undoes := await self.outcome(call)) is not None:
            self.tell_undoable(FactStep(text, undoes))

    async def _switch(self, view: PolicyView, *, on: bool) -> None:
        text = tr("Switched on 1 house rule") if on else tr("Switched off 1 house rule")
        await self._do(text, partial(acts.switch_rule, self.inklings, view, on=on))

    def _ask_rule(self, domains: Iterable[Domain]) -> None:
        """Ask in which domain the new rule is."""
        found = self.view.findChild(LinkButton, "newRule")
        if found is not None:
            open_menu(partial(self._offers_of_rule, domains), found)

    def _offers_of_rule(self, domains: Iterable[Domain]) -> Iterable[Offer]:
        for one in domains:
            if one.archived_at is None:
                text = tr("In {domain}\u2026").format(domain=one.name)
                yield text, partial(self.spawn_of, partial(self._new_rule, one.name))

    def spawn_of(self, begin: Callable[[], Any]) -> None:
        """Begin what a menu offers."""
        self.spawn(begin())

    async def _new_rule(self, domain: str) -> None:
        told = tr("Agents are told it when it fits; you can switch it off.")
        field = _field("Rule", tr("Rule"), tall=True)
        title = tr("New house rule in {domain}").format(domain=domain)
        text = await self._asked(title, told, field, tr("Add"))
        if text:
            add = partial(acts.add_rule, self.inklings, self.workspace_id, domain, text)
            await self._do(tr("Added 1 house rule"), add)

    def _offers_for_rule(self, view: PolicyView) -> Iterable[Offer]:
        details = view.policy.details
        every = tr("Not at every turn") if details.always else tr("At every turn")
        yield tr("Edit\u2026"), partial(self.spawn_of, partial(self._edit, view))
        yield every, partial(self.spawn_of, partial(self._change, view, always=not details.always))
        yield tr("Forget it"), partial(self.spawn_of, partial(self._forget, view))

    async def _edit(self, view: PolicyView) -> None:
        begin = view.policy.memory.content
        field = _field("Rule", tr("Rule"), begin, tall=True)
        text = await self._asked(tr("Edit house rule"), "", field, tr("Save"))
        if text and text != begin:
            await self._change(view, rule=text)

    async def _change(self, view: PolicyView, **values: Any) -> None:
        change = partial(acts.change_rule, self.inklings, view, **values)
        await self._do(tr("Changed 1 house rule"), change)

    async def _forget(self, view: PolicyView) -> None:
        await self._do(tr("Forgot 1 house rule"), partial(acts.forget_rule, self.inklings, view))

    def _ask_cell(self, name: str) -> None:
        found = self.view.findChild(FilterChip, name)
        if found is not None:
            open_menu(partial(self._offers_for_cell, name), found)

    def _offers_for_cell(self, name: str) -> Iterable[Offer]:
        for permission, text in _words_of().items():
            yield text, partial(self.spawn_of, partial(self._grant, name, permission))

    def _give(self, permission: Permission) -> None:
        """Give the cell that has the keyboard a permission."""
        for cell in self.view.findChildren(FilterChip):
            if cell.hasFocus() and cell.objectName().startswith(f"{_CELL_NAME}:"):
                self.spawn(self._grant(cell.objectName(), permission))

    async def _grant(self, name: str, permission: Permission) -> None:
        _, role, domain_id = name.split(":", 2)
        if self.content is None:
            return
        cell = self.content.matrix.cells[role, domain_id]
        before = cell.permission if cell.is_own else None
        give = partial(acts.grant, self.inklings, self.workspace_id, (role, domain_id))
        text = tr("{role}: {permission}").format(role=role, permission=_words_of()[permission])
        await self._do(text, partial(give, before, permission))

    async def _new_domain(self) -> None:
        told = tr("Agents may read it until you say otherwise; you say who may write.")
        field = _field("Domain", tr("Name"))
        name = await self._asked(tr("New domain"), told, field, tr("Make it"))
        if name:
            make = partial(acts.make_domain, self.inklings, self.workspace_id, name)
            await self._do(tr("Made 1 domain"), make)

    async def _new_role(self) -> None:
        told = tr("Small letters, digits and hyphens, such as researcher.")
        field = _field("Role", tr("Name"))
        name = await self._asked(tr("New role"), told, field, tr("Make it"))
        if name:
            await self.outcome(partial(self.inklings.domains.create_role, self.workspace_id, name))

    async def _clear(self, kept: WorkingMemory) -> None:
        text = tr("Cleared what {agent} keeps. It starts its next run without it.")
        clear = partial(acts.clear, self.inklings, self.workspace_id, kept)
        await self._do(text.format(agent=_name_of(kept)), clear)

    async def _asked(self, title: str, told: str, field: Field, yes: str) -> str | None:
        window = self.view.window()
        return await ask_text(window, title, told, field, yes=yes, no=tr("Cancel"))

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that act in the table of grants."""
        return (
            KeyHint(("N",), tr("none")),
            KeyHint(("R",), tr("read")),
            KeyHint(("W",), tr("write")),
            KeyHint(("Ctrl Tab",), tr("next tab")),
        )


def _card(title: str, about: str, *inside: Any, beside: tuple[Part, ...] = (), **how: Any) -> Part:
    head = across(
        words(title, "tab", way="plain"),
        words(about, way="plain", visible=bool(about)),
        STRETCH,
        *beside,
        spacing=12,
    )
    return plate(
        head,
        *inside,
        box=vbox,
        kind="card",
        margins=(_CARD, 14, _CARD, 14),
        spacing=10,
        **how,
    )


def _field(what: str, label: str, text: str = "", *, tall: bool = False) -> Field:
    from inklings_desktop.ui.kit.dialogs.field_dialogs import Field

    names = (f"ask{what}", f"typed{what}", f"use{what}")
    return Field(names, label, "", text, height=_TALL if tall else 0, width=_WIDE)


def _words_of() -> dict[Permission, str]:
    return {
        Permission.NONE: tr("none"),
        Permission.READ: tr("read"),
        Permission.WRITE: tr("read, write"),
    }


def _name_of(kept: WorkingMemory) -> str:
    return f"{kept.agent} ({kept.part})" if kept.part else kept.agent


def _roomy(n_rows: int, made: Any, theme: Any) -> None:
    made.setColumnMinimumWidth(0, theme.scaled(_ROLE))
    for row in range(1, n_rows + 1):
        made.setRowMinimumHeight(row, theme.scaled(_CELL))
