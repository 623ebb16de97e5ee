"""The Named entries page: the list, one open entry, and what floats above them."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from inklings_desktop.ui.entries.editor_pane import EntryEditorPane
from inklings_desktop.ui.entries.frame import EntryActions, EntryFooter, EntryHeader
from inklings_desktop.ui.entries.history_pane import EntryHistoryPane
from inklings_desktop.ui.entries.list_pane import EntriesList
from inklings_desktop.ui.entries.opened import (
    EntryMode,
    EntryNotice,
    NoticeKind,
    OpenEntry,
    figures_of,
)
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.marks.labels import IconMark, rule, wrapped_label
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.markdown.comparison_pane import ComparisonPane

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

    from inklings_desktop.domain.entries.named_entry import EntryRef
    from inklings_desktop.ui.entries.rows import ContextShare
    from inklings_desktop.ui.kit.look.theme import Theme

COMPARE = "compare"
CONTINUE_DRAFT = "continueDraft"
DISCARD_DRAFT = "discardDraft"
COPY_TEXT = "copyText"
KEEP_MINE = "keepMine"
SAVE_AGAIN = "saveAgain"
TAKE_THEIRS = "takeTheirs"

_LOOKS = {
    NoticeKind.DRAFT: ("clock-counter-clockwise", "ochre"),
    NoticeKind.CHANGED: ("warning", "ochre"),
    NoticeKind.DELETED: ("warning", "ochre"),
    NoticeKind.PROPOSAL: ("planet", "lapis"),
    NoticeKind.TEMPLATE: ("info", "lapis"),
    NoticeKind.DAMAGED: ("warning", "ochre"),
    NoticeKind.SECRET: ("warning", "ochre"),
    NoticeKind.DISK_FULL: ("warning-circle", "madder"),
}
_STACKED_BELOW = 660


class EntryNoticeBand(Grounded, QWidget):
    """Shows one notice; hidden while there is none.

    Signals:
        action_requested: Key of the button that was pressed.
    """

    action_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("entryNotice")
        self._theme = theme
        self._notice: EntryNotice | None = None
        self._is_compared = False
        self._icon = IconMark(theme, "", "", 18, self)
        self._title = wrapped_label("", "metaStrong", self)
        self._text = wrapped_label("", "meta", self)
        for label in (self._title, self._text):
            label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        words = vbox(None, self._title, self._text, spacing=1)
        self._buttons = hbox(None, spacing=8)
        self._made: list[PushButton] = []
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(10)
        fill(self._body, (words, 1), self._buttons)
        row = hbox(self, margins=(28, 9, 16, 10), spacing=10)
        fill(row, (self._icon, 0, Qt.AlignmentFlag.AlignTop), (self._body, 1))
        theme.changed.connect(self.update)
        self.hide()

    def show_notice(self, notice: EntryNotice | None, *, is_compared: bool) -> bool:
        """Show a notice, or none; whether the buttons are others now.

        Args:
            notice: What it says.
            is_compared: Whether the two texts it is about are on show just now.
        """
        if notice == self._notice and is_compared == self._is_compared:
            return False
        is_news = notice is not None and notice != self._notice
        self._notice, self._is_compared = notice, is_compared
        if notice is None:
            self.hide()
            return False
        self._title.setText(notice.title)
        self._text.setText(notice.text)
        self._text.setVisible(bool(notice.text))
        self._make_buttons(notice.kind)
        icon, role = _LOOKS[notice.kind]
        self._icon.show_icon(icon, role)
        self.stand_on(Ground(f"{role}Soft", bar=role, below="line"))
        self.show()
        if is_news:
            announce(self, f"{notice.title} {notice.text}")
        return True

    def buttons(self) -> list[PushButton]:
        """The ways to decide, left to right."""
        return list(self._made)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the buttons below the words where there is no room beside them."""
        super().resizeEvent(event)
        is_narrow = self.width() < self._theme.scaled(_STACKED_BELOW)
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._body.setDirection(down if is_narrow and self._made else across)

    def _make_buttons(self, kind: NoticeKind) -> None:
        for button in self._made:
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        while self._buttons.count():
            self._buttons.takeAt(0)
        self._made = []
        for key, text in self._choices(kind):
            button = named(PushButton(self._theme, text, small=True, parent=self), key)
            button.setProperty("action", key)
            if key != COMPARE:
                storing(button)
            button.clicked.connect(partial(self.action_requested.emit, key))
            self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
            self._made.append(button)
            button.show()
        self._buttons.addStretch(0)

    def _choices(self, kind: NoticeKind) -> list[tuple[str, str]]:
        compare = (
            COMPARE,
            tr("Back to the text") if self._is_compared else tr("Compare"),
        )
        return {
            NoticeKind.DRAFT: [
                compare,
                (DISCARD_DRAFT, tr("Discard it")),
                (CONTINUE_DRAFT, tr("Continue with it")),
            ],
            NoticeKind.CHANGED: [
                compare,
                (TAKE_THEIRS, tr("Take theirs")),
                (KEEP_MINE, tr("Keep mine")),
            ],
            NoticeKind.DELETED: [
                (COPY_TEXT, tr("Copy text")),
                (TAKE_THEIRS, tr("Discard mine")),
                (KEEP_MINE, tr("Restore it")),
            ],
            NoticeKind.DISK_FULL: [
                (COPY_TEXT, tr("Copy text")),
                (SAVE_AGAIN, tr("Try again")),
            ],
            NoticeKind.PROPOSAL: [compare],
            NoticeKind.TEMPLATE: [],
            NoticeKind.DAMAGED: [],
            NoticeKind.SECRET: [],
        }[kind]


