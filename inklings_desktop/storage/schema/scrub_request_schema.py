"""Table of the account's file for scrubs that agents ask the author to confirm.

Ids, names of clients, hashes and figures: no word of a memory is in it, and none of the agent's.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    Table,
    Text,
    TypedColumns,
)

from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import OPEN_STATES, ScrubRequestState
from inklings_desktop.storage.schema.schema_checks import instants, one_of
from inklings_desktop.storage.schema.tables import metadata


class RequestColumns(TypedColumns):
    """One request; ``workspace_id`` is empty for the account tier."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    client = Column(Text, ForeignKey("clients.name", ondelete="CASCADE"), nullable=False)
    workspace_id = Column(Text, nullable=False)
    tier = Column(Text, nullable=False)
    scope_key = Column(Text, nullable=False)
    mode = Column(Text, nullable=False)
    digest = Column(Text, nullable=False)
    n_removed = Column(Integer, nullable=False)
    asked_at = Column(Integer, nullable=False)
    expires_at = Column(Integer, nullable=False)
    state = Column(Text, nullable=False)
    ended_at = Column(Integer, nullable=True)
    event_number = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)


_OPEN = ", ".join(f"'{state.value}'" for state in sorted(OPEN_STATES))

scrub_requests = Table(
    "scrub_requests",
    metadata,
    RequestColumns,
    one_of("tier", "conversation", "channel", "workspace", "account"),
    one_of("mode", *(mode.value for mode in ScrubMode)),
    one_of("state", *(state.value for state in ScrubRequestState)),
    CheckConstraint("(tier = 'account') = (workspace_id = '')", name="request_has_workspace"),
    CheckConstraint(
        "length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'", name="digest_hexadecimal"
    ),
    CheckConstraint(f"(state IN ({_OPEN})) = (ended_at IS NULL)", name="ended_when_answered"),
    *instants("n_removed", "asked_at", "expires_at", "ended_at", "event_number", "changed_seq"),
)

SCRUB_REQUEST_TABLES = (scrub_requests,)
"""What only the account's file has."""
