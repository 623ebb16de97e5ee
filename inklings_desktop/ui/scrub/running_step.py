"""While a scrub removes: which step it has reached, and why it cannot be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inklings_desktop.ui.kit.dialogs.pieces import (
    Headline,
    IconMark,
    StepBody,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.scrub.result_words import running_title, step_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.scrub.state import ScrubProgress, ScrubState

STEPS = ("count", "remove", "index", "compact", "backups", "search")
_LINE_HEIGHT = 34


class RunningBody(StepBody):
    """One line per step: done, under way, still to come."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(self.tr("Scrub in progress"))
        self._said = ""
        self.headline = Headline(theme, parent=self.column)
        about = plain_label(
            self.tr("This takes a few seconds. It cannot be stopped halfway."), "body", self.column
        )
        frame = card(self.column, margins=(18, 10, 18, 10))
        self.lines = {step: _StepLine(theme, step_text(step), frame) for step in STEPS}
        for line in self.lines.values():
            column_of(frame).addWidget(line)
        self._safety = plain_label(
            self.tr(
                "If the computer stops meanwhile, what was begun is finished at the next start."
            ),
            "meta",
            self.column,
        )
        self._safety.setWordWrap(True)
        self.stack.addSpacing(2)
        self.stack.addWidget(self.headline)
        self.stack.addSpacing(2)
        self.stack.addWidget(about)
        self.stack.addSpacing(16)
        self.stack.addWidget(frame)
        self.stack.addSpacing(12)
        self.stack.addWidget(self._safety)
        self.stack.addStretch(1)

    def show_state(self, state: ScrubState) -> None:
        """Show how far it has come."""
        self.headline.setText(running_title(state.manifest))
        progress = state.progress
        reached = STEPS.index(progress.step) if progress.step in STEPS else len(STEPS)
        for number, line in enumerate(self.lines.values()):
            if number < reached:
                line.show_done()
            elif number == reached:
                line.show_running(_how_far(progress))
            else:
                line.show_waiting()
        if progress.step != self._said:
            self._said = progress.step
            announce(self, step_text(progress.step))


class RunningFoot(StepFoot):
    """Nothing to press: it ends by itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = plain_label("", "meta", self)
        self.hint.setObjectName("scrubRunningHint")
        self.row.addWidget(self.hint, 1)

    def show_state(self, state: ScrubState) -> None:
        """Say why it does not close, once closing was tried."""
        said = (
            self.tr("Removal has begun, so this stays open until it is finished.")
            if state.is_close_refused
            else self.tr("The result follows by itself.")
        )
        if said != self.hint.text():
            self.hint.setText(said)
            if state.is_close_refused:
                announce(self.hint, said)


class _StepLine(QWidget):
    """One step with its mark."""

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = text
        self._mark = IconMark(theme, "circle", "inkFaint", 16, self)
        self._words: QLabel = plain_label(text, "fact", self)
        self._figure = plain_label("", "meta", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self._mark)
        row.addWidget(self._words, 1)
        row.addWidget(self._figure)
        self.setMinimumHeight(theme.scaled(_LINE_HEIGHT))
        self.show_waiting()

    def show_done(self) -> None:
        """It is behind us."""
        self._show("check-circle", "accent", self.tr("done"), "")

    def show_running(self, figure: str) -> None:
        """It is under way."""
        self._show("arrows-clockwise", "lapis", self.tr("under way"), figure)

    def show_waiting(self) -> None:
        """It is still to come."""
        self._show("circle", "inkFaint", self.tr("to come"), "")

    def _show(self, icon: str, role: str, spoken: str, figure: str) -> None:
        self._mark.show_icon(icon, role)
        self._figure.setText(figure)
        self.setAccessibleName(f"{self._text}: {spoken} {figure}".strip())


def _how_far(progress: ScrubProgress) -> str:
    if not progress.total:
        return ""
    figure = QLocale().toString
    return f"{figure(progress.done)} / {figure(progress.total)}"
