"""To version 2: vectors that wait, tokens, messages, requests, runs, purges; tables made anew.

The statements are those with which the program of this version makes a new file, word for word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.schema.marks import FileKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def rebuilt(table: str, create: Iterable[str], columns: Mapping[str, str]) -> tuple[str, ...]:
    """Statements that make a table anew with its rows: for whatever SQLite cannot alter.

    Args:
        table: Its name.
        create: The statements of the new version for the table and its indexes, word for word.
        columns: For each column of the new table, what the old row holds for it.
    """
    old = f"{table}_before"
    names, sources = ", ".join(columns), ", ".join(columns.values())
    create_table, *create_indexes = create
    return (
        f'ALTER TABLE "{table}" RENAME TO "{old}"',
        create_table,
        f'INSERT INTO "{table}" ({names}) SELECT {sources} FROM "{old}"',  # noqa: S608  our own
        f'DROP TABLE "{old}"',
        *create_indexes,
    )


# ruff: noqa: E501  word for word


STARTS_FROM = {
    FileKind.ACCOUNT: "09b6fa8aa39caa743d2ff0839201ee5022103e50981416e6a363c66751e4305e",
    FileKind.WORKSPACE: "4f4430b1b403363b422909402c4d1c81992e67b973cdb98bfa76f4bd47eb816f",
}


_OF_BOTH = (
    (
        "CREATE TABLE request_keys (\n"
        "\tclient TEXT NOT NULL, \n"
        '\t"key" TEXT NOT NULL, \n'
        "\ttool TEXT NOT NULL, \n"
        "\tdigest TEXT NOT NULL, \n"
        "\toutcome TEXT NOT NULL, \n"
        "\tat INTEGER NOT NULL, \n"
        '\tPRIMARY KEY (client, "key"), \n'
        "\tCONSTRAINT key_characters CHECK (length(key) BETWEEN 1 AND 64 AND key NOT GLOB '*[^A-Za-z0-9._:-]*'), \n"
        "\tCONSTRAINT digest_length CHECK (length(digest) = 64), \n"
        "\tCONSTRAINT outcome_array CHECK (CASE WHEN json_valid(outcome) THEN json_type(outcome) = 'array' ELSE 0 END), \n"
        "\tCONSTRAINT at_integer CHECK (typeof(at) IN ('integer', 'null'))\n"
        ")"
    ),
    "CREATE INDEX request_keys_by_age ON request_keys (at)",
    (
        "CREATE TABLE memory_tokens (\n"
        "\tsequence INTEGER NOT NULL, \n"
        "\tspace TEXT NOT NULL, \n"
        "\tdata BLOB NOT NULL, \n"
        "\tPRIMARY KEY (sequence), \n"
        "\tCONSTRAINT token_length CHECK (typeof(data) = 'blob' AND length(data) % 64 = 0), \n"
        "\tFOREIGN KEY(sequence) REFERENCES memories (sequence)\n"
        ")"
    ),
    (
        "CREATE TABLE tag_tokens (\n"
        "\ttag TEXT NOT NULL, \n"
        "\tspace TEXT NOT NULL, \n"
        "\tdata BLOB NOT NULL, \n"
        "\tPRIMARY KEY (tag), \n"
        "\tCONSTRAINT token_length CHECK (typeof(data) = 'blob' AND length(data) % 64 = 0)\n"
        ")"
    ),
    (
        "CREATE TRIGGER tokens_are_of_what_is_said AFTER UPDATE OF content, forgotten_at ON memories\n"
        "WHEN new.content IS NOT old.content OR new.forgotten_at IS NOT NULL\n"
        "BEGIN\n"
        "    DELETE FROM memory_tokens WHERE sequence = old.sequence;\n"
        "END"
    ),
    (
        "CREATE TABLE coming_vectors (\n"
        "\tsequence INTEGER NOT NULL, \n"
        "\tmodel_id TEXT NOT NULL, \n"
        "\tdimension INTEGER NOT NULL, \n"
        "\tvector BLOB NOT NULL, \n"
        "\tPRIMARY KEY (sequence), \n"
        "\tCONSTRAINT vector_length CHECK (typeof(vector) = 'blob' AND dimension >= 1 AND length(vector) = 4 * dimension), \n"
        "\tFOREIGN KEY(sequence) REFERENCES memories (sequence)\n"
        ")"
    ),
)

_OF_WORKSPACES = (
    (
        "CREATE TABLE messages (\n"
        "\tsequence INTEGER NOT NULL, \n"
        "\tid TEXT NOT NULL, \n"
        "\tconversation_id TEXT NOT NULL, \n"
        "\tnumber INTEGER NOT NULL, \n"
        "\tturn TEXT NOT NULL, \n"
        "\trole TEXT NOT NULL, \n"
        "\tstate TEXT NOT NULL, \n"
        "\tparts TEXT NOT NULL, \n"
        "\tclient TEXT NOT NULL, \n"
        "\tproduced_by TEXT NOT NULL, \n"
        "\tmodel TEXT, \n"
        "\tcreated_at INTEGER NOT NULL, \n"
        "\tread_at INTEGER, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (sequence), \n"
        "\tCONSTRAINT one_number UNIQUE (conversation_id, number), \n"
        "\tCONSTRAINT number_counts CHECK (typeof(number) = 'integer' AND number >= 1), \n"
        "\tCONSTRAINT role_known CHECK (role IN ('user', 'assistant', 'notice')), \n"
        "\tCONSTRAINT state_known CHECK (state IN ('complete', 'stopped', 'failed')), \n"
        "\tCONSTRAINT produced_by_known CHECK (produced_by IN ('mechanical', 'model', 'person')), \n"
        "\tCONSTRAINT parts_array CHECK (CASE WHEN json_valid(parts) THEN json_type(parts) = 'array' ELSE 0 END), \n"
        "\tCONSTRAINT parts_length CHECK (octet_length(parts) <= 262144), \n"
        "\tCONSTRAINT created_at_integer CHECK (typeof(created_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT read_at_integer CHECK (typeof(read_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
        "\tUNIQUE (id), \n"
        "\tFOREIGN KEY(conversation_id) REFERENCES conversations (id)\n"
        ")"
    ),
    "CREATE INDEX messages_by_change ON messages (changed_seq)",
    "CREATE INDEX messages_unread ON messages (conversation_id) WHERE role = 'assistant' AND read_at IS NULL",
    (
        "CREATE TABLE runs (\n"
        "\tid TEXT NOT NULL, \n"
        "\tconversation_id TEXT NOT NULL, \n"
        "\tparent_id TEXT, \n"
        "\tprocess TEXT NOT NULL, \n"
        "\tactivity_id TEXT, \n"
        "\tstate TEXT NOT NULL, \n"
        "\tnode TEXT NOT NULL, \n"
        "\tstarted_at INTEGER NOT NULL, \n"
        "\tended_at INTEGER, \n"
        "\tmodel TEXT, \n"
        "\tprovider TEXT, \n"
        "\tinput_tokens INTEGER NOT NULL, \n"
        "\toutput_tokens INTEGER NOT NULL, \n"
        "\tcached_tokens INTEGER NOT NULL, \n"
        "\tcost_micro INTEGER, \n"
        "\tcurrency TEXT, \n"
        "\tn_tool_calls INTEGER NOT NULL, \n"
        "\tproblem TEXT NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT state_known CHECK (state IN ('running', 'parked', 'finished', 'stopped', 'failed')), \n"
        "\tCONSTRAINT counts CHECK (input_tokens >= 0 AND output_tokens >= 0 AND cached_tokens >= 0 AND n_tool_calls >= 0), \n"
        "\tCONSTRAINT problem_word CHECK (length(problem) <= 60 AND problem NOT GLOB '*[^a-z_:.]*'), \n"
        "\tCONSTRAINT started_at_integer CHECK (typeof(started_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT ended_at_integer CHECK (typeof(ended_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT cost_micro_integer CHECK (typeof(cost_micro) IN ('integer', 'null'))\n"
        ")"
    ),
    "CREATE INDEX runs_by_conversation ON runs (conversation_id, started_at)",
    "CREATE INDEX runs_by_state ON runs (state)",
    (
        "CREATE TABLE run_checkpoints (\n"
        "\tthread_id TEXT NOT NULL, \n"
        "\tns TEXT NOT NULL, \n"
        "\tcheckpoint_id TEXT NOT NULL, \n"
        "\tparent_id TEXT, \n"
        "\tstate_version INTEGER NOT NULL, \n"
        "\tbody BLOB NOT NULL, \n"
        "\tmetadata BLOB NOT NULL, \n"
        "\tPRIMARY KEY (thread_id, ns, checkpoint_id), \n"
        "\tCONSTRAINT body_length CHECK (length(body) <= 1048576), \n"
        "\tCONSTRAINT state_version_integer CHECK (typeof(state_version) = 'integer')\n"
        ")"
    ),
    (
        "CREATE TABLE run_writes (\n"
        "\tthread_id TEXT NOT NULL, \n"
        "\tns TEXT NOT NULL, \n"
        "\tcheckpoint_id TEXT NOT NULL, \n"
        "\ttask_id TEXT NOT NULL, \n"
        "\tidx INTEGER NOT NULL, \n"
        "\tchannel TEXT NOT NULL, \n"
        "\tbody BLOB NOT NULL, \n"
        "\tPRIMARY KEY (thread_id, ns, checkpoint_id, task_id, idx)\n"
        ")"
    ),
    (
        "CREATE TABLE run_compactions (\n"
        "\tthread_id TEXT NOT NULL, \n"
        "\tnumber INTEGER NOT NULL, \n"
        "\tup_to_message INTEGER NOT NULL, \n"
        "\tcompact TEXT NOT NULL, \n"
        "\tsource_digest TEXT NOT NULL, \n"
        '\t"by" TEXT NOT NULL, \n'
        "\tmodel TEXT, \n"
        "\tat INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (thread_id, number), \n"
        "\tCONSTRAINT once UNIQUE (thread_id, up_to_message), \n"
        "\tCONSTRAINT compact_object CHECK (CASE WHEN json_valid(compact) THEN json_type(compact) = 'object' ELSE 0 END), \n"
        "\tCONSTRAINT by_known CHECK (by IN ('mechanical', 'model')), \n"
        "\tCONSTRAINT at_integer CHECK (typeof(at) IN ('integer', 'null'))\n"
        ")"
    ),
    (
        "CREATE TABLE run_traces (\n"
        "\trun_id TEXT NOT NULL, \n"
        "\tstep INTEGER NOT NULL, \n"
        "\tnode TEXT NOT NULL, \n"
        "\tkind TEXT NOT NULL, \n"
        "\tsummary TEXT NOT NULL, \n"
        "\tdetail BLOB, \n"
        "\tat INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (run_id, step), \n"
        "\tCONSTRAINT kind_known CHECK (kind IN ('model', 'tool', 'permission', 'compaction')), \n"
        "\tCONSTRAINT summary_object CHECK (CASE WHEN json_valid(summary) THEN json_type(summary) = 'object' ELSE 0 END), \n"
        "\tCONSTRAINT at_integer CHECK (typeof(at) IN ('integer', 'null'))\n"
        ")"
    ),
    (
        "CREATE TABLE permission_rules (\n"
        "\tconversation_id TEXT NOT NULL, \n"
        "\ttool TEXT NOT NULL, \n"
        "\targument_digest TEXT NOT NULL, \n"
        "\tdecision TEXT NOT NULL, \n"
        "\tat INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (conversation_id, tool, argument_digest), \n"
        "\tCONSTRAINT decision_known CHECK (decision IN ('allow', 'reject')), \n"
        "\tCONSTRAINT at_integer CHECK (typeof(at) IN ('integer', 'null'))\n"
        ")"
    ),
)

_PURGES = rebuilt(
    "purges",
    (
        (
            "CREATE TABLE purges (\n"
            "\tnumber INTEGER NOT NULL, \n"
            "\tstate TEXT NOT NULL, \n"
            "\ttier TEXT NOT NULL, \n"
            "\tscope_key TEXT NOT NULL, \n"
            "\tmode TEXT NOT NULL, \n"
            "\texecuted_at INTEGER NOT NULL, \n"
            "\tn_removed INTEGER NOT NULL, \n"
            "\tsalt BLOB NOT NULL, \n"
            "\tneedles BLOB NOT NULL, \n"
            "\trewritten TEXT NOT NULL, \n"
            "\tdeleted TEXT NOT NULL, \n"
            "\tPRIMARY KEY (number), \n"
            "\tCONSTRAINT state_known CHECK (state IN ('removing', 'removed', 'compacted')), \n"
            "\tCONSTRAINT mode_known CHECK (mode IN ('keep_named', 'full', 'run_state')), \n"
            "\tCONSTRAINT needle_length CHECK (length(needles) % 8 = 0), \n"
            "\tCONSTRAINT rewritten_array CHECK (CASE WHEN json_valid(rewritten) THEN json_type(rewritten) = 'array' ELSE 0 END), \n"
            "\tCONSTRAINT deleted_array CHECK (CASE WHEN json_valid(deleted) THEN json_type(deleted) = 'array' ELSE 0 END), \n"
            "\tCONSTRAINT number_integer CHECK (typeof(number) IN ('integer', 'null')), \n"
            "\tCONSTRAINT executed_at_integer CHECK (typeof(executed_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT n_removed_integer CHECK (typeof(n_removed) IN ('integer', 'null'))\n"
            ")"
        ),
    ),
    {
        name: name
        for name in (
            "number",
            "state",
            "tier",
            "scope_key",
            "mode",
            "executed_at",
            "n_removed",
            "salt",
            "needles",
            "rewritten",
            "deleted",
        )
    },
)

_SCRUB_REQUESTS = rebuilt(
    "scrub_requests",
    (
        (
            "CREATE TABLE scrub_requests (\n"
            "\tsequence INTEGER NOT NULL, \n"
            "\tid TEXT NOT NULL, \n"
            "\tclient TEXT NOT NULL, \n"
            "\tworkspace_id TEXT NOT NULL, \n"
            "\ttier TEXT NOT NULL, \n"
            "\tscope_key TEXT NOT NULL, \n"
            "\tmode TEXT NOT NULL, \n"
            "\tdigest TEXT NOT NULL, \n"
            "\tn_removed INTEGER NOT NULL, \n"
            "\tasked_at INTEGER NOT NULL, \n"
            "\texpires_at INTEGER NOT NULL, \n"
            "\tstate TEXT NOT NULL, \n"
            "\tended_at INTEGER, \n"
            "\tevent_number INTEGER, \n"
            "\tchanged_seq INTEGER NOT NULL, \n"
            "\tPRIMARY KEY (sequence), \n"
            "\tCONSTRAINT tier_known CHECK (tier IN ('conversation', 'channel', 'workspace', 'account')), \n"
            "\tCONSTRAINT mode_known CHECK (mode IN ('keep_named', 'full', 'run_state')), \n"
            "\tCONSTRAINT state_known CHECK (state IN ('waiting', 'confirmed', 'executed', 'declined', 'expired', 'changed', 'withdrawn')), \n"
            "\tCONSTRAINT request_has_workspace CHECK ((tier = 'account') = (workspace_id = '')), \n"
            "\tCONSTRAINT digest_hexadecimal CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'), \n"
            "\tCONSTRAINT ended_when_answered CHECK ((state IN ('confirmed', 'waiting')) = (ended_at IS NULL)), \n"
            "\tCONSTRAINT n_removed_integer CHECK (typeof(n_removed) IN ('integer', 'null')), \n"
            "\tCONSTRAINT asked_at_integer CHECK (typeof(asked_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT expires_at_integer CHECK (typeof(expires_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT ended_at_integer CHECK (typeof(ended_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT event_number_integer CHECK (typeof(event_number) IN ('integer', 'null')), \n"
            "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
            "\tUNIQUE (id), \n"
            "\tFOREIGN KEY(client) REFERENCES clients (name) ON DELETE CASCADE\n"
            ")"
        ),
    ),
    {
        name: name
        for name in (
            "sequence",
            "id",
            "client",
            "workspace_id",
            "tier",
            "scope_key",
            "mode",
            "digest",
            "n_removed",
            "asked_at",
            "expires_at",
            "state",
            "ended_at",
            "event_number",
            "changed_seq",
        )
    },
)

STATEMENTS = {
    FileKind.ACCOUNT: (*_OF_BOTH, *_PURGES, *_SCRUB_REQUESTS),
    FileKind.WORKSPACE: (*_OF_BOTH, *_OF_WORKSPACES, *_PURGES),
}
