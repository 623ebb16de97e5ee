"""What went wrong with a named entry or a proposal, as sentences for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.ui.kit.words.messages import Message, message_of

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import InklingsError


def entry_message(error: InklingsError) -> Message:
    """The sentences for one of our errors, in words of this page where it has any."""
    match error:
        case ConflictError(kind="proposal"):
            return Message(
                _tr("This proposal was decided on meanwhile."),
                _tr("Nothing was changed here. The list shows what is still open."),
            )
        case ConflictError(kind="named_entry", expected=None):
            return Message(
                _tr("There is already a {name} in this tier.").format(name=error.key),
                _tr("Choose another name. Nothing was changed."),
            )
        case ConflictError(kind="named_entry"):
            return Message(
                _tr("This entry was changed meanwhile."),
                _tr("Nothing was saved over it. Look at the new text and try again."),
            )
        case ConflictError(kind="memory"):
            return Message(
                _tr("This memory was changed meanwhile."),
                _tr("Nothing was saved over it. Look at the new text and decide again."),
            )
        case NotFoundError(kind="memory"):
            return Message(
                _tr("The memory is not there any more."),
                _tr("It was forgotten or removed after this was proposed. Nothing was changed."),
            )
        case NotFoundError(kind="named_entry"):
            return Message(
                _tr("This entry is not there any more."),
                _tr("It was deleted meanwhile. Nothing was changed."),
            )
        case InvalidValueError() if (text := _rule(error)) is not None:
            return Message(text, _tr("Nothing was changed."))
        case _:
            return message_of(error)


def _rule(error: InvalidValueError) -> str | None:
    return {
        ("body", "too_long"): _tr("A named entry holds at most 256 KiB of text. Shorten it."),
        ("body", "nul"): _tr("The text holds a NUL character, which cannot be kept. Remove it."),
        ("body", "encoding"): _tr("The text holds half a character, which cannot be kept."),
        ("name", "characters"): _tr("Only the capitals A to Z, digits and underscore."),
        ("name", "too_short"): _tr("A name has at least 2 characters."),
        ("name", "too_long"): _tr("A name has at most 40 characters."),
        ("name", "look_alike"): _tr("This name could be taken for another entry\u2019s."),
        ("name", "built_in"): _tr("VOICE and SOUL can be emptied, not deleted."),
        ("note", "too_long"): _tr("A note has at most 1,000 characters."),
        ("note", "control_characters"): _tr("The note holds characters that cannot be seen."),
    }.get((error.field, error.rule))


def _tr(text: str) -> str:
    return QCoreApplication.translate("entry_messages", text)
