"""Channels: shared by the conversations that belong together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize_management,
    authorize_some,
)
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import Channel, checked_name
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.recording import record_room
from inklings_desktop.usecases.steps.rooms import channel_for

if TYPE_CHECKING:
    from inklings_desktop.usecases.ports.store import UnitOfWork


class Channels(Asked):
    """Channels of a workspace; ``key`` is the id or name of one."""

    def get(self, workspace_id: str, key: str, action: Action = Action.READ) -> Channel:
        """The channel, if the caller may do this there.

        Raises:
            NotFoundError: There is none.
            ScopeDeniedError: It is closed to this agent, or there is none.
        """
        authorize_some(self.caller, action, Tier.CHANNEL, workspace_id)
        with self.store.read(workspace_id) as view:
            return channel_for(view, self.caller, action, workspace_id, key)

    def create(self, workspace_id: str, name: str, description: str = "") -> Channel:
        """Opens a new channel.

        Raises:
            InvalidValueError: The name or description is no single line of text.
            ConflictError: The name is taken.
        """
        with self.attempt("channel.create", Tier.CHANNEL, workspace_id):
            authorize_management(self.caller)
            line = checked_name(description, "description") if description.strip() else ""
            channel = Channel(self.new_id(), checked_name(name), line, self.clock())
            with self.writing(workspace_id) as unit:
                unit.conversations.add_channel(channel)
                self._record(unit, EventKind.CHANNEL_CREATED, workspace_id, channel)
        return channel

    def rename(self, workspace_id: str, key: str, name: str) -> Channel:
        """Gives a channel another name.

        Raises:
            NotFoundError: There is no such channel.
            InvalidValueError: It is the default channel, or the name is no single line of text.
            ConflictError: The name is taken.
        """
        with self.attempt("channel.rename", Tier.CHANNEL, workspace_id, (key,)):
            authorize_management(self.caller)
            with self.writing(workspace_id) as unit:
                channel = unit.conversations.get_channel(key)
                _refuse_default(channel)
                channel = replace(channel, name=checked_name(name))
                unit.conversations.save_channel(channel)
                self._record(unit, EventKind.CHANNEL_RENAMED, workspace_id, channel)
        return channel

    def archive(self, workspace_id: str, key: str) -> Channel:
        """Takes a channel out of the lists; everything in it stays.

        Raises:
            NotFoundError: There is no such channel.
            InvalidValueError: It is the default channel, which always stays open.
        """
        with self.attempt("channel.archive", Tier.CHANNEL, workspace_id, (key,)):
            authorize_management(self.caller)
            with self.writing(workspace_id) as unit:
                channel = unit.conversations.get_channel(key)
                _refuse_default(channel)
                if channel.archived_at is None:
                    channel = replace(channel, archived_at=self.clock())
                    unit.conversations.save_channel(channel)
                    self._record(unit, EventKind.CHANNEL_ARCHIVED, workspace_id, channel)
        return channel

    def unarchive(self, workspace_id: str, key: str) -> Channel:
        """Puts an archived channel back into the lists.

        Raises:
            NotFoundError: There is no such channel.
        """
        with self.attempt("channel.unarchive", Tier.CHANNEL, workspace_id, (key,)):
            authorize_management(self.caller)
            with self.writing(workspace_id) as unit:
                channel = unit.conversations.get_channel(key)
                if channel.archived_at is not None:
                    channel = replace(channel, archived_at=None)
                    unit.conversations.save_channel(channel)
                    self._record(unit, EventKind.CHANNEL_UNARCHIVED, workspace_id, channel)
        return channel

    def _record(
        self, unit: UnitOfWork, kind: EventKind, workspace_id: str, channel: Channel
    ) -> None:
        """Commits with an event of a channel's life; its name is content, and not in the log."""
        scope = ScopeKey.channel(workspace_id, channel.id)
        record_room(unit, self.caller, kind, scope, self.clock())
        unit.commit()


def _refuse_default(channel: Channel) -> None:
    """The default channel keeps its name and stays open: conversations fall back to it."""
    if channel.is_default:
        raise InvalidValueError("channel", "default")
