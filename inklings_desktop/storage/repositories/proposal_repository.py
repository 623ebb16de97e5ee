"""What agents ask the author to accept, in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update

from inklings_desktop.domain.entries.proposals import UNDECIDED
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.storage.rows.entry_rows import proposal_of, proposal_values
from inklings_desktop.storage.rows.memories import sensible, to_ms_or_none
from inklings_desktop.storage.schema.entry_schema import proposals

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalState
    from inklings_desktop.storage.rows.transaction import Transaction

_PROPOSALS = select(proposals).order_by(proposals.c.sequence.desc())
_BY_ID = select(proposals).where(proposals.c.id == bindparam("wanted"))
_INSERT = insert(proposals)
_DECIDE = (
    update(proposals)
    .where(
        proposals.c.id == bindparam("whose"),
        proposals.c.state.in_(sorted(state.value for state in UNDECIDED)),
    )
    .values(
        state=bindparam("new_state"),
        note=bindparam("new_note"),
        decided_at=bindparam("at"),
        changed_seq=bindparam("stamp"),
    )
)


class SqliteProposalRepository:
    """The ``ProposalRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def add(self, proposal: Proposal) -> Proposal:
        values = proposal_values(proposal, self._transaction.change_seq)
        self._connection.execute(_INSERT, values)
        self._transaction.proposals_changed()
        return self.get(proposal.id)

    def get(self, proposal_id: str) -> Proposal:
        row = self._connection.execute(_BY_ID, {"wanted": proposal_id}).one_or_none()
        if row is None:
            raise NotFoundError("proposal", proposal_id)
        return proposal_of(row, self._transaction.workspace_id)

    def proposals(
        self, *, states: Collection[ProposalState], client: str | None = None
    ) -> tuple[Proposal, ...]:
        wanted = sorted(state.value for state in states)
        statement = _PROPOSALS.where(proposals.c.state.in_(wanted))
        if client is not None:
            statement = statement.where(proposals.c.client == client)
        rows = self._connection.execute(statement)
        whose = self._transaction.workspace_id
        return tuple(sensible(rows, lambda row: proposal_of(row, whose)))

    def decide(
        self, proposal_id: str, state: ProposalState, *, note: str, decided_at: datetime | None
    ) -> Proposal:
        self.get(proposal_id)
        parameters = {
            "whose": proposal_id,
            "new_state": state.value,
            "new_note": note,
            "at": to_ms_or_none(decided_at),
            "stamp": self._transaction.change_seq,
        }
        if self._connection.execute(_DECIDE, parameters).rowcount == 0:
            raise ConflictError("proposal", proposal_id)
        self._transaction.proposals_changed()
        return self.get(proposal_id)
