"""What several conversations repeat, and what only looks like it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.knowledge.could_be import repeated, say_alike
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from tests.support.builders import WORKSPACE_ID, a_memory

LEFT = "Nerys is left-handed."


def said_in(*texts: str) -> list[MemoryEntry]:
    """Each text as a note of a conversation of its own."""
    return [
        a_memory(text, memory_id=f"m{n}", sequence=n, source_conversation=f"c{n}")
        for n, text in enumerate(texts, start=1)
    ]


def found(notes: list[MemoryEntry]) -> list[list[str]]:
    return [[note.id for note in one.notes] for one in repeated(notes)]


@pytest.mark.parametrize(
    "other",
    [
        "Nerys is right-handed.",
        "Nerys is not left-handed.",
        "Pell is left-handed.",
        "Nerys counts the tides.",
        "Nerys is left-handed since 1021.",
        "Nerys.",
    ],
)
def test_what_differs_in_a_side_a_no_a_name_or_a_number_repeats_nothing(other: str) -> None:
    assert not say_alike(LEFT, other)
    assert found(said_in(LEFT, other, "Nerys, the keeper, is left-handed.")) == []


def test_three_conversations_that_say_one_thing_are_told_once_with_the_longest_text() -> None:
    notes = said_in(LEFT, "The lamp is lit.", "Nerys writes with her left hand.", LEFT)
    [one] = repeated(notes)
    assert [note.id for note in one.notes] == ["m1", "m3", "m4"]
    assert (one.id, one.said, one.n_conversations) == (
        "m1", "Nerys writes with her left hand.", 3,
    )  # fmt: skip


def test_one_conversation_that_says_it_three_times_is_one() -> None:
    notes = [replace(one, source_conversation="c1") for one in said_in(LEFT, LEFT, LEFT)]
    assert found(notes) == []
    rooms = [ScopeKey.conversation(WORKSPACE_ID, f"c{n}") for n in range(3)]
    own = [
        replace(note, scope=room, source_conversation=None)
        for note, room in zip(notes, rooms, strict=True)
    ]
    assert found(own) == [["m1", "m2", "m3"]]


def test_a_note_is_told_once_and_the_groups_in_order_of_writing() -> None:
    toll = "The toll at the gate is paid in salt."
    assert found(said_in(toll, LEFT, toll, LEFT, toll, LEFT)) == [
        ["m1", "m3", "m5"], ["m2", "m4", "m6"],
    ]  # fmt: skip
