from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.memories.decay import DecayConfig, relevance_of
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryVersion,
    ScopeKey,
)
from inklings_desktop.domain.rooms.conversation import WorkingNote
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.kit.look.text_layout import editor_text
from inklings_desktop.ui.kit.words.memory_facts import relevance_figure
from inklings_desktop.ui.memory.subject.facts import (
    chart_facts,
    conflict_facts,
    forgotten_facts,
    history_lines,
    memory_text,
    note_facts,
    provenance_facts,
    readable_json,
    values_of,
)
from inklings_desktop.ui.memory.subject.state import ConflictKind, HistoryLine
from tests.support.builders import NOON, WORKSPACE_ID, a_conversation, a_memory

REFERENCE = DecayConfig()
NO_MODEL = NullEmbedder("a-model")


def a_timeline_memory(
    *, importance: float = 0.55, lifetime: Lifetime = Lifetime.SHORT_TERM
) -> MemoryEntry:
    return a_memory(
        importance=importance,
        lifetime=lifetime,
        created_at=NOON - timedelta(days=25),
        accessed_at=NOON - timedelta(hours=264),
        access_count=2,
    )


def a_version(
    memory: MemoryEntry,
    action: MemoryAction,
    *,
    content: str | None = None,
    importance: float = 0.5,
    tags: tuple[str, ...] = (),
    days_ago: int = 1,
) -> MemoryVersion:
    return MemoryVersion(
        memory.id,
        1,
        content,
        importance,
        Lifetime.SHORT_TERM,
        tags,
        action,
        NOON - timedelta(days=days_ago),
        "Ada",
        "window",
    )


# -- the chart ------------------------------------------------------------------------------


def test_the_figure_is_the_relevance_of_now() -> None:
    memory = a_timeline_memory()

    facts = chart_facts(memory, memory.importance, REFERENCE, NOON)

    assert facts.figure == "0.31"
    assert facts.figure == relevance_figure(relevance_of(memory, REFERENCE, NOON))
    assert facts.base_label == "last read"


def test_the_curve_passes_through_the_figure() -> None:
    memory = a_timeline_memory()

    curve = chart_facts(memory, memory.importance, REFERENCE, NOON).curve

    value = curve.start * curve.rate_per_hour**curve.hours_since_base
    assert math.isclose(value, relevance_of(memory, REFERENCE, NOON))


def test_nothing_fades_in_a_conversation() -> None:
    memory = a_memory(scope=ScopeKey.conversation(WORKSPACE_ID, "room"), importance=0.9)

    facts = chart_facts(memory, 0.9, REFERENCE, NOON + timedelta(days=3))

    assert facts.curve.level


def test_another_importance_in_the_field_keeps_the_stored_curve_beside_it() -> None:
    memory = a_timeline_memory(importance=0.55)

    tried = chart_facts(memory, 0.9, REFERENCE, NOON)

    assert tried.saved_curve is not None
    assert tried.saved_curve.start < tried.curve.start
    assert chart_facts(memory, 0.55, REFERENCE, NOON).saved_curve is None


def test_only_short_term_memories_can_be_promoted() -> None:
    short, long = (
        chart_facts(a_timeline_memory(lifetime=lifetime), 0.5, REFERENCE, NOON)
        for lifetime in (Lifetime.SHORT_TERM, Lifetime.LONG_TERM)
    )

    assert (short.can_be_promoted, long.can_be_promoted) == (True, False)


@pytest.mark.parametrize(
    ("memory", "label"),
    [
        (a_memory(), "written"),
        (a_memory(accessed_at=NOON, created_at=NOON - timedelta(days=1)), "last read"),
        (a_memory(confirmed_at=NOON, created_at=NOON - timedelta(days=1)), "confirmed"),
        (a_memory(imported_at=NOON, created_at=NOON - timedelta(days=1)), "imported"),
    ],
)
def test_the_axis_begins_where_the_hours_begin(memory: MemoryEntry, label: str) -> None:
    assert chart_facts(memory, 0.5, REFERENCE, NOON).base_label == label


# -- history ----------------------------------------------------------------------------------


def test_history_is_newest_first_and_ends_with_the_creation() -> None:
    memory = a_memory(
        "third text",
        importance=0.98,
        tags=("kept", "new"),
        created_at=NOON - timedelta(days=40),
    )
    history = (
        a_version(memory, MemoryAction.REWEIGHTED, importance=0.9, tags=("kept", "new")),
        a_version(memory, MemoryAction.RETAGGED, importance=0.9, tags=("old", "kept"), days_ago=2),
        a_version(memory, MemoryAction.CONFIRMED, importance=0.9, tags=("old", "kept"), days_ago=3),
        a_version(
            memory,
            MemoryAction.EDITED,
            content="first text",
            importance=0.4,
            tags=("kept",),
            days_ago=4,
        ),
    )

    lines = history_lines(memory, history, NOON)

    assert [(line.title, line.by, line.detail, line.age) for line in lines] == [
        ("Importance changed", "by Ada", "0.90 \u2192 0.98", "1 d ago"),
        ("Tags changed", "by Ada", "\u2212old +new", "2 d ago"),
        ("Re-confirmed", "by Ada", "", "3 d ago"),
        ("Edited", "by Ada", "0.40 \u2192 0.90 \u00b7 +old", "4 d ago"),
        ("Created", "by agent", "", "40 d ago"),
    ]
    assert [(line.is_edit, line.differs, line.can_restore) for line in lines] == [
        (False, False, False),
        (False, False, True),
        (False, False, True),
        (True, False, True),
        (False, True, True),
    ]
    assert lines[0].version == memory.version
    assert lines[0].exact.endswith(", in the window")


