"""Tables of named entries, unsaved typing and proposals, and the triggers that keep them honest.

No row in them can be written by an agent's hand: the schema knows no curator ``agent`` for a
named entry, and a proposal never changes its text.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, TypeAlias

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

from inklings_desktop.domain.entries.named_entry import EntryAction
from inklings_desktop.domain.memory import Curator
from inklings_desktop.storage.schema.tables import flags, instants, json_of, metadata, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    RunStatement: TypeAlias = Callable[[str, tuple[object, ...]], object]
    """Executes a statement with its values on one connection."""

SHIPPED_BY = "Inklings"
SHIPPED_THROUGH = "program"


class EntryColumns(TypedColumns):
    """A named entry with its current body; the body is also its newest revision."""

    id = Column(Text, primary_key=True)
    tier = Column(Text, nullable=False)
    name = Column(Text, nullable=False)
    curator = Column(Text, nullable=False)
    is_built_in = Column(Integer, nullable=False)
    is_template = Column(Integer, nullable=False)
    version = Column(Integer, nullable=False)
    created_at = Column(Integer, nullable=False)
    edited_at = Column(Integer, nullable=True)
    deleted_at = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)
    body = Column(Text, nullable=False)


class RevisionColumns(TypedColumns):
    """Every body that was ever saved; it stands last, so that a list never reads it."""

    entry_id = Column(
        Text,
        # Checked when the transaction ends: a scrub removes the entry first, then these.
        ForeignKey("named_entries.id", deferrable=True, initially="DEFERRED"),
        primary_key=True,
    )
    number = Column(Integer, primary_key=True)
    saved_at = Column(Integer, nullable=False)
    saved_by = Column(Text, nullable=False)
    door = Column(Text, nullable=False)
    curator = Column(Text, nullable=False)
    action = Column(Text, nullable=False)
    n_characters = Column(Integer, nullable=False)
    body = Column(Text, nullable=False)


class DraftColumns(TypedColumns):
    """Unsaved typing, one text per named entry."""

    entry_id = Column(Text, ForeignKey("named_entries.id", ondelete="CASCADE"), primary_key=True)
    base_version = Column(Integer, nullable=False)
    kept_at = Column(Integer, nullable=False)
    body = Column(Text, nullable=False)


class TypingColumns(TypedColumns):
    """Unsaved typing in a memory; an empty ``memory_id`` is the new one of its scope.

    Memories leave by a scrub of their scope alone, which takes these rows along.
    """

    memory_id = Column(Text, primary_key=True)
    tier = Column(Text, primary_key=True)
    scope_key = Column(Text, primary_key=True)
    base_version = Column(Integer, nullable=False)
    kept_at = Column(Integer, nullable=False)
    importance = Column(Float, nullable=False)
    lifetime = Column(Text, nullable=False)
    tags = Column(Text, nullable=False)
    content = Column(Text, nullable=False)


class ProposalColumns(TypedColumns):
    """What an agent asks the author to accept; in the file that it would change."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    kind = Column(Text, nullable=False)
    tier = Column(Text, nullable=False)
    scope_key = Column(Text, nullable=False)
    target = Column(Text, nullable=False)
    target_name = Column(Text, nullable=False)
    base_version = Column(Integer, nullable=True)
    payload = Column(Text, nullable=False)
    reason = Column(Text, nullable=False)
    client = Column(Text, nullable=False)
    state = Column(Text, nullable=False)
    note = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    decided_at = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)


def _body() -> CheckConstraint:
    rule = "typeof(body) = 'text' AND octet_length(body) <= 262144"
    return CheckConstraint(rule, name="body_text")


named_entries = Table(
    "named_entries",
    metadata,
    EntryColumns,
    CheckConstraint("length(id) > 0", name="addressed"),
    CheckConstraint(
        "length(name) BETWEEN 2 AND 40 AND name NOT GLOB '*[^A-Z0-9_]*'", name="name_rule"
    ),
    CheckConstraint("typeof(version) = 'integer' AND version >= 1", name="version_counts"),
    one_of("curator", "author", "import"),
    CheckConstraint("is_built_in = 1 OR is_template = 0", name="template_is_built_in"),
    CheckConstraint("is_built_in = 0 OR deleted_at IS NULL", name="built_in_stays"),
    # ``schema_rules.py`` puts the rule of the file's kind in this place.
    CheckConstraint("ENTRY_OF_FILE", name="entry_of_file"),
    _body(),
    *flags("is_built_in", "is_template"),
    *instants("created_at", "edited_at", "deleted_at", "changed_seq"),
)

named_entry_revisions = Table(
    "named_entry_revisions",
    metadata,
    RevisionColumns,
    one_of("curator", "author", "import"),
    one_of("action", *(action.value for action in EntryAction)),
    CheckConstraint("n_characters >= 0", name="characters_count"),
    _body(),
    *instants("saved_at", "number"),
)

drafts = Table(
    "drafts",
    metadata,
    DraftColumns,
    CheckConstraint("base_version >= 1", name="base_version_counts"),
    _body(),
    *instants("kept_at", "base_version"),
)

memory_drafts = Table(
    "memory_drafts",
    metadata,
    TypingColumns,
    # ``schema_rules.py`` puts the rule of the file's kind in this place.
    CheckConstraint("PLACE_OF_FILE", name="place_of_file"),
    CheckConstraint("(memory_id = '') = (base_version = 0)", name="new_without_version"),
    CheckConstraint(
        "typeof(content) = 'text' AND octet_length(content) <= 65536", name="content_text"
    ),
    CheckConstraint(
        "typeof(importance) = 'real' AND importance BETWEEN 0.0 AND 1.0", name="importance_range"
    ),
    one_of("lifetime", "long_term", "short_term", "conversation"),
    json_of("tags", "array"),
    *instants("kept_at", "base_version"),
)

