"""What is shown when the data cannot be opened: what happened, what holds, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, FlowLayout, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme

_CARD_WIDTH = 640
_MARGIN = 48
_ICON, _WELL = 24, 44
_FACT_WIDTH = 380


class ProblemPage(QWidget):
    """One card in the middle of an otherwise empty window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._details: tuple[tuple[str, str], ...] = ()
        self._icon = named(IconMark(theme, "warning-circle", "ochre", _ICON, self), "problemMark")
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._icon.setFixedSize(_WELL, _WELL)
        self._title = plain_label("", "display", self, wraps=True)
        self._text = plain_label("", "body", self, wraps=True)
        self._facts = QFormLayout()
        self._facts.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._facts.setHorizontalSpacing(40)
        self._facts.setVerticalSpacing(6)
        copy = LinkButton(tr("Copy details"), self)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details()))
        buttons = self._make_buttons()
        self.folder = LinkButton(tr("Choose another folder\u2026"), self)
        links = hbox(None, self.folder, copy, STRETCH, spacing=16)
        self._foot = plain_label("", "caption", self)
        self._foot.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words = vbox(None, self._title, self._text, 8, self._facts, 8, buttons, links, spacing=12)
        self._lay_out(words)
        on_ground(self, "canvas")

    def _make_buttons(self) -> FlowLayout:
        self.retry = QPushButton(tr("Try again"), self)
        self.retry.setProperty("kind", "primary")
        self.repair = QPushButton(tr("Repair"), self)
        self.open_copy = QPushButton(tr("Open the copy"), self)
        self.export = QPushButton(tr("Export what can be read"), self)
        buttons = FlowLayout(gap=10, line_gap=10)
        for button in (self.retry, self.repair, self.open_copy, self.export):
            buttons.addWidget(button)
        self.offer_rescue(has_copy=False, is_damaged=False)
        return buttons

    def _lay_out(self, words: QVBoxLayout) -> None:
        card = QFrame(self)
        card.setProperty("card", "true")
        card.setFixedWidth(self._theme.scaled(_CARD_WIDTH))
        inside = hbox(card, margins=(_MARGIN, 36, _MARGIN, 32), spacing=24)
        fill(inside, (self._icon, 0, Qt.AlignmentFlag.AlignTop), (words, 1))
        layout = vbox(self, STRETCH, spacing=20)
        row = QHBoxLayout()  # aligned, it would be as high as its words need across the window
        fill(row, STRETCH, card, STRETCH)
        fill(layout, row, self._foot, STRETCH)

    def show_problem(
        self,
        title: str,
        text: str,
        details: Sequence[tuple[str, str]],
        *,
        foot: str = "",
        icon: str = "warning-circle",
    ) -> None:
        """Say what happened, with the facts below.

        Args:
            title: What happened.
            text: What holds and what to do.
            details: Names and facts.
            foot: A sentence below the card; may be empty.
            icon: Name of the mark beside the title.
        """
        self._foot.setText(foot)
        self._foot.setVisible(bool(foot))
        self._icon.show_icon(icon, "ochre")
        self._title.setText(title.rstrip("."))  # a large title has none
        self._text.setText(text)
        self._details = tuple(details)
        while self._facts.rowCount():
            self._facts.removeRow(0)
        for name, value in details:
            caption = plain_label(name, "caption", self)
            caption.setMinimumHeight(self._theme.line("body"))
            fact = plain_label(value, "metaInk", self, wraps=True)
            fact.setMinimumHeight(self._theme.line("body"))
            fact.setMinimumWidth(_FACT_WIDTH)
            fact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._facts.addRow(caption, fact)
        self.retry.setFocus()

    def offer_rescue(
        self, *, has_copy: bool, is_damaged: bool, is_repairable: bool = False
    ) -> None:
        """Offer what helps a damaged database, and only that.

        Args:
            has_copy: Whether there is a copy of it.
            is_damaged: Whether it is damaged at all.
            is_repairable: Whether a repair loses nothing.
        """
        self.repair.setVisible(is_repairable)
        self.open_copy.setVisible(has_copy)
        self.export.setVisible(is_damaged)

    def details(self) -> str:
        """Everything on the card as plain text."""
        facts = [f"{name}: {value}" for name, value in self._details]
        return "\n".join([self._title.text(), self._text.text(), *facts])
