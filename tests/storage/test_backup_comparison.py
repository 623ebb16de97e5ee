"""A backup beside what is there now, and what a person sets back of it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.entries.named_entry import EntryRef, NamedEntry
from inklings_desktop.domain.errors import BackupDamagedError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.backup import Backup, BackupReason
from inklings_desktop.domain.log.backup_comparison import Comparison, Difference, SetBackDone, Side
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch, MemoryRef, Tier
from tests.storage.keeping import N_MEMORIES, Keeping, keeping
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_person, an_agent, set_to

ADA = a_person()


def new_id() -> str:
    return str(uuid.uuid4())


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path) as kept:
        yield kept


def compared(kept: Keeping, backup: Backup) -> Comparison:
    return asked_by(ADA, kept.world, keeper=kept.keeper).keeping.compare_backup(backup.name)


def set_back(kept: Keeping, backup: Backup, *wanted: Difference) -> SetBackDone:
    world = kept.world
    return asked_by(ADA, world, keeper=kept.keeper, settings=set_to(cap=100)).keeping.set_back(
        backup.name, wanted
    )


def memories(kept: Keeping) -> list[MemoryEntry]:
    with kept.world.store.read(WORKSPACE_ID) as view:
        records = view.transfers.memories(
            scopes=None, ids=None, forgotten=True, after=0, limit=1_000
        )
    return [one.entry for one in records]


def texts(kept: Keeping) -> list[str]:
    return [one.content for one in memories(kept) if not one.is_forgotten]


def edit(kept: Keeping, entry: MemoryEntry, text: str) -> None:
    world = kept.world
    world.asked_by(ADA).memories.update(
        MemoryRef(entry.scope, entry.id),
        MemoryPatch(content=text, importance=0.9),
        expected_version=entry.version,
    )


def forget(kept: Keeping, entry: MemoryEntry) -> None:
    world = kept.world
    world.asked_by(ADA).memories.forget([MemoryRef(entry.scope, entry.id)])


def voice(kept: Keeping) -> NamedEntry:
    with kept.world.store.read(WORKSPACE_ID) as view:
        return view.entries.find("VOICE")


def write_voice(kept: Keeping, body: str) -> None:
    entry = voice(kept)
    kept.world.asked_by(ADA).entries.save(
        EntryRef(Tier.WORKSPACE, WORKSPACE_ID, entry.id), body, expected_version=entry.version
    )


def lived_on(kept: Keeping) -> Backup:
    """A backup, and since then one of every kind of difference."""
    write_voice(kept, "Smell before sight.\nNever metres.")
    made = kept.create()
    first, second, *_ = memories(kept)
    edit(kept, first, "saltglass 0 sings at high tide")
    forget(kept, second)
    kept.write("the keeper tips the plate")
    write_voice(kept, "Smell before sight.\nNever metres, never hours.")
    return made


def test_what_is_the_same_in_both_is_counted_and_not_listed(kept: Keeping) -> None:
    found = compared(kept, kept.create())

    assert found.is_same
    assert (found.n_same_memories, found.n_same_entries) == (N_MEMORIES, 1)


def test_what_came_went_and_changed_since_is_told_apart(kept: Keeping) -> None:
    made = lived_on(kept)

    found = compared(kept, made)

    assert [(one.is_entry, one.side) for one in found.differences] == [
        (True, Side.DIFFERS),
        (False, Side.ONLY_NOW),
        (False, Side.ONLY_THEN),
        (False, Side.DIFFERS),
    ]
    assert found.n_same_memories == N_MEMORIES - 2
    changed = found.differences[-1]
    assert isinstance(changed.then, MemoryEntry)
    assert isinstance(changed.now, MemoryEntry)
    assert changed.then.content == "saltglass 0 hums at low tide"
    assert changed.now.content == "saltglass 0 sings at high tide"
    assert found.scrubbed == ()


def test_reads_and_vectors_are_no_difference(kept: Keeping) -> None:
    made = kept.create()
    with kept.world.store.write(WORKSPACE_ID, initiator="researcher") as unit:
        unit.memories.count_reads([memories(kept)[0].id], NOON)
        unit.commit()

    assert compared(kept, made).is_same


def test_all_of_it_can_be_set_back_and_every_step_is_in_a_history(kept: Keeping) -> None:
    made = lived_on(kept)
    found = compared(kept, made)

    done = set_back(kept, made, *found.differences)

    assert (done.n_gone, done.n_returned, done.n_changed, done.left) == (1, 1, 2, ())
    assert compared(kept, made).is_same
    assert sorted(texts(kept)) == sorted(f"saltglass {n} hums at low tide" for n in range(12))
    gone = next(one for one in memories(kept) if one.content == "the keeper tips the plate")
    assert gone.forgotten_reason == "set back to a backup"
    with kept.world.store.read(WORKSPACE_ID) as view:
        changed = view.memories.history(found.differences[-1].id)
        bodies = [view.entries.revision(voice(kept).id, n).body for n in (2, 3, 4)]
        event = view.events.get(done.event_number or 0)
    assert [one.content for one in changed] == [
        "saltglass 0 sings at high tide",
        "saltglass 0 hums at low tide",
    ]
    assert bodies[1] == "Smell before sight.\nNever metres, never hours."
    assert bodies[2] == bodies[0]
    assert (event.kind, event.counts) == (EventKind.BACKUP_RESTORED, {"set_back": 4})
    assert event.marks["kept"] in done.safety.name


def test_what_is_left_stays_as_it_is_now(kept: Keeping) -> None:
    made = lived_on(kept)
    found = compared(kept, made)

    done = set_back(kept, made, found.differences[2])

    assert done.n_returned == 1
    assert voice(kept).body.endswith("never hours.")
    assert "the keeper tips the plate" in texts(kept)
    assert len(compared(kept, made).differences) == 3


def test_the_backup_of_before_takes_the_whole_of_it_back(kept: Keeping) -> None:
    made = lived_on(kept)
    before = sorted(texts(kept))
    done = set_back(kept, made, *compared(kept, made).differences)
    assert done.safety.reason is BackupReason.BEFORE_RESTORE

    back = compared(kept, done.safety)
    set_back(kept, done.safety, *back.differences)

    assert sorted(texts(kept)) == before
    assert voice(kept).body.endswith("never hours.")


def test_what_somebody_changed_since_the_comparison_is_left(kept: Keeping) -> None:
    made = lived_on(kept)
    found = compared(kept, made)
    entry = next(one for one in memories(kept) if one.id == found.differences[-1].id)
    edit(kept, entry, "and saltglass 0 falls silent")
    write_voice(kept, "Written meanwhile.")

    done = set_back(kept, made, *found.differences)

    assert set(done.left) == {found.differences[0].id, entry.id}
    assert (done.n_gone, done.n_returned, done.n_changed) == (1, 1, 0)
    assert "and saltglass 0 falls silent" in texts(kept)
    assert voice(kept).body == "Written meanwhile."


def test_nothing_chosen_changes_nothing_and_leaves_no_event(kept: Keeping) -> None:
    made = lived_on(kept)
    before = memories(kept)

    done = set_back(kept, made)

    assert done.event_number is None
    assert memories(kept) == before


def test_what_an_older_restore_took_out_of_the_file_comes_back_with_its_history(
    kept: Keeping,
) -> None:
    old = kept.create()
    kept.write("written after it")
    entry = next(one for one in memories(kept) if one.content == "written after it")
    edit(kept, entry, "written after it, and edited")
    safety = kept.restore(old).safety
    assert safety is not None

    found = compared(kept, safety)
    (lost,) = found.differences
    assert (lost.side, lost.now) == (Side.ONLY_THEN, None)
    set_back(kept, safety, lost)

    assert compared(kept, safety).is_same
    with kept.world.store.read(WORKSPACE_ID) as view:
        (version,) = view.memories.history(entry.id)
    assert version.content == "written after it"


def test_companions_come_and_go_with_it(kept: Keeping) -> None:
    world = kept.world
    deleted = world.asked_by(ADA).entries.create(
        Tier.WORKSPACE, WORKSPACE_ID, "GLOSSARY", "Tide: what turns."
    )
    made = kept.create()
    world.asked_by(ADA).entries.delete(
        EntryRef(Tier.WORKSPACE, WORKSPACE_ID, deleted.id), expected_version=deleted.version
    )
    world.asked_by(ADA).entries.create(Tier.WORKSPACE, WORKSPACE_ID, "PEOPLE", "Ottoline.")

    found = compared(kept, made)
    assert {one.side for one in found.differences} == {Side.ONLY_THEN, Side.ONLY_NOW}
    set_back(kept, made, *found.differences)

    with world.store.read(WORKSPACE_ID) as view:
        assert [one.name for one in view.entries.entries()] == ["VOICE", "GLOSSARY"]
        assert view.entries.find("GLOSSARY").body == "Tide: what turns."


def test_one_whose_name_is_taken_by_now_is_left(kept: Keeping) -> None:
    world = kept.world
    deleted = world.asked_by(ADA).entries.create(
        Tier.WORKSPACE, WORKSPACE_ID, "GLOSSARY", "Tide: what turns."
    )
    made = kept.create()
    world.asked_by(ADA).entries.delete(
        EntryRef(Tier.WORKSPACE, WORKSPACE_ID, deleted.id), expected_version=deleted.version
    )
    world.asked_by(ADA).entries.create(Tier.WORKSPACE, WORKSPACE_ID, "GLOSSARY", "Another one.")

    gone = next(one for one in compared(kept, made).differences if one.side is Side.ONLY_THEN)

    assert set_back(kept, made, gone).left == (deleted.id,)


def test_a_full_scope_takes_nothing_back(kept: Keeping) -> None:
    made = lived_on(kept)
    gone = next(one for one in compared(kept, made).differences if one.side is Side.ONLY_THEN)
    world = kept.world

    assert asked_by(ADA, world, keeper=kept.keeper, settings=set_to(cap=1)).keeping.set_back(
        made.name, [gone]
    ).left == (gone.id,)


def test_scrubs_since_are_named_and_what_they_took_is_never_set_back(kept: Keeping) -> None:
    made = kept.create()
    first = memories(kept)[0]
    with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.events.append(
            EventDraft(
                EventKind.SCRUB_EXECUTED,
                "Ada",
                "person",
                "cli",
                first.scope.tier.value,
                first.scope.key,
                counts={"removed": 7},
            ),
            NOON,
        )
        unit.commit()

    (scrub,) = compared(kept, made).scrubbed

    assert (scrub.tier, scrub.scope_key, scrub.n_removed) == (
        first.scope.tier.value,
        first.scope.key,
        7,
    )


def test_agents_compare_and_set_back_nothing(kept: Keeping) -> None:
    made = kept.create()
    agent = an_agent("researcher")
    world = kept.world

    with pytest.raises(ScopeDeniedError):
        asked_by(agent, world, keeper=kept.keeper).keeping.compare_backup(made.name)
    with pytest.raises(ScopeDeniedError):
        asked_by(agent, world, keeper=kept.keeper).keeping.set_back(made.name, [])


def test_a_damaged_backup_is_refused_before_anything_is_looked_at(kept: Keeping) -> None:
    made = kept.create()
    path = kept.file_of(made)
    content = bytearray(path.read_bytes())
    content[8_192:12_288] = bytes(4_096)
    path.write_bytes(content)

    with pytest.raises(BackupDamagedError):
        compared(kept, made)
    with pytest.raises(NotFoundError):
        compared(kept, replace(made, name="nobody/20260314T120000000Z.db"))
