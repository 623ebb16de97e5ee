"""What was said of what is scrubbed goes with it: the table of agent.md, cell by cell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.rooms.messages import Message
from inklings_desktop.domain.scrub.manifest import ManifestChangedError, ScrubMode
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from tests.support.builders import WORKSPACE_ID, a_message
from tests.support.scrub_world import CHANNELS, CONVERSATIONS, ScrubWorld, scrub_world
from tests.support.sqlite_store import raw

WORKSPACE = ScopeKey.workspace(WORKSPACE_ID)
CHANNEL = ScopeKey.channel(WORKSPACE_ID, CHANNELS[0])
TALK, OTHER = (ScopeKey.conversation(WORKSPACE_ID, one) for one in CONVERSATIONS)
SCRUBBED = {"kind": "scrubbed"}
HARMLESS = {"kind": "text", "text": "Good morning."}


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[ScrubWorld]:
    with scrub_world(tmp_path) as scene:
        yield scene


def say(scene: ScrubWorld, talk: ScopeKey, *parts: object) -> None:
    message = replace(a_message(talk.key), id=scene.ids(), parts_json=json.dumps(parts))
    scene.write(talk, lambda unit: unit.messages.append(message))


def said(scene: ScrubWorld, talk: ScopeKey) -> tuple[Message, ...]:
    with scene.world.store.read(WORKSPACE_ID) as view:
        return view.messages.page(talk.key, None, 100)


def parts(scene: ScrubWorld, talk: ScopeKey) -> list[list[object]]:
    return [json.loads(one.parts_json) for one in said(scene, talk)]


def rows_of_runs(scene: ScrubWorld) -> list[int]:
    with raw(scene.world.path(WORKSPACE_ID)) as connection:
        return [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for table in ("runs", "run_checkpoints", "run_traces")
        ]


@pytest.mark.parametrize("scope", [WORKSPACE, CHANNEL], ids=["workspace", "channel"])
def test_only_the_parts_that_hold_a_removed_memory_are_emptied(
    scene: ScrubWorld, scope: ScopeKey
) -> None:
    kept, *_ = scene.add_memories(TALK, 1)
    gone, *_ = scene.add_memories(scope, 1)
    by_words = {"kind": "text", "text": f"As you said: {gone.content[:40]}"}
    by_id = {"kind": "tool", "touched": [{"id": gone.id, "how": "read"}]}
    of_another = {"kind": "memory", "id": kept.id, "title": kept.content}
    say(scene, TALK, HARMLESS, by_words, by_id, of_another)
    say(scene, OTHER, HARMLESS)
    manifest = scene.preview(scope, ScrubMode.FULL)
    assert dict(manifest.by_kind)["message"] == 1
    assert scene.scrub(scope).is_finished
    assert parts(scene, TALK) == [[HARMLESS, SCRUBBED, SCRUBBED, of_another]]


def test_all_that_was_said_in_a_scrubbed_conversation_goes_and_its_numbers_stay(
    scene: ScrubWorld,
) -> None:
    words = "The keeper tilts the plate towards the lamp."
    with scene.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        room = unit.conversations.get(TALK.key)
        unit.conversations.save(replace(room, title="The keeper tilts the plate…"))
        unit.commit()
    say(scene, TALK, {"kind": "text", "text": words})
    say(scene, TALK, HARMLESS)
    say(scene, OTHER, {"kind": "text", "text": words})
    assert scene.scrub(TALK).is_finished
    assert [one.number for one in said(scene, TALK)] == [1, 2]
    assert parts(scene, TALK) == [[SCRUBBED], [SCRUBBED]]
    with scene.world.store.read(WORKSPACE_ID) as view:
        assert view.conversations.get(TALK.key).title == ""
    assert parts(scene, OTHER) == [[{"kind": "text", "text": words}]]


def test_what_a_branch_tells_of_a_scrubbed_conversations_memories_goes_too(
    scene: ScrubWorld,
) -> None:
    gone, *_ = scene.add_memories(TALK, 1)
    quoted = {"kind": "text", "text": f"You have noted: {gone.content}"}
    say(scene, TALK, quoted)
    say(scene, OTHER, HARMLESS, quoted)
    scene.fill(OTHER, "gate", n_memories=1)
    assert scene.scrub(TALK).is_finished
    assert parts(scene, TALK) == [[SCRUBBED]]
    assert parts(scene, OTHER)[0] == [HARMLESS, SCRUBBED]
    assert rows_of_runs(scene) == [0, 0, 0]


def test_a_scrubbed_branch_leaves_the_conversation_that_it_comes_from(scene: ScrubWorld) -> None:
    kept, *_ = scene.add_memories(TALK, 1)
    quoted = {"kind": "text", "text": f"You have noted: {kept.content}"}
    say(scene, TALK, quoted)
    say(scene, OTHER, quoted)
    scene.fill(TALK, "talk", n_memories=1)
    assert scene.scrub(OTHER).is_finished
    assert parts(scene, OTHER) == [[SCRUBBED]]
    assert parts(scene, TALK)[0] == [quoted]
    assert rows_of_runs(scene) == [1, 1, 1]


def test_run_state_goes_with_one_conversation_or_with_all(scene: ScrubWorld) -> None:
    scene.fill(TALK, "talk", n_memories=2)
    scene.fill(OTHER, "gate", n_memories=2)
    assert rows_of_runs(scene) == [2, 2, 2]
    assert scene.scrub(TALK).is_finished
    assert rows_of_runs(scene) == [1, 1, 1]
    assert scene.scrub(WORKSPACE).is_finished
    assert rows_of_runs(scene) == [0, 0, 0]


def test_a_message_said_after_the_dry_run_asks_for_another_one(scene: ScrubWorld) -> None:
    gone, *_ = scene.add_memories(WORKSPACE, 1)
    before = scene.preview(WORKSPACE, ScrubMode.FULL)
    say(scene, TALK, {"kind": "text", "text": gone.content})
    after = scene.preview(WORKSPACE, before.mode)
    assert before.digest != after.digest
    say(scene, TALK, HARMLESS)
    assert scene.preview(WORKSPACE, before.mode).digest == after.digest


MARK = "zqvwkxjtbdfgh7"


def run_in(scene: ScrubWorld, talk: ScopeKey, mark: str) -> None:
    """Whatever an agent's run may leave of a conversation, all of it saying a mark."""
    body = f"What the agent held of {mark} in the middle of a turn.".encode()
    with raw(scene.world.path(WORKSPACE_ID)) as connection:
        connection.execute(
            "INSERT INTO runs VALUES (?, ?, NULL, 'orchestrator', NULL, 'parked', 'act', 1,"
            " NULL, NULL, NULL, 0, 0, 0, NULL, NULL, 0, '')",
            (f"run-{talk.key}", talk.key),
        )
        for statement, values in {
            "run_checkpoints VALUES (?, '', 'c1', NULL, 1, ?, x'7b7d')": (talk.key, body),
            "run_writes VALUES (?, '', 'c1', 'task', 0, 'turn', ?)": (talk.key, body),
            "run_compactions VALUES (?, 1, 1, ?, 'digest', 'mechanical', NULL, 1)": (
                talk.key,
                json.dumps({"said": body.decode()}),
            ),
            "run_traces VALUES (?, 1, 'act', 'tool', '{}', ?, 1)": (f"run-{talk.key}", body),
            "permission_rules VALUES (?, 'memory_put', '', 'allow', 1)": (talk.key,),
            "request_keys VALUES ('world-agent', ?, 'memory_put', ?, '[]', 1)": (
                f"{turn_of(talk)}:1",
                "0" * 64,
            ),
        }.items():
            connection.execute(f"INSERT INTO {statement}", values)


