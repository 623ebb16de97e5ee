"""Conversations and their life; one that nobody ends falls silent, and a sign of life wakes it."""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_management, authorize_some
from inklings_desktop.domain.errors import (
    IllegalTransitionError,
    InvalidValueError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    DEFAULT_CHANNEL,
    SUMMARY_NOTE,
    Conversation,
    ConversationState,
    checked_title,
    new_ref_code,
    next_state,
)
from inklings_desktop.domain.words.summary import summary_points
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.rooms.close_conversations import (
    ConversationEnd,
    forget_closed,
    forget_tier_of,
    persist_summary,
)
from inklings_desktop.usecases.steps.holding import refuse_secret
from inklings_desktop.usecases.steps.putting import put_away
from inklings_desktop.usecases.steps.recording import record_room
from inklings_desktop.usecases.steps.rooms import (
    channel_to_talk_in,
    conversation_for,
    own_conversation_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import UnitOfWork

HEARD_EVERY = timedelta(hours=1)
"""A silence of days is not measured more closely; each sign of life would be a write."""


@dataclass(frozen=True, slots=True)
class SilentConversation:
    """A conversation that the author has to decide about.

    Attributes:
        conversation: It rests since it was found silent.
        memories: What it holds, and what closing it would forget.
    """

    conversation: Conversation
    memories: tuple[MemoryEntry, ...]


class Conversations(Asked):
    """Conversations of a workspace; ``key`` is the id or ref code of one."""

    def start(
        self, workspace_id: str, *, channel: str = DEFAULT_CHANNEL, title: str = ""
    ) -> Conversation:
        """Begins a conversation in a channel; an agent that starts one takes part in it.

        Raises:
            NotFoundError: There is no such channel.
            ScopeDeniedError: An agent without a right to read the channel, or without a channel.
            InvalidValueError: The title is no single line of text, or an agent's that looks like a
                key or a password; or the channel is archived.
        """
        caller = self.caller
        with self.attempt("conversation.start", Tier.CHANNEL, workspace_id, (channel,)):
            authorize_some(caller, Action.READ, Tier.CHANNEL, workspace_id)
            name = checked_title(title)
            refuse_secret(caller, "title", name)
            with self.writing(workspace_id) as unit:
                room = channel_to_talk_in(unit, caller, workspace_id, channel)
                if room.archived_at is not None:
                    raise InvalidValueError("channel", "archived")
                now = self.clock()
                started = Conversation(
                    self.new_id(), new_ref_code(), room.id, name, ConversationState.ACTIVE, now
                )
                unit.conversations.add(started, [caller.name] if caller.is_agent else [])
                self._record(unit, EventKind.CONVERSATION_STARTED, workspace_id, started, now)
        return started

    def get(self, workspace_id: str, key: str, action: Action = Action.READ) -> Conversation:
        """The conversation, if the caller may do this there.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: An agent that does not take part in it, or there is none.
        """
        authorize_some(self.caller, action, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            return conversation_for(view, self.caller, action, workspace_id, key)

    def hear(self, workspace_id: str, key: str, action: Action = Action.READ) -> Conversation:
        """The conversation that an agent speaks in now; one that had fallen silent is awake again.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: An agent that may not do this there, or there is none.
        """
        authorize_some(self.caller, action, Tier.CONVERSATION, workspace_id)
        now = self.clock()
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, self.caller, action, workspace_id, key)
        if not _is_news(room, now):
            return room
        # A disk that cannot be written to costs no answer; it is heard the next time.
        with suppress(StorageError), self.writing(workspace_id) as unit:
            room = unit.conversations.get(room.id)
            if _is_news(room, now):  # nobody ended it meanwhile
                room = room.heard(now)
                unit.conversations.save(room)
                unit.commit()
        return room

    def list_silent(self, workspace_id: str) -> tuple[SilentConversation, ...]:
        """What fell silent and holds something, the latest started first.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            rooms = view.conversations.conversations(channel_id=None, include_archived=False)
            found = [
                SilentConversation(one, tuple(view.memories.active_of_conversation(scope)))
                for one in rooms
                if one.waits_for_review
                for scope in [ScopeKey.conversation(workspace_id, one.id)]
            ]
        return tuple(one for one in found if one.memories)

    def settle_silent(
        self, workspace_id: str, key: str, *, keeps: bool
    ) -> tuple[Conversation, int]:
        """Decides about one that fell silent; also says how many of its memories were forgotten.

        Args:
            keeps: Whether what it holds stays, and is asked about no more; otherwise it is closed.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
            IllegalTransitionError: It does not wait for a decision.
        """
        authorize_management(self.caller)
        now, n_forgotten = self.clock(), 0
        with self.writing(workspace_id) as unit:
            room = unit.conversations.get(key)
            if not room.waits_for_review:
                raise IllegalTransitionError(room.state.value, ConversationState.IDLE.value)
            settled = replace(room, heard_at=None) if keeps else replace(room, ended_at=now)
            unit.conversations.save(settled)
            if keeps:
                unit.commit()
            else:
                n_forgotten = forget_tier_of(unit, self.caller, workspace_id, room, now)
                counts = {"kept": 0, "forgotten": n_forgotten}
                self._record(unit, EventKind.CONVERSATION_IDLED, workspace_id, room, now, counts)
        return settled, n_forgotten

    def rename(self, workspace_id: str, key: str, title: str) -> Conversation:
        """Gives a conversation another title, whatever its state.

        Raises:
            NotFoundError: There is none.
            InvalidValueError: The title is no single line of text, or an agent's that looks like a
                key or a password.
            ScopeDeniedError: An agent that takes no part in it.
        """
        with self._changing("rename", workspace_id, key) as (unit, room):
            name = checked_title(title)
            refuse_secret(self.caller, "title", name)
            renamed = replace(room, title=name)
            unit.conversations.save(renamed)
            now = self.clock()
            self._record(unit, EventKind.CONVERSATION_RENAMED, workspace_id, renamed, now)
        return renamed

    def proposed_summary(self, workspace_id: str, conversation: str) -> tuple[str, ...]:
        """What the agent that takes part would keep of a conversation if it ended now.

        Not what the author forgot in the channel: a summary does not bring it back.

        Raises:
            ScopeDeniedError: An agent that does not take part.
            NotFoundError: There is no such conversation.
        """
        caller = self.caller
        authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            room = conversation_for(view, caller, Action.READ, workspace_id, conversation)
            try:
                kept = json.loads(view.notes.read(room.id, SUMMARY_NOTE).value_json)
            except NotFoundError:
                return ()
            points = summary_points(kept) if isinstance(kept, str) else ()
            channel = ScopeKey.channel(workspace_id, room.channel_id)
            gone = put_away(view, caller, channel, points)
        return tuple(one for one in points if one not in gone)

    def idle(self, workspace_id: str, key: str, *, summary: str = "") -> Conversation:
        """Lets a conversation rest, as ``end``."""
        return self.end(workspace_id, key, summary=summary).conversation

    def end(self, workspace_id: str, key: str, *, summary: str = "") -> ConversationEnd:
        """Lets a conversation rest; of one that was over nothing is kept.

        Each point of the summary (``summary_points``) is put into its channel like any other
        memory: what the channel says already is confirmed, and what of an agent's looks like a key
        or a password, or was forgotten by the author, becomes a proposal instead. Then the
        conversation tier is forgotten. All of it happens, or nothing does.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: An agent whose conversation it is not, or there is none.
            InvalidValueError: A line of the summary cannot be remembered.
            CapReachedError: The channel is full of protected memories.
        """
        with self._changing("idle", workspace_id, key) as (unit, room):
            if room.is_over:
                return ConversationEnd(room)
            now = self.clock()
            end = persist_summary(self, unit, workspace_id, room, summary, now)
            n_forgotten = forget_tier_of(unit, self.caller, workspace_id, room, now)
            unit.conversations.save(end.conversation)
            counts = {"kept": end.n_kept, "forgotten": n_forgotten}
            counts |= {"held": end.n_held} if end.n_held else {}
            self._record(unit, EventKind.CONVERSATION_IDLED, workspace_id, room, now, counts)
        return end

    def archive(self, workspace_id: str, key: str, *, force: bool = False) -> Conversation:
        """Puts a conversation away, an active one only by force, its tier forgotten then.

        Raises:
            NotFoundError: There is none.
            IllegalTransitionError: It is active and not forced.
            ScopeDeniedError: An agent whose conversation it is not, or there is none.
        """
        with self._changing("archive", workspace_id, key) as (unit, room):
            if room.state is ConversationState.ARCHIVED:
                return room
            state = next_state(room.state, ConversationState.ARCHIVED, force=force)
            now, n_forgotten, ended_at = self.clock(), 0, room.ended_at
            # What a person restored after the conversation came to rest stays as they left it,
            # and so does what one holds that only fell silent.
            if room.state is ConversationState.ACTIVE:
                ended_at = ended_at or now
                n_forgotten = forget_tier_of(unit, self.caller, workspace_id, room, now)
            archived = replace(room, state=state, ended_at=ended_at)
            unit.conversations.save(archived)
            counts = {"forgotten": n_forgotten}
            self._record(unit, EventKind.CONVERSATION_ARCHIVED, workspace_id, room, now, counts)
        return archived

    def resume(self, workspace_id: str, key: str) -> Conversation:
        """Goes on with one that rests; what was forgotten when it ended stays forgotten.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: An agent that takes no part in it.
            IllegalTransitionError: It is archived.
        """
        with self._changing("resume", workspace_id, key) as (unit, room):
            if room.state is ConversationState.ACTIVE:
                return room
            if room.state is ConversationState.ARCHIVED:
                raise IllegalTransitionError(room.state.value, ConversationState.ACTIVE.value)
            now = self.clock()
            awake = replace(room, state=ConversationState.ACTIVE, ended_at=None, heard_at=now)
            unit.conversations.save(awake)
            self._record(unit, EventKind.CONVERSATION_RESUMED, workspace_id, room, now)
        return awake

    def invite(self, workspace_id: str, key: str, client: str) -> None:
        """Lets a client take part in a conversation that it did not start.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such conversation.
            InvalidValueError: No client can have this name.
        """
        authorize_management(self.caller)
        name = checked_agent(client)
        with self.writing(workspace_id) as unit:
            room = unit.conversations.get(key)
            if name not in unit.conversations.participants(room.id):
                unit.conversations.add_participant(room.id, name, self.clock())
                unit.commit()

    def forget_closed(
        self, workspace_id: str, *, trigger: str = "request", progress: Progress = UNHEARD
    ) -> TaskRun:
        """Lets silent conversations rest; forgets the active memories of those that were ended.

        What a person brought back since the close stays.

        Args:
            trigger: Why it runs, a stable word for the history.
            progress: Hears of every conversation and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            AlreadyRunningError: It is running elsewhere.
            StoppedError: The person stopped it; what was cleared up stays so.
        """
        authorize_management(self.caller)
        return forget_closed(self, workspace_id, trigger, progress)

    @contextmanager
    def _changing(
        self, verb: str, workspace_id: str, key: str
    ) -> Iterator[tuple[UnitOfWork, Conversation]]:
        """A transaction with the caller's own conversation; a refusal is recorded."""
        with self.attempt(f"conversation.{verb}", Tier.CONVERSATION, workspace_id, (key,)):
            authorize_some(self.caller, Action.READ, Tier.CONVERSATION, workspace_id)
            with self.writing(workspace_id) as unit:
                yield unit, own_conversation_for(unit, self.caller, workspace_id, key)

    def _record(
        self,
        unit: UnitOfWork,
        kind: EventKind,
        workspace_id: str,
        room: Conversation,
        at: datetime,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Commits with an event of a conversation's life."""
        scope = ScopeKey.conversation(workspace_id, room.id)
        record_room(unit, self.caller, kind, scope, at, counts)
        unit.commit()


def _is_news(room: Conversation, now: datetime) -> bool:
    """Whether a sign of life changes anything: it was not ended, and silent for a while."""
    if room.ended_at is not None:
        return False
    return room.is_abandoned or now - room.silent_since >= HEARD_EVERY
