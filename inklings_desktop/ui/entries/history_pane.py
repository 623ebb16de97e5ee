"""The history of an entry: what changed at the left, every revision at the right."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.lists.cell_rows import CellDelegate
from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.cells import Icon, Line, Radio, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.markdown.comparison_pane import ComparisonPane

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyle

    from inklings_desktop.ui.kit.lists.memory_row_layout import CuratorName
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.markdown.diff_view import Comparison


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """One revision as the history shows it; every text is final.

    ``is_older`` marks the older side of the comparison, ``is_newer`` the newer one where that is
    not the text in the editor.
    """

    number: int
    time: str
    title: str
    curator: CuratorName
    curator_label: str
    length: str
    accessible_description: str
    is_older: bool = False
    is_newer: bool = False


@dataclass(frozen=True, slots=True)
class HistoryState:
    """The revisions of one entry and the comparison of two of them.

    Attributes:
        rows: Newest first.
        comparison: None until it has been worked out.
        can_restore: Whether the chosen revision differs from the current text.
        older_text: Text of the chosen revision, for copying; None until it was read.
    """

    rows: tuple[RevisionRow, ...] = ()
    comparison: Comparison | None = None
    can_restore: bool = False
    older_text: str | None = None


class RevisionListModel(RowListModel[RevisionRow]):
    """Revisions, newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            attrgetter("number"),
            parent,
            text=attrgetter("time"),
            description=attrgetter("accessible_description"),
        )


_GUTTER = 20
_TEXT_LEFT = 44
_RADIO = 15
_ROW_HEIGHT = 76
_FIRST, _SECOND, _THIRD = 20.0, 39.0, 57.5


def _said(row: RevisionRow, _state: QStyle.StateFlag) -> Said:
    is_compared = row.is_older or row.is_newer
    radio = Radio(row.is_older, "accent" if row.is_newer else "controlBorder", _RADIO)
    indent = _TEXT_LEFT - _GUTTER
    time = Text(row.time, weight=600, gap=indent - _RADIO)
    newer = (Text(tr("newer side"), "accent", px=12),) if row.is_newer else ()
    mark = curator_mark(row.curator, row.curator_label)
    who = (Icon(mark.icon, mark.role), Text(mark.text, mark.role, gap=4))
    length = Text(row.length, "inkFaint", gap=10)
    return Said(
        (
            Line((radio, time), newer, at=_FIRST),
            Line((Text(row.title, "inkSoft"),), at=_SECOND, indent=indent),
            Line((*who, length), at=_THIRD, indent=indent),
        ),
        _GUTTER,
        _GUTTER,
        ground=Ground("selected") if is_compared else Ground(),
        hovered=None if is_compared else Ground("hover"),
        selected=Ground("selected") if is_compared else Ground(),
    )


_WIDTH = 300
_NARROW_WIDTH = 240
_HEAD_HEIGHT = 40
_FOOT_HEIGHT = 50


class EntryHistoryPane(QWidget):
    """Shows a ``HistoryState`` and says which revisions are wanted.

    Signals:
        older_chosen: Number of the revision to compare from.
        newer_chosen: Number of the revision to compare up to.
    """

    older_chosen = Signal(int)
    newer_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = HistoryState()
        self.comparison = ComparisonPane(theme, self)
        self._model = RevisionListModel(self)
        table = RowTable(CellDelegate(theme, _said, _ROW_HEIGHT), parent=self)
        self.table = named(table, "revisionList", tr("Revisions"))
        self.table.setProperty("ground", "canvas")
        self.table.setModel(self._model)
        self.table.setToolTip(
            tr("Choose what to compare the text of now with; Ctrl chooses the newer side")
        )
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.table.viewport().installEventFilter(self)
        self.table.installEventFilter(self)
        self._count = plain_label("", "meta", self)
        self.restore = PushButton(
            theme,
            tr("Restore this one"),
            icon="arrow-counter-clockwise",
            small=True,
            parent=self,
        )
        self.restore.setObjectName("restoreRevision")
        storing(self.restore)
        self.copy = PushButton(theme, tr("Copy"), kind="quiet", small=True, parent=self)
        self.copy.setObjectName("copyRevision")
        self.copy.clicked.connect(self._on_copy_clicked)
        self._is_narrow = False
        self._side = self._made_side()
        self._fit_side()
        hbox(
            self, (self.comparison, 1), VerticalRule(theme, self), self._side, margins=0, spacing=0
        )
        theme.changed.connect(self._on_theme_changed)

    def show_state(self, state: HistoryState) -> None:
        """Show revisions and the comparison of two of them."""
        self._state = state
        selection = self.table.selectionModel()
        with QSignalBlocker(selection):
            self._model.replace_rows(state.rows)
            older = next((n for n, row in enumerate(state.rows) if row.is_older), -1)
            if older >= 0 and self.table.currentIndex().row() != older:
                selection.setCurrentIndex(
                    self._model.index(older, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
                )
        self.table.viewport().update()
        self._count.setText(grouped(len(state.rows)))
        self.comparison.show_comparison(state.comparison)
        self.restore.setEnabled(state.can_restore)
        self.copy.setEnabled(state.older_text is not None)

    def focus_list(self) -> None:
        """Bring the keyboard to the revisions."""
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_narrow(self, *, narrow: bool) -> None:
        """Give the comparison more room where there is little."""
        self._is_narrow = narrow
        self._fit_side()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl with a click, Enter or Space chooses the newer side instead."""
        if (
            watched is self.table.viewport()
            and isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonPress
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self._choose_newer(self.table.indexAt(event.position().toPoint()))
            return True
        if (
            watched is self.table
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self._choose_newer(self.table.currentIndex())
            return True
        return super().eventFilter(watched, event)

    def _made_side(self) -> QWidget:
        side = QWidget(self)
        on_ground(side, "canvas")
        self._head = QWidget(side)
        row = hbox(self._head, margins=(_GUTTER, 0, _GUTTER, 0))
        fill(row, (plain_label(tr("Revisions"), "label", self._head), 1), self._count)
        self._foot = QWidget(side)
        buttons = hbox(self._foot, margins=(_GUTTER, 0, _GUTTER, 0), spacing=8)
        fill(buttons, self.restore, self.copy, STRETCH)
        column = vbox(side, margins=0, spacing=0)
        fill(column, self._head, rule(side), (self.table, 1), rule(side), self._foot)
        self._theme.hold_height(self._head, _HEAD_HEIGHT)
        self._theme.hold_height(self._foot, _FOOT_HEIGHT)
        return side

    def _fit_side(self) -> None:
        """As wide as wished, and never so narrow that a button is cut off."""
        wanted = _NARROW_WIDTH if self._is_narrow else _WIDTH
        self._side.setFixedWidth(max(wanted, self._foot.sizeHint().width()))

    def _choose_newer(self, index: QModelIndex) -> None:
        row = self._model.row_at(index)
        if row is not None:
            self.newer_chosen.emit(row.number)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        if row is not None:
            self.older_chosen.emit(row.number)

    @Slot()
    def _on_copy_clicked(self) -> None:
        if self._state.older_text is not None:
            QGuiApplication.clipboard().setText(self._state.older_text)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.table.refresh_heights()
        self._fit_side()
