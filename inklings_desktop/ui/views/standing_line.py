"""The line below an empty workspace: which built-in entries are written and which are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from inklings_desktop.ui.views.inspector_labels import Dot, plain_label
from inklings_desktop.ui.widgets.link_button import LinkButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.presenters.standing_words import StandingPart
    from inklings_desktop.ui.theme import Theme

_MID = Qt.AlignmentFlag.AlignCenter


class StandingLine(QWidget):
    """Says what an agent reads before the first turn.

    Signals:
        entry_requested: Id of the entry whose name was pressed.
    """

    entry_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("standingLine")
        self._theme = theme
        self._parts: tuple[StandingPart, ...] = ()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 26, 0, 0)
        self._row.setSpacing(6)
        self._dots: list[QWidget] = []
        self._pieces: list[QWidget] = []

    def show_parts(self, parts: Sequence[StandingPart]) -> None:
        """Show how the entries stand."""
        if tuple(parts) == self._parts:
            return
        self._parts = tuple(parts)
        while self._row.takeAt(0) is not None:
            pass
        for piece in self._pieces:
            piece.hide()
            piece.deleteLater()
        self._dots = []
        self._pieces = []
        self._row.addStretch(1)
        self._add(plain_label(self.tr("Before the first turn:"), "caption", self))
        for number, part in enumerate(self._parts):
            if number:
                dot = plain_label("\u00b7", "caption", self)
                self._dots.append(dot)
                self._add(dot)
            self._add(self._group(part))
        self._row.addStretch(1)
        self._fit()

    def _add(self, piece: QWidget) -> None:
        self._pieces.append(piece)
        self._row.addWidget(piece, 0, _MID)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Sets the entries below each other where they do not fit side by side."""
        super().resizeEvent(event)
        self._fit()

    def _group(self, part: StandingPart) -> QWidget:
        group = QWidget(self)
        row = QHBoxLayout(group)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Dot(self._theme, "accent", filled=part.is_written, parent=group))
        name = LinkButton(part.name, group)
        name.setProperty("entry", part.entry_id)
        name.setAccessibleDescription(part.words)
        name.clicked.connect(self._on_name_clicked)
        row.addWidget(name)
        row.addWidget(plain_label(part.words, "metaInk", group))
        return group

    def minimumSizeHint(self) -> QSize:
        """No width of its own: it folds."""
        return QSize(0, super().minimumSizeHint().height())

    def _fit(self) -> None:
        needed = sum(piece.sizeHint().width() + 6 for piece in self._pieces)
        ways = QBoxLayout.Direction
        beside = needed <= self.width()
        for dot in self._dots:
            dot.setVisible(beside)
        self._row.setDirection(ways.LeftToRight if beside else ways.TopToBottom)

    @Slot()
    def _on_name_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, LinkButton):
            self.entry_requested.emit(str(sender.property("entry")))
