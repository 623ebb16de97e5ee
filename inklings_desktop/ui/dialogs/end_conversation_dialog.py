"""Asks what of a conversation is to be kept before it rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 520
_MARGIN = 28
_FIELD_HEIGHT = 150


class EndConversationDialog(QDialog):
    """A field for a summary; dismissing it leaves the conversation active."""

    def __init__(self, title: str, channel: str, *, n_memories: int, parent: QWidget) -> None:
        """Ask.

        Args:
            title: What the conversation is called.
            channel: The channel that its summary goes to.
            n_memories: Memories of its own tier, which are forgotten.
            parent: The window it belongs to.
        """
        super().__init__(parent)
        self.setObjectName("endConversationDialog")
        question = self.tr("End {title}?").format(title=title)
        self.setWindowTitle(question)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(question, self)
        heading.setProperty("textStyle", "title")
        kept = self.tr(
            "Each line of at least three words becomes a memory of #{channel}. Leave it empty to"
            " keep nothing."
        ).format(channel=channel)
        gone = (
            self.tr("Its 1 own memory is forgotten then; you can restore it.")
            if n_memories == 1
            else self.tr("Its {n} own memories are forgotten then; you can restore them.").format(
                n=n_memories
            )
        )
        words = QLabel(f"{kept} {gone}" if n_memories else kept, self)
        words.setProperty("textStyle", "body")
        for label in (heading, words):
            label.setWordWrap(True)
            label.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.field = QPlainTextEdit(self)
        self.field.setObjectName("conversationSummary")
        self.field.setAccessibleName(self.tr("Summary"))
        self.field.setPlaceholderText(self.tr("What should outlive this conversation?"))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(_FIELD_HEIGHT)
        keep = QPushButton(self.tr("Go on talking"), self)
        keep.setAutoDefault(False)
        keep.clicked.connect(self.reject)
        self.confirm = QPushButton(self.tr("End conversation"), self)
        self.confirm.setObjectName("endConfirm")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setAutoDefault(False)
        self.confirm.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(keep)
        buttons.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addWidget(self.field)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    @property
    def summary(self) -> str:
        """What was typed."""
        return self.field.toPlainText()
