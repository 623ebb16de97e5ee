"""The tab of what changed under memory: each memory beside its page, to keep, update or forget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt

from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.domain.world.derivations import RetconState
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import Chip
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.kit.page.deciding import DELETE, SPACE, DecidingTab
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToWorld
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    hairline,
    link,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.words.entry_facts import day_label
from inklings_desktop.ui.kit.words.memory_facts import exact_time, relative_age
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.markdown.long_text_edit import Wording
from inklings_desktop.ui.world.changed_state import (
    ChangedContent,
    Clash,
    Doubt,
    answer_all,
    changed_rows,
    done_words,
    read_changed,
    settled_words,
    undo_all,
    words_changed,
)
from inklings_desktop.ui.world.clash_pane import (
    FOOT,
    HOLDS,
    OPEN,
    OTHER_RIGHT,
    RIGHT,
    SIDE,
    WAITS,
    clash_parts,
    remembered,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.world.changed_state import Answered

LIST = 372
KEEP, UPDATE = "S", "U"
_KEPT, _GONE = RetconState.KEPT, RetconState.FORGOTTEN
_EDITOR = 96


class ChangedTab(DecidingTab[ChangedContent]):
    """What changed under memory and what contradicts it, behind one list.

    A ``Done`` undoes an answer.

    Attributes:
        checked: Keys of what is answered together.
    """

    key: ClassVar = "changed"
    buttons: ClassVar = {
        KEEP: "keepTrue",
        UPDATE: "updateMemory",
        OPEN: "openSource",
        DELETE: "forgetIt",
        RIGHT: "firstRight",
        OTHER_RIGHT: "secondRight",
        HOLDS: "bothHold",
        WAITS: "decideLater",
    }
    together: ClassVar = {KEEP: "keepChecked", DELETE: "forgetChecked"}
    detail: ClassVar = "newWording"
    checked: frozenset[str] = frozenset()

    @staticmethod
    def title() -> str:
        """What stands on the tab."""
        return tr("Source changed")

    @staticmethod
    def read_count(context: Context, workspace_id: str) -> int:
        """How many memories wait for an answer; runs on a reader."""
        cases = context.inklings.derivations.retcons(workspace_id)
        return sum(len(one.memories) for one in cases)

    # -- reading ------------------------------------------------------------------------------

    def read_content(self) -> ChangedContent:
        return read_changed(self.inklings, self.workspace_id)

    def keys_of(self, content: ChangedContent) -> Sequence[str]:
        return [*(one.key for one in content.doubts), *(one.key for one in content.clashes)]

    def show_content(self, content: ChangedContent) -> None:
        self.checked &= {one.key for one in content.doubts}
        super().show_content(content)

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: ChangedContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        rows, n = changed_rows(content, self.checked), len(self.checked)
        told = tr(
            "Until you answer, the agent hears these as \u201cbased on an earlier entry\u201d and "
            "is told the source changed."
        )
        listed = (
            self.rows("changedList", tr("Source changed"), rows, LIST, is_tall=True),
            hairline(),
            plate(
                words(told, "caption", place=(1,)),
                margins=(20, 12, 20, 12),
                visible=bool(content.doubts) and not n,
            ),
            self._bulk_bar(n),
        )
        waits = content.one(self.current)
        detail: tuple[Part, ...] = ()
        if isinstance(waits, Doubt):
            detail = self._detail(waits, content, is_narrow=self.is_narrow)
        elif waits is not None:
            answer = partial(self._answers_clash, waits)
            detail = clash_parts(waits, content.now, self, answer=answer, open_page=self._open_page)
        none = (tr("Nothing has changed under memory."), _when_read(content))
        return self.in_two(listed, detail, none, is_any=bool(rows), box=vbox, ground="surface")

    def _bulk_bar(self, n: int) -> Part:
        """What can be answered of all that are checked."""
        forget = tr("Forget {n}").format(n=grouped(n)), DELETE, self._answers(_GONE)
        keep = tr("Keep {n}, still true").format(n=grouped(n)), KEEP, self._answers(_KEPT)
        names, act = self.together, partial(self.hinted, stores=True, enabled=not self.is_deciding)
        return plate(
            act(*forget, name=names[DELETE], kind="quietDanger", glyph="eraser"),
            STRETCH,
            act(*keep, name=names[KEEP]),
            name="changedTogether",
            margins=(8, 0, 20, 0),
            spacing=8,
            visible=n > 0,
            dress=sized(fixedHeight=FOOT),
        )

    def _detail(
        self, doubt: Doubt, content: ChangedContent, *, is_narrow: bool
    ) -> tuple[Part, ...]:
        case, memory, now = doubt.case, doubt.memory, content.now
        wording = self.wordings.get(doubt.key, doubt.prefilled)
        is_gone = case.retcon.what == "gone"
        others = [one for one in case.memories if one.id != memory.id]
        age = relative_age(now - case.retcon.found_at)
        remembered_on = tr("remembered {day}").format(day=day_label(memory.created_at))
        told = tr("your words; the changed words were put in for you")
        if doubt.suggested is None:
            told = tr("Nothing was put in for you.")
        can_answer = not (self.is_deciding or self.checked)
        is_another = bool(wording.strip()) and wording != memory.content
        act = partial(self.hinted, stores=True)
        forget = tr("Forget it"), DELETE, self._answers(_GONE)
        keep = tr("Keep, still true"), KEEP, self._answers(_KEPT)
        is_fact = memory.kind is MemoryKind.FACT
        then = tr("If you supersede it") if is_fact else tr("If you update it")
        verb = tr("Supersede") if is_fact else tr("Update")
        update = verb, UPDATE, self._answers(RetconState.UPDATED)
        text = part(MarkedText, LOOK, name="rememberedText", text=memory.content)
        return (
            scrolling(
                across(link(tr("All changes"), self.focus_list, visible=is_narrow), STRETCH),
                words(tr("What is remembered"), "label", way="plain"),
                remembered(text, memory, now, self),
                8,
                across(
                    words(tr("What the page says"), "label", way="plain"),
                    STRETCH,
                    words(doubt.source, "metaInk", way="elided", name="changedSource"),
                    words(remembered_on, way="plain"),
                    words(
                        tr("changed {age} ago").format(age=age),
                        way="plain",
                        toolTip=exact_time(case.retcon.found_at),
                    ),
                    part(Chip, LOOK, text=words_changed(doubt), visible=not is_gone),
                    spacing=12,
                ),
                words(_gone_words(doubt), "metaInk", visible=is_gone, name="sourceGone"),
                plate(
                    part(
                        *(DiffView, LOOK),
                        how={"compact": True, "face": "reading"},
                        name="changedDiff",
                        diff=doubt.diff,
                    ),
                    box=vbox,
                    kind="card",
                    margins=(1, 6, 1, 6),
                ),
                8,
                across(
                    words(then, "label", way="plain"),
                    STRETCH,
                    words(told, "caption", way="plain", name="prefilledHow"),
                ),
                part(
                    *(Wording, LOOK),
                    name="newWording",
                    spoken=then,
                    said=wording,
                    typed=self.on_typed,
                    tabChangesFocus=True,
                    dress=_as_reading,
                ),
                below(
                    words(tr("What also leans on it"), "label", way="plain"),
                    *(part(MarkedText, LOOK, text=one.content) for one in others),
                    spacing=8,
                )
                if others
                else 0,
                STRETCH,
                margins=(SIDE, 20, SIDE, 20),
                spacing=8,
                horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                place=(1,),
                key="doubt",
            ),
            hairline(),
            plate(
                act(*forget, kind="quietDanger", glyph="eraser", enabled=can_answer),
                STRETCH,
                self.hinted(
                    *(tr("Open page"), OPEN, self._open_page),
                    glyph="arrow-square-out",
                    enabled=bool(case.page_id),
                ),
                act(*keep, enabled=can_answer),
                act(*update, kind="primary", enabled=can_answer and is_another),
                margins=(SIDE, 0, SIDE, 0),
                spacing=8,
                dress=sized(fixedHeight=FOOT),
                key="doubtFoot",
            ),
        )

    # -- answers ------------------------------------------------------------------------------

    def _press(self, key: str) -> None:
        if key == SPACE:
            self._check()
        super()._press(key)

    def button_of(self, key: str) -> str:
        return (self.together if self.checked else self.buttons).get(key, "")

    def _check(self) -> None:
        """Check what is current, or uncheck it; contradictions are answered one by one."""
        if self._doubt() is not None:
            self.checked ^= {self.current}
            self.say_again()
            self.told.emit()

    def go_back(self) -> None:
        self.checked = frozenset()
        super().go_back()
        self.told.emit()

    def detail_name(self) -> str:
        return self.detail if self._clash() is None else self.buttons[HOLDS]

    def _doubt(self) -> Doubt | None:
        waits = self.content.one(self.current) if self.content is not None else None
        return waits if isinstance(waits, Doubt) else None

    def _clash(self) -> Clash | None:
        waits = self.content.one(self.current) if self.content is not None else None
        return waits if isinstance(waits, Clash) else None

    def _answers(self, what: RetconState) -> Callable[[], None]:
        return self.starts(partial(self._answer, what))

    async def _answer(self, what: RetconState) -> None:
        """Answer for all that are checked, else for the memory on show."""
        keys = self.checked or {self.current}
        doubts = self.content.doubts if self.content is not None else ()
        done = [one for one in doubts if one.key in keys]
        if not done:
            return
        here, inklings = self.workspace_id, self.inklings
        first = {one.memory.id: one for one in reversed(done)}  # some lean on several pages
        answered = _by_retcon(list(first.values()) if what is _GONE else done)
        call: Callable[..., object] = partial(answer_all, here, what, answered, inklings)
        if what is RetconState.UPDATED:
            (doubt,) = done
            wording = self.wordings.get(doubt.key, doubt.prefilled)
            named = (doubt.case.retcon.id, doubt.memory.id, wording, doubt.memory.version)
            call = partial(inklings.derivations.update, here, *named)
        told, undo = done_words(what, len(first)), partial(undo_all, here, answered)
        step = Done(told, undo)
        await self.decide([one.key for one in done], step, call)

    def _answers_clash(self, clash: Clash, what: str) -> Callable[[], None]:
        return self.starts(partial(self._answer_clash, clash, what))

    async def _answer_clash(self, clash: Clash, what: str) -> None:
        if clash.key != self.current:
            return
        text = settled_words(what) or done_words(_GONE, 1)
        named, derivations = (self.workspace_id, clash.pair, what), self.inklings.derivations
        step = Done(text, lambda one: one.derivations.undo_contradiction(*named))
        await self.decide([clash.key], step, partial(derivations.decide_contradiction, *named))

    def _open_page(self) -> None:
        clash = self._clash()
        if (doubt := self._doubt()) is not None:
            self.context.go(ToWorld(doubt.case.page_id, doubt.case.retcon.block_id))
        elif clash is not None and clash.pair.page is not None and clash.pair.block is not None:
            self.context.go(ToWorld(clash.pair.page.id, clash.pair.block.id))

    # -- what the window asks -----------------------------------------------------------------

    @property
    def has_unsaved(self) -> bool:
        """Whether a wording of the author's own is neither kept nor given up."""
        doubts = self.content.doubts if self.content is not None else ()
        return any(self.wordings.get(one.key, one.prefilled) != one.prefilled for one in doubts)

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that answer while the list has the keyboard."""
        clash = self._clash()
        move, check = KeyHint(("J", "K"), tr("move")), KeyHint((SPACE,), tr("check"))
        keep, forget = KeyHint((KEEP,), tr("still true")), KeyHint((DELETE,), tr("forget"))
        if self.checked:
            return (move, check, keep, forget, KeyHint(("Esc",), tr("uncheck")))
        if clash is not None:
            rights = (RIGHT, OTHER_RIGHT) if clash.pair.second is not None else (OTHER_RIGHT,)
            right, holds = (
                KeyHint(rights, tr("this is right")),
                KeyHint((HOLDS,), tr("both are right")),
            )
            return (move, right, holds, KeyHint((WAITS,), tr("later")))
        update, opens = KeyHint((UPDATE,), tr("update")), KeyHint((OPEN,), tr("open page"))
        return (move, check, keep, update, forget, opens)


def _by_retcon(doubts: Sequence[Doubt]) -> Answered:
    found: dict[str, list[str]] = {}
    for one in doubts:
        found.setdefault(one.case.retcon.id, []).append(one.memory.id)
    return tuple((retcon_id, tuple(ids)) for retcon_id, ids in found.items())


def _as_reading(field: QWidget, theme: Theme) -> None:
    field.setFont(theme.font("reading"))
    field.setFixedHeight(theme.scaled(_EDITOR))


def _gone_words(doubt: Doubt) -> str:
    if not doubt.case.page_id:
        return tr("Source page not found.")
    return tr("The page no longer says this.")


def _when_read(content: ChangedContent) -> str:
    if content.looked_at is None:
        return ""
    age = relative_age(content.now - content.looked_at)
    said = counted(
        content.n_pages, "1 page was read again {age} ago.", "{n} pages were read again {age} ago."
    )
    return f"{said.format(age=age)} {tr('No plain contradiction was found.')}"
