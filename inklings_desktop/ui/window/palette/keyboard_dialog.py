"""The keyboard sheet: every key, where it acts and what it does, from the register of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.marks.key_hints import KeyHint, KeyHints, on_caps
from inklings_desktop.ui.kit.ops.commands import Where

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.commands import Commands

_SIZE = QSize(900, 700)
_MARGIN = 28
_COLUMN_GAP = 36
_BAR = 14


class KeyboardDialog(PaperDialog):
    """Sections by place, in two columns; Escape closes."""

    def __init__(self, theme: Theme, window: QWidget, commands: Commands) -> None:
        super().__init__(theme, window, title=self.tr("Keyboard"), size=_SIZE)
        self.setObjectName("keyboardSheet")
        self.show_head(
            self.tr("Keyboard"), self.tr("Single letters act while the list has the keyboard.")
        )
        self.lines: dict[Where, tuple[tuple[tuple[str, ...], str], ...]] = {
            where: _lines(commands, where) for where in Where
        }
        inner = QWidget(self)
        columns = QHBoxLayout(inner)
        # The bar stands in the margin; it would push the keys out of line with the cross.
        columns.setContentsMargins(_MARGIN, 12, _MARGIN - _BAR, 24)
        columns.setSpacing(_COLUMN_GAP)
        total = sum(len(lines) + 2 for lines in self.lines.values() if lines)
        used = 0
        for number in range(2):
            column = QVBoxLayout()
            column.setSpacing(4)
            for where, lines in self.lines.items():
                is_left = used < total / 2
                if not lines or is_left != (number == 0) or where in self._placed:
                    continue
                self._placed = self._placed | {where}
                used += len(lines) + 2
                self._add_section(column, where)
            column.addStretch(1)
            columns.addLayout(column, 1)
        self.area = QScrollArea(self)
        self.area.setObjectName("keyboardList")
        self.area.setAccessibleName(self.tr("Keys and what they do"))
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area.viewport().setAutoFillBackground(False)
        self.area.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.body.addWidget(self.area, 1)

    _placed: frozenset[Where] = frozenset()

    def _add_section(self, column: QVBoxLayout, where: Where) -> None:
        heading = QLabel(self._name(where), self)
        heading.setProperty("textStyle", "label")
        heading.setContentsMargins(0, 14, 0, 2)
        column.addWidget(heading)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        for number, (keys, text) in enumerate(self.lines[where]):
            words = QLabel(text, self)
            words.setProperty("textStyle", "body")
            words.setWordWrap(True)  # a long line must not push the keys out of sight
            words.setAccessibleName(f"{text}: {', '.join(keys)}")
            caps = KeyHints(self._theme, self)
            caps.set_hints((KeyHint(tuple(map(on_caps, keys)), ""),))
            caps.setFixedWidth(caps.sizeHint().width() - 8)
            grid.addWidget(words, number, 0)
            grid.addWidget(caps, number, 1, Qt.AlignmentFlag.AlignRight)
        column.addLayout(grid)

    def _name(self, where: Where) -> str:
        return {
            Where.WINDOW: self.tr("Anywhere"),
            Where.MEMORY: self.tr("Memory"),
            Where.LIST: self.tr("In the list of memories"),
            Where.INSPECTOR: self.tr("In the inspector"),
            Where.ENTRIES: self.tr("Named entries"),
            Where.MARKDOWN: self.tr("In a Markdown text"),
            Where.PREVIEW: self.tr("Next turn preview"),
            Where.CONTROL: self.tr("Control plane"),
        }[where]


def _lines(commands: Commands, where: Where) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Keys and what they do, actions first."""
    named = [(one.keys, one.name.rstrip("\u2026")) for one in commands.with_keys(where)]
    handled = [(one.keys, one.text) for one in commands.handled() if one.where is where]
    return (*named, *handled)
