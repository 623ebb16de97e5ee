"""What a person changes in the inspector's fields, and what is said beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseFullError, InvalidValueError
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.memory.subject.state import MemoryEdit
    from inklings_desktop.ui.memory.subject.subject import NewMemory, OpenMemory


def take_edit(shown: OpenMemory | NewMemory, edit: MemoryEdit) -> None:
    """Put what was changed into the draft; what was wrong with it may be right now."""
    draft, errors = shown.draft, shown.errors
    if edit.content is not None:
        draft, errors = replace(draft, content=edit.content), replace(errors, content="")
    if edit.importance is not None:
        draft, errors = replace(draft, importance=edit.importance), replace(errors, importance="")
    if edit.lifetime is not None:
        draft = replace(draft, lifetime=edit.lifetime)
    if edit.tags is not None:
        draft, errors = replace(draft, tags=edit.tags), replace(errors, tags="")
    shown.draft, shown.errors = draft, errors


def take_refusal(shown: OpenMemory | NewMemory, error: InklingsError) -> Message | None:
    """Say why nothing was stored beside the field where there is one; else what is to be said."""
    message = message_of(error)
    match error:
        case DatabaseFullError():
            shown.is_disk_full = True
        case InvalidValueError(field="content"):
            shown.errors = replace(shown.errors, content=message.title)
        case InvalidValueError(field="importance"):
            shown.errors = replace(shown.errors, importance=message.title)
        case InvalidValueError(field="tags"):
            shown.errors = replace(shown.errors, tags=message.title)
        case _:
            return message
    return None
