"""The table of backups: one stop for the keyboard; Enter compares, Delete asks, a menu has all."""

from __future__ import annotations

import math
from enum import IntEnum
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate, ColumnHeader, ColumnTable
from inklings_desktop.ui.kit.lists.row_list_model import Column, RowListModel
from inklings_desktop.ui.kit.look.cells import Icon, Text
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QContextMenuEvent, QKeyEvent

    from inklings_desktop.ui.kit.look.cells import Cell
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.settings.backups.words import BackupRow

_ROW = 38
_LEFT, _GAP, _RIGHT = 18, 14, 10
_LOCK = 13
_MOST_ROWS = 9
"""More than so many are scrolled."""


class BackupColumn(IntEnum):
    """The columns, left to right."""

    MADE = 0
    WHY = 1
    HOLDS = 2
    SIZE = 3
    ACT = 4


class BackupListModel(RowListModel["BackupRow"]):
    """Backups, newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(attrgetter("name"), parent, description=attrgetter("spoken"))
        self.name_columns(  # in the order of the enumeration
            Column(tr("Made"), attrgetter("made"), cells=_made, left=_LEFT),
            Column(tr("Why"), attrgetter("why"), cells=_why, right=_GAP),
            Column(tr("Contents"), attrgetter("holds"), cells=_holds, right=_GAP),
            Column(tr("Size"), attrgetter("size"), cells=_size, right=_GAP, is_figure=True),
            Column("", lambda _row: "", None, attrgetter("made")),  # buttons of its own stand there
        )


def _made(row: BackupRow) -> tuple[Cell, ...]:
    return (Text(row.made, weight=600, tabular=True),)


def _why(row: BackupRow) -> tuple[Cell, ...]:
    lock = (Icon("lock-simple", size=_LOCK, gap=5),) if row.stays else ()
    return (Text(row.why, "inkSoft", tabular=True), *lock)


def _holds(row: BackupRow) -> tuple[Cell, ...]:
    return (Text(row.holds, "inkSoft" if row.can_restore else "madder", tabular=True),)


def _size(row: BackupRow) -> tuple[Cell, ...]:
    return (Text(row.size, "inkSoft", tabular=True),)


class _Acts(QWidget):
    """What can be done with one backup, for the mouse; keys act on the row."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.compare = PushButton(theme, tr("Compare\u2026"), small=True, parent=self)
        self.more = IconButton(theme, "dots-three", tr("More"), bold=True, parent=self)
        for one in (self.compare, self.more):
            one.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        hbox(self, STRETCH, self.compare, self.more, margins=(0, 0, _RIGHT, 1), spacing=4)

    def show_row(self, row: BackupRow) -> None:
        """Say which backup the buttons are about."""
        self.compare.setEnabled(row.can_restore)
        for one, word in ((self.compare, self.compare.text()), (self.more, tr("More"))):
            one.setAccessibleName(tr("{what}: {backup}").format(what=word, backup=row.spoken))


class BackupTable(ColumnTable):
    """Shows backups, newest first.

    Signals:
        compare_wanted: Name of the backup that is to be compared.
        delete_wanted: Name of a backup that is to go.
        menu_wanted: Name of a backup, and where on the screen its menu opens.
    """

    compare_wanted = Signal(str)
    delete_wanted = Signal(str)
    menu_wanted = Signal(str, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        delegate = ColumnDelegate(theme, row_px=_ROW)
        super().__init__(theme, delegate, ColumnHeader(theme), parent=parent)
        self._backups = BackupListModel(self)
        self.setObjectName("backups")
        self.setAccessibleName(tr("Backups"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setModel(self._backups)
        self.activated_by_key.connect(self._on_activated_by_key)

    @property
    def rows(self) -> tuple[BackupRow, ...]:
        """The rows on show."""
        return self._backups.rows

    def show_rows(self, rows: Sequence[BackupRow]) -> None:
        """Show other backups; the current one stays current while it is there."""
        if tuple(rows) == self.rows:
            return
        self._backups.replace_rows(rows)
        for place, row in enumerate(rows):
            index = self._backups.index(place, BackupColumn.ACT)
            acts = self.indexWidget(index)
            if not isinstance(acts, _Acts):
                acts = _Acts(self._theme)
                self.setIndexWidget(index, acts)
            else:
                acts.compare.clicked.disconnect()
                acts.more.clicked.disconnect()
            acts.show_row(row)
            acts.compare.clicked.connect(partial(self.compare_wanted.emit, row.name))
            acts.more.clicked.connect(partial(self._open_menu, row.name, acts.more))
        if rows and not self.currentIndex().isValid():
            self.step(1)
        self.updateGeometry()
        self.fit()

    def current_name(self) -> str:
        """Name of the current backup; empty while there is none."""
        row = self._backups.row_at(self.currentIndex())
        return "" if row is None else row.name

    def sizeHint(self) -> QSize:
        """Header and rows, up to as many as are shown at once."""
        n_rows = min(len(self.rows), _MOST_ROWS)
        height = self._theme.scaled(self.header_height) + n_rows * self._delegate.row_height
        return QSize(self._theme.scaled(540), height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(300), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and not event.modifiers() and self.current_name():
            self.delete_wanted.emit(self.current_name())
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Opens the menu of a row, by mouse or by key."""
        index = self.indexAt(event.pos())
        row = self._backups.row_at(index)
        place = event.globalPos()
        if event.reason() is not event.Reason.Mouse or row is None:
            row = self._backups.row_at(self.currentIndex())
            corner = self.visualRect(self.currentIndex()).bottomLeft()
            place = self.viewport().mapToGlobal(corner + QPoint(_LEFT, 0))
        if row is not None:
            self.menu_wanted.emit(row.name, place)

    def _open_menu(self, name: str, button: QWidget) -> None:
        self.menu_wanted.emit(name, button.mapToGlobal(button.rect().bottomLeft()))

    def fit(self) -> None:
        """Each column what it needs; *Why* gives way, or takes what is left."""
        theme, header = self._theme, self.horizontalHeader()
        bold = QFontMetricsF(theme.font("meta", weight=600, tabular=True))
        usual = QFontMetricsF(theme.font("meta", tabular=True))

        def widest(metrics: QFontMetricsF, column: str) -> int:
            texts = [getattr(row, column) for row in self.rows] or [""]
            return math.ceil(max(metrics.horizontalAdvance(one) for one in texts)) + _GAP + 2

        acts = self.indexWidget(self._backups.index(0, BackupColumn.ACT))
        widths = {
            BackupColumn.MADE: _LEFT + widest(bold, "made"),
            BackupColumn.HOLDS: widest(usual, "holds"),
            BackupColumn.SIZE: widest(usual, "size"),
            BackupColumn.ACT: acts.sizeHint().width() if isinstance(acts, _Acts) else 0,
        }
        rest = self.viewport().width() - sum(widths.values())
        wanted = widest(usual, "why") + theme.icon_px(_LOCK) + 5
        spare = max(0, rest - wanted)
        widths[BackupColumn.MADE] += spare // 4
        widths[BackupColumn.WHY] = max(0, rest - spare) + spare // 4
        widths[BackupColumn.HOLDS] += spare // 4
        widths[BackupColumn.SIZE] += spare - 3 * (spare // 4)
        for column, width in widths.items():
            header.resizeSection(column, width)

    @Slot(QModelIndex)
    def _on_activated_by_key(self, index: QModelIndex) -> None:
        row = self._backups.row_at(index)
        if row is not None and row.can_restore:
            self.compare_wanted.emit(row.name)
