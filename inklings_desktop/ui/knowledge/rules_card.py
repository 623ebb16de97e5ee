"""The card of house rules: its list, what agents ask for, and what a person does with one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.dialogs.ask import ask_until
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import across, below, button, hairline, plate, words
from inklings_desktop.ui.knowledge import grant_acts
from inklings_desktop.ui.knowledge.grant_dialogs import RuleDialog, RuleQuestion
from inklings_desktop.ui.knowledge.grants_state import (
    TypedRule,
    changed_values,
    resting_of,
    rule_row,
    typed_rule,
)
from inklings_desktop.ui.knowledge.rule_list import SIDE, RuleHead, RuleList
from inklings_desktop.usecases.knowledge.values import FactQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.knowledge.acting_tab import ActingTab, GrantsContent
    from inklings_desktop.ui.knowledge.acts import Undoing
    from inklings_desktop.ui.knowledge.grants_state import AskedRule
    from inklings_desktop.usecases.knowledge.values import PolicyView

_MOST_FACTS = 1_000


class RulesCard:
    """What the card says and does for the tab that it is on."""

    def __init__(self, tab: ActingTab) -> None:
        self._tab = tab

    def said(self, content: GrantsContent) -> Part:
        """The card."""
        told = tr("No house rule yet. One says what agents have to do, or to leave, in a domain.")
        rows = tuple(map(rule_row, content.rules))
        some = (
            part(RuleHead, LOOK, key="head"),
            part(
                *(RuleList, LOOK, tr("House rules")),
                name=f"{self._tab.key}List",
                key="list",
                said=(rows, self._tab.current),
                row_chosen=self._tab.choose,
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
                partial(self._tab.spawn_of, partial(self._decide, asked, is_wanted=True)),
                small=True,
                name=f"accept:{id_}",
            ),
            button(
                tr("Refuse"),
                partial(self._tab.spawn_of, partial(self._decide, asked, is_wanted=False)),
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

    def _rule(self, id_: str) -> PolicyView | None:
        rules = self._tab.content.rules if self._tab.content is not None else ()
        return next((one for one in rules if one.policy.memory.id == id_), None)

    def _switch(self, id_: str) -> None:
        if (view := self._rule(id_)) is not None:
            on = not view.policy.is_active
            text = tr("Switched on 1 house rule") if on else tr("Switched off 1 house rule")
            switch = partial(grant_acts.switch_rule, self._tab.inklings, view, on=on)
            self._tab.spawn(self._tab.do(text, switch))

    def _drop(self, id_: str) -> None:
        if (view := self._rule(id_)) is not None:
            drop = partial(grant_acts.forget_rule, self._tab.inklings, view)
            self._tab.spawn(self._tab.do(tr("Forgot 1 house rule"), drop))

    async def _decide(self, asked: AskedRule, *, is_wanted: bool) -> None:
        act = grant_acts.accept_rule if is_wanted else grant_acts.refuse_rule
        text = tr("Accepted 1 house rule") if is_wanted else tr("Refused 1 house rule")
        await self._tab.do(text, partial(act, self._tab.inklings, asked.proposal))

    def _open_rule(self) -> None:
        if (view := self._rule(self._tab.current)) is not None:
            self._tab.spawn(self._ask_rule(view))

    async def put_new(self) -> None:
        """Ask for a new house rule."""
        await self._ask_rule(None)

    async def _ask_rule(self, view: PolicyView | None) -> None:
        """Ask what a rule says and rests on; of none, a new one."""
        if self._tab.content is None:
            return
        wanted, grid = FactQuery(limit=_MOST_FACTS), self._tab.content.grid
        read = self._tab.background.read(
            self._tab.inklings.facts.list, self._tab.workspace_id, wanted
        )
        listed = await said(self._tab.context, read)
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
        window, theme = self._tab.context.window, self._tab.context.theme

        async def use(typed: TypedRule) -> bool:
            text, call = self._act_of(view, begin, typed)
            return call is None or await self._tab.keep(text, call)

        await ask_until(lambda typed: RuleDialog(window, theme, question, typed), begin, use)

    def _act_of(
        self, view: PolicyView | None, begin: TypedRule, typed: TypedRule
    ) -> tuple[str, Callable[[], Undoing] | None]:
        """What was meant with a rule, in words and as a call; no call where nothing was."""
        acts_on = grant_acts
        if view is None:
            add = partial(acts_on.add_rule, self._tab.inklings, self._tab.workspace_id, typed)
            return tr("Added 1 house rule"), add
        if typed.is_dropped:
            drop = partial(acts_on.forget_rule, self._tab.inklings, view)
            return tr("Forgot 1 house rule"), drop
        values = changed_values(begin, typed)
        change = partial(acts_on.change_rule, self._tab.inklings, view, **values)
        return tr("Changed 1 house rule"), change if values else None
