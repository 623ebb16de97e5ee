"""The welcome in the place of the pages: doors, a step with head and foot, the last step."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from inklings_desktop.domain.rooms.conversation import MAX_NAME_CHARACTERS
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton, PushButton
from inklings_desktop.ui.kit.dialogs.pieces import Note, cleared
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.badges import Crest
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    IconMark,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.marks.steps import StepMarks
from inklings_desktop.ui.welcome.doors_step import DoorsStep
from inklings_desktop.ui.welcome.state import WelcomeState, WelcomeStep, voice_text
from inklings_desktop.ui.welcome.voice_step import VoiceStep

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.welcome.state import AgentRow

_WIDTH, _NAME = 780, 260
_STEP_SIDE = 24


class AgentStep(QScrollArea):
    """One row for each agent, our own first, and who the person is to them.

    Attributes:
        author: Where the person types their name.

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
                "Choose one, or none: you can write and search without. Nothing is sent before"
                " your first message."
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
                "Another program may read this world and its own conversations, and nothing about"
                " you. You can give it more access later."
            ),
        )
        asked = plain_label(tr("What should it call you?"), "metaStrong", body)
        self.author = named(QLineEdit(body), "welcomeAuthor", asked.text())
        self.author.setMaxLength(MAX_NAME_CHARACTERS)
        self.author.setFixedWidth(theme.scaled(_NAME))
        asking = hbox(None, asked, self.author, STRETCH, spacing=14)
        column = vbox(body, title, 6, text, 18, card, 16, note, 18, asking, margins=0, spacing=0)
        column.addStretch(1)
        row = hbox(None, STRETCH, (body, 100), STRETCH)
        vbox(page, row, STRETCH, margins=(_STEP_SIDE, 28, _STEP_SIDE, 28))
        self.setWidget(page)
        for ground in (self.viewport(), page):  # that of the welcome shows through
            ground.setAutoFillBackground(False)
        self.buttons: tuple[PushButton, ...] = ()

    def show_state(self, state: WelcomeState) -> None:
        """Show the rows, or that this machine is being looked through."""
        self.author.setPlaceholderText(state.login)
        if self.author.text() != state.author:
            self.author.setText(state.author)
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
        for earlier, later in pairwise((*self.buttons, self.author)):
            QWidget.setTabOrder(earlier, later)
        if had_focus is not None and had_focus < len(self.buttons):
            self.buttons[had_focus].setFocus()

    def _made_row(self, row: AgentRow) -> QWidget:
        line = QWidget(self._card)
        icon = "puzzle-piece" if row.program is None else "terminal-window"
        icon = "planet" if row.is_built_in else icon
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
            tr("Talk to it")
            if row.is_built_in
            else tr("Show the lines\u2026")
            if row.program is None
            else tr("Connect\u2026")
            if row.is_found
            else tr("How\u2026")
        )
        kind = "primary" if row.is_built_in else "plain"
        button = PushButton(self._theme, verb, kind=kind, parent=line)
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


_HEAD, _FOOT = 64, 62
_SIDE = 40


