from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from inklings_desktop.domain.memory import MemoryAction, MemoryEntry, MemoryRef, ScopeKey, Tier
from inklings_desktop.storage.search.search_text import (
    indexed_context,
    indexed_subject,
    indexed_text,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, integrity_faults, raw, sqlite_world
from tests.support.wide import examples

SCOPES = (
    ScopeKey.workspace(WORKSPACE_ID),
    ScopeKey.channel(WORKSPACE_ID, "map-room"),
    ScopeKey.conversation(WORKSPACE_ID, "c1"),
)
texts = st.text("ab 京都\n", min_size=1, max_size=12).filter(str.strip)
rooms = st.tuples(
    st.sampled_from(SCOPES), st.sampled_from([None, "c1", "c2"]), st.sampled_from([None, "loom"])
)

sources = st.sampled_from(["user", "researcher", "京都"])


def expected_rows(entries: list[MemoryEntry]) -> dict[int, tuple[str, str, str]]:
    """Every search row, worked out from nothing."""
    found = {}
    retrievable = [entry for entry in entries if entry.is_retrievable]
    for entry in retrievable:
        line = [
            other
            for other in retrievable
            if (other.scope, other.source_conversation, other.agent_id)
            == (entry.scope, entry.source_conversation, entry.agent_id)
        ]
        place = line.index(entry)
        before = line[place - 1].content if place > 0 else None
        after = line[place + 1].content if place + 1 < len(line) else None
        if entry.source_conversation is None and entry.scope.tier is not Tier.CONVERSATION:
            before = after = None
        found[entry.sequence] = (
            indexed_text(entry.content),
            indexed_subject(entry.tags),
            indexed_context(before, after, entry.origin),
        )
    return found


class IndexMachine(RuleBasedStateMachine):
    """Random writes; after each, the index must be what a fresh build would make."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        root = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.world: SqliteWorld = self.stack.enter_context(sqlite_world(root))
        self.entries: list[MemoryEntry] = []

    def teardown(self) -> None:
        path = self.world.path()
        self.world.databases.close()
        assert integrity_faults(path) == []
        self.stack.close()

    @rule(batch=st.lists(st.tuples(texts, rooms, sources, st.booleans()), min_size=1, max_size=4))
    def add(
        self, batch: list[tuple[str, tuple[ScopeKey, str | None, str | None], str, bool]]
    ) -> None:
        new = [
            a_memory(
                text,
                scope=scope,
                source_conversation=conversation,
                agent_id=agent,
                source=source,
                paused=paused,
            )
            for text, (scope, conversation, agent), source, paused in batch
        ]
        with self.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            self.entries += unit.memories.add(new)
            unit.commit()

    @precondition(lambda self: self.entries)
    @rule(data=st.data(), text=texts, tag=st.sampled_from(["", "x", "京都"]))
    def edit(self, data: st.DataObject, text: str, tag: str) -> None:
        entry = self._one(data)
        self._save(entry, replace(entry, content=text, tags=(tag,) if tag else ()))

    @precondition(lambda self: self.entries)
    @rule(data=st.data(), tag=st.sampled_from(["x", "y"]))
    def retag(self, data: st.DataObject, tag: str) -> None:
        entry = self._one(data)
        self._save(entry, replace(entry, tags=(tag,)))

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def forget_or_restore(self, data: st.DataObject) -> None:
        entry = self._one(data)
        forgotten_at = None if entry.is_forgotten else NOON
        self._save(entry, replace(entry, forgotten_at=forgotten_at))

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def pause_or_resume(self, data: st.DataObject) -> None:
        entry = self._one(data)
        self._save(entry, replace(entry, paused=not entry.paused))

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def roll_back(self, data: st.DataObject) -> None:
        entry = self._one(data)
        with self.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("never kept", source_conversation="c1")])
            unit.memories.save(
                replace(entry, content="never kept"),
                expected_version=entry.version,
                action=MemoryAction.EDITED,
                changed_by="Ada",
                door="window",
                changed_at=NOON,
            )

    @invariant()
    def the_index_is_what_a_fresh_build_would_make(self) -> None:
        with raw(self.world.path()) as connection:
            rows = connection.execute("SELECT id, body, subject, context FROM memory_search")
            found = {row[0]: tuple(row[1:]) for row in rows}
        assert found == expected_rows(self.entries)

    def _one(self, data: st.DataObject) -> MemoryEntry:
        return data.draw(st.sampled_from(self.entries))

    def _save(self, before: MemoryEntry, after: MemoryEntry) -> None:
        with self.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            stored = unit.memories.save(
                after,
                expected_version=before.version,
                action=MemoryAction.EDITED,
                changed_by="Ada",
                door="window",
                changed_at=NOON,
            )
            unit.commit()
        self.entries[self.entries.index(before)] = stored
        with self.world.store.read(WORKSPACE_ID) as view:
            assert view.memories.get(MemoryRef(stored.scope, stored.id), None) == stored


TestTheIndexNeverDrifts = IndexMachine.TestCase
TestTheIndexNeverDrifts.settings = settings(
    max_examples=examples(15), stateful_step_count=25, deadline=None
)
