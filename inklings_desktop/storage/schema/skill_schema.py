"""Tables of skills: their files, their earlier states, and what came of their runs.

Both kinds of file have them; the workspace's skill stands above the account's of the same name. A
skill that ships with the program has a row only where the author switched it off, and no files.
Skills are searched in memory: there are few of them, and an index would be one more thing to
repair and to scrub.
"""

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
    UniqueConstraint,
)

from inklings_desktop.storage.schema.tables import flags, instants, json_of, metadata, one_of


class SkillColumns(TypedColumns):
    """A skill; ``front_matter`` is all that the head of its SKILL.md says."""

    id = Column(Text, primary_key=True)
    name = Column(Text, nullable=False, unique=True)
    title = Column(Text, nullable=False)
    description = Column(Text, nullable=False)
    tags = Column(Text, nullable=False)
    origin = Column(Text, nullable=False)
    version = Column(Integer, nullable=False)
    enabled = Column(Integer, nullable=False)
    input_schema = Column(Text, nullable=True)
    front_matter = Column(Text, nullable=False)
    forked_from = Column(Text, nullable=True)
    source_hash = Column(Text, nullable=True)
    changed_by = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    edited_at = Column(Integer, nullable=False)
    seen_at = Column(Integer, nullable=True)
    last_used_at = Column(Integer, nullable=True)
    changed_seq = Column(Integer, nullable=False)


class SkillArtifactColumns(TypedColumns):
    """One file of a skill, word for word; ``path`` is its place in the skill's folder."""

    skill_id = Column(Text, ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True)
    position = Column(Integer, primary_key=True)
    kind = Column(Text, nullable=False)
    path = Column(Text, nullable=False)
    body = Column(Text, nullable=False)
    assertions = Column(Text, nullable=False)


class SkillVersionColumns(TypedColumns):
    """An earlier state of a skill, whole."""

    skill_id = Column(Text, ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True)
    version = Column(Integer, primary_key=True)
    payload = Column(Text, nullable=False)
    changed_by = Column(Text, nullable=False)
    at = Column(Integer, nullable=False)


class SkillTraceColumns(TypedColumns):
    """What came of one artifact's run; ``skill`` is a name, for the skill may be the program's."""

    id = Column(Text, primary_key=True)
    skill = Column(Text, nullable=False)
    version = Column(Integer, nullable=False)
    position = Column(Integer, nullable=False)
    run_id = Column(Text, nullable=False)
    outcome = Column(Text, nullable=False)
    assertions = Column(Text, nullable=False)
    input = Column(Text, nullable=False)
    output = Column(Text, nullable=False)
    ms = Column(Integer, nullable=False)
    fuel = Column(Integer, nullable=True)
    tokens = Column(Integer, nullable=True)
    cost_micro = Column(Integer, nullable=True)
    at = Column(Integer, nullable=False)


_A_NAME = (
    "length({0}) BETWEEN 1 AND 64 AND {0} NOT GLOB '*[^a-z0-9-]*' AND {0} NOT GLOB '-*'"
    " AND {0} NOT GLOB '*-' AND {0} NOT GLOB '*--*'"
)

skills = Table(
    "skills",
    metadata,
    SkillColumns,
    CheckConstraint(_A_NAME.format("name"), name="named"),
    CheckConstraint(
        "typeof(title) = 'text' AND typeof(description) = 'text'"
        " AND length(title) <= 120 AND length(description) <= 1024",
        name="described",
    ),
    CheckConstraint("typeof(version) = 'integer' AND version >= 1", name="version_counts"),
    CheckConstraint("input_schema IS NULL OR json_valid(input_schema)", name="input_schema_json"),
    CheckConstraint("enabled = 0 OR origin = 'user' OR seen_at IS NOT NULL", name="seen_first"),
    one_of("origin", "system", "community", "user"),
    json_of("tags", "array"),
    json_of("front_matter", "object"),
    *flags("enabled"),
    *instants("created_at", "edited_at", "seen_at", "last_used_at", "changed_seq"),
)

skill_artifacts = Table(
    "skill_artifacts",
    metadata,
    SkillArtifactColumns,
    UniqueConstraint("skill_id", "path", name="one_place"),
    CheckConstraint("position BETWEEN 0 AND 31", name="position_counts"),
    CheckConstraint("typeof(body) = 'text' AND octet_length(body) <= 65536", name="body_text"),
    one_of("kind", "description", "approach", "prompt_template", "code_template", "example"),
    json_of("assertions", "array"),
)

skill_versions = Table(
    "skill_versions",
    metadata,
    SkillVersionColumns,
    CheckConstraint("version >= 1", name="version_counts"),
    json_of("payload", "object"),
    *instants("at"),
)

skill_execution_traces = Table(
    "skill_execution_traces",
    metadata,
    SkillTraceColumns,
    CheckConstraint(_A_NAME.format("skill"), name="of_skill"),
    CheckConstraint(
        "octet_length(input) <= 65536 AND octet_length(output) <= 65536", name="texts_length"
    ),
    one_of("outcome", "passed", "failed", "error"),
    json_of("assertions", "array"),
    *instants("version", "position", "ms", "fuel", "tokens", "cost_micro", "at"),
)

SKILL_TABLES = (skills, skill_artifacts, skill_versions, skill_execution_traces)
"""What both kinds of file have."""

Index("skill_traces_by_skill", skill_execution_traces.c.skill, skill_execution_traces.c.at)
Index("skill_traces_by_run", skill_execution_traces.c.run_id)
