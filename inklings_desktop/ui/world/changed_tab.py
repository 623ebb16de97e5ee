"""The tab of what changed under memory: each memory beside its page, to keep, update or forget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt

from inklings_desktop.domain.world.derivations import RetconState
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToMemory, ToWorld
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    hairline,
    link,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.words.memory_facts import (
    age_label,
    curator_label,
    importance_figure,
    lifetime_label,
    reads_label,
    relative_age,
    tier_title,
)
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.world.changed_state import (
    ChangedContent,
    RetconAnswer,
    changed_rows,
    done_words,
    read_changed,
    words_changed,
)
from inklings_desktop.ui.world.deciding_tab import DELETE, DecidingTab, Wording

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.world.changed_state import Doubt

LIST = 372
KEEP, UPDATE, OPEN = "S", "U", "O"
_SIDE, _FOOT, _EDITOR = 28, 60, 96


class ChangedTab(DecidingTab[ChangedContent]):
    """What changed under memory, behind one list; a ``RetconAnswer`` undoes an answer."""

    key: ClassVar = "changed"
    buttons: ClassVar = {
        KEEP: "keepTrue",
        UPDATE: "updateMemory",
        OPEN: "openSource",
        DELETE: "forgetIt",
    }
    detail: ClassVar = "newWording"

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
        return [one.key for one in content.doubts]

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: ChangedContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        doubt = content.doubt(self.current)
        told = tr(
            "Until you answer, the agent hears these as \u201cbased on an earlier entry\u201d and "
            "is told the source changed."
        )
        listed = (
            self.rows("changedList", tr("Source changed"), changed_rows(content), LIST),
            hairline(),
            plate(words(told, "caption", place=(1,)), margins=(20, 12, 20, 12)),
        )
        detail = () if doubt is None else self._detail(doubt, content, is_narrow=self.is_narrow)
        none = (tr("Nothing has changed under memory."), _when_read(content))
        is_any = bool(changed_rows(content))
        return self.in_two(listed, detail, none, is_any=is_any, box=vbox, ground="surface")

    def _detail(
        self, doubt: Doubt, content: ChangedContent, *, is_narrow: bool
    ) -> tuple[Part, ...]:
        case, memory, now = doubt.case, doubt.memory, content.now
        wording = self.wordings.get(doubt.key, doubt.prefilled)
        is_gone = case.retcon.what == "gone"
        others = [one for one in case.memories if one.id != memory.id]
        age = relative_age(now - case.retcon.found_at)
        told = tr("your words; the changed words were put in for you")
        if doubt.suggested is None:
            told = tr("Nothing was put in for you.")
        can_answer = not self.is_deciding
        is_another = bool(wording.strip()) and wording != memory.content
        inked, role = TIER_MARKS[memory.scope.tier]
        return (
            scrolling(
                across(link(tr("All changes"), self.focus_list, visible=is_narrow), STRETCH),
                words(tr("What is remembered"), "label", way="plain"),
                plate(
                    part(MarkedText, LOOK, name="rememberedText", text=memory.content),
                    across(
                        part(TierMark, LOOK, how={"inked": inked, "role": role, "edge": 16}),
                        link(tier_title(memory.scope.tier), lambda: self._open_memory(doubt)),
                        *(
                            words(one, "caption", way="plain")
                            for one in (
                                curator_label(memory.curator),
                                lifetime_label(memory.lifetime),
                                age_label(memory.created_at, now),
                                reads_label(memory.access_count),
                                tr("importance {n}").format(n=importance_figure(memory.importance)),
                            )
                        ),
                        STRETCH,
                        spacing=12,
                    ),
                    box=vbox,
                    kind="card",
                    margins=(16, 12, 16, 12),
                    spacing=8,
                ),
                8,
                across(
                    words(tr("What the page says"), "label", way="plain"),
                    STRETCH,
                    words(doubt.source, "metaInk", way="elided", name="changedSource"),
                    words(tr("changed {age} ago").format(age=age), way="plain"),
                    words(words_changed(doubt), "metaInk", way="plain", visible=not is_gone),
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
                    words(tr("If you update it"), "label", way="plain"),
                    STRETCH,
                    words(told, "caption", way="plain", name="prefilledHow"),
                ),
                part(
                    *(Wording, LOOK),
                    name="newWording",
                    spoken=tr("If you update it"),
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
                margins=(_SIDE, 20, _SIDE, 20),
                spacing=8,
                horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                place=(1,),
            ),
            hairline(),
            plate(
                button(
                    *(tr("Forget it"), self._answers(RetconState.FORGOTTEN)),
                    kind="quiet",
                    icon="eraser",
                    name=self.buttons[DELETE],
                    toolTip=f"{tr('Forget it')} ({DELETE})",
                    stores=True,
                    enabled=can_answer,
                ),
                STRETCH,
                self.hinted(
                    *(tr("Open page"), OPEN, self._open_page),
                    glyph="arrow-square-out",
                    enabled=bool(case.page_id),
                ),
                self.hinted(
                    *(tr("Keep, still true"), KEEP, self._answers(RetconState.KEPT)),
                    stores=True,
                    enabled=can_answer,
                ),
                self.hinted(
                    *(tr("Update"), UPDATE, self._answers(RetconState.UPDATED)),
                    kind="primary",
                    stores=True,
                    enabled=can_answer and is_another,
                ),
                margins=(_SIDE, 0, _SIDE, 0),
                spacing=8,
                dress=sized(fixedHeight=_FOOT),
            ),
        )

    # -- answers ------------------------------------------------------------------------------

    def _doubt(self) -> Doubt | None:
        return self.content.doubt(self.current) if self.content is not None else None

    def _answers(self, what: RetconState) -> Callable[[], None]:
        return self.starts(partial(self._answer, what))

    async def _answer(self, what: RetconState) -> None:
        """Answer for the memory on show, and go on to the next."""
        content, doubt = self.content, self._doubt()
        if content is None or doubt is None or self.is_deciding:
            return
        here, retcon_id, memory = self.workspace_id, doubt.case.retcon.id, doubt.memory
        derivations = self.inklings.derivations
        wording = self.wordings.get(doubt.key, doubt.prefilled)
        named: tuple[object, ...] = (here, retcon_id, [memory.id])
        verb: Callable[..., object] = derivations.keep
        if what is RetconState.FORGOTTEN:
            verb = derivations.forget
        elif what is RetconState.UPDATED:
            verb, named = derivations.update, (here, retcon_id, memory.id, wording, memory.version)
        keys = [one.key for one in content.doubts]
        self.is_deciding = True
        self.say_again()
        try:
            is_done = await self.change(verb, *named)
        finally:
            self.is_deciding = False
            self.say_again()
        if not is_done:
            return
        self.go_on(keys, doubt.key)
        self.tell_undoable(RetconAnswer(done_words(what), here, retcon_id))

    def _open_page(self) -> None:
        if (doubt := self._doubt()) is not None:
            self.context.go(ToWorld(doubt.case.page_id, doubt.case.retcon.block_id))

    def _open_memory(self, doubt: Doubt) -> None:
        self.context.go(ToMemory(doubt.memory))

    # -- what the window asks -----------------------------------------------------------------

    @property
    def has_unsaved(self) -> bool:
        """Whether a wording of the author's own is neither kept nor given up."""
        doubts = self.content.doubts if self.content is not None else ()
        return any(self.wordings.get(one.key, one.prefilled) != one.prefilled for one in doubts)

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that answer while the list has the keyboard."""
        return (
            KeyHint(("J", "K"), tr("move")),
            KeyHint((KEEP,), tr("still true")),
            KeyHint((UPDATE,), tr("update")),
            KeyHint((DELETE,), tr("forget")),
            KeyHint((OPEN,), tr("open page")),
        )


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
    return said.format(age=age)
