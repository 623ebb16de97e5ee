"""What other rates would change, on the author's own memories and golden questions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.settings.memory.state import (
    LineFacts,
    band_words,
    golden_lines,
    golden_words,
    move_line,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.background.golden import GoldenComparison
    from inklings_desktop.domain.rooms.rehearsal import Rehearsal
    from inklings_desktop.ui.kit.look.theme import Theme

_FIRST = 3
_MOST = 60
_BADGE = 86
_SIDE = 18


class Shown(StrEnum):
    """What the card lists."""

    ORIENTATION = "orientation"
    GOLDEN = "golden"


class RehearsalCard(QFrame):
    """Rows of what enters and leaves; a foot that says how much changes, and the light.

    Signals:
        golden_wanted: The person wants to see the golden questions.
    """

    golden_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setObjectName("rehearsal")
        self.setAccessibleName(tr("Rehearsal"))
        self._theme = theme
        self._rehearsal: Rehearsal | None = None
        self._golden: GoldenComparison | None = None
        self._is_changed = False
        self._shows_all = False
        self._shown_rows: list[QWidget] = []
        self.switch = SegmentedSwitch(
            theme,
            (
                Segment(Shown.ORIENTATION, tr("Orientation")),
                Segment(Shown.GOLDEN, tr("Golden questions")),
            ),
            tr("What is rehearsed"),
            parent=self,
        )
        self.switch.setObjectName("rehearsed")
        self.switch.choice_changed.connect(self._show)
        head = hbox(None, plain_label(tr("Rehearsal"), "tab", self), STRETCH, self.switch)
        head.setContentsMargins(_SIDE, 12, _SIDE, 10)
        self._rows = vbox(None, spacing=0)
        self._state = wrapped_label("", "meta", self)
        self._state.setContentsMargins(_SIDE, 14, _SIDE, 14)
        self._bands = plain_label("", "metaInk", self)
        self.light = IconLabel(theme, "metaInk", self, wraps=True)
        self.more = LinkButton("", self)
        self.more.clicked.connect(self._on_more_clicked)
        foot = hbox(None, (vbox(None, self._bands, self.light, spacing=4), 1), self.more)
        foot.setContentsMargins(_SIDE, 10, _SIDE, 12)
        vbox(
            self,
            head,
            rule(self),
            self._state,
            self._rows,
            STRETCH,
            rule(self),
            foot,
            margins=0,
            spacing=0,
        )
        self.show_nothing()

    @property
    def shown(self) -> Shown:
        """What is listed."""
        return Shown(self.switch.choice())

    def show_nothing(self) -> None:
        """No rate is moved."""
        self._is_changed = False
        self._rehearsal = self._golden = None
        self._show()

    def show_rehearsing(self) -> None:
        """Rates are moved, and what they would change is being found out."""
        if not self._is_changed:
            self._is_changed = True
            self._show()

    def show_rehearsal(self, rehearsal: Rehearsal) -> None:
        """Show what would enter and leave."""
        self._rehearsal = rehearsal
        self._show()

    def show_golden(self, golden: GoldenComparison) -> None:
        """Show how the golden questions would fare."""
        self._golden = golden
        self._show()

    @property
    def _lacks_golden(self) -> bool:
        """Whether golden questions are listed, and there are none."""
        found = self._golden if self._is_changed else None
        return self.shown is Shown.GOLDEN and found is not None and not found.after

    def texts(self) -> list[str]:
        """The rows on show, top to bottom."""
        return [row.accessibleName() for row in self._shown_rows if isinstance(row, _Line)]

    @Slot()
    def _show(self) -> None:
        for gone in self._shown_rows:
            gone.hide()
            gone.deleteLater()
        self._shown_rows = []
        lines = self._lines()
        n_shown = _MOST if self._shows_all else _FIRST
        for line in lines[:n_shown]:
            self._shown_rows += [_Line(self._theme, line, self), rule(self)]
        for row in self._shown_rows:
            self._rows.addWidget(row)
        state = self._state_words(lines)
        self._state.setText(state)
        self._state.setVisible(bool(state))
        words = tr("Show fewer") if self._shows_all else tr("See all {n}")
        if self._lacks_golden:
            words = tr("Golden questions\u2026")
        self.more.setText(words.format(n=len(lines)))
        self.more.setVisible(len(lines) > _FIRST or self._lacks_golden)
        self._show_foot()

    def _lines(self) -> list[LineFacts]:
        if not self._is_changed:
            return []
        if self.shown is Shown.GOLDEN and self._golden is not None:
            return golden_lines(self._golden)
        if self.shown is Shown.ORIENTATION and self._rehearsal is not None:
            return [move_line(one) for one in self._rehearsal.moves]
        return []

    def _state_words(self, lines: list[LineFacts]) -> str:
        if not self._is_changed:
            return tr("Move a rate to see what an agent would gain or lose.")
        if self.shown is Shown.ORIENTATION:
            if self._rehearsal is None:
                return tr("Rehearsing\u2026")
            return "" if lines else tr("Nothing enters or leaves.")
        if self._golden is None:
            return tr("Asking the golden questions\u2026")
        return "" if lines else tr("No golden questions yet. Keep one, and it is asked here.")

    def _show_foot(self) -> None:
        bands = ""
        if self._is_changed and self._rehearsal is not None:
            bands = tr("Nothing is saved yet. {bands}").format(bands=band_words(self._rehearsal))
        self._bands.setText(bands or tr("Nothing is saved by a rehearsal."))
        self.light.setVisible(self._is_changed and self._golden is not None)
        if self._golden is not None:
            icon, role, words = golden_words(self._golden)
            self.light.show_mark(icon, role, words, inked=role != "inkSoft")

    @Slot()
    def _on_more_clicked(self) -> None:
        if self._lacks_golden:
            self.golden_wanted.emit()
            return
        self._shows_all = not self._shows_all
        self._show()


class _Line(QWidget):
    """A badge at the left; a text, and what follows from it below."""

    def __init__(self, theme: Theme, line: LineFacts, parent: QWidget) -> None:
        super().__init__(parent)
        mark = IconLabel(theme, "metaInk", self)
        mark.show_mark(line.icon, line.role, line.badge, inked=True)
        mark.setFixedWidth(theme.scaled(_BADGE))
        words = vbox(
            None,
            elided_label(line.text, "begins", self),
            elided_label(line.told, "meta", self),
            spacing=2,
        )
        hbox(self, mark, (words, 1), margins=(_SIDE, 8, _SIDE, 8), spacing=8)
        self.setAccessibleName(f"{line.badge}: {line.text}, {line.told}")
