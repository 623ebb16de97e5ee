"""The statements that make one kind of file: tables, their rules per kind, triggers, full text."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

from inklings_desktop.domain.memory import Tier
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.schema.marks import (
    APPLICATION_ID,
    FINGERPRINTS,
    NOTE_SEARCH_TEXT,
    SCHEMA_VERSION,
    SEARCH_TEXT,
    SEARCH_TEXT_VERSION,
    TOKENIZE,
    FileKind,
    fingerprint,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator


def kind_of(workspace_id: str | None) -> FileKind:
    """The kind of a workspace's file, or of the account's for None."""
    return FileKind.ACCOUNT if workspace_id is None else FileKind.WORKSPACE


TemplateSource: TypeAlias = "Callable[[str], str]"


def no_template(_name: str) -> str:
    """An empty body for every built-in named entry."""
    return ""


_TIER_RULES = {
    # The account tier holds preferences only: nothing in it points into a workspace.
    FileKind.ACCOUNT: (
        "tier = 'account' AND scope_key = 'account'"
        " AND source_conversation IS NULL AND derived_from = '[]'"
    ),
    FileKind.WORKSPACE: "tier IN ('conversation', 'channel', 'workspace')",
}

_PLACE_RULES = {
    FileKind.ACCOUNT: "tier = 'account' AND scope_key = 'account'",
    FileKind.WORKSPACE: "tier IN ('conversation', 'channel', 'workspace')",
}

# Each kind of file has one built-in named entry; the other one's name belongs to nobody in it.
_ENTRY_RULES = {
    FileKind.ACCOUNT: ("tier = 'account' AND is_built_in = (name = 'SOUL') AND name <> 'VOICE'"),
    FileKind.WORKSPACE: (
        "tier = 'workspace' AND is_built_in = (name = 'VOICE') AND name <> 'SOUL'"
    ),
}

_FULL_TEXT = f"""
CREATE VIRTUAL TABLE memory_fts USING fts5(
    body, subject, context, content='memory_search', content_rowid='id',
    {TOKENIZE}
)
""".strip()

# Every statement copies one row and nothing else; what the row says is decided in Python.
_TRIGGERS = (
    """
CREATE TRIGGER memory_search_insert AFTER INSERT ON memory_search BEGIN
    INSERT INTO memory_fts(rowid, body, subject, context)
    VALUES (new.id, new.body, new.subject, new.context);
END
""",
    """
CREATE TRIGGER memory_search_delete AFTER DELETE ON memory_search BEGIN
    INSERT INTO memory_fts(memory_fts, rowid, body, subject, context)
    VALUES ('delete', old.id, old.body, old.subject, old.context);
END
""",
    """
CREATE TRIGGER memory_search_update AFTER UPDATE ON memory_search BEGIN
    INSERT INTO memory_fts(memory_fts, rowid, body, subject, context)
    VALUES ('delete', old.id, old.body, old.subject, old.context);
    INSERT INTO memory_fts(rowid, body, subject, context)
    VALUES (new.id, new.body, new.subject, new.context);
END
""",
    """
CREATE TRIGGER memories_counted_in AFTER INSERT ON memories WHEN new.forgotten_at IS NULL BEGIN
    INSERT INTO scope_counts (tier, scope_key, active) VALUES (new.tier, new.scope_key, 1)
    ON CONFLICT (tier, scope_key) DO UPDATE SET active = active + 1;
END
""",
    """
CREATE TRIGGER memories_counted_over AFTER UPDATE OF forgotten_at ON memories
WHEN (old.forgotten_at IS NULL) <> (new.forgotten_at IS NULL)
BEGIN
    INSERT INTO scope_counts (tier, scope_key, active)
    VALUES (new.tier, new.scope_key, iif(new.forgotten_at IS NULL, 1, 0))
    ON CONFLICT (tier, scope_key) DO UPDATE
    SET active = active + iif(new.forgotten_at IS NULL, 1, -1);
END
""",
    """
CREATE TRIGGER memories_counted_out AFTER DELETE ON memories WHEN old.forgotten_at IS NULL BEGIN
    UPDATE scope_counts SET active = active - 1
    WHERE tier = old.tier AND scope_key = old.scope_key;
END
""",
    """
CREATE TRIGGER tokens_are_of_what_is_said AFTER UPDATE OF content, forgotten_at ON memories
WHEN new.content IS NOT old.content OR new.forgotten_at IS NOT NULL
BEGIN
    DELETE FROM memory_tokens WHERE sequence = old.sequence;
END
""",
    """
CREATE TRIGGER memories_stay_in_scope
BEFORE UPDATE OF sequence, id, tier, scope_key ON memories
WHEN new.sequence IS NOT old.sequence OR new.id IS NOT old.id
    OR new.tier IS NOT old.tier OR new.scope_key IS NOT old.scope_key
BEGIN
    SELECT RAISE(ABORT, 'a memory never changes its place');
END
""",
    """
CREATE TRIGGER meta_identity_is_fixed BEFORE UPDATE OF only, kind, workspace_id ON meta BEGIN
    SELECT RAISE(ABORT, 'a file never changes its identity');
END
""",
    """
CREATE TRIGGER meta_stays BEFORE DELETE ON meta BEGIN
    SELECT RAISE(ABORT, 'a file never loses its identity');
END
""",
    """
CREATE TRIGGER events_are_not_edited BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only');
END
""",
    """
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only');
END
""",
    """
CREATE TRIGGER events_are_appended BEFORE INSERT ON events
WHEN new.seq IS NOT (SELECT ifnull(max(seq), 0) + 1 FROM events)
BEGIN
    SELECT RAISE(ABORT, 'events are numbered without a gap');