def test_an_imported_memory_says_when_it_came_in() -> None:
    memory = a_memory(
        curator=Curator.IMPORT, imported_at=NOON, created_at=NOON - timedelta(days=70)
    )

    lines = history_lines(memory, (), NOON + timedelta(hours=5))

    assert [(line.title, line.by, line.age) for line in lines] == [
        ("Imported", "", "5 h ago"),
        ("Created", "by import", "2 mo ago"),
    ]
    assert isinstance(lines[0], HistoryLine)


# -- where it came from -----------------------------------------------------------------------


def test_a_memory_that_nobody_read_and_nothing_embedded_says_so() -> None:
    facts = provenance_facts(a_memory(agent_id="Reader"), "", NO_MODEL)

    assert (facts.last_read, facts.reads) == ("Never", "")
    assert (facts.embedding, facts.has_embedding) == ("By words only, until it is prepared", False)
    assert (facts.curator, facts.curator_label, facts.source) == ("agent", "Agent", "user")
    assert facts.agent_id == "Reader"
    assert (facts.scope_label, facts.confirmed, facts.imported) == ("", "", "")


def test_a_vector_of_a_model_that_is_not_in_use_names_its_model() -> None:
    facts = provenance_facts(a_memory(embedding_model="older"), "", NO_MODEL)

    assert facts.embedding == "By words; prepared by older"


def test_the_room_of_a_memory_is_named_in_the_tiers_that_have_rooms() -> None:
    inside = a_memory(scope=ScopeKey.channel(WORKSPACE_ID, "room"))

    assert provenance_facts(inside, "#map-room", NO_MODEL).scope_label == "Channel"


def test_a_forgotten_memory_says_since_when_and_why() -> None:
    memory = a_memory(forgotten_at=NOON - timedelta(days=3), forgotten_reason="conversation_closed")

    facts = forgotten_facts(memory, NOON)

    assert facts is not None
    assert facts.title == "Forgotten 3 d ago"
    assert facts.reason == "because its conversation closed"
    assert forgotten_facts(a_memory(), NOON) is None


# -- conflicts ----------------------------------------------------------------------------------


def test_a_conflict_names_every_figure_that_differs() -> None:
    mine = values_of(a_memory("mine", tags=("a",)))
    theirs = a_memory("theirs", importance=0.9, lifetime=Lifetime.LONG_TERM)

    facts = conflict_facts(mine, theirs)

    assert facts.kind is ConflictKind.CHANGED
    assert facts.their_figures == "importance 0.90, long-term, no tags"


def test_a_conflict_names_the_agent_that_made_it() -> None:
    memory = a_memory("before")
    newer = replace(memory, content="theirs", version=2)
    mine = replace(values_of(memory), content="mine")
    assert conflict_facts(mine, newer, by_agent=True).title == (
        "The agent changed this while you were editing."
    )
    assert conflict_facts(mine, newer).title == "This memory was changed while you were editing."


def test_a_conflict_with_nothing_has_no_second_text() -> None:
    facts = conflict_facts(values_of(a_memory("mine")), None)

    assert (facts.kind, facts.mine, facts.theirs) == (ConflictKind.GONE, "mine", None)


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb", "a\u2028b", "a\u2029b"])
def test_every_line_break_is_one_newline_in_the_editor(text: str) -> None:
    assert editor_text(text) == "a\nb"


# -- working notes --------------------------------------------------------------------------------


def test_json_is_laid_out_with_short_values_on_one_line() -> None:
    text = '{"found": 11, "lines": [12, 19], "long": ["' + "x" * 30 + '", "' + "y" * 30 + '"]}'

    assert readable_json(text).splitlines() == [
        "{",
        '  "found": 11,',
        '  "lines": [12, 19],',
        '  "long": [',
        f'    "{"x" * 30}",',
        f'    "{"y" * 30}"',
        "  ]",
        "}",
    ]


@pytest.mark.parametrize(
    ("text", "laid_out"),
    [
        ('"Does Pell come?"', '"Does Pell come?"'),
        ("[]", "[]"),
        ('["\u6f6e"]', '[\n  "\u6f6e"\n]'),
        ("not json", "not json"),
        ("[" * 5_000 + "]" * 5_000, "[" * 5_000 + "]" * 5_000),
    ],
)
def test_json_that_needs_no_lines_or_cannot_have_them_stays(text: str, laid_out: str) -> None:
    assert readable_json(text) == laid_out


@pytest.mark.parametrize(
    ("value", "text"),
    [('"Does Pell come?"', "ask: Does Pell come?"), ('{"a": 1}', 'ask: {"a": 1}')],
)
def test_a_memory_from_a_note_starts_with_key_and_value(value: str, text: str) -> None:
    assert memory_text(WorkingNote("room", "ask", value, NOON, NOON)) == text


def test_a_note_names_its_conversation_by_title_never_by_code() -> None:
    note = WorkingNote("room", "ask", "1", NOON, NOON + timedelta(minutes=6))
    room = a_conversation("channel", title="")

    assert note_facts(note, room).conversation == "New conversation"
    assert note_facts(note, None).conversation == ""
    assert note_facts(note, room).written != note_facts(note, room).started
