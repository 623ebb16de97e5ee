"""What an empty page shows: a drawing, a sentence, and cards that say where to begin."""

import math
from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QEnterEvent,
    QFontMetricsF,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.control_marks import key_cap_height, key_cap_width, paint_key_cap
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, own_viewport, vbox
from inklings_desktop.ui.kit.look.mirror import draw_picture, draw_text_in, smooth_painter_on
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.ops.storing import storing

_DRAWING = QSize(340, 150)
_CARD_WIDTH = 238
_CARD_HEIGHT = 130
_CARD_LEAST = 160
_CARD_PADDING = 18
_CARD_GAP = 12
_FOUR, _SQUARE = 4, 96
_WIDE_CARD = 488
_LOW = 540
_SIDE = 24
_ENDLESS = 10_000.0
_WRAPPED = int(Qt.TextFlag.TextWordWrap)
_WAVE_STEPS = 96
_ARCS = ("tierConversation", "tierChannel", "tierWorkspace", "tierAccount")
_ARC_HALF_WIDTHS = (32, 68, 108, 150)
_ARC_HEIGHTS = (28, 58, 88, 118)


class RingsDrawing(QWidget):
    """Four rings rising over water; the outermost may already be inked."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inked = frozenset[int]()
        self.setFixedSize(_DRAWING)

    def set_inked(self, rings: Sequence[int]) -> None:
        """Draw these rings solid, counted from 0 at the centre; the others are dotted."""
        self._inked = frozenset(rings)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = smooth_painter_on(self)
        middle, ground = self.width() / 2, 125.0
        for number, (role, half, height) in enumerate(
            zip(_ARCS, _ARC_HALF_WIDTHS, _ARC_HEIGHTS, strict=True)
        ):
            pen = QPen(theme.color(role), 1.6, c=Qt.PenCapStyle.FlatCap)
            if number not in self._inked:
                pen.setWidthF(2.0)
                pen.setDashPattern([1.6, 2.4])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            arc = QRectF(middle - half, ground - height, 2 * half, 2 * height)
            painter.drawArc(arc, 0, 180 * 16)
        painter.setPen(QPen(theme.color("lineStrong"), 1.4))
        painter.drawLine(QLineF(0, ground, self.width(), ground))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("ink"))
        painter.drawEllipse(QPointF(middle, ground - 4), 5, 5)
        wave = QPolygonF(
            [
                QPointF(
                    middle - 145 + 290 * step / _WAVE_STEPS,
                    ground + 9 - 5 * math.sin(math.tau * 6 * step / _WAVE_STEPS),
                )
                for step in range(_WAVE_STEPS + 1)
            ]
        )
        pen = QPen(theme.wash("accent", 0.75), 1.6, c=Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(wave)
        painter.end()


@dataclass(frozen=True, slots=True)
class EmptyAction:
    """A card: what it does, why one would, the key that does the same, whether it stores."""

    key: str
    title: str
    text: str
    icon: str
    key_hint: str = ""
    stores: bool = False


class ActionCard(QAbstractButton):
    """One way to begin, as a card that is a button."""

    def __init__(self, theme: Theme, action: EmptyAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.action = action
        self.setText(action.title)
        self.setAccessibleName(action.title)
        self.setAccessibleDescription(action.text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ringRadius", 8)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        return QSize(_CARD_WIDTH, self._theme.scaled(_CARD_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for three of them; the height follows from the width."""
        return QSize(self._theme.scaled(_CARD_LEAST), self._theme.scaled(_CARD_HEIGHT))

    def heightForWidth(self, width: int) -> int:
        """The height of the design, or more where the words need it."""
        _, words = self._places(width)
        return max(self._theme.scaled(_CARD_HEIGHT), round(words.bottom()) + _CARD_PADDING)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = smooth_painter_on(self)
        is_on = self.isEnabled()
        ground = "hover" if is_on and self.underMouse() else "canvas" if is_on else "sunken"
        theme.draw_box(painter, self.rect(), ground, "card", line="line")
        role = "accent" if is_on else "inkFaint"
        picture = theme.pixmap(self.action.icon, role, 24, ratio=self.devicePixelRatioF())
        draw_picture(painter, QPointF(_CARD_PADDING, 18), picture)
        if self.action.key_hint:
            width = key_cap_width(self.action.key_hint, theme.font("meta", px=12))
            height = key_cap_height(theme)
            box = QRectF(self.width() - _CARD_PADDING - width, 20, width, height)
            paint_key_cap(painter, box, self.action.key_hint, theme)
        title, words = self._places(self.width())
        painter.setFont(theme.font("tab", px=16))
        painter.setPen(theme.color("ink" if is_on else "inkFaint"))
        draw_text_in(painter, title, _WRAPPED, self.action.title)
        painter.setFont(theme.font("meta"))
        painter.setPen(theme.color("inkSoft" if is_on else "inkFaint"))
        draw_text_in(painter, words, _WRAPPED, self.action.text)
        painter.end()

    def _places(self, width: int) -> tuple[QRectF, QRectF]:
        """Where title and text stand on a card of a width in pixels."""
        theme = self._theme
        room = QRectF(_CARD_PADDING, 0, width - 2 * _CARD_PADDING, _ENDLESS)
        title = QFontMetricsF(theme.font("tab", px=16)).boundingRect(
            room, _WRAPPED, self.action.title
        )
        words = QFontMetricsF(theme.font("meta")).boundingRect(room, _WRAPPED, self.action.text)
        top = float(theme.scaled(52))
        below = top + max(title.height(), theme.scaled(24))
        return (
            QRectF(room.left(), top, room.width(), title.height()),
            QRectF(room.left(), below, room.width(), words.height()),
        )


