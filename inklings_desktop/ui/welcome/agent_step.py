"""Who thinks with the author: what was found on this machine, and how any other comes in."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import IconMark, Note, cleared
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, rule, wrapped_label

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.welcome.state import AgentRow, WelcomeState

_WIDTH = 780
_SIDE = 24


class AgentStep(QScrollArea):
    """One row for each way to connect an agent.

    Signals:
        connect_wanted: An ``AgentRow``.
    """

    connect_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[AgentRow, ...] | None = None
        self.setObjectName("welcomeAgent")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it has it
        page = QWidget(self)
        body = QWidget(page)
        body.setMaximumWidth(theme.scaled(_WIDTH))
        title = wrapped_label(tr("Who will think with you?"), "display", body)
        text = wrapped_label(
            tr(
                "Choose one, or none: you can write, search and mend without. Nothing is sent"
                " before your first message to it."
            ),
            "meta",
            body,
        )
        card = QFrame(body)
        card.setProperty("card", "true")
        self._rows = vbox(card, margins=1, spacing=0)
        self._card = card
        note = Note(theme, body)
        note.say(
            "lapis",
            "info",
            "",
            tr(
                "A new client reads this one world and the conversations it takes part in, and"
                " nothing about you. You widen that under Control plane, Access."
            ),
        )
        column = vbox(body, title, 6, text, 18, card, 16, note, margins=0, spacing=0)
        column.addStretch(1)
        row = hbox(None, STRETCH, (body, 100), STRETCH)
        vbox(page, row, STRETCH, margins=(_SIDE, 28, _SIDE, 28))
        self.setWidget(page)
        for ground in (self.viewport(), page):  # that of the welcome shows through
            ground.setAutoFillBackground(False)
        self.buttons: tuple[PushButton, ...] = ()

    def show_state(self, state: WelcomeState) -> None:
        """Show the rows, or that this machine is being looked through."""
        if state.agents == self._shown and self._rows.count():
            return
        self._shown = state.agents
        had_focus = next((n for n, one in enumerate(self.buttons) if one.hasFocus()), None)
        cleared(self._rows)
        self.buttons = ()
        if state.agents is None:
            looking = plain_label(tr("Looking at what is installed\u2026"), "meta", self._card)
            looking.setContentsMargins(22, 16, 20, 16)
            self._rows.addWidget(looking)
            return
        for number, row in enumerate(state.agents):
            if number:
                self._rows.addWidget(rule(self._card))
            self._rows.addWidget(self._made_row(row))
        if had_focus is not None and had_focus < len(self.buttons):
            self.buttons[had_focus].setFocus()

    def _made_row(self, row: AgentRow) -> QWidget:
        line = QWidget(self._card)
        icon = "puzzle-piece" if row.program is None else "terminal-window"
        mark = IconMark(self._theme, icon, "inkSoft", 20, line)
        words = vbox(
            None,
            plain_label(row.name, "bodyStrong", line),
            wrapped_label(row.text, "meta", line),
            spacing=1,
        )
        parts = hbox(line, mark, (words, 1), margins=(22, 12, 20, 12), spacing=14)
        if row.is_let_in or row.is_found:
            state = IconLabel(self._theme, "meta", line)
            word = tr("let in") if row.is_let_in else tr("found")
            state.show_mark("check-circle", "accent", word, inked=True)
            parts.addWidget(state)
        elif row.program is not None:
            parts.addWidget(plain_label(tr("not found"), "caption", line))
        verb = (
            tr("Show the lines\u2026")
            if row.program is None
            else tr("Connect\u2026")
            if row.is_found
            else tr("How\u2026")
        )
        button = PushButton(self._theme, verb, parent=line)
        button.setAccessibleName(f"{row.name}: {verb}")
        button.setAccessibleDescription(row.text)
        button.clicked.connect(partial(self.connect_wanted.emit, row))
        parts.addWidget(button)
        self.buttons = (*self.buttons, button)
        return line

    def bring_focus(self, reason: Qt.FocusReason) -> bool:
        """Bring the keyboard to the first row; whether there is one."""
        if self.buttons:
            self.buttons[0].setFocus(reason)
        return bool(self.buttons)
