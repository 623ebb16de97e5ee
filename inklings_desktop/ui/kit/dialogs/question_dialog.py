"""What the small dialogs share: a question, a sentence, one field or list, and two answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_MARGIN = 28
_USUAL_BODY = 14


class QuestionDialog(QDialog):
    """Asks one thing; a subclass calls ``ask``, makes the field and then calls ``lay_out``.

    Attributes:
        confirm: The button that says yes; there once ``lay_out`` was called.
        growth: How much larger text is than usual, 1 at the usual size.
    """

    confirm: QPushButton

    def __init__(self, parent: QWidget, *, width: int) -> None:
        """Build the dialog.

        Args:
            parent: The window it belongs to.
            width: Least width at text scale 1, in pixels; it grows with larger text.
        """
        super().__init__(parent)
        self.growth = max(1.0, self.font().pixelSize() / _USUAL_BODY)
        width = round(width * self.growth)
        self.setMinimumWidth(width)
        self._heading = QLabel(self)
        self._heading.setProperty("textStyle", "title")
        self._words = QLabel(self)
        self._words.setProperty("textStyle", "body")
        for label in (self._heading, self._words):  # measured at the width it will have
            label.setWordWrap(True)
            label.setMinimumWidth(width - 2 * _MARGIN)

    def ask(self, question: str, sentence: str) -> None:
        """Say what is asked, and what an answer does."""
        self.setWindowTitle(question)
        self._heading.setText(question)
        self._words.setText(sentence)

    def lay_out(
        self,
        field: QWidget,
        *,
        no: str,
        yes: str,
        name: str,
        kind: str = "primary",
        on_enter: bool = True,
        error: QLabel | None = None,
    ) -> None:
        """Put the field between the sentence and the two answers.

        Args:
            field: What is filled in or chosen.
            no: Words of the button that changes nothing.
            yes: Words of ``confirm``.
            name: Object name of ``confirm``.
            kind: Its look, ``primary`` or ``danger``.
            on_enter: Whether Enter presses it.
            error: Stands beside the answers.
        """
        dismiss = QPushButton(no, self)
        dismiss.setAutoDefault(False)
        dismiss.clicked.connect(self.reject)
        self.confirm = QPushButton(yes, self)
        self.confirm.setObjectName(name)
        self.confirm.setProperty("kind", kind)
        self.confirm.setAutoDefault(on_enter)
        self.confirm.setDefault(on_enter)
        self.confirm.clicked.connect(self.accept)
        answers = QHBoxLayout()
        answers.setSpacing(10)
        if error is not None:
            answers.addWidget(error, 1)
        answers.addStretch(1)
        answers.addWidget(dismiss)
        answers.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(self._heading)
        layout.addWidget(self._words)
        layout.addWidget(field)
        layout.addSpacing(8)
        layout.addLayout(answers)
