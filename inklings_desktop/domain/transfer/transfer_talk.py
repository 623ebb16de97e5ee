"""What was said in conversations, in an export file; it comes back by a restore alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.rooms.messages import (
    Message,
    MessageDraft,
    MessageRole,
    MessageState,
    ProducedBy,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from inklings_desktop.domain.transfer.transfer_fields import Fields


def message_of(fields: Fields, conversation_ids: Collection[str], unknown: set[str]) -> Message:
    """A message as this program writes them.

    Args:
        conversation_ids: Of the conversations in its section.
        unknown: Takes the names of fields that nobody knows.

    Raises:
        ImportRefusedError: This program does not write such a row.
    """
    conversation_id = fields.id("conversation_id")
    if conversation_id not in conversation_ids:
        raise fields.wrong("conversation_id", "foreign")
    draft = MessageDraft(
        fields.word("role", MessageRole),
        fields.text("parts_json"),
        fields.text("turn"),
        fields.word("state", MessageState),
        fields.word("produced_by", ProducedBy),
        fields.text_or_none("model"),
    )
    try:
        draft = draft.checked()
    except InvalidValueError as error:
        raise fields.wrong(error.field, error.rule) from None
    message = Message(
        fields.id(),
        conversation_id,
        fields.count("number", least=1),
        draft.turn,
        draft.role,
        draft.state,
        draft.parts_json,
        fields.text("client", limit=200),
        draft.produced_by,
        fields.time("created_at"),
        draft.model,
        fields.time_or_none("read_at"),
    )
    unknown |= fields.unknown("message")
    return message
