from __future__ import annotations

from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.end2end.byte_scan import a_byte_scanner

NEEDLE = "zanzibarite"


def test_a_restore_never_brings_back_what_was_scrubbed(tmp_path: Path) -> None:
    with (
        a_byte_scanner() as scanner,
        open_inklings(tmp_path, embedder=NullEmbedder("none")) as inklings,
    ):
        world = inklings.workspaces.create("Saltglass")
        scope = ScopeKey.workspace(world.id)
        channel = inklings.places.channels(world.id)[0]
        room = ScopeKey.channel(world.id, channel.id)
        inklings.memories.put(MemoryDraft(scope, f"The vault holds {NEEDLE}"))
        inklings.memories.put(MemoryDraft(room, "The keeper counts the bells"))
        backup = inklings.keeping.create_backup(world.id)
        manifest = inklings.scrub.preview(scope, ScrubMode.FULL)
        outcome = inklings.scrub.execute(
            scope, ScrubMode.FULL, token=manifest.token, phrase=manifest.phrase
        )
        assert outcome.is_finished
        assert backup.name in {one.name for one in inklings.keeping.list_backups(world.id)}
        inklings.memories.put(MemoryDraft(room, "Written after the scrub"))

        restored = inklings.keeping.restore_backup(backup.name)

        assert restored.n_memories == 1
        counts = inklings.listing.count(world.id)
        assert (counts.of(scope), counts.of(room)) == (0, 1)
        assert scanner.files_with(tmp_path, NEEDLE) == set()
        assert inklings.keeping.check_data().findings == ()
        assert all(verdict.is_whole for verdict in inklings.log.verify())


def test_a_deleted_workspace_leaves_no_byte_while_the_program_goes_on(tmp_path: Path) -> None:
    with (
        a_byte_scanner() as scanner,
        open_inklings(tmp_path, embedder=NullEmbedder("none")) as inklings,
    ):
        world = inklings.workspaces.create("Lagoon of glass")
        other = inklings.workspaces.create("Northern pass")
        kept = inklings.memories.put(
            MemoryDraft(ScopeKey.workspace(other.id), "The pass is closed in winter")
        )
        scope = ScopeKey.workspace(world.id)
        inklings.memories.put(MemoryDraft(scope, f"The vault holds {NEEDLE}"))
        inklings.keeping.create_backup(world.id)
        assert scanner.files_with(tmp_path, NEEDLE, "Lagoon of glass") != set()

        inklings.workspaces.delete("Lagoon of glass", confirm="delete Lagoon of glass")

        assert scanner.files_with(tmp_path, NEEDLE, "Lagoon of glass") == set()
        named = scanner.files_with(tmp_path, world.id)
        assert named <= {"agents.db", "agents.db-wal"}
        assert not [path for path in tmp_path.rglob("*") if world.id in path.as_posix()]
        assert [one.id for one in inklings.places.workspaces()] == [other.id]
        scopes = ScopeKey.workspace(other.id)
        assert inklings.listing.count(other.id).of(scopes) == 1
        assert inklings.listing.locate(kept.id, other.id).content == kept.content
        assert inklings.keeping.check_data().findings == ()
        assert all(verdict.is_whole for verdict in inklings.log.verify())
