"""The tab of facts: how each came to be, and what is done about it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, ClassVar, TypeVar

from PySide6.QtCore import Qt

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.dialogs.fact_dialog import FactQuestion, TypedFact, ask_fact
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import Chip
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    button,
    hairline,
    link,
    mark,
    more,
    plate,
    scrolling,
    sized,
)
from inklings_desktop.ui.knowledge import acts
from inklings_desktop.ui.knowledge.facts_shown import (
    FIND,
    LESS,
    MORE,
    NEW,
    SUPERSEDE,
    FactsShown,
    first_domains,
)
from inklings_desktop.ui.knowledge.facts_state import (
    FactsContent,
    FactsWanted,
    FactValues,
    names_of,
    place_words,
    values_of,
)
from inklings_desktop.ui.knowledge.inspector import (
    chain_parts,
    dispute,
    rule_parts,
    source_parts,
    value_parts,
)
from inklings_desktop.ui.knowledge.view import BOTH, THIS, FactList
from inklings_desktop.ui.markdown.long_text_edit import Wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.knowledge.facts import Fact, FactView
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside
    from inklings_desktop.ui.kit.page.parts import Offer

T = TypeVar("T")
SAVE = "Ctrl S"
_CENTRE = Qt.AlignmentFlag.AlignVCenter
_FOOT, _HEAD = 60, 52
_LINE, _AROUND, _A_LINE, _MOST_LINES = 24, 26, 34, 7
_NUDGE = 0.05


class FactsTab(FactsShown):
    """What is settled; a ``Done`` undoes an act."""

    key: ClassVar = "facts"
    buttons: ClassVar = {SUPERSEDE: "supersedeFact", SAVE: "saveFact"}
    detail: ClassVar = "factContent"
    anywhere: ClassVar = (SAVE,)

    @staticmethod
    def title() -> str:
        """What stands on the tab."""
        return tr("Facts")

    @staticmethod
    def read_count(context: Context, workspace_id: str) -> int:
        """How many there are; runs on a reader."""
        return sum(one.n_facts for one in context.inklings.domains.list(workspace_id))

    # -- beside the list ----------------------------------------------------------------------

    def said_beside(self, content: FactsContent) -> tuple[Inside, ...]:
        view = self.view_now()
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
                    known.rules if known else (), None if self.only_looks else self.to_grants
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
        view = self.view_now()
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
        self.tell_undoable(Done(tr("Wrote 1 fact"), acts.unwriting(memory)))

    async def _supersede(self, text: str = "", confidence: float | None = None) -> None:
        """Ask what takes the place of the fact on show, and why."""
        if (view := self.view_now()) is None or view.fact.memory.is_forgotten:
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
        self.tell_undoable(Done(tr("Superseded 1 fact"), lambda one: one.facts.take_back(ref)))

    async def _save(self) -> None:
        """Keep what it has besides its text; another text takes its place, and is asked about."""
        if (view := self.view_now()) is None:
            return
        text, values = self._typed(view)
        if text != view.fact.memory.content:
            await self._supersede(text)
            return
        undoes = await self.outcome(partial(acts.refile, self.inklings, view.fact, values))
        if undoes is not None:
            self.typed.pop(view.fact.memory.id, None)
            self.tell_undoable(Done(tr("Changed 1 fact"), undoes))

    async def _confirm(self) -> None:
        if (view := self.view_now()) is not None:
            confirm = partial(self.inklings.memories.confirm, [view.fact.memory.ref])
            if await self.outcome(confirm) is not None:
                self.context.tell(tr("Still true: 1 fact"))

    async def _take_back(self) -> None:
        """Forget the fact on show; the one that it replaced stands again."""
        if (view := self.view_now()) is None or view.fact.memory.is_forgotten:
            return
        done = await self.outcome(partial(acts.withdraw, self.inklings, view))
        if done is not None:
            self.current, undoes = done
            self.tell_undoable(Done(tr("Withdrew 1 fact"), undoes))

    def _say_again_old(self, old: FactView) -> None:
        """Let an earlier text of the chain take the place of what stands now."""
        self.spawn(self._supersede(old.fact.memory.content, old.fact.details.confidence))

    def _answer(self, answer: str) -> None:
        view, known = self.view_now(), self.known
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
            self.tell_undoable(Done(tr("Settled which fact is right"), undoes))

    def begin(self, key: str) -> None:
        self.spawn(self.put_new() if key == NEW else self._make_first())

    async def _make_first(self) -> None:
        """Make the domains that a world begins with, as one step."""
        make = partial(acts.make_first, self.inklings, self.workspace_id, first_domains())
        if (undoes := await self.outcome(make)) is not None:
            self.tell_undoable(Done(tr("Made 2 domains"), undoes))

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
        elif letter in {LESS, MORE} and (view := self.view_now()) is not None:
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


def _as_reading(n_characters: int, field: QWidget, theme: Theme) -> None:
    """As high as what is in it needs, within reason."""
    n_lines = min(max(ceil(n_characters / _A_LINE), 2), _MOST_LINES)
    field.setFont(theme.font("reading"))
    field.setFixedHeight(theme.scaled(_LINE * n_lines + _AROUND))
