from __future__ import annotations

import pytest

from inklings_desktop.domain.changes import MemoryChanges
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
        MemoryChanges("w", reload=True),
    ],
)
def test_a_record_of_any_change_is_not_empty(changes: MemoryChanges) -> None:
    assert not changes.is_empty
