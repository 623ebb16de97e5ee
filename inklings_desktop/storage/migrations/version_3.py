"""To version 3: what memory knows of the author's pages; rights and proposals that name pages.

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
    FileKind.ACCOUNT: "a969cfdcb778aa1a58a79e439797245fb206e6f0aba51206b74f0773c318c9a0",
    FileKind.WORKSPACE: "17a15d3fbee49f07ce026f2bb3e3cff767fa3d324444baac2d37240b9892542c",
}

_PROPOSAL_COLUMNS = (
    "sequence", "id", "kind", "tier", "scope_key", "target", "target_name", "base_version",
    "payload", "reason", "client", "state", "note", "created_at", "decided_at", "changed_seq",
)  # fmt: skip
_RIGHT_COLUMNS = ("client", "workspace_id", "tier", "action", "channel_id")

_PROPOSALS = rebuilt(
    "proposals",
    (
        (
            "CREATE TABLE proposals (\n"
            "\tsequence INTEGER NOT NULL, \n"
            "\tid TEXT NOT NULL, \n"
            "\tkind TEXT NOT NULL, \n"
            "\ttier TEXT NOT NULL, \n"
            "\tscope_key TEXT NOT NULL, \n"
            "\ttarget TEXT NOT NULL, \n"
            "\ttarget_name TEXT NOT NULL, \n"
            "\tbase_version INTEGER, \n"
            "\tpayload TEXT NOT NULL, \n"
            "\treason TEXT NOT NULL, \n"
            "\tclient TEXT NOT NULL, \n"
            "\tstate TEXT NOT NULL, \n"
            "\tnote TEXT NOT NULL, \n"
            "\tcreated_at INTEGER NOT NULL, \n"
            "\tdecided_at INTEGER, \n"
            "\tchanged_seq INTEGER NOT NULL, \n"
            "\tPRIMARY KEY (sequence), \n"
            "\tCONSTRAINT kind_known CHECK (kind IN ('named_body', 'named_new', 'memory_new', 'memory_edit', 'memory_forget', 'memory_replace', 'page_new', 'page_edit', 'page_move')), \n"
            "\tCONSTRAINT state_known CHECK (state IN ('pending', 'accepted', 'rejected', 'overtaken')), \n"
            "\tCONSTRAINT decided CHECK ((state IN ('pending', 'overtaken')) = (decided_at IS NULL)), \n"
            "\tCONSTRAINT targeted CHECK ((kind IN ('named_new', 'memory_new', 'page_new')) = (target = '')), \n"
            "\tCONSTRAINT payload_object CHECK (CASE WHEN json_valid(payload) THEN json_type(payload) = 'object' ELSE 0 END), \n"
            "\tCONSTRAINT created_at_integer CHECK (typeof(created_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT decided_at_integer CHECK (typeof(decided_at) IN ('integer', 'null')), \n"
            "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
            "\tUNIQUE (id)\n"
            ")"
        ),
        "CREATE INDEX proposals_by_state ON proposals (state, client)",
    ),
    {name: name for name in _PROPOSAL_COLUMNS},
)

_RIGHTS = rebuilt(
    "client_rights",
    (
        (
            "CREATE TABLE client_rights (\n"
            "\tclient TEXT NOT NULL, \n"
            "\tworkspace_id TEXT NOT NULL, \n"
            "\ttier TEXT NOT NULL, \n"
            "\taction TEXT NOT NULL, \n"
            "\tchannel_id TEXT NOT NULL, \n"
            "\tPRIMARY KEY (client, workspace_id, tier, action, channel_id), \n"
            "\tCONSTRAINT tier_known CHECK (tier IN ('conversation', 'channel', 'workspace', 'account')), \n"
            "\tCONSTRAINT action_known CHECK (action IN ('read', 'write', 'propose', 'scrub:preview', 'scrub:keep_named', 'scrub:full', 'world:read', 'world:propose')), \n"
            "\tCONSTRAINT tier_has_workspace CHECK ((tier = 'account') = (workspace_id = '')), \n"
            "\tCONSTRAINT channel_of_tier CHECK (tier = 'channel' OR channel_id = ''), \n"
            "\tFOREIGN KEY(client) REFERENCES clients (name) ON DELETE CASCADE\n"
            ")"
        ),
    ),
    {name: name for name in _RIGHT_COLUMNS},
)

_WORLD = (
    (
        "CREATE TABLE world_folders (\n"
        "\tid TEXT NOT NULL, \n"
        "\tname TEXT NOT NULL, \n"
        "\tname_key TEXT NOT NULL, \n"
        "\tkind TEXT NOT NULL, \n"
        "\tpath TEXT NOT NULL, \n"
        "\tinstallation TEXT NOT NULL, \n"
        "\trules TEXT NOT NULL, \n"
        "\ttakes_proposals INTEGER NOT NULL, \n"
        "\tadded_at INTEGER NOT NULL, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT kind_known CHECK (kind IN ('vault', 'novelwriter', 'plain')), \n"
        "\tCONSTRAINT named CHECK (length(name) BETWEEN 1 AND 120), \n"
        "\tCONSTRAINT rules_object CHECK (CASE WHEN json_valid(rules) THEN json_type(rules) = 'object' ELSE 0 END), \n"
        "\tCONSTRAINT takes_proposals_flag CHECK (takes_proposals IN (0, 1)), \n"
        "\tCONSTRAINT added_at_integer CHECK (typeof(added_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
        "\tUNIQUE (name_key)\n"
        ")"
    ),
    (
        "CREATE TABLE derivations (\n"
        "\tmemory_sequence INTEGER NOT NULL, \n"
        "\tplace INTEGER NOT NULL, \n"
        "\tkind TEXT NOT NULL, \n"
        "\ttarget_id TEXT NOT NULL, \n"
        "\tfolder_id TEXT NOT NULL, \n"
        "\tpath TEXT NOT NULL, \n"
        "\theading TEXT NOT NULL, \n"
        "\town_id TEXT NOT NULL, \n"
        "\tbase_digest BLOB NOT NULL, \n"
        "\tstate TEXT NOT NULL, \n"
        "\tseen_digest BLOB NOT NULL, \n"
        "\tchanged_at INTEGER, \n"
        "\tPRIMARY KEY (memory_sequence, place), \n"
        "\tCONSTRAINT kind_known CHECK (kind IN ('block', 'page', 'memory', 'text')), \n"
        "\tCONSTRAINT state_known CHECK (state IN ('current', 'moved', 'changed', 'gone', 'unknown')), \n"
        "\tCONSTRAINT place_counts CHECK (place BETWEEN 0 AND 63), \n"
        "\tCONSTRAINT base_digest_length CHECK (typeof(base_digest) = 'blob' AND length(base_digest) IN (0, 16)), \n"
        "\tCONSTRAINT seen_digest_length CHECK (typeof(seen_digest) = 'blob' AND length(seen_digest) IN (0, 16)), \n"
        "\tCONSTRAINT changed_at_integer CHECK (typeof(changed_at) IN ('integer', 'null')), \n"
        "\tFOREIGN KEY(memory_sequence) REFERENCES memories (sequence)\n"
        ")"
    ),
    "CREATE INDEX derivations_by_page ON derivations (folder_id, path)",
    "CREATE INDEX derivations_by_state ON derivations (state)",
    (
        "CREATE TABLE derivation_bases (\n"
        "\tdigest BLOB NOT NULL, \n"
        "\ttext TEXT NOT NULL, \n"
        "\tPRIMARY KEY (digest), \n"
        "\tCONSTRAINT digest_length CHECK (typeof(digest) = 'blob' AND length(digest) IN (16)), \n"
        "\tCONSTRAINT text_length CHECK (typeof(text) = 'text' AND octet_length(text) <= 65536)\n"
        ")"
    ),
    (
        "CREATE TABLE retcons (\n"
        "\tid TEXT NOT NULL, \n"
        "\tfolder_id TEXT NOT NULL, \n"
        "\tpath TEXT NOT NULL, \n"
        "\tblock_id TEXT NOT NULL, \n"
        "\twhat TEXT NOT NULL, \n"
        "\tbase_digest BLOB NOT NULL, \n"
        "\tnow_text TEXT NOT NULL, \n"
        "\tfound_at INTEGER NOT NULL, \n"
        "\tstate TEXT NOT NULL, \n"
        "\tdecided_at INTEGER, \n"
        "\tdecided_by TEXT NOT NULL, \n"
        "\trun_id TEXT NOT NULL, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT what_known CHECK (what IN ('changed', 'split', 'gone')), \n"
        "\tCONSTRAINT state_known CHECK (state IN ('open', 'kept', 'updated', 'forgotten', 'ignored')), \n"
        "\tCONSTRAINT base_digest_length CHECK (typeof(base_digest) = 'blob' AND length(base_digest) IN (16)), \n"
        "\tCONSTRAINT now_text_length CHECK (octet_length(now_text) <= 65536), \n"
        "\tCONSTRAINT decided CHECK ((state = 'open') = (decided_at IS NULL)), \n"
        "\tCONSTRAINT found_at_integer CHECK (typeof(found_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT decided_at_integer CHECK (typeof(decided_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null'))\n"
        ")"
    ),
    "CREATE INDEX retcons_by_state ON retcons (state)",
    (
        "CREATE TABLE page_versions (\n"
        "\tid TEXT NOT NULL, \n"
        "\tfolder_id TEXT NOT NULL, \n"
        "\tpath TEXT NOT NULL, \n"
        "\tdigest BLOB NOT NULL, \n"
        "\tsize INTEGER NOT NULL, \n"
        "\tat INTEGER NOT NULL, \n"
        "\tproposal_id TEXT NOT NULL, \n"
        "\tbytes BLOB NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT digest_length CHECK (typeof(digest) = 'blob' AND length(digest) IN (16)), \n"
        "\tCONSTRAINT at_integer CHECK (typeof(at) IN ('integer', 'null'))\n"
        ")"
    ),
    "CREATE INDEX page_versions_by_page ON page_versions (folder_id, path, at)",
)

STATEMENTS: Mapping[FileKind, Iterable[str]] = {
    FileKind.ACCOUNT: (*_PROPOSALS, *_RIGHTS),
    FileKind.WORKSPACE: (*_PROPOSALS, *_WORLD),
}
