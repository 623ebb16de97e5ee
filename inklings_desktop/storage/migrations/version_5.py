"""To version 5: skills and activities; proposals that name one.

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
    FileKind.ACCOUNT: "8c6fb998b756d0450fa967b6a1ec7f285d7f1492a6c5b9d71b9399db5585e657",
    FileKind.WORKSPACE: "6962e51e62adfd7fd1770b5f1f7765e0b65e8b7f037aa2466e24fa1f8d480300",
}

_PROPOSAL_COLUMNS = (
    "sequence", "id", "kind", "tier", "scope_key", "target", "target_name", "base_version",
    "payload", "reason", "client", "state", "note", "created_at", "decided_at", "changed_seq",
)  # fmt: skip

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
            "\tCONSTRAINT kind_known CHECK (kind IN ('named_body', 'named_new', 'memory_new', 'memory_edit', 'memory_forget', 'memory_replace', 'page_new', 'page_edit', 'page_move', 'skill', 'activity')), \n"
            "\tCONSTRAINT state_known CHECK (state IN ('pending', 'accepted', 'rejected', 'overtaken')), \n"
            "\tCONSTRAINT decided CHECK ((state IN ('pending', 'overtaken')) = (decided_at IS NULL)), \n"
            "\tCONSTRAINT targeted CHECK (kind IN ('skill', 'activity') OR (kind IN ('named_new', 'memory_new', 'page_new')) = (target = '')), \n"
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

_SKILLS = (
    (
        "CREATE TABLE skills (\n"
        "\tid TEXT NOT NULL, \n"
        "\tname TEXT NOT NULL, \n"
        "\ttitle TEXT NOT NULL, \n"
        "\tdescription TEXT NOT NULL, \n"
        "\ttags TEXT NOT NULL, \n"
        "\torigin TEXT NOT NULL, \n"
        "\tversion INTEGER NOT NULL, \n"
        "\tenabled INTEGER NOT NULL, \n"
        "\tinput_schema TEXT, \n"
        "\tfront_matter TEXT NOT NULL, \n"
        "\tforked_from TEXT, \n"
        "\tsource_hash TEXT, \n"
        "\tchanged_by TEXT NOT NULL, \n"
        "\tcreated_at INTEGER NOT NULL, \n"
        "\tedited_at INTEGER NOT NULL, \n"
        "\tseen_at INTEGER, \n"
        "\tlast_used_at INTEGER, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT named CHECK (length(name) BETWEEN 1 AND 64 AND name NOT GLOB '*[^a-z0-9-]*' AND name NOT GLOB '-*' AND name NOT GLOB '*-' AND name NOT GLOB '*--*'), \n"
        "\tCONSTRAINT described CHECK (typeof(title) = 'text' AND typeof(description) = 'text' AND length(title) <= 120 AND length(description) <= 1024), \n"
        "\tCONSTRAINT version_counts CHECK (typeof(version) = 'integer' AND version >= 1), \n"
        "\tCONSTRAINT input_schema_json CHECK (input_schema IS NULL OR json_valid(input_schema)), \n"
        "\tCONSTRAINT seen_first CHECK (enabled = 0 OR origin = 'user' OR seen_at IS NOT NULL), \n"
        "\tCONSTRAINT origin_known CHECK (origin IN ('system', 'community', 'user')), \n"
        "\tCONSTRAINT tags_array CHECK (CASE WHEN json_valid(tags) THEN json_type(tags) = 'array' ELSE 0 END), \n"
        "\tCONSTRAINT front_matter_object CHECK (CASE WHEN json_valid(front_matter) THEN json_type(front_matter) = 'object' ELSE 0 END), \n"
        "\tCONSTRAINT enabled_flag CHECK (enabled IN (0, 1)), \n"
        "\tCONSTRAINT created_at_integer CHECK (typeof(created_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT edited_at_integer CHECK (typeof(edited_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT seen_at_integer CHECK (typeof(seen_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT last_used_at_integer CHECK (typeof(last_used_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
        "\tUNIQUE (name)\n"
        ")"
    ),
    (
        "CREATE TABLE skill_artifacts (\n"
        "\tskill_id TEXT NOT NULL, \n"
        "\tposition INTEGER NOT NULL, \n"
        "\tkind TEXT NOT NULL, \n"
        "\tpath TEXT NOT NULL, \n"
        "\tbody TEXT NOT NULL, \n"
        "\tassertions TEXT NOT NULL, \n"
        "\tPRIMARY KEY (skill_id, position), \n"
        "\tCONSTRAINT one_place UNIQUE (skill_id, path), \n"
        "\tCONSTRAINT position_counts CHECK (position BETWEEN 0 AND 31), \n"
        "\tCONSTRAINT body_text CHECK (typeof(body) = 'text' AND octet_length(body) <= 65536), \n"
        "\tCONSTRAINT kind_known CHECK (kind IN ('description', 'approach', 'prompt_template', 'code_template', 'example')), \n"
        "\tCONSTRAINT assertions_array CHECK (CASE WHEN json_valid(assertions) THEN json_type(assertions) = 'array' ELSE 0 END), \n"
        "\tFOREIGN KEY(skill_id) REFERENCES skills (id) ON DELETE CASCADE\n"
        ")"
    ),
    (
        "CREATE TABLE skill_versions (\n"
        "\tskill_id TEXT NOT NULL, \n"
        "\tversion INTEGER NOT NULL, \n"
        "\tpayload TEXT NOT NULL, \n"
        "\tchanged_by TEXT NOT NULL, \n"
        "\tat INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (skill_id, version), \n"
        "\tCONSTRAINT version_counts CHECK (version >= 1), \n"
        "\tCONSTRAINT payload_object CHECK (CASE WHEN json_valid(payload) THEN json_type(payload) = 'object' ELSE 0 END), \n"
        "\tCONSTRAINT at_integer CHECK (typeof(at) IN ('integer', 'null')), \n"
        "\tFOREIGN KEY(skill_id) REFERENCES skills (id) ON DELETE CASCADE\n"
        ")"
    ),
    (
        "CREATE TABLE skill_execution_traces (\n"
        "\tid TEXT NOT NULL, \n"
        "\tskill TEXT NOT NULL, \n"
        "\tversion INTEGER NOT NULL, \n"
        "\tposition INTEGER NOT NULL, \n"
        "\trun_id TEXT NOT NULL, \n"
        "\toutcome TEXT NOT NULL, \n"
        "\tassertions TEXT NOT NULL, \n"
        "\tinput TEXT NOT NULL, \n"
        "\toutput TEXT NOT NULL, \n"
        "\tms INTEGER NOT NULL, \n"
        "\tfuel INTEGER, \n"
        "\ttokens INTEGER, \n"
        "\tcost_micro INTEGER, \n"
        "\tat INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT of_skill CHECK (length(skill) BETWEEN 1 AND 64 AND skill NOT GLOB '*[^a-z0-9-]*' AND skill NOT GLOB '-*' AND skill NOT GLOB '*-' AND skill NOT GLOB '*--*'), \n"
        "\tCONSTRAINT texts_length CHECK (octet_length(input) <= 65536 AND octet_length(output) <= 65536), \n"
        "\tCONSTRAINT outcome_known CHECK (outcome IN ('passed', 'failed', 'error')), \n"
        "\tCONSTRAINT assertions_array CHECK (CASE WHEN json_valid(assertions) THEN json_type(assertions) = 'array' ELSE 0 END), \n"
        "\tCONSTRAINT version_integer CHECK (typeof(version) IN ('integer', 'null')), \n"
        "\tCONSTRAINT position_integer CHECK (typeof(position) IN ('integer', 'null')), \n"
        "\tCONSTRAINT ms_integer CHECK (typeof(ms) IN ('integer', 'null')), \n"
        "\tCONSTRAINT fuel_integer CHECK (typeof(fuel) IN ('integer', 'null')), \n"
        "\tCONSTRAINT tokens_integer CHECK (typeof(tokens) IN ('integer', 'null')), \n"
        "\tCONSTRAINT cost_micro_integer CHECK (typeof(cost_micro) IN ('integer', 'null')), \n"
        "\tCONSTRAINT at_integer CHECK (typeof(at) IN ('integer', 'null'))\n"
        ")"
    ),
    "CREATE INDEX skill_traces_by_run ON skill_execution_traces (run_id)",
    "CREATE INDEX skill_traces_by_skill ON skill_execution_traces (skill, at)",
)

_ACTIVITIES = (
    (
        "CREATE TABLE scheduled_activities (\n"
        "\tid TEXT NOT NULL, \n"
        "\tname TEXT NOT NULL, \n"
        "\tname_key TEXT NOT NULL, \n"
        "\tprompt TEXT NOT NULL, \n"
        "\tchannel_id TEXT NOT NULL, \n"
        "\tagent TEXT NOT NULL, \n"
        "\tschedule TEXT NOT NULL, \n"
        "\ttimezone TEXT NOT NULL, \n"
        "\tenabled INTEGER NOT NULL, \n"
        "\tbudget TEXT NOT NULL, \n"
        "\tcreated_by TEXT NOT NULL, \n"
        "\tcreated_at INTEGER NOT NULL, \n"
        "\tnext_due_at INTEGER, \n"
        "\tlast_started_at INTEGER, \n"
        "\tlast_outcome TEXT NOT NULL, \n"
        "\tmissed INTEGER NOT NULL, \n"
        "\tchanged_seq INTEGER NOT NULL, \n"
        "\tPRIMARY KEY (id), \n"
        "\tCONSTRAINT named CHECK (length(name) BETWEEN 1 AND 120), \n"
        "\tCONSTRAINT prompt_text CHECK (typeof(prompt) = 'text' AND octet_length(prompt) <= 8192), \n"
        "\tCONSTRAINT missed_counts CHECK (typeof(missed) = 'integer' AND missed >= 0), \n"
        "\tCONSTRAINT last_outcome_word CHECK (length(last_outcome) <= 60 AND last_outcome NOT GLOB '*[^a-z_:.]*'), \n"
        "\tCONSTRAINT schedule_object CHECK (CASE WHEN json_valid(schedule) THEN json_type(schedule) = 'object' ELSE 0 END), \n"
        "\tCONSTRAINT budget_object CHECK (CASE WHEN json_valid(budget) THEN json_type(budget) = 'object' ELSE 0 END), \n"
        "\tCONSTRAINT enabled_flag CHECK (enabled IN (0, 1)), \n"
        "\tCONSTRAINT created_at_integer CHECK (typeof(created_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT next_due_at_integer CHECK (typeof(next_due_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT last_started_at_integer CHECK (typeof(last_started_at) IN ('integer', 'null')), \n"
        "\tCONSTRAINT changed_seq_integer CHECK (typeof(changed_seq) IN ('integer', 'null')), \n"
        "\tUNIQUE (name_key), \n"
        "\tFOREIGN KEY(channel_id) REFERENCES channels (id)\n"
        ")"
    ),
    "CREATE INDEX activities_by_due ON scheduled_activities (enabled, next_due_at)",
)

STATEMENTS: Mapping[FileKind, Iterable[str]] = {
    FileKind.ACCOUNT: (*_PROPOSALS, *_SKILLS),
    FileKind.WORKSPACE: (*_PROPOSALS, *_SKILLS, *_ACTIVITIES),
}
