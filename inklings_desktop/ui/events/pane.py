"""The details of one event: facts, manifest, receipt, and the events that belong to it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.marks.badges import LockChip
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import GUTTER, FactGrid, Notice, PaneScroll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from inklings_desktop.ui.events.state import EventDetail, EventFact, EventLink
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
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = plain_label("", "bodyStrong", self)
        self.title.setObjectName("eventTitle")
        self.permanent = LockChip(theme, self.tr("permanent"), self)
        self.close_button = IconButton(theme, "x", self.tr("Close the details"), parent=self)
        self.close_button.clicked.connect(self.close_requested)
        self.close_button.hide()
        self.details = PaneScroll(self)
        self.details.setObjectName("eventDetails")
        self.details.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.details.setAccessibleName(self.tr("Details of the event"))
        self._nothing = wrapped_label(
            self.tr("An event that you choose is shown here, whole."), "caption"
        )
        self.copy = PushButton(
            theme, self.tr("Copy reference"), kind="quiet", icon="copy", small=True, parent=self
        )
        self.copy.setObjectName("copyReference")
        self.copy.clicked.connect(self._on_copy_clicked)
        self._foot = QWidget(self)
        self._foot_rule = rule(self)
        self._lay_out()
        self.show_detail(None)
        theme.changed.connect(self._on_theme_changed)

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
        self.title.setText(detail.title if detail else self.tr("No event chosen"))
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
        """Closes a floating pane on Escape."""
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
        head.addWidget(self.title)
        head.addWidget(self.permanent)
        head.addStretch(1)
        head.addWidget(self.close_button)
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(GUTTER - 9, 0, GUTTER, 0)
        foot.addWidget(self.copy)
        foot.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(rule(self))
        column.addWidget(self.details, 1)
        column.addWidget(self._foot_rule)
        column.addWidget(self._foot)
        self._body = QWidget()
        self.details.stack.addWidget(self._nothing)
        self.details.stack.addWidget(self._body)
        self.details.stack.addStretch(1)
        self._on_theme_changed()

    def _fill(self, detail: EventDetail | None) -> None:
        """Build the body anew; an event never changes, so this is once per event."""
        self._nothing.setVisible(detail is None)
        old = self._body
        self._body = QWidget()
        if detail is not None:
            column = QVBoxLayout(self._body)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(self._grid(detail.facts))
            if detail.summary:
                self._section(column, detail.summary_title)
                column.addWidget(self._well(detail.summary))
            if detail.receipt:
                self._section(column, self.tr("Receipt"))
                column.addWidget(self._grid(detail.receipt))
            if detail.note:
                notice = Notice(
                    self._theme, icon="info", role="lapis", ground="lapisSoft", parent=self._body
                )
                notice.say("", detail.note)
                column.addSpacing(_SECTION_GAP)
                column.addWidget(notice)
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
            self.tr("Copy the {name}").format(name=fact.name.lower()),
            size=14,
            parent=both,
        )
        button.setObjectName("copyCode")
        button.setProperty("copies", fact.copies)
        button.clicked.connect(self._on_code_clicked)
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(label)
        row.addWidget(button)
        row.addStretch(1)
        return both

    def _well(self, lines: Sequence[str]) -> QLabel:
        well = plain_label("", "mono", self._body)
        well.setTextFormat(Qt.TextFormat.RichText)
        # Only rich text has a line distance of its own.
        well.setText(
            f'<div style="line-height: {self._theme.line("mono")}px; white-space: pre">'
            f"{escape(chr(10).join(lines)).replace(chr(10), '<br>')}</div>"
        )
        well.setAccessibleName(", ".join(" ".join(line.split()) for line in lines))
        well.setObjectName("manifestSummary")
        well.setProperty("well", "true")
        well.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return well

    def _link(self, link: EventLink) -> PushButton:
        button = PushButton(self._theme, link.text, kind="link", parent=self._body)
        button.setObjectName("eventLink")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setProperty("number", link.number)
        button.clicked.connect(self._on_link_clicked)
        return button

    def _section(self, column: QVBoxLayout, title: str) -> None:
        column.addSpacing(_SECTION_GAP)
        column.addWidget(plain_label(title, "label", self._body))
        column.addSpacing(6)

    @Slot()
    def _on_link_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, PushButton):
            self.link_requested.emit(int(sender.property("number")))

    @Slot()
    def _on_code_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, IconButton):
            self._copy(str(sender.property("copies")))

    @Slot()
    def _on_copy_clicked(self) -> None:
        if self._detail is not None:
            self._copy(self._detail.reference)

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        announce(self, self.tr("Copied"))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._head.setFixedHeight(self._theme.scaled(_HEAD_HEIGHT))
        self._foot.setFixedHeight(self._theme.scaled(_FOOT_HEIGHT))
