from __future__ import annotations

from pathlib import Path

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.scrub_world import MODEL, ScrubWorld, scopes, scrub_world

KEPT = ScopeKey.workspace(WORKSPACE_ID)
OWN, OTHERS, SHARED = (bytes(range(first, first + 64)) for first in (1, 65, 129))


def words(scene: ScrubWorld) -> tuple[dict[object, object], dict[object, object]]:
    """Stored words of memories by sequence, and of tags."""
    dump = scene.dump(WORKSPACE_ID)
    return (
        {sequence: data for sequence, _, data in dump["memory_tokens"]},
        {tag: data for tag, _, data in dump["tag_tokens"]},
    )


def holding(root: Path, data: bytes) -> list[str]:
    """Files in which a piece of this stands."""
    found = (path for path in root.rglob("*") if path.is_file() and data[:24] in path.read_bytes())
    return [path.name for path in found]


def test_a_scrub_leaves_no_words_of_memories_and_tags(tmp_path: Path) -> None:
    scope = scopes()[0]
    with scrub_world(tmp_path, seed=7) as scene:
        with scene.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            gone, kept = unit.memories.add(
                [
                    a_memory("One that goes", scope=scope, tags=("own", "shared")),
                    a_memory("One that stays", scope=KEPT, tags=("shared",)),
                ]
            )
            unit.tokens.put(MODEL, [(gone.id, gone.content, OWN), (kept.id, kept.content, OTHERS)])
            unit.tokens.put_tags(MODEL, {"own": OWN[::-1], "shared": SHARED})
            unit.commit()
        assert holding(tmp_path, OWN)
        assert holding(tmp_path, OWN[::-1])

        outcome = scene.scrub(scope)

        assert outcome.is_finished
        assert words(scene) == ({kept.sequence: OTHERS}, {"shared": SHARED})
        assert holding(tmp_path, OWN) == []
        assert holding(tmp_path, OWN[::-1]) == []
        assert holding(tmp_path, OTHERS)


def test_a_backup_is_rewritten_without_the_words(tmp_path: Path) -> None:
    scope = scopes()[0]
    with scrub_world(tmp_path, seed=8) as scene:
        with scene.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            (gone,) = unit.memories.add([a_memory("One that goes", scope=scope, tags=("own",))])
            unit.tokens.put(MODEL, [(gone.id, gone.content, OWN)])
            unit.tokens.put_tags(MODEL, {"own": OWN[::-1]})
            unit.commit()
        world = scene.world
        SqliteBackupKeeper(world.databases, world.publisher, world.clock).create(WORKSPACE_ID)
        assert len(holding(tmp_path, OWN)) > 1

        assert scene.scrub(scope).is_finished

        assert holding(tmp_path, OWN) + holding(tmp_path, OWN[::-1]) == []
