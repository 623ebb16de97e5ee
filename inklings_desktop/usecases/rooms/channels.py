"""Channels: shared by the conversations that belong together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_management,
    authorize_some,
)
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import (
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    Channel,
    checked_name,
)
from inklings_desktop.usecases.rooms.rooms import channel_for
from inklings_desktop.usecases.steps.recording import record_room
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store, UnitOfWork


@dataclass(frozen=True, slots=True)
class GetChannel:
    """One channel by id or name."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str, key: str, action: Action = Action.READ
    ) -> Channel:
        """The channel, if the caller may do this there.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: It is closed to this agent, or there is none.
        """
        authorize_some(caller, action, Tier.CHANNEL, workspace_id)
        with self.store.read(workspace_id) as view:
            return channel_for(view, caller, action, workspace_id, key)


@dataclass(frozen=True, slots=True)
class CreateChannel:
    """Open a new channel."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self, caller: Caller, workspace_id: str, name: str, description: str = ""
    ) -> Channel:
        """The new channel.

        Raises:
            InvalidValueError: The name or description is no single line of text.
            ConflictError: The name is taken.
        """
        attempt = Attempt("channel.create", Tier.CHANNEL, workspace_id)
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_management(caller)
            line = checked_name(description, "description") if description.strip() else ""
            channel = Channel(self.new_id(), checked_name(name), line, self.clock())
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                unit.conversations.add_channel(channel)
                _record_channel(
                    unit,
                    caller,
                    EventKind.CHANNEL_CREATED,
                    workspace_id,
                    channel,
                    channel.created_at,
                )
                unit.commit()
        return channel


@dataclass(frozen=True, slots=True)
class RenameChannel:
    """Give a channel another name."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, key: str, name: str) -> Channel:
        """The channel under its new name; ``key`` is its id or name.

        Raises:
            NotFoundError: There is no such channel.
            InvalidValueError: It is the default channel, or the name is no single line of text.
            ConflictError: The name is taken.
        """
        attempt = Attempt("channel.rename", Tier.CHANNEL, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_management(caller)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                channel = unit.conversations.get_channel(key)
                _refuse_default(channel)
                channel = replace(channel, name=checked_name(name))
                unit.conversations.save_channel(channel)
                _record_channel(
                    unit, caller, EventKind.CHANNEL_RENAMED, workspace_id, channel, self.clock()
                )
                unit.commit()
        return channel


@dataclass(frozen=True, slots=True)
class ArchiveChannel:
    """Take a channel out of the lists; everything in it stays."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, key: str) -> Channel:
        """The archived channel; ``key`` is its id or name.

        Raises:
            NotFoundError: There is no such channel.
            InvalidValueError: It is the default channel, which always stays open.
        """
        attempt = Attempt("channel.archive", Tier.CHANNEL, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_management(caller)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                channel = unit.conversations.get_channel(key)
                _refuse_default(channel)
                if channel.archived_at is None:
                    now = self.clock()
                    channel = replace(channel, archived_at=now)
                    unit.conversations.save_channel(channel)
                    _record_channel(
                        unit, caller, EventKind.CHANNEL_ARCHIVED, workspace_id, channel, now
                    )
                    unit.commit()
        return channel


@dataclass(frozen=True, slots=True)
class UnarchiveChannel:
    """Put an archived channel back into the lists."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, key: str) -> Channel:
        """The open channel; ``key`` is its id or name.

        Raises:
            NotFoundError: There is no such channel.
        """
        attempt = Attempt("channel.unarchive", Tier.CHANNEL, workspace_id, (key,))
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_management(caller)
            with self.store.write(workspace_id, initiator=caller.name) as unit:
                channel = unit.conversations.get_channel(key)
                if channel.archived_at is not None:
                    channel = replace(channel, archived_at=None)
                    unit.conversations.save_channel(channel)
                    _record_channel(
                        unit,
                        caller,
                        EventKind.CHANNEL_UNARCHIVED,
                        workspace_id,
                        channel,
                        self.clock(),
                    )
                    unit.commit()
        return channel


def _record_channel(
    unit: UnitOfWork,
    caller: Caller,
    kind: EventKind,
    workspace_id: str,
    channel: Channel,
    at: datetime,
) -> None:
    """Append one event of a channel's life; its name is content and stays out of the log."""
    record_room(unit, caller, kind, ScopeKey.channel(workspace_id, channel.id), at)


def _refuse_default(channel: Channel) -> None:
    """The default channel keeps its name and stays open: conversations fall back to it."""
    if channel.is_default:
        raise InvalidValueError("channel", "default")
