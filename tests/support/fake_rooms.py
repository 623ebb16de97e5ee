"""Channels, conversations, working notes and events in memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.clients import Participation
from inklings_desktop.domain.errors import (
    ConflictError,
    NotFoundError,
)
from inklings_desktop.domain.log.events import Event, EventFacets
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, ConversationState
from tests.support.fake_file import FakeChanges, FakeFile, compared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.log.events import EventDraft, EventFilter
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation, WorkingNote


class FakeConversationRepository:
    """The ``ConversationRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges) -> None:
        self._file = file
        self._changes = changes

    def add_channel(self, channel: Channel) -> None:
        """Store a new channel."""
        self._require_free_name(channel)
        self._file.channels[channel.id] = channel
        self._changes.rooms = True

    def get_channel(self, key: str) -> Channel:
        """The channel with this id or name."""
        if key in self._file.channels:
            return self._file.channels[key]
        for channel in self._file.channels.values():
            if compared(channel.name) == compared(key):
                return channel
        raise NotFoundError("channel", key)

    def channels(self, *, include_archived: bool) -> tuple[Channel, ...]:
        """Channels, ``general`` first."""
        found = [
            one
            for one in self._file.channels.values()
            if include_archived or one.archived_at is None
        ]
        return tuple(sorted(found, key=lambda one: compared(one.name) != DEFAULT_CHANNEL))

    def save_channel(self, channel: Channel) -> None:
        """Replace a channel."""
        if channel.id not in self._file.channels:
            raise NotFoundError("channel", channel.id)
        self._require_free_name(channel)
        self._file.channels[channel.id] = channel
        self._changes.rooms = True

    def add(self, conversation: Conversation, participants: Sequence[str]) -> None:
        """Store a new conversation."""
        if conversation.channel_id not in self._file.channels:
            raise NotFoundError("channel", conversation.channel_id)
        taken = {one.ref_code for one in self._file.conversations.values()}
        if conversation.id in self._file.conversations or conversation.ref_code in taken:
            raise ConflictError("conversation", conversation.ref_code)
        self._file.conversations[conversation.id] = conversation
        self._file.participants[conversation.id] = frozenset(participants)
        self._changes.rooms = True

    def get(self, key: str) -> Conversation:
        """The conversation with this id or ref code."""
        for conversation in self._file.conversations.values():
            if key in {conversation.id, conversation.ref_code}:
                return conversation
        raise NotFoundError("conversation", key)

    def conversations(
        self, *, channel_id: str | None, include_archived: bool
    ) -> tuple[Conversation, ...]:
        """Conversations, latest start first."""
        found = [
            one
            for one in reversed(self._file.conversations.values())
            if channel_id in {None, one.channel_id}
            and (include_archived or one.state is not ConversationState.ARCHIVED)
        ]
        return tuple(sorted(found, key=lambda one: one.started_at, reverse=True))

    def save(self, conversation: Conversation) -> None:
        """Replace a conversation's title, state and end."""
        before = self._file.conversations.get(conversation.id)
        if before is None:
            raise NotFoundError("conversation", conversation.id)
        self._file.conversations[conversation.id] = replace(
            before,
            title=conversation.title,
            state=conversation.state,
            ended_at=conversation.ended_at,
            heard_at=conversation.heard_at,
        )
        if conversation.is_over:
            self._file.allowances.pop(conversation.id, None)
        self._changes.rooms = True

    def participants(self, conversation_id: str) -> frozenset[str]:
        """Names of the agents that take part."""
        return self._file.participants.get(conversation_id, frozenset())

    def add_participant(self, conversation_id: str, client: str, at: datetime) -> None:
        """Let an agent take part that does not yet."""
        self._file.participants[conversation_id] = self.participants(conversation_id) | {client}

    def told_at(self, conversation_id: str, client: str) -> datetime | None:
        """Until when an agent that takes part knows what changed."""
        return self._file.told.get((conversation_id, client))

    def note_told(self, conversation_id: str, client: str, at: datetime) -> None:
        """Note that an agent knows what changed until then."""
        if client in self.participants(conversation_id):
            self._file.told[conversation_id, client] = at

    def participation(self, client: str) -> Participation:
        """Where an agent takes part."""
        own = [
            one for one in self._file.conversations.values() if client in self.participants(one.id)
        ]
        return Participation(
            frozenset(one.id for one in own),
            frozenset(one.channel_id for one in own if one.state is not ConversationState.ARCHIVED),
        )

    def _require_free_name(self, channel: Channel) -> None:
        for other in self._file.channels.values():
            if other.id != channel.id and compared(other.name) == compared(channel.name):
                raise ConflictError("channel", channel.name)


