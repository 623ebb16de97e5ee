"""The rates as a table: a slider and a field for each tier, and what each rate means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QSizePolicy, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.sliders import LineSlider
from inklings_desktop.ui.kit.controls.toggles import Switch
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, restyle, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.settings.memory.state import (
    FADING_CONVERSATION,
    HIGHEST,
    LOWEST,
    N_STEPS,
    WEEK_HOURS,
    half_life_words,
    left_after,
    rate_from,
    rate_of,
    rate_words,
    share_words,
    step_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QLabel

    from inklings_desktop.domain.rooms.rehearsal import TierShift
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.settings.memory.state import Rates

_HEAD, _ROW = 30, 38
_FIELD = 68
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WEEK_COLUMN = 4
_FIGURES = {3: 148, 4: 108, 5: 104}


class Figure(QWidget):
    """A figure; while it is another than what holds, it is bold and says what it was."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._now = plain_label("", "meta", self)
        self._strong = plain_label("", "metaStrong", self)
        self._was = plain_label("", "meta", self)
        hbox(self, STRETCH, self._now, self._strong, self._was, margins=0, spacing=0)

    def show_figure(self, now: str, was: str, *, short: str = "") -> None:
        """Show a figure and the one that holds; nothing is said of two that read the same.

        Args:
            now: What is tried.
            was: What holds.
            short: The same in fewer words, where it stands beside the other.
        """
        is_other = now != was
        self._now.setText(now)
        self._strong.setText(now)
        self._was.setText(tr(", was {figure}").format(figure=short or was) if is_other else "")
        self._now.setVisible(not is_other)
        self._strong.setVisible(is_other)
        self._was.setVisible(is_other)

    def text(self) -> str:
        """What is read."""
        return self._now.text() + self._was.text()


@dataclass(slots=True)
class _Row:
    field: QLineEdit
    slider: LineSlider | None
    half: Figure
    week: Figure
    gone: Figure


