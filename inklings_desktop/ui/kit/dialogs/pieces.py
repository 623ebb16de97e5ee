"""Parts that the steps of the scrub dialog share: body, foot, headline, cards, facts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent

    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.consolidation_words import ScrubNotice


MARGIN = 28
_TOP, _BOTTOM = 20, 16
_FOOT_HEIGHT = 63
_HEADLINE = 22
_RING_INSET = 5
_NOTICE_ICON = 16


class StepBody(QScrollArea):
    """What a step says; scrolls where the window is too low, by wheel and by keys."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._by_key = False
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)
        self.setProperty("ring", "none")
        self.viewport().setAutoFillBackground(False)
        self.column = QWidget()
        self.stack = vbox(self.column, margins=(MARGIN, _TOP, MARGIN, _BOTTOM), spacing=0)
        self.setWidget(self.column)
        self.column.setAutoFillBackground(False)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self._on_range_changed()

    def height_at(self, width: int) -> int:
        """The height that shows all of it at a width, in pixels."""
        layout = self.stack
        return (
            layout.totalHeightForWidth(width)
            if layout.hasHeightForWidth()
            else layout.sizeHint().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() in KEYBOARD_REASONS
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the ring of the keyboard inside the margins."""
        super().paintEvent(event)
        if not (self.hasFocus() and self._by_key):
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("focus"), 2))
        inset = _RING_INSET
        rect = QRectF(self.viewport().rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(rect, 6, 6)
        painter.end()

    @Slot()
    def _on_range_changed(self) -> None:
        overflows = self.verticalScrollBar().maximum() > 0
        wanted = Qt.FocusPolicy.TabFocus if overflows else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(wanted)
        self._fit()

    def _fit(self) -> None:
        """The right margin gives way to the scroll bar."""
        bar = self.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > 0 else 0
        self.stack.setContentsMargins(MARGIN, _TOP, MARGIN - taken, _BOTTOM)


class StepFoot(QWidget):
    """The line of buttons under a step; it never scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = hbox(self, margins=(MARGIN, 0, 24, 0), spacing=8)
        self.setMinimumHeight(_FOOT_HEIGHT)


class Headline(QLabel):
    """The one sentence that a step is about."""

    def __init__(
        self, theme: Theme, *, style: str = "title", px: int | None = _HEADLINE, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme, self._style, self._px = theme, style, px
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        theme.dress(self._on_theme_changed)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font(self._style, px=self._px))


class Note(Grounded, QWidget):
    """A tinted line with an icon: what to know, what to beware of, how it ended."""

    stands_on = Ground("lapisSoft", "control")

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._said = ("", "")
        self._icon = IconMark(theme, "info", "lapis", _NOTICE_ICON, self)
        self.text = QLabel(self)
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.RichText)
        top = (self._icon, 0, Qt.AlignmentFlag.AlignTop)
        hbox(self, top, (self.text, 1), margins=(12, 8, 12, 8), spacing=9)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._on_theme_changed)

    def say(self, role: str, icon: str, title: str, text: str = "") -> None:
        """Show a sentence, the beginning of it in bold; ``role`` colours icon and ground."""
        self.stand_on(Ground(f"{role}Soft", "control"))
        self._said = (title, text)
        self._icon.show_icon(icon, role)
        self.setAccessibleName(f"{title} {text}".strip())
        self._on_theme_changed()

    @Slot()
    def _on_theme_changed(self) -> None:
        title, text = (escape(part) for part in self._said)
        self.text.setFont(self._theme.font("meta"))
        bold = f'<span style="font-weight: 600">{title}</span>' if title else ""
        self.text.setText(f"{bold} {text}".strip())
        self.update()


class NoticeLine(Note):
    """Says what happened while one was in the dialog; takes no room while nothing did."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._notice: ScrubNotice | None = None
        self.setObjectName("scrubNotice")
        self.hide()

    def show_notice(self, notice: ScrubNotice | None) -> None:
        """Show a notice, or none; a new one is read aloud."""
        if notice == self._notice:
            return
        self._notice = notice
        self.setVisible(notice is not None)
        if notice is None:
            return
        is_problem = notice.kind.value == "madder"
        icon = "warning-circle" if is_problem else "info"
        self.say(notice.kind.value, icon, notice.title, notice.text)
        announce(self, f"{notice.title} {notice.text}", urgent=is_problem)


class ScopeFact(QWidget):
    """The rings of a tier and the name of its scope key."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = TierMark(theme, inked=3, role="tierWorkspace", edge=16, parent=self)
        self._text = plain_label("", "fact", self)
        hbox(self, self._mark, (self._text, 1), margins=0, spacing=8)

    def show_scope(self, tier: Tier, text: str) -> None:
        """Show another scope."""
        inked, role = TIER_MARKS[tier]
        self._mark.set_tier(inked=inked, role=role)
        self._text.setText(text)


def card(parent: QWidget, *, margins: tuple[int, int, int, int] = (14, 11, 14, 12)) -> QFrame:
    """A framed box with a column in it."""
    frame = QFrame(parent)
    frame.setProperty("card", "true")
    vbox(frame, margins=margins, spacing=6)
    return frame


def column_of(frame: QFrame) -> QVBoxLayout:
    """The column in a card."""
    layout = frame.layout()
    assert isinstance(layout, QVBoxLayout)
    return layout


def cleared(layout: QLayout) -> None:
    """Take everything out of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
