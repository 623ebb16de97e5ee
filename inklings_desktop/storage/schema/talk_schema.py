"""Tables of talk: messages, keys of repeatable requests, and how far an agent's runs have come.

Messages are for the person and for replay; they are no tier, and no search reads them. What an
agent's process writes of its own accord, and alone, are the tables ``run_*``.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
)

from inklings_desktop.domain.access.access import MAX_REQUEST_KEY_CHARACTERS
from inklings_desktop.domain.rooms.messages import MAX_PARTS_BYTES
from inklings_desktop.storage.schema.tables import instants, json_of, metadata, one_of, word_of

MAX_CHECKPOINT_BYTES = 1024 * 1024
_PROBLEM_CHARACTERS = 60


class MessageColumns(TypedColumns):
    """What was said in a conversation; ``number`` counts within it, ``parts`` is what is shown."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    conversation_id = Column(Text, ForeignKey("conversations.id"), nullable=False)
    number = Column(Integer, nullable=False)
    turn = Column(Text, nullable=False)
    role = Column(Text, nullable=False)
    state = Column(Text, nullable=False)
    parts = Column(Text, nullable=False)
    client = Column(Text, nullable=False)
    produced_by = Column(Text, nullable=False)
    model = Column(Text, nullable=True)
    created_at = Column(Integer, nullable=False)
    read_at = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)


class RequestKeyColumns(TypedColumns):
    """A write that its client may send again; ``outcome`` holds kinds and ids, never text."""

    client = Column(Text, primary_key=True)
    key = Column(Text, primary_key=True)
    tool = Column(Text, nullable=False)
    digest = Column(Text, nullable=False)
    outcome = Column(Text, nullable=False)
    at = Column(Integer, nullable=False)


class AgentRunColumns(TypedColumns):
    """One turn of an agent, or of a part of it, and what it spent."""

    id = Column(Text, primary_key=True)
    conversation_id = Column(Text, nullable=False)
    parent_id = Column(Text, nullable=True)
    process = Column(Text, nullable=False)
    activity_id = Column(Text, nullable=True)
    state = Column(Text, nullable=False)
    node = Column(Text, nullable=False)
    started_at = Column(Integer, nullable=False)
    ended_at = Column(Integer, nullable=True)
    model = Column(Text, nullable=True)
    provider = Column(Text, nullable=True)
    input_tokens = Column(Integer, nullable=False)
    output_tokens = Column(Integer, nullable=False)
    cached_tokens = Column(Integer, nullable=False)
    cost_micro = Column(Integer, nullable=True)
    currency = Column(Text, nullable=True)
    n_tool_calls = Column(Integer, nullable=False)
    problem = Column(Text, nullable=False)


class CheckpointColumns(TypedColumns):
    """The state of a conversation's run after one step; tagged JSON, never code."""

    thread_id = Column(Text, primary_key=True)
    ns = Column(Text, primary_key=True)
    checkpoint_id = Column(Text, primary_key=True)
    parent_id = Column(Text, nullable=True)
    state_version = Column(Integer, nullable=False)
    body = Column(LargeBinary, nullable=False)
    metadata = Column(LargeBinary, nullable=False)


class RunWriteColumns(TypedColumns):
    """What one step has written to one channel after a checkpoint; goes with it."""

    thread_id = Column(Text, primary_key=True)
    ns = Column(Text, primary_key=True)
    checkpoint_id = Column(Text, primary_key=True)
    task_id = Column(Text, primary_key=True)
    idx = Column(Integer, primary_key=True)
    channel = Column(Text, nullable=False)
    body = Column(LargeBinary, nullable=False)


class CompactionColumns(TypedColumns):
    """Older turns of a conversation, made short for the agent; the messages stay whole."""

    thread_id = Column(Text, primary_key=True)
    number = Column(Integer, primary_key=True)
    up_to_message = Column(Integer, nullable=False)
    compact = Column(Text, nullable=False)
    source_digest = Column(Text, nullable=False)
    by = Column(Text, nullable=False)
    model = Column(Text, nullable=True)
    at = Column(Integer, nullable=False)


