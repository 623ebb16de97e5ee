"""Asks what of a conversation is to be kept before it rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class EndConversationDialog(TextDialog):
    """A field for a summary; dismissing it leaves the conversation active."""

    def __init__(self, title: str, channel: str, *, n_memories: int, parent: QWidget) -> None:
        """Ask.

        Args:
            title: What the conversation is called.
            channel: The channel that its summary goes to.
            n_memories: Memories of its own tier, which are forgotten.
            parent: The window it belongs to.
        """
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
        super().__init__(
            parent,
            self.tr("End {title}?").format(title=title),
            f"{kept} {gone}" if n_memories else kept,
            Field(
                ("endConversationDialog", "conversationSummary", "endConfirm"),
                self.tr("Summary"),
                self.tr("What should outlive this conversation?"),
                height=150,
                width=520,
            ),
            yes=self.tr("End conversation"),
            no=self.tr("Go on talking"),
        )
