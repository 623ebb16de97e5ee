"""Which workspaces and rooms there are: what surrounds a list, and nothing that changes it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_any,
    authorize_some,
    authorize_workspace,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.rooms import channel_for, may_talk_in

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.domain.rooms.workspace import Workspace


@dataclass(frozen=True, slots=True)
class OpenChannel:
    """A channel, and what the caller may do there.

    Attributes:
        channel: The channel; without its description for who may not read there.
        actions: What is granted.
        may_talk: Whether a conversation may be begun there.
    """

    channel: Channel
    actions: frozenset[Action]
    may_talk: bool


class Places(Asked):
    """The workspaces and rooms that memories are in."""

    def workspaces(self) -> tuple[Workspace, ...]:
        """The workspaces, oldest first; an agent gets those of which it may read anything."""
        caller = self.caller
        return tuple(one for one in self.parts.directory.workspaces() if caller.may_read_in(one.id))

    def channels(self, workspace_id: str, *, include_archived: bool = False) -> tuple[Channel, ...]:
        """``general`` first, then in order of creation; an agent gets those it may read.

        Raises:
            ScopeDeniedError: The whole workspace is closed to this agent, or unknown to it.
        """
        caller = self.caller
        authorize_workspace(caller, workspace_id)
        with self.store.read(workspace_id) as view:
            found = view.conversations.channels(include_archived=include_archived)
        return tuple(
            one for one in found if caller.may(Action.READ, ScopeKey.channel(workspace_id, one.id))
        )

    def open_channels(
        self, workspace_id: str, *, include_archived: bool = False
    ) -> tuple[OpenChannel, ...]:
        """The channels in which the caller may do anything, in the same order.

        Raises:
            ScopeDeniedError: No channel is open to this agent, or the workspace unknown to it.
        """
        caller = self.caller
        authorize_any(caller, Tier.CHANNEL, workspace_id)
        with self.store.read(workspace_id) as view:
            found = view.conversations.channels(include_archived=include_archived)
        looked_at = (_opened(caller, workspace_id, one) for one in found)
        return tuple(one for one in looked_at if one.actions or one.may_talk)

    def conversations(
        self, workspace_id: str, *, channel: str | None = None, include_archived: bool = False
    ) -> tuple[Conversation, ...]:
        """Latest start first; archived ones only when asked for.

        An agent gets those that it takes part in.

        Raises:
            ScopeDeniedError: An agent that may read no conversation, or not the channel named.
            NotFoundError: There is no such channel.
        """
        caller = self.caller
        authorize_some(caller, Action.READ, Tier.CONVERSATION, workspace_id)
        with self.store.read(workspace_id) as view:
            channel_id = (
                None
                if channel is None
                else channel_for(view, caller, Action.READ, workspace_id, channel).id
            )
            found = view.conversations.conversations(
                channel_id=channel_id, include_archived=include_archived
            )
        return tuple(
            one
            for one in found
            if caller.may(Action.READ, ScopeKey.conversation(workspace_id, one.id))
        )


def _opened(caller: Caller, workspace_id: str, channel: Channel) -> OpenChannel:
    actions = caller.actions_in(ScopeKey.channel(workspace_id, channel.id))
    told = channel if Action.READ in actions else replace(channel, description="")
    may_talk = channel.archived_at is None and may_talk_in(caller, workspace_id, channel)
    return OpenChannel(told, actions, may_talk)
