"""Why something about a named entry or a proposal could not be done, in words of its own."""

from __future__ import annotations

from inklings_desktop.domain.errors import (
    ConflictError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import Message, message_of


def entry_message(error: InklingsError) -> Message:
    """The sentences for one of our errors, in words of its own where it has any."""
    match error:
        case ConflictError(kind="proposal"):
            return Message(
                tr("This proposal was decided on meanwhile."),
                tr("Nothing was changed here. The list shows what is still open."),
            )
        case ConflictError(kind="named_entry", expected=None):
            return Message(
                tr("There is already a {name} in this tier.").format(name=error.key),
                tr("Choose another name. Nothing was changed."),
            )
        case ConflictError(kind="named_entry"):
            return Message(
                tr("This entry was changed meanwhile."),
                tr("Nothing was saved over it. Look at the new text and try again."),
            )
        case ConflictError(kind="memory"):
            return Message(
                tr("This memory was changed meanwhile."),
                tr("Nothing was saved over it. Look at the new text and decide again."),
            )
        case NotFoundError(kind="memory"):
            return Message(
                tr("The memory is not there any more."),
                tr("It was forgotten or removed after this was proposed. Nothing was changed."),
            )
        case NotFoundError(kind="named_entry"):
            return Message(
                tr("This entry is not there any more."),
                tr("It was deleted meanwhile. Nothing was changed."),
            )
        case InvalidValueError() if (text := _rule(error)) is not None:
            return Message(text, tr("Nothing was changed."))
        case _:
            return message_of(error)


def _rule(error: InvalidValueError) -> str | None:
    return {
        ("body", "too_long"): tr("A named entry holds at most 256 KiB of text. Shorten it."),
        ("body", "nul"): tr("The text holds a NUL character, which cannot be kept. Remove it."),
        ("body", "encoding"): tr("The text holds half a character, which cannot be kept."),
        ("name", "characters"): tr("Only the capitals A to Z, digits and underscore."),
        ("name", "too_short"): tr("A name has at least 2 characters."),
        ("name", "too_long"): tr("A name has at most 40 characters."),
        ("name", "look_alike"): tr("This name could be taken for another entry\u2019s."),
        ("name", "built_in"): tr("VOICE and SOUL can be emptied, not deleted."),
        ("note", "too_long"): tr("A note has at most 1,000 characters."),
        ("note", "control_characters"): tr("The note holds characters that cannot be seen."),
    }.get((error.field, error.rule))
