"""One who was sent, beside the thread: what was asked, what it may do, did, and cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.conversation.drawing.run_words import (
    COMPOSER,
    WORKER,
    model_words,
    remarks,
    right_words,
    role_icon,
    role_words,
    state_look,
    step_icon,
    step_words,
)
from inklings_desktop.ui.conversation.words import agent_name, took
from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    IconMark,
    ReadingLabel,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.panes.pieces import GUTTER, SECTION_GAP, FactGrid, PaneScroll
from inklings_desktop.ui.kit.words.money import money

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QVBoxLayout

    from inklings_desktop.agent_client.rows import StepBlock
    from inklings_desktop.agent_client.run_rows import Run
    from inklings_desktop.ui.kit.look.theme import Theme

_HEADER, _ROW = 52, 32


class RunPane(QWidget):
    """What is to be known of one run; drawn anew whenever that goes on.

    Signals:
        closed: It is to be put away.
        copied: The findings of its run are to be copied.
    """

    closed = Signal()
    copied = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runPane")
        on_ground(self, "canvas")
        self._theme = theme
        self.step: StepBlock | None = None
        header = QWidget(self)
        self._mark = IconMark(theme, "", "ink", parent=header)
        self._title = named(plain_label("", "bodyStrong", header), "runTitle")
        self._state = IconLabel(theme, parent=header)
        close = IconButton(theme, "x", tr("Put it away"), parent=header)
        close.setObjectName("runClose")
        close.clicked.connect(self.closed)
        row = hbox(header, margins=(GUTTER, 0, 12, 0), spacing=8)
        fill(row, self._mark, self._title, self._state, STRETCH, close)
        theme.hold_height(header, _HEADER)
        self._scroll = PaneScroll(self)
        self._body = QWidget(self._scroll.column)
        fill(self._scroll.stack, self._body)
        self.copy = PushButton(theme, tr("Copy findings"), icon="copy", parent=self)
        self.copy.setObjectName("copyFindings")
        self.copy.clicked.connect(self.copied)
        foot = QWidget(self)
        fill(hbox(foot, margins=(GUTTER, 12, 16, 12)), STRETCH, self.copy)
        column = vbox(self, margins=0, spacing=0)
        fill(column, header, rule(self), (self._scroll, 1), rule(self), foot)

    def show_run(self, step: StepBlock) -> None:
        """Show one who was sent, or how far that one is by now."""
        if step == self.step or step.run is None:
            return
        self.step, run = step, step.run
        self._mark.show_icon(role_icon(run.role), "ink")
        self._title.setText(tr("{role} run").format(role=role_words(run.role)))
        icon, role, word = state_look(run)
        self._state.show_mark(icon, role, word)
        self.copy.setEnabled(bool(run.findings or run.summary))
        body = QWidget(self._scroll.column)
        column = vbox(body, margins=(0, 0, 0, SECTION_GAP), spacing=6)
        self._tell_asked(column, body, run)
        self._tell_may(column, body, run)
        self._tell_did(column, body, run)
        self._tell_cost(column, body, step, run)
        told = tr("The page texts stayed with the {role}. The {agent} got these findings only.")
        words = told.format(role=role_words(run.role), agent=agent_name())
        fill(column, 8, wrapped_label(words, "caption", body), STRETCH)
        stack = self._scroll.stack
        stack.insertWidget(stack.indexOf(self._body), body)
        self._body.hide()
        self._body.deleteLater()
        body.show()
        self._body = body

    def _tell_asked(self, column: QVBoxLayout, body: QWidget, run: Run) -> None:
        asked = tr("Asked by the {agent}").format(agent=agent_name())
        fill(column, plain_label(asked, "label", body), ReadingLabel(self._theme, run.goal, body))
        for one in remarks(run):
            fill(column, wrapped_label(one, "caption", body))

    def _tell_may(self, column: QVBoxLayout, body: QWidget, run: Run) -> None:
        fill(column, 8, plain_label(tr("What it may do"), "label", body))
        grid = FactGrid(self._theme, body)
        writes = [tr("its findings, as a note")]
        if run.role == COMPOSER:
            writes.append(tr("proposals of skills"))
        if run.role == WORKER:
            writes = [tr("notes of this conversation")]
            writes += dict.fromkeys(right_words(one.tool, one.tier) for one in run.may)
        rows = [
            (tr("Pages"), tr("read")),
            (tr("Memory"), tr("read")),
            (tr("Write"), ", ".join(writes)),
            (tr("Questions"), tr("reach you") if run.is_interactive else tr("asks you nothing")),
        ]
        if run.seconds:
            rows.append((tr("Time"), tr("at most {time}").format(time=took(run.seconds * 1000))))
        for name, value in rows:
            grid.add_text(name).setText(value)
        fill(column, grid)

    def _tell_did(self, column: QVBoxLayout, body: QWidget, run: Run) -> None:
        if not run.did:
            return
        fill(column, 8, plain_label(tr("What it did"), "label", body))
        card = QFrame(body)
        card.setProperty("card", "true")
        lines = vbox(card, margins=1, spacing=0)
        for number, step in enumerate(run.did):
            words, came = step_words(step)
            line = QWidget(card)
            time = plain_label(took(step.ms), "caption", line)
            time.setFixedWidth(self._theme.scaled(48))
            text = elided_label(words, "meta", line)
            text.setToolTip(words)
            mark = IconMark(self._theme, step_icon(step), "inkSoft", parent=line)
            row = hbox(line, margins=(12, 0, 12, 0), spacing=9)
            fill(row, time, mark, (text, 1), plain_label(came, "caption", line))
            self._theme.hold_height(line, _ROW)
            if number:
                fill(lines, rule(card))
            fill(lines, line)
        fill(column, card)

    def _tell_cost(self, column: QVBoxLayout, body: QWidget, step: StepBlock, run: Run) -> None:
        fill(column, 8, plain_label(tr("Cost"), "label", body))
        grid = FactGrid(self._theme, body)
        rows = [(tr("Model"), model_words(run))]
        if step.ms:
            rows.append((tr("Took"), took(step.ms)))
        if any(run.tokens):
            told = tr("about {n} in, {m} out")
            words = told.format(n=grouped(run.tokens[0]), m=grouped(run.tokens[1]))
            rows.append((tr("Tokens"), words))
        if run.cost_micro:
            price = tr("about {money}").format(money=money(run.cost_micro, run.currency))
            rows.append((tr("Price"), price))
        if run.n_findings > len(run.findings):
            more = counted(run.n_findings, "1 finding", "{n} findings")
            rows.append((tr("Findings"), tr("{more}, in the notes").format(more=more)))
        for name, value in rows:
            grid.add_text(name).setText(value)
        fill(column, grid)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
