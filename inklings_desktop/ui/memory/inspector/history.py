"""The life of a memory, newest first; a step opens to what it changed and what came since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.look.accessibility import named, stand_after, stand_before
from inklings_desktop.ui.kit.look.layouts import fill, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import (
    Dot,
    SectionTitle,
    elided_label,
    plain_label,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.memory.subject.state import VersionLook

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.subject.state import HistoryLine, VersionDifference

_FIRST_LINES = 20
_INDENT = 21
_STEP, _SINCE = "step", "since"


class HistoryList(QWidget):
    """The steps of a memory's life, the first twenty until more are asked for.

    Signals:
        look_requested: A ``VersionLook``; ``show_difference`` takes the answer.
        restore_requested: Number of the version that is to be the newest.
    """

    look_requested = Signal(object)
    restore_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryHistory")
        self._theme = theme
        self._lines: tuple[HistoryLine, ...] = ()
        self._made: list[_HistoryRow] = []
        self._title = SectionTitle(tr("History"), parent=self)
        self._rows = vbox(None, spacing=0)
        self._more = PushButton(theme, "", kind="quiet", small=True, parent=self)
        self._more.setObjectName("historyMore")
        self._more.clicked.connect(self._on_more_clicked)
        stack = vbox(self, margins=0, spacing=0)
        fill(stack, self._title, 5, self._rows, (self._more, 0, Qt.AlignmentFlag.AlignLeft))

    def show_lines(self, lines: tuple[HistoryLine, ...]) -> None:
        """Show another history; the same one stays as it is, opened steps included."""
        if lines == self._lines:
            return
        self._lines = lines
        n_steps, n_kept = len(lines), 0
        for row, line in zip(self._made, lines[:_FIRST_LINES], strict=False):
            if not row.take(line):
                break
            n_kept += 1
        for row in self._made[n_kept:]:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        del self._made[n_kept:]
        self._title.remark.setText(counted(n_steps, "1 event", "{n} events"))
        self._add_rows(lines[n_kept:_FIRST_LINES])
        self._more.setText(counted(max(0, n_steps - _FIRST_LINES), "Show 1 more", "Show {n} more"))
        self._more.setVisible(n_steps > _FIRST_LINES)

    def show_difference(self, difference: VersionDifference) -> None:
        """Show what was asked for, where it was asked; nothing if that is closed by now."""
        for row in self._made:
            row.show_difference(difference)

    def _add_rows(self, lines: tuple[HistoryLine, ...]) -> None:
        for line in lines:
            row = _HistoryRow(self._theme, line, self)
            self._made.append(row)
            self._rows.addWidget(row)
            if row.toggle is not None:
                stand_before(self._more, [row.toggle])

    @Slot()
    def _on_more_clicked(self) -> None:
        self._more.hide()
        self._add_rows(self._lines[_FIRST_LINES:])


class _HistoryRow(QWidget):
    """One step: what, by whom, how long ago."""

    def __init__(self, theme: Theme, line: HistoryLine, history: HistoryList) -> None:
        super().__init__(history)
        self._theme, self._line, self._history = theme, line, history
        self.toggle: IconButton | None = None
        self._panel: _VersionPanel | None = None
        self._age = plain_label("", "caption", self)
        head = hbox(None, spacing=5)
        head.addWidget(Dot(theme, "inkFaint", filled=False, size=10, parent=self))
        head.addSpacing(6)
        self._title = plain_label("", "metaInk", self)
        head.addWidget(self._title)
        self._by = elided_label("", "caption", self)
        head.addWidget(self._by, 1)
        self._stack = vbox(self, head, margins=(3, 0, 0, 0), spacing=0)
        self.setMinimumHeight(theme.scaled(25))
        if line.detail:
            detail = wrapped_label(line.detail, "caption", self)
            detail.setContentsMargins(_INDENT, 0, 0, 4)
            self._stack.addWidget(detail)
        if line.opens:
            self.toggle = IconButton(
                theme, "caret-right", self._toggle_name(opens=True), size=14, parent=self
            )
            self.toggle.setObjectName("historyToggle")
            self.toggle.clicked.connect(self._on_toggle_clicked)
            head.addWidget(self.toggle)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        head.addWidget(self._age)
        self._say(line)

    def take(self, line: HistoryLine) -> bool:
        """Be about another step; whether it can, as one whose step opens or says more cannot."""
        is_plain = not any(one.opens or one.detail for one in (self._line, line))
        if is_plain:
            self._say(line)
        return is_plain

    def _say(self, line: HistoryLine) -> None:
        self._line = line
        self._title.setText(line.title)
        self._by.setText(line.by)
        self._age.setText(line.age)
        for part in (self, self._age):
            part.setToolTip(plain_tool_tip(line.exact))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click anywhere on the line does what its mark does."""
        panel = self._panel
        end = panel.y() if panel is not None and not panel.isHidden() else self.height()
        is_on_line = self.rect().contains(event.position().toPoint()) and event.position().y() < end
        if self.toggle is not None and event.button() is Qt.MouseButton.LeftButton and is_on_line:
            self.toggle.click()
        else:
            super().mouseReleaseEvent(event)

    def show_difference(self, difference: VersionDifference) -> None:
        """Show it if this is the step it belongs to."""
        if self._panel is not None:
            self._panel.show_difference(difference)

    def _toggle_name(self, *, opens: bool) -> str:
        if self._line.is_edit or self._line.differs:
            return tr("Show what changed") if opens else tr("Hide what changed")
        return tr("Show this version") if opens else tr("Hide this version")

    @Slot()
    def _on_toggle_clicked(self) -> None:
        if self.toggle is None:
            return
        if self._panel is None:
            self._panel = _VersionPanel(self._theme, self._line, self._history, self)
            self._panel.hide()
            self._panel.setCursor(Qt.CursorShape.ArrowCursor)
            self._stack.addWidget(self._panel)
            stand_after(self.toggle, self._panel.stops)
        opens = self._panel.isHidden()
        self._panel.setVisible(opens)
        icon = "caret-down" if opens else "caret-right"
        self.toggle.set_icon_name(icon, self._toggle_name(opens=not opens))
        if opens:
            self._panel.look()


