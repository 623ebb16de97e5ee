"""The command palette: a field, what it may mean, and Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowRole
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.control_marks import key_cap_height, key_cap_width, paint_key_cap
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import fill, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import (
    begin_cell,
    draw_picture,
    draw_text_in,
)
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.look.veil import shows_through
from inklings_desktop.ui.kit.marks.key_hints import HINT_GAP, KeyHint, KeyHints
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label, rule
from inklings_desktop.ui.window.palette.rows import (
    CHANNELS_PREFIX,
    COMMANDS_PREFIX,
    ENTRIES_PREFIX,
    PaletteHeading,
    PaletteItem,
    PaletteModel,
    PaletteRow,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme


ROW_HEIGHT = 36
_HEADING_HEIGHT = 32
_SIDE = 18
_INSET = 6
_ICON = 16
_TEXT_GAP = 14
_GAP = 16


class PaletteDelegate(QStyledItemDelegate):
    """Draws every row itself, from values that need no further work."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def height_of(self, row: PaletteHeading | PaletteItem) -> int:
        """Height of a row in pixels."""
        is_heading = isinstance(row, PaletteHeading)
        return self._theme.scaled(_HEADING_HEIGHT if is_heading else ROW_HEIGHT)

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row = index.data(RowRole.ROW)
        return QSize(0, self.height_of(row)) if row is not None else QSize()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws a row."""
        row: PaletteRow | None = index.data(RowRole.ROW)
        box = QRectF(option.rect)
        begin_cell(painter, option.rect)
        if isinstance(row, PaletteHeading):
            self._paint_heading(painter, box, row)
        elif row is not None:
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_item(painter, box, row, chosen=chosen)
        painter.restore()

    def _paint_heading(self, painter: QPainter, box: QRectF, row: PaletteHeading) -> None:
        painter.setFont(self._theme.font("label"))
        painter.setPen(self._theme.color("inkSoft"))
        inner = box.adjusted(_SIDE, 6, -_SIDE, 0)
        draw_text_in(painter, inner, Qt.AlignmentFlag.AlignVCenter, row.text)

    def _paint_item(
        self, painter: QPainter, box: QRectF, row: PaletteItem, *, chosen: bool
    ) -> None:
        theme = self._theme
        if chosen:
            theme.draw_box(painter, box.adjusted(_INSET, 0, -_INSET, 0), "selected", "control")
        edge = theme.icon_px(_ICON)
        mark = QRectF(box.left() + _SIDE, box.center().y() - edge / 2, edge, edge)
        if row.rings:
            paint_tier_mark(painter, mark, row.rings, theme.color(row.role))
        elif row.icon:
            ratio = painter.device().devicePixelRatio()
            draw_picture(
                painter,
                mark.topLeft(),
                theme.pixmap(row.icon, row.role, _ICON, ratio=ratio),
            )
        right = box.right() - _SIDE
        right = self._paint_keys(painter, box, row.keys, right)
        if not row.keys:
            right = self._paint_hint(painter, box, row.hint, right)
        left = mark.right() + _TEXT_GAP
        self._paint_text(painter, QRectF(left, box.top(), right - _GAP - left, box.height()), row)

    def _paint_keys(self, painter: QPainter, box: QRectF, keys: str, right: float) -> float:
        if not keys:
            return right
        font = self._theme.font("meta", px=12)
        width, height = key_cap_width(keys, font), key_cap_height(self._theme)
        cap = QRectF(right - width, round(box.center().y() - height / 2), width, height)
        paint_key_cap(painter, cap, keys, self._theme)
        return right - width

    def _paint_hint(self, painter: QPainter, box: QRectF, hint: str, right: float) -> float:
        if not hint:
            return right
        font = self._theme.font("meta")
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(hint, Qt.TextElideMode.ElideRight, box.width() / 3)
        left = right - metrics.horizontalAdvance(shown)
        write(painter, left, box.center().y(), shown, font, self._theme.color("inkSoft"))
        return left

    def _paint_text(self, painter: QPainter, box: QRectF, row: PaletteItem) -> None:
        """Draws the text; what matches has a ground and a line, two cues."""
        theme = self._theme
        font = theme.font("body")
        if row.is_memory:
            font = theme.font("reading", px=15)
        elif row.rings:  # a named entry: its name has one face wherever it stands
            font = theme.font("reading", px=14, weight=600)
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, box.width())
        baseline = round(box.center().y() + (metrics.ascent() - metrics.descent()) / 2)
        n_kept = len(text) if text == row.text else max(len(text) - 1, 0)
        for start, length in row.spans:
            end = min(start + length, n_kept)
            if start < end:
                self._paint_mark(painter, font, text, (start, end), (box.left(), baseline))
        write(painter, box.left(), box.center().y(), text, font, theme.color("ink"))

    def _paint_mark(
        self,
        painter: QPainter,
        font: QFont,
        text: str,
        ends: tuple[int, int],
        origin: tuple[float, float],
    ) -> None:
        metrics = QFontMetricsF(font)
        left = origin[0] + metrics.horizontalAdvance(text[: ends[0]])
        right = origin[0] + metrics.horizontalAdvance(text[: ends[1]])
        ground = QRectF(left, origin[1] - metrics.ascent(), right - left, metrics.height())
        painter.fillRect(ground, self._theme.color("ochreSoft"))
        painter.setPen(QPen(self._theme.color("ochre"), 1))
        painter.drawLine(QPointF(left, ground.bottom()), QPointF(right, ground.bottom()))


WIDTH = 640
TOP = 96
_AIR = 24
_FIELD_HEIGHT = 52
_FOOT_HEIGHT = 36
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 5,
    Qt.Key.Key_PageUp: -5,
}


class PaletteDialog(Grounded, QDialog):
    """A popup over the window; the field keeps the keyboard, arrows move in the list.

    Signals:
        chosen: Key of a row, and whether it should open in the inspector alone.
    """

    chosen = Signal(str, bool)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self._window = window
        self.setObjectName("commandPalette")
        is_round = shows_through()
        self.stands_on = Ground("raised", "dialog" if is_round else 0, "lineStrong")
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, is_round)
        self.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
        self.setWindowTitle(tr("Go to or run"))
        self.setAccessibleName(self.windowTitle())
        self.field = named(QLineEdit(self), "paletteField")
        self.field.setProperty("frameless", "true")
        self.field.setProperty("ring", "none")
        self.field.setPlaceholderText(tr("Go to or run\u2026"))
        self.field.setAccessibleName(tr("Go to or run"))
        self.field.installEventFilter(self)
        self.model = PaletteModel(self)
        self._delegate = PaletteDelegate(theme, self)
        self.list = named(QListView(self), "paletteList", tr("What it may mean"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setStyleSheet("QListView { background: transparent; }")
        self.list.entered.connect(self._on_entered)
        self.list.clicked.connect(self._on_clicked)
        self.nothing = plain_label(tr("Nothing is called that."), "meta", self)
        self.nothing.setIndent(48)  # margins of contents do not outlive a style sheet
        self.nothing.setMinimumHeight(theme.scaled(ROW_HEIGHT) + 8)
        self.nothing.hide()
        self._prefixes = KeyHints(theme, self)
        self._foot = KeyHints(theme, self)
        self._lay_out()

    def open_empty(self) -> None:
        """Show the palette over its window with nothing typed."""
        self.field.clear()
        self._fit()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_rows(self, rows: Sequence[PaletteRow]) -> None:
        """Show what there is; the chosen row stays chosen while it is there."""
        chosen = self.current_key if self._was_moved else ""
        self.model.replace_rows(rows)
        index = self.model.index_of(chosen) if chosen else QModelIndex()
        if index.isValid():
            self._choose(index.row())
        else:
            self._was_moved = False
            self._step_from(-1, 1)
        self.nothing.setVisible(not rows)
        self.list.setVisible(bool(rows))
        self._fit()

    @property
    def current_key(self) -> str:
        """Key of the chosen row; empty if there is none."""
        row = self.model.row_at(self.list.currentIndex())
        return "" if row is None or isinstance(row, PaletteHeading) else row.key

    # -- Qt -------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes the keys of the field that are meant for the list."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            key = Qt.Key(event.key())
            if key in _STEPS:
                self._was_moved = True
                self._move(_STEPS[key])
                return True
            if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                alone = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
                self._take(in_inspector=alone)
                return True
            if key in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}:
                return True
        return super().eventFilter(watched, event)

    # -- inside ---------------------------------------------------------------------------

    _was_moved = False

    def _lay_out(self) -> None:
        theme = self._theme
        icon = IconMark(theme, "magnifying-glass", "inkSoft", 18, self)
        self._prefixes.set_hints(
            (
                KeyHint((COMMANDS_PREFIX,), tr("commands")),
                KeyHint((CHANNELS_PREFIX,), tr("channels")),
                KeyHint((ENTRIES_PREFIX,), tr("named")),
            )
        )
        self._prefixes.setFixedWidth(self._prefixes.sizeHint().width() - HINT_GAP)
        bar = QWidget(self)
        bar.setFixedHeight(theme.scaled(_FIELD_HEIGHT))
        hbox(bar, icon, (self.field, 1), self._prefixes, margins=(18, 0, 18, 0), spacing=12)
        self._foot.set_hints(
            (
                KeyHint(("\u2191", "\u2193"), tr("choose")),
                KeyHint(("Enter",), tr("open")),
                KeyHint(("Ctrl Enter",), tr("open in inspector")),
            )
        )
        leave = KeyHints(theme, self)
        leave.set_hints((KeyHint(("Esc",), tr("close")),))
        leave.setFixedWidth(leave.sizeHint().width() - HINT_GAP)
        foot = hbox(None, (self._foot, 1), leave, margins=(18, 0, 18, 0))
        column = vbox(self, margins=(1, 1, 1, 1), spacing=0)
        fill(column, bar, rule(self), 4, self.list, self.nothing, 6, rule(self), foot)
        self._foot.setFixedHeight(theme.scaled(_FOOT_HEIGHT))

    def _fit(self) -> None:
        """As high as the rows, where the window has room."""
        scaled = self._theme.scaled
        rows = sum(self._delegate.height_of(row) for row in self.model.rows)
        around = scaled(_FIELD_HEIGHT) + scaled(_FOOT_HEIGHT) + 16
        room = self._window.height() - scaled(TOP) - _AIR
        self.list.setFixedHeight(max(min(rows, room - around), scaled(ROW_HEIGHT)))
        width = min(scaled(WIDTH), self._window.width() - 2 * _AIR)
        self.setFixedWidth(width)
        self.setFixedHeight(self.sizeHint().height())
        left = (self._window.width() - width) // 2
        self.move(self._window.mapToGlobal(QPoint(left, scaled(TOP))))

    def _move(self, step: int) -> None:
        way = 1 if step > 0 else -1
        for _ in range(abs(step)):
            if not self._step_from(self.list.currentIndex().row(), way):
                break

    def _step_from(self, place: int, way: int) -> bool:
        """Choose the next row that is no heading; around the end with a single step."""
        rows = self.model.rows
        for offset in range(1, len(rows) + 1):
            at = (place + way * offset) % len(rows)
            if not isinstance(rows[at], PaletteHeading):
                self._choose(at)
                return True
        return False

    def _choose(self, place: int) -> None:
        index = self.model.index(place, 0)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)
        row = self.model.row_at(index)
        if row is not None and self._was_moved:
            announce(self.field, row.text)

    def _take(self, *, in_inspector: bool) -> None:
        key = self.current_key
        if key:
            self.hide()
            self.chosen.emit(key, in_inspector)

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        row = self.model.row_at(index)
        if row is not None and not isinstance(row, PaletteHeading):
            self.list.setCurrentIndex(index)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._on_entered(index)
        row = self.model.row_at(index)
        if row is not None and not isinstance(row, PaletteHeading):
            self._take(in_inspector=False)
