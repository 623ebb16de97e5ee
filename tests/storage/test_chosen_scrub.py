"""A scrub of chosen memories: these and their copies go for good, whatever lies beside them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import BackupFate, ChosenScope, ScrubMode
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.salvage.drift import drift_of
from inklings_desktop.storage.scrubbing import erasure
from tests.support.builders import NOON, WORKSPACE_ID, the_clock
from tests.support.scrub_world import ADA, CHANNELS, CONVERSATIONS, ScrubWorld, scrub_world
from tests.support.sqlite_store import integrity_faults, raw

MARK, TALK = "zqvwkxjtbdfgh7", ScopeKey.conversation(WORKSPACE_ID, CONVERSATIONS[0])
CHANNEL, WORLD = ScopeKey.channel(WORKSPACE_ID, CHANNELS[1]), ScopeKey.workspace(WORKSPACE_ID)


def chosen_of(scene: ScrubWorld, *scopes: ScopeKey) -> tuple[ChosenScope, set[str], str]:
    """Memories with the mark, by turns with others: they lend context to each other."""
    chosen, kept = [], set()
    for scope in scopes:
        for _ in range(6):
            chosen += scene.add_memories(scope, 1, MARK)
            kept |= {one.id for one in scene.add_memories(scope, 1, "kept")}
    scene.write(scopes[0], lambda unit: [unit.drafts.drop_typing(one, "") for one in scopes])
    scene.add_talk(TALK, chosen, MARK)
    of = ChosenScope.of(scopes[0].workspace_id, (one.id for one in chosen))
    return of, kept, chosen[0].content


def column(scene: ScrubWorld, statement: str, workspace_id: str | None = WORKSPACE_ID) -> set[str]:
    with raw(scene.world.path(workspace_id)) as connection:
        return {value for (value,) in connection.execute(statement)}


def files_with_mark(root: Path) -> list[Path]:
    files = (one for one in root.rglob("*") if one.is_file())
    return [one for one in files if MARK.encode() in one.read_bytes()]


def keeper_of(scene: ScrubWorld) -> SqliteBackupKeeper:
    return SqliteBackupKeeper(scene.world.databases, scene.world.publisher, scene.world.clock)


@pytest.mark.parametrize("killed_at", ["rebuild_index", "fold_wal", "remove_unfinished"])
def test_a_scrub_that_is_killed_resumes_with_exactly_the_chosen_memories(
    killed_at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, own_copy = tmp_path / "root", tmp_path / "own.db"
    with scrub_world(root) as scene:
        scope, kept, content = chosen_of(scene, TALK, CHANNEL, WORLD)
        scene.add_note(CONVERSATIONS[1], "copy", f"To do: {content}")
        scene.add_note(CONVERSATIONS[1], "other", "Count the ropes on the quay before dark.")
        asked = [
            Proposal(
                scene.ids(), ProposalKind.MEMORY_NEW, WORKSPACE_ID, Tier.CHANNEL, CHANNELS[0], "",
                "", None, {"content": text}, "", "researcher", ProposalState.PENDING, "", NOON,
            )
            for text in (content, "Nobody rows at night.")
        ]  # fmt: skip
        scene.write(WORLD, lambda unit: [unit.proposals.add(one) for one in asked])
        shutil.copy(root / "backups" / keeper_of(scene).create(WORKSPACE_ID).name, own_copy)
        manifest = scene.preview(scope, ScrubMode.KEEP_NAMED)
        assert dict(manifest.by_kind) == {"memory": 18, "message": 1, "working_note": 1}
        assert dict(manifest.by_tier) == {"channel": 6, "conversation": 7, "workspace": 6}
        assert (manifest.phrase, manifest.n_proposals) == ("scrub chosen 20", 1)
        assert [one.fate for one in manifest.backups] == [BackupFate.REWRITTEN]
        with monkeypatch.context() as patched:
            patched.setattr(erasure, killed_at, _killed)
            with pytest.raises(KeyboardInterrupt):
                scene.execute(manifest)

    with scrub_world(root) as scene:
        assert [one.scope for one in scene.pending(ADA)] == [scope]
        (later,) = scene.add_memories(TALK, 1, "later")
        assert [one.is_finished for one in scene.resume(the_clock())] == [True]
        assert column(scene, "SELECT id FROM memories") == kept | {later.id}
        assert column(scene, "SELECT key FROM notes") == {"other"}
        assert len(column(scene, "SELECT id FROM proposals")) == 1
        with scene.world.store.read(WORKSPACE_ID) as view:
            assert [one.ids for one in view.events.latest(9) if one.ids] == [scope.ids]
            assert not drift_of(view.notes._transaction.connection).counts
        keeper_of(scene).adopt(own_copy)
        assert files_with_mark(root) == []
        assert integrity_faults(scene.world.path()) == []


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_chosen_memories_of_the_account_leave_the_talk_of_every_workspace(tmp_path: Path) -> None:
    names = "SELECT name FROM named_entries"
    with scrub_world(tmp_path) as scene:
        scope, kept, _ = chosen_of(scene, ScopeKey.account())
        before = column(scene, names, None)
        outcome = scene.scrub(scope, ScrubMode.FULL)  # no named entry is chosen, so none goes
        assert outcome.is_finished
        assert dict(outcome.manifest.by_kind) == {"memory": 6, "message": 1}
        assert column(scene, "SELECT id FROM memories", None) == kept
        assert column(scene, names, None) == before
        assert files_with_mark(tmp_path) == []
