"""Asks for a name, such as a new workspace's, until it can be used or is not wanted any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout

from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.ui.kit.dialogs.asking import answered
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.words.messages import Message, message_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtWidgets import QWidget

    T = TypeVar("T")

_WIDTH, _MARGIN = 440, 28
_MAX_CHARACTERS = 120


class NameDialog(QDialog):
    """One field; the button is enabled once something is typed."""

    def __init__(
        self,
        title: str,
        hint: str,
        action: str,
        parent: QWidget,
        *,
        name: str = "",
        longest: int = _MAX_CHARACTERS,
    ) -> None:
        """Ask.

        Args:
            title: What is asked, and the accessible name of the field.
            hint: What the name is for.
            action: Word of the button.
            parent: The window it belongs to.
            name: The name so far; the button waits for another one.
            longest: How many characters it may have.
        """
        super().__init__(parent)
        self._before = name
        self.setObjectName("nameDialog")
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        words = QLabel(hint, self)
        words.setProperty("textStyle", "body")
        words.setWordWrap(True)
        words.setMinimumWidth(_WIDTH - 2 * _MARGIN)  # measured at the width it will have
        self.field = QLineEdit(self)
        self.field.setObjectName("nameField")
        self.field.setAccessibleName(title)
        self.field.setMaxLength(longest)
        self.field.setText(name)
        self.field.selectAll()
        self.field.textChanged.connect(self._on_text_changed)
        self.refusal = QLabel(self)
        self.refusal.setObjectName("nameRefusal")
        self.refusal.setProperty("textStyle", "error")
        self.refusal.setTextFormat(Qt.TextFormat.PlainText)
        self.refusal.setWordWrap(True)
        self.refusal.hide()
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.confirm = QPushButton(action, self)
        self.confirm.setObjectName("nameConfirm")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setDefault(True)
        self.confirm.setEnabled(False)
        self.confirm.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addWidget(self.field)
        layout.addWidget(self.refusal)
        layout.addSpacing(8)
        layout.addLayout(buttons)

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
        self._mark(is_invalid=True)
        self.confirm.setEnabled(False)  # the same name would be refused again
        self.field.setAccessibleDescription(sentence)
        announce(self.field, sentence, urgent=True)

    @Slot(str)
    def _on_text_changed(self, _text: str) -> None:
        self.confirm.setEnabled(bool(self.name) and self.name != self._before)
        self.refusal.hide()
        self.field.setAccessibleDescription("")
        self._mark(is_invalid=False)

    def _mark(self, *, is_invalid: bool) -> None:
        self.field.setProperty("invalid", "true" if is_invalid else "false")
        self.field.style().polish(self.field)


async def asked_name(
    ask: Callable[[], NameDialog],
    use: Callable[[str], Awaitable[T]],
    say: Callable[[ConflictError | InvalidValueError], Message] = message_of,
) -> T | None:
    """What was made of a name; None when the person changed their mind.

    A name that cannot be used is asked for again beside the sentence why; nothing typed is lost.

    Args:
        ask: Makes the dialog.
        use: Does something with the name.
        say: Why a name was refused.

    Raises:
        InklingsError: It failed for a reason that no other name would change.
    """
    typed, refusal = "", None
    while True:
        dialog = ask()
        if refusal is not None:
            dialog.refuse(typed, f"{refusal.title.rstrip('.')}. {refusal.text}")
        if not await answered(dialog):
            return None
        typed = dialog.name  # it is deleted while the name is tried
        try:
            return await use(typed)
        except (ConflictError, InvalidValueError) as error:
            refusal = say(error)
