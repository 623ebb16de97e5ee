"""How a memory was found, how strong it is, what put it in its place: the parts of that answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import fill, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import (
    SectionTitle,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.marks.meters import BarList

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.why.facts import FoundRow, OrderFacts, StrengthFacts, WhyFacts

TITLE_GAP = 7
_ROW = 30
_PART_GAP = 12


class FoundTable(QWidget):
    """One line per search and what they add up to."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._found: tuple[FoundRow, ...] = ()
        self._fused = ""
        self._rows = QWidget(self)
        self.note = wrapped_label("", "caption", self)
        self._column = vbox(self, self._rows, TITLE_GAP, self.note, margins=0, spacing=0)
        theme.changed.connect(self._fill)

    def show_found(self, found: tuple[FoundRow, ...], fused: str, note: str) -> None:
        """Show what each search found; without any only the note."""
        self.note.setText(note)
        if (found, fused) != (self._found, self._fused):
            self._found, self._fused = found, fused
            self._fill()

    @Slot()
    def _fill(self) -> None:
        """Build the table anew: it is small, and searches may come and go."""
        old, self._rows = self._rows, QWidget(self)
        at = self._column.indexOf(old)
        self._column.removeWidget(old)  # replaceWidget leaves the old item to nobody
        self._column.insertWidget(at, self._rows)
        old.hide()
        old.deleteLater()
        self._rows.setVisible(bool(self._found))
        if not self._found:
            return
        grid = QGridLayout(self._rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        self._head(grid)
        spoken = []
        for row in self._found:
            place = grid.rowCount()
            icon = QLabel(self._rows)
            ratio = self.devicePixelRatioF()
            icon.setPixmap(self._theme.pixmap(row.icon, "inkSoft", 16, ratio=ratio))
            grid.addWidget(icon, place, 0)
            words = f"{row.name}  {row.detail}".rstrip()
            name = wrapped_label(words, "metaInk", self._rows)
            grid.addWidget(name, place, 1)
            self._figure(grid, place, 2, row.rank)
            self._figure(grid, place, 3, row.figure)
            self._rule(grid)
            spoken.append(", ".join(part for part in (words, row.rank, row.figure) if part))
        if self._fused:
            place = grid.rowCount()
            grid.addWidget(plain_label(tr("Both together"), "metaStrong"), place, 0, 1, 2)
            self._figure(grid, place, 3, self._fused, "metaStrong")
            self._rule(grid)
            spoken.append(tr("both together {score}").format(score=self._fused))
        self._rows.setAccessibleName(tr("How it was found"))
        self._rows.setAccessibleDescription("; ".join(spoken))

    def _head(self, grid: QGridLayout) -> None:
        grid.addWidget(plain_label(tr("Search"), "label"), 0, 0, 1, 2)
        self._figure(grid, 0, 2, tr("Rank"), "label")
        self._figure(grid, 0, 3, tr("Measured"), "label")
        self._rule(grid)

    def _figure(
        self, grid: QGridLayout, row: int, column: int, text: str, style: str = "metaInk"
    ) -> None:
        label = plain_label(text, style)
        label.setFont(self._theme.font("meta", tabular=True))
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        grid.addWidget(label, row, column, side)
        grid.setRowMinimumHeight(row, self._theme.scaled(_ROW))

    def _rule(self, grid: QGridLayout) -> None:
        grid.addWidget(rule(self._rows), grid.rowCount(), 0, 1, 4)


class StrengthPart(QWidget):
    """How relevant a memory is now, and the factors of that."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = SectionTitle(tr("How strong it is now"), remark_style="metaStrong", parent=self)
        self._figure = title.remark
        self.bars = BarList(theme, self, has_tracks=True)
        self.bars.setAccessibleName(tr("How strong it is now"))
        vbox(self, title, self.bars, margins=0, spacing=TITLE_GAP)

    def show_strength(self, facts: StrengthFacts) -> None:
        """Show another memory's."""
        self._figure.setText(facts.figure)
        self.bars.set_bars(facts.bars)


class OrderPart(QWidget):
    """The engine's arithmetic of one place, its factors by name; hidden where there is none."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = BarList(theme, self)
        self.bars.setAccessibleName(title)
        self.formula = plain_label("", "mono", self)
        self.formula.setProperty("well", "true")
        self.formula.setWordWrap(True)
        self.formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note = wrapped_label("", "caption", self)
        parts = (plain_label(title, "label", self), self.bars, self.formula, self.note)
        vbox(self, *parts, margins=0, spacing=TITLE_GAP)

    def show_order(self, facts: OrderFacts | None) -> None:
        """Show another memory's."""
        self.setVisible(facts is not None)
        if facts is not None:
            self.bars.set_bars(facts.bars)
            self.formula.setText(facts.formula)
            self.formula.setAccessibleName(facts.spoken)
            self.note.setText(facts.note)


class WhyPart(QWidget):
    """One sentence why a memory is there; tables and arithmetic behind *Details*."""

    def __init__(
        self, theme: Theme, order: str, *, has_strength: bool = False, parent: QWidget | None = None
    ) -> None:
        """Show nothing yet.

        Args:
            order: What stands above the arithmetic of its place.
            has_strength: Whether the details say how strong it is as well.
        """
        super().__init__(parent)
        self.sentence = named(wrapped_label("", "metaInk", self), "whySentence")
        self.more = named(LinkButton(tr("Details"), self), "whyFigures")
        self.more.setAccessibleDescription(tr("Shows the figures, or hides them"))
        self._figures = QWidget(self)
        self.more.clicked.connect(lambda: self._figures.setVisible(self._figures.isHidden()))
        self.found = FoundTable(theme, self._figures)
        self.strength = StrengthPart(theme, self._figures) if has_strength else None
        self.order = OrderPart(theme, order, self._figures)
        parts = [self.found, *([self.strength] if self.strength else []), self.order]
        vbox(self._figures, *parts, margins=(0, _PART_GAP, 0, 0), spacing=_PART_GAP)
        self._figures.hide()
        column = vbox(self, self.sentence, margins=0, spacing=2)
        fill(column, (self.more, 0, Qt.AlignmentFlag.AlignLeft), self._figures)

    def show_why(self, why: WhyFacts) -> None:
        """Show another memory's; what is open stays open."""
        self.sentence.setText(why.sentence)
        self.found.show_found(why.found, why.fused, why.found_note)
        if self.strength is not None:
            self.strength.show_strength(why.strength)
        self.order.show_order(why.order)
