"""Typed tables of both kinds of file, with the CHECK constraints that they share.

One set of table objects serves every query. The files differ in their CHECK constraints and
triggers (``schema_rules.py``), so an account row in a workspace file is impossible rather than
filtered out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
    func,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def one_of(column: str, *words: str) -> CheckConstraint:
    """One of these words."""
    return CheckConstraint(is_one_of(column, words), name=f"{column}_known")


def instants(*columns: str) -> list[CheckConstraint]:
    """Milliseconds since 1970 in UTC, as integers; NULL where the column allows it."""
    return [
        CheckConstraint(f"typeof({column}) IN ('integer', 'null')", name=f"{column}_integer")
        for column in columns
    ]


def json_of(column: str, kind: str) -> CheckConstraint:
    """JSON of one kind: ``array`` or ``object``."""
    return CheckConstraint(is_json(column, kind), name=f"{column}_{kind}")


def is_one_of(column: str, words: Iterable[str]) -> str:
    """The same as a condition."""
    listed = ", ".join(f"'{word}'" for word in words)
    return f"{column} IN ({listed})"


def is_json(column: str, kind: str) -> str:
    """The condition that a column holds JSON of one kind."""
    return f"CASE WHEN json_valid({column}) THEN json_type({column}) = '{kind}' ELSE 0 END"


def word_of(column: str, most: int) -> CheckConstraint:
    """A short word of small letters, with ``_``, ``:`` and ``.`` between them; may be empty."""
    rule = f"length({column}) <= {most} AND {column} NOT GLOB '*[^a-z_:.]*'"
    return CheckConstraint(rule, name=f"{column}_word")


def flags(*columns: str) -> list[CheckConstraint]:
    """0 or 1."""
    return [CheckConstraint(f"{column} IN (0, 1)", name=f"{column}_flag") for column in columns]


metadata = MetaData()


class MetaColumns(TypedColumns):
    """One row: what this file is, and the counters other processes watch."""

    only = Column(Integer, primary_key=True)
    kind = Column(Text, nullable=False)
    workspace_id = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    change_seq = Column(Integer, nullable=False)
    reload_seq = Column(Integer, nullable=False)


class MemoryColumns(TypedColumns):
    """Every field of a memory, and the counters that stamp its last change."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    version = Column(Integer, nullable=False)
    tier = Column(Text, nullable=False)
    scope_key = Column(Text, nullable=False)
    agent_id = Column(Text, nullable=True)
    content = Column(Text, nullable=False)
    lifetime = Column(Text, nullable=False)
    source = Column(Text, nullable=False)
    curator = Column(Text, nullable=False)
    written_by = Column(Text, nullable=False)
    importance = Column(Float, nullable=False)
    tags = Column(Text, nullable=False)
    source_conversation = Column(Text, nullable=True)
    derived_from = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    edited_at = Column(Integer, nullable=True)
    accessed_at = Column(Integer, nullable=True)
    access_count = Column(Integer, nullable=False)
    confirmed_at = Column(Integer, nullable=True)
    imported_at = Column(Integer, nullable=True)
    imported_curator = Column(Text, nullable=True)
    pinned = Column(Integer, nullable=False)
    paused = Column(Integer, nullable=False)
    locked = Column(Integer, nullable=False)
    forgotten_at = Column(Integer, nullable=True)
    forgotten_reason = Column(Text, nullable=True)
    successor_id = Column(Text, nullable=True)
    run_id = Column(Text, nullable=True)
    kind = Column(Text, nullable=False)
    domain_id = Column(Text, nullable=True)
    topic = Column(Text, nullable=False)
    changed_seq = Column(Integer, nullable=False)
    read_seq = Column(Integer, nullable=False)
    said = Column(LargeBinary, nullable=False)


class CountColumns(TypedColumns):
    """Active memories per scope key, kept by triggers: the cap asks at every write."""

    tier = Column(Text, primary_key=True)
    scope_key = Column(Text, primary_key=True)
    active = Column(Integer, nullable=False)


class VersionColumns(TypedColumns):
    """An earlier state of a memory, and who replaced it through which door."""

    memory_id = Column(Text, ForeignKey("memories.id"), primary_key=True)
    version = Column(Integer, primary_key=True)
    content = Column(Text, nullable=True)
    importance = Column(Float, nullable=False)
    lifetime = Column(Text, nullable=False)
    tags = Column(Text, nullable=False)
    action = Column(Text, nullable=False)
    changed_at = Column(Integer, nullable=False)
    changed_by = Column(Text, nullable=False)
    door = Column(Text, nullable=False)
    written_by = Column(Text, nullable=False)
    extra = Column(Text, nullable=False)


class VectorColumns(TypedColumns):
    """One little-endian float32 vector per memory, of its content alone; all of one model."""

    sequence = Column(Integer, ForeignKey("memories.sequence"), primary_key=True)
    model_id = Column(Text, nullable=False)
    dimension = Column(Integer, nullable=False)
    vector = Column(LargeBinary, nullable=False)