class WelcomeView(QWidget):
    """Three doors and two steps.

    Attributes:
        back: One step back.
        leave_empty: Go on without answering.
        keep: Keep what was answered.
        enter: Leave for the world.

    Signals:
        doors_wanted: Back to the doors; what was answered stays.
    """

    doors_wanted = Signal()

    def __init__(self, theme: Theme, places: QStackedWidget) -> None:
        """Stand nowhere yet.

        Args:
            places: Of the window: where its pages stand.
        """
        super().__init__(places)
        self._theme, self._places = theme, places
        self._step: WelcomeStep | None = None
        self.setObjectName("welcome")
        on_ground(self, "canvas")
        self._stack = QStackedWidget(self)
        self.doors = DoorsStep(theme, self._stack)
        self.voice = VoiceStep(theme, self._stack)
        self.agent = AgentStep(theme, self._stack)
        for step in (self.doors, self.voice, self.agent):
            step.setProperty("ring", "inside")
            self._stack.addWidget(step)
        self._head = self._made_head()
        self._foot = self._made_foot()
        vbox(self, self._head, (self._stack, 1), self._foot, margins=0, spacing=0)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self._on_keep_keys)
        theme.dress(self._on_theme_changed)

    def stand(self) -> None:
        """Stand in the place of the pages."""
        self._places.addWidget(self)
        self._places.setCurrentWidget(self)

    def leave(self) -> None:
        """Go for good."""
        self._places.removeWidget(self)
        self.deleteLater()

    def _made_head(self) -> QWidget:
        head = QWidget(self)
        self._crest = Crest(self._theme, parent=head)
        self._name = elided_label("", "title", head)
        self._marks = StepMarks(
            self._theme,
            (tr("A world"), tr("Its voice"), tr("An agent")),
            head,
            role="accent",
        )
        line = hbox(None, self._crest, (self._name, 1), self._marks, spacing=13)
        line.setContentsMargins(_SIDE, 0, _SIDE, 0)
        vbox(head, STRETCH, line, STRETCH, rule(head), margins=0, spacing=0)
        return head

    def _made_foot(self) -> QWidget:
        foot = QWidget(self)
        on_ground(foot, "surface")
        self.back = PushButton(
            self._theme, tr("Back"), kind="quiet", icon="arrow-left", parent=foot
        )
        self.leave_empty = PushButton(
            self._theme, tr("Skip, leave it empty"), kind="quiet", parent=foot
        )
        self.keep = KeyHintButton(self._theme, tr("Keep this voice"), tr("Ctrl Enter"), foot)
        self.enter = named(PushButton(self._theme, "", parent=foot), "welcomeEnter")
        line = hbox(None, self.back, STRETCH, self.leave_empty, self.keep, self.enter, spacing=12)
        line.setContentsMargins(_SIDE, 0, _SIDE, 0)
        vbox(foot, rule(foot), STRETCH, line, STRETCH, margins=0, spacing=0)
        return foot

    def show_state(self, state: WelcomeState) -> None:
        """Show a step; a new one takes the keyboard."""
        step = state.step
        for bar in (self._head, self._foot):
            bar.setVisible(step is not WelcomeStep.DOORS)
        self._crest.set_seed(state.world_id or state.name)
        self._name.setText(state.name)
        self._marks.show_step(int(step))
        for button in (self.leave_empty, self.keep):
            button.setVisible(step is WelcomeStep.VOICE)
        self.keep.setEnabled(bool(voice_text(state.answers)))
        self.enter.setVisible(step is WelcomeStep.AGENT)
        self.enter.setText(tr("Open {name}").format(name=state.name))
        self.enter.setAccessibleName(self.enter.text())
        self.voice.show_state(state)
        waits = self.enter.hasFocus() and not self.agent.buttons
        self.agent.show_state(state)
        self._stack.setCurrentIndex(int(step))
        if step is not self._step or (waits and self.agent.buttons):
            self._step = step
            self.bring_focus()

    def bring_focus(self) -> None:
        """Bring the keyboard to where the step begins."""
        reason = Qt.FocusReason.OtherFocusReason
        match self._step:
            case WelcomeStep.VOICE:
                self.voice.bring_focus(reason)
            case WelcomeStep.AGENT:
                if not self.agent.bring_focus(reason):
                    self.enter.setFocus(reason)
            case _:
                self.doors.bring_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back to the doors, losing nothing; Enter presses a button as Space does."""
        pressed = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape and self._step is not WelcomeStep.DOORS:
            self.doors_wanted.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and isinstance(
            pressed, QAbstractButton
        ):
            pressed.click()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_keep_keys(self) -> None:
        if self.keep.isVisible() and self.keep.isEnabled():
            self.keep.click()

    @Slot()
    def _on_theme_changed(self) -> None:
        self._head.setMinimumHeight(self._theme.scaled(_HEAD))
        self._foot.setMinimumHeight(self._theme.scaled(_FOOT))
