"""Tools for conversations and their working notes, and for the channels open to a client."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from inklings_desktop.domain.access.access import KeptRequest
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL
from inklings_desktop.mcp_server.session import Answer, Repeatable, RequestKey, Tools
from inklings_desktop.mcp_server.tools.memory_tools import NextPage
from inklings_desktop.mcp_server.words.answers import (
    HELD_LINES,
    channel_answer,
    conversation_answer,
    note_answer,
)
from inklings_desktop.mcp_server.words.shapes import (
    Channels,
    Cleared,
    Ended,
    Note,
    Notes,
    OneNote,
    Room,
    Rooms,
)
from inklings_desktop.mcp_server.words.sizes import number_of
from inklings_desktop.usecases.bundle import Inklings


class ChannelTools(Tools):
    """The channels open to a client."""

    def channel_list(
        self,
        *,
        archived: Annotated[bool, Field(description="Archived ones as well.")] = False,
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> Channels:
        """List the channels open to you, and what you may do in each.

        A channel's name works wherever its id does, with or without #.
        """

        def listed(mine: Inklings) -> tuple[Channels, int]:
            found = mine.places.open_channels(self._session.workspace_id, include_archived=archived)
            every = [channel_answer(one) for one in found]
            told, ahead = self._session.room.page_of(every, next)
            return _with_next({"channels": told}, ahead), len(told)

        return self._session.call("channel_list", listed, tier=Tier.CHANNEL)


def _with_next(answer: dict[str, Any], page: str | None) -> Any:
    """The answer with the word for the next page, where there is one."""
    return answer if page is None else answer | {"next": page}


ConversationKey = Annotated[str, Field(description="Id or ref code of the conversation.")]
OVER_BEFORE = "It was over before this call; no summary was kept now."
NoteKey = Annotated[str, Field(description="Name of the note, at most 128 characters.")]
_SCALARS = [{"type": one} for one in ("string", "number", "boolean", "null")]
NoteValue = Annotated[
    Any,
    Field(description="Any JSON value, at most 64 KiB; an object as JSON text."),
    WithJsonSchema({"anyOf": [*_SCALARS, {"type": "array", "items": {"anyOf": _SCALARS}}]}),
]
"""Any value is taken; strict clients allow no schema of an object with free names."""


class ConversationTools(Tools):
    """Conversations and their working notes."""

    def conversation_start(
        self,
        channel: Annotated[str, Field(description="Name or id of the channel.")] = DEFAULT_CHANNEL,
        title: Annotated[str, Field(description="A short title; may be empty.")] = "",
        request_key: RequestKey = None,
    ) -> Room:
        """Start a conversation that you take part in."""

        def start(mine: Inklings) -> tuple[Room, int]:
            room = mine.conversations.start(
                self._session.workspace_id, channel=channel, title=title
            )
            return {"conversation": conversation_answer(room)}, 1

        def again(mine: Inklings, kept: KeptRequest) -> Room | None:
            (id_,) = kept.ids(EventKind.CONVERSATION_STARTED.value)
            room = mine.conversations.get(self._session.workspace_id, id_)
            return {"conversation": conversation_answer(room)}

        arguments = {"channel": channel, "title": title}
        return self._write(
            "conversation_start",
            start,
            Tier.CONVERSATION,
            Repeatable(request_key, arguments, again),
        )

    def conversation_get(self, conversation: ConversationKey) -> Room:
        """Get one conversation that you take part in."""

        def get(mine: Inklings) -> tuple[Room, int]:
            room = mine.conversations.hear(self._session.workspace_id, conversation)
            return {"conversation": conversation_answer(room)}, 1

        return self._call("conversation_get", get)

    def conversation_list(
        self,
        *,
        channel: Annotated[
            str | None, Field(description="Name or id of a channel; leave it out for all.")
        ] = None,
        archived: Annotated[bool, Field(description="Archived ones as well.")] = False,
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> Rooms:
        """List the conversations you take part in, the latest first."""

        def listed(mine: Inklings) -> tuple[Rooms, int]:
            rooms = mine.places.conversations(
                self._session.workspace_id, channel=channel, include_archived=archived
            )
            every = [conversation_answer(one) for one in rooms]
            told, ahead = self._session.room.page_of(every, next)
            return _with_next({"conversations": told}, ahead), len(told)

        return self._call("conversation_list", listed)

    def conversation_end(
        self,
        conversation: ConversationKey,
        summary: Annotated[
            str,
            Field(
                description="Each line or bullet of at least three words becomes one memory of"
                " the channel, once; headings and code do not. At most 200 and 64 KiB; empty keeps"
                " nothing. What looks like a key, or the author forgot, waits for the author."
            ),
        ] = "",
    ) -> Ended:
        """End a conversation: keep its summary, forget its own memories. Notes stay."""

        def end(mine: Inklings) -> tuple[Ended, int]:
            workspace_id = self._session.workspace_id
            before = mine.conversations.hear(workspace_id, conversation)
            end = mine.conversations.end(workspace_id, conversation, summary=summary)
            room = conversation_answer(end.conversation)
            if before.is_over:
                return {"conversation": room, "message": OVER_BEFORE}, 0
            answer: Ended = {
                "conversation": room,
                "held_for_review": end.n_held,
                "kept": [{"id": one.id, "content": one.content} for one in end.kept],
                "known": list(end.known),
            }
            if end.n_held:
                answer["message"] = HELD_LINES
            return answer, 1

        return self._call("conversation_end", end, is_write=True)

    def conversation_archive(
        self,
        conversation: ConversationKey,
        *,
        force: Annotated[bool, Field(description="Also while it is active.")] = False,
    ) -> Room:
        """Archive a conversation; the author can still open it."""

        def archive(mine: Inklings) -> tuple[Room, int]:
            room = mine.conversations.archive(self._session.workspace_id, conversation, force=force)
            return {"conversation": conversation_answer(room)}, 1

        return self._call("conversation_archive", archive, is_write=True)

    def note_write(
        self,
        conversation: ConversationKey,
        key: NoteKey,
        value: NoteValue,
    ) -> OneNote:
        """Keep a working note: a value under a key, for this conversation alone."""

        def write(mine: Inklings) -> tuple[OneNote, int]:
            workspace_id = self._session.workspace_id
            mine.conversations.hear(workspace_id, conversation)
            note = mine.notes.write(workspace_id, conversation, key, value)
            return {"note": note_answer(note)}, 1

        return self._call("note_write", write, is_write=True)

    def note_read(
        self,
        conversation: ConversationKey,
        key: Annotated[str, Field(description="Name of the note; leave it out for all.")] = "",
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> OneNote:
        """Read one working note of a conversation, or all of them."""

        def read(mine: Inklings) -> tuple[OneNote, int]:
            if not key:
                notes, ahead = self._notes(mine, conversation, next)
                return _with_next({"notes": notes}, ahead), len(notes)
            note = note_answer(mine.notes.read(self._session.workspace_id, conversation, key))
            ahead = self._session.room.cut_note(note, number_of(next))
            return _with_next({"note": note}, ahead), 1

        return self._call("note_read", read)

    def note_list(self, conversation: ConversationKey) -> Notes:
        """List the working notes of a conversation, the latest first."""

        def listed(mine: Inklings) -> tuple[Notes, int]:
            notes, _ = self._notes(mine, conversation, "")
            return {"notes": notes}, len(notes)

        return self._call("note_list", listed)

    def note_clear(self, conversation: ConversationKey) -> Cleared:
        """Delete every working note of a conversation for good."""

        def clear(mine: Inklings) -> tuple[Cleared, int]:
            n_notes = mine.notes.clear(self._session.workspace_id, conversation)
            return {"removed": n_notes}, n_notes

        return self._call("note_clear", clear, is_write=True)

    def _notes(self, mine: Inklings, conversation: str, page: str) -> tuple[list[Note], str | None]:
        workspace_id = self._session.workspace_id
        room = mine.conversations.hear(workspace_id, conversation)
        notes = mine.notes.list([ScopeKey.conversation(workspace_id, room.id)])
        every = [note_answer(one) for one in notes]
        return self._session.room.page_of(
            [self._session.room.short_note(one) for one in every], page
        )

    def _call(
        self, tool: str, body: Callable[[Inklings], tuple[Answer, int]], *, is_write: bool = False
    ) -> Answer:
        return self._session.call(tool, body, tier=Tier.CONVERSATION, is_write=is_write)
