"""What stands around an open entry: the page's actions, its header and its footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from inklings_desktop.domain.entries.named_entry import ENTRY_SOFT_LIMIT
from inklings_desktop.ui.entries.opened import EntryFigures, EntryMode, OpenEntry
from inklings_desktop.ui.kit.controls.buttons import IconButton, KeyHintButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.labels import Dot, elided_label, plain_label, show_parts
from inklings_desktop.ui.kit.marks.meters import SoftLimitBar
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.look.theme import Theme


class EntryActions(QObject):
    """The page's actions; their keys are heard in the whole window, but only while it is shown.

    Other pages use some of the same keys: only one page's actions are enabled at a time. A new
    entry can be begun from everywhere.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self.new = self._made(tr("New named entry\u2026"), "Ctrl+Shift+N")
        self.save = self._made(tr("Save revision"), "Ctrl+S")
        self.write = self._made(tr("Write"), "Ctrl+1")
        self.split = self._made(tr("Split"), "Ctrl+2")
        self.history = self._made(tr("History"), "Ctrl+3")
        self.find = self._made(tr("Find\u2026"), "Ctrl+F")
        self.replace = self._made(tr("Find and replace\u2026"), "Ctrl+H")
        self.focus = self._made(tr("Focus mode"), "F11")
        self.focus.setCheckable(True)
        self.delete = self._made(tr("Delete entry\u2026"))
        self.restore_deleted = self._made(tr("Restore deleted\u2026"))
        for action in (self.new, self.save, self.replace, self.delete, self.restore_deleted):
            storing(action)
        self.set_enabled(enabled=False)

    def all(self) -> tuple[QAction, ...]:
        """Every action, in the order of a menu."""
        changing = (self.new, self.save)
        showing = (self.write, self.split, self.history, self.find, self.replace, self.focus)
        return (*changing, *showing, self.delete, self.restore_deleted)

    def only_look(self) -> None:
        """Leave out what would change anything, or shows what only the author may see."""
        for action in (self.new, self.save, self.history, self.replace, self.delete):
            action.setVisible(False)
        self.restore_deleted.setVisible(False)

    def set_enabled(self, *, enabled: bool) -> None:
        """Listen to the keys, or leave them to another page."""
        for action in self.all():
            action.setEnabled(enabled or action is self.new)

    def _made(self, text: str, keys: str = "") -> QAction:
        action = QAction(text, self)
        if keys:
            action.setShortcut(QKeySequence(keys))
        self._page.addAction(action)
        return action


HEADER_HEIGHT = 52
FOOTER_HEIGHT = 44
GUTTER = 28

_ICONS_ONLY_BELOW = 560
_LEAST_WIDTH = 380


