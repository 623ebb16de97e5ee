"""The tool by which a client hears what became of what it proposed."""

from typing import Annotated, Literal

from pydantic import Field

from inklings_desktop.domain.entries.proposals import UNDECIDED, ProposalState
from inklings_desktop.mcp_server.answers import proposal_answer
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.mcp_server.shapes import Proposals
from inklings_desktop.usecases.bundle import Inklings

MAX_PROPOSALS = 50
_STATES = {
    "waiting": UNDECIDED,
    "accepted": frozenset({ProposalState.ACCEPTED}),
    "rejected": frozenset({ProposalState.REJECTED}),
    "all": frozenset(ProposalState),
}


class ProposalTools:
    """Plain functions over one session; the names are the names of the tools."""

    def __init__(self, session: ClientSession) -> None:
        """Serve this client."""
        self._session = session

    def proposal_list(
        self,
        state: Annotated[
            Literal["all", "waiting", "accepted", "rejected"],
            Field(description="Only those that stand so."),
        ] = "all",
    ) -> Proposals:
        """What became of what this client proposed, with the author's answer; the latest first.

        Call it to learn why something was held or rejected; not to send a proposal again.
        """

        def listed(mine: Inklings) -> tuple[Proposals, int]:
            found = mine.proposals.list(self._session.workspace_id, states=_STATES[state])
            told = [proposal_answer(one) for one in found[:MAX_PROPOSALS]]
            answer: Proposals = {"proposals": told}
            if len(found) > len(told):
                answer["left_out"] = len(found) - len(told)
            return answer, len(told)

        return self._session.call("proposal_list", listed)
