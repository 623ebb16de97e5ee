"""The named test ``scrub_dryrun``: what a dry run shows is what the execution removes."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.memory import MemoryAction, ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ManifestChangedError, ScrubMode
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.scrub_world import ScrubWorld, scopes, scrub_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from inklings_desktop.domain.scrub.manifest import Breakdown, ScrubManifest
    from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork

    Dump = dict[str, list[tuple[object, ...]]]

PLANS, PLANS_FULL = 12, 500
PLANS_PER_WORLD = 6
RUNS = ("s", "_checkpoints", "_writes", "_compactions", "_traces")
FILES = (None, WORKSPACE_ID, OTHER_WORKSPACE_ID)
# What a scrub writes besides removing: counters, the log, and who asked last.
BOOKKEEPING = {"meta", "events", "purges", "scope_counts"}
# What an account's scrub takes out of every workspace: what was said of it, and who notes that.
OF_TALK = BOOKKEEPING | {"messages", "permission_rules", *(f"run{one}" for one in RUNS)}


def bytes_of(root: Path) -> dict[str, str]:
    """Digest of every file but the index of a WAL, which readers write into."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


def dumps(scene: ScrubWorld) -> dict[str | None, Dump]:
    return {file: scene.dump(file) for file in FILES}


def removed_rows(before: Dump, after: Dump, table: str) -> list[tuple[object, ...]]:
    return list((Counter(before.get(table, ())) - Counter(after.get(table, ()))).elements())


