"""Tools for named entries: agents read them and propose; they never write them.

By one of them a client hears what became of what it proposed.
"""

from typing import Annotated, Literal

from pydantic import Field

from inklings_desktop.domain.entries.proposals import UNDECIDED, HeldReason, ProposalState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.tools.memory_tools import NextPage
from inklings_desktop.mcp_server.words.answers import entry_answer, held_answer, proposal_answer
from inklings_desktop.mcp_server.words.shapes import Entries, Entry, Held, Proposals
from inklings_desktop.mcp_server.words.sizes import number_of, rest_of
from inklings_desktop.usecases.bundle import Inklings

EntryTier = Annotated[
    Literal["workspace", "account"] | None,
    Field(description="Tier of the entry; leave it out for both."),
]


class EntryTools(Tools):
    """Named entries."""

    def named_entry_list(self, tier: EntryTier = None) -> Entries:
        """List the author's named entries, such as VOICE: what every turn begins with."""

        def listed(mine: Inklings) -> tuple[Entries, int]:
            entries = mine.entries.list(self._session.workspace_id, _tier(tier))
            answers = [entry_answer(one, with_body=False) for one in entries]
            return {"entries": answers}, len(answers)

        return self._session.call("named_entry_list", listed, tier=_tier(tier))

    def named_entry_read(
        self,
        name: Annotated[str, Field(description="Exactly its name, for example VOICE.")],
        tier: EntryTier = None,
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> Entry:
        """Read one named entry, in Markdown."""

        def read(mine: Inklings) -> tuple[Entry, int]:
            entry = mine.entries.find(self._session.workspace_id, name, _tier(tier))
            answer, begin = entry_answer(entry, with_body=True), number_of(next)
            part = self._session.room.part(entry.body, begin)
            answer["body"] = part
            if left := entry.body[begin + len(part) :]:
                answer["next"] = str(begin + len(part))
                answer["more"] = f"{rest_of(left)}, next: {answer['next']}"
            return answer, 1

        return self._session.call("named_entry_read", read, tier=_tier(tier))

    def named_entry_propose(
        self,
        name: Annotated[
            str,
            Field(description="Exact name of an entry; with new, a name that is free."),
        ],
        body: Annotated[str, Field(description="All of the new text, in Markdown.")],
        reason: Annotated[str, Field(description="Why, for the author to read.")],
        tier: Annotated[
            Literal["workspace", "account"] | None,
            Field(description="Only needed where both tiers have an entry of this name."),
        ] = None,
        *,
        new: Annotated[
            bool,
            Field(
                description="Propose a new entry, named in capitals, digits and underscores; in the"
                " workspace unless tier says account."
            ),
        ] = False,
    ) -> Held:
        """Propose a new text for a named entry, or a new entry; the author decides."""

        def propose(mine: Inklings) -> tuple[Held, int]:
            workspace_id = self._session.workspace_id
            proposal = mine.proposals.propose(
                workspace_id, name, body, reason, _tier(tier), is_new=new
            )
            return held_answer(HeldReason.NAMED_ENTRY, [proposal.id]), 1

        return self._session.call(
            "named_entry_propose", propose, tier=_tier(tier), is_write=True, done="held"
        )


def _tier(tier: str | None) -> Tier | None:
    return None if tier is None else Tier(tier)


MAX_PROPOSALS = 50
_STATES = {
    "waiting": UNDECIDED,
    "accepted": frozenset({ProposalState.ACCEPTED}),
    "rejected": frozenset({ProposalState.REJECTED}),
    "all": frozenset(ProposalState),
}


class ProposalTools(Tools):
    """What became of proposals."""

    def proposal_list(
        self,
        state: Annotated[
            Literal["all", "waiting", "accepted", "rejected"],
            Field(description="Only these."),
        ] = "all",
    ) -> Proposals:
        """See what became of your proposals, with the author's answer, the latest first.

        Use it to learn why something was held or rejected; do not send a proposal again.
        """

        def listed(mine: Inklings) -> tuple[Proposals, int]:
            found = mine.proposals.list(self._session.workspace_id, states=_STATES[state])
            told = self._session.room.fitting(
                [proposal_answer(one) for one in found[:MAX_PROPOSALS]]
            )
            answer: Proposals = {"proposals": told}
            if len(found) > len(told):
                answer["left_out"] = len(found) - len(told)
            return answer, len(told)

        return self._session.call("proposal_list", listed)
