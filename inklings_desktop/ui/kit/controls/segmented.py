"""A switch of two or more segments, of which one is chosen."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.cells import Celled, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import hbox
from inklings_desktop.ui.kit.look.theme import Theme

_PADDING = 10
_ICON_GAP = 5
_FRAME = 2


@dataclass(frozen=True, slots=True)
class Segment:
    """One choice; ``tooltip`` explains it.

    The icon stands before the label, or with ``narrow_icon`` only where labels are left out.
    """

    key: str
    label: str
    icon: str = ""
    tooltip: str = ""
    narrow_icon: bool = False


class _SegmentButton(Celled, QAbstractButton):
    def __init__(self, theme: Theme, segment: Segment, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._segment, self.key = segment, segment.key
        self._height = height
        self._icons_only = False
        self.setCheckable(True)
        self.setText(segment.label)
        self.setToolTip(segment.tooltip or segment.label)
        self.setAccessibleName(segment.label)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ringRadius", 5)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_icons_only(self, *, icons_only: bool) -> None:
        self._icons_only = icons_only and bool(self._segment.icon)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        # Both weights must fit, so that choosing never moves the neighbours.
        width = 0.0
        if not self._icons_only:
            width = max(
                QFontMetricsF(self._font(chosen=chosen)).horizontalAdvance(self._segment.label)
                for chosen in (True, False)
            )
        if self._shown_icon():
            width += self._theme.icon_px(16) + (0 if self._icons_only else _ICON_GAP)
        height = self._theme.scaled(self._height) - 2 * _FRAME
        return QSize(round(width) + 2 * _PADDING, height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def ground(self) -> Ground:
        return Ground("surface", 4, "lineStrong") if self.isChecked() else Ground()

    def said(self) -> Said:
        chosen = self.isChecked()
        role = "ink" if chosen or self.underMouse() else "inkSoft"
        if not self.isEnabled():
            role = "inkFaint"
        icon = self._shown_icon()
        text = "" if self._icons_only else self._segment.label
        mark = (Icon(icon, role, 16),) if icon else ()
        weight, gap = 600 if chosen else 400, _ICON_GAP if mark and text else 0
        words = Text(text, role, weight=weight, is_whole=True, gap=gap)
        return Said((Line((*mark, words), is_centred=True),))

    def _shown_icon(self) -> str:
        return "" if self._segment.narrow_icon and not self._icons_only else self._segment.icon

    def _font(self, *, chosen: bool) -> QFont:
        return self._theme.font("meta", weight=600 if chosen else 400)


class SegmentedSwitch(Grounded, QWidget):
    """Segments in one frame; arrow keys and clicks choose."""

    choice_changed = Signal(str)
    stands_on = Ground("sunken", 6, "lineStrong")

    def __init__(
        self,
        theme: Theme,
        segments: Sequence[Segment],
        name: str,
        *,
        height: int = 28,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: list[_SegmentButton] = []
        self.setAccessibleName(name)
        row = hbox(self, margins=_FRAME, spacing=0)
        for segment in segments:
            button = _SegmentButton(theme, segment, height, self)
            self._group.addButton(button)
            self._buttons.append(button)
            row.addWidget(button)
        self._buttons[0].setChecked(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group.buttonToggled.connect(self._on_button_toggled)

    def choice(self) -> str:
        """Key of the chosen segment; empty while none is."""
        return next((button.key for button in self._buttons if button.isChecked()), "")

    def show_choice(self, key: str | None) -> None:
        """Show a segment as chosen, or none of them, without a signal."""
        with QSignalBlocker(self._group):
            self._group.setExclusive(False)
            for button in self._buttons:
                button.setChecked(button.key == key)
            self._group.setExclusive(True)

    def choose(self, key: str) -> None:
        """Choose a segment; says so only when it was not chosen already."""
        for button in self._buttons:
            if button.key == key:
                button.setChecked(True)

    def allows(self, key: str) -> bool:
        """Whether a segment can be chosen."""
        return any(one.key == key and one.isEnabledTo(self) for one in self._buttons)

    def set_choice_enabled(self, key: str, *, enabled: bool) -> None:
        """Allow or forbid one segment, for something that does not work right now."""
        for button in self._buttons:
            if button.key == key:
                button.setEnabled(enabled)

    def set_icons_only(self, *, icons_only: bool) -> None:
        """Leave the words out; they stay in the tool tips."""
        for button in self._buttons:
            button.set_icons_only(icons_only=icons_only)

    def buttons(self) -> list[QAbstractButton]:
        """The segments, left to right."""
        return list(self._buttons)

    @Slot(QAbstractButton, bool)
    def _on_button_toggled(self, button: QAbstractButton, checked: bool) -> None:  # noqa: FBT001 - Qt
        if checked and isinstance(button, _SegmentButton):
            self.choice_changed.emit(button.key)
