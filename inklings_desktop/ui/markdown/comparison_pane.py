"""Two texts one below the other, line by line, with a way from change to change and their count."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.cells import Celled, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import on_ground, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import IconMark, elided_label, rule
from inklings_desktop.ui.markdown.diff_view import DiffView

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.markdown.diff_view import Comparison


_PADDING = 8


class LineCount(Celled, QWidget):
    """How many lines came or went, on the ground that the lines have."""

    def __init__(self, theme: Theme, ground: str, parent: QWidget) -> None:
        """No count yet.

        Args:
            ground: ``diffAdd`` or ``diffDel``.
        """
        super().__init__(parent)
        self._theme = theme
        self._is_added = ground == "diffAdd"
        self.stands_on = Ground(ground, "chip")
        self._words = Text("", f"{ground}Ink", "label")
        theme.changed.connect(self._on_theme_changed)
        self.setFixedSize(self.sizeHint())

    def show_count(self, n: int) -> None:
        """Show how many there are."""
        if self._is_added:
            text = counted(n, "+1 line", "+{n} lines")
        else:
            text = counted(n, "\u22121 line", "\u2212{n} lines")
        self._words = replace(self._words, text=text)
        self.setAccessibleName(text)
        self._on_theme_changed()

    def sizeHint(self) -> QSize:
        width = self._words.width(self._theme) + 2 * _PADDING
        return QSize(round(width), self._theme.scaled(20))

    def said(self) -> Said:
        return Said((Line((self._words,), is_centred=True),))

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()


_HEIGHT = 44
_GUTTER = 28
_BUTTON_ROOM = 180  # arrow, the two buttons, gaps and margins


class ComparisonPane(QWidget):
    """Shows a ``Comparison`` and steps through its changes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Comparison | None = None
        self._older = elided_label("", "meta", self)
        self._arrow = IconMark(theme, "arrow-right", "inkSoft", parent=self)
        self._newer = elided_label("", "metaStrong", self)
        self._added = LineCount(theme, "diffAdd", self)
        self._removed = LineCount(theme, "diffDel", self)
        self.previous = IconButton(theme, "arrow-up", tr("Previous change"), parent=self)
        self.previous.setObjectName("previousChange")
        self.next = IconButton(theme, "arrow-down", tr("Next change"), parent=self)
        self.next.setObjectName("nextChange")
        self.diff = named(DiffView(theme, self), "textDiff")
        self.previous.clicked.connect(self.diff.go_to_previous_change)
        self.next.clicked.connect(self.diff.go_to_next_change)
        self._head = QWidget(self)
        on_ground(self._head, "surface")
        row = QHBoxLayout(self._head)
        row.setContentsMargins(_GUTTER, 0, 20, 0)
        row.setSpacing(10)
        row.addWidget(self._older)
        row.addWidget(self._arrow)
        row.addWidget(self._newer, 1)
        row.addWidget(self._added)
        row.addWidget(self._removed)
        row.addSpacing(4)
        row.addWidget(self.previous)
        row.addWidget(self.next)
        vbox(self, self._head, rule(self), (self.diff, 1), margins=0, spacing=0)
        theme.hold_height(self._head, _HEIGHT)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show two texts; the same ones stay where they were scrolled to."""
        if comparison is self._shown or comparison is None:
            return
        is_same = self._shown is not None and self._shown.diff is comparison.diff
        self._shown = comparison
        self._older.setText(comparison.older)
        self._newer.setText(comparison.newer)
        diff = comparison.diff
        self._added.show_count(diff.n_added)
        self._removed.show_count(diff.n_removed)
        self._place_counts()
        for button in (self.previous, self.next):
            button.setEnabled(diff.has_changes)
        if not diff.has_changes:
            self._newer.setText(tr("{name}: the same text").format(name=comparison.newer))
        if not is_same:
            self.diff.show_diff(diff)
        self.diff.setAccessibleName(
            tr("Changes from {older} to {newer}").format(
                older=comparison.older, newer=comparison.newer
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the numbers of lines out where the names need the room."""
        super().resizeEvent(event)
        self._place_counts()

    def _place_counts(self) -> None:
        if self._shown is None:
            return
        diff, parts = self._shown.diff, (self._older, self._newer, self._added, self._removed)
        wanted = sum(part.sizeHint().width() for part in parts) + _BUTTON_ROOM
        fits = wanted <= self.width()
        self._added.setVisible(fits and bool(diff.n_added))
        self._removed.setVisible(fits and bool(diff.n_removed))
