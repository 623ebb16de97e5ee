"""Every key, where it acts and what it does, in columns, from the register of commands; a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.dialogs.process_dialog import PaperDialog
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.marks.key_hints import KeyHint, KeyHints, on_caps
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.ops.commands import Where

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.commands import Commands

_COLUMN_GAP = 36


class KeyColumns(QWidget):
    """Sections by place, shared out over the columns.

    Attributes:
        lines: Keys and what they do, by where.
    """

    def __init__(
        self, theme: Theme, commands: Commands, parent: QWidget, *, n_columns: int = 2
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.lines: dict[Where, tuple[tuple[tuple[str, ...], str], ...]] = {
            where: _lines(commands, where) for where in Where
        }
        shown = [where for where, lines in self.lines.items() if lines]
        total = sum(len(self.lines[where]) + 2 for where in shown)
        columns = [vbox(None, spacing=4) for _ in range(n_columns)]
        used = 0
        for where in shown:
            self._add_section(columns[min(n_columns - 1, used * n_columns // total)], where)
            used += len(self.lines[where]) + 2
        row = hbox(self, margins=0, spacing=_COLUMN_GAP)
        for column in columns:
            column.addStretch(1)
            row.addLayout(column, 1)

    def _add_section(self, column: QVBoxLayout, where: Where) -> None:
        heading = plain_label(self._name(where), "label", self)
        heading.setContentsMargins(0, 14, 0, 2)
        column.addWidget(heading)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        for number, (keys, text) in enumerate(self.lines[where]):
            words = plain_label(text, "body", self)
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
            Where.WINDOW: tr("Anywhere"),
            Where.MEMORY: tr("Memory"),
            Where.LIST: tr("In the list of memories"),
            Where.INSPECTOR: tr("In the inspector"),
            Where.ENTRIES: tr("Named entries"),
            Where.MARKDOWN: tr("In a Markdown text"),
            Where.PREVIEW: tr("Next turn preview"),
            Where.WORLD: tr("World"),
            Where.KNOWLEDGE: tr("Knowledge"),
            Where.CONVERSATION: tr_as("a page", "Conversation"),
            Where.CONTROL: tr("Control plane"),
            Where.SETTINGS: tr("Settings"),
        }[where]


def _lines(commands: Commands, where: Where) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Keys and what they do, actions first."""
    named = [
        (one.keys, str(one.action.property("bareText") or one.name).rstrip("\u2026"))
        for one in commands.with_keys(where)
    ]
    handled = [(one.keys, one.text) for one in commands.handled() if one.where is where]
    return (*named, *handled)


_SIZE = QSize(900, 700)
_MARGIN = 28
_BAR = 14


class KeyboardDialog(PaperDialog):
    """Sections by place, in two columns; Escape closes."""

    def __init__(self, theme: Theme, window: QWidget, commands: Commands) -> None:
        super().__init__(theme, window, title=tr("Keyboard"), size=_SIZE)
        self.setObjectName("keyboardSheet")
        self.show_head(tr("Keyboard"), tr("Single letters act while the list has the keyboard."))
        inner = KeyColumns(theme, commands, self)
        # The bar stands in the margin; it would push the keys out of line with the cross.
        inner.setContentsMargins(_MARGIN, 12, _MARGIN - _BAR, 24)
        self.lines = inner.lines
        self.area = named(QScrollArea(self), "keyboardList", tr("Keys and what they do"))
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area.viewport().setAutoFillBackground(False)
        self.area.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.body.addWidget(self.area, 1)
