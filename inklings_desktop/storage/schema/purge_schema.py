"""Tables of scrubs: the marker of an open one, and what agents ask the author to confirm.

The marker is written in the transaction that removes the rows and goes in the one that says the
search found nothing. Only while one is ``removing``, which lasts no longer than its transaction,
can a memory, its history, a named entry or a proposal be deleted at all.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypedColumns,
)

from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import OPEN_STATES, ScrubRequestState
from inklings_desktop.storage.schema.tables import instants, json_of, metadata, one_of


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


REMOVING, REMOVED, COMPACTED = "removing", "removed", "compacted"
"""Rows are going; rows are gone; index and file have been rewritten without them."""


class PurgeColumns(TypedColumns):
    """One open scrub; ``number`` is its event's. Needles are keyed hashes, never text."""

    number = Column(Integer, primary_key=True)
    state = Column(Text, nullable=False)
    tier = Column(Text, nullable=False)
    scope_key = Column(Text, nullable=False)
    mode = Column(Text, nullable=False)
    executed_at = Column(Integer, nullable=False)
    n_removed = Column(Integer, nullable=False)
    salt = Column(LargeBinary, nullable=False)
    needles = Column(LargeBinary, nullable=False)
    rewritten = Column(Text, nullable=False)
    deleted = Column(Text, nullable=False)


purges = Table(
    "purges",
    metadata,
    PurgeColumns,
    one_of("state", REMOVING, REMOVED, COMPACTED),
    one_of("mode", *(mode.value for mode in ScrubMode)),
    CheckConstraint("length(needles) % 8 = 0", name="needle_length"),
    json_of("rewritten", "array"),
    json_of("deleted", "array"),
    *instants("number", "executed_at", "n_removed"),
)

PURGE_TRIGGERS = (
    """
CREATE TRIGGER memories_leave_by_scrub_alone BEFORE DELETE ON memories
WHEN NOT EXISTS (SELECT 1 FROM purges WHERE state = 'removing')
BEGIN
    SELECT RAISE(ABORT, 'a memory is forgotten, or removed by a scrub');
END
""",
    """
CREATE TRIGGER memory_versions_leave_by_scrub_alone BEFORE DELETE ON memory_versions
WHEN NOT EXISTS (SELECT 1 FROM purges WHERE state = 'removing')
BEGIN
    SELECT RAISE(ABORT, 'history goes with its memory alone');
END
""",
    """
CREATE TRIGGER purges_begin_removing BEFORE INSERT ON purges WHEN new.state <> 'removing' BEGIN
    SELECT RAISE(ABORT, 'a purge begins with the removal');
END
""",
    """
CREATE TRIGGER purges_go_on BEFORE UPDATE ON purges
WHEN new.state = 'removing' AND old.state <> 'removing'
BEGIN
    SELECT RAISE(ABORT, 'a removal is not reopened');
END
""",
)
