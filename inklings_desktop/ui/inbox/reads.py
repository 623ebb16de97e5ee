"""Everything that waits for the author's word, whoever asks: read at once, off the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.domain.entries.proposals import ABOUT_NAMED, UNDECIDED
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.rooms.silent_conversations import SilentConversation


@dataclass(frozen=True, slots=True)
class AskedProposal:
    """What an agent asks for, with the words of the memory that it is about.

    Attributes:
        proposal: The request.
        words: Of the memory as it would be, or as it is where it would be forgotten; empty for
            named entries.
        is_overtaken: Whether what would change has moved on since.
    """

    proposal: Proposal
    words: str
    is_overtaken: bool


@dataclass(frozen=True, slots=True)
class Knock:
    """A program that wants to be let in.

    Attributes:
        client: Its name.
        at: When it asked last.
    """

    client: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in the open workspace and the account.

    Attributes:
        proposals: The latest made first.
        scrubs: Scrubs that agents ask for.
        knocks: Programs at the door.
        silent: Conversations that nobody ended.
    """

    proposals: tuple[AskedProposal, ...] = ()
    scrubs: tuple[ScrubRequest, ...] = ()
    knocks: tuple[Knock, ...] = ()
    silent: tuple[SilentConversation, ...] = ()

    @property
    def n_things(self) -> int:
        """How many there are."""
        return len(self.proposals) + len(self.scrubs) + len(self.knocks) + len(self.silent)

    def proposal(self, proposal_id: str) -> Proposal | None:
        """The proposal with this id."""
        found = (one.proposal for one in self.proposals)
        return next((one for one in found if one.id == proposal_id), None)


def read_waiting(inklings: Inklings, workspace_id: str) -> Waiting:
    """All of it; nothing for whoever looks through a client's eyes.

    Raises:
        InklingsError: It cannot be read.
    """
    if inklings.caller.is_agent:
        return Waiting()
    asked = inklings.proposals.list(workspace_id, states=UNDECIDED)
    return Waiting(
        tuple(_asked(inklings, one) for one in asked),
        inklings.scrub.requests(),
        _knocks(inklings, workspace_id),
        inklings.conversations.list_silent(workspace_id),
    )


def _asked(inklings: Inklings, proposal: Proposal) -> AskedProposal:
    words, version = proposal.text, proposal.base_version
    if proposal.kind in ABOUT_NAMED:
        words = ""
    elif proposal.target_id:
        try:
            target = inklings.listing.show(MemoryRef(proposal.scope, proposal.target_id)).entry
        except InklingsError:  # gone meanwhile: looking at it says so
            pass
        else:
            words, version = words or target.content, target.version
    return AskedProposal(proposal, words, version != proposal.base_version)


def _knocks(inklings: Inklings, workspace_id: str) -> tuple[Knock, ...]:
    return tuple(
        Knock(found.client.name, call.at)
        for found in inklings.clients.list(calls=1)
        for call in found.activity.calls
        if found.client.kind is ClientKind.UNKNOWN and call.workspace_id == workspace_id
    )
