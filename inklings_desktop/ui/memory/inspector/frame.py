"""What does not scroll in the inspector: its header and its footer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.ui.kit.controls.buttons import IconButton, KeyHintButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.badges import Badge, ShortId
from inklings_desktop.ui.kit.marks.labels import Dot, IconLabel, elided_label, show_parts
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import GUTTER
from inklings_desktop.ui.memory.acts.menus import ENDS, STATES, TEXTS, Actable, offer
from inklings_desktop.ui.memory.subject.state import InspectorMode

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.acts.table import MemoryAct
    from inklings_desktop.ui.memory.subject.state import InspectorState

_HEIGHT = 52
_GAP = 8
_RIGHT = 12
_BUTTON_PADDING = 13


class InspectorHeader(QWidget):
    """Mark, title, short id, the way to the neighbours, and a menu.

    Attributes:
        previous: Leads to the memory above in the list.
        next: Leads to the one below.
        close_beside: Puts the memory away where it stands beside another page.
        golden: The memory must be found by what was searched for.
        has_pages: Whether a folder of pages is linked in the open workspace.
    """

    def __init__(
        self, theme: Theme, act: Callable[[MemoryAct], None], parent: QWidget | None = None
    ) -> None:
        """Show nothing yet.

        Args:
            act: Told what is to be done to the memory.
        """
        super().__init__(parent)
        self._theme, self._act = theme, act
        self._text = ""
        self._id = ""
        self._mark = TierMark(theme, inked=1, role="tierConversation", parent=self)
        self._title = named(elided_label("", "bodyStrong", self), "inspectorTitle")
        self._dot = named(Dot(theme, "ochre", parent=self), "unsavedDot")
        self._dot.setToolTip(tr("Unsaved changes"))
        self._dot.setAccessibleName(tr("Unsaved changes"))
        self._short_id = ShortId(theme, tr("Copy the id"), parent=self)
        self._read_only = Badge(theme, tr("Read-only"), "lock-simple", parent=self)
        self.previous = self._button("caret-up", tr("Previous memory (Alt+Up)"))
        self.previous.setObjectName("inspectorPrevious")
        self.next = named(self._button("caret-down", tr("Next memory (Alt+Down)")), "inspectorNext")
        self._menu_button = self._button("dots-three", tr("More about this memory"), bold=True)
        self._menu_button.setObjectName("inspectorMenu")
        self._menu_button.clicked.connect(self._on_menu_clicked)
        self.close_beside = named(self._button("x", tr("Put the memory away")), "inspectorClose")
        self.close_beside.hide()
        self._about = Actable()
        self.has_pages = self._is_in_world = False
        self._may_change = True
        self.golden = QAction(tr("Add to golden questions\u2026"), self)
        storing(self.golden)
        self.golden.setVisible(False)
        self._lay_out()
        theme.hold_height(self, _HEIGHT)

    def show_state(self, state: InspectorState) -> None:
        """Show what the inspector is about."""
        is_memory = state.mode is InspectorMode.MEMORY
        is_thing = state.mode in {InspectorMode.MEMORY, InspectorMode.NOTE}
        if state.tier is not None:
            inked, role = TIER_MARKS[state.tier]
            self._mark.set_tier(inked=inked, role=role)
        self._title.setText(state.title or tr("Four rings"))
        self._id = state.ref.id if state.ref else ""
        show_parts(
            {
                self._mark: state.tier is not None,
                self._dot: state.is_unsaved,
                self._read_only: state.mode is InspectorMode.NOTE or state.is_looking,
                self.previous: is_thing,
                self.next: is_thing,
                self._menu_button: is_memory,
            }
        )
        self._text = state.draft.content if state.draft else ""
        self._about = Actable(
            state.forgotten is not None,
            MemoryMark.PINNED in (state.marks or ()),
            MemoryMark.PAUSED in (state.marks or ()),
            MemoryMark.LOCKED in (state.marks or ()),
        )
        self._is_in_world = state.ref is not None and state.ref.scope.workspace_id is not None
        self._may_change = not state.is_looking
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Narrower than its parts: the short id gives way."""
        return QSize(0, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def enable_steps(self, *, has_previous: bool, has_next: bool) -> None:
        """Say whether there are neighbours in the list."""
        self.previous.setEnabled(has_previous)
        self.next.setEnabled(has_next)

    def offer_closing(self, *, offered: bool) -> None:
        """Say whether the memory can be put away: it stands beside another page."""
        self.close_beside.setVisible(offered)
        self._fit()

    def _button(self, icon: str, name: str, *, bold: bool = False) -> IconButton:
        return IconButton(self._theme, icon, name, bold=bold, parent=self)

    def _lay_out(self) -> None:
        row = hbox(self, margins=(GUTTER, 0, _RIGHT, 0), spacing=_GAP)
        said = (self._mark, self._title, self._dot, self._short_id, self._read_only)
        buttons = (self.previous, self.next, self._menu_button, self.close_beside)
        self._parts = (*said, *buttons)
        fill(row, *said, STRETCH, *buttons)

    def _fit(self) -> None:
        self._short_id.set_id(self._id)
        # Buttons and dots are wider than their own hint says: their width is fixed.
        widths = [
            max(part.sizeHint().width(), part.minimumWidth())
            for part in self._parts
            if not part.isHidden()
        ]
        wanted = sum(widths) + _GAP * (len(widths) - 1)
        if wanted + GUTTER + _RIGHT > self.width():
            self._short_id.hide()

    @Slot()
    def _on_menu_clicked(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu)
        menu.popup(self._menu_button.mapToGlobal(self._menu_button.rect().bottomLeft()))

    def fill_menu(self, menu: QMenu) -> None:
        """Put into a menu what can be done with the memory."""
        menu.addAction(
            tr("Copy text"), lambda: QGuiApplication.clipboard().setText(self._text)
        ).setObjectName("copyText")
        menu.addAction(tr("Copy id"), self._short_id.copy).setObjectName("copyId")
        menu.addAction(self.golden)
        if not self._may_change:
            return
        menu.addSeparator()
        about = replace(self._about, has_pages=self.has_pages and self._is_in_world)
        offer(menu, self._act, about, *STATES, *TEXTS)
        menu.addSeparator()
        offer(menu, self._act, self._about, *ENDS)


_FORGET, _RESTORE = "eraser", "arrow-counter-clockwise"


class InspectorFooter(QWidget):
    """What can be done with what is shown.

    Attributes:
        forget: Forgets the memory.
        restore: Restores it.
        revert: Drops what was typed.
        save: Stores it.
        copy: Copies the value of the working note.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.forget = named(self._button(tr("Forget"), "quietDanger", _FORGET), "memoryForget")
        self.restore = named(self._button(tr("Restore"), "quiet", _RESTORE), "memoryRestore")
        self.revert = named(self._button(tr("Revert"), "quiet", ""), "memoryRevert")
        key = QKeySequence(QKeySequence.StandardKey.Save)
        hint = key.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")
        self.save = named(KeyHintButton(theme, tr("Save"), hint, self), "memorySave")
        self.locked = named(IconLabel(theme, "meta", self), "memoryReadOnly")
        self.locked.show_mark("lock-simple", "inkSoft", tr("Read-only"))
        self._text = ""
        self.copy_text = named(self._button(tr("Copy text"), "plain", "copy"), "memoryCopy")
        self.copy_text.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        self.copy = named(self._button(tr("Copy JSON"), "quiet", "copy"), "noteCopy")
        row = self._row = hbox(self, margins=(12, 0, 16, 0), spacing=8)
        fill(row, self.locked, self.forget, self.restore, STRETCH)
        for button in (self.revert, self.save, self.copy, self.copy_text):
            row.addWidget(button)
        theme.hold_height(self, _HEIGHT)

    def show_state(self, state: InspectorState) -> None:
        """Offer what can be done in this state."""
        is_memory = state.mode is InspectorMode.MEMORY and not state.is_looking
        can_store = not state.is_read_only
        can_edit = state.mode is InspectorMode.NEW or (is_memory and state.forgotten is None)
        can_edit = can_edit and can_store
        self._text = state.draft.content if state.draft else ""
        show_parts(
            {
                self.locked: is_memory and not can_store,
                self.copy_text: is_memory and not can_store,
                self.forget: is_memory and state.forgotten is None and can_store,
                self.restore: is_memory and state.forgotten is not None and can_store,
                self.revert: can_edit,
                self.save: can_edit,
                self.copy: state.mode is InspectorMode.NOTE,
            }
        )
        self.revert.setText(tr("Discard") if state.mode is InspectorMode.NEW else tr("Revert"))
        self.revert.setEnabled(state.can_revert)
        self.save.setEnabled(state.can_save)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the icons out where the words need their room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for button, icon in ((self.forget, _FORGET), (self.restore, _RESTORE)):
            button.set_face(button.text(), icon)
        if self._row.minimumSize().width() > self.width():
            for button in (self.forget, self.restore):
                button.set_face(button.text(), "")

    def _button(self, text: str, kind: str, icon: str) -> PushButton:
        return PushButton(self._theme, text, kind=kind, icon=icon, parent=self)
