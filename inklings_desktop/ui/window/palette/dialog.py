"""The command palette: a field, what it may mean, and Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.veil import shows_through
from inklings_desktop.ui.kit.marks.key_hints import HINT_GAP, KeyHint, KeyHints
from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.window.palette.delegate import ROW_HEIGHT, PaletteDelegate
from inklings_desktop.ui.window.palette.model import PaletteHeading, PaletteModel
from inklings_desktop.ui.window.palette.rows import (
    CHANNELS_PREFIX,
    COMMANDS_PREFIX,
    ENTRIES_PREFIX,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.window.palette.model import PaletteRow

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


class PaletteDialog(QDialog):
    """A popup over the window; the field keeps the keyboard, arrows move in the list.

    Signals:
        typed: The text of the field, with every letter.
        chosen: Key of a row, and whether it should open in the inspector alone.
    """

    typed = Signal(str)
    chosen = Signal(str, bool)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self._window = window
        self.setObjectName("commandPalette")
        self._is_round = shows_through()
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._is_round)
        self.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
        self.setWindowTitle(self.tr("Go to or run"))
        self.setAccessibleName(self.windowTitle())
        self.field = QLineEdit(self)
        self.field.setObjectName("paletteField")
        self.field.setProperty("frameless", "true")
        self.field.setProperty("ring", "none")
        self.field.setPlaceholderText(self.tr("Go to or run\u2026"))
        self.field.setAccessibleName(self.tr("Go to or run"))
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self.typed)
        self.model = PaletteModel(self)
        self._delegate = PaletteDelegate(theme, self)
        self.list = QListView(self)
        self.list.setObjectName("paletteList")
        self.list.setAccessibleName(self.tr("What it may mean"))
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
        self.nothing = QLabel(self.tr("Nothing is called that."), self)
        self.nothing.setProperty("textStyle", "meta")
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

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the card; round corners want a window that is see-through itself."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("lineStrong"), 1))
        painter.setBrush(self._theme.color("raised"))
        radius = self._theme.radius("dialog") if self._is_round else 0
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()

    # -- inside ---------------------------------------------------------------------------

    _was_moved = False

    def _lay_out(self) -> None:
        theme = self._theme
        self._icon = QLabel(self)
        self._on_theme_changed()
        theme.changed.connect(self._on_theme_changed)
        self._prefixes.set_hints(
            (
                KeyHint((COMMANDS_PREFIX,), self.tr("commands")),
                KeyHint((CHANNELS_PREFIX,), self.tr("channels")),
                KeyHint((ENTRIES_PREFIX,), self.tr("named")),
            )
        )
        self._prefixes.setFixedWidth(self._prefixes.sizeHint().width() - HINT_GAP)
        bar = QWidget(self)
        bar.setFixedHeight(theme.scaled(_FIELD_HEIGHT))
        head = QHBoxLayout(bar)
        head.setContentsMargins(18, 0, 18, 0)
        head.setSpacing(12)
        head.addWidget(self._icon)
        head.addWidget(self.field, 1)
        head.addWidget(self._prefixes)
        self._foot.set_hints(
            (
                KeyHint(("\u2191", "\u2193"), self.tr("choose")),
                KeyHint(("Enter",), self.tr("open")),
                KeyHint(("Ctrl Enter",), self.tr("open in inspector")),
            )
        )
        leave = KeyHints(theme, self)
        leave.set_hints((KeyHint(("Esc",), self.tr("close")),))
        leave.setFixedWidth(leave.sizeHint().width() - HINT_GAP)
        foot = QHBoxLayout()
        foot.setContentsMargins(18, 0, 18, 0)
        foot.addWidget(self._foot, 1)
        foot.addWidget(leave)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(rule(self))
        column.addSpacing(4)
        column.addWidget(self.list)
        column.addWidget(self.nothing)
        column.addSpacing(6)
        column.addWidget(rule(self))
        column.addLayout(foot)
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

    @Slot()
    def _on_theme_changed(self) -> None:
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(self._theme.pixmap("magnifying-glass", "inkSoft", 18, ratio=ratio))

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