class TraceColumns(TypedColumns):
    """One step of a run: names and figures, and for a while what went in and came out."""

    run_id = Column(Text, primary_key=True)
    step = Column(Integer, primary_key=True)
    node = Column(Text, nullable=False)
    kind = Column(Text, nullable=False)
    summary = Column(Text, nullable=False)
    detail = Column(LargeBinary, nullable=True)
    at = Column(Integer, nullable=False)


class RuleColumns(TypedColumns):
    """What a conversation allows or refuses without asking again; an empty digest is any."""

    conversation_id = Column(Text, primary_key=True)
    tool = Column(Text, primary_key=True)
    argument_digest = Column(Text, primary_key=True)
    decision = Column(Text, nullable=False)
    at = Column(Integer, nullable=False)


messages = Table(
    "messages",
    metadata,
    MessageColumns,
    UniqueConstraint("conversation_id", "number", name="one_number"),
    CheckConstraint("typeof(number) = 'integer' AND number >= 1", name="number_counts"),
    one_of("role", "user", "assistant", "notice"),
    one_of("state", "complete", "stopped", "failed"),
    one_of("produced_by", "mechanical", "model", "person"),
    json_of("parts", "array"),
    CheckConstraint(f"octet_length(parts) <= {MAX_PARTS_BYTES}", name="parts_length"),
    *instants("created_at", "read_at", "changed_seq"),
)

request_keys = Table(
    "request_keys",
    metadata,
    RequestKeyColumns,
    CheckConstraint(
        f"length(key) BETWEEN 1 AND {MAX_REQUEST_KEY_CHARACTERS}"
        " AND key NOT GLOB '*[^A-Za-z0-9._:-]*'",
        name="key_characters",
    ),
    CheckConstraint("length(digest) = 64", name="digest_length"),
    json_of("outcome", "array"),
    *instants("at"),
)

agent_runs = Table(
    "runs",
    metadata,
    AgentRunColumns,
    one_of("state", "running", "parked", "finished", "stopped", "failed"),
    CheckConstraint(
        "input_tokens >= 0 AND output_tokens >= 0 AND cached_tokens >= 0 AND n_tool_calls >= 0",
        name="counts",
    ),
    word_of("problem", _PROBLEM_CHARACTERS),
    *instants("started_at", "ended_at", "cost_micro"),
)

run_checkpoints = Table(
    "run_checkpoints",
    metadata,
    CheckpointColumns,
    CheckConstraint(f"length(body) <= {MAX_CHECKPOINT_BYTES}", name="body_length"),
    CheckConstraint("typeof(state_version) = 'integer'", name="state_version_integer"),
)

run_writes = Table("run_writes", metadata, RunWriteColumns)

run_compactions = Table(
    "run_compactions",
    metadata,
    CompactionColumns,
    UniqueConstraint("thread_id", "up_to_message", name="once"),
    json_of("compact", "object"),
    one_of("by", "mechanical", "model"),
    *instants("at"),
)

run_traces = Table(
    "run_traces",
    metadata,
    TraceColumns,
    one_of("kind", "model", "tool", "permission", "compaction"),
    json_of("summary", "object"),
    *instants("at"),
)

permission_rules = Table(
    "permission_rules",
    metadata,
    RuleColumns,
    one_of("decision", "allow", "reject"),
    *instants("at"),
)

REQUEST_TABLES = (request_keys,)
"""What both kinds of file have."""
RUN_TABLES = (
    agent_runs, run_checkpoints, run_writes, run_compactions, run_traces, permission_rules,
)  # fmt: skip
TALK_TABLES = (messages, *RUN_TABLES)
"""What only a workspace's file has."""

Index(
    "messages_unread",
    messages.c.conversation_id,
    sqlite_where=(messages.c.role == "assistant") & messages.c.read_at.is_(None),
)
Index("messages_by_change", messages.c.changed_seq)
Index("request_keys_by_age", request_keys.c.at)
Index("runs_by_conversation", agent_runs.c.conversation_id, agent_runs.c.started_at)
Index("runs_by_state", agent_runs.c.state)
