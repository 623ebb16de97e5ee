"""Cards that float below a control: a checklist with counts, a range."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QColor, QHideEvent
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.domain.hidden_text import spelled_out
from inklings_desktop.ui.compositor import shows_through
from inklings_desktop.ui.theme import Theme
from inklings_desktop.ui.widgets.check_box import CheckBox
from inklings_desktop.ui.widgets.focus_ring import FocusRing
from inklings_desktop.ui.widgets.icon_button import PushButton
from inklings_desktop.ui.widgets.motion import fade_in
from inklings_desktop.ui.widgets.range_slider import RangeSlider
from inklings_desktop.ui.widgets.reading_order import focus_first, order_tabs

_SHADOW = 14
_SHADOW_LIGHT = 0.16
_SHADOW_DARK = 0.45
_MOST_HEIGHT = 320
_SEARCH_FROM = 9
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
        self.body = QVBoxLayout(card)
        self.body.setContentsMargins(12, 10, 12, 10)
        self.body.setSpacing(4)
        heading = QLabel(title, card)
        heading.setProperty("textStyle", "label")
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
            place.setY(anchor.mapToGlobal(QPoint(0, 0)).y() - self.height() + shadow)
        self.move(place)
        order_tabs(self)
        self.show()
        fade_in(self, self._theme)
        focus_first(self, Qt.FocusReason.PopupFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        """Says that it closed."""
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
    """Values to tick; long lists can be searched."""

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
            theme: Look of the window.
            title: What the values are values of.
            options: In the order in which they are shown.
            search_placeholder: Text of the search field that long lists get.
            parent: Owner of the popover.
        """
        super().__init__(theme, title, parent)
        self._boxes: list[tuple[CheckOption, CheckBox, QLabel]] = []
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
        for number, option in enumerate(options):
            box = CheckBox(theme, spelled_out(option.label), inner)
            box.setChecked(option.checked)
            box.setAccessibleDescription(option.count_text)
            box.toggled.connect(self._on_box_toggled)
            count = QLabel(option.count_text, inner)
            count.setProperty("textStyle", "caption")
            grid.addWidget(box, number, 0)
            grid.addWidget(count, number, 1, Qt.AlignmentFlag.AlignRight)
            self._boxes.append((option, box, count))
        area.setWidget(inner)
        # Otherwise the area paints the window's ground over the card's.
        inner.setAutoFillBackground(False)
        hint = inner.sizeHint()
        area.setMinimumSize(max(180, hint.width() + 14), min(_MOST_HEIGHT, hint.height() + 2))
        area.setMaximumHeight(_MOST_HEIGHT)
        self.body.addWidget(area)

    def checked_keys(self) -> tuple[str, ...]:
        """Keys of the ticked values, in the order shown."""
        return tuple(option.key for option, box, _ in self._boxes if box.isChecked())

    @Slot()
    def _on_box_toggled(self) -> None:
        self.choice_changed.emit(self.checked_keys())

    @Slot(str)
    def _on_search_text_changed(self, text: str) -> None:
        wanted = text.casefold()
        for option, box, count in self._boxes:
            shown = wanted in option.label.casefold()
            box.setVisible(shown)
            count.setVisible(shown)


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
            theme: Look of the window.
            title: What the range is a range of.
            ends: Lower and upper end at first, both from 0 to 1.
            any_label: Word of the button that sets the whole range.
            parent: Owner of the popover.
        """
        super().__init__(theme, title, parent)
        self.slider = RangeSlider(theme, title, self)
        self.slider.set_range(*ends)
        self._low = QLabel(self)
        self._high = QLabel(self)
        for label in (self._low, self._high):
            label.setFont(theme.font("meta", tabular=True))
        row = QHBoxLayout()
        row.addWidget(self._low)
        row.addStretch(1)
        lift = PushButton(theme, any_label, kind="quiet", small=True, parent=self)
        lift.clicked.connect(self._on_lift_clicked)
        row.addWidget(lift)
        row.addStretch(1)
        row.addWidget(self._high)
        self.body.addWidget(self.slider)
        self.body.addLayout(row)
        self.slider.range_changed.connect(self._on_slider_range_changed)
        self._show(*ends)

    def _show(self, low: float, high: float) -> None:
        self._low.setText(f"{low:.2f}")
        self._high.setText(f"{high:.2f}")

    @Slot(float, float)
    def _on_slider_range_changed(self, low: float, high: float) -> None:
        self._show(low, high)
        self.range_changed.emit(low, high)

    @Slot()
    def _on_lift_clicked(self) -> None:
        self.slider.set_range(0.0, 1.0)
