from __future__ import annotations

import pytest

from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import ScopeKey


def test_a_record_of_nothing_is_empty() -> None:
    assert MemoryChanges("w", initiator="Ada", own=False).is_empty


@pytest.mark.parametrize(
    "changes",
    [
        MemoryChanges(None, scopes=frozenset({ScopeKey.account()})),
        MemoryChanges("w", added=("a",)),
        MemoryChanges("w", updated=("a",)),
        MemoryChanges("w", forgotten=("a",)),
        MemoryChanges("w", rooms=True),
        MemoryChanges("w", note_conversations=frozenset({"c"})),
        MemoryChanges("w", entries=frozenset({"e"})),
        MemoryChanges("w", proposals=True),
        MemoryChanges("w", drafts_dropped=frozenset({"VOICE"})),
        MemoryChanges("w", reload=True),
    ],
)
def test_a_record_of_any_change_is_not_empty(changes: MemoryChanges) -> None:
    assert not changes.is_empty


def test_two_records_of_one_file_become_one() -> None:
    scope, other = ScopeKey.workspace("w"), ScopeKey.channel("w", "c")
    first = MemoryChanges(
        "w", frozenset({scope}), ("new", "gone"), ("old",), ("back",), rooms=True, initiator="Ada",
        entries=frozenset({"VOICE"}),
    )  # fmt: skip
    later = MemoryChanges(
        "w", frozenset({other}), (), ("new", "back"), ("gone",), events=True, initiator="Ada",
        note_conversations=frozenset({"r"}),
    )  # fmt: skip
    both = first.followed_by(later)
    assert both == MemoryChanges(
        "w", frozenset({scope, other}), ("new",), ("old", "back"), ("gone",), rooms=True,
        events=True, initiator="Ada", entries=frozenset({"VOICE"}),
        note_conversations=frozenset({"r"}),
    )  # fmt: skip
    assert both.followed_by(MemoryChanges("w", reload=True, initiator="Ada")).reload
