"""What was said of what is scrubbed goes with it: the table of agent.md, cell by cell."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from tests.support.builders import WORKSPACE_ID, a_message
from tests.support.scrub_world import CHANNELS, CONVERSATIONS, scrub_world
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.rooms.messages import Message
    from tests.support.scrub_world import ScrubWorld

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