class ComingVectorColumns(TypedColumns):
    """Vectors of another model than the one in ``memory_vectors``, until most of them are here."""

    sequence = Column(Integer, ForeignKey("memories.sequence"), primary_key=True)
    model_id = Column(Text, nullable=False)
    dimension = Column(Integer, nullable=False)
    vector = Column(LargeBinary, nullable=False)


class TokenColumns(TypedColumns):
    """What each telling word of a memory means where it stands; goes with its vector.

    ``space`` names the model and the rotation that made them.
    """

    sequence = Column(Integer, ForeignKey("memories.sequence"), primary_key=True)
    space = Column(Text, nullable=False)
    data = Column(LargeBinary, nullable=False)


class TagTokenColumns(TypedColumns):
    """The same of a tag, once for all memories that carry it."""

    tag = Column(Text, primary_key=True)
    space = Column(Text, nullable=False)
    data = Column(LargeBinary, nullable=False)


class SearchColumns(TypedColumns):
    """The normalised text of one retrievable memory; ``id`` is its sequence."""

    id = Column(Integer, ForeignKey("memories.sequence"), primary_key=True)
    body = Column(Text, nullable=False)
    subject = Column(Text, nullable=False)
    context = Column(Text, nullable=False)


class ChannelColumns(TypedColumns):
    """Rooms; ``name_key`` is the name as it is compared, ``sequence`` their order."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    name = Column(Text, nullable=False)
    name_key = Column(Text, nullable=False, unique=True)
    description = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    archived_at = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)


class ConversationColumns(TypedColumns):
    """Conversations; ``sequence`` is their order, ``notes_seq`` the last change of their notes."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    ref_code = Column(Text, nullable=False, unique=True)
    channel_id = Column(Text, ForeignKey("channels.id"), nullable=False)
    title = Column(Text, nullable=False)
    state = Column(Text, nullable=False)
    started_at = Column(Integer, nullable=False)
    ended_at = Column(Integer, nullable=True)
    heard_at = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)
    notes_seq = Column(Integer, nullable=False)


class ParticipantColumns(TypedColumns):
    """Which clients take part in a conversation, and until when each knows what changed."""

    conversation_id = Column(Text, ForeignKey("conversations.id"), primary_key=True)
    client = Column(Text, primary_key=True)
    joined_at = Column(Integer, nullable=False)
    told_at = Column(Integer, nullable=True)


class NoteColumns(TypedColumns):
    """Working notes: a JSON value under a key, for one conversation only."""

    sequence = Column(Integer, primary_key=True)
    conversation_id = Column(Text, ForeignKey("conversations.id"), nullable=False)
    key = Column(Text, nullable=False)
    value_json = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    updated_at = Column(Integer, nullable=False)


class EventColumns(TypedColumns):
    """The append-only log: ids, counts and hashes, each entry chained to the one before."""

    seq = Column(Integer, primary_key=True)
    at = Column(Integer, nullable=False)
    kind = Column(Text, nullable=False)
    actor = Column(Text, nullable=False)
    actor_kind = Column(Text, nullable=False)
    door = Column(Text, nullable=False)
    tier = Column(Text, nullable=True)
    scope_key = Column(Text, nullable=True)
    ids = Column(Text, nullable=False)
    counts = Column(Text, nullable=False)
    marks = Column(Text, nullable=False)
    chain_hash = Column(Text, nullable=False)


meta = Table(
    "meta",
    metadata,
    MetaColumns,
    CheckConstraint("only = 1", name="only_one"),
    one_of("kind", "account", "workspace"),
    CheckConstraint("change_seq >= 0 AND reload_seq >= 0", name="counters"),
    *instants("created_at", "change_seq", "reload_seq"),
)

memories = Table(
    "memories",
    metadata,
    MemoryColumns,
    CheckConstraint("length(id) > 0 AND length(scope_key) > 0", name="addressed"),
    CheckConstraint("typeof(version) = 'integer' AND version >= 1", name="version_counts"),
    CheckConstraint(
        "typeof(content) = 'text' AND octet_length(content) BETWEEN 1 AND 65536",
        name="content_text",
    ),
    CheckConstraint(
        "typeof(importance) = 'real' AND importance BETWEEN 0.0 AND 1.0", name="importance_range"
    ),
    one_of("lifetime", "long_term", "short_term", "conversation"),
    CheckConstraint(
        "(tier = 'conversation') = (lifetime = 'conversation')", name="lifetime_of_tier"
    ),
    one_of("curator", "agent", "author", "import"),
    CheckConstraint("imported_curator IN ('agent', 'author', 'import')", name="imported_curator"),
    json_of("tags", "array"),
    json_of("derived_from", "array"),
    CheckConstraint(
        "typeof(access_count) = 'integer' AND access_count >= 0", name="access_count_counts"
    ),
    CheckConstraint(
        "forgotten_at IS NOT NULL OR (forgotten_reason IS NULL AND successor_id IS NULL)",
        name="active_without_reason",
    ),
    CheckConstraint("typeof(said) = 'blob' AND length(said) = 8", name="said_key"),
    one_of("kind", "note", "fact", "policy"),
    CheckConstraint("(kind = 'note') = (domain_id IS NULL)", name="domain_of_kind"),
    CheckConstraint("(kind = 'fact') = (length(topic) > 0)", name="topic_of_kind"),
    CheckConstraint(
        "kind = 'note' OR (tier = 'workspace' AND agent_id IS NULL AND lifetime = 'long_term'"
        " AND source_conversation IS NULL)",
        name="place_of_kind",
    ),
    # ``schema_rules.py`` puts the rule of the file's kind in this place.
    CheckConstraint("TIER_OF_FILE", name="tier_of_file"),
    *flags("pinned", "paused", "locked"),
    *instants(
        "created_at",
        "edited_at",
        "accessed_at",
        "confirmed_at",
        "imported_at",
        "forgotten_at",
        "changed_seq",
        "read_seq",
    ),
)