class FakeNoteRepository:
    """The ``NoteRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges) -> None:
        self._file = file
        self._changes = changes

    def write(self, note: WorkingNote) -> WorkingNote:
        """Store or replace a note."""
        if note.conversation_id not in self._file.conversations:
            raise NotFoundError("conversation", note.conversation_id)
        key = (note.conversation_id, note.key)
        before = self._file.notes.get(key)
        stored = note if before is None else replace(note, created_at=before.created_at)
        if before is None:
            self._file.note_order = (*self._file.note_order, key)
        self._file.notes[key] = stored
        self._changes.note_conversations.add(note.conversation_id)
        return stored

    def read(self, conversation_id: str, key: str) -> WorkingNote:
        """One note."""
        try:
            return self._file.notes[conversation_id, key]
        except KeyError:
            raise NotFoundError("note", key) from None

    def notes(self, conversation_ids: Sequence[str]) -> tuple[WorkingNote, ...]:
        """Notes of these conversations, latest written first."""
        found = [
            self._file.notes[key]
            for key in reversed(self._file.note_order)
            if key[0] in conversation_ids
        ]
        return tuple(sorted(found, key=lambda one: one.updated_at, reverse=True))

    def clear(self, conversation_id: str) -> int:
        """Remove every note of one conversation."""
        removed = [key for key in self._file.note_order if key[0] == conversation_id]
        for key in removed:
            del self._file.notes[key]
        self._file.note_order = tuple(
            key for key in self._file.note_order if key[0] != conversation_id
        )
        if removed:
            self._changes.note_conversations.add(conversation_id)
        return len(removed)


class FakeEventLog:
    """The ``EventLog`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def append(self, draft: EventDraft, at: datetime) -> Event:
        """Add an event."""
        number = len(self._file.events) + 1
        event = Event(
            draft.kind,
            draft.actor,
            draft.actor_kind,
            draft.door,
            draft.tier,
            draft.scope_key,
            draft.ids,
            dict(draft.counts),
            dict(draft.marks),
            number,
            at,
            f"{number:064d}",
        )
        self._file.events = (*self._file.events, event)
        return event

    def latest(
        self, limit: int, before: int | None = None, where: EventFilter | None = None
    ) -> tuple[Event, ...]:
        """Events that match, newest first."""
        found = [
            one
            for one in self._file.events
            if (before is None or one.number < before) and (where is None or _matches(one, where))
        ]
        return tuple(reversed(found))[:limit]

    def get(self, number: int) -> Event:
        """One event."""
        for event in self._file.events:
            if event.number == number:
                return event
        raise NotFoundError("event", str(number))

    def facets(self) -> EventFacets:
        """Values in use."""
        found = self._file.events
        return EventFacets(
            _most_used(one.kind.value for one in found),
            _most_used(one.actor for one in found),
            _most_used(one.tier for one in found if one.tier is not None),
            len(found),
        )


def _matches(event: Event, where: EventFilter) -> bool:
    said = " ".join(
        [
            str(event.number),
            event.kind.value,
            event.actor,
            event.door,
            event.tier or "",
            event.scope_key or "",
            *event.ids,
        ]
    ).casefold()
    return (
        (not where.kinds or event.kind in where.kinds)
        and (not where.actors or event.actor in where.actors)
        and (not where.tiers or event.tier in where.tiers)
        and (where.since is None or (event.at is not None and event.at >= where.since))
        and all(word in said or word == f"#{event.number}" for word in where.words)
    )


def _most_used(values: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(values).items(), key=lambda one: (-one[1], one[0])))
