"""What a person sets on a memory besides its values: pinned, paused, locked, still true."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.look.flow_layout import FlowLayout
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.memory.wishes import MemoryAct, marking_act

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from inklings_desktop.ui.kit.look.theme import Theme

_AIR = 3


class MarksRow(QWidget):
    """Three states to switch, and *Still true*.

    A switch shows what is stored: it moves when the store says so, not when it is pressed.

    Signals:
        act_requested: A ``MemoryAct``.
    """

    act_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: AbstractSet[MemoryMark] = frozenset()
        self.setAccessibleName(self.tr("State"))
        row = self._row = FlowLayout(self, gap=6, line_gap=6)
        self.switches: dict[MemoryMark, FilterChip] = {}
        for mark, icon, name, tip in (
            (
                MemoryMark.PINNED,
                "push-pin",
                self.tr("Pinned"),
                self.tr("It never fades, and no background work forgets it."),
            ),
            (
                MemoryMark.PAUSED,
                "pause",
                self.tr("Paused"),
                self.tr("It is kept, but no agent and no search finds it until it is resumed."),
            ),
            (
                MemoryMark.LOCKED,
                "lock-simple",
                self.tr("Locked"),
                self.tr("Agents may only propose changes to it."),
            ),
        ):
            switch = FilterChip(theme, name, icon=icon, toggles=True, parent=self)
            switch.setObjectName(f"mark_{mark.value}")
            switch.setToolTip(tip)
            switch.toggled_by_user.connect(partial(self._on_toggled, mark))
            row.addWidget(switch)
            self.switches[mark] = switch
            storing(switch)
        self.confirm = PushButton(
            theme, self.tr("Still true"), kind="plain", icon="check-circle", small=True, parent=self
        )
        self.confirm.setObjectName("stillTrue")
        self.confirm.setToolTip(self.tr("Its hours count from now."))
        self.confirm.clicked.connect(partial(self.act_requested.emit, MemoryAct.CONFIRM))
        storing(self.confirm)
        row.addWidget(self.confirm)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_marks(self, marks: AbstractSet[MemoryMark], *, enabled: bool) -> None:
        """Show what is set.

        Args:
            marks: Those that are set.
            enabled: Whether they can be changed: those of a forgotten memory cannot.
        """
        self._marks = marks
        for mark, switch in self.switches.items():
            switch.set_on(on=mark in marks)
            switch.setAccessibleDescription(self.tr("on") if mark in marks else self.tr("off"))
            switch.setEnabled(enabled)
        self.confirm.setEnabled(enabled)

    def minimumSizeHint(self) -> QSize:
        """None of its own: it takes the width there is and the height that follows from it."""
        return QSize(0, 0)

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [*self.switches.values(), self.confirm]

    @Slot()
    def _on_theme_changed(self) -> None:
        air = self._theme.scaled(_AIR)
        self._row.setContentsMargins(0, air, 0, air)

    def _on_toggled(self, mark: MemoryMark, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.switches[mark].set_on(on=mark in self._marks)
        self.act_requested.emit(marking_act(mark, on=on))
