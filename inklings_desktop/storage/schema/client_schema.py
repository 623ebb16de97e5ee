"""Tables of the account's file for the programs that agents come in by."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    TypedColumns,
)

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.storage.schema.tables import flags, instants, metadata, one_of, word_of

MOST_TOOL_CHARACTERS, MOST_ERROR_CHARACTERS = 40, 24


class ClientColumns(TypedColumns):
    """A program by its configured name."""

    name = Column(Text, primary_key=True)
    kind = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    changed_seq = Column(Integer, nullable=False)


class RightColumns(TypedColumns):
    """One action in one tier; ``workspace_id`` and ``channel_id`` are empty where none is meant."""

    client = Column(Text, ForeignKey("clients.name", ondelete="CASCADE"), primary_key=True)
    workspace_id = Column(Text, primary_key=True)
    tier = Column(Text, primary_key=True)
    action = Column(Text, primary_key=True)
    channel_id = Column(Text, primary_key=True)


class CallColumns(TypedColumns):
    """The latest requests of every client; the oldest leave."""

    sequence = Column(Integer, primary_key=True)
    client = Column(Text, ForeignKey("clients.name", ondelete="CASCADE"), nullable=False)
    at = Column(Integer, nullable=False)
    tool = Column(Text, nullable=False)
    tier = Column(Text, nullable=True)
    workspace_id = Column(Text, nullable=True)
    answer = Column(Text, nullable=False)
    n_entries = Column(Integer, nullable=False)
    error = Column(Text, nullable=False)
    milliseconds = Column(Integer, nullable=False)
    is_write = Column(Integer, nullable=False)


clients = Table(
    "clients",
    metadata,
    ClientColumns,
    one_of("kind", *(kind.value for kind in ClientKind)),
    CheckConstraint("length(name) BETWEEN 1 AND 64", name="named"),
    *instants("created_at", "changed_seq"),
)

client_rights = Table(
    "client_rights",
    metadata,
    RightColumns,
    one_of("tier", "conversation", "channel", "workspace", "account"),
    one_of("action", *(one.value for one in Action if one is not Action.MANAGE)),
    CheckConstraint("(tier = 'account') = (workspace_id = '')", name="tier_has_workspace"),
    CheckConstraint("tier = 'channel' OR channel_id = ''", name="channel_of_tier"),
)

client_calls = Table(
    "client_calls",
    metadata,
    CallColumns,
    # Words of the program alone: nothing that a client said, or was told, fits in here.
    word_of("tool", MOST_TOOL_CHARACTERS),
    word_of("error", MOST_ERROR_CHARACTERS),
    one_of("answer", "entries", "stored", "held", "refused", "failed", "done"),
    *flags("is_write"),
    *instants("at", "n_entries", "milliseconds"),
)

CLIENT_TABLES = (clients, client_rights, client_calls)
"""What only the account's file has."""
WORDLESS_COLUMNS = frozenset({client_calls.c.tool, client_calls.c.answer, client_calls.c.error})
"""What a search after a scrub takes for no excuse: memory text found there is a trace of it."""

Index("client_calls_by_client", client_calls.c.client, client_calls.c.sequence)
