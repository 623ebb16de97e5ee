"""A field for plain text of any length and shape that is never slow to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.hidden_marks import insert_exactly
from inklings_desktop.ui.kit.look.layouts import hbox
from inklings_desktop.ui.kit.look.text_layout import (
    head_length,
    laid_out_when_seen,
    plain_copy,
    wrap_mode,
)
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme

_BAR_HEIGHT = 28
_SIDE = 8
_BLOCK_BREAK = "\u2029"


class LongTextEdit(QTextEdit):
    """Shows the head of a text that would take long to lay out, and all of it when asked.

    Most texts are shown whole. Below a head a line says how much there is; its button, or Enter,
    shows all. Until then nothing can be edited, so that nobody writes at an end that is none, and
    ``text`` gives the whole text all the same.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._whole: str | None = None
        self._is_locked = False
        self.setAcceptRichText(False)
        self._rest_bar = QWidget(self)
        self._rest_told = ElidedLabel("", self._rest_bar)
        self._rest_told.setProperty("textStyle", "meta")
        self.show_rest = named(LinkButton(tr("Show all"), self._rest_bar), "showWholeText")
        self.show_rest.clicked.connect(self.show_all)
        hbox(self._rest_bar, (self._rest_told, 1), self.show_rest, margins=(_SIDE, 0, _SIDE, 0))
        self._rest_bar.hide()

    def set_plain_text(self, text: str) -> None:
        """Show another text; the way back begins here, and the text counts as unmodified."""
        head = text[: head_length(text)]
        self._whole = text if len(head) < len(text) else None
        self._fill(head)
        self._show_rest()

    def text(self) -> str:
        """The whole text, shown or not, with a line feed for every line end."""
        if self._whole is not None:
            return self._whole
        # The plain text of a Qt document turns no-break spaces into ordinary ones.
        return self.document().toRawText().replace(_BLOCK_BREAK, "\n")

    @property
    def is_cut(self) -> bool:
        """Whether only the head of the text is shown."""
        return self._whole is not None

    @Slot()
    def show_all(self) -> None:
        """Show the whole text, however long that takes, and let it be edited."""
        if self._whole is None:
            return
        whole, self._whole = self._whole, None
        place = self.verticalScrollBar().value()
        by_button = self.show_rest.hasFocus()
        self._fill(whole)
        self._show_rest()
        self.verticalScrollBar().setValue(place)
        if by_button:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- Qt's questions -----------------------------------------------------------------------

    def setReadOnly(self, read_only: bool) -> None:  # noqa: FBT001, N802 - Qt calls it so
        self._is_locked = read_only
        wanted = read_only or self.is_cut
        if wanted != self.isReadOnly():
            super().setReadOnly(wanted)

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt calls it so
        """Gives the selection as plain text; no-break spaces stay what they are."""
        return plain_copy(self.textCursor().selectedText().replace(_BLOCK_BREAK, "\n"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the rest of a text that is cut."""
        if self.is_cut and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.show_all()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the line about the rest below the text."""
        super().resizeEvent(event)
        self._place_viewport()

    # -- inside -------------------------------------------------------------------------------

    def _fill(self, text: str) -> None:
        """Put a text into the document, laid out as far as it is seen."""
        document = self.document()
        self.blockSignals(True)
        document.setUndoRedoEnabled(False)
        self.clear()
        self.setWordWrapMode(wrap_mode(text))
        with laid_out_when_seen(document):
            # Into an empty line that has the distance already: the others inherit it.
            cursor = QTextCursor(document)
            cursor.setBlockFormat(self._line_format())
            insert_exactly(cursor, text)
            self.moveCursor(QTextCursor.MoveOperation.Start)
        document.setUndoRedoEnabled(True)
        document.setModified(False)
        self.blockSignals(False)

    def _line_format(self) -> QTextBlockFormat:
        return QTextBlockFormat()

    def _show_rest(self) -> None:
        self.setReadOnly(self._is_locked)
        if self._whole is not None:
            n_shown, n_all = self.document().characterCount() - 1, len(self._whole)
            figure = QLocale().toString
            told = tr("The first {shown} of {all} characters, as the rest is slow to show.")
            self._rest_told.setText(told.format(shown=figure(n_shown), all=figure(n_all)))
        self._rest_bar.setVisible(self.is_cut)
        self._place_viewport()

    def _place_viewport(self) -> None:
        self.setViewportMargins(0, 0, 0, self._rest_height())
        self._place_rest()

    def _place_rest(self) -> None:
        frame = self.viewport().geometry()
        top, height = frame.bottom() + 1, self._rest_height()
        self._rest_bar.setGeometry(frame.left(), top, frame.width(), height)

    def _rest_height(self) -> int:
        return self._theme.scaled(_BAR_HEIGHT) if self.is_cut else 0


class Wording(LongTextEdit):
    """Text of the author's own.

    Signals:
        typed: Each wording.
    """

    typed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.textChanged.connect(lambda: self.typed.emit(self.text()))

    def show_said(self, text: str) -> None:
        """Show another wording; the same one keeps its cursor."""
        if text != self.text():
            self.set_plain_text(text)
