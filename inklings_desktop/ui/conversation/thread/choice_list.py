"""What one question is about, where that is several memories: each with its box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.layouts import hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import ReadingLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from inklings_desktop.agent_client.rows import Choice
    from inklings_desktop.ui.kit.look.theme import Theme

_TOP = 3  # so that the first line stands beside its box


class ChoiceList(QWidget):
    """The words of each memory, beside its box.

    Signals:
        changed: Another one is checked, or one less.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, choices: Sequence[Choice], left_out: set[str], parent: QWidget
    ) -> None:
        """Show these; the ids in ``left_out`` are unchecked, and what is unchecked is put there."""
        super().__init__(parent)
        self._left_out = left_out
        self.setAccessibleName(tr("Memories"))
        self.boxes: dict[str, CheckBox] = {}
        self._texts: list[QLabel] = []
        column = vbox(self, margins=0, spacing=2)
        for one in choices:
            box = self.boxes[one.id] = CheckBox(theme, "", self)
            box.setAccessibleName(one.text)
            box.setChecked(one.id not in left_out)
            box.toggled.connect(self._on_toggled)
            text = ReadingLabel(theme, one.text, self)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            text.setContentsMargins(0, _TOP, 0, _TOP)
            self._texts.append(text)
            row = hbox(None, box, (text, 1))
            row.setAlignment(box, Qt.AlignmentFlag.AlignTop)
            column.addLayout(row)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Ids of those that are checked."""
        return tuple(id_ for id_, box in self.boxes.items() if box.isChecked())

    @Slot()
    def _on_toggled(self) -> None:
        self._left_out.clear()
        self._left_out.update(self.boxes.keys() - self.chosen)
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves by J and K, as by Down and Up; what else is typed is for the card."""
        if event.key() in {Qt.Key.Key_J, Qt.Key.Key_K} and not event.modifiers():
            self.focusNextPrevChild(event.key() == Qt.Key.Key_J)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        for text, box in zip(self._texts, self.boxes.values(), strict=False):
            if text.geometry().contains(at) and event.button() is Qt.MouseButton.LeftButton:
                box.setFocus(Qt.FocusReason.MouseFocusReason)
                box.click()