END
""",
)

_WORKSPACE_TRIGGERS = (
    """
CREATE TRIGGER memories_of_this_workspace BEFORE INSERT ON memories
WHEN new.tier = 'workspace' AND new.scope_key IS NOT (SELECT workspace_id FROM meta)
BEGIN
    SELECT RAISE(ABORT, 'a memory of another workspace');
END
""",
)


@functools.cache
def schema_statements(kind: FileKind) -> tuple[str, ...]:
    """Everything that makes an empty file of this kind, in order."""
    return tuple(_statements(kind))


def is_expected_schema(kind: FileKind, found: str) -> bool:
    """Whether this is the fingerprint of a file of this kind."""
    return found == FINGERPRINTS[kind] or found == expected_fingerprint(kind)


@functools.cache
def expected_fingerprint(kind: FileKind) -> str:
    """The fingerprint that every file of this kind must have."""
    connection = sqlite_module().connect(":memory:", isolation_level=None)
    try:
        for statement in schema_statements(kind):
            connection.execute(statement)
        return fingerprint(connection)
    finally:
        connection.close()


def create_schema(
    connection: sqlite3.Connection,
    kind: FileKind,
    workspace_id: str,
    created_at: int,
    template_of: TemplateSource = no_template,
) -> None:
    """Turn an empty file into one of ours with its built-in named entry, all or nothing.

    Args:
        connection: Autocommit, outside a transaction, without an authorizer.
        workspace_id: Its workspace; empty for the account's.
        created_at: Milliseconds since 1970, UTC.
        template_of: Body that the built-in named entry of this name begins with.
    """
    from inklings_desktop.domain.entries.named_entry import BUILT_IN_OF_TIER
    from inklings_desktop.storage.schema.entry_schema import insert_built_in

    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have finished while this one waited for the lock.
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            for statement in schema_statements(kind):
                connection.execute(statement)
            connection.execute(
                "INSERT INTO meta (only, kind, workspace_id, created_at, change_seq, reload_seq)"
                " VALUES (1, ?, ?, ?, 0, 0)",
                (kind.value, workspace_id, created_at),
            )
            name = BUILT_IN_OF_TIER[Tier(kind.value)]
            insert_built_in(connection.execute, kind.value, name, template_of(name), created_at)
            note = (SEARCH_TEXT, created_at, SEARCH_TEXT_VERSION)
            connection.execute(NOTE_SEARCH_TEXT, note)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has undone it already where the disk is full
            connection.execute("ROLLBACK")
        raise


def _statements(kind: FileKind) -> Iterator[str]:
    # A file that is there has to be compared only, and its noted fingerprint tells enough.
    from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect
    from sqlalchemy.schema import CreateIndex, CreateTable

    from inklings_desktop.storage.schema.activity_schema import ACTIVITY_TABLES
    from inklings_desktop.storage.schema.client_schema import CLIENT_TABLES
    from inklings_desktop.storage.schema.entry_schema import ENTRY_TABLES, ENTRY_TRIGGERS
    from inklings_desktop.storage.schema.filter_schema import FILTER_TABLES
    from inklings_desktop.storage.schema.knowledge_schema import (
        KNOWLEDGE_TABLES,
        KNOWLEDGE_TRIGGERS,
        client_roles,
    )
    from inklings_desktop.storage.schema.purge_schema import (
        PURGE_TRIGGERS,
        SCRUB_REQUEST_TABLES,
        purges,
    )
    from inklings_desktop.storage.schema.skill_schema import SKILL_TABLES
    from inklings_desktop.storage.schema.tables import MEMORY_TABLES, ROOM_TABLES
    from inklings_desktop.storage.schema.talk_schema import REQUEST_TABLES, TALK_TABLES
    from inklings_desktop.storage.schema.task_schema import TASK_TABLES
    from inklings_desktop.storage.schema.transfer_schema import TRANSFER_TABLES
    from inklings_desktop.storage.schema.world_schema import WORLD_TABLES

    compiler = sqlite_dialect()
    of_account = (*CLIENT_TABLES, client_roles, *SCRUB_REQUEST_TABLES)
    of_workspace = (
        *ROOM_TABLES, *TALK_TABLES, *WORLD_TABLES, *KNOWLEDGE_TABLES, *ACTIVITY_TABLES,
    )  # fmt: skip
    own = of_workspace if kind is FileKind.WORKSPACE else of_account
    shared = (
        *MEMORY_TABLES, *ENTRY_TABLES, *TASK_TABLES, *FILTER_TABLES, *TRANSFER_TABLES,
        *REQUEST_TABLES, *SKILL_TABLES,
    )  # fmt: skip
    for table in (*shared, purges, *own):
        statement = str(CreateTable(table).compile(dialect=compiler)).strip()
        statement = statement.replace("ENTRY_OF_FILE", _ENTRY_RULES[kind])
        statement = statement.replace("PLACE_OF_FILE", _PLACE_RULES[kind])
        yield statement.replace("TIER_OF_FILE", _TIER_RULES[kind])
        for index in sorted(table.indexes, key=lambda one: one.name or ""):
            yield str(CreateIndex(index).compile(dialect=compiler)).strip()
    yield _FULL_TEXT
    yield "INSERT INTO memory_fts(memory_fts, rank) VALUES ('rank', 'bm25(1.0, 0.5, 0.4)')"
    for trigger in (*_TRIGGERS, *ENTRY_TRIGGERS, *PURGE_TRIGGERS):
        yield trigger.strip()
    if kind is FileKind.WORKSPACE:
        for trigger in (*_WORKSPACE_TRIGGERS, *KNOWLEDGE_TRIGGERS):
            yield trigger.strip()
