"""The life of a conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize,
    authorize_some,
)
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import CLOSED_REASON
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryAction,
    MemoryDraft,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    DEFAULT_CHANNEL,
    Conversation,
    ConversationState,
    checked_title,
    new_ref_code,
    next_state,
)
from inklings_desktop.domain.words.summary import summary_points
from inklings_desktop.usecases.rooms.rooms import (
    channel_to_talk_in,
    conversation_for,
    own_conversation_for,
)
from inklings_desktop.usecases.steps.holding import refuse_secret
from inklings_desktop.usecases.steps.putting import Putting
from inklings_desktop.usecases.steps.recording import record_room
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded
from inklings_desktop.usecases.steps.remembering import Remembered

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import (
        Clock,
        IdSource,
        SettingsSource,
        Store,
        UnitOfWork,
    )

SUMMARY_SOURCE = "summary"


@dataclass(frozen=True, slots=True)
class StartConversation:
    """Begin a conversation in a channel."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self, caller: Caller, workspace_id: str, *, channel: str = DEFAULT_CHANNEL, title: str = ""
    ) -> Conversation:
        """The new, active conversation; an agent that starts one takes part in it.

        Raises:
            NotFoundError: There is no such channel.
            ScopeDeniedError: An agent without a right to read the channel, or without a channel.
            InvalidValueError: The title is no single line of text, or an agent's that looks like a
                key or a password; or the channel is archived.
        """
        attempt = Attempt("conversation.start", Tier.CHANNEL, workspace_id, (channel,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_some(caller, Action.READ, Tier.CHANNEL, workspace_id)
            name = checked_title(title)
            refuse_secret(caller, "title", name)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                room = channel_to_talk_in(unit, caller, workspace_id, channel)
                if room.archived_at is not None:
                    raise InvalidValueError("channel", "archived")
                now = self.clock()
                started = Conversation(
                    self.new_id(), new_ref_code(), room.id, name, ConversationState.ACTIVE, now
                )
                unit.conversations.add(started, [caller.name] if caller.is_agent else [])
                scope = ScopeKey.conversation(workspace_id, started.id)
                record_room(unit, caller, EventKind.CONVERSATION_STARTED, scope, now)
                unit.commit()
        return started


@dataclass(frozen=True, slots=True)
class GetConversation:
    """One conversation by id or ref code."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str, key: str, action: Action = Action.READ
    ) -> Conversation:
        """The conversation, if the caller may do this there.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: An agent that does not take part in it, or there is none.
        """
        authorize_some(caller, action, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            return conversation_for(view, caller, action, workspace_id, key)


@dataclass(frozen=True, slots=True)
class RenameConversation:
    """Give a conversation another title, whatever its state."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, key: str, title: str) -> Conversation:
        """The conversation under its new title; ``key`` is its id or ref code.

        Raises:
            NotFoundError: There is none.
            InvalidValueError: The title is no single line of text, or an agent's that looks like a
                key or a password.
            ScopeDeniedError: An agent that takes no part in it.
        """
        attempt = Attempt("conversation.rename", Tier.CONVERSATION, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            name = checked_title(title)
            refuse_secret(caller, "title", name)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                room = own_conversation_for(unit, caller, workspace_id, key)
                renamed = replace(room, title=name)
                unit.conversations.save(renamed)
                scope = ScopeKey.conversation(workspace_id, renamed.id)
                record_room(unit, caller, EventKind.CONVERSATION_RENAMED, scope, self.clock())
                unit.commit()
        return renamed


@dataclass(frozen=True, slots=True)
class ConversationEnd:
    """A conversation that rests, and what became of its summary.

    Attributes:
        conversation: As it is now.
        kept: The memories that points of the summary became.
        known: Points that a memory of the channel said already: these are confirmed.
        n_held: Points that wait for the author.
    """

    conversation: Conversation
    kept: tuple[MemoryEntry, ...] = ()
    known: tuple[str, ...] = ()
    n_held: int = 0

    @property
    def n_kept(self) -> int:
        """How many points became a memory."""
        return len(self.kept)

    @property
    def n_known(self) -> int:
        """How many points were known before."""
        return len(self.known)


@dataclass(frozen=True, slots=True)
class IdleConversation:
    """Let a conversation rest: keep its summary, forget its own tier."""

    store: Store
    clock: Clock
    new_id: IdSource
    settings: SettingsSource

    def __call__(
        self, caller: Caller, workspace_id: str, key: str, *, summary: str = ""
    ) -> Conversation:
        return self.outcome(caller, workspace_id, key, summary=summary).conversation

    def outcome(
        self, caller: Caller, workspace_id: str, key: str, *, summary: str = ""
    ) -> ConversationEnd:
        """The idle conversation and what became of its summary; one that was over keeps nothing.

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
        attempt = Attempt("conversation.idle", Tier.CONVERSATION, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                conversation = own_conversation_for(unit, caller, workspace_id, key)
                if conversation.is_over:
                    return ConversationEnd(conversation)
                scope = ScopeKey.conversation(workspace_id, conversation.id)
                now = self.clock()
                end = self._persist(unit, caller, conversation, workspace_id, summary, now)
                n_forgotten = forget_tier_of(unit, caller, scope, now)
                unit.conversations.save(end.conversation)
                counts = {"kept": end.n_kept, "forgotten": n_forgotten, "held": end.n_held}
                if not end.n_held:
                    del counts["held"]
                record_room(unit, caller, EventKind.CONVERSATION_IDLED, scope, now, counts)
                unit.commit()
        return end

    def _persist(
        self,
        unit: UnitOfWork,
        caller: Caller,
        conversation: Conversation,
        workspace_id: str,
        summary: str,
        now: datetime,
    ) -> ConversationEnd:
        """The conversation at its end, the points of the summary put into its channel."""
        idle = replace(conversation, state=ConversationState.IDLE, ended_at=now)
        points = summary_points(summary)
        channel = ScopeKey.channel(workspace_id, conversation.channel_id)
        if points:
            authorize(caller, Action.WRITE, channel)
        is_author = caller.curator is Curator.AUTHOR  # who asks for it to be kept for good
        put = Putting(unit, caller, self.new_id, self.settings(), now)
        drafts = (
            MemoryDraft(
                channel,
                point,
                lifetime=Lifetime.LONG_TERM if is_author else Lifetime.SHORT_TERM,
                source=SUMMARY_SOURCE,
                source_conversation=conversation.id,
            )
            for point in points
        )
        done = [put(draft.completed(caller.curator)) for draft in drafts]
        put_in = [one for one in done if isinstance(one, Remembered)]
        kept = tuple(one.memory for one in put_in if not one.was_known)
        known = tuple(
            point
            for point, one in zip(points, done, strict=True)
            if isinstance(one, Remembered) and one.was_known
        )
        return ConversationEnd(idle, kept, known, len(done) - len(put_in))


@dataclass(frozen=True, slots=True)
class ArchiveConversation:
    """Put a conversation away; it stays reachable."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, workspace_id: str, key: str, *, force: bool = False
    ) -> Conversation:
        """The archived conversation; an active one only by force, its tier forgotten then.

        One that is archived already is answered as it is.

        Raises:
            NotFoundError: There is none.
            IllegalTransitionError: It is active and not forced.
            ScopeDeniedError: An agent whose conversation it is not, or there is none.
        """
        attempt = Attempt("conversation.archive", Tier.CONVERSATION, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                conversation = own_conversation_for(unit, caller, workspace_id, key)
                if conversation.state is ConversationState.ARCHIVED:
                    return conversation
                scope = ScopeKey.conversation(workspace_id, conversation.id)
                state = next_state(conversation.state, ConversationState.ARCHIVED, force=force)
                now = self.clock()
                # What a person restored after the conversation came to rest stays as they left it,
                # and so does what one holds that only fell silent.
                was_active = conversation.state is ConversationState.ACTIVE
                ended_at = conversation.ended_at or (now if was_active else None)
                archived = replace(conversation, state=state, ended_at=ended_at)
                n_forgotten = forget_tier_of(unit, caller, scope, now) if was_active else 0
                unit.conversations.save(archived)
                counts = {"forgotten": n_forgotten}
                record_room(unit, caller, EventKind.CONVERSATION_ARCHIVED, scope, now, counts)
                unit.commit()
        return archived


def forget_tier_of(unit: UnitOfWork, caller: Caller, scope: ScopeKey, now: datetime) -> int:
    """Forget every active memory of a closing conversation; how many there were."""
    active = unit.memories.active_of_conversation(scope)
    for entry in active:
        unit.memories.save(
            replace(entry, forgotten_at=now, forgotten_reason=CLOSED_REASON),
            expected_version=entry.version,
            action=MemoryAction.FORGOTTEN,
            changed_by=caller.name,
            door=caller.door.value,
            changed_at=now,
        )
    return len(active)
