"""Small questions before a proposal is rejected, or a wording left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.proposals import MAX_NOTE_CHARACTERS
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.look.translation import tr, tr_as

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = 460


class RejectDialog(TextDialog):
    """One field for a note; it may stay empty."""

    def __init__(self, title: str, client: str, parent: QWidget) -> None:
        super().__init__(
            parent,
            tr("Reject the proposal for {title}?").format(title=title),
            tr("Nothing changes. {client} can read your note, and so do better next time.").format(
                client=client
            ),
            Field(
                ("rejectDialog", "rejectNote", "rejectConfirm"),
                tr("Note to the agent"),
                tr("Why not, in a sentence (optional)"),
                height=96,
                longest=MAX_NOTE_CHARACTERS,
                width=_WIDTH,
            ),
            yes=tr("Reject"),
            no=tr("Keep it open"),
            on_enter=True,
        )
        self.setWindowTitle(tr("Reject the proposal"))

    @property
    def note(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.typed.strip()


async def may_leave_wording(parent: QWidget) -> bool:
    """Whether to leave a proposal whose wording was changed and not accepted."""
    return await ask(
        parent,
        tr("Leave your wording?"),
        tr("The proposal stays open, but what you typed is not kept."),
        yes=tr_as("and lose it", "Leave it"),
        no=tr("Stay"),
    )
