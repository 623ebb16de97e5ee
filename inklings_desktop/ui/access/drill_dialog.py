"""The canary drill of one client: how far it is, what it came to, and every way that was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.ui.access.drill_words import DrillRow, DrillState
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, StepBody, StepFoot, cleared, named
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, vbox
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    plain_label,
    rule,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.marks.meters import ShareBar

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme

SIZE = QSize(760, 680)
_ROW = 30
_DOOR, _ASKED, _REFUSED, _RESULT = 0.33, 0.50, 0.61, 0.66


class DrillLine(QWidget):
    """One way that was tried; with no row it is the head of the table."""

    def __init__(self, theme: Theme, row: DrillRow | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = row
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if row is not None:
            self.setAccessibleName(row.told)
            if not row.is_tight:
                self.setToolTip(plain_tool_tip(row.result))
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """One row of a table."""
        return QSize(self._theme.scaled(320), self._theme.scaled(_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the cells; figures stand at the right of their columns."""
        theme, row, width = self._theme, self._row, self.width()
        painter = QPainter(self)
        label, meta = theme.font("label"), theme.font("meta", tabular=True)
        if row is None:
            cells = (
                (self.tr("Way"), label),
                (self.tr("Door"), label),
                (self.tr("Asked"), label),
                (self.tr("Refused"), label),
                (self.tr("Result"), label),
            )
            roles = ["inkSoft"] * len(cells)
        else:
            cells = (
                (row.path, theme.font("mono")),
                (row.door, meta),
                (row.asked, meta),
                (row.refused, meta),
                (row.result, meta),
            )
            roles = ["ink", "inkSoft", "ink", "ink", "ink" if row.is_tight else "madder"]
        starts = (0.0, width * _DOOR, width * _ASKED, width * _REFUSED, width * _RESULT)
        for number, (text, font) in enumerate(cells):
            is_figure = number in {2, 3}
            room = width - starts[4] if number == len(cells) - 1 else width * _DOOR - 12
            self._write(painter, starts[number], room, text, font, roles[number], right=is_figure)
        painter.end()

    def _write(
        self,
        painter: QPainter,
        x: float,
        room: float,
        text: str,
        font: QFont,
        role: str,
        *,
        right: bool,
    ) -> None:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, room))
        if right:
            x -= metrics.horizontalAdvance(shown) - 16
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        baseline = round(self.height() / 2 + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x, baseline), shown)


class DrillDialog(ProcessDialog[DrillState]):
    """How far a drill is, then what it came to."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title="", size=SIZE)
        self.setObjectName("drillDialog")
        # Another window, such as a client's view, goes on beside it.
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._rows: tuple[DrillRow, ...] = ()
        self._report = ""
        self._said = ""
        self.verdict = named(IconLabel(theme, "bodyStrong", self), "drillVerdict")
        self._step = plain_label("", "meta", self)
        self.bar = ShareBar(theme, parent=self)
        self.bar.setAccessibleName(self.tr("Progress"))
        self._notes = wrapped_label("", "meta", self)
        self._table = vbox(None, spacing=0)
        copy = PushButton(theme, self.tr("Copy report"), icon="copy", parent=self)
        self.copy = named(copy, "drillCopy")
        self.copy.clicked.connect(self._on_copy_clicked)
        self.run = named(PushButton(theme, self.tr("Stop"), parent=self), "drillRun")
        finish = PushButton(theme, self.tr("Done"), kind="primary", parent=self)
        self.finish = named(finish, "drillDone")
        self.finish.clicked.connect(self.leave_requested)
        self._fill()
        self.fit()

    @property
    def rows(self) -> tuple[DrillRow, ...]:
        """Every way on show."""
        return self._rows

    def show_state(self, state: DrillState) -> None:
        """Show how far it is, or what it came to."""
        title = self.tr("Canary drill of {name}").format(name=state.client)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.show_head(
            title,
            self.tr("In a store of its own: nothing of yours is read or changed."),
        )
        is_good = state.is_passed
        self.verdict.show_mark(
            "check" if is_good else "warning-circle", "accent" if is_good else "madder",
            state.verdict,
        )  # fmt: skip
        self._step.setText(state.step)
        self.bar.set_share(state.share)
        self.bar.setAccessibleDescription(f"{state.share:.0%}")
        self._notes.setText("\n".join(state.notes))
        show_parts(
            {
                self.verdict: bool(state.verdict),
                self._step: state.is_running,
                self.bar: state.is_running,
                self._notes: bool(state.notes),
            }
        )
        self.run.setText(self.tr("Stop") if state.is_running else self.tr("Drill again"))
        self._report = state.report
        self.copy.setEnabled(bool(state.report))
        if state.verdict and state.verdict != self._said:
            announce(self, state.verdict)
        self._said = state.verdict
        self._show_rows(state.rows)

    def _show_rows(self, rows: tuple[DrillRow, ...]) -> None:
        if rows == self._rows:
            return
        self._rows = rows
        cleared(self._table)
        for row in (None, *rows) if rows else ():
            fill(self._table, DrillLine(self._theme, row, self), rule(self))

    def _fill(self) -> None:
        about = self.tr(
            "Markers are planted in every place, and everything that reads is asked as this client,"
            " with the rights that it has now. What it may not be told must be in no answer, and"
            " what is closed must be answered like what is not there."
        )
        words = wrapped_label(about, "meta", self)
        parts = (words, self._step, self.bar, self.verdict, self._notes)
        top = vbox(None, *parts, margins=(MARGIN, 18, MARGIN, 14), spacing=10)
        ways = StepBody(self._theme, self.tr("Ways that were tried"), self)
        fill(ways.stack, self._table, STRETCH)
        foot = StepFoot(self)
        fill(foot.row, self.copy, STRETCH, self.run, self.finish)
        self.fill(top, ways, foot)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._report)
        announce(self, self.tr("Copied."))
