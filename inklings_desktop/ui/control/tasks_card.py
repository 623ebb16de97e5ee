"""Background work in the control plane: the table, a switch for all of it, how it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.control.task_table import TaskTable
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.marks.labels import wrapped_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import PADDING, CardHead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.control.task_list_model import TaskRow
    from inklings_desktop.ui.kit.look.theme import Theme


class TasksCard(QFrame):
    """Five kinds of work.

    Signals:
        act_requested: Key of the row whose button was pressed.
        pause_toggled: All of it is to pause, or to go on.
    """

    act_requested = Signal(str)
    pause_toggled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tasksCard")
        self.setProperty("card", "true")
        self.setAccessibleName(self.tr("Background work"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.pause = PushButton(
            theme, self.tr("Pause all"), kind="quiet", icon="pause", small=True, parent=self
        )
        self.pause.setObjectName("pauseAll")
        self.pause.clicked.connect(self.pause_toggled)
        storing(self.pause)
        self.pause.hide()
        self._is_paused = False
        self.table = TaskTable(theme, self)
        self.table.act_requested.connect(self.act_requested)
        head = CardHead(theme, self.tr("Background work"), self)
        head.add(self.pause)
        foot = wrapped_label(
            self.tr(
                "Consolidation starts when enough is new, and at least this often. "
                "One run makes up for all missed while closed."
            ),
            "meta",
            self,
        )
        foot.setContentsMargins(PADDING, 9, PADDING, 10)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 4, 1, 1)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.table)
        column.addWidget(foot)
        column.addStretch(1)

    def show_tasks(self, rows: Sequence[TaskRow], *, is_paused: bool, can_pause: bool) -> None:
        """Show how the work stands.

        Args:
            rows: One per kind of work.
            is_paused: Whether all of it is paused.
            can_pause: Whether that can be changed.
        """
        self.table.show_rows(rows)
        if is_paused != self._is_paused:
            self._is_paused = is_paused
            if is_paused:
                self.pause.set_face(self.tr("Resume"), "play")
            else:
                self.pause.set_face(self.tr("Pause all"), "pause")
        self.pause.setVisible(can_pause)

    def stops(self) -> tuple[QWidget, ...]:
        """What the keyboard reaches, in order."""
        return (self.pause, self.table, *self.table.buttons())
