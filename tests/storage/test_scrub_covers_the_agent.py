"""What becomes of talk and of the state of runs, whatever happens: the table, cell by cell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.outside.export_files import LocalExportFiles
from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.storage.keeping import DRAFT
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_message, a_person
from tests.support.scrub_world import CHANNELS, CONVERSATIONS, ScrubWorld, scrub_world
from tests.support.sqlite_store import raw

TALK, OTHER = (ScopeKey.conversation(WORKSPACE_ID, one) for one in CONVERSATIONS)
PLACES = {
    "conversation": TALK,
    "channel": ScopeKey.channel(WORKSPACE_ID, CHANNELS[0]),
    "workspace": ScopeKey.workspace(WORKSPACE_ID),
    "account": ScopeKey.account(),
}
SCRUBBED = {"kind": "scrubbed"}
PLAIN = {"kind": "text", "text": "Good morning."}
TOOL = {"kind": "tool", "id": "1", "title": "Looked around"}
RUN_TABLES = (
    "runs", "run_checkpoints", "run_writes", "run_compactions", "run_traces", "permission_rules",
    "request_keys",
)  # fmt: skip
MARK = "zqvwkxjtbdfgh7"


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[ScrubWorld]:
    """Both conversations quote a memory of every tier, and have run state that does."""
    with scrub_world(tmp_path / "root") as scene:
        kept = {name: scene.add_memories(scope, 1)[0] for name, scope in PLACES.items()}
        for talk in (TALK, OTHER):
            _talk(scene, talk, kept)
            _run(scene, talk)
        yield scene


def _talk(scene: ScrubWorld, talk: ScopeKey, kept: dict[str, MemoryEntry]) -> None:
    quotes = [{"kind": "text", "text": f"You said: {one.content}"} for one in kept.values()]
    message = replace(
        a_message(talk.key, role="assistant"),
        id=scene.ids(),
        turn=f"t1-{talk.key}",
        parts_json=json.dumps([PLAIN, TOOL, *quotes]),
    )
    scene.write(talk, lambda unit: unit.messages.append(message))


def _run(scene: ScrubWorld, talk: ScopeKey) -> None:
    key, body = talk.key, f"What the agent held of {MARK}.".encode()
    rows: dict[str, tuple[object, ...]] = {
        "runs": (
            f"run-{key}", key, None, "orchestrator", None, "running", "act", 1, None, None, None,
            0, 0, 0, None, None, 0, "",
        ),
        "run_checkpoints": (key, "", "c1", None, 1, body, b"{}"),
        "run_writes": (key, "", "c1", "task", 0, "turn", body),
        "run_compactions": (key, 1, 1, json.dumps({"s": MARK}), "d", "mechanical", None, 1),
        "run_traces": (f"run-{key}", 1, "act", "tool", "{}", body, 1),
        "permission_rules": (key, "memory_put", "", "allow", 1),
        "request_keys": ("world-agent", f"t1-{key}:1", "memory_put", "0" * 64, "[]", 1),
    }  # fmt: skip
    with raw(scene.world.path(WORKSPACE_ID)) as connection:
        for table, values in rows.items():
            places = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO {table} VALUES ({places})", values)  # noqa: S608  ours


def said(scene: ScrubWorld, talk: ScopeKey) -> list[dict[str, object]]:
    """The parts of the only message of a conversation."""
    with scene.world.store.read(WORKSPACE_ID) as view:
        (message,) = view.messages.page(talk.key, None, 100)
    assert message.number == 1
    found: list[dict[str, object]] = json.loads(message.parts_json)
    return found


def n_rows(scene: ScrubWorld) -> set[int]:
    """How many rows each table of runs has."""
    with raw(scene.world.path(WORKSPACE_ID)) as connection:
        return {
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608  ours
            for table in RUN_TABLES
        }


def held(scene: ScrubWorld) -> bytes:
    root = scene.world.databases.root
    return b"".join(one.read_bytes() for one in root.rglob("*") if one.is_file())


def backed_up(scene: ScrubWorld) -> SqliteBackupKeeper:
    world = scene.world
    keeper = SqliteBackupKeeper(world.databases, world.publisher, world.clock)
    keeper.create(WORKSPACE_ID)
    return keeper


def scrub_of_a_conversation(scene: ScrubWorld) -> None:
    before, place = said(scene, OTHER), 2 + list(PLACES).index("conversation")
    assert scene.scrub(TALK).is_finished
    left = [SCRUBBED if at == place else part for at, part in enumerate(before)]
    assert (said(scene, TALK), said(scene, OTHER)) == ([SCRUBBED], left)
    assert n_rows(scene) == {0, 1}, "the other one's runs may tell of it; its keys cannot"


def scrub_of_a_wider_tier(scene: ScrubWorld, name: str) -> None:
    before, place = said(scene, TALK), 2 + list(PLACES).index(name)
    backed_up(scene)
    gone = str(before[place]["text"]).removeprefix("You said: ")
    manifest = scene.preview(PLACES[name], ScrubMode.FULL)
    assert dict(manifest.by_kind)["message"] == 2
    assert sum(n for _, n in manifest.by_workspace) == (2 if name == "account" else 0)
    assert scene.execute(manifest).is_finished
    for talk in (TALK, OTHER):
        left = [SCRUBBED if at == place else part for at, part in enumerate(before)]
        assert said(scene, talk) == left
    assert n_rows(scene) == {0}
    assert gone.encode() not in held(scene), "nor in a backup, a WAL or a free page"


def purge_of_run_state(scene: ScrubWorld) -> None:
    words = [part for part in said(scene, TALK) if part != TOOL]
    assert scene.scrub(TALK, ScrubMode.RUN_STATE).is_finished
    assert said(scene, TALK) == words
    assert n_rows(scene) == {1}


def export(scene: ScrubWorld, path: Path) -> None:
    world = scene.world
    for with_talk in (True, False):
        asked_by(a_person(), world, export_files=LocalExportFiles(), version="0.1").transfer.export(
            ExportRequest(with_talk=with_talk), path
        )
        document = json.loads(path.read_text("utf-8"))
        found = [len(one["messages"]) for one in document["workspaces"]]
        assert sorted(found) == ([0, 2] if with_talk else [0, 0])
        assert MARK not in path.read_text("utf-8"), "never what a run holds"


def restore(scene: ScrubWorld) -> None:
    before = said(scene, TALK)
    keeper = backed_up(scene)
    assert scene.scrub(TALK, ScrubMode.RUN_STATE).is_finished
    scene.write(TALK, lambda unit: unit.messages.append(replace(a_message(TALK.key), turn="t2")))
    (backup,) = keeper.kept()
    keeper.restore(backup.name, DRAFT, NOON)
    assert [part for part in before if part != TOOL] == said(scene, TALK), "purged in it as well"
    with raw(scene.world.path(WORKSPACE_ID)) as connection:
        assert connection.execute("SELECT state FROM runs").fetchall() == [("parked",)]


def deletion_of_the_workspace(scene: ScrubWorld) -> None:
    world = scene.world
    world.directory.rename(Workspace(WORKSPACE_ID, "Saltglass", NOON))
    backed_up(scene)
    eraser = SqliteWorkspaceEraser(world.databases, world.store, world.directory)
    mine = asked_by(a_person(), world, workspace_eraser=eraser)
    mine.workspaces.delete(WORKSPACE_ID, confirm="delete Saltglass")
    assert MARK.encode() not in held(scene)


CELLS: dict[str, Callable[[ScrubWorld, Path], None]] = {
    "scrub of a conversation": lambda scene, _: scrub_of_a_conversation(scene),
    "scrub of a channel": lambda scene, _: scrub_of_a_wider_tier(scene, "channel"),
    "scrub of the workspace tier": lambda scene, _: scrub_of_a_wider_tier(scene, "workspace"),
    "scrub of the account tier": lambda scene, _: scrub_of_a_wider_tier(scene, "account"),
    "purge of run state": lambda scene, _: purge_of_run_state(scene),
    "export": lambda scene, folder: export(scene, folder / "out.json"),
    "backup and restore": lambda scene, _: restore(scene),
    "deletion of the workspace": lambda scene, _: deletion_of_the_workspace(scene),
}
"""Imports are held to their cell by ``test_transfer_identity``."""


@pytest.mark.parametrize("cell", CELLS)
def test_scrub_covers_the_agent(scene: ScrubWorld, tmp_path: Path, cell: str) -> None:
    assert n_rows(scene) == {2}
    CELLS[cell](scene, tmp_path)