def counted(values: list[object]) -> Breakdown:
    found = Counter(str(value) for value in values)
    return tuple(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def fill_something(scene: ScrubWorld) -> None:
    for scope in scene.chance.sample(scopes(), 3):
        scene.fill(scope, n_memories=scene.chance.randrange(1, 8))
    other = scene.chance.choice(scopes(OTHER_WORKSPACE_ID))
    scene.add_memories(other, 2)


def change_inside(scene: ScrubWorld, scope: ScopeKey, mode: ScrubMode) -> None:
    """One write that a scrub of this scope is about."""
    changes: list[Callable[[], object]] = [lambda: scene.add_memories(scope, 1)]
    changes.append(lambda: scene.add_proposals(scope))
    if scope.tier is Tier.CONVERSATION:
        changes.append(lambda: scene.add_note(scope.key, "one more", "which was not counted"))
    if scope.tier in {Tier.WORKSPACE, Tier.ACCOUNT}:
        changes.append(lambda: scene.add_entries(scope.workspace_id))
    with scene.world.store.read(scope.workspace_id) as view:
        entries = [
            one for one in view.memories.active_of_conversation(scope) if not one.is_forgotten
        ]
        asked = [
            one
            for one in view.proposals.proposals(states=[ProposalState.PENDING])
            if one.scope == scope and (mode is ScrubMode.FULL or not one.target_name)
        ]

    def edit(unit: SqliteUnitOfWork) -> None:
        entry = scene.chance.choice(entries)
        unit.memories.save(
            replace(entry, content=f"{entry.content} Changed."),
            expected_version=entry.version,
            action=MemoryAction.EDITED,
            changed_by="Ada",
            door="cli",
            changed_at=NOON,
        )

    def decide(unit: SqliteUnitOfWork) -> None:
        unit.proposals.decide(asked[0].id, ProposalState.REJECTED, note="", decided_at=NOON)

    if entries:
        changes.append(lambda: scene.write(scope, edit))
    if asked:
        changes.append(lambda: scene.write(scope, decide))
    scene.chance.choice(changes)()


def change_outside(scene: ScrubWorld, scope: ScopeKey) -> None:
    """Writes that a scrub of this scope is not about, reads and time among them."""
    others = [one for one in scopes() if one.tier is not scope.tier or one.key != scope.key]
    other = scene.chance.choice([*others, ScopeKey.workspace(OTHER_WORKSPACE_ID)])
    scene.add_memories(other, 1)

    def read(unit: SqliteUnitOfWork) -> None:
        ids = [one.id for one in unit.memories.active_of_conversation(scope)]
        unit.memories.count_reads(ids, NOON)

    scene.write(scope, read)
    scene.world.clock.advance(hours=0.05)


def assert_shown_is_removed(
    manifest: ScrubManifest, before: Dump, after: Dump, others: Iterable[tuple[Dump, Dump]] = ()
) -> None:
    """What is gone is what was counted, and nothing else.

    Args:
        manifest: What was shown.
        before: The file that was scrubbed.
        after: The same afterwards.
        others: Files in which what was said of it goes, too, before and after.
    """
    memories = removed_rows(before, after, "memories")
    # sequence, id, version, tier, scope_key, agent_id, content, lifetime, source, curator, writer
    assert {row[3:5] for row in memories} <= {(manifest.scope.tier.value, manifest.scope.key)}
    notes = removed_rows(before, after, "notes")
    entries = removed_rows(before, after, "named_entries")
    kinds = dict(manifest.by_kind)
    assert len(memories) == kinds.get("memory", 0)
    assert len(notes) == kinds.get("working_note", 0)
    assert len(entries) == kinds.get("named_entry", 0)
    emptied: list[Any] = []
    for was, is_ in ((before, after), *others):
        if "messages" in was:
            emptied += removed_rows(was, is_, "messages")
            assert len(was["messages"]) == len(
                is_["messages"]
            )  # emptied, and there with its number
    assert len(emptied) == kinds.get("message", 0)
    assert manifest.n_removed == len(memories) + len(notes) + len(entries) + len(emptied)
    assert manifest.by_lifetime == counted([row[7] for row in memories])
    assert manifest.by_source == counted([row[8] for row in memories])
    assert manifest.by_curator == counted([row[9] for row in memories])
    assert manifest.n_forgotten == sum(row[25] is not None for row in memories)
    assert manifest.by_tier == counted([manifest.scope.tier.value] * (len(memories) + len(notes)))
    proposals = removed_rows(before, after, "proposals")
    assert len(proposals) == manifest.n_proposals
    assert len(removed_rows(before, after, "golden_questions")) == manifest.n_questions
    gone = {row[1] for row in (*memories, *emptied)}
    gone |= {row[0] for row in entries} | {row[2] for row in notes}
    assert {one.id for one in manifest.sample} <= gone
    # Nothing but the removed stands for it: history, vectors, search rows, revisions, drafts.
    ids, sequences = {row[1] for row in memories}, {row[0] for row in memories}
    entry_ids = {row[0] for row in entries}
    for table, keys in (
        ("memory_versions", ids),
        ("memory_vectors", sequences),
        ("memory_tokens", sequences),
        ("coming_vectors", sequences),
        ("memory_search", sequences),
        ("named_entry_revisions", entry_ids),
        ("drafts", entry_ids),
    ):
        expected = [row for row in before[table] if row[0] in keys]
        assert sorted(removed_rows(before, after, table), key=repr) == sorted(expected, key=repr)
    place = (manifest.scope.tier.value, manifest.scope.key)
    typed = [row for row in before["memory_drafts"] if row[1:3] == place]
    gone_typing = removed_rows(before, after, "memory_drafts")
    assert sorted(gone_typing, key=repr) == sorted(typed, key=repr)
    for table in set(before) - BOOKKEEPING - {"conversations", "named_entries", "messages"}:
        added = removed_rows(after, before, table)
        assert added == [] or table == "named_entry_revisions", table
    shipped = removed_rows(after, before, "named_entries")
    assert all(row[4] == row[5] == row[6] == 1 for row in shipped)  # built in, template, version 1


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_a_dry_run_changes_nothing_and_shows_what_the_execution_removes(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    plans = reduced_or_full(PLANS, PLANS_FULL)
    refused = executed = 0
    for first in range(0, plans, PLANS_PER_WORLD):
        with scrub_world(tmp_path / str(first), seed=first) as scene:
            for _ in range(first, min(first + PLANS_PER_WORLD, plans)):
                fill_something(scene)
                scope = scene.chance.choice(scopes())
                mode = scene.chance.choice((ScrubMode.KEEP_NAMED, ScrubMode.FULL))
                before, files = dumps(scene), bytes_of(scene.world.root)

                manifest = scene.preview(scope, mode)

                assert bytes_of(scene.world.root) == files
                assert dumps(scene) == before
                if scene.chance.random() < 0.4:
                    change_inside(scene, scope, mode)
                    changed = dumps(scene)
                    with pytest.raises(ManifestChangedError) as told:
                        scene.execute(manifest)
                    assert dumps(scene) == changed
                    assert told.value.manifest.digest != manifest.digest
                    manifest = told.value.manifest
                    refused += 1
                elif scene.chance.random() < 0.5:
                    change_outside(scene, scope)
                before = dumps(scene)

                outcome = scene.execute(manifest)

                after = dumps(scene)
                assert outcome.is_finished
                assert outcome.manifest.digest == manifest.digest
                own = scope.workspace_id
                others = set(FILES) - {own} if scope.tier is Tier.ACCOUNT else set()
                assert_shown_is_removed(
                    manifest,
                    before[own],
                    after[own],
                    [(before[file], after[file]) for file in others],
                )
                for file in set(FILES) - {own}:
                    said = OF_TALK if file in others else set()
                    for table in before[file].keys() - said:
                        assert after[file][table] == before[file][table], table
                executed += 1
    assert executed == plans
    assert refused > plans // 5
