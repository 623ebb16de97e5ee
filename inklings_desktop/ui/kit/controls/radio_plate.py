"""A choice that is more than a word: a whole row or card with a radio mark in it."""

from enum import Enum

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QRadioButton, QWidget

from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.theme import Theme

RADIO = 16
_DOT = 3.0
_RING = 3


class PlateFrame(Enum):
    """How the ground of a plate is drawn."""

    ROW = "row"
    CARD = "card"


class RadioPlate(QRadioButton):
    """A radio button whose face is its layout; the whole plate can be clicked.

    Give it a layout that leaves room for the mark at ``mark_at``. Labels in it should let the
    mouse through.
    """

    def __init__(
        self, theme: Theme, name: str, *, frame: PlateFrame, mark_at: QPoint, parent: QWidget
    ) -> None:
        """Build the plate.

        Args:
            theme: Look of the window.
            name: Read aloud for it.
            frame: A row of a list, or a card of its own.
            mark_at: Centre of the radio mark at text scale 1; a negative y means the middle of
                the height. Larger type moves it down by half of what it grows.
            parent: What it is a choice of; plates of one parent exclude each other.
        """
        super().__init__(parent)
        self._theme = theme
        self._frame = frame
        self._mark_at = mark_at
        self._by_key = False
        self.setAccessibleName(name)
        self.setProperty("ring", "none")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """What its layout wants."""
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        """What its layout needs."""
        layout = self.layout()
        return layout.minimumSize() if layout is not None else super().minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        """Sentences in it may wrap."""
        layout = self.layout()
        return layout is not None and layout.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """The height of its layout at a width."""
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else -1

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 - Qt calls it so
        """All of it can be clicked."""
        return self.rect().contains(pos)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows the ring when focus came by key."""
        self._by_key = event.reason() in KEYBOARD_REASONS
        super().focusInEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws ground and mark."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._frame is PlateFrame.CARD:
            self._paint_card(painter)
        elif self.isChecked() or self.underMouse():
            role = "selected" if self.isChecked() else "hover"
            painter.fillRect(self.rect(), self._theme.color(role))
        self._paint_mark(painter)
        painter.end()

    def _paint_card(self, painter: QPainter) -> None:
        theme, radius = self._theme, self._theme.radius("card")
        width = 2 if self.isChecked() else 1
        inset = width / 2
        painter.setPen(QPen(theme.color("accent" if self.isChecked() else "line"), width))
        hovered = self.underMouse() and not self.isChecked()
        painter.setBrush(theme.color("hover" if hovered else "surface"))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius
        )

    def _paint_mark(self, painter: QPainter) -> None:
        theme = self._theme
        half = theme.scaled(RADIO) / 2
        grown = half / (RADIO / 2)
        y = self._mark_at.y() + half - RADIO / 2 if self._mark_at.y() >= 0 else self.height() / 2
        centre = QPointF(self._mark_at.x(), y)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(centre, half, half)
            painter.setBrush(theme.color("onAccent"))
            painter.drawEllipse(centre, _DOT * grown, _DOT * grown)
        else:
            painter.setPen(QPen(theme.color("controlBorder"), 1))
            painter.setBrush(theme.color("surface"))
            painter.drawEllipse(centre, half - 0.5, half - 0.5)
        if self.hasFocus() and self._by_key:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, half + _RING, half + _RING)
