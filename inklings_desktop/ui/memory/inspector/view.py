"""The right pane of the Memory view: one memory, a new one, a working note, or what tiers are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.kit.controls.tag_editor import KnownTagsModel
from inklings_desktop.ui.kit.look.accessibility import focus_first
from inklings_desktop.ui.kit.look.layouts import fill, on_ground, vbox
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.motion import slide
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.inspector.body import MemoryBody
from inklings_desktop.ui.memory.inspector.frame import InspectorFooter, InspectorHeader
from inklings_desktop.ui.memory.inspector.many_pane import ManyPane
from inklings_desktop.ui.memory.inspector.panes import NotePane, RingsPane
from inklings_desktop.ui.memory.subject.state import InspectorMode, InspectorState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.acts.chosen import Shared


class InspectorView(QWidget):
    """Shows an ``InspectorState`` and says what the person wants.

    The keys to save and to step belong to the window's menu; Esc is heard here.

    Attributes:
        known_tags: What its fields of tags complete.

    Signals:
        save_requested: Store what was typed.
        revert_requested: Drop what was typed.
        leave_requested: Give the keyboard back to the list.
        wanted: The keyboard is about to come in: whoever put the pane away shows it.
        act_requested: A ``MemoryAct`` on the memory.
    """

    save_requested = Signal()
    revert_requested = Signal()
    leave_requested = Signal()
    act_requested = Signal(object)
    wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAccessibleName(tr("Inspector"))
        on_ground(self, "canvas")
        self._state = InspectorState()
        self.known_tags = KnownTagsModel(self)
        self.header = InspectorHeader(theme, self.act_requested.emit, self)
        self._panes = QStackedWidget(self)
        self.body = MemoryBody(theme, self.known_tags, self._panes)
        self.editor = self.body.content
        self.note = NotePane(theme, self._panes)
        self.many = ManyPane(theme, self.known_tags, self._panes)
        self._is_many = False
        self._n_many = 0
        self._rings = RingsPane(theme, self._panes)
        for pane in (self._rings, self.body, self.note, self.many):
            self._panes.addWidget(pane)
        self.footer = InspectorFooter(theme, self)
        self._footer_rule = rule(self)
        stack = vbox(self, margins=0, spacing=0)
        fill(stack, self.header, rule(self), (self._panes, 1), self._footer_rule, self.footer)
        self._connect()
        self.show_state(self._state)

    def show_state(self, state: InspectorState) -> None:
        """Show another state; text that already stands in the fields is not touched."""
        before, self._state = self._state, state
        is_other = (before.mode, before.ref) != (state.mode, state.ref) and not _was_stored(
            before, state
        )
        self.header.show_state(state)
        match state.mode:
            case InspectorMode.NOTHING:
                self._panes.setCurrentWidget(self._rings)
            case InspectorMode.NOTE:
                if state.note is not None:
                    self.note.show_note(state.note)
                self._panes.setCurrentWidget(self.note)
            case InspectorMode.MEMORY | InspectorMode.NEW:
                self.body.show_state(state, is_other=is_other)
                self._panes.setCurrentWidget(self.body)
        self.footer.show_state(state)
        self._on_validity_changed()
        if self._is_many:
            self._panes.setCurrentWidget(self.many)
            self.header.show_state(InspectorState(title=self._many_title()))
        only_looks = state.is_looking and state.mode is InspectorMode.MEMORY
        has_footer = (
            state.mode is not InspectorMode.NOTHING and not self._is_many and not only_looks
        )
        self.footer.setVisible(has_footer)
        self._footer_rule.setVisible(has_footer)

    def show_many(self, shared: Shared | None) -> None:
        """Show what checked memories share in front of the memory; none brings that one back."""
        if shared is None and not self._is_many:
            return
        was_many, self._is_many = self._is_many, shared is not None
        self._n_many = 0 if shared is None else shared.count
        if shared is not None:
            self.many.show_shared(shared)
        else:
            self.many.end()
        if was_many and self._is_many:  # the memory behind it stays as it was
            self.header.show_state(InspectorState(title=self._many_title()))
        else:
            self.show_state(self._state)

    @Slot()
    def focus_editor(self) -> None:
        """Put the keyboard into the text, its cursor at the end, or into what stands there."""
        self.wanted.emit()
        if self._panes.currentWidget() is self.many:
            if not focus_first(self.many, Qt.FocusReason.ShortcutFocusReason):
                self.many.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._panes.currentWidget() is self.body:
            cursor = self.editor.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            self.editor.setTextCursor(cursor)
            self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._panes.currentWidget() is self.note:
            self.note.json.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def request_save(self) -> None:
        """Ask for a save if there is something to save and every field is right.

        A tag that still stands in its field is taken first.
        """
        self.body.details.take_typed_tag()
        # In a conflict the save itself says what has to be chosen first; what is typed while a save
        # is under way is saved after it.
        is_valid = self.body.details.importance.is_valid()
        can_wait = self._state.is_saving and is_valid
        can_be_asked = self.footer.save.isEnabled() or self._state.conflict is not None or can_wait
        if can_be_asked and not self._is_many:
            self.save_requested.emit()

    @Slot()
    def focus_tags(self) -> None:
        """Put the keyboard where a tag is added."""
        self.wanted.emit()
        if self._is_many:
            self.many.focus_tags()
            return
        self.body.details.tags.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)

    def _connect(self) -> None:
        act, body, footer = self.act_requested, self.body, self.footer
        body.details.states.act_requested.connect(act)
        for button, meant in (
            (footer.forget, MemoryAct.FORGET),
            (footer.restore, MemoryAct.RESTORE),
            (body.forgotten.restore, MemoryAct.RESTORE),
        ):
            button.clicked.connect(partial(act.emit, meant))
        body.details.importance.validity_changed.connect(self._on_validity_changed)
        for saving in (body.disk_full.retry, footer.save):
            saving.clicked.connect(self.request_save)
        footer.revert.clicked.connect(self._on_revert_clicked)
        footer.copy.clicked.connect(self.note.copy_json)

    def _many_title(self) -> str:
        return counted(self._n_many, "1 memory", "{n} memories")

    @Slot()
    def _on_revert_clicked(self) -> None:
        if self._state.draft is not None:
            # Takes back a figure that could not be used.
            self.body.details.importance.set_value(self._state.draft.importance)
        if self._state.can_revert:
            self.revert_requested.emit()

    @Slot()
    def _on_validity_changed(self) -> None:
        is_valid = self.body.details.importance.is_valid()
        self.footer.save.setEnabled(self._state.can_save and is_valid)
        self.footer.revert.setEnabled(self._state.can_revert or not is_valid)


def _was_stored(before: InspectorState, after: InspectorState) -> bool:
    """Whether the second state is the new memory of the first, now saved."""
    return (
        before.mode is InspectorMode.NEW
        and after.mode is InspectorMode.MEMORY
        and before.tier is after.tier
        and before.draft == after.draft
    )


WIDTH = 440
_SHADOW = 16
_STRENGTH_LIGHT, _STRENGTH_DARK = 26, 90


class InspectorSheet(QWidget):
    """Floats over a page while the inspector that it holds is not docked beside it.

    A press on the page beside it puts the sheet away, like Escape does.
    """

    def __init__(self, theme: Theme, page: QWidget, closed: Callable[[], None]) -> None:
        """Build the sheet.

        Args:
            page: What it floats over; the sheet is its child.
            closed: Told that it was put away; the inspector belongs into its place again.
        """
        super().__init__(page)
        self._theme = theme
        self._page, self._closed = page, closed
        self.setObjectName("inspectorSheet")
        self._column = vbox(self, margins=(_SHADOW + 1, 0, 0, 0))
        self._beside: QWidget | None = None
        theme.changed.connect(self._fit)
        self.hide()

    def put_away_by(self, beside: QWidget) -> None:
        """Put the sheet away when this part of the page is pressed."""
        self._beside = beside

    def hold(self, inspector: QWidget) -> None:
        """Take the inspector in and slide over the page."""
        for heard in self._heard():
            heard.installEventFilter(self)
        inspector.setMinimumWidth(0)
        inspector.setMaximumWidth(self._width())
        self._column.addWidget(inspector)
        inspector.show()
        self._fit()
        self.raise_()
        self.show()
        slide(self, self._theme, QPoint(self.width(), 0))

    @Slot()
    def close_sheet(self) -> None:
        """Put the sheet away, if it is there."""
        if not self.isHidden():
            for heard in self._heard():
                heard.removeEventFilter(self)
            self.hide()
            self._closed()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the page, and hears when it is pressed beside the sheet."""
        if watched is self._page and event.type() is QEvent.Type.Resize:
            self._fit()
        elif watched is self._beside and event.type() is QEvent.Type.MouseButtonPress:
            self.close_sheet()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the hairline at its edge and the shadow that falls on the list."""
        painter = painter_on(self)
        strength = _STRENGTH_DARK if self._theme.is_dark else _STRENGTH_LIGHT
        for step in range(_SHADOW):
            share = (step + 1) / _SHADOW
            painter.fillRect(step, 0, 1, self.height(), QColor(0, 0, 0, round(strength * share**2)))
        painter.fillRect(QRectF(_SHADOW, 0, 1, self.height()), self._theme.color("lineStrong"))
        painter.end()

    def _heard(self) -> Iterator[QWidget]:
        yield self._page
        if self._beside is not None:
            yield self._beside

    def _width(self) -> int:
        """Width of the inspector in the sheet: larger type needs more, the page may have less."""
        return min(max(WIDTH, self._theme.scaled(WIDTH)), self._page.width() - 2 * _SHADOW)

    @Slot()
    def _fit(self) -> None:
        width = self._width() + _SHADOW + 1
        self.setGeometry(QRect(self._page.width() - width, 0, width, self._page.height()))
