"""Look up a conversation or channel for a caller; unknown and forbidden answer alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_some
from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import ScopeKey, Tier

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.usecases.ports.store import StoreView


def conversation_for(
    view: StoreView, caller: Caller, action: Action, workspace_id: str, key: str
) -> Conversation:
    """The conversation with this id or ref code, if the caller may do this there.

    To an agent one that is closed to it is not there: a mistyped id looks the same, and is no
    attempt on anything. What it asked for is not repeated.

    Raises:
        NotFoundError: There is none that is open to the caller.
        ScopeDeniedError: No conversation is, whichever it names.
    """
    authorize_some(caller, action, Tier.CONVERSATION, workspace_id)
    try:
        found = view.conversations.get(key)
    except NotFoundError:
        if not caller.is_agent:
            raise
    else:
        if caller.may(action, ScopeKey.conversation(workspace_id, found.id)):
            return found
    raise NotFoundError("conversation", "")


def own_conversation_for(
    view: StoreView, caller: Caller, workspace_id: str, key: str
) -> Conversation:
    """The conversation, if it is the caller's to keep house in: its notes, its end.

    An agent that takes part needs the right to read for that, any other the right to write.

    Raises:
        NotFoundError: There is none that is open to the caller.
        ScopeDeniedError: It is not this agent's.
    """
    found = conversation_for(view, caller, Action.READ, workspace_id, key)
    scope = ScopeKey.conversation(workspace_id, found.id)
    if not caller.may(Action.WRITE, scope):
        takes_part = caller.name in view.conversations.participants(found.id)
        if not takes_part:
            raise ScopeDeniedError(Action.WRITE.value, Tier.CONVERSATION.value)
    return found


def channel_for(
    view: StoreView, caller: Caller, action: Action, workspace_id: str, key: str
) -> Channel:
    """The channel with this id or name, if the caller may do this there.

    Raises:
        NotFoundError: There is none; to an agent that may do this in every channel, with names.
        ScopeDeniedError: It is closed to this agent, or there is none.
    """

    def is_open(channel: Channel) -> bool:
        return caller.may(action, ScopeKey.channel(workspace_id, channel.id))

    return _open_channel(view, caller, action, workspace_id, key, is_open)


def channel_to_talk_in(view: StoreView, caller: Caller, workspace_id: str, key: str) -> Channel:
    """The channel with this id or name, if the caller may begin a conversation there.

    Raises:
        NotFoundError: There is none; to an agent that may read every channel, with names.
        ScopeDeniedError: It is closed to this agent, or there is none.
    """

    def is_open(channel: Channel) -> bool:
        return may_talk_in(caller, workspace_id, channel)

    return _open_channel(view, caller, Action.READ, workspace_id, key, is_open)


def may_talk_in(caller: Caller, workspace_id: str, channel: Channel) -> bool:
    """Whether the caller may begin a conversation in a channel, as long as that is not archived.

    Who may read channels at all may talk in the default one.
    """
    if channel.is_default:
        return caller.may_somewhere(Action.READ, Tier.CHANNEL, workspace_id)
    return caller.may(Action.READ, ScopeKey.channel(workspace_id, channel.id))


def _open_channel(
    view: StoreView,
    caller: Caller,
    action: Action,
    workspace_id: str,
    key: str,
    is_open: Callable[[Channel], bool],
) -> Channel:
    authorize_some(caller, action, Tier.CHANNEL, workspace_id)
    try:
        found = _named_channel(view, key)
    except NotFoundError:
        if not caller.is_agent:
            raise
    else:
        if is_open(found):
            return found
    known = tuple(
        one.name for one in view.conversations.channels(include_archived=False) if is_open(one)
    )
    if caller.may_in_all_of(action, Tier.CHANNEL, workspace_id):
        raise NotFoundError("channel", key, known)
    raise ScopeDeniedError(action.value, Tier.CHANNEL.value, known)


def _named_channel(view: StoreView, key: str) -> Channel:
    """The channel with this id or name; a # before the name is how people write it.

    Raises:
        NotFoundError: There is none.
    """
    try:
        return view.conversations.get_channel(key)
    except NotFoundError:
        if not key.startswith("#"):
            raise
        return view.conversations.get_channel(key[1:])
