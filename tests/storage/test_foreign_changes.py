from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from inklings_desktop.domain.access.clients import Client, ClientKind
from inklings_desktop.domain.entries.named_entry import EntryAction, EntryDraft
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, MemoryAction, ScopeKey
from inklings_desktop.domain.rooms.conversation import WorkingNote
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.workspaces.foreign_changes import ForeignChanges
from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    a_channel,
    a_companion,
    a_conversation,
    a_memory,
    a_message,
    a_proposal,
)
from tests.support.scrub_asking import a_request
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world
from tests.support.stopwatch import HANG_SECONDS

SCOPE = ScopeKey.workspace(WORKSPACE_ID)


class Listener:
    """A publisher that a test can wait on."""

    def __init__(self) -> None:
        self.heard: list[MemoryChanges] = []
        self._condition = threading.Condition()

    def publish(self, changes: MemoryChanges) -> None:
        with self._condition:
            self.heard.append(changes)
            self._condition.notify_all()

    def next(self) -> MemoryChanges:
        with self._condition:
            assert self._condition.wait_for(lambda: self.heard, HANG_SECONDS)
            return self.heard.pop(0)


@contextmanager
def watching(root: Path) -> Iterator[tuple[SqliteWorld, Listener]]:
    """A world that watches its files, as the window does."""
    listener = Listener()
    with sqlite_world(root) as world:
        world.path()
        watcher = ForeignChanges(world.databases, listener, interval_seconds=0.01)
        watcher.start()
        try:
            yield world, listener
        finally:
            watcher.stop()


def until_it_watches(other: SqliteWorld, listener: Listener) -> None:
    """Return once the first look is past: events and typing are compared with what that saw."""
    with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
        unit.memories.add([a_memory("news")])
        unit.commit()
    assert listener.next().added