scope_counts = Table("scope_counts", metadata, CountColumns)

memory_versions = Table(
    "memory_versions",
    metadata,
    VersionColumns,
    CheckConstraint("version >= 1", name="version_counts"),
    json_of("extra", "object"),
    *instants("changed_at"),
)

memory_vectors = Table(
    "memory_vectors",
    metadata,
    VectorColumns,
    CheckConstraint(
        "typeof(vector) = 'blob' AND dimension >= 1 AND length(vector) = 4 * dimension",
        name="vector_length",
    ),
)

_whole_tokens = "typeof(data) = 'blob' AND length(data) % 64 = 0"
memory_tokens = Table(
    "memory_tokens", metadata, TokenColumns, CheckConstraint(_whole_tokens, name="token_length")
)
tag_tokens = Table(
    "tag_tokens", metadata, TagTokenColumns, CheckConstraint(_whole_tokens, name="token_length")
)

coming_vectors = Table(
    "coming_vectors",
    metadata,
    ComingVectorColumns,
    CheckConstraint(
        "typeof(vector) = 'blob' AND dimension >= 1 AND length(vector) = 4 * dimension",
        name="vector_length",
    ),
)

memory_search = Table("memory_search", metadata, SearchColumns)

channels = Table("channels", metadata, ChannelColumns, *instants("created_at", "archived_at"))

conversations = Table(
    "conversations",
    metadata,
    ConversationColumns,
    CheckConstraint("length(ref_code) = 11", name="ref_code_length"),
    one_of("state", "active", "idle", "archived"),
    *instants("started_at", "ended_at", "heard_at"),
)

conversation_participants = Table(
    "conversation_participants", metadata, ParticipantColumns, *instants("joined_at", "told_at")
)

notes = Table(
    "notes",
    metadata,
    NoteColumns,
    UniqueConstraint("conversation_id", "key", name="one_value"),
    CheckConstraint("json_valid(value_json)", name="value_json"),
    *instants("created_at", "updated_at"),
)

events = Table(
    "events",
    metadata,
    EventColumns,
    json_of("ids", "array"),
    json_of("counts", "object"),
    json_of("marks", "object"),
    CheckConstraint("length(chain_hash) = 64", name="chain_hash_length"),
    *instants("at"),
)

MEMORY_TABLES = (
    meta, memories, scope_counts, memory_versions, memory_vectors, memory_tokens, tag_tokens,
    coming_vectors, memory_search, events,
)  # fmt: skip
ROOM_TABLES = (channels, conversations, conversation_participants, notes)
"""What only a workspace's file has."""

_active = memories.c.forgotten_at.is_(None)
_retrievable = _active & (memories.c.paused == 0)
_scope = (memories.c.tier, memories.c.scope_key)

Index("memories_by_creation", *_scope, memories.c.created_at, sqlite_where=_active)
Index("memories_by_importance", *_scope, memories.c.importance, sqlite_where=_active)
Index(
    "memories_by_reading",
    *_scope,
    func.ifnull(memories.c.accessed_at, text("-1")),
    sqlite_where=_active,
)
Index("memories_forgotten", *_scope, memories.c.created_at, sqlite_where=~_active)
Index(
    "memories_by_neighbour",
    *_scope,
    memories.c.source_conversation,
    memories.c.agent_id,
    sqlite_where=_retrievable,
)
Index(
    "memories_by_domain",
    memories.c.domain_id,
    memories.c.kind,
    sqlite_where=_retrievable & memories.c.domain_id.is_not(None),
)
Index("memories_by_saying", *_scope, memories.c.said, sqlite_where=_active)
Index("memories_by_change", memories.c.changed_seq)
Index(
    "memories_by_successor",
    memories.c.successor_id,
    sqlite_where=memories.c.successor_id.is_not(None),
)
Index("memories_by_read_change", memories.c.read_seq, sqlite_where=memories.c.read_seq > 0)
Index("conversations_by_channel", conversations.c.channel_id, conversations.c.state)
