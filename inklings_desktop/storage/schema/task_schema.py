"""Tables of background work: runs and their steps, states, leases, kept pairs, golden questions.

Ids, figures and words of the program's own; the one text in them is the author's question.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypedColumns,
)

from inklings_desktop.storage.schema.tables import instants, json_of, metadata, one_of


class RunColumns(TypedColumns):
    """One run; ``tier`` and ``scope_key`` are empty for work on the whole file."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    kind = Column(Text, nullable=False)
    tier = Column(Text, nullable=False)
    scope_key = Column(Text, nullable=False)
    trigger = Column(Text, nullable=False)
    state = Column(Text, nullable=False)
    started_at = Column(Integer, nullable=False)
    ended_at = Column(Integer, nullable=True)
    counts = Column(Text, nullable=False)
    problem = Column(Text, nullable=False)


class StepColumns(TypedColumns):
    """What a run did to one memory."""

    run_id = Column(Text, primary_key=True)
    memory_id = Column(Text, primary_key=True)
    kind = Column(Text, nullable=False)
    version = Column(Integer, nullable=False)
    successor_id = Column(Text, nullable=True)


class StateColumns(TypedColumns):
    """When a target was last worked on, and how far."""

    kind = Column(Text, primary_key=True)
    tier = Column(Text, primary_key=True)
    scope_key = Column(Text, primary_key=True)
    first_seen_at = Column(Integer, nullable=False)
    last_run_at = Column(Integer, nullable=True)
    next_due_at = Column(Integer, nullable=True)
    seen_sequence = Column(Integer, nullable=False)
    compared_seq = Column(Integer, nullable=False)
    model_id = Column(Text, nullable=False)


class LeaseColumns(TypedColumns):
    """Who may do one piece of work, and until when."""

    name = Column(Text, primary_key=True)
    holder = Column(Text, nullable=False)
    taken_at = Column(Integer, nullable=False)
    expires_at = Column(Integer, nullable=False)


class PairColumns(TypedColumns):
    """Two memories that are alike and were not merged, with keys of what they said then."""

    tier = Column(Text, primary_key=True)
    scope_key = Column(Text, primary_key=True)
    first = Column(Text, primary_key=True)
    second = Column(Text, primary_key=True)
    first_said = Column(LargeBinary, nullable=False)
    second_said = Column(LargeBinary, nullable=False)
    cosine = Column(Float, nullable=False)
    state = Column(Text, nullable=False)


class QuestionColumns(TypedColumns):
    """A question of the author's with what its answer must hold, and how it fared last.

    Of an answer ids and places are kept, never what was found.
    """

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    tier = Column(Text, nullable=False)
    scope_key = Column(Text, nullable=False)
    question = Column(Text, nullable=False)
    must = Column(Text, nullable=False)
    must_not = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)
    asked_at = Column(Integer, nullable=True)
    asked_after = Column(Text, nullable=True)
    answer = Column(Text, nullable=True)
    rate = Column(Float, nullable=True)
    model_id = Column(Text, nullable=True)
    since = Column(Integer, nullable=True)
    since_after = Column(Text, nullable=True)
    since_run = Column(Text, nullable=True)


_CAUSES = (
    "request",
    "consolidation",
    "undo",
    "import",
    "withdrawal",
    "decay",
    "model",
    "meanwhile",
)

task_runs = Table(
    "task_runs",
    metadata,
    RunColumns,
    one_of("kind", "embed_written", "backfill", "consolidation", "conversation_close"),
    one_of("state", "running", "finished", "stopped", "failed", "undone"),
    CheckConstraint("(state = 'running') = (ended_at IS NULL)", name="ended_when_done"),
    json_of("counts", "object"),
    *instants("started_at", "ended_at"),
)

run_steps = Table(
    "run_steps",
    metadata,
    StepColumns,
    one_of("kind", "promoted", "pruned", "merged", "parent", "capped"),
)

task_states = Table(
    "task_states",
    metadata,
    StateColumns,
    *instants("first_seen_at", "last_run_at", "next_due_at", "seen_sequence", "compared_seq"),
)

leases = Table("leases", metadata, LeaseColumns, *instants("taken_at", "expires_at"))

duplicate_pairs = Table(
    "duplicate_pairs",
    metadata,
    PairColumns,
    CheckConstraint("first <> second", name="two_memories"),
    CheckConstraint("length(first_said) = 8 AND length(second_said) = 8", name="said_keys"),
    one_of("state", "waiting", "skipped"),
)

golden_questions = Table(
    "golden_questions",
    metadata,
    QuestionColumns,
    CheckConstraint("length(question) BETWEEN 1 AND 500", name="question_text"),
    json_of("must", "array"),
    json_of("must_not", "array"),
    CheckConstraint(
        "(asked_at IS NULL) = (answer IS NULL) AND (asked_at IS NULL) = (since IS NULL)",
        name="asked_as_a_whole",
    ),
    CheckConstraint("answer IS NULL OR json_valid(answer)", name="answer_json"),
    one_of("asked_after", *_CAUSES),
    one_of("since_after", *_CAUSES),
    *instants("created_at", "asked_at", "since"),
)

TASK_TABLES = (task_runs, run_steps, task_states, leases, duplicate_pairs, golden_questions)
"""What both kinds of file have."""

Index("task_runs_by_state", task_runs.c.state, task_runs.c.kind)
