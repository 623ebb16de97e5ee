"""Cards that float below a control: a checklist with counts, a range."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.sliders import RangeSlider
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.accessibility import FocusRing, focus_first, order_tabs
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.motion import fade_in
from inklings_desktop.ui.kit.look.translation import counted, decimal, tr
from inklings_desktop.ui.kit.look.veil import shows_through
from inklings_desktop.ui.kit.marks.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QHideEvent, QKeyEvent

    from inklings_desktop.ui.kit.look.theme import Theme

_SHADOW = 14
_SHADOW_LIGHT = 0.16
_SHADOW_DARK = 0.45
_MOST_HEIGHT = 320
_SEARCH_FROM = 9
_MOST_ROWS = 200
_RING = 4


class Popover(QWidget):
    """A raised card with a shadow; a click elsewhere or Escape closes it."""

    closed = Signal()

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        is_soft = shows_through()
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, is_soft)
        self.setAccessibleName(title)
        self.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
        self._shadow = _SHADOW if is_soft else 0
        outer = QVBoxLayout(self)
        card = QFrame(self)
        card.setProperty("floating", "true" if is_soft else "square")
        if is_soft:
            outer.setContentsMargins(_SHADOW, _SHADOW // 2, _SHADOW, _SHADOW + 4)
            card.setGraphicsEffect(_shadow_of(card, is_dark=theme.is_dark))
        else:
            outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(card)
        self.body = vbox(card, margins=(12, 10, 12, 10), spacing=4)
        heading = plain_label(title, "label", card)
        self.body.addWidget(heading)
        FocusRing(theme, self)

    def popup_below(self, anchor: QWidget) -> None:
        """Open under a control, moved so that it stays on the screen."""
        self.adjustSize()
        corner = anchor.mapToGlobal(QPoint(0, anchor.height() + 2))
        shadow = self._shadow
        place = corner - QPoint(shadow, shadow // 2)
        screen = anchor.screen().availableGeometry()
        place.setX(max(screen.left() - shadow, min(place.x(), screen.right() - self.width())))
        if place.y() + self.height() > screen.bottom() + shadow:
            above = anchor.mapToGlobal(QPoint(0, 0)).y() - self.height() + shadow
            place.setY(max(screen.top() - shadow // 2, above))
        self.move(place)
        order_tabs(self)
        self.show()
        fade_in(self, self._theme)
        focus_first(self, Qt.FocusReason.PopupFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()


def _shadow_of(card: QFrame, *, is_dark: bool) -> QGraphicsDropShadowEffect:
    shadow = QGraphicsDropShadowEffect(card)
    shadow.setBlurRadius(20)
    shadow.setOffset(0, 6)
    colour = QColor(0, 0, 0)
    colour.setAlphaF(_SHADOW_DARK if is_dark else _SHADOW_LIGHT)
    shadow.setColor(colour)
    return shadow


@dataclass(frozen=True, slots=True)
class CheckOption:
    """One value of a checklist, with how many entries have it."""

    key: str
    label: str
    count_text: str = ""
    checked: bool = False


class ChecklistPopover(Popover):
    """Values to tick; long lists can be searched.

    A box costs about a millisecond to build and lay out: of ten thousand tags only as many are
    drawn as a person would look through, and the search finds the others.
    """

    choice_changed = Signal(tuple)

    def __init__(
        self,
        theme: Theme,
        title: str,
        options: Sequence[CheckOption],
        *,
        search_placeholder: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Build the list.

        Args:
            title: What the values are values of.
            options: In the order in which they are shown; where there are more than can be
                shown at once, ticked ones come first.
            search_placeholder: Text of the search field that long lists get.
        """
        super().__init__(theme, title, parent)
        self._options = tuple(options)
        self._ticked = {option.key for option in options if option.checked}
        self._sought = ""
        if len(options) >= _SEARCH_FROM and search_placeholder:
            search = QLineEdit(self)
            search.setPlaceholderText(search_placeholder)
            search.setAccessibleName(search_placeholder)
            search.textChanged.connect(self._on_search_text_changed)
            self.body.addWidget(search)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget(area)
        area.viewport().setAutoFillBackground(False)
        grid = QGridLayout(inner)
        grid.setContentsMargins(_RING, _RING, 6, _RING)  # the ring is not cut off
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(24)
        grid.setColumnStretch(0, 1)
        self._rows = [
            _CheckRow(theme, grid, number, inner) for number in range(min(len(options), _MOST_ROWS))
        ]
        for row in self._rows:
            row.box.clicked.connect(partial(self._on_row_clicked, row))
        grid.setRowStretch(len(self._rows), 1)  # few that are found stay together
        area.setVisible(bool(options))
        area.setWidget(inner)
        # Otherwise the area paints the window's ground over the card's.
        inner.setAutoFillBackground(False)
        self.body.addWidget(area)
        self._left_out = plain_label("", "caption", self)
        self.body.addWidget(self._left_out)
        widest = 0
        if len(options) > len(self._rows):  # the search may bring up a longer one than is shown
            self._rows[0].show(max(options, key=lambda one: len(one.label)), is_ticked=False)
            widest = inner.sizeHint().width()
        self._show_options()
        hint = inner.sizeHint()
        width = max(180, widest + 14, hint.width() + 14)
        area.setMinimumSize(width, min(_MOST_HEIGHT, hint.height() + 2))
        area.setMaximumHeight(_MOST_HEIGHT)

    def checked_keys(self) -> tuple[str, ...]:
        """Keys of the ticked values, in the order of the options."""
        return tuple(option.key for option in self._options if option.key in self._ticked)

    def shown_options(self) -> tuple[CheckOption, ...]:
        """The options that have a box just now, top to bottom."""
        return tuple(row.option for row in self._rows if row.option is not None)

    def _show_options(self) -> None:
        found = [one for one in self._options if self._sought in one.label.casefold()]
        if len(found) > len(self._rows):
            found.sort(key=lambda one: one.key not in self._ticked)
        for row, option in zip_longest(self._rows, found[: len(self._rows)]):
            row.show(option, is_ticked=option is not None and option.key in self._ticked)
        n_left_out = len(found) - len(self._rows)
        text = counted(n_left_out, "1 more: type to find it", "{n} more: type to find them")
        if not found:
            text = tr("Nothing found") if self._options else tr("None yet")
        self._left_out.setText(text)
        self._left_out.setVisible(n_left_out > 0 or not found)

    @Slot()
    def _on_row_clicked(self, row: _CheckRow) -> None:
        if row.option is None:
            return
        if row.box.isChecked():
            self._ticked.add(row.option.key)
        else:
            self._ticked.discard(row.option.key)
        self.choice_changed.emit(self.checked_keys())

    @Slot(str)
    def _on_search_text_changed(self, text: str) -> None:
        self._sought = text.strip().casefold()
        self._show_options()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down leads from the search field to the boxes, and Up back."""
        if event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)


class _CheckRow:
    """A box with its count, lent to one option after the other."""

    def __init__(self, theme: Theme, grid: QGridLayout, number: int, parent: QWidget) -> None:
        self.option: CheckOption | None = None
        self.box = CheckBox(theme, "", parent)
        self._count = plain_label("", "caption", parent)
        grid.addWidget(self.box, number, 0)
        grid.addWidget(self._count, number, 1, Qt.AlignmentFlag.AlignRight)

    def show(self, option: CheckOption | None, *, is_ticked: bool) -> None:
        """Stand for this option, or for none."""
        self.option = option
        if option is not None:
            self.box.setText(spelled_out(option.label))
            self.box.setChecked(is_ticked)
            self.box.setAccessibleDescription(option.count_text)
            self._count.setText(option.count_text)
        self.box.setVisible(option is not None)
        self._count.setVisible(option is not None)


class RangePopover(Popover):
    """A range from 0 to 1 with its figures and a button that lifts it."""

    range_changed = Signal(float, float)

    def __init__(
        self,
        theme: Theme,
        title: str,
        ends: tuple[float, float],
        *,
        any_label: str,
        parent: QWidget | None = None,
    ) -> None:
        """Build the popover.

        Args:
            title: What the range is a range of.
            ends: Lower and upper end at first, both from 0 to 1.
            any_label: Word of the button that sets the whole range.
        """
        super().__init__(theme, title, parent)
        self.slider = RangeSlider(theme, title, self)
        self.slider.set_range(*ends)
        self._low = QLabel(self)
        self._high = QLabel(self)
        for label in (self._low, self._high):
            label.setFont(theme.font("meta", tabular=True))
        row = hbox(None, self._low, STRETCH)
        lift = PushButton(theme, any_label, kind="quiet", small=True, parent=self)
        lift.clicked.connect(lambda: self.slider.set_range(0.0, 1.0))
        fill(row, lift, STRETCH, self._high)
        fill(self.body, self.slider, row)
        self.slider.range_changed.connect(self._on_slider_range_changed)
        self._show(*ends)

    def _show(self, low: float, high: float) -> None:
        self._low.setText(decimal(low, 2))
        self._high.setText(decimal(high, 2))

    @Slot(float, float)
    def _on_slider_range_changed(self, low: float, high: float) -> None:
        self._show(low, high)
        self.range_changed.emit(low, high)
