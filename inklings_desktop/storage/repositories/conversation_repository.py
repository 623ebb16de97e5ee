"""Channels, conversations and who takes part in them, in one workspace's file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, case, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, ConversationState, name_key
from inklings_desktop.storage.rows.memories import (
    channel_of,
    columns_of,
    conversation_of,
    from_ms_or_none,
    to_ms,
)
from inklings_desktop.storage.schema.tables import (
    channels,
    conversation_participants,
    conversations,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from inklings_desktop.domain.access.clients import Participation
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.storage.rows.transaction import Transaction

_CHANNEL = select(
    channels.c.id,
    channels.c.name,
    channels.c.description,
    channels.c.created_at,
    channels.c.archived_at,
)
_CONVERSATION = select(
    conversations.c.id,
    conversations.c.ref_code,
    conversations.c.channel_id,
    conversations.c.title,
    conversations.c.state,
    conversations.c.started_at,
    conversations.c.ended_at,
    conversations.c.heard_at,
)

_PARTICIPATION = (
    select(conversations.c.id, conversations.c.channel_id, conversations.c.state)
    .join(
        conversation_participants,
        conversation_participants.c.conversation_id == conversations.c.id,
    )
    .where(conversation_participants.c.client == bindparam("who"))
)
_END_ALLOWANCES = text("DELETE FROM permission_rules WHERE conversation_id = :whose")


class SqliteConversationRepository:
    """The ``ConversationRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def add_channel(self, channel: Channel) -> None:
        values = self._channel_values(channel) | {"id": channel.id}
        self._write_channel(insert(channels).values(values), channel)

    def get_channel(self, key: str) -> Channel:
        by_id = channels.c.id == key
        statement = _CHANNEL.where(or_(by_id, channels.c.name_key == name_key(key)))
        # Somebody may have named a channel like another one's id: the id wins.
        row = self._connection.execute(statement.order_by(case((by_id, 0), else_=1))).first()
        if row is None:
            raise NotFoundError("channel", key)
        return channel_of(row)

    def channels(self, *, include_archived: bool) -> tuple[Channel, ...]:
        is_default = channels.c.name_key == DEFAULT_CHANNEL
        statement = _CHANNEL.order_by(case((is_default, 0), else_=1), channels.c.sequence)
        if not include_archived:
            statement = statement.where(channels.c.archived_at.is_(None))
        return tuple(channel_of(row) for row in self._connection.execute(statement))

    def save_channel(self, channel: Channel) -> None:
        values = self._channel_values(channel)
        statement = update(channels).where(channels.c.id == channel.id).values(values)
        self._write_channel(statement, channel)

    def add(self, conversation: Conversation, participants: Sequence[str]) -> None:
        """Store a new conversation with the agents that take part.

        Raises:
            ConflictError: Its id or ref code is taken.
            NotFoundError: Its channel is not there.
        """
        self._require_channel(conversation.channel_id)
        values = self._conversation_values(conversation) | {
            **columns_of(conversation, "id ref_code channel_id started_at"),
            "notes_seq": 0,
        }
        try:
            self._connection.execute(insert(conversations).values(values))
        except IntegrityError as error:
            raise ConflictError("conversation", conversation.ref_code) from error
        for client in dict.fromkeys(participants):
            self.add_participant(conversation.id, client, conversation.started_at)
        self._transaction.rooms_changed()

    def add_participant(self, conversation_id: str, client: str, at: datetime) -> None:
        values = {"conversation_id": conversation_id, "client": client, "joined_at": to_ms(at)}
        self._connection.execute(insert(conversation_participants), values)
        self._transaction.take_number()

    def get(self, key: str) -> Conversation:
        statement = _CONVERSATION.where(
            or_(conversations.c.id == key, conversations.c.ref_code == key)
        )
        row = self._connection.execute(statement).first()
        if row is None:
            raise NotFoundError("conversation", key)
        return conversation_of(row)

    def conversations(
        self, *, channel_id: str | None, include_archived: bool
    ) -> tuple[Conversation, ...]:
        statement = _CONVERSATION.order_by(
            conversations.c.started_at.desc(), conversations.c.sequence.desc()
        )
        if channel_id is not None:
            statement = statement.where(conversations.c.channel_id == channel_id)
        if not include_archived:
            archived = ConversationState.ARCHIVED.value
            statement = statement.where(conversations.c.state != archived)
        return tuple(conversation_of(row) for row in self._connection.execute(statement))

    def save(self, conversation: Conversation) -> None:
        statement = (
            update(conversations)
            .where(conversations.c.id == conversation.id)
            .values(self._conversation_values(conversation))
        )
        if self._connection.execute(statement).rowcount == 0:
            raise NotFoundError("conversation", conversation.id)
        if conversation.is_over:
            self._connection.execute(_END_ALLOWANCES, {"whose": conversation.id})
        self._transaction.rooms_changed()

    def participants(self, conversation_id: str) -> frozenset[str]:
        statement = select(conversation_participants.c.client).where(
            conversation_participants.c.conversation_id == conversation_id
        )
        return frozenset(self._connection.execute(statement).scalars())

    def told_at(self, conversation_id: str, client: str) -> datetime | None:
        statement = select(conversation_participants.c.told_at).where(
            *_taking_part(conversation_id, client)
        )
        return from_ms_or_none(self._connection.execute(statement).scalar())

    def note_told(self, conversation_id: str, client: str, at: datetime) -> None:
        statement = update(conversation_participants).where(*_taking_part(conversation_id, client))
        self._connection.execute(statement.values(told_at=to_ms(at)))

    def participation(self, client: str) -> Participation:
        rows = self._connection.execute(_PARTICIPATION, {"who": client}).all()
        archived = ConversationState.ARCHIVED.value
        from inklings_desktop.domain.access.clients import Participation

        return Participation(
            frozenset(row.id for row in rows),
            frozenset(row.channel_id for row in rows if row.state != archived),
        )

    def _write_channel(self, statement: Any, channel: Channel) -> None:
        try:
            written = self._connection.execute(statement).rowcount
        except IntegrityError as error:
            raise ConflictError("channel", channel.name) from error
        if written == 0:
            raise NotFoundError("channel", channel.id)
        self._transaction.rooms_changed()

    def _require_channel(self, channel_id: str) -> None:
        statement = select(channels.c.sequence).where(channels.c.id == channel_id)
        if self._connection.execute(statement).first() is None:
            raise NotFoundError("channel", channel_id)

    def _channel_values(self, channel: Channel) -> dict[str, Any]:
        return {
            **columns_of(channel, "name description created_at archived_at"),
            "name_key": name_key(channel.name),
            "changed_seq": self._transaction.change_seq,
        }

    def _conversation_values(self, conversation: Conversation) -> dict[str, Any]:
        return {
            **columns_of(conversation, "title state ended_at heard_at"),
            "changed_seq": self._transaction.change_seq,
        }


def _taking_part(conversation_id: str, client: str) -> tuple[ColumnElement[bool], ...]:
    return (
        conversation_participants.c.conversation_id == conversation_id,
        conversation_participants.c.client == client,
    )
