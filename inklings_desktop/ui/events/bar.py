"""Above the event log: whose log, what to find in it, and chips that narrow it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.ui.events.state import NO_FACETS, EventRequest, LogChoice, Period
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.chips import FilterChip, open_checklist, value_options
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.text_fields import SearchField
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import lowered, tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.words.event_words import tier_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.domain.log.events import EventFacets
    from inklings_desktop.ui.kit.controls.popover import CheckOption
    from inklings_desktop.ui.kit.look.theme import Theme

_GUTTER = 24
_GAP = 8
_SEARCH = 300
_SEARCH_LEAST = 150
_GROWS_FIRST = 100
_CLEAR_FROM = 2
_MARGIN = 12


class EventLogBar(QWidget):
    """Says which events are wanted.

    Where there is no room for everything in one line, the chips get a line of their own.

    Signals:
        request_changed: ``EventRequest``.
    """

    request_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._request = EventRequest()
        self._facets: EventFacets = NO_FACETS
        self._total = ""
        self._is_folded = False
        self.log = SegmentedSwitch(
            theme,
            [
                Segment(LogChoice.WORKSPACE.value, tr("This workspace")),
                Segment(LogChoice.ACCOUNT.value, tr("Account")),
            ],
            tr("Whose log"),
            parent=self,
        )
        self.log.setObjectName("logSwitch")
        self.log.choice_changed.connect(self._on_log_chosen)
        self.search = SearchField(
            theme, (), clear_name=tr("Clear the search"), mode_name="", parent=self
        )
        self.search.setObjectName("logSearch")
        self.search.set_placeholder(tr("Find in the log"), short=tr("Find"))
        self.search.query_changed.connect(
            lambda text: self._apply(replace(self._request, text=text.strip()))
        )
        self.kinds = self._chip(tr("Type"), "kinds", self._open_kinds)
        self.actors = self._chip(tr("By"), "actors", self._open_actors)
        self.tiers = self._chip(tr("Tier"), "tiers", self._open_tiers)
        self.period = self._chip(tr("When"), "period", self._open_periods)
        self.clear_all = PushButton(theme, tr("Clear all"), kind="quiet", small=True, parent=self)
        self.clear_all.clicked.connect(self.clear)
        self.total = named(plain_label("", "meta", self), "logTotal")
        self._chips_row = QWidget(self)
        hbox(self._chips_row, *self.chips(), self.clear_all, STRETCH, margins=0, spacing=_GAP)
        self._line = QHBoxLayout()
        self._line.setSpacing(_GAP)
        self._line.addWidget(self.log)
        self._line.addSpacing(_GAP)
        self._line.addWidget(self.search, _GROWS_FIRST)
        self._line.addWidget(self._chips_row)
        self._line.addStretch(1)
        self._line.addWidget(self.total)
        self._column = vbox(
            self, self._line, margins=(_GUTTER, _MARGIN, _GUTTER, _MARGIN), spacing=_GAP
        )
        self._show_values()
        theme.changed.connect(self._fit)

    # -- shown ------------------------------------------------------------------------------

    @property
    def request(self) -> EventRequest:
        """What is asked for."""
        return self._request

    def show_request(self, request: EventRequest, facets: EventFacets) -> None:
        """Show what was really asked for, and the values in use."""
        self._facets = facets
        if request != self._request:
            # Somebody else asked; what is being typed stays as long as nobody did.
            self._request = request
            with QSignalBlocker(self.search), QSignalBlocker(self.log):
                self.search.set_text(request.text)
                self.log.choose(request.log.value)
        self._show_values()

    def show_total(self, text: str) -> None:
        """Say in which order events stand and how many there are."""
        self._total = text
        self.total.setText(text)
        self._fit()

    @Slot()
    def clear(self) -> None:
        """Lift every filter, what was looked for included."""
        with QSignalBlocker(self.search):
            self.search.set_text("")
        self._apply(EventRequest(self._request.log))

    def focus_search(self) -> None:
        """Bring the keyboard to the field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.edit.selectAll()

    def chips(self) -> tuple[FilterChip, ...]:
        """The chips, left to right."""
        return (self.kinds, self.actors, self.tiers, self.period)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the chips a line of their own where one line is too short."""
        super().resizeEvent(event)
        self._fit()

    # -- inside -----------------------------------------------------------------------------

    def _apply(self, request: EventRequest) -> None:
        if request == self._request:
            self._show_values()
            return
        self._request = request
        self._show_values()
        self.request_changed.emit(request)

    def _show_values(self) -> None:
        request = self._request
        self.kinds.set_value(_joined(sorted(kind.value for kind in request.kinds)))
        self.actors.set_value(_joined(sorted(request.actors)))
        self.tiers.set_value(_joined([tier_name(tier) for tier in sorted(request.tiers)]))
        is_any = request.period is Period.ANY
        self.period.set_value(
            "" if is_any else lowered(self._period_label(request.period), is_noun=False)
        )
        n_active = sum(chip.is_active for chip in self.chips())
        self.clear_all.setVisible(n_active >= _CLEAR_FROM)
        self._fit()

    def _period_label(self, period: Period) -> str:
        return {
            Period.ANY: tr("Any time"),
            Period.DAY: tr("Last 24 hours"),
            Period.WEEK: tr("Last 7 days"),
            Period.MONTH: tr("Last 30 days"),
            Period.TWO_MONTHS: tr("Last 60 days"),
            Period.YEAR: tr("Last 365 days"),
        }[period]

    @Slot()
    def _fit(self) -> None:
        """Give the chips a line of their own, or take them back into the first."""
        self.search.setMaximumWidth(self._theme.scaled(_SEARCH))
        least = self._theme.scaled(_SEARCH_LEAST)
        chips = sum(chip.sizeHint().width() + _GAP for chip in self.chips())
        if not self.clear_all.isHidden():
            chips += self.clear_all.sizeHint().width() + _GAP
        first = 2 * _GUTTER + self.log.sizeHint().width() + 2 * _GAP + least
        total = self.total.fontMetrics().horizontalAdvance(self._total) + 3 * _GAP
        is_folded = first + chips + total > self.width()
        self.total.setVisible(first + total <= self.width())
        if is_folded == self._is_folded:
            return
        self._is_folded = is_folded
        if is_folded:
            self._line.removeWidget(self._chips_row)
            self._column.addWidget(self._chips_row)
        else:
            self._column.removeWidget(self._chips_row)
            self._line.insertWidget(3, self._chips_row)

    def _chip(self, label: str, field: str, open_popover: Callable[[], None]) -> FilterChip:
        """The chip of a field of the request; without a value it is as of a fresh one."""
        chip = FilterChip(self._theme, label, parent=self)
        chip.popover_requested.connect(open_popover)
        chip.clear_requested.connect(partial(self._want, field, getattr(EventRequest(), field)))
        return chip

    def _want(self, field: str, value: Any) -> None:
        self._apply(replace(self._request, **{field: value}))

    @Slot()
    def _open_kinds(self) -> None:
        known = [one for one in self._facets.kinds if one[0] in set(EventKind)]
        options = value_options(known, {kind.value for kind in self._request.kinds}, str)
        self._checklist(self.kinds, "kinds", options, EventKind)

    @Slot()
    def _open_actors(self) -> None:
        options = value_options(self._facets.actors, self._request.actors, str)
        self._checklist(self.actors, "actors", options, str)

    @Slot()
    def _open_tiers(self) -> None:
        options = value_options(self._facets.tiers, self._request.tiers, tier_name)
        self._checklist(self.tiers, "tiers", options, str)

    def _checklist(
        self,
        chip: FilterChip,
        field: str,
        options: Sequence[CheckOption],
        value_of: Callable[[str], object],
    ) -> None:
        """Choose the values of a field of the request below its chip."""

        def choose(keys: tuple[str, ...]) -> None:
            self._want(field, frozenset(map(value_of, keys)))

        open_checklist(self._theme, chip, chip.text(), options, choose, bar=self)

    @Slot()
    def _open_periods(self) -> None:
        menu = self.period_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.period.mapToGlobal(self.period.rect().bottomLeft()))

    def period_menu(self) -> QMenu:
        """How far back one can look, made anew."""
        menu = QMenu(self)
        group = QActionGroup(menu)
        for period in Period:
            action = QAction(self._period_label(period), menu)
            action.setCheckable(True)
            action.setChecked(period is self._request.period)
            action.setData(period.value)
            group.addAction(action)
            menu.addAction(action)
        menu.triggered.connect(lambda action: self._want("period", Period(action.data())))
        return menu

    @Slot(str)
    def _on_log_chosen(self, key: str) -> None:
        # Values of one log mean nothing in another; what is looked for and how far back do.
        request = self._request
        self._apply(EventRequest(LogChoice(key), period=request.period, text=request.text))


def _joined(values: Sequence[str]) -> str:
    """The values on a chip: one in full, more as the first and a count."""
    if len(values) <= 1:
        return "".join(values)
    return f"{values[0]} +{len(values) - 1}"
