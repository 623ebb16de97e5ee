"""The details of one event, and below the log whether it is what was written."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.events.state import ChainState, EventDetail, EventFact, EventLink
from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, restyle, vbox
from inklings_desktop.ui.kit.look.translation import lowered, tr
from inklings_desktop.ui.kit.marks.badges import PERMANENT, Badge
from inklings_desktop.ui.kit.marks.labels import (
    IconMark,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.panes.pieces import GUTTER, FactGrid, Notice, PaneScroll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme


PANE_WIDTH = 328

_HEAD_HEIGHT = 52
_FOOT_HEIGHT = 52
_SECTION_GAP = 14


class EventPane(QWidget):
    """Shows an ``EventDetail``; nothing in it can be changed.

    Signals:
        link_requested: Number of the event that a link leads to.
        close_requested: The pane is to go; only where it lies over the table.
    """

    link_requested = Signal(int)
    close_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._detail: EventDetail | None = None
        self.setObjectName("eventPane")
        on_ground(self, "canvas")
        self.title = named(plain_label("", "bodyStrong", self), "eventTitle")
        self.permanent = Badge(
            theme, tr("permanent"), "lock-simple", ground=PERMANENT, gap=5, parent=self
        )
        self.close_button = IconButton(theme, "x", tr("Close the details"), parent=self)
        self.close_button.clicked.connect(self.close_requested)
        self.close_button.hide()
        self.details = named(PaneScroll(self), "eventDetails", tr("Details of the event"))
        self.details.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._nothing = wrapped_label(tr("The chosen event is shown here."), "caption")
        self.copy = PushButton(
            theme, tr("Copy reference"), kind="quiet", icon="copy", small=True, parent=self
        )
        self.copy.setObjectName("copyReference")
        self.copy.clicked.connect(self._on_copy_clicked)
        self._foot = QWidget(self)
        self._foot_rule = rule(self)
        self._lay_out()
        self.show_detail(None)
        theme.hold_height(self._head, _HEAD_HEIGHT)
        theme.hold_height(self._foot, _FOOT_HEIGHT)

    @property
    def detail(self) -> EventDetail | None:
        """What is on show."""
        return self._detail

    def show_detail(self, detail: EventDetail | None) -> None:
        """Show an event, or that none is chosen."""
        if detail is not None and detail == self._detail:
            return
        is_other = detail is None or self._detail is None or detail.number != self._detail.number
        self._detail = detail
        self.title.setText(detail.title if detail else tr("No event chosen"))
        self.permanent.setVisible(detail is not None and detail.is_permanent)
        for part in (self._foot, self._foot_rule):
            part.setVisible(detail is not None)
        self._fill(detail)
        if is_other:
            self.details.verticalScrollBar().setValue(0)

    def set_floating(self, *, floating: bool) -> None:
        """Offer to close the pane: it lies over the table."""
        self.close_button.setVisible(floating)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.close_button.isHidden():
            self.close_requested.emit()
        else:
            super().keyPressEvent(event)

    # -- inside -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._head = QWidget(self)
        head = QHBoxLayout(self._head)
        head.setContentsMargins(GUTTER, 0, GUTTER - 6, 0)
        head.setSpacing(10)
        fill(head, self.title, self.permanent, STRETCH, self.close_button)
        hbox(self._foot, self.copy, STRETCH, margins=(GUTTER - 9, 0, GUTTER, 0))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        fill(column, self._head, rule(self), (self.details, 1), self._foot_rule, self._foot)
        self._body = QWidget()
        fill(self.details.stack, self._nothing, self._body, STRETCH)

    def _fill(self, detail: EventDetail | None) -> None:
        """Build the body anew; an event never changes, so this is once per event."""
        self._nothing.setVisible(detail is None)
        old = self._body
        self._body = QWidget()
        if detail is not None:
            column = vbox(self._body, self._grid(detail.facts), margins=0, spacing=0)
            if detail.summary:
                self._section(column, detail.summary_title)
                column.addWidget(self._well(detail.summary))
            if detail.receipt:
                self._section(column, tr("Receipt"))
                column.addWidget(self._grid(detail.receipt))
            if detail.note:
                notice = Notice(
                    self._theme, icon="info", role="lapis", ground="lapisSoft", parent=self._body
                )
                notice.say("", detail.note)
                fill(column, _SECTION_GAP, notice)
            for link in detail.links:
                self._section(column, link.title)
                column.addWidget(self._link(link), 0, Qt.AlignmentFlag.AlignLeft)
        at = self.details.stack.indexOf(old)
        self.details.stack.removeWidget(old)  # replaceWidget leaves the old item to nobody
        self.details.stack.insertWidget(at, self._body)
        old.hide()
        old.deleteLater()
        self._body.setVisible(detail is not None)

    def _grid(self, facts: Sequence[EventFact]) -> FactGrid:
        grid = FactGrid(self._theme, self._body)
        for fact in facts:
            style = "mono" if fact.is_fixed else "caption" if fact.is_gone else "metaInk"
            label = wrapped_label(fact.text, style, grid)
            if fact.is_fixed:
                label.setProperty("inked", "true")
            if not fact.copies:
                grid.add_row(fact.name, label)
                continue
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            label.setWordWrap(False)
            grid.add_row(fact.name, self._with_copy(label, fact))
        return grid

    def _with_copy(self, label: QLabel, fact: EventFact) -> QWidget:
        both = QWidget()
        button = IconButton(
            self._theme,
            "copy",
            tr("Copy the {name}").format(name=lowered(fact.name)),
            size=14,
            parent=both,
        )
        button.setObjectName("copyCode")
        button.clicked.connect(partial(self._copy, fact.copies))
        hbox(both, label, button, STRETCH, margins=0, spacing=6)
        return both

    def _well(self, lines: Sequence[str]) -> QLabel:
        well = named(plain_label("", "mono", self._body), "manifestSummary")
        well.setTextFormat(Qt.TextFormat.RichText)
        # Only rich text has a line distance of its own.
        well.setText(
            f'<div style="line-height: {self._theme.line("mono")}px; white-space: pre">'
            f"{escape(chr(10).join(lines)).replace(chr(10), '<br>')}</div>"
        )
        well.setAccessibleName(", ".join(" ".join(line.split()) for line in lines))
        well.setProperty("well", "true")
        well.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return well

    def _link(self, link: EventLink) -> PushButton:
        button = PushButton(self._theme, link.text, kind="link", parent=self._body)
        button.setObjectName("eventLink")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(partial(self.link_requested.emit, link.number))
        return button

    def _section(self, column: QVBoxLayout, title: str) -> None:
        fill(column, _SECTION_GAP, plain_label(title, "label", self._body), 6)

    @Slot()
    def _on_copy_clicked(self) -> None:
        if self._detail is not None:
            self._copy(self._detail.reference)

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        announce(self, tr("Copied"))


_HEIGHT = 40
_GUTTER = 24


class ChainFoot(QWidget):
    """One sentence, and two quiet buttons."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = ChainState()
        on_ground(self, "surface")
        self._icon = IconMark(theme, "", "", parent=self)
        self.text = named(elided_label("", "meta", self), "chainVerdict")
        self.show_broken = PushButton(
            theme, tr("Show the event"), kind="quiet", small=True, parent=self
        )
        self.show_broken.setObjectName("showBroken")
        self.check = PushButton(
            theme,
            tr("Check the chain"),
            kind="quiet",
            icon="link-simple",
            small=True,
            parent=self,
        )
        self.check.setObjectName("checkChain")
        self.check.setToolTip(tr("Reads every log and names any event that was altered"))
        row = hbox(self, margins=(_GUTTER, 0, _GUTTER - 9, 0), spacing=8)
        fill(row, self._icon, (self.text, 1), self.show_broken, self.check)
        self.show_state(ChainState())
        theme.hold_height(self, _HEIGHT)

    def show_state(self, state: ChainState) -> None:
        """Show what is known; a new verdict is read out."""
        is_news = bool(state.text) and state.text != self._state.text and not state.is_running
        self._state = state
        if state.is_running:
            words = tr("Reading every log\u2026")
        else:
            words = state.text or tr(
                "Each event is sealed with the ones before it, so any change is noticed."
            )
        self.text.setText(words)
        self.check.setEnabled(not state.is_running)
        has_number = state.is_broken and state.broken_number is not None
        self.show_broken.setVisible(has_number and not state.is_running)
        if is_news:
            announce(self, words, urgent=state.is_broken)
        icon, role = "lock-simple", "inkFaint"
        if state.is_running:
            icon = "arrows-clockwise"
        elif state.is_broken:
            icon, role = "warning-circle", "madder"
        elif state.text:
            icon, role = "check-circle", "accent"
        self._icon.show_icon(icon, role)
        is_fault = state.is_broken and not state.is_running
        restyle(self.text, "textStyle", "error" if is_fault else "meta")