_NARROW_BELOW = 900
_NARROW_LIST = 232
_LIST = 288
_ABOVE_FOOTER = 64
_FIGURES_MS = 120


class _Pane(Enum):
    """What stands beside the list."""

    NOTHING = 0
    ENTRY = 1


class EntriesView(QWidget):
    """Everything right of the rail.

    Signals:
        focus_mode_changed: Whether the editor stands alone; the window may hide what is around.
    """

    focus_mode_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("entriesPage")
        self._theme = theme
        self._shown: OpenEntry | None = None
        self._shares: tuple[ContextShare, ...] = ()
        self._measured: tuple[EntryRef, int] | None = None
        self._until_counted = timer(self, self._show_figures, _FIGURES_MS)
        self._mode = EntryMode.SPLIT
        self._pane = _Pane.NOTHING
        self._is_focused = False
        on_ground(self, "canvas")
        self.actions_of = EntryActions(self)
        self.list = EntriesList(theme, self.actions_of, self)
        # Each is made where it stands: a move takes Qt through the style of all that is in it.
        self._panes = QStackedWidget(self)
        entry = QWidget(self._panes)
        self._header_rule = rule(entry)
        self.header = EntryHeader(theme, self.actions_of, entry)
        self.notice = EntryNoticeBand(theme, entry)
        self._bodies = QStackedWidget(entry)
        self.editor = EntryEditorPane(theme, self._bodies)
        self.comparison = ComparisonPane(theme, self._bodies)
        self.history = EntryHistoryPane(theme, self._bodies)
        footer_rule = rule(entry)
        self.footer = EntryFooter(theme, entry)
        self.nothing = named(EmptyState(theme, self._panes), "noEntry")
        for body in (self.editor, self.comparison, self.history):
            self._bodies.addWidget(body)
        self._lay_out(entry, footer_rule)
        for pane in (self.nothing, entry):
            self._panes.addWidget(pane)
        self._list_rule = VerticalRule(theme, self)
        hbox(self, self.list, self._list_rule, (self._panes, 1), margins=0, spacing=0)
        self.toast = Toast(theme, self)
        self.toast.set_bottom_margin(_ABOVE_FOOTER)
        self.toast.keyboard_freed.connect(self.focus_list)
        self._connect()
        self._order_tabs()
        self.show_nothing()
        theme.changed.connect(self._fold)

    # -- shown ------------------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Show that no entry is chosen."""
        self.set_focus_mode(on=False)
        self._show_pane(_Pane.NOTHING)
        self.nothing.show_state(
            tr("Nothing is open"),
            tr(
                "Choose an entry on the left. The agent reads all of them at every turn "
                "and cannot change them."
            ),
            drawn=False,
        )

    def show_shares(self, shares: tuple[ContextShare, ...]) -> None:
        """Show what is always in context, as it would be with the text in the editor."""
        self._shares, shown = shares, self._shown
        if shown is not None and (shown.is_unsaved or shown.accepts):
            entry_id, length = shown.entry.id, len(shown.text)
            shares = tuple(
                replace(one, n_characters=length) if one.entry_id == entry_id else one
                for one in shares
            )
        self.list.foot.show_shares(shares)

    def show_entry(self, shown: OpenEntry | None) -> None:
        """Show an entry; text that stands in the editor is not touched unless it was replaced.

        It is counted at once where it was put in place of another, and soon where it was typed.
        """
        self._shown = shown
        self._show_shown(shown)
        text = (shown.ref, shown.serial) if shown is not None else None
        if text != self._measured:
            self._measured = text
            self._show_figures()
        elif not self._until_counted.isActive():
            self._until_counted.start()

    def _show_shown(self, shown: OpenEntry | None) -> None:
        if shown is None:
            if self._pane is _Pane.ENTRY:
                self.show_nothing()
            return
        self._show_pane(_Pane.ENTRY)
        self.header.show_entry(shown)
        if self.notice.show_notice(shown.notice, is_compared=shown.comparison is not None):
            self._order_tabs()
        self.editor.show_entry(shown)
        self.comparison.show_comparison(shown.comparison)
        self.footer.show_entry(shown)
        self._show_body()

    @property
    def mode(self) -> EntryMode:
        """How the entry is shown."""
        return self._mode

    def show_mode(self, mode: EntryMode) -> None:
        """Show the entry another way."""
        self._mode = mode
        if mode is EntryMode.HISTORY:
            self.set_focus_mode(on=False)
        self.header.show_mode(mode)
        self.footer.show_mode(mode)
        self._show_body()

    def only_look(self) -> None:
        """Offer nothing that would change anything."""
        self.list.only_look()
        self.editor.only_look()
        self.actions_of.only_look()
        self.header.restore_deleted.setVisible(False)

    # -- wishes -----------------------------------------------------------------------------

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to the list."""
        self.list.focus_list()

    @Slot()
    def focus_editor(self) -> None:
        """Bring the keyboard to what can be typed."""
        if self._pane is _Pane.ENTRY and self._bodies.currentWidget() is self.history:
            self.history.focus_list()
        elif self._pane is _Pane.ENTRY:
            self.editor.focus_editor()

    @Slot()
    def open_find(self) -> None:
        """Look for something in the text."""
        if self._can_edit():
            self.editor.find_bar.open_find()

    @Slot()
    def open_replace(self) -> None:
        """Look for something in the text and put something else in its place."""
        if self._can_edit():
            self.editor.find_bar.open_replace()

    @Slot()
    def toggle_focus_mode(self) -> None:
        """Show the editor alone, or everything again."""
        self.set_focus_mode(on=not self._is_focused)

    def set_focus_mode(self, *, on: bool) -> None:
        """Show the editor alone with narrow lines, or everything."""
        on = on and self._can_edit()
        if on == self._is_focused:
            return
        self._is_focused = on
        for part in (self.list, self._list_rule, self.header, self._header_rule):
            part.setVisible(not on)
        self.editor.set_focus_mode(on=on)
        if on:
            self.editor.focus_editor()
            self.toast.show_message(tr("F11 or Esc shows everything again."))
        self._offer_actions()
        self.focus_mode_changed.emit(on)

    # -- Qt ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves focus mode, then the editor, on Escape; from the list it is the window's."""
        is_left = self.list.table.hasFocus() and not self._is_focused
        if event.key() == Qt.Key.Key_Escape and not is_left:
            self._on_leave_requested()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.actions_of.set_enabled(enabled=True)
        self._offer_actions()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.actions_of.set_enabled(enabled=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the text more room where the window is narrow."""
        super().resizeEvent(event)
        self._fold()

    # -- inside -----------------------------------------------------------------------------

    def _lay_out(self, pane: QWidget, footer_rule: QWidget) -> None:
        column = QVBoxLayout(pane)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._header_rule)
        column.addWidget(self.notice)
        column.addWidget(self._bodies, 1)
        column.addWidget(footer_rule)
        column.addWidget(self.footer)

    def _connect(self) -> None:
        self.list.edit_requested.connect(self.focus_editor)
        self.editor.editor.leave_requested.connect(self._on_leave_requested)
        self.actions_of.find.triggered.connect(self.open_find)
        self.actions_of.replace.triggered.connect(self.open_replace)
        self.actions_of.focus.triggered.connect(self.toggle_focus_mode)

    def _order_tabs(self) -> None:
        # Buttons of a notice come and go; a new widget would stand last.
        stops = [
            self.header.menu_button,
            *self.notice.buttons(),
            *self.editor.tab_stops(),
            self.footer.revert,
            self.footer.save,
        ]
        for earlier, later in pairwise(stops):
            QWidget.setTabOrder(earlier, later)

    @Slot()
    def _fold(self) -> None:
        """Give the text more room where the page is narrow for the size of its letters."""
        scale = self._theme.text_scale
        narrow = self.width() < _NARROW_BELOW * scale
        self.list.setFixedWidth(round((_NARROW_LIST if narrow else _LIST) * scale))
        self.history.set_narrow(narrow=narrow)

    def _show_pane(self, pane: _Pane) -> None:
        self._pane = pane
        self._panes.setCurrentIndex(pane.value)
        self._offer_actions()

    def _offer_actions(self) -> None:
        if not self.isVisible():
            return
        offered, shown = self.actions_of, self._shown
        has_entry = self._pane is _Pane.ENTRY
        for action in (offered.write, offered.split, offered.history):
            action.setEnabled(has_entry)
        for action in (offered.find, offered.replace, offered.focus):
            action.setEnabled(self._can_edit())
        offered.save.setEnabled(has_entry)
        offered.delete.setEnabled(has_entry and shown is not None and not shown.entry.is_built_in)
        offered.focus.setChecked(self._is_focused)

    def _show_body(self) -> None:
        if self._shown is not None and self._shown.comparison is not None:
            body: QWidget = self.comparison
        else:
            body = self.history if self._mode is EntryMode.HISTORY else self.editor
        if self._bodies.currentWidget() is not body:
            self._bodies.setCurrentWidget(body)
        if body is self.editor:
            self.editor.show_mode(self._mode)
        self._offer_actions()

    def _can_edit(self) -> bool:
        return self._pane is _Pane.ENTRY and self._bodies.currentWidget() is self.editor

    @Slot()
    def _show_figures(self) -> None:
        self._until_counted.stop()
        if self._shown is not None:
            self.footer.show_figures(figures_of(self._shown.text))
        self.show_shares(self._shares)

    @Slot()
    def _on_leave_requested(self) -> None:
        if self._is_focused:
            self.set_focus_mode(on=False)
        else:
            self.list.focus_list()