def test_memories_of_another_program_are_noticed_by_kind(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (_, listener):
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            first, second = unit.memories.add([a_memory("one"), a_memory("two")])
            unit.commit()
        changes = listener.next()
        assert changes.workspace_id == WORKSPACE_ID
        assert changes.scopes == {SCOPE}
        assert (changes.added, changes.updated) == ((first.id, second.id), ())
        assert not changes.own

        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            for entry in (
                replace(first, content="edited"),
                replace(second, forgotten_at=NOON, forgotten_reason="cap"),
            ):
                unit.memories.save(
                    entry,
                    expected_version=1,
                    action=MemoryAction.EDITED,
                    changed_by="researcher",
                    door="mcp",
                    changed_at=NOON,
                )
            unit.commit()
        changes = listener.next()
        assert (changes.added, changes.updated) == ((), (first.id,))
        assert changes.forgotten == (second.id,)


def test_reads_and_vectors_of_another_program_are_noticed(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other:
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            (entry,) = unit.memories.add([a_memory("one")])
            unit.commit()
        with watching(tmp_path) as (_, listener):
            with other.store.write(WORKSPACE_ID, initiator="x", durable=False) as unit:
                unit.memories.count_reads([entry.id], NOON)
                unit.commit()
            assert listener.next().updated == (entry.id,)

            with other.store.write(WORKSPACE_ID, initiator="x", durable=False) as unit:
                unit.memories.put_vectors("m", [(entry.id, "one", np.array([1.0], np.float32))])
                unit.commit()
            assert listener.next().updated == (entry.id,)


def test_rooms_and_notes_of_another_program_are_noticed(tmp_path: Path) -> None:
    channel = a_channel()
    talk = a_conversation(channel.id)
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (_, listener):
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.conversations.add_channel(channel)
            unit.conversations.add(talk, [])
            unit.commit()
        changes = listener.next()
        assert changes.rooms
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.messages.append(a_message(talk.id))
            unit.commit()
        assert listener.next().rooms, "what was said is shown where its conversation is"
        assert changes.note_conversations == frozenset()

        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.notes.write(WorkingNote(talk.id, "pages", "3", NOON, NOON))
            unit.commit()
        changes = listener.next()
        assert changes.note_conversations == {talk.id}
        assert not changes.rooms

        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.notes.clear(talk.id)
            unit.commit()
        assert listener.next().note_conversations == {talk.id}


def test_named_entries_and_proposals_of_another_program_are_noticed(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (_, listener):
        entry = a_companion()
        with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.entries.add(entry, action=EntryAction.CREATED, saved_by="Ada", door="cli")
            unit.commit()
        changes = listener.next()
        assert changes.entries == {entry.id}
        assert not changes.proposals
        assert not changes.own

        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.proposals.add(a_proposal(entry))
            unit.commit()
        changes = listener.next()
        assert changes.proposals
        assert changes.entries == frozenset()


def test_events_of_another_program_are_noticed_even_alone(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (_, listener):
        until_it_watches(other, listener)
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.events.append(EventDraft(EventKind.DENIED, "researcher", "agent", "mcp"), NOON)
            unit.commit()
        changes = listener.next()
        assert changes.events
        assert changes.scopes == frozenset()
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.memories.add([a_memory("one")])
            unit.commit()
        assert not listener.next().events


def test_a_scrub_by_another_program_is_told_from_other_events(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (_, listener):
        until_it_watches(other, listener)
        for kind in (EventKind.DENIED, EventKind.SCRUB_EXECUTED, EventKind.DENIED):
            with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.events.append(EventDraft(kind, "Ada", "person", "cli"), NOON)
                unit.commit()
            assert listener.next().scrubbed is (kind is EventKind.SCRUB_EXECUTED)


def test_unsaved_typing_of_another_program_is_its_own_business(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (_, listener):
        with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            voice = unit.entries.find("VOICE")
            unit.drafts.keep(EntryDraft(voice.id, "x", 1, NOON))
            unit.commit()
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            (entry,) = unit.memories.add([a_memory("one")])
            unit.commit()
        assert listener.next().added == (entry.id,)


def a_typing(memory_id: str) -> MemoryTyping:
    return MemoryTyping(
        SCOPE, memory_id, int(bool(memory_id)), "x", 0.5, Lifetime.LONG_TERM, (), NOON
    )


def test_typing_that_another_program_lets_go_of_is_noticed(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other:
        with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            voice = unit.entries.find("VOICE")
            (entry,) = unit.memories.add([a_memory("one")])
            unit.drafts.keep(EntryDraft(voice.id, "x", 1, NOON))
            unit.drafts.keep_typing(a_typing(entry.id))
            unit.drafts.keep_typing(a_typing(NEW_MEMORY))
            unit.commit()
        with watching(tmp_path) as (_, listener):
            until_it_watches(other, listener)
            for memory_id in (None, entry.id, NEW_MEMORY):
                with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                    if memory_id is None:
                        assert unit.drafts.drop(voice.id)
                    else:
                        assert unit.drafts.drop_typing(SCOPE, memory_id)
                    unit.commit()
                changes = listener.next()
                mark = voice.id if memory_id is None else a_typing(memory_id).mark
                assert list(changes.drafts_dropped) == [mark]
                assert not changes.own


def test_nobody_is_told_to_put_back_the_typing_that_a_scrub_took(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other:
        with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.drafts.keep_typing(a_typing(NEW_MEMORY))
            unit.commit()
        with watching(tmp_path) as (_, listener):
            until_it_watches(other, listener)
            with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.drafts.drop_typing(SCOPE, NEW_MEMORY)
                unit.events.append(
                    EventDraft(EventKind.SCRUB_EXECUTED, "Ada", "person", "cli"), NOON
                )
                unit.commit()
            changes = listener.next()
            assert (changes.scrubbed, changes.drafts_dropped) == (True, frozenset())
            with other.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                (entry,) = unit.memories.add([a_memory("one")])
                unit.commit()
            changes = listener.next()
            assert (changes.added, changes.drafts_dropped) == ((entry.id,), frozenset())


def test_own_commits_are_not_taken_for_foreign_ones(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (world, listener):
        for n in range(20):
            with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.memories.add([a_memory(f"mine {n}")])
                unit.commit()
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            (foreign,) = unit.memories.add([a_memory("theirs")])
            unit.commit()

        assert listener.next().added == (foreign.id,)
        assert listener.heard == []
        assert len(world.publisher.published) == 20


def test_what_was_committed_between_opening_and_watching_is_not_missed(tmp_path: Path) -> None:
    listener = Listener()
    with sqlite_world(tmp_path) as other, sqlite_world(tmp_path) as world:
        world.path()
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            (early,) = unit.memories.add([a_memory("early")])
            unit.commit()
        watcher = ForeignChanges(world.databases, listener, interval_seconds=0.01)
        watcher.start()
        try:
            assert listener.next().added == (early.id,)
        finally:
            watcher.stop()


def test_a_file_opened_later_is_watched_by_itself(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (world, listener):
        world.path(None)
        with other.store.write(None, initiator="researcher") as unit:
            (entry,) = unit.memories.add([a_memory(scope=ScopeKey.account())])
            unit.commit()

        changes = listener.next()
        assert (changes.workspace_id, changes.added) == (None, (entry.id,))


def test_very_many_changes_ask_for_everything_again(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (_, listener):
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.memories.add([a_memory(f"m{n}") for n in range(1_200)])
            unit.commit()

        changes = listener.next()
        assert changes.reload
        assert changes.added == ()


def test_the_watcher_holds_up_no_checkpoint(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (world, listener):
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.memories.add([a_memory("one")])
            unit.commit()
        listener.next()

        with raw(world.path()) as connection:
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert busy == 0


def test_stopping_leaves_no_thread_and_may_be_asked_twice(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with sqlite_world(tmp_path) as world:
        world.path()
        watcher = ForeignChanges(world.databases, Listener(), interval_seconds=60.0)
        watcher.start()
        watcher.start()
        (thread,) = set(threading.enumerate()) - before

        watcher.stop()
        watcher.stop()

        assert not thread.is_alive()


def test_workspaces_that_come_go_or_change_their_name_are_noticed(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (world, listener):
        other_directory = SqliteWorkspaceDirectory(other.databases)
        made = Workspace("0b0e6f3c-55a1-4c6e-9f0c-7f9d5b0a1c2d", "Hollow Crown", NOON)
        other_directory.create(made)
        changes = listener.next()
        assert (changes.workspace_id, changes.workspaces, changes.own) == (None, True, False)
        other_directory.rename(replace(made, name="Hollow Crowns"))
        assert listener.next().workspaces
        with other.store.write(made.id, initiator="researcher") as unit:
            unit.memories.add([a_memory("one", scope=ScopeKey.workspace(made.id))])
            unit.commit()
        with other.store.write(WORKSPACE_ID, initiator="researcher") as unit:
            unit.memories.add([a_memory("one")])
            unit.commit()
        # What is written into a workspace is not a change of the workspaces.
        assert not listener.next().workspaces
        other.databases.let_go(made.id)
        shutil.rmtree(world.databases.workspace_folder(made.id))
        assert listener.next().workspaces


def test_a_scrub_that_another_program_asks_for_is_noticed(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as other, watching(tmp_path) as (world, listener):
        with world.store.read(None) as view:
            assert view.scrub_requests.open_requests() == ()
        with other.store.write(None, initiator="loom") as unit:
            unit.clients.save(Client("loom", ClientKind.EXTERNAL, NOON))
            unit.commit()
        assert not listener.next().scrub_requests
        with other.store.write(None, initiator="loom") as unit:
            unit.scrub_requests.save(a_request())
            unit.commit()
        changes = listener.next()
        assert (changes.scrub_requests, changes.own) == (True, False)
