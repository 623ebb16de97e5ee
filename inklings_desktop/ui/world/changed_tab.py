"""The tab of what changed under memory: each memory beside its page, to keep, update or forget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QWidget

from inklings_desktop.domain.world.derivations import RetconState
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import counted, tr, tr_as
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.declared import LOOK, Declared, part
from inklings_desktop.ui.kit.page.destinations import ToMemory, ToWorld
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    hairline,
    link,
    pages,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
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
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit
from inklings_desktop.ui.world.changed_state import (
    ChangedContent,
    RetconAnswer,
    changed_rows,
    done_words,
    read_changed,
    words_changed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.ui.world.changed_state import Doubt

LIST, NARROW_BELOW = 372, 970
"""Width of the list, and of a tab, in pixels at text scale 1, below which list and detail share
the width as two steps."""
KEEP, UPDATE, OPEN, FORGET = "S", "U", "O", "Del"
_BUTTONS = {KEEP: "keepTrue", UPDATE: "updateMemory", OPEN: "openSource", FORGET: "forgetIt"}
_SIDE, _FOOT, _EDITOR, _ABOVE_FOOT = 28, 60, 96, 72


class ChangedTab(Declared[ChangedContent]):
    """What changed under memory, behind one list.

    Attributes:
        key: Names the tab.
        toast: Says what was answered.

    Signals:
        answered: A ``RetconAnswer``, which can be undone.
        undo_wanted: The person wants it undone.
    """

    answered = Signal(object)
    undo_wanted = Signal()
    key: ClassVar = "changed"
    watches = About.MEMORIES | About.EVENTS | About.SETTINGS
    _current = ""
    _is_open = _is_deciding = False

    def __init__(self, context: Context, parent: QWidget) -> None:
        self._wordings: dict[str, str] = {}
        view = QWidget(parent)
        view.setObjectName("worldChanged")
        view.setMinimumWidth(1)
        on_ground(view, "canvas")
        super().__init__(context, view, hbox(view, margins=0, spacing=0))
        self.toast = Toast(context.theme, view)
        self.toast.set_bottom_margin(_ABOVE_FOOT)
        self.toast.keyboard_freed.connect(self.focus_list)
        self.toast.undo_requested.connect(self.undo_wanted)
        back = QShortcut(QKeySequence("Escape"), view)
        back.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        back.activated.connect(self.focus_list)
        context.theme.changed.connect(self.say_again)

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

    async def open(self, workspace_id: str) -> None:
        """Show what changed in a workspace."""
        if workspace_id != self.workspace_id:
            self._wordings, self._current, self._is_open = {}, "", False
            self.content = None
            self.toast.close_note()
        await super().open(workspace_id)

    def read_content(self) -> ChangedContent:
        return read_changed(self.inklings, self.workspace_id)

    def show_content(self, content: ChangedContent) -> None:
        """Show it; what was current stays so while it waits."""
        keys = [one.key for one in content.doubts]
        if self._current not in keys:
            self._current, self._is_open = keys[0] if keys else "", self._is_open and bool(keys)
        self._wordings = {key: one for key, one in self._wordings.items() if key in keys}
        super().show_content(content)
        self.told.emit()

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: ChangedContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        rows, doubt = changed_rows(content), content.doubt(self._current)
        is_narrow = self.view.width() < NARROW_BELOW * self.context.theme.text_scale
        is_detail = is_narrow and self._is_open
        some = plate(
            self._list(content, visible=not is_detail, is_narrow=is_narrow),
            part(VerticalRule, LOOK, visible=not is_narrow),
            plate(
                *(self._detail(doubt, content, is_narrow=is_narrow) if doubt is not None else ()),
                box=vbox,
                spacing=0,
                ground="surface",
                visible=is_detail or not is_narrow,
                name="changedDetail",
                place=(1,),
            ),
            spacing=0,
        )
        nothing = part(_Nothing, LOOK, name="nothingChanged", when=_when_read(content))
        return (pages(nothing, some, now=int(bool(rows)), place=(1,)),)

    def _list(self, content: ChangedContent, *, visible: bool, is_narrow: bool) -> Part:
        told = tr(
            "Until you answer, the agent hears these as \u201cbased on an earlier entry\u201d and "
            "is told the source changed."
        )
        return plate(
            part(
                *(_Rows, LOOK),
                name="changedList",
                said=(changed_rows(content), self._current),
                row_chosen=self._choose,
                letter_pressed=self._press,
                activated_by_key=lambda _: self.focus_detail(),
                doubleClicked=lambda _: self.focus_detail(),
                place=(1,),
            ),
            hairline(),
            plate(words(told, "caption", place=(1,)), margins=(20, 12, 20, 12)),
            box=vbox,
            spacing=0,
            visible=visible,
            place=(int(is_narrow),),
            dress=sized(**({"maximumWidth": 4000} if is_narrow else {"fixedWidth": LIST})),
        )

    def _detail(
        self, doubt: Doubt, content: ChangedContent, *, is_narrow: bool
    ) -> tuple[Part, ...]:
        case, memory, now = doubt.case, doubt.memory, content.now
        wording = self._wordings.get(doubt.key, doubt.prefilled)
        is_gone = case.retcon.what == "gone"
        others = [one for one in case.memories if one.id != memory.id]
        age = relative_age(now - case.retcon.found_at)
        told = tr("your words; the changed words were put in for you")
        if doubt.suggested is None:
            told = tr("Nothing was put in for you.")
        can_answer = not self._is_deciding
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
                    *(_Wording, LOOK),
                    name="newWording",
                    spoken=tr("If you update it"),
                    said=wording,
                    typed=self._on_typed,
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
                    name=_BUTTONS[FORGET],
                    toolTip=f"{tr('Forget it')} ({FORGET})",
                    stores=True,
                    enabled=can_answer,
                ),
                STRETCH,
                _hinted(
                    *(tr("Open page"), OPEN, self._open_page),
                    glyph="arrow-square-out",
                    enabled=bool(case.page_id),
                ),
                _hinted(
                    *(tr("Keep, still true"), KEEP, self._answers(RetconState.KEPT)),
                    stores=True,
                    enabled=can_answer,
                ),
                _hinted(
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets list and detail share the width where there is little."""
        if event.type() is QEvent.Type.Resize:
            self.say_again()
        return super().eventFilter(watched, event)

    # -- the list -----------------------------------------------------------------------------

    def _choose(self, key: str) -> None:
        if self.content is not None and self.content.doubt(key) is not None:
            self._current = key
        self.say_again()

    def _press(self, letter: str) -> None:
        found = self.view.findChild(QAbstractButton, _BUTTONS[letter])
        if found is not None and found.isEnabled():
            found.click()

    def _on_typed(self, wording: str) -> None:
        self._wordings[self._current] = wording
        self.say_again()
        self.told.emit()

    # -- answers ------------------------------------------------------------------------------

    def _doubt(self) -> Doubt | None:
        return self.content.doubt(self._current) if self.content is not None else None

    def _answers(self, what: RetconState) -> Callable[[], None]:
        return self.starts(partial(self._answer, what))

    async def _answer(self, what: RetconState) -> None:
        """Answer for the memory on show, and go on to the next."""
        content, doubt = self.content, self._doubt()
        if content is None or doubt is None or self._is_deciding:
            return
        here, retcon_id, memory = self.workspace_id, doubt.case.retcon.id, doubt.memory
        derivations = self.inklings.derivations
        wording = self._wordings.get(doubt.key, doubt.prefilled)
        named: tuple[object, ...] = (here, retcon_id, [memory.id])
        verb: Callable[..., object] = derivations.keep
        if what is RetconState.FORGOTTEN:
            verb = derivations.forget
        elif what is RetconState.UPDATED:
            verb, named = derivations.update, (here, retcon_id, memory.id, wording, memory.version)
        keys = [one.key for one in content.doubts]
        place = keys.index(doubt.key)
        self._is_deciding = True
        self.say_again()
        try:
            is_done = await self.change(verb, *named)
        finally:
            self._is_deciding = False
            self.say_again()
        if not is_done:
            return
        self._wordings.pop(doubt.key, None)
        after = keys[place + 1 :] or keys[:place][-1:]
        self._current = after[0] if after else ""
        self.answered.emit(RetconAnswer(done_words(what), here, retcon_id))
        self.toast.show_message(
            done_words(what), icon="check", undo_label=tr("Undo"), key_hint=tr("Ctrl Z")
        )

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
        return any(self._wordings.get(one.key, one.prefilled) != one.prefilled for one in doubts)

    async def may_leave(self) -> bool:
        """Whether the page may show another workspace; asks when a wording would be lost."""
        return not self.has_unsaved or await ask(
            self.view.window(),
            tr("Leave your wording?"),
            tr("Your text is lost."),
            yes=tr_as("and lose it", "Leave it"),
            no=tr("Stay"),
            is_destructive=True,
        )

    def focus_list(self) -> None:
        """Bring the keyboard to the list."""
        self._show_step("changedList", is_open=False)

    def focus_detail(self) -> None:
        """Bring the keyboard to the wording, which has all the room where there is little."""
        self._show_step("newWording", is_open=True)

    def _show_step(self, name: str, *, is_open: bool) -> None:
        self._is_open = is_open and self._doubt() is not None
        self.say_again()
        found = self.view.findChild(QWidget, name)
        if found is not None:
            found.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        self.focus_list()

    def panes(self) -> Panes:
        """What F6 goes through: the list and the wording."""
        stops = (("changedList", self.focus_list), ("newWording", self.focus_detail))
        found = ((self.view.findChild(QWidget, name), bring) for name, bring in stops)
        return [(widget, bring) for widget, bring in found if widget is not None]

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that answer while the list has the keyboard."""
        return (
            KeyHint(("J", "K"), tr("move")),
            KeyHint((KEEP,), tr("still true")),
            KeyHint((UPDATE,), tr("update")),
            KeyHint((FORGET,), tr("forget")),
            KeyHint((OPEN,), tr("open page")),
        )


class _Rows(BadgeList):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        letters = f"{KEEP}{UPDATE}{OPEN}"
        super().__init__(theme, tr("Source changed"), left=20, letters=letters, parent=parent)
        self.setProperty("ground", "canvas")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.current_id():
            self.letter_pressed.emit(FORGET)
            return
        super().keyPressEvent(event)


class _Wording(LongTextEdit):
    typed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.textChanged.connect(lambda: self.typed.emit(self.text()))

    def show_said(self, text: str) -> None:
        if text != self.text():
            self.set_plain_text(text)


def _as_reading(field: QWidget, theme: Theme) -> None:
    field.setFont(theme.font("reading"))
    field.setFixedHeight(theme.scaled(_EDITOR))


def _hinted(text: str, key: str, act: Callable[[], object], **said: Any) -> Part:
    how = {"kind": said.pop("kind", "plain"), "glyph": said.pop("glyph", "")}
    return part(KeyHintButton, LOOK, text, key, how=how, name=_BUTTONS[key], clicked=act, **said)


def _gone_words(doubt: Doubt) -> str:
    if not doubt.case.page_id:
        return tr("Source page not found.")
    return tr("The page does not say this any more.")


def _when_read(content: ChangedContent) -> str:
    if content.looked_at is None:
        return ""
    age = relative_age(content.now - content.looked_at)
    said = counted(
        content.n_pages, "1 page was read again {age} ago.", "{n} pages were read again {age} ago."
    )
    return said.format(age=age)


class _Nothing(EmptyState):
    def show_when(self, text: str) -> None:
        self.show_state(tr("Nothing has changed under memory."), text)
