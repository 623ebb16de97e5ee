"""Cards of the first tab: one tier with its menu, and the newest events."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.controls.buttons import IconButton, LinkButton
from inklings_desktop.ui.kit.lists.event_list_model import EventRow, EventTone
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.cells import Celled, Line, Said, Text
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule
from inklings_desktop.ui.kit.marks.meters import WIDTH, BarList, GrowthLine, ShareBar
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import PADDING, CardHead
from inklings_desktop.ui.kit.words.memory_facts import reads_rule, tier_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction, QResizeEvent

    from inklings_desktop.ui.control.overview_facts import TierFacts
    from inklings_desktop.ui.kit.look.theme import Theme


_PADDING = 16
_FIGURE_PX = 30
_FIGURE_HEIGHT = 36
_GAP = 8
_LEAST_LINE = 36
_OVERHANG = 6
"""How far the menu's hit area reaches beyond its dots, which stand above the other figures."""


class TierAct(Enum):
    """What the menu of a tier offers."""

    OPEN = "open"
    CONSOLIDATE = "consolidate"
    REVIEW = "review"
    HISTORY = "history"
    EXPORT = "export"
    SCRUB = "scrub"


class TierCard(QFrame):
    """One tier; everything on it is also said in one sentence.

    Signals:
        act_requested: A ``TierAct`` and the ``Tier`` it is wanted for.
    """

    act_requested = Signal(object, object)

    def __init__(self, theme: Theme, tier: Tier, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"tierCard-{tier.value}")
        self.setProperty("card", "true")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._tier = tier
        name = tier_title(tier)
        self.setAccessibleName(tr("{tier} tier").format(tier=name))
        self.menu_button = IconButton(
            theme,
            "dots-three",
            tr("More about the {tier} tier").format(tier=name),
            bold=True,
            parent=self,
        )
        self.menu_button.setObjectName("tierMenu")
        self.menu_button.clicked.connect(self._on_menu_button_clicked)
        self.menu = QMenu(self)
        self._act(tr("Open in Memory"), TierAct.OPEN)
        self.consolidate = self._act(tr("Consolidate now"), TierAct.CONSOLIDATE)
        self.consolidate.setVisible(False)
        self.review = self._act(tr("Review the plan\u2026"), TierAct.REVIEW)
        self.history = self._act(tr("Run history\u2026"), TierAct.HISTORY)
        self.export = self._act(tr("Export tier\u2026"), TierAct.EXPORT)
        self.scrub = self._act(tr("Scrub this tier\u2026"), TierAct.SCRUB)
        for action in (self.consolidate, self.scrub):
            storing(action)
        for action in (self.review, self.history):  # a conversation is never consolidated
            action.setVisible(tier is not Tier.CONVERSATION)
        _, role = TIER_MARKS[tier]
        self._figure = named(plain_label("", "", self), "tierFigure")
        self._news = elided_label("", "meta", self)
        self.growth = GrowthLine(theme, role, self)
        self.growth.setAccessibleName(tr("Growth"))
        self.bands = BarList(theme, self)
        self.bands.setAccessibleName(tr("Relevance today"))
        self._embedded = plain_label("", "meta", self)
        self.coverage = ShareBar(theme, parent=self)
        self.coverage.setAccessibleName(tr("Embedded"))
        self._rate = elided_label("", "meta", self)
        self._lay_out(name)
        theme.dress(self._on_theme_changed)

    @property
    def tier(self) -> Tier:
        """Which tier it is about."""
        return self._tier

    def show_facts(self, facts: TierFacts) -> None:
        """Show other figures."""
        self.setAccessibleDescription(facts.summary)
        self._figure.setText(facts.figure)
        self._figure.setToolTip(plain_tool_tip(facts.figure_tip))
        self._news.setText(facts.news)
        self.growth.set_points(facts.growth)
        self.growth.setAccessibleDescription(facts.growth_told)
        self.growth.setToolTip(plain_tool_tip(facts.growth_told))
        self.bands.set_bars(facts.bands)
        self._embedded.setText(facts.embedded)
        self.coverage.set_share(facts.embedded_share)
        self.coverage.setAccessibleDescription(facts.embedded)
        self._rate.setText(facts.rate)
        self._fit()

    def offer_consolidation(self, *, offered: bool, possible: bool) -> None:
        """Show the way to consolidating the tier.

        Args:
            offered: Whether background work can be steered at all.
            possible: Whether a run can begin now; the table says why not.
        """
        self.consolidate.setVisible(offered)
        self.consolidate.setEnabled(possible)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Makes the line shorter where the words need the room."""
        super().resizeEvent(event)
        self._fit()

    def _act(self, text: str, act: TierAct) -> QAction:
        action = self.menu.addAction(text)
        action.triggered.connect(partial(self.act_requested.emit, act, self._tier))
        return action

    def _lay_out(self, name: str) -> None:
        inked, role = TIER_MARKS[self._tier]
        head = QHBoxLayout()
        head.setSpacing(9)
        head.addWidget(TierMark(self._theme, inked=inked, role=role, parent=self))
        head.addWidget(plain_label(name, "tab", self), 1)
        head.addWidget(self.menu_button)
        figures = hbox(None, self._figure, (self._news, 1), self.growth, spacing=_GAP)
        embedded = hbox(None, plain_label(tr("Embedded"), "label", self), STRETCH, self._embedded)
        body = vbox(None, figures, 12, margins=(0, 0, _OVERHANG, 0), spacing=0)
        relevance = plain_label(tr("Relevance today"), "label", self)
        for widget in (relevance, self.bands):
            widget.setToolTip(plain_tool_tip(reads_rule()))
        fill(body, relevance, 5, self.bands, 11, embedded, 6, self.coverage, 9, self._rate)
        vbox(self, head, body, margins=(_PADDING, 12, _PADDING - _OVERHANG, 13), spacing=3)

    def _fit(self) -> None:
        inner = self.width() - 2 * _PADDING - 4  # the frame, and what a label keeps to itself
        words = self._figure.sizeHint().width() + self._news.sizeHint().width() + 2 * _GAP
        room = min(inner - words, self._theme.scaled(WIDTH))
        self.growth.setVisible(room >= _LEAST_LINE)
        self.growth.setFixedWidth(max(room, _LEAST_LINE))

    @Slot()
    def _on_menu_button_clicked(self) -> None:
        corner = self.menu_button.rect().bottomRight()
        width = self.menu.sizeHint().width()
        self.menu.popup(self.menu_button.mapToGlobal(corner - QPoint(width, -2)))
        self.menu.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._figure.setFont(self._theme.font("display", px=_FIGURE_PX))
        self._figure.setFixedHeight(self._theme.scaled(_FIGURE_HEIGHT))
        self._fit()


MOST = 12
LEAST = 3
_ROW = 34
_AGE = 84
_KIND = 172
_ACTOR = 132
_NO_ACTOR_BELOW = 560


class EventLine(Celled, QWidget):
    """When, what kind, who, what happened."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._event: EventRow | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_event(self, event: EventRow) -> None:
        """Show another event."""
        self._event = event
        self.setAccessibleName(event.what)
        self.setAccessibleDescription(event.accessible_description)
        self.setToolTip(plain_tool_tip(f"{event.exact}\n{event.what}"))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(300), self._theme.scaled(_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(160), self._theme.scaled(_ROW))

    def said(self) -> Said:
        event = self._event
        if event is None:
            return Said(())
        kind = "ink" if event.tone is EventTone.PLAIN else "madder"
        has_actor = self.width() >= self._theme.scaled(_NO_ACTOR_BELOW)
        cells = (
            Text(event.age, "inkFaint", slot=_AGE),
            Text(event.kind, kind, "mono", slot=_KIND),
            *((Text(event.actor, "inkSoft", slot=_ACTOR),) if has_actor else ()),
            Text(event.what),
        )
        return Said((Line(cells),), PADDING, PADDING)


