from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.memory import MemoryAction, MemoryEntry, MemoryVersion
from inklings_desktop.domain.rooms.news import HEADING, Change, ChangedMemory, News, change_of
from tests.support.builders import NOON, a_memory

BEFORE, AFTER = NOON - timedelta(hours=1), NOON + timedelta(hours=1)


def a_version(
    entry: MemoryEntry, action: MemoryAction, *, by: str = "Ada", after: bool = True
) -> MemoryVersion:
    return MemoryVersion(
        entry.id,
        1,
        None,
        entry.importance,
        entry.lifetime,
        entry.tags,
        action,
        AFTER if after else BEFORE,
        by,
        "window",
    )


def became(entry: MemoryEntry, *history: MemoryVersion, own: bool = False) -> Change | None:
    added = frozenset({entry.id} if own else ())
    found = change_of(entry, history, since=NOON, name="loom", added=added)
    return None if found is None else found.change


@pytest.mark.parametrize(
    ("action", "change"),
    [
        (MemoryAction.EDITED, Change.EDITED),
        (MemoryAction.RETAGGED, Change.EDITED),
        (MemoryAction.REVERTED, Change.EDITED),
        (MemoryAction.RESTORED, Change.RESTORED),
        (MemoryAction.CONFIRMED, None),
        (MemoryAction.PINNED, None),
        (MemoryAction.LOCKED, None),
    ],
)
def test_a_change_by_somebody_else_is_news_and_ones_own_is_not(
    action: MemoryAction, change: Change | None
) -> None:
    entry = a_memory(created_at=BEFORE, version=2)
    assert became(entry, a_version(entry, action)) is change
    assert became(entry, a_version(entry, action, by="loom")) is None
    assert became(entry, a_version(entry, action, after=False)) is None
    pinned = a_version(entry, MemoryAction.PINNED)
    assert became(entry, pinned, a_version(entry, action)) is change


def test_a_new_memory_is_news_unless_it_is_ones_own() -> None:
    new = a_memory(created_at=AFTER)
    assert became(new) is Change.ADDED
    assert became(new, own=True) is None
    assert became(new, a_version(new, MemoryAction.EDITED), own=True) is Change.EDITED
    assert became(a_memory(created_at=BEFORE, imported_at=AFTER)) is Change.ADDED
    assert became(a_memory(created_at=BEFORE)) is None


def test_what_was_forgotten_is_named_without_its_text_if_it_was_known() -> None:
    gone = a_memory("A secret.", created_at=BEFORE, forgotten_at=AFTER, forgotten_reason="wrong")
    by_other = a_version(gone, MemoryAction.FORGOTTEN)
    found = change_of(gone, [by_other], since=NOON, name="loom", added=frozenset())
    assert found == ChangedMemory(gone.id, gone.scope.tier, Change.FORGOTTEN, "")
    assert became(gone, a_version(gone, MemoryAction.FORGOTTEN, by="loom")) is None
    never_seen = a_memory(created_at=AFTER, forgotten_at=AFTER, forgotten_reason="wrong")
    assert became(never_seen, by_other) is None
    assert became(never_seen, by_other, own=True) is Change.FORGOTTEN


def test_the_lines_are_short_and_stay_within_their_room() -> None:
    entries = [
        a_memory(f"Fact {n}\nof " + "the long tale " * 20, created_at=AFTER) for n in range(30)
    ]
    memories = tuple(
        found
        for one in entries
        if (found := change_of(one, (), since=NOON, name="loom", added=frozenset()))
    )
    news = News(NOON, memories, ("VOICE",))
    text = news.markdown(10_000)
    assert text.startswith(f"{HEADING}\n- VOICE was written by the author.\n")
    assert "- Memories changed by others: 30 added.\n" in text
    assert text.count("\n- Added (workspace, id ") == 10
    assert max(map(len, text.splitlines())) < 100
    for room in range(0, 600, 50):
        assert len(news.markdown(room)) <= room
    assert News(NOON, (), ()).markdown(10_000) == ""
