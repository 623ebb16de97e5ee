"""Asks what of a conversation is to be kept before it rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPlainTextEdit

from inklings_desktop.ui.kit.dialogs.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 520
_FIELD_HEIGHT = 150


class EndConversationDialog(QuestionDialog):
    """A field for a summary; dismissing it leaves the conversation active."""

    def __init__(self, title: str, channel: str, *, n_memories: int, parent: QWidget) -> None:
        """Ask.

        Args:
            title: What the conversation is called.
            channel: The channel that its summary goes to.
            n_memories: Memories of its own tier, which are forgotten.
            parent: The window it belongs to.
        """
        super().__init__(parent, width=_WIDTH)
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
        self.ask(
            self.tr("End {title}?").format(title=title),
            f"{kept} {gone}" if n_memories else kept,
        )
        self.setObjectName("endConversationDialog")
        self.field = QPlainTextEdit(self)
        self.field.setObjectName("conversationSummary")
        self.field.setAccessibleName(self.tr("Summary"))
        self.field.setPlaceholderText(self.tr("What should outlive this conversation?"))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(_FIELD_HEIGHT)
        self.lay_out(
            self.field,
            no=self.tr("Go on talking"),
            yes=self.tr("End conversation"),
            name="endConfirm",
            on_enter=False,
        )

    @property
    def summary(self) -> str:
        """What was typed."""
        return self.field.toPlainText()
