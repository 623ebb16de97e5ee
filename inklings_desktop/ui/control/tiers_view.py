"""The first tab of the control plane: tiers, background work, worth a look, latest events."""

from __future__ import annotations

from enum import Enum
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.control.cards import LatestEventsCard, TierCard
from inklings_desktop.ui.control.task_table import TasksCard
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.cells import Celled, Icon, Line, Said, Stack, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, on_ground, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import rule, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import PADDING, CardHead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import (
        QEnterEvent,
        QKeyEvent,
        QResizeEvent,
    )

    from inklings_desktop.ui.control.overview_facts import LookFacts, TierFacts
    from inklings_desktop.ui.control.task_table import WorkFacts
    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.ui.kit.look.theme import Theme

_ROW = 53
_ICON = 18
_TEXT = 30


class LookRow(Celled, QAbstractButton):
    """One list: a mark, how many of what, what that means.

    Pressing it opens the list; where several tiers hold some, a menu asks which.

    Signals:
        chosen: The kind of the list and the ``Tier``.
    """

    chosen = Signal(object, object)

    def __init__(self, theme: Theme, facts: LookFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts = facts
        self.setProperty("ring", "inside")  # one around a row would cross the frame of the card
        self.setObjectName(f"look-{facts.kind.value}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)
        self.show_facts(facts)

    @property
    def facts(self) -> LookFacts:
        """What it shows."""
        return self._facts

    def show_facts(self, facts: LookFacts) -> None:
        """Show another count of the same list."""
        self._facts = facts
        self.setText(facts.sentence)
        self.setAccessibleName(facts.sentence)
        self.setAccessibleDescription(facts.told)
        self.setToolTip(plain_tool_tip(facts.told))
        self.update()

    def menu(self) -> QMenu:
        """The tiers that hold some, made anew."""
        menu = QMenu(self)
        for tier, name, count in self._facts.tiers:
            action = menu.addAction(f"{name}\t{count}")
            action.triggered.connect(partial(self.chosen.emit, self._facts.kind, tier))
        return menu

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(260), self._theme.scaled(_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(160), self._theme.scaled(_ROW))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def ground(self) -> Ground:
        return Ground("selected" if self.isDown() else "hover" if self.underMouse() else "")

    def said(self) -> Said:
        facts, theme = self._facts, self._theme
        words = Stack(
            Text(facts.sentence, style="body"),
            Text(facts.note, "inkFaint"),
            gap=theme.scaled(_TEXT) - theme.icon_px(_ICON),
        )
        line = Line((Icon(facts.icon, facts.role, _ICON), words), (Icon("caret-right", gap=8),))
        return Said((line,), PADDING, PADDING)

    @Slot()
    def _on_clicked(self) -> None:
        if len(self._facts.tiers) == 1 or self._facts.is_one_list:
            self.chosen.emit(self._facts.kind, self._facts.tiers[0][0])
            return
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(PADDING + _TEXT, self.height() - 4)))


class LookCard(QFrame):
    """Every list that is not empty, or a calm sentence.

    Signals:
        look_requested: The kind of a list and the ``Tier`` to show it in.
    """

    look_requested = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lookCard")
        self.setProperty("card", "true")
        self.setAccessibleName(tr("Worth a look"))
        self._theme = theme
        self._rows: dict[str, LookRow] = {}
        self._rules: list[QWidget] = []
        self.calm = wrapped_label(
            tr("Nothing needs a look. Fading memories and decisions appear here."),
            "meta",
            self,
        )
        self.calm.setContentsMargins(PADDING, 14, PADDING, 14)
        self._column = vbox(self, margins=(1, 0, 1, 1), spacing=0)
        head = CardHead(theme, tr("Worth a look"), self)
        self.golden = named(LinkButton(tr("Golden questions"), self), "lookGolden")
        head.add(self.golden)
        fill(self._column, head, rule(self), self.calm, STRETCH)
        self.calm.hide()

    @property
    def rows(self) -> tuple[LookRow, ...]:
        """The rows on show, top to bottom."""
        return tuple(self._rows.values())

    def show_looks(self, looks: Sequence[LookFacts]) -> None:
        """Show these lists; a row that stays keeps the keyboard."""
        if [one.kind.value for one in looks] == list(self._rows):
            for one in looks:
                self._rows[one.kind.value].show_facts(one)
        else:
            self._rebuild(looks)
        self.calm.setVisible(not looks)

    def _rebuild(self, looks: Sequence[LookFacts]) -> None:
        before, self._rows = self._rows, {}
        focused = next((key for key, row in before.items() if row.hasFocus()), "")
        for old in (*before.values(), *self._rules):
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._rules.clear()
        place = 2
        for one in looks:
            if self._rows:
                line = rule(self)
                self._rules.append(line)
                self._column.insertWidget(place, line)
                place += 1
            row = LookRow(self._theme, one, self)
            row.chosen.connect(self.look_requested)
            self._column.insertWidget(place, row)
            row.show()  # at once: what the layout shows later cannot take the keyboard now
            place += 1
            self._rows[one.kind.value] = row
        if focused and self._rows:
            row = self._rows.get(focused) or next(iter(self._rows.values()))
            row.setFocus(Qt.FocusReason.OtherFocusReason)


_GUTTER = 24
_TOP = 18
_GAP = 15
_FOUR_FROM = 1040
_BESIDE_FROM = 900
_TASKS_BESIDE_FROM = 1120
_LEFT, _RIGHT = 66, 34


class _Below(Enum):
    """How the cards below the tiers stand to each other."""

    STACKED = "each below the other"
    LATEST_BESIDE = "latest events beside what is worth a look, background work above both"
    TASKS_BESIDE = "background work beside what is worth a look, latest events below both"


