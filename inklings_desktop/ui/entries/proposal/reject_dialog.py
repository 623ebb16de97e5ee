"""Declines a proposal, with a few words for the agent if one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.proposals import MAX_NOTE_CHARACTERS
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class RejectDialog(TextDialog):
    """One field for a note; it may stay empty."""

    def __init__(self, title: str, client: str, parent: QWidget) -> None:
        super().__init__(
            parent,
            self.tr("Reject the proposal for {title}?").format(title=title),
            self.tr(
                "Nothing changes. {client} can read your note, and so do better next time."
            ).format(client=client),
            Field(
                ("rejectDialog", "rejectNote", "rejectConfirm"),
                self.tr("Note to the agent"),
                self.tr("Why not, in a sentence (optional)"),
                height=96,
                width=460,
                longest=MAX_NOTE_CHARACTERS,
            ),
            yes=self.tr("Reject"),
            no=self.tr("Keep it open"),
            on_enter=True,
        )
        self.setWindowTitle(self.tr("Reject the proposal"))

    @property
    def note(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.typed.strip()
