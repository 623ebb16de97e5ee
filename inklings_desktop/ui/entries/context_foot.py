"""The foot of the named entries list: how much is always in context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QBoxLayout, QLabel, QVBoxLayout, QWidget

from inklings_desktop.domain.entries.named_entry import TOTAL_SOFT_LIMIT, about_tokens
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.marks.meters import ContextMeter, MeterShare
from inklings_desktop.ui.kit.words.entry_facts import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.entries.list_rows import ContextShare
    from inklings_desktop.ui.kit.look.theme import Theme

_GUTTER = 20
_SMALL = 12


class ContextFoot(QWidget):
    """The meter of all entries together, its figures, and what they mean."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.meter = ContextMeter(theme, TOTAL_SOFT_LIMIT, self)
        self.meter.setObjectName("contextMeter")
        self.figures = plain_label("", "meta", self)
        self.figures.setObjectName("contextFigures")
        self.meaning = QLabel(self)
        self.meaning.setWordWrap(True)
        self.meaning.setObjectName("contextMeaning")
        self._name = plain_label(self.tr("Always in context"), "label", self)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head.setSpacing(2)
        self._head.addWidget(self._name, 1)
        self._head.addWidget(self.figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(_GUTTER, 15, _GUTTER, 14)
        column.setSpacing(9)
        column.addLayout(self._head)
        column.addWidget(self.meter)
        column.addWidget(self.meaning)
        self._theme = theme
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.show_shares(())

    def show_shares(self, shares: Sequence[ContextShare]) -> None:
        """Show how much of the context each entry takes."""
        self.meter.show_shares(
            [MeterShare(one.name, one.n_characters, one.role, one.is_second) for one in shares]
        )
        total = self.meter.n_characters()
        self.figures.setText(
            self.tr("{n} of {limit} chars").format(
                n=grouped(total), limit=grouped(TOTAL_SOFT_LIMIT)
            )
        )
        tokens = grouped(about_tokens(total))
        self.meaning.setText(
            self.tr(
                "About {n} tokens at the head of every turn. Longer than is good: memories get "
                "what is left."
            ).format(n=tokens)
            if self.meter.is_over()
            else self.tr(
                "About {n} tokens at the head of every turn. Never ranked, never faded, never "
                "crowded out."
            ).format(n=tokens)
        )

    def minimumSizeHint(self) -> QSize:
        """As narrow as one likes: the figures then go below their name."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the figures below their name where both do not fit in a line."""
        super().resizeEvent(event)
        self._place_figures()

    def _place_figures(self) -> None:
        wanted = self._name.sizeHint().width() + self.figures.sizeHint().width() + 8
        fits = wanted <= self.width() - 2 * _GUTTER
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._head.setDirection(across if fits else down)

    @Slot()
    def _on_theme_changed(self) -> None:
        small = self._theme.scaled(_SMALL)
        colour = self._theme.color("inkFaint").name()
        self.meaning.setStyleSheet(f"font-size: {small}px; color: {colour};")
        self._place_figures()
