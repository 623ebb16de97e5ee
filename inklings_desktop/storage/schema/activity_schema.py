"""The table of activities: what an agent is asked at its time, in a channel of the workspace."""

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
)

from inklings_desktop.storage.schema.tables import flags, instants, json_of, metadata, word_of

_OUTCOME_CHARACTERS = 60


class ActivityColumns(TypedColumns):
    """An activity; ``name_key`` is its name as it is compared, ``missed`` counts caught-up times.

    ``last_outcome`` is empty until it has run.
    """

    id = Column(Text, primary_key=True)
    name = Column(Text, nullable=False)
    name_key = Column(Text, nullable=False, unique=True)
    prompt = Column(Text, nullable=False)
    channel_id = Column(Text, ForeignKey("channels.id"), nullable=False)
    agent = Column(Text, nullable=False)
    schedule = Column(Text, nullable=False)
    timezone = Column(Text, nullable=False)
    enabled = Column(Integer, nullable=False)
    budget = Column(Text, nullable=False)
    created_by = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    next_due_at = Column(Integer, nullable=True)
    last_started_at = Column(Integer, nullable=True)
    last_outcome = Column(Text, nullable=False)
    missed = Column(Integer, nullable=False)
    changed_seq = Column(Integer, nullable=False)


scheduled_activities = Table(
    "scheduled_activities",
    metadata,
    ActivityColumns,
    CheckConstraint("length(name) BETWEEN 1 AND 120", name="named"),
    CheckConstraint("typeof(prompt) = 'text' AND octet_length(prompt) <= 8192", name="prompt_text"),
    CheckConstraint("typeof(missed) = 'integer' AND missed >= 0", name="missed_counts"),
    word_of("last_outcome", _OUTCOME_CHARACTERS),
    json_of("schedule", "object"),
    json_of("budget", "object"),
    *flags("enabled"),
    *instants("created_at", "next_due_at", "last_started_at", "changed_seq"),
)

ACTIVITY_TABLES = (scheduled_activities,)
"""What only a workspace's file has."""

Index("activities_by_due", scheduled_activities.c.enabled, scheduled_activities.c.next_due_at)
