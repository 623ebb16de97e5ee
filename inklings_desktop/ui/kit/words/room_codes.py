"""The code of a conversation, by which an agent is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.conversation import Conversation


def copy_code(talk: Conversation) -> str:
    """Put a conversation's code on the clipboard; what is said of it then."""
    QGuiApplication.clipboard().setText(talk.ref_code)
    return tr("Copied {code}. Paste it to your agent: it names this conversation.").format(
        code=talk.ref_code
    )
