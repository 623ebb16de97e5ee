"""The life of a memory, newest first; an edit opens to the text before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.ui.plain_text import plain_tool_tip
from inklings_desktop.ui.views.inspector_labels import (
    Dot,
    ReadingLabel,
    SectionTitle,
    elided_label,
    plain_label,
    wrapped_label,
)
from inklings_desktop.ui.widgets.icon_button import IconButton, PushButton

if TYPE_CHECKING:
    from inklings_desktop.ui.presenters.inspector_state import HistoryLine
    from inklings_desktop.ui.theme import Theme

_FIRST_LINES = 20
_INDENT = 23


class HistoryList(QWidget):
    """The steps of a memory's life, the first twenty until more are asked for."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryHistory")
        self._theme = theme
        self._lines: tuple[HistoryLine, ...] = ()
        self._title = SectionTitle(self.tr("History"), parent=self)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._more = PushButton(theme, "", kind="quiet", small=True, parent=self)
        self._more.setObjectName("historyMore")
        self._more.clicked.connect(self._on_more_clicked)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        stack.addWidget(self._title)
        stack.addSpacing(5)
        stack.addLayout(self._rows)
        stack.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_lines(self, lines: tuple[HistoryLine, ...]) -> None:
        """Show another history; the same one stays as it is, opened edits included."""
        if lines == self._lines:
            return
        self._lines = lines
        while (item := self._rows.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        n_steps = len(lines)
        self._title.remark.setText(
            self.tr("1 event") if n_steps == 1 else self.tr("{n} events").format(n=n_steps)
        )
        self._add_rows(lines[:_FIRST_LINES])
        self._more.setText(self.tr("Show {n} more").format(n=n_steps - _FIRST_LINES))
        self._more.setVisible(n_steps > _FIRST_LINES)

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [*self.findChildren(IconButton), self._more]

    def _add_rows(self, lines: tuple[HistoryLine, ...]) -> None:
        for line in lines:
            self._rows.addWidget(_HistoryRow(self._theme, line, self))

    @Slot()
    def _on_more_clicked(self) -> None:
        self._more.hide()
        self._add_rows(self._lines[_FIRST_LINES:])


class _HistoryRow(QWidget):
    """One step: what, by whom, how long ago."""

    def __init__(self, theme: Theme, line: HistoryLine, parent: QWidget) -> None:
        super().__init__(parent)
        self._toggle: IconButton | None = None
        age = plain_label(line.age, "caption", self)
        age.setToolTip(plain_tool_tip(line.exact))
        head = QHBoxLayout()
        head.setSpacing(5)
        head.addWidget(Dot(theme, "inkFaint", filled=False, parent=self))
        head.addSpacing(10)
        head.addWidget(plain_label(line.title, "metaInk", self))
        who = elided_label(line.by, "caption", self)
        head.addWidget(who, 1)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(3, 0, 0, 0)
        stack.setSpacing(0)
        stack.addLayout(head)
        self.setMinimumHeight(theme.scaled(25))
        self.setToolTip(plain_tool_tip(line.exact))
        if line.detail:
            detail = wrapped_label(line.detail, "caption", self)
            detail.setContentsMargins(_INDENT, 0, 0, 4)
            stack.addWidget(detail)
        if line.earlier_text is not None:
            self._earlier = _EarlierText(theme, line.earlier_text, self)
            self._earlier.hide()
            stack.addWidget(self._earlier)
            self._toggle = IconButton(
                theme,
                "caret-right",
                self.tr("Show the text before this edit"),
                size=14,
                parent=self,
            )
            self._toggle.setObjectName("historyToggle")
            self._toggle.clicked.connect(self._on_toggle_clicked)
            head.addWidget(self._toggle)
        head.addWidget(age)

    @Slot()
    def _on_toggle_clicked(self) -> None:
        if self._toggle is None:
            return
        opening = self._earlier.isHidden()
        self._earlier.setVisible(opening)
        if opening:
            self._toggle.set_icon_name("caret-down", self.tr("Hide the text before this edit"))
        else:
            self._toggle.set_icon_name("caret-right", self.tr("Show the text before this edit"))


class _EarlierText(QFrame):
    """A text as it was, in the reading face, selectable."""

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        stack = QVBoxLayout(self)
        stack.setContentsMargins(12, 8, 12, 8)
        stack.addWidget(ReadingLabel(theme, text, self))
