"""How a client is connected: the text to copy, where it goes, and a test."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QWidget

from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.ui.access.connection_words import ConnectionState, RehearsalLine
from inklings_desktop.ui.kit.controls.buttons import MenuButton, PushButton
from inklings_desktop.ui.kit.dialogs.pieces import StepBody, StepFoot, cleared
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, rule, wrapped_label

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

SIZE = QSize(660, 700)
_FEWEST_LINES, _MOST_LINES = 8, 16
_MOST_TYPED = 64
# Names of products are the same in every language.
_PROGRAM_NAMES = {
    ClientProgram.CLAUDE_DESKTOP: "Claude Desktop",
    ClientProgram.CLAUDE_CODE: "Claude Code",
    ClientProgram.CURSOR: "Cursor",
    ClientProgram.VS_CODE: "VS Code",
    ClientProgram.CODEX: "Codex",
    ClientProgram.GEMINI_CLI: "Gemini CLI",
    ClientProgram.ZED: "Zed",
    ClientProgram.LANGCHAIN: "LangChain",
    ClientProgram.OPENAI_AGENTS: "OpenAI Agents",
    ClientProgram.PYDANTIC_AI: "Pydantic AI",
}


class ConnectionDialog(ProcessDialog[ConnectionState]):
    """What to copy for which program, what to write for it, and what a test found.

    Signals:
        program_chosen: A ``ClientProgram``.
        copied: The text was taken along.
    """

    program_chosen = Signal(object)
    copied = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title="", size=SIZE)
        self.setObjectName("connectionDialog")
        # Another window, such as a client's view, goes on beside it.
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._lines: tuple[RehearsalLine, ...] = ()
        self._said = self._added = ""
        self.name = named(QLineEdit(self), "clientName", tr("Name of the client"))
        self.name.setMaxLength(_MOST_TYPED)
        self._name_label = plain_label(tr("Name"), "label", self)
        self._error = plain_label("", "error", self)
        self.programs = named(MenuButton(theme, self), "clientProgram")
        self.programs.setAutoDefault(False)
        self.programs.clicked.connect(self._on_programs_clicked)
        self.text = named(QPlainTextEdit(self), "connectionText", tr("Configuration to copy"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.copy = PushButton(theme, tr("Copy"), icon="copy", parent=self)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.add = named(PushButton(theme, "", kind="primary", parent=self), "addToProgram")
        self.hooks = named(PushButton(theme, "", parent=self), "sessionHooks")
        self._places = wrapped_label("", "meta", self)
        self.test = named(PushButton(theme, tr("Test"), parent=self), "testConnection")
        self.verdict = wrapped_label("", "metaStrong", self)
        self._results = vbox(None, spacing=6)
        self.done_button = PushButton(theme, tr("Done"), parent=self)
        self.done_button.clicked.connect(self.leave_requested)
        self._fill()
        theme.dress(self._fit_text)
        self.fit()

    def show_state(self, state: ConnectionState) -> None:
        title = (
            tr("Connect {name}").format(name=state.client)
            if state.is_known
            else tr("Connect a client")
        )
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        said = " ".join(one for one in (state.last_call, state.last_error) if one)
        self.show_head(title, said or tr("This program has not connected yet."))
        for part in (self._name_label, self.name):
            part.setVisible(not state.is_known)
        if self.name.text() != state.client:
            self.name.setText(state.client)
        self._error.setText(state.error)
        self._error.setVisible(bool(state.error))
        program = self._program_name(state.program)
        self.programs.setText(program)
        self.programs.setAccessibleName(tr("Program: {name}").format(name=program))
        if self.text.toPlainText() != state.text:
            self.text.setPlainText(state.text)
            self._fit_text()
        self.copy.setEnabled(bool(state.text))
        self.add.setText(tr("Add to {program}\u2026").format(program=program))
        self.add.setVisible(state.can_add)
        self.hooks.setText(tr("The connection") if state.shows_hooks else tr("Session hooks"))
        self.hooks.setToolTip(
            tr("Tell it what matters when a session begins, and keep its summary at the end")
        )
        self.hooks.setVisible(bool(state.hooks))
        self._places.setText(state.addition or "\n".join(state.text_places))
        if state.addition and state.addition != self._added:
            announce(self, state.addition)
        self._added = state.addition
        self.test.setText(tr("Stop") if state.is_testing else tr("Test"))
        self.test.setEnabled(bool(state.configuration))
        verdict = tr("Testing\u2026") if state.is_testing else state.verdict
        self.verdict.setText(
            verdict
            or tr(
                "Starts the server and tests reading and writing in a scratch copy, with the "
                "access this program has."
            )
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
        cleared(self._results)
        for one in lines:
            line = IconLabel(self._theme, parent=self, wraps=True)  # why it failed, to the end
            line.show_mark(one.icon, one.role, one.text)
            self._results.addWidget(line)

    def _fill(self) -> None:
        programs = hbox(None, self.programs, STRETCH, self.hooks, self.copy, self.add, spacing=8)
        testing = hbox(None, self.test, (self.verdict, 1), spacing=12)
        what = tr(
            "Add this to the program\u2019s own file, or copy it there yourself, then restart it. "
            "Either way it may read this world. You can give it more access later."
        )
        step = StepBody(self._theme, tr("Connection"), self)
        fill(step.stack, wrapped_label(what, "meta", self), 12, self._name_label, 4, self.name)
        fill(step.stack, self._error, 12, programs, 8, self.text, 10, self._places, 14)
        fill(step.stack, rule(self), 12, testing, 8, self._results, STRETCH)
        foot = StepFoot(self)
        fill(foot.row, STRETCH, self.done_button)
        self.fill(step, foot)

    @Slot()
    def _on_programs_clicked(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in ClientProgram:
            action = menu.addAction(self._program_name(one))
            action.triggered.connect(partial(self.program_chosen.emit, one))
        menu.popup(self.programs.mapToGlobal(self.programs.rect().bottomLeft()))

    def _program_name(self, program: ClientProgram) -> str:
        return _PROGRAM_NAMES.get(program) or tr("Other")

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        announce(self, tr("Copied."))
        self.copied.emit()

    @Slot()
    def _fit_text(self) -> None:
        """As high as the text is: scrolling inside what scrolls is tiresome."""
        self.text.setFont(self._theme.font("mono"))
        lines = min(_MOST_LINES, max(_FEWEST_LINES, self.text.blockCount()))
        margins = round(2 * self.text.document().documentMargin()) + 16
        self.text.setFixedHeight(lines * self.text.fontMetrics().lineSpacing() + margins)