class RatesCard(QFrame):
    """One line for each tier.

    Signals:
        rate_wanted: A ``Tier`` and the rate that is tried for it.
    """

    rate_wanted = Signal(object, float)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self._theme = theme
        self._rows: dict[Tier, _Row] = {}
        self._ends: list[QLabel] = []
        self._is_narrow = self._fades = False
        self._grid = QGridLayout()
        self._grid.setContentsMargins(18, 0, 18, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        vbox(self, self._grid, margins=0, spacing=0)
        self._week_parts: list[QWidget] = []
        self._add_head()
        self.switch = Switch(theme, tr("Conversation memories fade"), self)
        self.switch.setObjectName("rateConversation")
        self.switch.wanted.connect(
            lambda on: self.rate_wanted.emit(Tier.CONVERSATION, FADING_CONVERSATION if on else 1.0)
        )
        self._still = elided_label(tr("No decay; cleared or summed up at close"), "meta", self)
        self._off = plain_label(tr("off"), "metaInk", self)
        self._add_row(Tier.CONVERSATION)
        self._grid.addWidget(self._off, 2, 2, _RIGHT)
        for tier in (Tier.CHANNEL, Tier.WORKSPACE, Tier.ACCOUNT):
            self._add_row(tier)
        for keys, step in (("[", -1), ("]", 1)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self._nudge(step))
        theme.dress(self._on_theme_dressed)

    def show_rates(self, rates: Rates) -> None:
        """Show what is tried beside what holds."""
        for tier, row in self._rows.items():
            now, was = rates.wanted.rate(tier), rates.saved.rate(tier)
            if row.slider is not None:
                with QSignalBlocker(row.slider):
                    row.slider.setValue(step_of(now))
                row.slider.setAccessibleDescription(self._told(now, was))
            if not row.field.hasFocus() or rate_from(row.field.text()) != now:
                row.field.setText(rate_words(now))
            self._set_valid(row.field, valid=True)
            row.field.setAccessibleDescription(self._told(now, was))
            row.half.show_figure(half_life_words(now), half_life_words(was))
            row.week.show_figure(
                share_words(left_after(now, WEEK_HOURS)), share_words(left_after(was, WEEK_HOURS))
            )
        fades = rates.wanted.conversation < 1.0
        self.switch.show_on(on=fades)
        self._fades = fades
        self._still.setVisible(not fades and not self._is_narrow)
        self._off.setVisible(not fades)
        self._rows[Tier.CONVERSATION].field.setVisible(fades)

    def show_gone(self, shifts: Mapping[Tier, TierShift]) -> None:
        """Show how many have all but faded, and would have."""
        for tier, row in self._rows.items():
            if (shift := shifts.get(tier)) is not None:
                words = tr("{n} of {total}")
                row.gone.show_figure(
                    words.format(n=shift.n_gone_then, total=shift.n_active),
                    words.format(n=shift.n_gone, total=shift.n_active),
                    short=str(shift.n_gone),
                )

    def show_narrow(self, *, narrow: bool) -> None:
        """Leave out what explains, where there is no room."""
        self._is_narrow = narrow
        self._still.setVisible(not self._fades and not narrow)
        for part in (*self._week_parts, *self._ends):
            part.setVisible(not narrow)
        for column, width in _FIGURES.items():  # so that no figure moves what stands beside it
            is_out = narrow and column == _WEEK_COLUMN
            self._grid.setColumnMinimumWidth(column, 0 if is_out else self._theme.scaled(width))

    def _told(self, now: float, was: float) -> str:
        told = tr("{rate}, half gone in {half}").format(
            rate=rate_words(now), half=half_life_words(now)
        )
        if now == was:
            return told
        return tr("{told}, was {was}").format(told=told, was=rate_words(was))

    def _add_head(self) -> None:
        names = (
            tr("Tier"),
            tr("Kept each hour"),
            tr("Rate"),
            tr("Half gone in"),
            tr("After 7 days"),
            tr("Below 0.01"),
        )
        for column, name in enumerate(names):
            label = plain_label(name, "label", self)
            side = Qt.AlignmentFlag.AlignVCenter if column < 2 else _RIGHT  # noqa: PLR2004 - names
            self._grid.addWidget(label, 0, column, side)
            if column == _WEEK_COLUMN:
                self._week_parts.append(label)

    def _add_row(self, tier: Tier) -> None:
        number = 2 * len(self._rows) + 1
        self._grid.addWidget(rule(self), number, 0, 1, 6)
        inked, role = TIER_MARKS[tier]
        name = plain_label(tier_title(tier), "bodyStrong", self)
        mark = TierMark(self._theme, inked=inked, role=role, parent=self)
        self._grid.addLayout(hbox(None, mark, name, STRETCH, spacing=9), number + 1, 0)
        slider: LineSlider | None = None
        if tier is Tier.CONVERSATION:
            self._grid.addLayout(
                hbox(None, self.switch, (self._still, 100), STRETCH, spacing=10), number + 1, 1
            )
        else:
            slider = LineSlider(self._theme, (0, N_STEPS), role=role, parent=self)
            slider.setObjectName(f"rate{tier.value.capitalize()}")
            slider.setAccessibleName(tr("{tier}, kept each hour").format(tier=name.text()))
            slider.valueChanged.connect(
                lambda step, tier=tier: self.rate_wanted.emit(tier, rate_of(step))
            )
            low, high = (plain_label(decimal(end, 3), "caption", self) for end in (LOWEST, HIGHEST))
            self._ends += [low, high]
            self._grid.addLayout(hbox(None, low, (slider, 1), high, spacing=8), number + 1, 1)
        field = self._new_field(tier, name.text())
        self._grid.addWidget(field, number + 1, 2, _RIGHT)
        row = _Row(field, slider, Figure(self), Figure(self), Figure(self))
        for column, figure in enumerate((row.half, row.week, row.gone), start=3):
            self._grid.addWidget(figure, number + 1, column)
        self._week_parts.append(row.week)
        self._rows[tier] = row

    def _new_field(self, tier: Tier, name: str) -> QLineEdit:
        field = named(QLineEdit(self), f"field{tier.value.capitalize()}")
        field.setProperty("small", "true")
        field.setAccessibleName(tr("{tier}, rate").format(tier=name))
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setToolTip(tr("Above 0, up to 1; 1 never fades"))
        field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        field.textEdited.connect(lambda text, tier=tier: self._on_text_edited(tier, text))
        return field

    def _on_text_edited(self, tier: Tier, text: str) -> None:
        rate = rate_from(text)
        self._set_valid(self._rows[tier].field, valid=rate is not None)
        if rate is not None:
            self.rate_wanted.emit(tier, rate)

    def _set_valid(self, field: QLineEdit, *, valid: bool) -> None:
        restyle(field, "invalid", "false" if valid else "true")
        if not valid:
            field.setAccessibleDescription(tr("A rate is above 0 and at most 1."))

    def _nudge(self, step: int) -> None:
        for row in self._rows.values():
            if row.slider is not None and (row.slider.hasFocus() or row.field.hasFocus()):
                row.slider.setValue(row.slider.value() + step)

    @Slot()
    def _on_theme_dressed(self) -> None:
        scaled = self._theme.scaled
        self._grid.setRowMinimumHeight(0, scaled(_HEAD))
        for number, row in enumerate(self._rows.values()):
            self._grid.setRowMinimumHeight(2 * number + 2, scaled(_ROW))
            row.field.setFixedWidth(scaled(_FIELD))
            row.field.setFont(self._theme.font("meta", tabular=True))
        self.show_narrow(narrow=self._is_narrow)
