"""What moves in the memory list: the glow of a row just saved, and the fold of one forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEasingCurve, QModelIndex, QObject, QRect, Qt, QVariantAnimation, Slot
from PySide6.QtWidgets import QLabel

from inklings_desktop.ui.kit.look.motion import collapse

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from PySide6.QtGui import QPixmap

    from inklings_desktop.ui.kit.lists.row_table import RowTable
    from inklings_desktop.ui.kit.look.theme import Theme

_MOST_FOLDED = 3


class RowMotion(QObject):
    """Follows the rows of one table; nothing of it stays once a movement has ended."""

    def __init__(
        self,
        theme: Theme,
        table: RowTable,
        *,
        index_of: Callable[[str], QModelIndex],
        id_at: Callable[[int], str | None],
    ) -> None:
        """Watch rows leave.

        Args:
            theme: Knows how long movements take, and whether they are welcome.
            table: Shows the rows.
            index_of: Where the row of an id stands; invalid if it is not on show.
            id_at: The id of the row at a position; None for a heading.
        """
        super().__init__(table)
        self._theme = theme
        self._table = table
        self._index_of, self._id_at = index_of, id_at
        self._glowing: str | None = None
        self._strength = 0.0
        self._leaving: frozenset[str] = frozenset()
        self._picture: tuple[QRect, QPixmap] | None = None
        self._fading = QVariantAnimation(self)
        self._fading.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.valueChanged.connect(self._on_value_changed)
        self._fading.finished.connect(self._on_finished)
        model = table.model()
        model.rowsAboutToBeRemoved.connect(self._on_rows_about_to_be_removed)
        model.rowsRemoved.connect(self._on_rows_removed)

    def glow(self, row_id: str) -> None:
        """Show that this row was just saved."""
        self._fading.stop()
        duration = self._theme.duration("gentle")
        if not duration:
            return
        self._glowing, self._strength = row_id, 1.0
        self._fading.setDuration(duration)
        self._fading.start()

    def strength_of(self, row_id: str) -> float:
        """How strongly a row glows, from 1 right after the save down to 0."""
        return self._strength if row_id == self._glowing else 0.0

    def expect_leaving(self, row_ids: Collection[str]) -> None:
        """These rows are about to be forgotten; they fold when they go."""
        self._leaving = frozenset(row_ids)

    @Slot(QModelIndex, int, int)
    def _on_rows_about_to_be_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        leaving, self._picture = self._leaving, None
        if not leaving or not self._theme.duration("base") or not self._table.isVisible():
            return
        ids = [self._id_at(row) for row in range(first, last + 1)]
        if len(ids) > _MOST_FOLDED or not any(one in leaving for one in ids):
            return
        model, viewport = self._table.model(), self._table.viewport()
        box = QRect()
        for row in range(first, last + 1):
            box = box.united(self._table.visualRect(model.index(row, 0)))
        box = box.intersected(viewport.rect())
        if not box.isEmpty():
            self._picture = box, viewport.grab(box)

    @Slot()
    def _on_rows_removed(self) -> None:
        if self._picture is None:
            return
        box, picture = self._picture
        self._picture, self._leaving = None, frozenset()
        ghost = QLabel(self._table.viewport())
        ghost.setPixmap(picture)
        ghost.setAlignment(Qt.AlignmentFlag.AlignTop)
        ghost.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        ghost.setGeometry(box)
        ghost.setMinimumSize(1, 0)
        ghost.show()
        collapse(ghost, self._theme)

    @Slot(object)
    def _on_value_changed(self, value: object) -> None:
        self._strength = cast("float", value)
        self._repaint()

    @Slot()
    def _on_finished(self) -> None:
        self._repaint()
        self._glowing = None

    def _repaint(self) -> None:
        if self._glowing is not None:
            index = self._index_of(self._glowing)
            if index.isValid():
                self._table.viewport().update(self._table.visualRect(index))
