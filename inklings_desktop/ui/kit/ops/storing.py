"""Marks what stores something, so that all of it can be withheld while nothing can be stored.

A control is marked where it is made. While the disk of the open data root cannot be written to,
every marked control is greyed out and says why, whoever enables it, and however late it is made.
"""

from __future__ import annotations

import weakref
from dataclasses import field
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget
from shiboken6 import isValid

from inklings_desktop.domain.plain_data import dataclass

Control = TypeVar("Control", bound=QAction | QWidget)


class _Keeper(QObject):
    """Keeps one control greyed out; lives as long as the control."""

    def __init__(self, control: QAction | QWidget) -> None:
        super().__init__(control)
        self._reason = ""

    @property
    def _control(self) -> QAction | QWidget:
        """The parent: kept as an attribute, it would outlive its last owner."""
        control = self.parent()
        assert isinstance(control, QAction | QWidget)
        return control

    def hold(self, reason: str) -> None:
        """Grey it out from now on."""
        if self._reason:
            return
        self._reason = reason
        if isinstance(self._control, QAction):
            self._control.changed.connect(self._on_changed)
        else:
            self._control.installEventFilter(self)
        self._grey_out()

    def let_go(self) -> None:
        """Leave it to its owner; what it says stays until the owner says something else."""
        if not self._reason:
            return
        self._reason = ""
        if isinstance(self._control, QAction):
            self._control.changed.disconnect(self._on_changed)
        else:
            self._control.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Greys it out again whenever somebody enables it or says something else."""
        if event.type() in {QEvent.Type.EnabledChange, QEvent.Type.ToolTipChange}:
            self._grey_out()
        return super().eventFilter(watched, event)

    @Slot()
    def _on_changed(self) -> None:
        self._grey_out()

    def _grey_out(self) -> None:
        control, tip = self._control, self._reason
        if control.isEnabled():
            control.setEnabled(False)
        if control.toolTip() != tip:
            control.setToolTip(tip)
        if isinstance(control, QWidget):
            control.setAccessibleDescription(self._reason)
            return
        if control.statusTip() != self._reason:
            control.setStatusTip(self._reason)
        for menu in control.associatedObjects():
            if isinstance(menu, QMenu):
                menu.setToolTipsVisible(True)


@dataclass
class _Gate:
    """Why nothing can be stored, for the one data root that this program has open."""

    reason: str = ""
    keepers: weakref.WeakSet[_Keeper] = field(default_factory=weakref.WeakSet)


_gate = _Gate()


def storing(control: Control) -> Control:
    """The same control, marked as one that stores something."""
    keeper = _Keeper(control)
    _gate.keepers.add(keeper)
    if _gate.reason:
        keeper.hold(_gate.reason)
    return control


def withhold_storing(reason: str) -> None:
    """Grey out every marked control, those that are made later included.

    Args:
        reason: Why, in a sentence; stands in tool tip, status tip and description.
    """
    _gate.reason = reason
    for keeper in list(_gate.keepers):
        if isValid(keeper):
            keeper.hold(reason)


def allow_storing() -> None:
    """Withhold nothing any more."""
    _gate.reason = ""
    for keeper in list(_gate.keepers):
        if isValid(keeper):
            keeper.let_go()


def why_withheld() -> str:
    """Why nothing can be stored now; empty while everything can."""
    return _gate.reason
