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
