"""Lists things of which one can be brought or taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from inklings_desktop.ui.kit.dialogs.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

_WIDTH = 480
_MOST_SHOWN = 7
_ROW_HEIGHT = 34


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: its id, and what is said of it."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ChoiceWords:
    """What a list of choices is called and says.

    Attributes:
        title: The question.
        sentence: What choosing does.
        nothing: The sentence where there is nothing to choose.
        list_name: The list, for a screen reader.
        yes: The button that chooses.
    """

    title: str
    sentence: str
    nothing: str
    list_name: str
    yes: str


class ChoiceDialog(QuestionDialog):
    """One list; dismissing it leaves everything as it is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, width=_WIDTH)
        self.list = QListWidget(self)
        self.list.setProperty("popup", "true")

    def offer(self, words: ChoiceWords, choices: Sequence[Choice], *, on_enter: bool) -> None:
        """Offer the choices in the order given, the first one chosen.

        Args:
            words: What it says.
            choices: May be none.
            on_enter: Whether Enter chooses.
        """
        self.ask(words.title, words.sentence if choices else words.nothing)
        self.list.setAccessibleName(words.list_name)
        row_height = round(_ROW_HEIGHT * self.growth)
        for choice in choices:
            item = QListWidgetItem(choice.text, self.list)
            item.setData(Qt.ItemDataRole.UserRole, choice.id)
            item.setSizeHint(QSize(0, row_height))
        self.list.setFixedHeight(row_height * min(max(len(choices), 1), _MOST_SHOWN) + 10)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(choices))
        self.lay_out(
            self.list,
            no=self.tr("Cancel") if choices else self.tr("Close"),
            yes=words.yes,
            name="choose",
            on_enter=on_enter,
        )
        self.confirm.setVisible(bool(choices))

    @property
    def chosen_id(self) -> str:
        """Id of what is chosen; empty if there is nothing."""
        return str(self.list.currentIndex().data(Qt.ItemDataRole.UserRole) or "")
