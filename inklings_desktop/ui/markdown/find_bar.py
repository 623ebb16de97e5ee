"""Find and replace in the Markdown editor."""

import re
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.hidden_marks import TextPositions, insert_exactly
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.markdown.editor import MarkdownEditor
from inklings_desktop.ui.markdown.writing_text_edit import Layer


class FindBar(QWidget):
    """Looks for a text as it is typed, marks every match, goes from one to the next.

    Replacing all is one step that can be undone. Escape closes and returns to the editor. A
    match is looked for letter by letter, without patterns.
    """

    def __init__(self, theme: Theme, editor: MarkdownEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._editor = editor
        self._matches: list[tuple[int, int]] = []
        self.find_edit = self._field(tr("Find"))
        self.replace_edit = self._field(tr("Replace with"))
        self._count = QLabel(self)
        self._count.setProperty("textStyle", "caption")
        self._count.setMinimumWidth(theme.scaled(72))
        self._previous = self._icon("arrow-up", tr("Previous match (Shift+Enter)"))
        self._next = self._icon("arrow-down", tr("Next match (Enter)"))
        self._case = self._icon("text-aa", tr("Match capitals"))
        self._case.setCheckable(True)
        self._close = self._icon("x", tr("Close (Esc)"))
        self._replace = PushButton(theme, tr("Replace"), small=True, parent=self)
        self._replace_all = PushButton(theme, tr("Replace all"), small=True, parent=self)
        self._rest = timer(self, self._look)
        self._place()
        self._connect()
        self.hide()

    # -- what the page asks -----------------------------------------------------------------

    def open_find(self) -> None:
        """Show the field for what is looked for, filled with the selection if it is one line."""
        self._open(replacing=False)

    def open_replace(self) -> None:
        """Show the field for the replacement as well."""
        self._open(replacing=True)

    def n_matches(self) -> int:
        """How often the text is found."""
        return len(self._matches)

    @Slot()
    def close_bar(self) -> None:
        """Take the marks away and go back to the editor."""
        self._rest.stop()
        self._matches = []
        self._editor.marks.show(Layer.FOUND, ())
        self.hide()
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def go_to_next(self) -> None:
        """Select the match after the caret; after the last comes the first."""
        self._look()
        at = self._editor.textCursor().selectionEnd()
        self._select(next((one for one in self._matches if one[0] >= at), None) or self._first())

    @Slot()
    def go_to_previous(self) -> None:
        """Select the match before the caret; before the first comes the last."""
        self._look()
        at = self._editor.textCursor().selectionStart()
        before = [one for one in self._matches if one[1] <= at]
        self._select(before[-1] if before else self._matches[-1] if self._matches else None)

    @Slot()
    def replace_one(self) -> None:
        """Replace the selected match and go to the next; without one, only go."""
        self._look()
        cursor = self._editor.textCursor()
        if (cursor.selectionStart(), cursor.selectionEnd()) in self._matches:
            insert_exactly(cursor, self.replace_edit.text())
            self._editor.setTextCursor(cursor)
        self.go_to_next()

    @Slot()
    def replace_all(self) -> None:
        """Replace every match as one step that can be undone."""
        self._look()
        matches = list(self._matches)
        cursor = QTextCursor(self._editor.document())
        cursor.beginEditBlock()
        for start, stop in reversed(matches):
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            insert_exactly(cursor, self.replace_edit.text())
        cursor.endEditBlock()
        self._look()
        told = counted(len(matches), "1 replaced", "{n} replaced")
        self._count.setText(told)
        announce(self, told)

    # -- Qt's questions ---------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._on_enter(watched, event.modifiers())
                return True
        return super().eventFilter(watched, event)

    # -- inside -----------------------------------------------------------------------------

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setPlaceholderText(name)
        field.setAccessibleName(name)
        field.installEventFilter(self)
        return field

    def _icon(self, icon: str, name: str) -> IconButton:
        return IconButton(self._theme, icon, name, parent=self)

    def _place(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 8, 16, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.find_edit, 0, 0)
        grid.addWidget(self.replace_edit, 1, 0)
        found, replacing = QHBoxLayout(), QHBoxLayout()
        found.setSpacing(2)
        replacing.setSpacing(6)
        for widget in (self._count, self._previous, self._next, self._case, self._close):
            found.addWidget(widget)
        fill(replacing, self._replace, self._replace_all, STRETCH)
        grid.addLayout(found, 0, 1)
        grid.addLayout(replacing, 1, 1)
        fields = (self.find_edit, self._previous, self._next, self._case, self._close)
        for one, other in pairwise((*fields, self.replace_edit, self._replace, self._replace_all)):
            self.setTabOrder(one, other)

    def _connect(self) -> None:
        self.find_edit.textChanged.connect(
            lambda: self._rest.start(self._theme.duration("debounceSearch"))
        )
        self._case.toggled.connect(self._look)
        self._previous.clicked.connect(self.go_to_previous)
        self._next.clicked.connect(self.go_to_next)
        self._close.clicked.connect(self.close_bar)
        self._replace.clicked.connect(self.replace_one)
        self._replace_all.clicked.connect(self.replace_all)
        self._editor.edited.connect(self._on_editor_edited)
        self._theme.changed.connect(self._mark)

    def _open(self, *, replacing: bool) -> None:
        chosen = self._editor.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.find_edit.setText(chosen)
        self._editor.show_all()
        for widget in (self.replace_edit, self._replace, self._replace_all):
            widget.setVisible(replacing and not self._editor.isReadOnly())
        self.show()
        self.find_edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_edit.selectAll()
        self._look()

    def _first(self) -> tuple[int, int] | None:
        return self._matches[0] if self._matches else None

    def _select(self, match: tuple[int, int] | None) -> None:
        if match is None:
            return
        cursor = self._editor.textCursor()
        cursor.setPosition(match[0])
        cursor.setPosition(match[1], QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()
        self._tell()

    @Slot()
    def _look(self) -> None:
        """Finds all matches in the text as it is now."""
        self._rest.stop()
        wanted = self.find_edit.text()
        self._matches = []
        if wanted and not self.isHidden():
            self._editor.show_all()
            text = self._editor.plain_lines()
            positions = TextPositions(text)
            flags = 0 if self._case.isChecked() else re.IGNORECASE
            self._matches = [
                (positions.to_qt(match.start()), positions.to_qt(match.end()))
                for match in re.finditer(re.escape(wanted), text, flags)
            ]
        self._mark()
        self._tell()

    @Slot()
    def _mark(self) -> None:
        ground = QTextCharFormat()
        ground.setBackground(self._theme.color("ochreSoft"))
        self._editor.marks.show(Layer.FOUND, self._matches, ground)

    def _tell(self) -> None:
        cursor = self._editor.textCursor()
        here = (cursor.selectionStart(), cursor.selectionEnd())
        n_matches = len(self._matches)
        if not self.find_edit.text():
            told = ""
        elif not n_matches:
            told = tr("None found")
        elif here in self._matches:
            told = tr("{0} of {1}").format(self._matches.index(here) + 1, n_matches)
        else:
            told = counted(n_matches, "1 found", "{n} found")
        self._count.setText(told)
        self.find_edit.setAccessibleDescription(told)
        for button in (self._previous, self._next, self._replace, self._replace_all):
            button.setEnabled(n_matches > 0)

    def _on_enter(self, watched: QObject, modifiers: Qt.KeyboardModifier) -> None:
        if watched is self.replace_edit:
            self.replace_one()
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            self.go_to_previous()
        else:
            self.go_to_next()

    @Slot()
    def _on_editor_edited(self) -> None:
        if not self.isHidden():
            self._rest.start(self._theme.duration("debounceSearch"))
