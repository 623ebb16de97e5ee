"""What tabs that decide have in common: a list, what it leads to, a toast, and a step back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from inklings_desktop.ui.kit.controls.buttons import KeyHintButton
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.lists.badge_list import BadgeList, BadgeRow
from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.kit.look.layouts import hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.mirror import as_painted
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.declared import LOOK, Declared, part
from inklings_desktop.ui.kit.page.parts import pages, plate, sized
from inklings_desktop.ui.kit.panes.pieces import VerticalRule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.page import Panes

ContentT = TypeVar("ContentT")

NARROW_BELOW = 970
"""Width of a tab, in pixels at text scale 1, below which list and detail share it as two steps."""
DELETE, SPACE = "Del", "Space"
"""Keys that act on the current row besides letters."""
_ABOVE_FOOT, _LEFT, _BOX, _NO_LIMIT = 72, 20, 26, 4000


class DecidingTab(Declared[ContentT]):
    """What waits behind one list; each answer can be undone.

    Attributes:
        buttons: By the keys that press them in the list, names of buttons.
        detail: Name of what the keyboard goes to in the detail.
        anywhere: Keys that are pressed wherever the keyboard is in the tab.
        toast: Says what was answered.

    Signals:
        answered: A step that the window can undo.
        undo_wanted: The person wants it undone.
    """

    answered = Signal(object)
    undo_wanted = Signal()
    key: ClassVar[str]
    buttons: ClassVar[Mapping[str, str]]
    detail: ClassVar[str]
    anywhere: ClassVar[Sequence[str]] = ()
    watches = About.MEMORIES | About.ENTRIES | About.EVENTS | About.SETTINGS
    current = ""
    is_open = is_deciding = False
    _waiting: tuple[str, ...] = ()
    _awaited = False
    """Whether the keyboard goes to the list once it is read."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.wordings: dict[str, str] = {}
        view = QWidget(parent)
        view.setMinimumWidth(1)
        on_ground(view, "canvas")
        super().__init__(context, view, hbox(view, margins=0, spacing=0))
        self.toast = Toast(context.theme, view)
        self.toast.set_bottom_margin(_ABOVE_FOOT)
        self.toast.keyboard_freed.connect(self.focus_list)
        self.toast.undo_requested.connect(self.undo_wanted)
        self._hear("Escape", self.go_back)
        for key in self.anywhere:
            self._hear(key.replace(" ", "+"), partial(self._press, key))
        context.theme.changed.connect(self.say_again)

    async def open(self, workspace_id: str) -> None:
        """Show what waits in a workspace."""
        if workspace_id != self.workspace_id:
            self.wordings, self.current, self.is_open = {}, "", False
            self.content = None
            self.toast.close_note()
        await super().open(workspace_id)

    def keys_of(self, content: ContentT) -> Sequence[str]:
        """Keys of what waits, in the order of the list."""
        raise NotImplementedError

    def show_content(self, content: ContentT) -> None:
        """Show it; what was current stays so while it waits."""
        self._stand_among(self.keys_of(content))
        super().show_content(content)
        if self._awaited and self.view.isAncestorOf(QApplication.focusWidget() or self.view):
            self.focus_list()
        self.told.emit()

    def in_two(
        self,
        listed: Sequence[Part],
        detail: Sequence[Part],
        none: tuple[str, str],
        *,
        is_any: bool,
        **how: Any,
    ) -> tuple[Part, ...]:
        """List and detail beside each other, or as two steps; or why there is nothing."""
        is_detail = self.is_narrow and self.is_open
        some = plate(
            plate(
                *listed,
                box=vbox,
                spacing=0,
                visible=not is_detail,
                place=(int(self.is_narrow),),
            ),
            part(VerticalRule, LOOK, visible=not self.is_narrow),
            plate(
                *detail,
                spacing=0,
                visible=is_detail or not self.is_narrow,
                name=f"{self.key}Detail",
                place=(1,),
                **how,
            ),
            spacing=0,
        )
        nothing = part(Nothing, LOOK, name=f"nothing{self.key.capitalize()}", said=none)
        return (pages(nothing, some, now=int(is_any), place=(1,)),)

    def _stand_among(self, keys: Sequence[str]) -> None:
        """Let what is current stay so while it waits, else the first."""
        self._waiting = tuple(keys)
        if self.current not in keys:
            self.current, self.is_open = keys[0] if keys else "", self.is_open and bool(keys)
        self.wordings = {key: one for key, one in self.wordings.items() if key in keys}

    def go_on(self, keys: Sequence[str], *done: str) -> None:
        """Let what comes after those that are done be current."""
        place = keys.index(done[-1])
        after = [one for one in (*keys[place + 1 :], *reversed(keys[:place])) if one not in done]
        self.wordings = {key: one for key, one in self.wordings.items() if key not in done}
        self.current = after[0] if after else ""

    async def outcome(self, call: Callable[..., object]) -> Any:
        """What a call on the write lane came to; None where it was refused, which is said."""
        self.is_deciding = True
        self.say_again()
        try:
            return await said(self.context, self.background.write(call))
        finally:
            self.is_deciding = False
            self.read_again()

    async def decide(self, done: Sequence[str], step: Any, call: Callable[..., object]) -> None:
        """Answer what is under these keys by a call on the write lane; ``step`` undoes it."""
        if self.is_deciding:
            return
        keys = self._waiting
        self.is_deciding = True
        self.say_again()
        try:
            is_done = await self.change(call)
        finally:
            self.is_deciding = False
            self.say_again()
        if is_done:
            self.go_on(keys, *done)
            self.tell_undoable(step)

    def tell_undoable(self, step: Any) -> None:
        """Say what was done, and offer to undo it."""
        self.answered.emit(step)
        self.toast.show_message(
            step.text, icon="check", undo_label=tr("Undo"), key_hint=tr("Ctrl Z")
        )

    @property
    def is_narrow(self) -> bool:
        """Whether list and detail share the width."""
        return self.view.width() < NARROW_BELOW * self.context.theme.text_scale

    def rows(
        self, name: str, spoken: str, rows: Sequence[AnyBadgeRow], px: int, *, is_tall: bool = False
    ) -> Part:
        """The list, so wide at text scale 1; ``is_tall``: its text has two lines."""
        size = {"maximumWidth": _NO_LIMIT} if self.is_narrow else {"fixedWidth": px}
        letters = "".join(one for one in self.buttons if len(one) == 1)
        return part(
            *(CheckedRows, LOOK, spoken, letters),
            how={"is_tall": is_tall},
            name=name,
            said=(rows, self.current),
            row_chosen=self.choose,
            letter_pressed=self._press,
            activated_by_key=lambda _: self.focus_detail(),
            doubleClicked=lambda _: self.focus_detail(),
            place=(1,),
            dress=sized(**size),
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets list and detail share the width where there is little."""
        if event.type() is QEvent.Type.Resize:
            self.say_again()
        return super().eventFilter(watched, event)

    def choose(self, key: str) -> None:
        """Show what a row stands for; what was answered stays in the list alone."""
        if key in self._waiting:
            self.current = key
        self.say_again()
        self.told.emit()

    def button_of(self, key: str) -> str:
        """Name of the button that a key presses; empty for none."""
        return self.buttons.get(key, "")

    def _hear(self, keys: str, act: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self.view)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)

    def _press(self, key: str) -> None:
        """Press the button of a key."""
        name = self.button_of(key)
        # One that has just been taken away is still there, before the one in its place.
        for found in self.view.findChildren(QAbstractButton, name)[-1:] if name else ():
            if found.isEnabled():
                found.click()

    def hinted(self, text: str, key: str, act: Callable[[], object], **said: Any) -> Part:
        """A button with its key beside its word."""
        how = {"kind": said.pop("kind", "plain"), "glyph": said.pop("glyph", "")}
        return part(
            *(KeyHintButton, LOOK, "", key),
            how=how,
            text=text,
            name=said.pop("name", "") or self.buttons[key],
            clicked=act,
            **said,
        )

    def on_typed(self, wording: str) -> None:
        """Keep a wording of the author's own for what is current."""
        self.wordings[self.current] = wording
        self.say_again()
        self.told.emit()

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

    def go_back(self) -> None:
        """Escape leads to the list."""
        self.focus_list()

    def focus_list(self) -> None:
        """Bring the keyboard to the list."""
        self.show_step(f"{self.key}List", is_open=False)

    def focus_detail(self) -> None:
        """Bring the keyboard to the detail, which has all the room where there is little."""
        self.show_step(self.detail_name(), is_open=True)

    def detail_name(self) -> str:
        """Name of what the keyboard goes to in the detail that is on show."""
        return self.detail

    def show_step(self, name: str, *, is_open: bool) -> None:
        """Bring the keyboard to a part, of the detail where ``is_open``."""
        self.is_open = is_open and bool(self.current)
        self.say_again()
        found = self.view.findChild(QWidget, name)
        self._awaited = found is None
        if found is not None:
            found.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        self.focus_list()

    def panes(self) -> Panes:
        """What F6 goes through: the list and the detail."""
        stops = ((f"{self.key}List", self.focus_list), (self.detail_name(), self.focus_detail))
        found = ((self.view.findChild(QWidget, name), bring) for name, bring in stops)
        return [(widget, bring) for widget, bring in found if widget is not None]


_KEYS = {Qt.Key.Key_Delete.value: DELETE, Qt.Key.Key_Space.value: SPACE}


class CheckedRows(BadgeList):
    """Rows with boxes; it says ``SPACE`` as a letter where a box is pressed."""

    def __init__(
        self, theme: Theme, spoken: str, letters: str, parent: QWidget, *, is_tall: bool = False
    ) -> None:
        super().__init__(theme, spoken, left=_LEFT, letters=letters, is_tall=is_tall, parent=parent)
        self.setProperty("ground", "canvas")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = _KEYS.get(event.key())
        if key is not None and self.current_id():
            self.letter_pressed.emit(key)
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Checks where the box is, and with Ctrl anywhere."""
        super().mousePressEvent(event)
        row = self.indexAt(event.position().toPoint()).data(RowRole.ROW)
        if event.button() is not Qt.MouseButton.LeftButton or not isinstance(row, BadgeRow):
            return
        is_at_box = as_painted(event.position(), self.viewport()).x() < _LEFT + _BOX
        is_held = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if is_held or (is_at_box and row.is_checked is not None):
            self.letter_pressed.emit(SPACE)


class Nothing(EmptyState):
    """Stands in the place of list and detail."""

    def show_said(self, said: tuple[Any, ...]) -> None:
        """Say why there is nothing, and perhaps what can be done about it."""
        self.show_state(*said)