class LatestEventsCard(QFrame):
    """As many of the newest events as there is room for, at least three."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("latestEventsCard")
        self.setProperty("card", "true")
        self.setAccessibleName(tr("Latest events"))
        self._theme = theme
        self._n_events = 0
        self._n_rows = LEAST
        self._lines = [EventLine(theme, self) for _ in range(MOST)]
        self._rules = [rule(self) for _ in range(MOST - 1)]
        self.log = named(LinkButton(tr("Event log"), self), "openEventLog")
        self._head = CardHead(theme, tr("Latest events"), self)
        self._head.add(self.log)
        column = vbox(self, self._head, rule(self), margins=(1, 0, 1, 1), spacing=0)
        for place, line in enumerate(self._lines):
            if place:
                column.addWidget(self._rules[place - 1])
            column.addWidget(line)
        column.addStretch(1)
        self.show_events(())

    @property
    def lines(self) -> tuple[EventLine, ...]:
        """The lines on show, newest first."""
        return tuple(line for line in self._lines if not line.isHidden())

    def show_events(self, events: Sequence[EventRow]) -> None:
        """Show the newest of these, newest first."""
        self._n_events = min(len(events), MOST)
        for line, event in zip(self._lines, events, strict=False):
            line.show_event(event)
        self._fit()
        self.updateGeometry()

    def set_room(self, height: int) -> None:
        """Show as many events as fit into this height in pixels, but never fewer than three."""
        step = self._theme.scaled(_ROW) + 1
        n_rows = max(LEAST, min(MOST, (height - self._head.height() - 2) // step))
        if n_rows != self._n_rows:
            self._n_rows = n_rows
            self._fit()
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        n_rows = max(1, min(self._n_rows, self._n_events))
        height = self._head.height() + n_rows * (self._theme.scaled(_ROW) + 1) + 2
        return QSize(self._theme.scaled(480), height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(260), self.sizeHint().height())

    def _fit(self) -> None:
        shown = min(self._n_events, self._n_rows)
        for place, line in enumerate(self._lines):
            line.setVisible(place < shown)
            if place:
                self._rules[place - 1].setVisible(place < shown)
