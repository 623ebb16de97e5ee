"""The tool by which a client finds out which channels are open to it, and how to name them."""

from typing import Annotated

from pydantic import Field

from inklings_desktop.domain.memory import Tier
from inklings_desktop.mcp_server.answers import channel_answer
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.mcp_server.shapes import Channels
from inklings_desktop.usecases.bundle import Inklings


class ChannelTools:
    """Plain functions over one session; the names are the names of the tools."""

    def __init__(self, session: ClientSession) -> None:
        """Serve this client."""
        self._session = session

    def channel_list(
        self,
        *,
        archived: Annotated[bool, Field(description="Archived ones as well.")] = False,
    ) -> Channels:
        """The channels open to this client, and what it may do in each.

        Wherever a channel is asked for, its name will do, with or without #.
        """

        def listed(mine: Inklings) -> tuple[Channels, int]:
            found = mine.places.open_channels(self._session.workspace_id, include_archived=archived)
            return {"channels": [channel_answer(one) for one in found]}, len(found)

        return self._session.call("channel_list", listed, tier=Tier.CHANNEL)
