"""What the window says in a dialog of its own: refusals and faults."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.look.veil import veil_behind

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.words.messages import Message


N_FRAMES = 6


def say_message(message: Message, parent: QWidget) -> None:
    """Say what went wrong; nothing was lost."""
    details = "\n".join(f"{name}: {value}" for name, value in message.details)
    _open(MessageDialog(message.title, message.text, details, parent))


def say_bug(error: BaseException, parent: QWidget) -> None:
    """Say that the program itself made a mistake."""
    text = tr(
        "Inklings met a fault of its own. What was saved is safe. The details help whoever mends "
        "it; they hold no memory text."
    )
    title = tr("That should not have happened")
    # Frames and the kind of error only: an error's own words may quote a memory.
    frames = "".join(traceback.format_tb(error.__traceback__)[-N_FRAMES:])
    _open(MessageDialog(title, text, f"{type(error).__name__}\n{frames}", parent))


def _open(dialog: MessageDialog) -> None:
    veil_behind(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
