"""Chips: those that filter, what they open, and those that count and are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QToolButton, QWidget

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.popover import ChecklistPopover, CheckOption
from inklings_desktop.ui.kit.look.cells import Celled, Dot, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.mirror import as_painted
from inklings_desktop.ui.kit.look.translation import grouped, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from inklings_desktop.ui.kit.look.cells import Cell
    from inklings_desktop.ui.kit.look.theme import Theme


_PADDING = 10
_END = 9
_CHIP_GAP = 4
_CROSS_AREA = 20


class FilterChip(Celled, QToolButton):
    """One filter of a list.

    A click asks for the popover that sets the value, unless it hits the cross; Delete and the
    cross clear. A chip with ``toggles`` has no popover: a click switches it on and off. One with
    ``counts`` has a plain figure for a value, which does not make it active.
    """

    popover_requested = Signal()
    toggled_by_user = Signal(bool)
    clear_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        label: str,
        *,
        icon: str = "",
        toggles: bool = False,
        counts: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._label = spelled_out(label)
        self._icon = icon
        self._toggles = toggles
        self._counts = counts
        self._value = ""
        self._active = False
        self.setCheckable(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty("ringRadius", 16)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(self._on_clicked)
        self._describe()

    @property
    def value(self) -> str:
        """What the active chip shows in bold, empty at rest and on a plain toggle."""
        return self._value

    @property
    def is_active(self) -> bool:
        """Whether the filter restricts the list."""
        return self._active

    def set_value(self, value: str) -> None:
        """Show a value in bold, or the chip at rest for an empty one."""
        self._show(spelled_out(value), is_active=bool(value) and not self._counts)

    def set_on(self, *, on: bool) -> None:
        """Show a plain toggle as on or off, without a signal."""
        self._show(self._value, is_active=on)

    def _show(self, value: str, *, is_active: bool) -> None:
        if (value, is_active) == (self._value, self._active):
            return  # its place need not be measured anew
        self._value, self._active = value, is_active
        self._describe()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = _PADDING + self._line().width(self._theme) + _END
        return QSize(round(width), self._theme.px("controlSmall"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace} and self._active:
            self._clear()
        elif event.key() == Qt.Key.Key_Down and not self._toggles:
            self.popover_requested.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the cross clears and does nothing else."""
        if (
            self._active
            and self._cross_area().contains(as_painted(event.position(), self))
            and self.isDown()
        ):
            self.setDown(False)
            self._clear()
            return
        super().mouseReleaseEvent(event)

    def ground(self) -> Ground:
        """Active, out of use, pressed, under the mouse, at rest."""
        role, line = "hover" if self.underMouse() else "surface", "lineStrong"
        if self._active:
            role, line = "accentSoft", "accent" if self.isEnabled() else "line"
        elif not self.isEnabled():
            role, line = "sunken", "line"
        elif self.isDown():
            role = "selected"
        return Ground(role, (self.height() - 1) / 2, line)

    def said(self) -> Said:
        return Said((self._line(),), _PADDING, _END)

    def _line(self) -> Line:
        role = "ink" if self._active else "inkSoft"
        if not self.isEnabled():
            role = "inkFaint"
        cells: list[Cell] = [Text(self._label, role, gap=_CHIP_GAP if self._icon else 0)]
        if self._icon:
            cells.insert(0, Icon(self._icon, role))
        if self._value:
            strong = not self._counts
            ink, weight = "ink" if strong and self.isEnabled() else role, 600 if strong else None
            cells.append(Text(self._value, ink, weight=weight, is_whole=True, gap=_CHIP_GAP))
        if self._active or not self._toggles:
            cells.append(Icon("x" if self._active else "caret-down", role, gap=_CHIP_GAP))
        return Line(tuple(cells))

    def _cross_area(self) -> QRectF:
        return QRectF(self.width() - _CROSS_AREA - 4, 0, _CROSS_AREA + 4, self.height())

    def _clear(self) -> None:
        if self._toggles:
            self.set_on(on=False)
            self.toggled_by_user.emit(False)
        self.clear_requested.emit()

    def _describe(self) -> None:
        self.setAccessibleName(f"{self._label} {self._value}".strip())
        # What follows a single ampersand would be a key that presses it.
        self.setText(self.accessibleName().replace("&", "&&"))

    @Slot()
    def _on_clicked(self) -> None:
        if self._toggles:
            self.set_on(on=not self._active)
            self.toggled_by_user.emit(self._active)
        else:
            self.popover_requested.emit()


_DOT = 6
_COUNT_CHIP_GAP = 6


class CountChip(Celled, QAbstractButton):
    """Shows how many there are of something; chosen, a list holds only those."""

    def __init__(
        self, theme: Theme, label: str, *, dot: str = "", parent: QWidget | None = None
    ) -> None:
        """Build a chip.

        Args:
            label: Its word.
            dot: Colour role of the dot; empty for none.
        """
        super().__init__(parent)
        self._theme = theme
        self._dot = dot
        self._count = ""
        self.setText(label)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty("ringRadius", 16)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_count(self, count: str) -> None:
        """Show another figure."""
        self._count = count
        self.setAccessibleName(f"{self.text()} {count}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Dot, word and figure; both weights fit, so that choosing moves nothing."""
        word = QFontMetricsF(self._theme.font("meta")).horizontalAdvance(self.text())
        figure = QFontMetricsF(self._theme.font("meta", weight=600)).horizontalAdvance(self._count)
        dot = _DOT + _COUNT_CHIP_GAP if self._dot else 0
        width = 2 * _PADDING + dot + word + _COUNT_CHIP_GAP + figure
        return QSize(round(width) + 1, self._theme.px("controlSmall"))

    def ground(self) -> Ground:
        if self.isChecked():
            return Ground("accentSoft", (self.height() - 1) / 2, "accent")
        role = "hover" if self.underMouse() else "surface"
        return Ground(role, (self.height() - 1) / 2, "lineStrong")

    def said(self) -> Said:
        gap = _COUNT_CHIP_GAP if self._dot else 0
        words = Text(self.text(), "ink" if self.isChecked() else "inkSoft", weight=400, gap=gap)
        figure = Text(self._count, weight=600, gap=_COUNT_CHIP_GAP)
        dot = (Dot(self._dot, _DOT),) if self._dot else ()
        return Said((Line((*dot, words, figure)),), _PADDING)


def value_options(
    values: Sequence[tuple[str, int]], chosen: Collection[str], label: Callable[[str], str]
) -> list[CheckOption]:
    """A line for every value in use, and for every chosen one that is not in use any more.

    Args:
        values: Values with how often they occur, in their order.
        chosen: Those that are ticked.
        label: What a value is called.
    """
    known = {value for value, _ in values}
    gone = [(value, 0) for value in sorted(chosen) if value not in known]
    return [
        CheckOption(value, label(value), grouped(count), value in chosen)
        for value, count in [*values, *gone]
    ]


def open_checklist(
    theme: Theme,
    chip: FilterChip,
    title: str,
    options: Sequence[CheckOption],
    on_chosen: Callable[[tuple[str, ...]], None],
    *,
    bar: QWidget,
) -> None:
    """Let values be chosen below a chip; the popover goes when it is closed.

    Args:
        chip: What it opens below.
        title: What is chosen.
        options: The values.
        on_chosen: Told the chosen values with every change.
        bar: Owner of the popover.
    """
    popover = ChecklistPopover(
        theme,
        title,
        options,
        search_placeholder=tr("Find"),
        parent=bar,
    )
    popover.choice_changed.connect(on_chosen)
    popover.closed.connect(popover.deleteLater)
    popover.popup_below(chip)
