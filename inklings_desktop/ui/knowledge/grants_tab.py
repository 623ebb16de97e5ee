"""The tab of house rules and grants: what agents are told, who may write where, what they keep."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from inklings_desktop.domain.entries.proposals import UNDECIDED
from inklings_desktop.domain.knowledge.domains import MAX_DOMAIN_NAME, MAX_ROLE_NAME, Permission
from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.dialogs.ask import ask_name, ask_until
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.deciding import DecidingTab
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    hairline,
    link,
    more,
    open_menu,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.words.memory_facts import age_label
from inklings_desktop.ui.knowledge import acts, grant_acts
from inklings_desktop.ui.knowledge.facts_state import FactStep
from inklings_desktop.ui.knowledge.grant_dialogs import (
    DomainDialog,
    RuleDialog,
    RuleQuestion,
    TypedDomain,
)
from inklings_desktop.ui.knowledge.grant_grid import GrantGrid
from inklings_desktop.ui.knowledge.grant_popover import GrantPopover
from inklings_desktop.ui.knowledge.grants_state import (
    GIVEN,
    TypedRule,
    asked_rule,
    cell_at,
    changed_values,
    column_at,
    grid_of,
    permission_words,
    resting_of,
    rule_row,
    typed_rule,
)
from inklings_desktop.ui.knowledge.rule_list import SIDE, RuleHead, RuleList
from inklings_desktop.usecases.knowledge.values import FactQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.knowledge.acts import Undoing
    from inklings_desktop.ui.knowledge.grants_state import AskedRule, Grid, GridColumn
    from inklings_desktop.usecases.knowledge.values import PolicyView

_KEPT, _MARGIN, _CARD = 316, 24, 18
_SHOWN_OF_KEPT = 400
_GRID, _RULE = "grantGrid", MemoryKind.POLICY.value
_MOST_FACTS = 1_000


@dataclass(frozen=True, slots=True)
class GrantsContent:
    """What the tab shows.

    Attributes:
        asked: Rules that agents ask for.
        kept: What agents keep between their runs.
        now: When it was read, for ages.
    """

    rules: tuple[PolicyView, ...]
    asked: tuple[AskedRule, ...]
    grid: Grid
    kept: tuple[WorkingMemory, ...]
    now: datetime


class GrantsTab(DecidingTab[GrantsContent]):
    """House rules with their switches, roles by domains, and what each agent keeps."""

    key: ClassVar = "grants"
    buttons: ClassVar = {}
    detail: ClassVar = "grantGrid"

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
        matrix = inklings.domains.matrix(here)
        names = {one.id: one.name for one in matrix.domains}
        asked = inklings.proposals.list(here, states=UNDECIDED)
        return GrantsContent(
            inklings.policies.list(here),
            tuple(asked_rule(one, names) for one in asked if one.payload.get("kind") == _RULE),
            grid_of(matrix),
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
        told = tr("No house rule yet. One says what agents have to do, or to leave, in a domain.")
        rows = tuple(map(rule_row, content.rules))
        some = (
            part(RuleHead, LOOK, key="head"),
            part(
                *(RuleList, LOOK, tr("House rules")),
                name=f"{self.key}List",
                key="list",
                said=(rows, self.current),
                row_chosen=self.choose,
                activated_by_key=lambda _: self._open_rule(),
                doubleClicked=lambda _: self._open_rule(),
                switched=self._switch,
                dropped=self._drop,
            ),
        )
        head = across(
            words(tr("House rules"), "tab", way="plain"),
            words(tr("what agents are told when it fits; only you change them"), way="elided"),
            STRETCH,
            spacing=12,
            margins=(SIDE, 14, SIDE, 8),
        )
        nothing = below(words(told), margins=(SIDE, 0, SIDE, 14))
        asked = map(self._said_asked, content.asked)
        return plate(
            *(head, *asked, *(some if rows else (nothing,))),
            box=vbox,
            kind="card",
            margins=(1, 0, 1, 1),
            spacing=0,
        )

    def _said_asked(self, asked: AskedRule) -> Part:
        """One that an agent asks for: the whole of it, and the two answers."""
        id_ = asked.proposal.id
        answers = (
            button(
                tr("Accept"),
                partial(self.spawn_of, partial(self._decide, asked, is_wanted=True)),
                small=True,
                name=f"accept:{id_}",
            ),
            button(
                tr("Refuse"),
                partial(self.spawn_of, partial(self._decide, asked, is_wanted=False)),
                small=True,
                kind="quiet",
                name=f"refuse:{id_}",
            ),
        )
        return below(
            hairline(),
            across(
                below(
                    words(asked.about),
                    words(asked.text, "reading"),
                    words(asked.effect, visible=bool(asked.effect)),
                    spacing=2,
                    place=(1,),
                ),
                *answers,
                spacing=8,
                margins=(SIDE, 8, SIDE, 10),
            ),
            spacing=0,
            key=id_,
        )

    def _said_matrix(self, content: GrantsContent) -> Part:
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
        change = more(tr("Change a domain"), self._offers_for_current, name="changeDomain")
        return _card(
            tr("Who may read and write which domain"),
            "",
            *(some if content.grid.columns else (words(told),)),
            beside=(
                link(tr("New role\u2026"), self.starts(self._new_role), name="newRole"),
                link(tr("New domain\u2026"), self.starts(self._new_domain), name="newDomain"),
                *((change,) if content.grid.columns else ()),
            ),
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

    def spawn_of(self, begin: Callable[[], Any]) -> None:
        """Begin what a menu offers."""
        self.spawn(begin())

    def _rule(self, id_: str) -> PolicyView | None:
        rules = self.content.rules if self.content is not None else ()
        return next((one for one in rules if one.policy.memory.id == id_), None)

    def _switch(self, id_: str) -> None:
        if (view := self._rule(id_)) is not None:
            on = not view.policy.is_active
            text = tr("Switched on 1 house rule") if on else tr("Switched off 1 house rule")
            switch = partial(grant_acts.switch_rule, self.inklings, view, on=on)
            self.spawn(self._do(text, switch))

    def _drop(self, id_: str) -> None:
        if (view := self._rule(id_)) is not None:
            drop = partial(grant_acts.forget_rule, self.inklings, view)
            self.spawn(self._do(tr("Forgot 1 house rule"), drop))

    async def _decide(self, asked: AskedRule, *, is_wanted: bool) -> None:
        act = grant_acts.accept_rule if is_wanted else grant_acts.refuse_rule
        text = tr("Accepted 1 house rule") if is_wanted else tr("Refused 1 house rule")
        await self._do(text, partial(act, self.inklings, asked.proposal))

    def _open_rule(self) -> None:
        if (view := self._rule(self.current)) is not None:
            self.spawn(self._ask_rule(view))

    async def put_new(self) -> None:
        """Ask for a new house rule."""
        await self._ask_rule(None)

    async def _ask_rule(self, view: PolicyView | None) -> None:
        """Ask what a rule says and rests on; of none, a new one."""
        if self.content is None:
            return
        wanted, grid = FactQuery(limit=_MOST_FACTS), self.content.grid
        read = self.background.read(self.inklings.facts.list, self.workspace_id, wanted)
        listed = await said(self.context, read)
        if listed is None:
            return
        facts = [one.fact for one in listed.facts]
        in_use = tuple(one.name for one in grid.columns if not one.is_archived)
        begin = typed_rule(view) if view is not None else TypedRule(next(iter(in_use), ""))
        question = RuleQuestion(
            in_use if view is None else None,
            tuple(one.role for one in grid.rows),
            resting_of(view, facts),
        )
        window, theme = self.context.window, self.context.theme

        async def use(typed: TypedRule) -> bool:
            text, call = self._act_of(view, begin, typed)
            return call is None or await self._kept(text, call)

        await ask_until(lambda typed: RuleDialog(window, theme, question, typed), begin, use)

    def _act_of(
        self, view: PolicyView | None, begin: TypedRule, typed: TypedRule
    ) -> tuple[str, Callable[[], Undoing] | None]:
        """What was meant with a rule, in words and as a call; no call where nothing was."""
        acts_on = grant_acts
        if view is None:
            add = partial(acts_on.add_rule, self.inklings, self.workspace_id, typed)
            return tr("Added 1 house rule"), add
        if typed.is_dropped:
            drop = partial(acts_on.forget_rule, self.inklings, view)
            return tr("Forgot 1 house rule"), drop
        values = changed_values(begin, typed)
        change = partial(acts_on.change_rule, self.inklings, view, **values)
        return tr("Changed 1 house rule"), change if values else None

    @property
    def _grid(self) -> GrantGrid | None:
        return self.view.findChild(GrantGrid, _GRID)

    def _open_cell(self, role: str, domain_id: str) -> None:
        """Ask below a cell what the role may do there."""
        grid = self._grid
        if grid is None:
            return
        column, cell = column_at(grid.grid, domain_id), cell_at(grid.grid, role, domain_id)
        if column is not None and cell is not None:
            card = GrantPopover(self.context.theme, role, column, cell, grid)
            card.meant.connect(partial(self._give, role, domain_id))
            card.closed.connect(card.deleteLater)
            card.popup_below(grid.anchor())

    def _give(self, role: str, domain_id: str, value: str) -> None:
        if self.content is None:
            return
        cell = cell_at(self.content.grid, role, domain_id)
        now = Permission(value) if value != GIVEN else None
        if cell is None or now is (before := cell.permission if cell.is_own else None):
            return
        word = tr("the default") if now is None else permission_words()[now]
        text = tr("{role}: {permission}").format(role=role, permission=word)
        give = partial(grant_acts.grant, self.inklings, self.workspace_id, (role, domain_id))
        self.spawn(self._do(text, partial(give, before, now)))

    def _open_domain(self, domain_id: str) -> None:
        """Offer what can be done to a domain, below its name."""
        if (grid := self._grid) is not None:
            open_menu(partial(self._offers_for_domain, domain_id), grid.head_of(domain_id))

    def _offers_for_current(self) -> Iterable[Offer]:
        grid = self._grid
        return self._offers_for_domain(grid.spot[1]) if grid is not None else ()

    def _offers_for_domain(self, domain_id: str) -> Iterable[Offer]:
        column = column_at(self.content.grid, domain_id) if self.content is not None else None
        if column is None:
            return
        close, archive = grant_acts.close_domain, grant_acts.archive_domain
        named, is_closed, is_archived = column.name, column.is_closed, column.is_archived
        show = tr("Show {domain} to every role") if is_closed else tr("Hide {domain} by default")
        away = tr("Use {domain} again") if is_archived else tr("Archive {domain}")
        hidden = tr("Showed 1 domain") if is_closed else tr("Hid 1 domain")
        archived = tr("1 domain is in use again") if is_archived else tr("Archived 1 domain")

        def does(text: str, act: Callable[..., object], **how: bool) -> Callable[[], object]:
            call = partial(act, self.inklings, self.workspace_id, domain_id, **how)
            return partial(self.spawn_of, partial(self._do, text, call))

        rename = tr("Rename {domain}\u2026").format(domain=named)
        yield rename, partial(self.spawn_of, partial(self._rename_domain, column))
        yield show.format(domain=named), does(hidden, close, closed=not is_closed)
        yield away.format(domain=named), does(archived, archive, on=not is_archived)

    async def _rename_domain(self, column: GridColumn) -> None:
        async def use(name: str) -> bool:
            names = (column.name, name)
            here = self.workspace_id
            rename = partial(grant_acts.rename_domain, self.inklings, here, column.id, names)
            return await self._kept(tr("Renamed 1 domain"), rename)

        title, told = tr("Rename {domain}").format(domain=column.name), tr("Agents see its name.")
        window, yes = self.view.window(), tr("Rename")
        longest = MAX_DOMAIN_NAME
        await ask_name(window, title, told, yes=yes, use=use, name=column.name, longest=longest)

    async def _new_domain(self) -> None:
        window, theme = self.context.window, self.context.theme
        roles = () if self.content is None else tuple(one.role for one in self.content.grid.rows)

        async def use(typed: TypedDomain) -> bool:
            make = partial(grant_acts.make_domain, self.inklings, self.workspace_id, typed)
            return await self._kept(tr("Made 1 domain"), make)

        await ask_until(lambda typed: DomainDialog(window, theme, roles, typed), TypedDomain(), use)

    async def _new_role(self) -> None:
        async def use(name: str) -> bool:
            make = partial(grant_acts.make_role, self.inklings, self.workspace_id, name)
            return await self._kept(tr("Made 1 role"), make)

        told = tr("Small letters, digits and hyphens, such as researcher.")
        window, yes = self.view.window(), tr("Make it")
        await ask_name(window, tr("New role"), told, yes=yes, use=use, longest=MAX_ROLE_NAME)

    async def _kept(self, text: str, call: Callable[..., Undoing]) -> bool:
        """Do what was typed, and say so; a refusal is the dialog's to say."""
        undoes = await self.background.write(call)
        self.read_again()
        self.tell_undoable(FactStep(text, undoes))
        return True

    async def _clear(self, kept: WorkingMemory) -> None:
        text = tr("Cleared what {agent} keeps. It starts its next run without it.")
        clear = partial(acts.clear, self.inklings, self.workspace_id, kept)
        await self._do(text.format(agent=_name_of(kept)), clear)

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that act in the table of grants."""
        return (
            KeyHint(("\u2191", "\u2193", "\u2190", "\u2192"), tr("cell")),
            KeyHint(("N",), tr("none")),
            KeyHint(("R",), tr("read")),
            KeyHint(("W",), tr("write")),
            KeyHint(("Space",), tr("switch a rule")),
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


def _name_of(kept: WorkingMemory) -> str:
    return f"{kept.agent} ({kept.part})" if kept.part else kept.agent
