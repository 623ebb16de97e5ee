"""Look up a conversation or channel for a caller; unknown and forbidden answer alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Action, Caller, authorize
from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import ScopeKey, Tier

if TYPE_CHECKING:
    from inklings_desktop.domain.conversation import Channel, Conversation
    from inklings_desktop.usecases.ports import StoreView


def conversation_for(
    view: StoreView, caller: Caller, action: Action, workspace_id: str, key: str
) -> Conversation:
    """The conversation with this id or ref code, if the caller may do this there.

    Raises:
        NotFoundError: There is none; an agent is answered as for a closed one.
        ScopeDeniedError: It is closed to this agent, or there is none.
    """
    try:
        found = view.conversations.get(key)
    except NotFoundError:
        if caller.is_agent:
            raise ScopeDeniedError(action.value, Tier.CONVERSATION.value) from None
        raise
    authorize(caller, action, ScopeKey.conversation(workspace_id, found.id))
    return found


def own_conversation_for(
    view: StoreView, caller: Caller, workspace_id: str, key: str
) -> Conversation:
    """The conversation, if it is the caller's to keep house in: its notes, its end.

    An agent that takes part needs the right to read for that, any other the right to write.

    Raises:
        NotFoundError: There is none; an agent is answered as for a closed one.
        ScopeDeniedError: It is not this agent's, or there is none.
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
        NotFoundError: There is none; an agent is answered as for a closed one.
        ScopeDeniedError: It is closed to this agent, or there is none.
    """
    try:
        found = view.conversations.get_channel(key)
    except NotFoundError:
        if caller.is_agent:
            raise ScopeDeniedError(action.value, Tier.CHANNEL.value) from None
        raise
    authorize(caller, action, ScopeKey.channel(workspace_id, found.id))
    return found
