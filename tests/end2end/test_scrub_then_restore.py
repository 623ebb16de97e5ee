from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from tests.end2end.byte_scan import a_byte_scanner

if TYPE_CHECKING:
    from pathlib import Path

NEEDLE = "zanzibarite"


def test_a_restore_never_brings_back_what_was_scrubbed(tmp_path: Path) -> None:
    with (
        a_byte_scanner() as scanner,
        open_inklings(tmp_path, embedder=NullEmbedder("none")) as inklings,
    ):
        me = inklings.caller
        world = inklings.create_workspace(me, "Saltglass")
        scope = ScopeKey.workspace(world.id)
        channel = inklings.list_channels(me, world.id)[0]
        room = ScopeKey.channel(world.id, channel.id)
        inklings.put_memory(me, MemoryDraft(scope, f"The vault holds {NEEDLE}"))
        inklings.put_memory(me, MemoryDraft(room, "The keeper counts the bells"))
        backup = inklings.create_backup(me, world.id)
        manifest = inklings.preview_scrub(me, scope, ScrubMode.FULL)
        outcome = inklings.execute_scrub(
            me, scope, ScrubMode.FULL, token=manifest.token, phrase=manifest.phrase
        )
        assert outcome.is_finished
        assert backup.name in {one.name for one in inklings.list_backups(me, world.id)}
        inklings.put_memory(me, MemoryDraft(room, "Written after the scrub"))

        restored = inklings.restore_backup(me, backup.name)

        assert restored.n_memories == 1
        counts = inklings.count_memories(me, world.id)
        assert (counts.of(scope), counts.of(room)) == (0, 1)
        assert scanner.files_with(tmp_path, NEEDLE) == set()
        assert inklings.check_data(me).findings == ()
        assert all(verdict.is_whole for verdict in inklings.verify_logs(me))


def test_a_deleted_workspace_leaves_no_byte_while_the_program_goes_on(tmp_path: Path) -> None:
    with (
        a_byte_scanner() as scanner,
        open_inklings(tmp_path, embedder=NullEmbedder("none")) as inklings,
    ):
        me = inklings.caller
        world = inklings.create_workspace(me, "Lagoon of glass")
        other = inklings.create_workspace(me, "Northern pass")
        kept = inklings.put_memory(
            me, MemoryDraft(ScopeKey.workspace(other.id), "The pass is closed in winter")
        )
        scope = ScopeKey.workspace(world.id)
        inklings.put_memory(me, MemoryDraft(scope, f"The vault holds {NEEDLE}"))
        inklings.create_backup(me, world.id)
        assert scanner.files_with(tmp_path, NEEDLE, "Lagoon of glass") != set()

        inklings.delete_workspace(me, "Lagoon of glass", confirm="delete Lagoon of glass")

        assert scanner.files_with(tmp_path, NEEDLE, "Lagoon of glass") == set()
        named = scanner.files_with(tmp_path, world.id)
        assert named <= {"agents.db", "agents.db-wal"}
        assert not [path for path in tmp_path.rglob("*") if world.id in path.as_posix()]
        assert [one.id for one in inklings.list_workspaces(me)] == [other.id]
        scopes = ScopeKey.workspace(other.id)
        assert inklings.count_memories(me, other.id).of(scopes) == 1
        assert inklings.locate_memory(me, kept.id, other.id).content == kept.content
        assert inklings.check_data(me).findings == ()
        assert all(verdict.is_whole for verdict in inklings.verify_logs(me))
