"""To version 4: facts and house rules among the memories, domains, roles, what agents keep.

The statements are those with which the program of this version makes a new file, word for word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.migrations.version_2 import rebuilt
from inklings_desktop.storage.schema.marks import FileKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# ruff: noqa: E501  word for word


STARTS_FROM = {
    FileKind.ACCOUNT: "e8d564aee8058266a0b10d2a698abc05da05204502e58e159c55db84c1c476ac",
    FileKind.WORKSPACE: "a966d0a61c2e9fffcb348f905ab372cbd841a96783be83106b10353fa22ae961",
}

_TIER_RULES = {
    FileKind.ACCOUNT: "tier = 'account' AND scope_key = 'account' AND source_conversation IS NULL AND derived_from = '[]'",
    FileKind.WORKSPACE: "tier IN ('conversation', 'channel', 'workspace')",
}
_MEMORY_COLUMNS = (
    "sequence", "id", "version", "tier", "scope_key", "agent_id", "content", "lifetime", "source",
    "curator", "written_by", "importance", "tags", "source_conversation", "derived_from",
    "created_at", "edited_at", "accessed_at", "access_count", "confirmed_at", "imported_at",
    "imported_curator", "pinned", "paused", "locked", "forgotten_at", "forgotten_reason",
    "successor_id", "run_id", "changed_seq", "read_seq", "said",
)  # fmt: skip
_VERSION_COLUMNS = (
    "memory_id", "version", "content", "importance", "lifetime", "tags", "action", "changed_at",
    "changed_by", "door", "written_by",
)  # fmt: skip

_MEMORIES = rebuilt(
    "memories",
    (
        (
            "CREATE TABLE memories (\n"
            "\tsequence INTEGER NOT NULL, \n"
            "\tid TEXT NOT NULL, \n"
            "\tversion INTEGER NOT NULL, \n"
            "\ttier TEXT NOT NULL, \n"
            "\tscope_key TEXT NOT NULL, \n"
            "\tagent_id TEXT, \n"
            "\tcontent TEXT NOT NULL, \n"
            "\tlifetime TEXT NOT NULL, \n"
            "\tsource TEXT NOT NULL, \n"
            "\tcurator TEXT NOT NULL, \n"
            "\twritten_by TEXT NOT NULL, \n"
            "\timportance FLOAT NOT NULL, \n"
            "\ttags TEXT NOT NULL, \n"
            "\tsource_conversation TEXT, \n"
            "\tderived_from TEXT NOT NULL, \n"
            "\tcreated_at INTEGER NOT NULL, \n"
            "\tedited_at INTEGER, \n"
            "\taccessed_at INTEGER, \n"
            "\taccess_count INTEGER NOT NULL, \n"
            "\tconfirmed_at INTEGER, \n"
            "\timported_at INTEGER, \n"
            "\timported_curator TEXT, \n"
            "\tpinned INTEGER NOT NULL, \n"
            "\tpaused INTEGER NOT NULL, \n"
            "\tlocked INTEGER NOT NULL, \n"
            "\tforgotten_at INTEGER, \n"
            "\tforgotten_reason TEXT, \n"
            "\tsuccessor_id TEXT, \n"
            "\trun_id TEXT, \n"
            "\tkind TEXT NOT NULL, \n"
            "\tdomain_id TEXT, \n"
            "\ttopic TEXT NOT NULL, \n"
            "\tchanged_seq INTEGER NOT NULL, \n"
            "\tread_seq INTEGER NOT NULL, \n"
            "\tsaid BLOB NOT NULL, \n"
            "\tPRIMARY KEY (sequence), \n"
            "\tCONSTRAINT addressed CHECK (length(id) > 0 AND length(scope_key) > 0), \n"
            "\tCONSTRAINT version_counts CHECK (typeof(version) = 'integer' AND version >= 1), \n"
            "\tCONSTRAINT content_text CHECK (typeof(content) = 'text' AND octet_length(content) BETWEEN 1 AND 65536), \n"
            "\tCONSTRAINT importance_range CHECK (typeof(importance) = 'real' AND importance BETWEEN 0.0 AND 1.0), \n"
            "\tCONSTRAINT lifetime_known CHECK (lifetime IN ('long_term', 'short_term', 'conversation')), \n"
            "\tCONSTRAINT lifetime_of_tier CHECK ((tier = 'conversation') = (lifetime = 'conversation')), \n"
            "\tCONSTRAINT curator_known CHECK (curator IN ('agent', 'author', 'import')), \n"
            "\tCONSTRAINT imported_curator CHECK (imported_curator IN ('agent', 'author', 'import')), \n"
            "\tCONSTRAINT tags_array CHECK (CASE WHEN json_valid(tags) THEN json_type(tags) = 'array' ELSE 0 END), \n"
            "\tCONSTRAINT derived_from_array CHECK (CASE WHEN json_valid(derived_from) THEN json_type(derived_from) = 'array' ELSE 0 END), \n"
            "\tCONSTRAINT access_count_counts CHECK (typeof(access_count) = 'integer' AND access_count >= 0), \n"
            "\tCONSTRAINT active_without_reason CHECK (forgotten_at IS NOT NULL OR (forgotten_reason IS NULL AND successor_id IS NULL)), \n"
            "\tCONSTRAINT said_key CHECK (typeof(said) = 'blob' AND length(said) = 8), \n"
            "\tCONSTRAINT kind_known CHECK (kind IN ('note', 'fact', 'policy')), \n"
            "\tCONSTRAINT domain_of_kind CHECK ((kind = 'note') = (domain_id IS NULL)), \n"
            "\tCONSTRAINT topic_of_kind CHECK ((kind = 'fact') = (length(topic) > 0)), \n"
            "\tCONSTRAINT place_of_kind CHECK (kind = 'note' OR (tier = 'workspace' AND agent_id IS NULL AND lifetime = 'long_term' AND source_conversation IS NULL)), \n"
            "\tCONSTRAINT tier_of_file CHECK (TIER_OF_FILE), \n"
            "\tCONSTRAINT pinned_flag CHECK (pinned IN (0, 1)), \n"
            "\tCONSTRAINT paused_flag CHECK (paused IN (0, 1)), \n"
            "\tCONSTRAINT locked_flag CHECK (locked IN (0, 1)), \n"
            "\tCONSTRAINT created_at_integer CHECK (typeof(created_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT edited_at_integer CHECK (typeof(edited_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT accessed_at_integer CHECK (typeof(accessed_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT confirmed_at_integer CHECK (typeof(confirmed_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT imported_at_integer CHECK (typeof(imported_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT forgotten_at_integer CHECK (typeof(forgotten_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
            "\tCONSTRAINT read_seq_integer CHECK (typeof(read_seq) IN ('integer', 'null')), \n"
            "\tUNIQUE (id)\n"
            ")"
        ),
        "CREATE INDEX memories_by_change ON memories (changed_seq)",
        "CREATE INDEX memories_by_creation ON memories (tier, scope_key, created_at) WHERE forgotten_at IS NULL",
        "CREATE INDEX memories_by_domain ON memories (domain_id, kind) WHERE forgotten_at IS NULL AND paused = 0 AND domain_id IS NOT NULL",
        "CREATE INDEX memories_by_importance ON memories (tier, scope_key, importance) WHERE forgotten_at IS NULL",
        "CREATE INDEX memories_by_neighbour ON memories (tier, scope_key, source_conversation, agent_id) WHERE forgotten_at IS NULL AND paused = 0",
        "CREATE INDEX memories_by_read_change ON memories (read_seq) WHERE read_seq > 0",
        "CREATE INDEX memories_by_reading ON memories (tier, scope_key, ifnull(accessed_at, -1)) WHERE forgotten_at IS NULL",
        "CREATE INDEX memories_by_saying ON memories (tier, scope_key, said) WHERE forgotten_at IS NULL",
        "CREATE INDEX memories_by_successor ON memories (successor_id) WHERE successor_id IS NOT NULL",
        "CREATE INDEX memories_forgotten ON memories (tier, scope_key, created_at) WHERE forgotten_at IS NOT NULL",
    ),
    {name: name for name in _MEMORY_COLUMNS} | {"kind": "'note'", "topic": "''"},
)

_VERSIONS = rebuilt(
    "memory_versions",
    (
        (
            "CREATE TABLE memory_versions (\n"
            "\tmemory_id TEXT NOT NULL, \n"
            "\tversion INTEGER NOT NULL, \n"
            "\tcontent TEXT, \n"
            "\timportance FLOAT NOT NULL, \n"
            "\tlifetime TEXT NOT NULL, \n"
            "\ttags TEXT NOT NULL, \n"
            "\taction TEXT NOT NULL, \n"
            "\tchanged_at INTEGER NOT NULL, \n"
            "\tchanged_by TEXT NOT NULL, \n"
            "\tdoor TEXT NOT NULL, \n"
            "\twritten_by TEXT NOT NULL, \n"
            "\textra TEXT NOT NULL, \n"
            "\tPRIMARY KEY (memory_id, version), \n"
            "\tCONSTRAINT version_counts CHECK (version >= 1), \n"
            "\tCONSTRAINT extra_object CHECK (CASE WHEN json_valid(extra) THEN json_type(extra) = 'object' ELSE 0 END), \n"
            "\tCONSTRAINT changed_at_integer CHECK (typeof(changed_at) IN ('integer', 'null')), \n"
            "\tFOREIGN KEY(memory_id) REFERENCES memories (id)\n"
            ")"
        ),
    ),
    {name: name for name in _VERSION_COLUMNS} | {"extra": "'{}'"},
)

_KNOWLEDGE = (
    (
        "CREATE TABLE domains (\n"
        "\tid TEXT NOT NULL, \n"
        "\tname TEXT NOT NULL, \n"
        "\tname_key TEXT NOT NULL, \n"
        "\tdescription TEXT NOT NULL, \n"
        "\tclosed INTEGER NOT NULL, \n"
        "\tcreated_by TEXT NOT NULL, \n"
        "\tcreated_kind TEXT NOT NULL, \n"
        "\tcreated_at INTEGER NOT NULL, \n"
        "\tarchived_at INTEGER, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT named CHECK (length(name) BETWEEN 1 AND 80), \n"
        "\tCONSTRAINT created_kind_known CHECK (created_kind IN ('person', 'agent', 'clock')), \n"
        "\tCONSTRAINT closed_flag CHECK (closed IN (0, 1)), \n"
        "\tCONSTRAINT created_at_integer CHECK (typeof(created_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT archived_at_integer CHECK (typeof(archived_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
        "\tUNIQUE (name_key)\n"
        ")"
    ),
    (
        "CREATE TABLE facts (\n"
        "\tmemory_sequence INTEGER NOT NULL, \n"
        "\ttopic_key TEXT NOT NULL, \n"
        "\tconfidence FLOAT NOT NULL, \n"
        "\tstory_from INTEGER, \n"
        "\tstory_until INTEGER, \n"
        "\tPRIMARY KEY (memory_sequence), \n"
        "\tCONSTRAINT topic_named CHECK (length(topic_key) > 0), \n"
        "\tCONSTRAINT confidence_range CHECK (typeof(confidence) = 'real' AND confidence BETWEEN 0.0 AND 1.0), \n"
        "\tCONSTRAINT story_interval CHECK (story_from < story_until), \n"
        "\tCONSTRAINT story_from_integer CHECK (typeof(story_from) IN ('integer', 'null')), \n"
        "\tCONSTRAINT story_until_integer CHECK (typeof(story_until) IN ('integer', 'null')), \n"
        "\tFOREIGN KEY(memory_sequence) REFERENCES memories (sequence)\n"
        ")"
    ),
    "CREATE INDEX facts_by_topic ON facts (topic_key)",
    (
        "CREATE TABLE policies (\n"
        "\tmemory_sequence INTEGER NOT NULL, \n"
        "\trequired_role TEXT NOT NULL, \n"
        "\talways INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (memory_sequence), \n"
        "\tCONSTRAINT required_role_named CHECK (required_role = '' OR length(required_role) BETWEEN 2 AND 40 AND required_role NOT GLOB '*[^a-z0-9-]*'), \n"
        "\tCONSTRAINT always_flag CHECK (always IN (0, 1)), \n"
        "\tFOREIGN KEY(memory_sequence) REFERENCES memories (sequence)\n"
        ")"
    ),
    (
        "CREATE TABLE roles (\n"
        "\tname TEXT NOT NULL, \n"
        "\tcreated_at INTEGER NOT NULL, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (name), \n"
        "\tCONSTRAINT named CHECK (length(name) BETWEEN 2 AND 40 AND name NOT GLOB '*[^a-z0-9-]*'), \n"
        "\tCONSTRAINT created_at_integer CHECK (typeof(created_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null'))\n"
        ")"
    ),
    (
        "CREATE TABLE role_grants (\n"
        "\trole TEXT NOT NULL, \n"
        "\tdomain_id TEXT NOT NULL, \n"
        "\tpermission TEXT NOT NULL, \n"
        "\tPRIMARY KEY (role, domain_id), \n"
        "\tCONSTRAINT role_named CHECK (length(role) BETWEEN 2 AND 40 AND role NOT GLOB '*[^a-z0-9-]*'), \n"
        "\tCONSTRAINT permission_known CHECK (permission IN ('none', 'read', 'write')), \n"
        "\tFOREIGN KEY(domain_id) REFERENCES domains (id) ON DELETE CASCADE\n"
        ")"
    ),
    (
        "CREATE TABLE agent_working_memory (\n"
        "\tagent TEXT NOT NULL, \n"
        "\tpart TEXT NOT NULL, \n"
        "\tbody TEXT NOT NULL, \n"
        "\tversion INTEGER NOT NULL, \n"
        "\tupdated_at INTEGER NOT NULL, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (agent, part), \n"
        "\tCONSTRAINT body_text CHECK (typeof(body) = 'text' AND octet_length(body) <= 16384), \n"
        "\tCONSTRAINT version_counts CHECK (version >= 1), \n"
        "\tCONSTRAINT updated_at_integer CHECK (typeof(updated_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null'))\n"
        ")"
    ),
    (
        "CREATE TABLE agent_working_memory_versions (\n"
        "\tagent TEXT NOT NULL, \n"
        "\tpart TEXT NOT NULL, \n"
        "\tversion INTEGER NOT NULL, \n"
        "\tbody TEXT NOT NULL, \n"
        "\tupdated_at INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (agent, part, version), \n"
        "\tCONSTRAINT body_text CHECK (typeof(body) = 'text' AND octet_length(body) <= 16384), \n"
        "\tCONSTRAINT updated_at_integer CHECK (typeof(updated_at) IN ('integer', 'null'))\n"
        ")"
    ),
    (
        "CREATE TRIGGER memories_stay_in_domain BEFORE UPDATE OF kind, domain_id ON memories\n"
        "WHEN new.kind IS NOT old.kind OR new.domain_id IS NOT old.domain_id\n"
        "BEGIN\n"
        "    SELECT RAISE(ABORT, 'a memory never changes its kind or domain');\n"
        "END"
    ),
    (
        "CREATE TRIGGER facts_go_forward BEFORE UPDATE OF successor_id ON memories\n"
        "WHEN new.kind = 'fact' AND new.successor_id IS NOT NULL\n"
        "    AND new.successor_id IS NOT old.successor_id\n"
        "    AND NOT EXISTS (\n"
        "        SELECT 1 FROM memories AS later WHERE later.id = new.successor_id\n"
        "        AND later.kind = 'fact' AND later.domain_id = new.domain_id\n"
        "        AND later.sequence > new.sequence\n"
        "    )\n"
        "BEGIN\n"
        "    SELECT RAISE(ABORT, 'a later fact of the same domain takes its place');\n"
        "END"
    ),
)

_CLIENT_ROLES = (
    (
        "CREATE TABLE client_roles (\n"
        "\tclient TEXT NOT NULL, \n"
        "\tworkspace_id TEXT NOT NULL, \n"
        "\trole TEXT NOT NULL, \n"
        "\tis_default INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (client, workspace_id, role), \n"
        "\tCONSTRAINT role_named CHECK (length(role) BETWEEN 2 AND 40 AND role NOT GLOB '*[^a-z0-9-]*'), \n"
        "\tCONSTRAINT is_default_flag CHECK (is_default IN (0, 1)), \n"
        "\tFOREIGN KEY(client) REFERENCES clients (name) ON DELETE CASCADE\n"
        ")"
    ),
    "CREATE INDEX client_roles_by_workspace ON client_roles (workspace_id, client)",
)


def _of(kind: FileKind) -> tuple[str, ...]:
    """Both tables that every file has, made anew with the rule of its kind."""
    return (*(one.replace("TIER_OF_FILE", _TIER_RULES[kind]) for one in _MEMORIES), *_VERSIONS)


STATEMENTS: Mapping[FileKind, Iterable[str]] = {
    FileKind.ACCOUNT: (*_of(FileKind.ACCOUNT), *_CLIENT_ROLES),
    FileKind.WORKSPACE: (*_of(FileKind.WORKSPACE), *_KNOWLEDGE),
}
