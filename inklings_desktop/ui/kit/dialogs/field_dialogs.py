"""The small dialogs with a field: a name, a few words, or one of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QListWidgetItem, QPlainTextEdit

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import restyle
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

MAX_NAME_CHARACTERS = 120
_MOST_SHOWN, _ROW_HEIGHT = 7, 34


class NameDialog(SmallDialog):
    """Asks for a name, such as a new workspace's; the button is enabled once one is typed.

    Attributes:
        confirm: The button that takes the name.
        field: Where it is typed.
        refusal: Why the name before could not be used.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        *,
        yes: str,
        name: str = "",
        longest: int = MAX_NAME_CHARACTERS,
    ) -> None:
        """Build the dialog; the arguments are those of ``ask_name``."""
        super().__init__(parent, title, text, name="nameDialog")
        self._before = name
        self.field = named(QLineEdit(self), "nameField", title)
        self.field.setMaxLength(longest)
        self.field.setText(name)
        self.field.selectAll()
        self.field.textChanged.connect(self._on_text_changed)
        self.refusal = named(QLabel(self), "nameRefusal")
        self.refusal.setProperty("textStyle", "error")
        self.refusal.setTextFormat(Qt.TextFormat.PlainText)
        self.refusal.setWordWrap(True)
        self.refusal.hide()
        cancel = self.button(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.confirm = self.button(yes, "nameConfirm", kind="primary", on_enter=True)
        self.confirm.setEnabled(False)
        self.confirm.clicked.connect(self.accept)
        self.lay_out(self.field, self.refusal, right=(cancel, self.confirm), gap=12)

    @property
    def name(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.field.text().strip()

    def refuse(self, typed: str, sentence: str) -> None:
        """Ask again, with what was typed and why it cannot be used."""
        self.field.setText(typed)
        self.field.selectAll()
        self.refusal.setText(sentence)
        self.refusal.show()
        restyle(self.field, "invalid", "true")
        self.confirm.setEnabled(False)  # the same name would be refused again
        self.field.setAccessibleDescription(sentence)
        announce(self.field, sentence, urgent=True)

    @Slot(str)
    def _on_text_changed(self, _text: str) -> None:
        self.confirm.setEnabled(bool(self.name) and self.name != self._before)
        self.refusal.hide()
        self.field.setAccessibleDescription("")
        restyle(self.field, "invalid", "false")


@dataclass(frozen=True, slots=True)
class Field:
    """What is typed into a ``TextDialog``.

    Attributes:
        names: Object names of the dialog, of the field and of the button that says yes.
        label: For a screen reader.
        hint: Stands in it while it is empty.
        text: What it begins with, all of it selected.
        height: Of several lines, in pixels; 0 for one line.
        longest: How many characters it may have; 0 for as many as one likes.
        width: Least width of the dialog at text scale 1, in pixels; it grows with larger text.
    """

    names: tuple[str, str, str]
    label: str
    hint: str
    text: str = ""
    height: int = 0
    longest: int = 0
    width: int = 440


class TextDialog(SmallDialog):
    """One field that may stay empty, and two answers.

    A line takes no more than it may have; of several lines it is said how much is too long.

    Attributes:
        confirm: The button that says yes.
        field: What is filled in.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        field: Field,
        *,
        yes: str,
        no: str,
        kind: str = "primary",
        on_enter: bool = False,
    ) -> None:
        """Build the dialog.

        Args:
            title: What is asked.
            text: What an answer does.
            field: What is typed.
            yes: Words of ``confirm``.
            no: Words of the button that changes nothing.
            kind: Look of ``confirm``.
            on_enter: Whether Enter presses ``confirm``.
        """
        super().__init__(parent, title, text, name=field.names[0], width=field.width, grows=True)
        self._longest = field.longest
        self.field: QLineEdit | QPlainTextEdit
        if field.height:
            self.field = QPlainTextEdit(field.text, self)
            self.field.setTabChangesFocus(True)
            self.field.setFixedHeight(field.height)
        else:
            self.field = QLineEdit(field.text, self)
            self.field.setMaxLength(field.longest)
        self.field.setObjectName(field.names[1])
        self.field.setAccessibleName(field.label)
        self.field.setPlaceholderText(field.hint)
        self.field.selectAll()
        self.field.textChanged.connect(self._on_text_changed)
        self._error = plain_label("", "error", self)
        self._error.hide()
        dismiss = self.button(no)
        dismiss.clicked.connect(self.reject)
        self.confirm = self.button(yes, field.names[2], kind=kind, on_enter=on_enter)
        self.confirm.clicked.connect(self.accept)
        self.lay_out(self.field, left=((self._error, 1),), right=(dismiss, self.confirm))

    @property
    def typed(self) -> str:
        """What was typed."""
        field = self.field
        return field.text() if isinstance(field, QLineEdit) else field.toPlainText()

    def refuse(self, sentence: str) -> None:
        """Say why what was typed could not be used; it may be tried once more."""
        self._error.setText(sentence)
        self._error.show()
        announce(self.field, sentence, urgent=True)

    @Slot()
    def _on_text_changed(self) -> None:
        over = len(self.typed.strip()) - self._longest if self._longest else 0
        self._error.setVisible(over > 0)
        self._error.setText(
            counted(max(over, 0), "1 character too long", "{n} characters too long")
        )
        self.confirm.setEnabled(over <= 0)


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: its id, and what is said of it."""

    id: str
    text: str


class ChoiceDialog(SmallDialog):
    """Lists things of which one can be brought or taken back.

    Attributes:
        confirm: The button that chooses.
        list: What can be chosen, the first one to begin with.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        choices: Sequence[Choice],
        *,
        name: str,
        label: str,
        yes: str,
        on_enter: bool = False,
    ) -> None:
        """Build the dialog.

        Args:
            title: The question.
            text: What choosing does, or that there is nothing to choose.
            choices: In their order; may be none.
            name: Object name.
            label: The list, for a screen reader.
            yes: The button that chooses.
            on_enter: Whether Enter and a double click choose.
        """
        super().__init__(parent, title, text, name=name, width=480, grows=True)
        self.list = QListWidget(self)
        self.list.setProperty("popup", "true")
        self.list.setAccessibleName(label)
        row_height = round(_ROW_HEIGHT * self.growth)
        for choice in choices:
            item = QListWidgetItem(choice.text, self.list)
            item.setData(Qt.ItemDataRole.UserRole, choice.id)
            item.setSizeHint(QSize(0, row_height))
        self.list.setFixedHeight(row_height * min(max(len(choices), 1), _MOST_SHOWN) + 10)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(choices))
        dismiss = self.button(tr("Cancel") if choices else tr("Close"))
        dismiss.clicked.connect(self.reject)
        self.confirm = self.button(yes, "choose", kind="primary", on_enter=on_enter)
        self.confirm.clicked.connect(self.accept)
        if on_enter:
            self.list.itemActivated.connect(self.accept)
        self.lay_out(self.list, right=(dismiss, self.confirm))
        self.confirm.setVisible(bool(choices))

    @property
    def chosen_id(self) -> str:
        """Id of what is chosen; empty if there is nothing."""
        return str(self.list.currentIndex().data(Qt.ItemDataRole.UserRole) or "")
