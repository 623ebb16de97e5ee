"""Tables of what a workspace holds for settled: facts, rules, domains, roles, agents' own texts.

A fact and a rule are rows of ``memories``; what only they have lies here beside them.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    TypedColumns,
)

from inklings_desktop.storage.schema.tables import flags, instants, metadata, one_of

MAX_KEPT_BYTES = 16 * 1024


class FactColumns(TypedColumns):
    """What a fact has besides its memory; ``topic_key`` is the topic as it is compared."""

    memory_sequence = Column(Integer, ForeignKey("memories.sequence"), primary_key=True)
    topic_key = Column(Text, nullable=False)
    confidence = Column(Float, nullable=False)
    story_from = Column(Integer, nullable=True)
    story_until = Column(Integer, nullable=True)


class PolicyColumns(TypedColumns):
    """What a house rule has besides its memory; one that is off is a paused memory."""

    memory_sequence = Column(Integer, ForeignKey("memories.sequence"), primary_key=True)
    required_role = Column(Text, nullable=False)
    always = Column(Integer, nullable=False)


class DomainColumns(TypedColumns):
    """A named group of facts and rules; ``name_key`` is its name as it is compared."""

    id = Column(Text, primary_key=True)
    name = Column(Text, nullable=False)
    name_key = Column(Text, nullable=False, unique=True)
    description = Column(Text, nullable=False)
    closed = Column(Integer, nullable=False)
    created_by = Column(Text, nullable=False)
    created_kind = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    archived_at = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)


class RoleColumns(TypedColumns):
    """A name that a client acts under in this workspace, of those that the author made."""

    name = Column(Text, primary_key=True)
    created_at = Column(Integer, nullable=False)
    changed_seq = Column(Integer, nullable=False)


class RoleGrantColumns(TypedColumns):
    """What a role may do in a domain; without a row the domain's default holds."""

    role = Column(Text, primary_key=True)
    domain_id = Column(Text, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True)
    permission = Column(Text, nullable=False)


class KeptColumns(TypedColumns):
    """What one agent keeps between its runs: one text for each of its parts."""

    agent = Column(Text, primary_key=True)
    part = Column(Text, primary_key=True)
    body = Column(Text, nullable=False)
    version = Column(Integer, nullable=False)
    updated_at = Column(Integer, nullable=False)
    changed_seq = Column(Integer, nullable=False)


class KeptVersionColumns(TypedColumns):
    """An earlier text of the same."""

    agent = Column(Text, primary_key=True)
    part = Column(Text, primary_key=True)
    version = Column(Integer, primary_key=True)
    body = Column(Text, nullable=False)
    updated_at = Column(Integer, nullable=False)


class ClientRoleColumns(TypedColumns):
    """Under which roles a client acts in a workspace; the account's file only."""

    client = Column(Text, ForeignKey("clients.name", ondelete="CASCADE"), primary_key=True)
    workspace_id = Column(Text, primary_key=True)
    role = Column(Text, primary_key=True)
    is_default = Column(Integer, nullable=False)


_A_ROLE = "length({0}) BETWEEN 2 AND 40 AND {0} NOT GLOB '*[^a-z0-9-]*'"
_A_KEPT_TEXT = f"typeof(body) = 'text' AND octet_length(body) <= {MAX_KEPT_BYTES}"

facts = Table(
    "facts",
    metadata,
    FactColumns,
    CheckConstraint("length(topic_key) > 0", name="topic_named"),
    CheckConstraint(
        "typeof(confidence) = 'real' AND confidence BETWEEN 0.0 AND 1.0", name="confidence_range"
    ),
    CheckConstraint("story_from < story_until", name="story_interval"),
    *instants("story_from", "story_until"),
)

policies = Table(
    "policies",
    metadata,
    PolicyColumns,
    CheckConstraint(
        f"required_role = '' OR {_A_ROLE.format('required_role')}", name="required_role_named"
    ),
    *flags("always"),
)

domains = Table(
    "domains",
    metadata,
    DomainColumns,
    CheckConstraint("length(name) BETWEEN 1 AND 80", name="named"),
    one_of("created_kind", "person", "agent", "clock"),
    *flags("closed"),
    *instants("created_at", "archived_at", "changed_seq"),
)

roles = Table(
    "roles",
    metadata,
    RoleColumns,
    CheckConstraint(_A_ROLE.format("name"), name="named"),
    *instants("created_at", "changed_seq"),
)

role_grants = Table(
    "role_grants",
    metadata,
    RoleGrantColumns,
    CheckConstraint(_A_ROLE.format("role"), name="role_named"),
    one_of("permission", "none", "read", "write"),
)

agent_working_memory = Table(
    "agent_working_memory",
    metadata,
    KeptColumns,
    CheckConstraint(_A_KEPT_TEXT, name="body_text"),
    CheckConstraint("version >= 1", name="version_counts"),
    *instants("updated_at", "changed_seq"),
)

agent_working_memory_versions = Table(
    "agent_working_memory_versions",
    metadata,
    KeptVersionColumns,
    CheckConstraint(_A_KEPT_TEXT, name="body_text"),
    *instants("updated_at"),
)

client_roles = Table(
    "client_roles",
    metadata,
    ClientRoleColumns,
    CheckConstraint(_A_ROLE.format("role"), name="role_named"),
    *flags("is_default"),
)

KNOWLEDGE_TABLES = (
    domains, facts, policies, roles, role_grants, agent_working_memory,
    agent_working_memory_versions,
)  # fmt: skip
"""What only a workspace's file has."""

KNOWLEDGE_TRIGGERS = (
    """
CREATE TRIGGER memories_stay_in_domain BEFORE UPDATE OF kind, domain_id ON memories
WHEN new.kind IS NOT old.kind OR new.domain_id IS NOT old.domain_id
BEGIN
    SELECT RAISE(ABORT, 'a memory never changes its kind or domain');
END
""",
    """
CREATE TRIGGER facts_go_forward BEFORE UPDATE OF successor_id ON memories
WHEN new.kind = 'fact' AND new.successor_id IS NOT NULL
    AND new.successor_id IS NOT old.successor_id
    AND NOT EXISTS (
        SELECT 1 FROM memories AS later WHERE later.id = new.successor_id
        AND later.kind = 'fact' AND later.domain_id = new.domain_id
        AND later.sequence > new.sequence
    )
BEGIN
    SELECT RAISE(ABORT, 'a later fact of the same domain takes its place');
END
""",
)

Index("facts_by_topic", facts.c.topic_key)
Index("client_roles_by_workspace", client_roles.c.workspace_id, client_roles.c.client)