class EmptyState(QWidget):
    """Drawing, title, text and cards, centred in the page that has nothing to show."""

    action_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._cards: list[ActionCard] = []
        self._sentence = ""
        self.drawing = RingsDrawing(theme, self)
        self._title = plain_label("", "display", self)
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.RichText)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
        self._text.setMaximumWidth(520)
        self._row = QGridLayout()
        self._row.setSpacing(_CARD_GAP)
        # What does not fit a low window scrolls.
        self._page = QWidget()
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        own_viewport(self._scroll).setAutoFillBackground(False)
        self._scroll.setWidget(self._page)
        self._page.setAutoFillBackground(False)
        vbox(self, self._scroll, margins=0)
        column = vbox(self._page, margins=(_SIDE, 56, _SIDE, _SIDE), spacing=0)
        fill(column, (self.drawing, 0, Qt.AlignmentFlag.AlignHCenter), 14, self._title, 2)
        middle = hbox(None, STRETCH, (self._text, 100), STRETCH)
        fill(column, middle, 24)
        cards = hbox(None, STRETCH, (self._row, 100), STRETCH)
        column.addLayout(cards)
        self._column = column
        self._is_drawn = True
        column.addStretch(1)
        theme.changed.connect(self._write_text)

    def show_state(
        self,
        title: str,
        text: str,
        actions: Sequence[EmptyAction] = (),
        *,
        inked: Sequence[int] = (),
        drawn: bool = True,
    ) -> None:
        """Say why there is nothing and how to begin.

        Args:
            title: One short sentence without a full stop.
            text: What happens next.
            actions: Cards, side by side; four of them two by two where the room is narrow.
            inked: Rings of the drawing that already hold something, from 0 at the centre.
            drawn: Whether the drawing shows; an empty search has none.
        """
        self._title.setText(title)
        self._sentence = text
        self._text.setAccessibleName(text)
        self._text.setVisible(bool(text))
        self._write_text()
        self.drawing.set_inked(inked)
        self._is_drawn = drawn
        for card in self._cards:
            card.hide()
            card.deleteLater()
        self._cards = [ActionCard(self._theme, action, self._page) for action in actions]
        for card in self._cards:
            card.clicked.connect(self._on_card_clicked)
            card.show()
            if card.action.stores:
                storing(card)
        self._fit()

    def add_foot(self, foot: QWidget) -> None:
        """Let something stand below the cards; whoever adds it shows and hides it."""
        self._column.insertWidget(self._column.count() - 1, foot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Folds what does not fit: cards take another row, the drawing goes."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        n, room = len(self._cards), self.width() - 2 * _SIDE
        least = self._theme.scaled(_CARD_LEAST) + _CARD_GAP
        fitting = (room + _CARD_GAP) // least
        square = n == _FOUR and 1 < fitting < n  # two by two, rather than all below each other
        beside = n if fitting >= n else 2 if square else 1
        while self._row.count():
            self._row.takeAt(0)
        for place, card in enumerate(self._cards):
            self._row.addWidget(card, *divmod(place, beside))
            card.setMaximumWidth(_WIDE_CARD if beside == 1 else _CARD_WIDTH)
        low = self.height() < self._theme.scaled(_LOW + (_SQUARE if square else 0))
        self.drawing.setVisible(self._is_drawn and not low)
        above = _SIDE if low else _CARD_GAP if square else 56
        self._column.setContentsMargins(_SIDE, above, _SIDE, _SIDE)

    def title(self) -> str:
        """What it says first."""
        return self._title.text()

    def cards(self) -> tuple[ActionCard, ...]:
        """The cards on show, left to right."""
        return tuple(self._cards)

    @Slot()
    def _write_text(self) -> None:
        self._fit()
        # Only rich text has a line distance of its own.
        self._text.setFont(self._theme.font("body", px=15))
        self._text.setText(
            f'<p align="center" style="line-height: {self._theme.scaled(22)}px; margin: 0;'
            f' color: {self._theme.color("inkSoft").name()}">{escape(self._sentence)}</p>'
        )

    @Slot()
    def _on_card_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, ActionCard):
            self.action_requested.emit(sender.action.key)
