"""What a memory was to a turn of a conversation, where it is opened beside one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import ReadingLabel, plain_label, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme


class TurnPart(QWidget):
    """Above the text what the turn did with it, and what was said from it.

    Attributes:
        said: Stands below all else in the inspector.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("turnPart")
        self._label = plain_label("", "label", self)
        self._why = wrapped_label("", "meta", self)
        vbox(self, self._label, self._why, margins=(0, 0, 0, 6), spacing=2)
        self.said = QWidget(parent)
        self.said.setObjectName("saidFromIt")
        self._text = ReadingLabel(theme, "", self.said)
        heading = plain_label(tr("What the agent said from it"), "label", self.said)
        vbox(self.said, heading, self._text, margins=(0, SECTION_GAP, 0, 0), spacing=6)
        self.show_facts("", "", "")

    def show_facts(self, label: str, why: str, said: str) -> None:
        """Show what the memory was to a turn; nothing hides it."""
        self._label.setText(label)
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self._text.setText(said)
        self.setVisible(bool(label))
        self.said.setVisible(bool(said))