class _VersionPanel(QFrame):
    """What a step changed or what came since, and the way back to it."""

    def __init__(
        self, theme: Theme, line: HistoryLine, history: HistoryList, parent: QWidget
    ) -> None:
        super().__init__(parent)
        assert line.version is not None
        self._history = history
        self._version = line.version
        self._shows_since = not line.is_edit
        self.setObjectName("versionPanel")
        self.setProperty("card", "true")
        self._choice = SegmentedSwitch(
            theme,
            (Segment(_STEP, tr("This change")), Segment(_SINCE, tr("Since then"))),
            tr("What to compare"),
            height=26,
            parent=self,
        )
        self._choice.setObjectName("versionChoice")
        self._choice.choose(_SINCE if self._shows_since else _STEP)
        self._choice.choice_changed.connect(self._on_choice_changed)
        self._choice.setVisible(line.is_edit and line.differs)
        self.diff = named(DiffView(theme, self, compact=True), "versionDiff")
        self.diff.setVisible(line.is_edit or line.differs)
        self._same = wrapped_label(
            tr("Only importance, lifetime or tags changed."),
            "caption",
            self,
        )
        self._same.setVisible(not (line.is_edit or line.differs))
        self.restore = PushButton(
            theme,
            tr("Restore this version"),
            icon="arrow-counter-clockwise",
            small=True,
            parent=self,
        )
        self.restore.setObjectName("versionRestore")
        self.restore.setToolTip(
            tr("Makes it the newest version; today\u2019s stays in the history")
        )
        self.restore.clicked.connect(lambda: self._history.restore_requested.emit(self._version))
        storing(self.restore)
        self.restore.setVisible(line.can_restore)
        self.stops = (*self._choice.buttons(), self.diff, self.restore)
        stack = vbox(self, margins=(8, 8, 8, 8), spacing=8)
        stack.addWidget(self._choice, 0, Qt.AlignmentFlag.AlignLeft)
        stack.addWidget(self.diff)
        stack.addWidget(self._same)
        stack.addWidget(self.restore, 0, Qt.AlignmentFlag.AlignLeft)

    def look(self) -> None:
        """Ask for what is to be shown."""
        if not self.diff.isHidden():
            self._history.look_requested.emit(VersionLook(self._version, self._shows_since))

    def show_difference(self, difference: VersionDifference) -> None:
        """Take the answer if it is what was asked for last."""
        if difference.look == VersionLook(self._version, self._shows_since):
            self.diff.show_diff(difference.diff)

    @Slot(str)
    def _on_choice_changed(self, key: str) -> None:
        self._shows_since = key == _SINCE
        self.look()
