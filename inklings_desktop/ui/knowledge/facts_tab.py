"""The tab of facts: domains, facts with how sure they are, and beside them how each came to be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.knowledge.facts import FactState
from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.text_fields import FindField
from inklings_desktop.ui.kit.dialogs.fact_dialog import FactQuestion, TypedFact, ask_fact
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import Chip
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.deciding import DecidingTab, Nothing
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.ui.kit.page.parts import (
    across,
    button,
    hairline,
    link,
    mark,
    more,
    open_menu,
    pages,
    plate,
    scrolling,
    sized,
    turned,
    words,
)
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.knowledge import acts
from inklings_desktop.ui.knowledge.facts_state import (
    AT_ONCE,
    FactDetail,
    FactsContent,
    FactStep,
    FactsWanted,
    FactValues,
    domain_key,
    domain_of,
    domain_rows,
    fact_rows,
    names_of,
    place_words,
    read_detail,
    read_facts,
    sorts,
    state_word,
    values_of,
)
from inklings_desktop.ui.knowledge.inspector import (
    chain_parts,
    dispute,
    rule_parts,
    source_parts,
    value_parts,
)
from inklings_desktop.ui.knowledge.view import BOTH, THIS, DomainList, FactList, Toggle
from inklings_desktop.ui.markdown.long_text_edit import Wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inklings_desktop.domain.knowledge.facts import Fact, FactView
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.parts import Offer

T = TypeVar("T")
SUPERSEDE, FIND, LESS, MORE, SAVE = "S", "/", "[", "]", "Ctrl S"
NEW, FIRST = "new", "first"
"""Where to begin while there is nothing."""
_LETTERS = f"{SUPERSEDE}{FIND}{LESS}{MORE}"
_MIDDLE, _CENTRE = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignVCenter
_DOMAINS, _INSPECTOR, _FOOT, _HEAD, _NO_LIMIT = 204, 372, 60, 52, 4000
_LINE, _AROUND, _A_LINE, _MOST_LINES = 24, 26, 34, 7
_TIGHT = 1160
"""Below this width of the tab both columns at the sides are narrower."""
_TIGHT_DOMAINS, _TIGHT_INSPECTOR = 168, 340
_FILTERS_BESIDE = 560
_NUDGE = 0.05
_STATES = (FactState.DISAGREES, FactState.SOURCE_CHANGED, FactState.UNSUPPORTED)


class FactsTab(DecidingTab[FactsContent]):
    """What is settled; a ``FactStep`` undoes an act.

    Attributes:
        wanted: What the person wants to see.
        typed: By ids of facts, what they are to have besides their text; not kept yet.
        known: What is read of the current one besides the fact.
        left_open: Ids of facts whose dispute is left open for now.
        only_looks: Whether somebody looks through a client's eyes, and nothing can be changed.
    """

    key: ClassVar = "facts"
    buttons: ClassVar = {SUPERSEDE: "supersedeFact", SAVE: "saveFact"}
    detail: ClassVar = "factContent"
    anywhere: ClassVar = (SAVE,)

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.wanted = FactsWanted()
        self.typed: dict[str, FactValues] = {}
        self.known: FactDetail | None = None
        self.left_open: set[str] = set()
        self.only_looks = context.inklings.caller.is_agent
        super().__init__(context, parent)
        self._reading_known = Latest(context.background)

    @staticmethod
    def title() -> str:
        """What stands on the tab."""
        return tr("Facts")

    @staticmethod
    def read_count(context: Context, workspace_id: str) -> int:
        """How many there are; runs on a reader."""
        return sum(one.n_facts for one in context.inklings.domains.list(workspace_id))

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
        if (view := self._view()) is not None:
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

    def _view(self) -> FactView | None:
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
                *self._said_beside(content),
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
            action_requested=self._begin,
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
                across(link(tr("Grants"), self._to_grants, name="factGrants"), STRETCH),
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
            words(tr("Nothing is found."), "body", visible=not rows, alignment=_MIDDLE),
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

    # -- beside the list ----------------------------------------------------------------------

    def _said_beside(self, content: FactsContent) -> tuple[Inside, ...]:
        view = self._view()
        if view is None:
            return ()
        memory, now = view.fact.memory, content.now
        known = self.known if self.known is not None and self.known.id == memory.id else None
        is_over = memory.is_forgotten or self.only_looks
        text, values = self._typed(view)
        is_other = (text, values) != (memory.content, values_of(view.fact))
        is_whole = bool(text.strip()) and values.is_sound
        is_left = memory.id in self.left_open or self.only_looks
        asked = None if is_left else known
        return (
            plate(
                link(tr("All facts"), self.focus_list, visible=self.is_narrow),
                mark("tree-structure", "inkSoft", tr("Fact"), "metaStrong", inked=False),
                part(Chip, LOOK, text=place_words(view.fact), place=(0, _CENTRE)),
                STRETCH,
                more(tr("More"), self._offers, name="factMore", visible=not self.only_looks),
                part(IconButton, LOOK, "caret-up", tr("Fact above"), clicked=self._steps(-1)),
                part(IconButton, LOOK, "caret-down", tr("Fact below"), clicked=self._steps(1)),
                margins=(20, 0, 12, 0),
                spacing=8,
                dress=sized(fixedHeight=_HEAD),
            ),
            hairline(),
            scrolling(
                dispute(asked.others if asked else (), self._answer),
                part(
                    *(Wording, LOOK),
                    name=self.detail,
                    spoken=tr("Text"),
                    said=text,
                    typed=self.on_typed,
                    readOnly=is_over,
                    tabChangesFocus=True,
                    dress=partial(_as_reading, len(text)),
                ),
                *value_parts(values, self._want, enabled=not is_over),
                8,
                *chain_parts(
                    known.chain if known else (view,),
                    now,
                    None if self.only_looks else self._say_again_old,
                ),
                *source_parts(view, now, self.context.go),
                8,
                *rule_parts(
                    known.rules if known else (), None if self.only_looks else self._to_grants
                ),
                STRETCH,
                margins=(20, 14, 20, 14),
                spacing=8,
                horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                place=(1,),
            ),
            hairline(),
            plate(
                self.hinted(
                    *(tr("Supersede\u2026"), SUPERSEDE, self.starts(self._supersede)),
                    glyph="clock-counter-clockwise",
                    stores=True,
                    enabled=not is_over and not self.is_deciding,
                ),
                STRETCH,
                button(tr("Revert"), self._revert, kind="quiet", enabled=is_other),
                self.hinted(
                    *(tr("Save"), SAVE, self.starts(self._save)),
                    stores=True,
                    enabled=is_other and is_whole and not is_over and not self.is_deciding,
                ),
                margins=(20, 0, 16, 0),
                spacing=8,
                visible=not self.only_looks,
                dress=sized(fixedHeight=_FOOT),
            ),
        )

    def _typed(self, view: FactView) -> tuple[str, FactValues]:
        """Text of a fact and what else it has, as they stand in the inspector."""
        memory, values = view.fact.memory, values_of(view.fact)
        return self.wordings.get(memory.id, memory.content), self.typed.get(memory.id, values)

    def _want(self, values: FactValues) -> None:
        self.typed[self.current] = values
        self.say_again()
        self.told.emit()

    def _revert(self) -> None:
        self.wordings.pop(self.current, None)
        self.typed.pop(self.current, None)
        self.say_again()
        self.told.emit()

    def _offers(self) -> Iterable[Offer]:
        view = self._view()
        if view is None or view.fact.memory.is_forgotten:
            return
        yield tr("Still true"), self.starts(self._confirm)
        yield tr("Withdraw"), self.starts(self._take_back)
        topic = view.fact.memory.topic
        yield tr("Only this topic"), partial(self.want, topic=topic, domain=view.fact.domain)

    # -- acts ---------------------------------------------------------------------------------

    async def _ask(
        self, question: FactQuestion, begin: TypedFact, write: Callable[[TypedFact], T]
    ) -> T | None:
        async def use(typed: TypedFact) -> T:
            return await self.background.write(write, typed)

        return await ask_fact(self.context.window, self.context.theme, question, begin, use)

    async def put_new(self) -> None:
        """Ask for a fact, and keep it."""
        names = names_of(self.content)
        domain = self.wanted.query.domain or next(iter(names), tr("Canon"))
        put = partial(acts.put_fact, self.inklings, self.workspace_id)
        question = FactQuestion(
            tr("New fact"),
            tr("Something settled about this world. Agents may only propose a change of it."),
            tr("Keep"),
            names,
            has_sources=True,
            has_chapters=True,
        )
        done = await self._ask(question, TypedFact(domain, self.wanted.query.topic), put)
        if done is None:
            return
        memory = done.fact.memory
        self.current = memory.id
        self.read_again()
        if done.was_known:
            self.context.tell(tr("This fact is there already."))
            return
        self.tell_undoable(FactStep(tr("Wrote 1 fact"), acts.unwriting(memory)))

    async def _supersede(self, text: str = "", confidence: float | None = None) -> None:
        """Ask what takes the place of the fact on show, and why."""
        if (view := self._view()) is None or view.fact.memory.is_forgotten:
            return
        fact, memory = view.fact, view.fact.memory
        typed_text, values = self._typed(view)
        sure = values.confidence if confidence is None else confidence
        supersede = partial(acts.supersede, self.inklings, memory)
        question = FactQuestion(
            tr("Supersede this fact"),
            tr("The new one takes its place. The old one stays in the chain; no search finds it."),
            tr("Supersede"),
            has_reason=True,
            has_chapters=True,
        )
        begin = TypedFact(
            *(fact.domain, values.topic, text or typed_text, sure), chapters=values.chapters
        )
        made = await self._ask(question, begin, supersede)
        if made is not None:
            self._done_superseding(memory.id, made)

    def _done_superseding(self, old_id: str, made: Fact) -> None:
        self.wordings.pop(old_id, None)
        self.typed.pop(old_id, None)
        self.current = made.memory.id
        self.read_again()
        ref = made.memory.ref
        self.tell_undoable(FactStep(tr("Superseded 1 fact"), lambda one: one.facts.take_back(ref)))

    async def _save(self) -> None:
        """Keep what it has besides its text; another text takes its place, and is asked about."""
        if (view := self._view()) is None:
            return
        text, values = self._typed(view)
        if text != view.fact.memory.content:
            await self._supersede(text)
            return
        undoes = await self.outcome(partial(acts.refile, self.inklings, view.fact, values))
        if undoes is not None:
            self.typed.pop(view.fact.memory.id, None)
            self.tell_undoable(FactStep(tr("Changed 1 fact"), undoes))

    async def _confirm(self) -> None:
        if (view := self._view()) is not None:
            confirm = partial(self.inklings.memories.confirm, [view.fact.memory.ref])
            if await self.outcome(confirm) is not None:
                self.context.tell(tr("Still true: 1 fact"))

    async def _take_back(self) -> None:
        """Forget the fact on show; the one that it replaced stands again."""
        if (view := self._view()) is None or view.fact.memory.is_forgotten:
            return
        done = await self.outcome(partial(acts.withdraw, self.inklings, view))
        if done is not None:
            self.current, undoes = done
            self.tell_undoable(FactStep(tr("Withdrew 1 fact"), undoes))

    def _say_again_old(self, old: FactView) -> None:
        """Let an earlier text of the chain take the place of what stands now."""
        self.spawn(self._supersede(old.fact.memory.content, old.fact.details.confidence))

    def _answer(self, answer: str) -> None:
        view, known = self._view(), self.known
        if view is None or known is None:
            return
        if answer == BOTH:
            self.want(domain=view.fact.domain, topic=view.fact.memory.topic)
        elif answer == THIS and known.others:
            self.spawn(self._settle(view.fact, known.others[0]))
        else:
            self.left_open.add(view.fact.memory.id)
            self.say_again()

    async def _settle(self, holds: Fact, other: Fact) -> None:
        """Let the fact on show take the place of the other one."""
        done = await self.outcome(partial(acts.settle, self.inklings, holds, other))
        if done is not None:
            self.current, undoes = done
            self.tell_undoable(FactStep(tr("Settled which fact is right"), undoes))

    def _begin(self, key: str) -> None:
        self.spawn(self.put_new() if key == NEW else self._make_first())

    async def _make_first(self) -> None:
        """Make the domains that a world begins with, as one step."""
        make = partial(acts.make_first, self.inklings, self.workspace_id, _first())
        if (undoes := await self.outcome(make)) is not None:
            self.tell_undoable(FactStep(tr("Made 2 domains"), undoes))

    def _to_grants(self) -> None:
        self.context.go(ToKnowledge(tab="grants"))

    # -- what the window asks -----------------------------------------------------------------

    def go_to(self, fact_id: str) -> None:
        """Show one fact, wherever it stands."""
        self.wanted, self.current = FactsWanted(), fact_id
        self.read_again()

    def _steps(self, by: int) -> Callable[[], None]:
        def step() -> None:
            found = self.view.findChild(FactList, "factsList")
            if found is not None:
                found.step(by)

        return step

    def _press(self, letter: str) -> None:
        if letter == FIND:
            self.show_step("factFind", is_open=False)
        elif letter in {LESS, MORE} and (view := self._view()) is not None:
            by, values = _NUDGE if letter == MORE else -_NUDGE, self._typed(view)[1]
            sure = min(1.0, max(0.0, round(values.confidence + by, 2)))
            self._want(replace(values, confidence=sure))
        else:
            super()._press(letter)

    @property
    def has_unsaved(self) -> bool:
        """Whether a wording or a figure of the author's own is neither kept nor given up."""
        shown = self.content.shown if self.content is not None else ()
        return any(
            self._typed(one) != (one.fact.memory.content, values_of(one.fact)) for one in shown
        )

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that act while the list has the keyboard."""
        changing = (KeyHint(("Enter",), tr("edit")), KeyHint((SUPERSEDE,), tr("supersede")))
        return (
            KeyHint(("J", "K"), tr("move")),
            *(() if self.only_looks else changing),
            KeyHint((FIND,), tr("search")),
            KeyHint(("Ctrl Tab",), tr("next tab")),
        )


_WITHOUT: dict[str, dict[str, Any]] = {
    "factDomain": {"domain": "", "topic": ""},
    "factTopic": {"topic": ""},
    "factState": {"states": frozenset()},
    "factSort": {},
}


def _first() -> tuple[str, str]:
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
            **dict(zip(("canon", "rules"), _first(), strict=True))
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


def _as_reading(n_characters: int, field: QWidget, theme: Theme) -> None:
    """As high as what is in it needs, within reason."""
    n_lines = min(max(ceil(n_characters / _A_LINE), 2), _MOST_LINES)
    field.setFont(theme.font("reading"))
    field.setFixedHeight(theme.scaled(_LINE * n_lines + _AROUND))