proposals = Table(
    "proposals",
    metadata,
    ProposalColumns,
    one_of(
        "kind",
        "named_body",
        "named_new",
        "memory_new",
        "memory_edit",
        "memory_forget",
        "memory_replace",
        "page_new",
        "page_edit",
        "page_move",
        "skill",
        "activity",
    ),
    one_of("state", "pending", "accepted", "rejected", "overtaken"),
    CheckConstraint("(state IN ('pending', 'overtaken')) = (decided_at IS NULL)", name="decided"),
    CheckConstraint(
        "kind IN ('skill', 'activity')"
        " OR (kind IN ('named_new', 'memory_new', 'page_new')) = (target = '')",
        name="targeted",
    ),
    json_of("payload", "object"),
    *instants("created_at", "decided_at", "changed_seq"),
)

ENTRY_TABLES = (named_entries, named_entry_revisions, drafts, memory_drafts, proposals)

Index(
    "named_entries_by_name",
    named_entries.c.name,
    unique=True,
    sqlite_where=named_entries.c.deleted_at.is_(None),
)
Index("proposals_by_state", proposals.c.state, proposals.c.client)

ENTRY_TRIGGERS = (
    """
CREATE TRIGGER named_entries_keep_their_name
BEFORE UPDATE OF id, tier, name, is_built_in, created_at ON named_entries
WHEN new.id IS NOT old.id OR new.tier IS NOT old.tier OR new.name IS NOT old.name
    OR new.is_built_in IS NOT old.is_built_in OR new.created_at IS NOT old.created_at
BEGIN
    SELECT RAISE(ABORT, 'a named entry never changes its name');
END
""",
    """
CREATE TRIGGER named_entry_revisions_are_not_edited BEFORE UPDATE ON named_entry_revisions BEGIN
    SELECT RAISE(ABORT, 'a revision stays as it was saved');
END
""",
    """
CREATE TRIGGER named_entry_revisions_go_with_their_entry
BEFORE DELETE ON named_entry_revisions
WHEN EXISTS (SELECT 1 FROM named_entries WHERE id = old.entry_id)
BEGIN
    SELECT RAISE(ABORT, 'a revision stays while its entry does');
END
""",
    """
CREATE TRIGGER named_entries_leave_by_scrub_alone BEFORE DELETE ON named_entries
WHEN NOT EXISTS (SELECT 1 FROM purges WHERE state = 'removing')
    -- A template that nobody ever touched gives way to the one that a restore brings.
    AND NOT (old.is_template = 1 AND old.version = 1)
BEGIN
    SELECT RAISE(ABORT, 'a named entry is removed by a scrub alone');
END
""",
    """
CREATE TRIGGER named_entry_revisions_are_appended BEFORE INSERT ON named_entry_revisions
WHEN new.number IS NOT (
    SELECT ifnull(max(number), 0) + 1 FROM named_entry_revisions WHERE entry_id = new.entry_id
)
BEGIN
    SELECT RAISE(ABORT, 'revisions are numbered without a gap');
END
""",
    """
CREATE TRIGGER proposals_are_not_deleted BEFORE DELETE ON proposals
WHEN NOT EXISTS (SELECT 1 FROM purges WHERE state = 'removing')
BEGIN
    SELECT RAISE(ABORT, 'proposals are decided, not deleted');
END
""",
    """
CREATE TRIGGER proposals_keep_their_text
BEFORE UPDATE OF sequence, id, kind, tier, scope_key, target, target_name, base_version, payload,
    reason, client, created_at ON proposals
BEGIN
    SELECT RAISE(ABORT, 'a proposal never changes its text');
END
""",
    """
CREATE TRIGGER proposals_are_decided_once BEFORE UPDATE ON proposals
WHEN old.state IN ('accepted', 'rejected')
BEGIN
    SELECT RAISE(ABORT, 'a proposal is decided once');
END
""",
    """
CREATE TRIGGER proposals_begin_pending BEFORE INSERT ON proposals WHEN new.state <> 'pending' BEGIN
    SELECT RAISE(ABORT, 'a proposal begins pending');
END
""",
)


def insert_built_in(
    run: RunStatement, tier: str, name: str, body: str, created_at: int, *, changed_seq: int = 0
) -> None:
    """Store VOICE or SOUL as an unedited template, in the transaction that makes or clears it.

    Args:
        run: Executes a statement with its values, inside a transaction.
        tier: The tier of the file's named entries.
        body: The template, byte for byte.
        created_at: Milliseconds since 1970, UTC.
        changed_seq: Change number of the transaction.
    """
    id_, curator = str(uuid.uuid4()), Curator.IMPORT.value
    run(
        "INSERT INTO named_entries (id, tier, name, curator, is_built_in, is_template, version,"
        " created_at, changed_seq, body) VALUES (?, ?, ?, ?, 1, 1, 1, ?, ?, ?)",
        (id_, tier, name, curator, created_at, changed_seq, body),
    )
    run(
        "INSERT INTO named_entry_revisions (entry_id, number, saved_at, saved_by, door, curator,"
        " action, n_characters, body) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)",
        (
            id_,
            created_at,
            SHIPPED_BY,
            SHIPPED_THROUGH,
            curator,
            EntryAction.SHIPPED.value,
            len(body),
            body,
        ),
    )
