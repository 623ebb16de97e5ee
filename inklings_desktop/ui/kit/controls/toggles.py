"""What is on or off: check boxes, ticked lines, switches, plates of which one is chosen."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QRadioButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.control_marks import (
    SWITCH_HEIGHT,
    SWITCH_WIDTH,
    box_edge,
    paint_check_box,
    paint_radio,
    paint_switch,
)
from inklings_desktop.ui.kit.look.mirror import begin_cell, draw_text_in, smooth_painter_on

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex
    from inklings_desktop.ui.kit.look.theme import Theme

_CHECK_BOX_GAP = 8


class CheckBox(QCheckBox):
    """A check box with a label."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme

    def setText(self, text: str) -> None:  # noqa: N802 - Qt
        """Show another label as it is: what follows an ampersand is no key for it."""
        super().setText(text)
        self.setShortcut(QKeySequence())

    def sizeHint(self) -> QSize:
        width = QFontMetricsF(self._theme.font("body")).horizontalAdvance(self.text())
        left = box_edge(self._theme) + self._theme.scaled(_CHECK_BOX_GAP)
        return QSize(left + round(width) + 2, self._theme.px("controlSmall"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 - Qt calls it so
        return self.rect().contains(pos)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        edge = box_edge(self._theme)
        box = QRectF(0, (self.height() - edge) // 2, edge, edge)
        paint_check_box(painter, box, self._theme, self.checkState(), enabled=self.isEnabled())
        painter.setFont(self._theme.font("body"))
        painter.setPen(self._theme.color("ink" if self.isEnabled() else "inkFaint"))
        left = edge + self._theme.scaled(_CHECK_BOX_GAP)
        rect = QRectF(left, 0, self.width() - left, self.height())
        draw_text_in(painter, rect, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class Switch(QAbstractButton):
    """On or off.

    A press only says what the person wants; what is shown changes by ``show_on``.

    Signals:
        wanted: Whether the person wants it on.
    """

    wanted = Signal(bool)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ringRadius", SWITCH_HEIGHT // 2)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)

    def show_on(self, *, on: bool) -> None:
        """Show it on or off."""
        self.setChecked(on)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(SWITCH_WIDTH), self._theme.scaled(SWITCH_HEIGHT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        paint_switch(
            *(painter, QRectF(self.rect()), self._theme),
            on=self.isChecked(),
            hovered=self.underMouse(),
            enabled=self.isEnabled(),
        )
        painter.end()

    @Slot(bool)
    def _on_clicked(self, checked: bool) -> None:  # noqa: FBT001 - Qt's signal
        # Until the change is made, what is true stays on show.
        self.setChecked(not checked)
        self.wanted.emit(checked)


RADIO = 16
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

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        return layout.minimumSize() if layout is not None else super().minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        layout = self.layout()
        return layout is not None and layout.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else -1

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 - Qt calls it so
        return self.rect().contains(pos)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() in KEYBOARD_REASONS
        super().focusInEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
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
        y = self._mark_at.y() + half - RADIO / 2 if self._mark_at.y() >= 0 else self.height() / 2
        centre = QPointF(self._mark_at.x(), y)
        paint_radio(painter, centre, half, theme, on=self.isChecked())
        if self.hasFocus() and self._by_key:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, half + _RING, half + _RING)


_LEFT, _TICKED_LINE_GAP = 8, 10


class TickedLine(QStyledItemDelegate):
    """Draws the ground as the style does, then box and text; one that has no box keeps its room."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws one line."""
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        text, shown.text = shown.text, ""
        shown.features &= ~QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        style = shown.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        rect = QRectF(shown.rect)
        check = index.data(Qt.ItemDataRole.CheckStateRole)
        edge = box_edge(self._theme)
        begin_cell(painter, option.rect)
        if check is not None:
            top = round(rect.center().y() - edge / 2)
            box = QRectF(rect.left() + _LEFT, top, edge, edge)
            paint_check_box(painter, box, self._theme, Qt.CheckState(check))
        rect.setLeft(rect.left() + _LEFT + edge + _TICKED_LINE_GAP)
        rect.setRight(rect.right() - _LEFT)
        painter.setFont(shown.font)
        painter.setPen(self._theme.color("ink" if check is not None else "inkFaint"))
        line = shown.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, round(rect.width()))
        draw_text_in(
            painter, rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line
        )
        painter.restore()
