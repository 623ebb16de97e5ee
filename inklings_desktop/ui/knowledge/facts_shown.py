"""What the tab of facts shows: domains, facts with how sure they are, and the way among them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.knowledge.facts import FactState
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.text_fields import FindField
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.deciding import DecidingTab, Nothing
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.ui.kit.page.parts import (
    across,
    hairline,
    link,
    open_menu,
    pages,
    plate,
    sized,
    turned,
    words,
)
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.knowledge.facts_state import (
    AT_ONCE,
    FactDetail,
    FactsContent,
    FactsWanted,
    FactValues,
    domain_key,
    domain_of,
    domain_rows,
    fact_rows,
    names_of,
    read_detail,
    read_facts,
    sorts,
    state_word,
)
from inklings_desktop.ui.knowledge.view import DomainList, FactList, Toggle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inklings_desktop.domain.knowledge.facts import FactView
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.parts import Offer

SUPERSEDE, FIND, LESS, MORE = "S", "/", "[", "]"
NEW, FIRST = "new", "first"
"""Where to begin while there is nothing."""
_MIDDLE = Qt.AlignmentFlag.AlignCenter
_LETTERS = f"{SUPERSEDE}{FIND}{LESS}{MORE}"
_DOMAINS, _INSPECTOR, _NO_LIMIT = 204, 372, 4000
_TIGHT = 1160
"""Below this width of the tab both columns at the sides are narrower."""
_TIGHT_DOMAINS, _TIGHT_INSPECTOR = 168, 340
_FILTERS_BESIDE = 560
_STATES = (FactState.DISAGREES, FactState.SOURCE_CHANGED, FactState.UNSUPPORTED)


class FactsShown(DecidingTab[FactsContent]):
    """What is settled, and what of it the person wants to see.

    Attributes:
        wanted: What the person wants to see.
        typed: By ids of facts, what they are to have besides their text; not kept yet.
        known: What is read of the current one besides the fact.
        left_open: Ids of facts whose dispute is left open for now.
        only_looks: Whether somebody looks through a client's eyes, and nothing can be changed.
    """

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.wanted = FactsWanted()
        self.typed: dict[str, FactValues] = {}
        self.known: FactDetail | None = None
        self.left_open: set[str] = set()
        self.only_looks = context.inklings.caller.is_agent
        super().__init__(context, parent)
        self._reading_known = Latest(context.background)

    # -- reading ------------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Show what is settled in a workspace."""
        if workspace_id != self.workspace_id:
            self.wanted, self.typed, self.known = FactsWanted(), {}, None
        await super().open(workspace_id)

    def read_content(self) -> FactsContent:
        return read_facts(self.inklings, self.workspace_id, self.wanted)

    def keys_of(self, content: FactsContent) -> Sequence[str]:
        return [one.fact.memory.id for one in content.shown]

    def show_content(self, content: FactsContent) -> None:
        super().show_content(content)
        self._read_known()

    def choose(self, key: str) -> None:
        """Show a fact, and read how it came to be."""
        super().choose(key)
        self._read_known()

    def _read_known(self) -> None:
        if (view := self.view_now()) is not None:
            self._reading_known.run(self._know(view))

    async def _know(self, view: FactView) -> None:
        reading = self.background.read(read_detail, self.inklings, view)
        known = await said(self.context, reading)
        if known is not None:
            self.known = known
            self.say_again()

    def want(self, **query: Any) -> None:
        """Read other facts, or in another order."""
        self.wanted = replace(self.wanted, query=replace(self.wanted.query, **query))
        self.read_again()

    def find(self, text: str) -> None:
        """Read those that say something; all for an empty text."""
        self.wanted = replace(self.wanted, text=text.strip())
        self.read_again()

    def view_now(self) -> FactView | None:
        """The fact on show."""
        return self.content.view(self.current) if self.content is not None else None

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: FactsContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        is_empty = not content.n_facts and self.wanted == FactsWanted()
        domains, beside = _DOMAINS, _INSPECTOR
        if self.view.width() < _TIGHT * self.context.theme.text_scale:
            domains, beside = _TIGHT_DOMAINS, _TIGHT_INSPECTOR
        is_detail, is_wide = self.is_narrow and self.is_open, not self.is_narrow
        is_any = bool(self.current)
        size = {"maximumWidth": _NO_LIMIT} if self.is_narrow else {"fixedWidth": beside}
        some = plate(
            plate(
                *self._said_domains(content),
                box=vbox,
                spacing=0,
                visible=is_wide,
                dress=sized(fixedWidth=domains),
            ),
            part(VerticalRule, LOOK, visible=is_wide),
            plate(
                *self._said_list(content, domains + beside if is_wide else 0),
                box=vbox,
                ground="surface",
                spacing=0,
                visible=not is_detail,
                place=(1,),
            ),
            part(VerticalRule, LOOK, visible=is_wide and is_any),
            plate(
                *self.said_beside(content),
                box=vbox,
                spacing=0,
                name="factsDetail",
                visible=is_any and (is_detail or is_wide),
                dress=sized(**size),
                place=(int(self.is_narrow),),
            ),
            spacing=0,
        )
        nothing = part(
            *(Nothing, LOOK),
            name="nothingFacts",
            said=_nothing(content, only_looks=self.only_looks),
            action_requested=self.begin,
        )
        return (pages(nothing, some, now=int(not is_empty), place=(1,)),)

    def _said_domains(self, content: FactsContent) -> tuple[Inside, ...]:
        told = tr("A domain groups facts and decides who may write them.")
        return (
            plate(words(tr("Domains"), "label", way="plain"), margins=(20, 14, 14, 8)),
            part(
                *(DomainList, LOOK, tr("Domains")),
                name="factDomains",
                said=(domain_rows(content), domain_key(self.wanted.query.domain)),
                row_chosen=lambda key: self.want(domain=domain_of(key), topic=""),
                place=(1,),
            ),
            plate(
                words(told, "caption"),
                across(link(tr("Grants"), self.to_grants, name="factGrants"), STRETCH),
                box=vbox,
                spacing=2,
                margins=(20, 8, 14, 16),
                visible=not self.only_looks,
            ),
        )

    def _said_list(self, content: FactsContent, taken: int) -> tuple[Inside, ...]:
        query, scale = self.wanted.query, self.context.theme.text_scale
        is_beside = self.view.width() - taken * scale >= _FILTERS_BESIDE * scale
        rows, is_found = fact_rows(content), bool(self.wanted.text)
        left = content.total - len(content.shown)
        state = state_word(next(iter(query.states))) if query.states else ""
        chips = across(
            self._chip("factDomain", tr("Domain"), query.domain, self._domains, self.is_narrow),
            self._chip("factTopic", tr("Topic"), query.topic, self._topics, bool(query.topic)),
            self._chip("factState", tr("State"), state, self._states),
            self._chip("factSort", tr("Sort"), sorts()[query.sort], self._sorts, not is_found),
            part(
                *(Toggle, LOOK, tr("Superseded too"), "clock-counter-clockwise"),
                name="factSuperseded",
                on=query.with_superseded,
                toggled_by_user=lambda on: self.want(with_superseded=on),
            ),
            STRETCH,
            spacing=8,
        )
        return (
            plate(
                turned(
                    part(
                        *(FindField, LOOK, tr("Search facts")),
                        name="factFind",
                        query_changed=self.find,
                        leave_requested=self.focus_list,
                    ),
                    chips,
                    beside=is_beside,
                    spacing=8,
                    place=(1,),
                ),
                margins=(20, 10, 20, 10),
            ),
            hairline(),
            words(
                tr("Nothing is found."),
                "body",
                visible=not rows,
                alignment=_MIDDLE,
            ),
            part(
                *(FactList, LOOK, tr("Facts"), FIND if self.only_looks else _LETTERS),
                name="factsList",
                said=(rows, self.current),
                row_chosen=self.choose,
                letter_pressed=self._press,
                activated_by_key=lambda _: self.focus_detail(),
                doubleClicked=lambda _: self.focus_detail(),
                place=(1,),
            ),
            plate(
                words(tr("{n} more").format(n=grouped(max(left, 0))), "caption", way="plain"),
                link(tr("Show more"), lambda: self.want(limit=query.limit + AT_ONCE)),
                STRETCH,
                margins=(20, 8, 20, 8),
                spacing=8,
                visible=left > 0,
            ),
        )

    def _chip(
        self,
        name: str,
        label: str,
        value: str,
        offers: Callable[[], Iterable[Offer]],
        visible: bool = True,  # noqa: FBT001, FBT002 - most are
    ) -> Part:
        """A filter that is chosen from a menu; its cross lets it go."""

        def opens() -> None:
            found = self.view.findChild(QWidget, name)
            if found is not None:
                open_menu(offers, found)

        return part(
            *(FilterChip, LOOK, label),
            how={"counts": name == "factSort"},
            name=name,
            value=value,
            popover_requested=opens,
            clear_requested=lambda: self.want(**_WITHOUT[name]),
            visible=visible,
        )

    def said_beside(self, content: FactsContent) -> tuple[Inside, ...]:
        """What is told of the fact on show."""
        raise NotImplementedError

    def begin(self, key: str) -> None:
        """Do what the empty page offers."""
        raise NotImplementedError

    def to_grants(self) -> None:
        """Show who may read and write which domain."""
        self.context.go(ToKnowledge(tab="grants"))

    def _domains(self) -> Iterable[Offer]:
        yield tr("All"), partial(self.want, domain="", topic="")
        for name in names_of(self.content):
            yield name, partial(self.want, domain=name, topic="")

    def _topics(self) -> Iterable[Offer]:
        yield tr("All topics"), partial(self.want, topic="")

    def _states(self) -> Iterable[Offer]:
        yield tr("Any state"), partial(self.want, states=frozenset())
        for state in _STATES:
            yield state_word(state), partial(self.want, states=frozenset({state}))

    def _sorts(self) -> Iterable[Offer]:
        for sort, name in sorts().items():
            yield name, partial(self.want, sort=sort)


_WITHOUT: dict[str, dict[str, Any]] = {
    "factDomain": {"domain": "", "topic": ""},
    "factTopic": {"topic": ""},
    "factState": {"states": frozenset()},
    "factSort": {},
}


def first_domains() -> tuple[str, str]:
    """Names of the domains that a world begins with."""
    return tr("Canon"), tr("House rules")


def _nothing(
    content: FactsContent, *, only_looks: bool
) -> tuple[str, str, tuple[EmptyAction, ...]]:
    if only_looks:
        return tr("No facts yet"), tr("Nothing that is settled is shown to this client."), ()
    write = EmptyAction(NEW, tr("New fact"), tr("Write what is settled about this world."), "plus")
    begin = EmptyAction(
        FIRST,
        tr("Make {canon} and {rules}").format(
            **dict(zip(("canon", "rules"), first_domains(), strict=True))
        ),
        tr(
            "Two domains: \u201cNerys is left-handed until chapter 8\u201d goes into the one, "
            "\u201cNever show magic without its price\u201d into the other."
        ),
        "tree-structure",
    )
    return (
        tr("No facts yet"),
        tr("Agents conclude them from pages and memories; you can write the first one."),
        (write,) if content.domains else (begin, write),
    )