def turn_of(talk: ScopeKey) -> str:
    return f"t1-{talk.key}"


def rows_of(scene: ScrubWorld, talk: ScopeKey) -> dict[str, int]:
    """How many rows of each table are left that belong to a conversation's runs."""
    found = {}
    with raw(scene.world.path(WORKSPACE_ID)) as connection:
        for table, column, key in (
            ("runs", "conversation_id", talk.key),
            ("run_checkpoints", "thread_id", talk.key),
            ("run_writes", "thread_id", talk.key),
            ("run_compactions", "thread_id", talk.key),
            ("run_traces", "run_id", f"run-{talk.key}"),
            ("permission_rules", "conversation_id", talk.key),
            ("request_keys", "key", f"{turn_of(talk)}:1"),
        ):
            asked = f"SELECT count(*) FROM {table} WHERE {column} = ?"  # noqa: S608  of ours
            found[table] = connection.execute(asked, (key,)).fetchone()[0]
    return found


def test_thread_purge_bytes(scene: ScrubWorld) -> None:
    world = scene.world
    words = {"kind": "text", "text": "The toll is paid in glass."}
    touched = {"kind": "touched", "touched": []}
    tool = {"kind": "tool", "id": "1", "title": f"Looked for {MARK}", "outcome": f"{MARK} found"}
    asked = {"kind": "permission", "id": "2", "title": f"Write {MARK}?", "outcome": "denied"}
    for talk in (TALK, OTHER):
        said_there = replace(a_message(talk.key), id=scene.ids(), turn=turn_of(talk))
        answer = json.dumps([tool, words, asked, touched]).replace(MARK, f"{MARK}{talk.key}")
        answered = replace(a_message(talk.key, role="assistant"), id=scene.ids(), parts_json=answer)
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.messages.append(said_there)
            unit.messages.append(answered)
            unit.commit()
        run_in(scene, talk, f"{MARK}{talk.key}")
    kept, *_ = scene.add_memories(TALK, 1)
    SqliteBackupKeeper(world.databases, world.publisher, world.clock).create(WORKSPACE_ID)

    manifest = scene.preview(TALK, ScrubMode.RUN_STATE)
    assert dict(manifest.by_kind) == {
        "checkpoint": 1, "checkpoint_write": 1, "trace": 1, "compaction": 1, "message": 1,
    }  # fmt: skip
    assert manifest.phrase == "purge run state 5"
    assert dict(manifest.untouched.memories)["conversation"] == 1
    outcome = scene.execute(manifest)

    assert outcome.is_finished
    assert outcome.receipt is not None
    assert (outcome.receipt.hits, len(outcome.receipt.rewritten)) == (0, 1)
    assert parts(scene, TALK)[1] == [words, touched]
    assert parts(scene, TALK)[0] == [{"kind": "text", "text": "The toll is high."}]
    assert set(rows_of(scene, TALK).values()) == {0}
    assert set(rows_of(scene, OTHER).values()) == {1}
    held = b"".join(one.read_bytes() for one in world.databases.root.rglob("*") if one.is_file())
    assert f"{MARK}{TALK.key}".encode() not in held
    assert f"{MARK}{OTHER.key}".encode() in held
    with world.store.read(WORKSPACE_ID) as view:
        assert view.memories.get(kept.ref, None).content == kept.content
        kinds = {one.kind: one for one in view.events.latest(3)}
    assert kinds[EventKind.RUN_STATE_PURGED].counts["checkpoint"] == 1
    assert kinds[EventKind.SCRUB_EXECUTED].marks["mode"] == "run_state"
    assert SqliteLogAudit(world.databases).verify(WORKSPACE_ID).is_whole


def test_a_purge_is_of_one_conversation_and_of_what_was_shown(scene: ScrubWorld) -> None:
    run_in(scene, TALK, MARK)
    with pytest.raises(InvalidValueError, match="conversation_only"):
        scene.preview(WORKSPACE, ScrubMode.RUN_STATE)
    before = scene.preview(TALK, ScrubMode.RUN_STATE)
    with raw(scene.world.path(WORKSPACE_ID)) as connection:
        connection.execute("UPDATE run_checkpoints SET checkpoint_id = 'c2'")
    with pytest.raises(ManifestChangedError):
        scene.execute(before)
    assert rows_of(scene, TALK)["run_checkpoints"] == 1
    assert scene.scrub(TALK, ScrubMode.RUN_STATE).is_finished
    with pytest.raises(ManifestChangedError):  # nothing is left that it could be about
        scene.execute(before)
