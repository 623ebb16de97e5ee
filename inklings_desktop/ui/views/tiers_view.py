"""The first tab of the control plane: a card per tier, what is worth a look, what happened last."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.views.latest_events_card import LatestEventsCard
from inklings_desktop.ui.views.look_card import LookCard
from inklings_desktop.ui.views.tier_card import TierCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.models.event_list_model import EventRow
    from inklings_desktop.ui.presenters.overview_facts import LookFacts, TierFacts
    from inklings_desktop.ui.theme import Theme

_GUTTER = 24
_TOP = 18
_GAP = 15
_FOUR_FROM = 900
_BESIDE_FROM = 900
_LEFT, _RIGHT = 64, 36


class TiersView(QScrollArea):
    """Cards side by side where there is room, else one below the other.

    Signals:
        tier_open_requested: The ``Tier`` whose memories are wanted.
        tier_scrub_requested: The ``Tier`` that is to be scrubbed.
        tier_review_requested: The ``Tier`` whose consolidation is to be looked at first.
        tier_history_requested: The ``Tier`` whose consolidations are wanted.
        look_requested: The kind of a list and the ``Tier`` to show it in.
        log_requested: The event log is wanted.
    """

    tier_open_requested = Signal(object)
    tier_scrub_requested = Signal(object)
    tier_review_requested = Signal(object)
    tier_history_requested = Signal(object)
    look_requested = Signal(object, object)
    log_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tiersView")
        self._theme = theme
        self._shape: tuple[int, bool] | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cards = {tier: TierCard(theme, tier) for tier in Tier}
        self.look = LookCard(theme)
        self.latest = LatestEventsCard(theme)
        ground = QWidget(self)
        ground.setProperty("ground", "canvas")
        ground.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._tiers = QGridLayout()
        self._tiers.setSpacing(_GAP)
        self._below = QGridLayout()
        self._below.setSpacing(_GAP)
        column = self._column = QVBoxLayout(ground)
        column.setSpacing(_GAP)
        column.addLayout(self._tiers)
        column.addLayout(self._below)
        column.addStretch(1)
        self.setWidget(ground)
        for card in self.cards.values():
            card.open_requested.connect(self.tier_open_requested)
            card.scrub_requested.connect(self.tier_scrub_requested)
            card.review_requested.connect(self.tier_review_requested)
            card.history_requested.connect(self.tier_history_requested)
        self.look.look_requested.connect(self.look_requested)
        self.latest.log_requested.connect(self.log_requested)
        theme.changed.connect(self._lay_out)
        self._lay_out()

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

    def offer_scrub(self) -> None:
        """Show the way to scrubbing on every card."""
        for card in self.cards.values():
            card.offer_scrub()

    def offer_review(self) -> None:
        """Show the ways to plans and past runs of consolidation."""
        for card in self.cards.values():
            card.offer_review()

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
        n_columns, beside = self._shape or (4, True)
        card = next(iter(self.cards.values())).sizeHint().height()
        n_rows = len(Tier) // n_columns
        above = _TOP + n_rows * (card + _GAP) + _GUTTER
        room = self.viewport().height() - above
        self.latest.set_room(room if beside else 0)

    def _order_tabs(self) -> None:
        """Go through the cards as they are read; rows that come later would stand last."""
        _, beside = self._shape or (4, True)
        below: list[QWidget] = [*self.look.rows]
        below.insert(0 if beside else len(below), self.latest.log)
        stops = [*(card.menu_button for card in self.cards.values()), *below]
        for earlier, later in pairwise(stops):
            QWidget.setTabOrder(earlier, later)

    def _arrange(self) -> None:
        scale = self._theme.text_scale
        width = self.width()  # not the viewport's: a scroll bar that comes must not fold the cards
        has_events = bool(self.latest.lines)
        beside = has_events and width >= _BESIDE_FROM * scale
        shape = (4 if width >= _FOUR_FROM * scale else 2, beside)
        if self.latest.isHidden() == has_events:
            self.latest.setVisible(has_events)
        if shape == self._shape:
            return
        self._shape = shape
        n_columns, _ = shape
        for place, tier in enumerate(Tier):
            self._tiers.addWidget(self.cards[tier], place // n_columns, place % n_columns)
        for column in range(4):
            self._tiers.setColumnStretch(column, 1 if column < n_columns else 0)
        for part in (self.look, self.latest):
            self._below.removeWidget(part)
        if beside:
            self._below.addWidget(self.latest, 0, 0)
            self._below.addWidget(self.look, 0, 1, Qt.AlignmentFlag.AlignTop)
        else:
            self._below.addWidget(self.look, 0, 0)
            self._below.addWidget(self.latest, 1, 0)
        self._order_tabs()
        self._below.setColumnStretch(0, _LEFT)
        self._below.setColumnStretch(1, _RIGHT if beside else 0)
