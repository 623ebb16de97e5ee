"""How a client is connected: the text to copy, where it goes, and a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.domain.connections import ClientProgram
from inklings_desktop.ui.views.inspector_labels import IconLabel, plain_label, wrapped_label
from inklings_desktop.ui.widgets.announcement import announce
from inklings_desktop.ui.widgets.focus_ring import FocusRing
from inklings_desktop.ui.widgets.icon_button import PushButton
from inklings_desktop.ui.widgets.segmented import Segment, SegmentedSwitch

if TYPE_CHECKING:
    from inklings_desktop.ui.presenters.connection_state import ConnectionState, RehearsalLine
    from inklings_desktop.ui.theme import Theme

_WIDTH = 620
_MARGIN = 28
_TEXT_LINES = 16
_MOST_TYPED = 64


class ConnectionDialog(QDialog):
    """Shows a ``ConnectionState`` and says what the person wants; decides nothing.

    Signals:
        name_typed: Another name for a client that is yet to come.
        program_chosen: A ``ClientProgram``.
        test_requested: Try it; or give the test up.
    """

    name_typed = Signal(str)
    program_chosen = Signal(object)
    test_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("connectionDialog")
        self.setMinimumWidth(_WIDTH)
        self._theme = theme
        self._lines: tuple[RehearsalLine, ...] = ()
        self._said = ""
        self._title = plain_label("", "title", self)
        self.name = QLineEdit(self)
        self.name.setObjectName("clientName")
        self.name.setAccessibleName(self.tr("Name of the client"))
        self.name.setMaxLength(_MOST_TYPED)
        self.name.textEdited.connect(self.name_typed)
        self._name_label = plain_label(self.tr("Name it goes by here"), "label", self)
        self._error = plain_label("", "error", self)
        self.programs = SegmentedSwitch(
            theme,
            (
                Segment(ClientProgram.CLAUDE_DESKTOP.value, self.tr("Claude Desktop")),
                Segment(ClientProgram.CURSOR.value, self.tr("Cursor")),
                Segment(ClientProgram.GENERIC.value, self.tr("Other")),
            ),
            self.tr("Program"),
            parent=self,
        )
        self.programs.choice_changed.connect(self._on_program_chosen)
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("connectionText")
        self.text.setAccessibleName(self.tr("Configuration to copy"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.copy = PushButton(theme, self.tr("Copy"), icon="copy", parent=self)
        self.copy.clicked.connect(self._on_copy_clicked)
        self._places = plain_label("", "meta", self)
        self._last = plain_label("", "meta", self)
        self._last_error = plain_label("", "error", self)
        self.test = PushButton(theme, self.tr("Test"), parent=self)
        self.test.setObjectName("testConnection")
        self.test.clicked.connect(self.test_requested)
        self.verdict = wrapped_label("", "metaStrong", self)
        self._results = QVBoxLayout()
        self._results.setSpacing(6)
        self.close_button = PushButton(theme, self.tr("Done"), kind="primary", parent=self)
        self.close_button.clicked.connect(self.accept)
        self._lay_out()
        self._ring = FocusRing(theme, self)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_state(self, state: ConnectionState) -> None:
        """Show another state."""
        title = (
            self.tr("Connect {name}").format(name=state.client)
            if state.is_known
            else self.tr("Connect a client")
        )
        self.setWindowTitle(title)
        self._title.setText(title)
        for part in (self._name_label, self.name):
            part.setVisible(not state.is_known)
        if self.name.text() != state.client:
            self.name.setText(state.client)
        self._error.setText(state.error)
        self._error.setVisible(bool(state.error))
        self.programs.choose(state.program.value)
        if self.text.toPlainText() != state.configuration:
            self.text.setPlainText(state.configuration)
        self.copy.setEnabled(bool(state.configuration))
        self._places.setText("\n".join(state.places))
        for label, words in ((self._last, state.last_call), (self._last_error, state.last_error)):
            label.setText(words)
            label.setVisible(bool(words))
        self.test.setText(self.tr("Stop") if state.is_testing else self.tr("Test"))
        self.test.setEnabled(bool(state.configuration))
        verdict = self.tr("Testing\u2026") if state.is_testing else state.verdict
        self.verdict.setText(
            verdict or self.tr("Tries the whole road in a rehearsal store, with its rights here.")
        )
        if verdict and verdict != self._said:
            announce(self, verdict)
        self._said = verdict
        self._show_lines(state.lines)

    @property
    def result_lines(self) -> tuple[str, ...]:
        """What the last test found, top to bottom."""
        return tuple(one.text for one in self._lines)

    def _show_lines(self, lines: tuple[RehearsalLine, ...]) -> None:
        if lines == self._lines:
            return
        self._lines = lines
        while (item := self._results.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for one in lines:
            line = IconLabel(self._theme, parent=self)
            line.show_mark(one.icon, one.role, one.text)
            self._results.addWidget(line)

    def _lay_out(self) -> None:
        programs = QHBoxLayout()
        programs.addWidget(self.programs)
        programs.addStretch(1)
        programs.addWidget(self.copy)
        testing = QHBoxLayout()
        testing.setSpacing(12)
        testing.addWidget(self.test)
        testing.addWidget(self.verdict, 1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, 24, _MARGIN, 22)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(
            wrapped_label(
                self.tr(
                    "Merge this into the client\u2019s own file, then start the client anew. What"
                    " it may do is decided here, under Access."
                ),
                "meta",
                self,
            )
        )
        column.addSpacing(6)
        column.addWidget(self._name_label)
        column.addWidget(self.name)
        column.addWidget(self._error)
        column.addLayout(programs)
        column.addWidget(self.text)
        column.addWidget(self._places)
        column.addSpacing(4)
        column.addWidget(self._last)
        column.addWidget(self._last_error)
        column.addLayout(testing)
        column.addLayout(self._results)
        column.addSpacing(8)
        column.addLayout(buttons)

    @Slot(str)
    def _on_program_chosen(self, key: str) -> None:
        self.program_chosen.emit(ClientProgram(key))

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        announce(self, self.tr("Copied."))

    @Slot()
    def _on_theme_changed(self) -> None:
        font = self._theme.font("mono")
        self.text.setFont(font)
        self.text.setFixedHeight(_TEXT_LINES * self._theme.line("mono") + 16)
