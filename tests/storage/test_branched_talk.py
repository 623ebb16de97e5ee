"""A branch is talk like any other: exported, scrubbed and left alone as such."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.outside.export_files import LocalExportFiles
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_message, a_person
from tests.support.scrub_world import CONVERSATIONS, ScrubWorld, scrub_world

SOURCE = ScopeKey.conversation(WORKSPACE_ID, CONVERSATIONS[0])
WORDS = "The keeper tilts the plate towards the lamp."


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[ScrubWorld]:
    with scrub_world(tmp_path) as scene:
        yield scene


def branched(scene: ScrubWorld) -> ScopeKey:
    """A branch of a conversation in which two things were said."""
    world = scene.world
    for turn, text in (("t1", WORDS), ("t2", "And then?")):
        message = replace(a_message(SOURCE.key, text), id=scene.ids(), turn=turn)
        with world.store.write(WORKSPACE_ID, initiator="test") as unit:
            unit.messages.append(message)
            unit.commit()
    mine = asked_by(a_person(), world, new_id=scene.ids)
    made = mine.messages.branch(WORKSPACE_ID, SOURCE.key, "t2")
    return ScopeKey.conversation(WORKSPACE_ID, made.id)


def said(scene: ScrubWorld, talk: ScopeKey) -> str:
    with scene.world.store.read(WORKSPACE_ID) as view:
        return "\n".join(one.parts_json for one in view.messages.page(talk.key, None, 100))


def test_either_conversation_is_scrubbed_without_the_other(scene: ScrubWorld) -> None:
    branch = branched(scene)
    assert scene.scrub(SOURCE).is_finished
    assert WORDS not in said(scene, SOURCE)
    assert WORDS in said(scene, branch)
    assert scene.scrub(branch).is_finished
    assert WORDS not in said(scene, branch)
    root = scene.world.databases.root
    held = b"".join(one.read_bytes() for one in root.rglob("*") if one.is_file())
    assert WORDS.encode() not in held


def test_both_are_exported(scene: ScrubWorld, tmp_path: Path) -> None:
    branch, world = branched(scene), scene.world
    path = tmp_path / "all.json"
    asked_by(a_person(), world, export_files=LocalExportFiles(), version="0.1").transfer.export(
        ExportRequest(with_talk=True), path
    )
    (messages,) = [
        one["messages"]
        for one in json.loads(path.read_text("utf-8"))["workspaces"]
        if one["messages"]
    ]
    whose = [one["conversation_id"] for one in messages]
    assert (whose.count(SOURCE.key), whose.count(branch.key)) == (3, 2)  # a bookmark too


def test_a_scrub_leaves_of_a_bookmark_no_more_than_that_there_was_one(scene: ScrubWorld) -> None:
    branched(scene)
    name = "Where the toll was settled"
    mine = asked_by(a_person(), scene.world, new_id=scene.ids)
    made = mine.messages.bookmark(WORKSPACE_ID, SOURCE.key, "t1", name=name)
    assert scene.scrub(SOURCE).is_finished
    kept = mine.messages.get(WORKSPACE_ID, SOURCE.key, made.id)
    assert (kept.number, kept.parts_json) == (made.number, '[{"kind":"scrubbed"}]')
    root = scene.world.databases.root
    assert not any(name.encode() in one.read_bytes() for one in root.rglob("*") if one.is_file())