class TiersView(QScrollArea):
    """Cards side by side where there is room, else one below the other.

    Signals:
        act_requested: A ``TierAct`` and the ``Tier`` it is wanted for.
    """

    act_requested = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tiersView")
        self._theme = theme
        self._shape: tuple[int, _Below] | None = None
        self._has_tasks = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cards = {tier: TierCard(theme, tier) for tier in Tier}
        self.look = LookCard(theme)
        self.latest = LatestEventsCard(theme)
        self.tasks = TasksCard(theme)
        ground = QWidget(self)
        on_ground(ground, "canvas")
        self._tiers = QGridLayout()
        self._tiers.setSpacing(_GAP)
        self._below = QGridLayout()
        self._below.setSpacing(_GAP)
        self._column = vbox(ground, self._tiers, self._below, STRETCH, spacing=_GAP)
        self.setWidget(ground)
        for card in self.cards.values():
            card.act_requested.connect(self.act_requested)
        theme.dress(self._lay_out)

    def show_tiers(self, cards: Sequence[TierFacts]) -> None:
        """Show the figures of the tiers."""
        for facts in cards:
            self.cards[facts.tier].show_facts(facts)

    def show_looks(self, looks: Sequence[LookFacts]) -> None:
        """Show what is worth a look."""
        self.look.show_looks(looks)
        self._order_tabs()

    def show_events(self, events: Sequence[EventRow]) -> None:
        """Show what happened last, newest first."""
        self.latest.show_events(events)
        self._lay_out()

    def show_work(self, work: WorkFacts) -> None:
        """Show how background work stands."""
        self.tasks.show_work(work)
        for tier, card in self.cards.items():
            card.offer_consolidation(offered=work.can_pause, possible=tier.value in work.tiers)
        if not self._has_tasks:
            self._has_tasks = True
            self._lay_out()

    def show_task(self, key: str) -> bool:
        """Bring the table of background work into view; whether there is one yet.

        Args:
            key: Key of the row that becomes current; empty leaves the current one.
        """
        if not self._has_tasks:
            return False
        if key:
            self.tasks.table.select(key)
        self.tasks.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.ensureWidgetVisible(self.tasks, 0, _GAP)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts cards under each other where the window is narrow."""
        super().resizeEvent(event)
        self._lay_out()

    @Slot()
    def _lay_out(self) -> None:
        self._arrange()
        # Cards end where the head ends, with a scroll bar as without one.
        bar = self.width() - self.viewport().width()
        self._column.setContentsMargins(_GUTTER, _TOP, max(_GUTTER - bar, 0), _GUTTER)
        n_columns, below = self._shape or (4, _Below.STACKED)
        card = next(iter(self.cards.values())).sizeHint().height()
        n_rows = len(Tier) // n_columns
        above = _TOP + n_rows * (card + _GAP) + _GUTTER
        if self._has_tasks:
            height = self.tasks.sizeHint().height()
            if below is _Below.TASKS_BESIDE:
                height = max(height, self.look.sizeHint().height())
            above += height + _GAP
        room = self.viewport().height() - above
        self.latest.set_room(0 if below is _Below.STACKED else room)

    def _order_tabs(self) -> None:
        """Go through the cards as they are read; rows that come later would stand last."""
        _, below = self._shape or (4, _Below.STACKED)
        looks: list[QWidget] = [self.look.golden, *self.look.rows]
        if below is _Below.LATEST_BESIDE:
            looks.insert(0, self.latest.log)
        else:
            looks.append(self.latest.log)
        tasks = self.tasks.stops() if self._has_tasks else ()
        stops = [*(card.menu_button for card in self.cards.values()), *tasks, *looks]
        for earlier, later in pairwise(stops):
            QWidget.setTabOrder(earlier, later)

    def _below_for(self, width: float) -> _Below:
        if self._has_tasks and width >= _TASKS_BESIDE_FROM:
            return _Below.TASKS_BESIDE
        if self.latest.lines and width >= _BESIDE_FROM:
            return _Below.LATEST_BESIDE
        return _Below.STACKED

    def _arrange(self) -> None:
        # Not the viewport's width: a scroll bar that comes must not fold the cards.
        width = self.width() / self._theme.text_scale
        has_events = bool(self.latest.lines)
        if self.latest.isHidden() == has_events:
            self.latest.setVisible(has_events)
        if self.tasks.isHidden() == self._has_tasks:
            self.tasks.setVisible(self._has_tasks)
        shape = (4 if width >= _FOUR_FROM else 2, self._below_for(width))
        if shape == self._shape:
            return
        self._shape = shape
        n_columns, below = shape
        for place, tier in enumerate(Tier):
            self._tiers.addWidget(self.cards[tier], place // n_columns, place % n_columns)
        for column in range(4):
            self._tiers.setColumnStretch(column, 1 if column < n_columns else 0)
        for part in (self.tasks, self.look, self.latest):
            self._below.removeWidget(part)
        match below:
            case _Below.TASKS_BESIDE:
                self._below.addWidget(self.tasks, 0, 0)
                self._below.addWidget(self.look, 0, 1)
                self._below.addWidget(self.latest, 1, 0, 1, 2)
            case _Below.LATEST_BESIDE:
                self._below.addWidget(self.tasks, 0, 0, 1, 2)
                self._below.addWidget(self.latest, 1, 0)
                self._below.addWidget(self.look, 1, 1, Qt.AlignmentFlag.AlignTop)
            case _Below.STACKED:
                self._below.addWidget(self.tasks, 0, 0)
                self._below.addWidget(self.look, 1, 0)
                self._below.addWidget(self.latest, 2, 0)
        self._order_tabs()
        self._below.setColumnStretch(0, _LEFT)
        self._below.setColumnStretch(1, 0 if below is _Below.STACKED else _RIGHT)
