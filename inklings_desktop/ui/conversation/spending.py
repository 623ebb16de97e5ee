"""What a conversation costs beside what it may: the figure in the composer, and the budget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout

from inklings_desktop.acp_wire.shapes import dict_of, line_of, number_of
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.settings import SETTINGS, Number
from inklings_desktop.ui.kit.controls.number_field import NumberField
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.words.money import money

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.agent_settings import AgentSettings
    from inklings_desktop.ui.kit.look.theme import Theme

TURN, DAY = "agent.turn_cost", "agent.daily_cost"
"""Places of the two ceilings in the settings."""
MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Spending:
    """What was spent, in millionths of a currency; None for not told.

    Attributes:
        turn: In the latest turn.
        talk: In the conversation.
        day: Today, everywhere.
        currency: Its code; empty for not told.
        turn_ceiling: From where a turn asks, in whole units of the currency; 0 for nowhere.
        day_ceiling: The same for a day.
    """

    turn: int | None
    talk: int
    day: int | None
    currency: str
    turn_ceiling: float
    day_ceiling: float

    @property
    def _shown(self) -> tuple[str, int, float]:
        """What the composer shows: of what, how much, and its ceiling."""
        if self.turn is not None and self.turn_ceiling:
            return tr("This turn"), self.turn, self.turn_ceiling
        if self.day is not None and self.day_ceiling:
            return tr("Today"), self.day, self.day_ceiling
        return tr("This conversation"), self.talk, 0.0

    @property
    def share(self) -> float | None:
        """How much of its ceiling is spent, from 0; None where there is no ceiling."""
        _, spent, ceiling = self._shown
        return spent / MICRO / ceiling if ceiling else None

    def words(self, *, narrow: bool = False) -> str:
        """The figure beside its ceiling; narrow, the figure alone."""
        _, spent, ceiling = self._shown
        if narrow or not ceiling:
            return self.about(spent)
        most = money(round(ceiling * MICRO), self.currency)
        return tr("about {cost} of {most}").format(cost=money(spent, self.currency), most=most)

    def told(self) -> str:
        """The same, and what it is the figure of."""
        return f"{self._shown[0]}: {self.words()}"

    def about(self, spent: int | None) -> str:
        """An amount in words."""
        if not spent:
            return tr("nothing") if spent == 0 else tr("not told")
        return tr("about {cost}").format(cost=money(spent, self.currency))


def spending_of(thread: ThreadState, settings: AgentSettings) -> Spending | None:
    """What a conversation with a model costs; None where that is nothing, or is not told."""
    usage, cost = thread.usage, dict_of(thread.usage.get("cost"))
    amount = cost.get("amount")
    if is_free(thread) or not isinstance(amount, int | float):
        return None
    return Spending(
        number_of(usage.get("turn_micro")),
        round(amount * MICRO),
        number_of(usage.get("day_micro")),
        line_of(cost.get("currency"), 20),
        settings.turn_cost,
        settings.daily_cost,
    )


def is_free(thread: ThreadState) -> bool:
    """Whether what answered last is known to cost nothing."""
    return thread.usage.get("local") is True


class CeilingField(NumberField):
    """An amount of money."""

    def figure(self, number: float) -> str:
        return f"{number:.2f}"


class BudgetPopover(Popover):
    """What was spent, row by row, and the two ceilings.

    Signals:
        ceiling_wanted: Place of a ceiling in the settings, and what it is to be.
    """

    ceiling_wanted = Signal(str, float)

    def __init__(self, theme: Theme, spending: Spending, parent: QWidget) -> None:
        super().__init__(theme, tr("Budget"), parent)
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setColumnStretch(0, 1)
        right = Qt.AlignmentFlag.AlignRight
        for column, title in ((1, tr("Spent")), (2, tr("Ceiling"))):
            grid.addWidget(plain_label(title, "label", self), 0, column, right)
        self.fields: dict[str, CeilingField] = {}
        for row, (name, spent, place, ceiling, spoken) in enumerate(_rows(spending), start=1):
            grid.addWidget(plain_label(name, "metaInk", self), row, 0)
            grid.addWidget(plain_label(spending.about(spent), "meta", self), row, 1, right)
            kind = SETTINGS.get(place)
            if isinstance(kind, Number):
                field = self.fields[place] = CeilingField(theme, spoken, kind, self)
                field.show_number(ceiling)
                field.number_wanted.connect(partial(self.ceiling_wanted.emit, place))
                # A popup that goes takes the keyboard with it before the field is left.
                self.closed.connect(field.editingFinished)
                grid.addWidget(field, row, 2, right)
        self.body.addLayout(grid)
        foot = tr("A turn asks before it would pass. With 0 nothing asks.")
        self.body.addWidget(plain_label(foot, "caption", self))


def _rows(spending: Spending) -> tuple[tuple[str, int | None, str, float, str], ...]:
    """What each row says: its name, the sum, and the place, value and name of its ceiling."""
    of_turn, of_day = (
        tr("Ask before a turn costs more than"),
        tr("Ask before a day costs more than"),
    )
    return (
        (tr("This turn"), spending.turn, TURN, spending.turn_ceiling, of_turn),
        (tr("This conversation"), spending.talk, "", 0.0, ""),
        (tr("Today"), spending.day, DAY, spending.day_ceiling, of_day),
    )
