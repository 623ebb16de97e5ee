"""The right pane of the preview: why one memory, or one named entry, is in the document."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.marks.labels import (
    ReadingLabel,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.panes.pieces import GUTTER, SECTION_GAP, Notice, PaneScroll
from inklings_desktop.ui.kit.why.pieces import FoundTable, OrderPart, StrengthPart

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.turn.state import PlaceFacts, StandingFacts

_HEAD_HEIGHT = 52
_QUOTE_BAR = 3
_QUOTE_GAP = 12
_SHOWN_CHARACTERS = 1_200


class PreviewPane(QWidget):
    """Shows why; nothing in it can be changed.

    Signals:
        edit_requested: The memory on show is to be opened in the Memory view.
        leave_requested: Give the keyboard back to the list.
    """

    edit_requested = Signal()
    leave_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._place: PlaceFacts | None = None
        self.setObjectName("whyPane")
        self.setAccessibleName(self.tr("Why this memory"))
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._head = QWidget(self)
        self.title = elided_label("", "bodyStrong", self._head)
        self.badge = plain_label("", "label", self._head)
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.badge.setProperty("tint", "lapis")
        self.details = PaneScroll(self)
        self.details.setObjectName("whyDetails")
        self.details.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.details.setAccessibleName(self.tr("Why this memory"))
        self.nothing = wrapped_label("", "caption")
        self.quote = _Quote(theme)
        self.not_sent = Notice(theme, icon="info", role="lapis", ground="lapisSoft")
        self.found = FoundTable(theme)
        self.strength = StrengthPart(theme)
        self.order = OrderPart(theme, self.tr("Final order in this tier"))
        self.phrasing = wrapped_label("", "meta")
        self.phrasing.setTextFormat(Qt.TextFormat.RichText)
        self.edit = PushButton(theme, self.tr("Edit memory"), icon="pencil-simple", small=True)
        self.edit.setObjectName("editMemory")
        self.edit.clicked.connect(self.edit_requested)
        self._lay_out()
        self.show_nothing()
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def place(self) -> PlaceFacts | None:
        """The memory on show; None for a named entry or nothing."""
        return self._place

    def show_nothing(self) -> None:
        """Say what would stand here."""
        self._place = None
        self.title.setText(self.tr("Why this memory"))
        self.badge.hide()
        self._show_body(is_shown=False)
        self.nothing.setText(
            self.tr("Choose a memory to see how it was found and what put it in its place.")
        )
        self.nothing.show()

    def show_entry(self, facts: StandingFacts) -> None:
        """Say why a named entry is sent."""
        self._place = None
        self.title.setText(facts.name)
        self._show_badge(facts.badge)
        self._show_body(is_shown=False)
        self.nothing.setText(facts.text)
        self.nothing.show()

    def show_place(self, facts: PlaceFacts) -> None:
        """Say why a memory stands where it stands."""
        is_other = self._place is None or self._place.entry.id != facts.entry.id
        self._place = facts
        self.title.setText(self.tr("Why this memory"))
        self._show_badge(facts.badge)
        self.nothing.hide()
        self.quote.show_quote(facts.content, TIER_MARKS[facts.entry.scope.tier][1])
        self.not_sent.say("", facts.sent)
        self._not_sent_box.setVisible(not facts.is_sent)
        why = facts.why
        self.found.show_found(why.found, why.fused, why.found_note)
        self.strength.show_strength(why.strength)
        self.order.show_order(why.order, why.order_note)
        self._say_phrasing(facts)
        self._show_body(is_shown=True)
        if is_other:
            self.details.verticalScrollBar().setValue(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves on Escape, whatever part has the focus."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.details, self.edit]

    def _show_body(self, *, is_shown: bool) -> None:
        for part in (self._body, self._foot, self._foot_rule):
            part.setVisible(is_shown)

    def _show_badge(self, text: str) -> None:
        self.badge.setText(text)
        self.badge.show()

    def _say_phrasing(self, facts: PlaceFacts) -> None:
        before, after = facts.phrasing.split("{phrase}")
        line = self._theme.line("meta")
        self.phrasing.setText(
            f'<p style="line-height: {line}px; margin: 0">{escape(before)}'
            f"<i>{escape(facts.phrase)}</i>{escape(after)}</p>"
        )
        self.phrasing.setAccessibleName(f"{before}{facts.phrase}{after}")

    def _lay_out(self) -> None:
        head = QHBoxLayout(self._head)
        head.setContentsMargins(GUTTER, 0, GUTTER, 0)
        head.setSpacing(10)
        head.addWidget(self.title, 1)
        head.addWidget(self.badge)
        self._body = QWidget()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.quote)
        body.addSpacing(SECTION_GAP)
        self._not_sent_box = QWidget()
        box = QVBoxLayout(self._not_sent_box)
        box.setContentsMargins(0, 0, 0, SECTION_GAP)
        box.addWidget(self.not_sent)
        body.addWidget(self._not_sent_box)
        for part in (self.found, self.strength, self.order):
            body.addWidget(part)
            body.addSpacing(SECTION_GAP)
        body.addWidget(plain_label(self.tr("How it is phrased"), "label"))
        body.addSpacing(6)
        body.addWidget(self.phrasing)
        self.details.stack.addWidget(self.nothing)
        self.details.stack.addWidget(self._body)
        self.details.stack.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(rule(self))
        column.addWidget(self.details, 1)
        self._foot_rule = rule(self)
        self._foot = QWidget(self)
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(GUTTER, 0, GUTTER, 0)
        foot.addWidget(self.edit)
        foot.addStretch(1)
        column.addWidget(self._foot_rule)
        column.addWidget(self._foot)

    @Slot()
    def _on_theme_changed(self) -> None:
        for bar in (self._head, self._foot):
            bar.setFixedHeight(self._theme.scaled(_HEAD_HEIGHT))
        if self._place is not None:
            self._say_phrasing(self._place)


class _Quote(QWidget):
    """A remembered text behind a bar in the colour of its tier."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = "tierWorkspace"
        self.text = ReadingLabel(theme, "", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(_QUOTE_BAR + _QUOTE_GAP, 0, 0, 0)
        row.addWidget(self.text)
        theme.changed.connect(self.update)

    def show_quote(self, text: str, role: str) -> None:
        """Show another text; a very long one to its first thousand characters."""
        self._role = role
        is_long = len(text) > _SHOWN_CHARACTERS
        self.text.setText(f"{text[:_SHOWN_CHARACTERS].rstrip()}\u2026" if is_long else text)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the bar."""
        painter = QPainter(self)
        bar = QRectF(0, 0, _QUOTE_BAR, self.height())
        painter.fillRect(bar, self._theme.color(self._role))
        painter.end()