class EntryHeader(QWidget):
    """Mark, name, last edit, the modes, and a menu."""

    def __init__(self, theme: Theme, actions: EntryActions, parent: QWidget | None = None) -> None:
        """Offer nothing yet.

        Args:
            actions: What the menu does.
        """
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        on_ground(self, "canvas")
        self._mark = TierMark(theme, inked=3, role="tierWorkspace", parent=self)
        self._name = named(elided_label("", "title", self), "entryName")
        self._edited = named(elided_label("", "meta", self), "entryEdited")
        self.modes = SegmentedSwitch(
            theme,
            (
                Segment(
                    EntryMode.WRITE.value,
                    tr("Write"),
                    "pencil-simple",
                    tr("The text alone (Ctrl+1)"),
                    narrow_icon=True,
                ),
                Segment(
                    EntryMode.SPLIT.value,
                    tr("Split"),
                    "columns",
                    tr("The text beside what the agent will read (Ctrl+2)"),
                    narrow_icon=True,
                ),
                Segment(
                    EntryMode.HISTORY.value,
                    tr("History"),
                    "clock-counter-clockwise",
                    tr("Every revision and what it changed (Ctrl+3)"),
                ),
            ),
            tr("How the entry is shown"),
            parent=self,
        )
        self.modes.setObjectName("entryModes")
        self.modes.choose(EntryMode.SPLIT.value)
        self.menu_button = IconButton(
            theme, "dots-three", tr("More about this entry"), bold=True, parent=self
        )
        self.menu_button.setObjectName("entryMenu")
        self.menu_button.clicked.connect(self._on_menu_button_clicked)
        self.menu = QMenu(self)
        self._find = self._action(tr("Find\u2026"), actions.find.trigger, "findText")
        self._replace = self._action(
            tr("Find and replace\u2026"), actions.replace.trigger, "replaceText"
        )
        self._focus = self._action(tr("Focus mode"), actions.focus.trigger, "focusMode")
        self.menu.addSeparator()
        self._copy = self._action(tr("Copy text"), self._copy_text, "copyEntry")
        self.menu.addSeparator()
        self.delete = self._action(tr("Delete entry\u2026"), actions.delete.trigger, "deleteEntry")
        self.restore_deleted = self._action(
            tr("Restore deleted\u2026"), actions.restore_deleted.trigger, "restoreDeleted"
        )
        for action in (self._replace, self.delete, self.restore_deleted):
            storing(action)
        row = hbox(self, margins=(GUTTER, 0, 14, 0), spacing=10)
        fill(row, self._mark, 2, self._name, (self._edited, 1), self.modes, self.menu_button)
        theme.hold_height(self, HEADER_HEIGHT)

    def show_entry(self, shown: OpenEntry) -> None:
        """Show what the pane is about."""
        inked, role = TIER_MARKS[shown.entry.tier]
        self._mark.set_tier(inked=inked, role=role)
        self._name.setText(shown.entry.name)
        self._edited.setText(shown.edited)
        self._edited.setToolTip(plain_tool_tip(shown.edited_exact))
        self._text = shown.text
        self.delete.setVisible(not shown.entry.is_built_in and not shown.is_looking)
        self.modes.setVisible(not shown.is_looking)
        self._replace.setVisible(not shown.is_looking)

    def show_mode(self, mode: EntryMode) -> None:
        """Mark the mode in force, without announcing it."""
        with QSignalBlocker(self.modes):
            self.modes.choose(mode.value)
        is_editing = mode is not EntryMode.HISTORY
        for action in (self._find, self._replace, self._focus):
            action.setEnabled(is_editing)

    def minimumSizeHint(self) -> QSize:
        """Room for the modes as icons; name and edit give way."""
        return QSize(self._theme.scaled(_LEAST_WIDTH), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.modes.set_icons_only(icons_only=self.width() < self._theme.scaled(_ICONS_ONLY_BELOW))

    def _action(self, text: str, call: Callable[[], None], name: str) -> QAction:
        action = self.menu.addAction(text, call)
        action.setObjectName(name)
        return action

    @Slot()
    def _on_menu_button_clicked(self) -> None:
        button = self.menu_button
        self.menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    @Slot()
    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


class EntryFooter(QWidget):
    """How long the text is, whether it is saved, and the way to save it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: OpenEntry | None = None
        self._is_history = False
        on_ground(self, "canvas")
        self.characters = self._figure("entryCharacters")
        self.tokens = self._figure("entryTokens")
        self.words = self._figure("entryWords")
        self.bar = named(SoftLimitBar(theme, ENTRY_SOFT_LIMIT, self), "entryLimit")
        limit = grouped(ENTRY_SOFT_LIMIT)
        self._limit = plain_label(tr("soft limit {n}").format(n=limit), "meta", self)
        self._dot = Dot(theme, "ochre", parent=self)
        self._unsaved = named(plain_label("", "meta", self), "entryUnsaved")
        self._error = named(elided_label("", "error", self), "entryError")
        self._reader = named(elided_label("", "meta", self), "entryReader")
        self.revert = PushButton(theme, tr("Revert"), kind="quiet", small=True, parent=self)
        self.revert.setObjectName("entryRevert")
        key = QKeySequence(QKeySequence.StandardKey.Save)
        hint = key.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")
        self.save = named(KeyHintButton(theme, tr("Save revision"), hint, self), "entrySave")
        self.save.setProperty("small", "true")
        self._row = hbox(self, margins=(GUTTER, 0, 16, 0), spacing=0)
        for label in (self.characters, self.tokens, self.words):
            fill(self._row, label, 15)
        fill(self._row, self.bar, 8, self._limit, 16, (self._error, 1), STRETCH, self._reader)
        self._deeds = self._made_deeds()
        self._row.addWidget(self._deeds)
        theme.hold_height(self, FOOTER_HEIGHT)

    def _made_deeds(self) -> QWidget:
        """What can be done, in one piece, so that the spaces between go with it."""
        deeds = QWidget(self)
        hbox(
            deeds, self._dot, 5, self._unsaved, 12, self.revert, 12, self.save, margins=0, spacing=0
        )
        return deeds

    def show_entry(self, shown: OpenEntry) -> None:
        """Offer what can be done with an entry."""
        self._shown = shown
        self.revert.setEnabled(shown.can_revert)
        self.save.setEnabled(shown.can_save)
        self.save.setText(tr("Accept and save") if shown.accepts else tr("Save revision"))
        self.save.setAccessibleName(self.save.text())
        self.revert.setText(tr("Leave the proposal") if shown.accepts else tr("Revert"))
        self._unsaved.setText(tr("Saving\u2026") if shown.is_saving else tr("Unsaved"))
        self._error.setText(shown.error)
        self._reader.setText(
            tr("The agent reads {name}. It cannot change it.").format(name=shown.entry.name)
        )
        self._show_parts()

    def show_figures(self, figures: EntryFigures) -> None:
        """Show how long the text is."""
        n = figures.n_characters
        self.characters.setText(counted(n, "1 character", "{n} characters"))
        n_tokens = figures.n_tokens
        self.tokens.setText(counted(n_tokens, "about 1 token", "about {n} tokens"))
        self.words.setText(counted(figures.n_words, "1 word", "{n} words"))
        self.bar.set_value(n)

    def show_mode(self, mode: EntryMode) -> None:
        """Offer saving beside the editor, and the rule of the house beside the history."""
        self._is_history = mode is EntryMode.HISTORY
        self._show_parts()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(_LEAST_WIDTH), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves out figures where there is no room for all."""
        super().resizeEvent(event)
        self._show_parts()

    def _figure(self, name: str) -> QLabel:
        return named(plain_label("", "meta", self), name)

    def _show_parts(self) -> None:
        shown = self._shown
        is_busy = shown is not None and (shown.is_unsaved or shown.is_saving)
        is_looking = shown is not None and shown.is_looking
        buttons = (not self._is_history or is_busy) and not is_looking
        show_parts(
            {
                self._reader: not buttons and shown is not None,
                self._deeds: buttons or is_busy,
                self._dot: is_busy,
                self._unsaved: is_busy,
                self._error: shown is not None and bool(shown.error),
                self.revert: buttons,
                self.save: buttons,
                self.characters: True,
            }
        )
        # What comes last in this order goes first when room runs out.
        fixed = (self.characters, self._dot, self._unsaved, self.revert, self.save, self._reader)
        taken = sum(part.sizeHint().width() + 12 for part in fixed if not part.isHidden())
        room = self.width() - taken - GUTTER - 60
        for parts in ((self.bar, self._limit), (self.words,), (self.tokens,)):
            wanted = sum(part.sizeHint().width() + 16 for part in parts)
            for part in parts:
                part.setVisible(wanted <= room)
            room -= wanted
