from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inklings_desktop.cli.import_refusals import refusal_sentence
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, MemoryAction, MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    WITHDRAWN_REASON,
    ImportRefusedError,
)
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportReason,
    ImportRow,
    ImportStatus,
    RowKind,
    decided,
    tight_scopes,
)
from inklings_desktop.storage.outside.export_files import LocalExportFiles
from inklings_desktop.ui.kit.words.import_refusals import refusal_of
from inklings_desktop.usecases.ports.store import UnitOfWork
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, a_memory
from tests.support.transfers import MODEL, TransferBench, fill, transfer_bench

HERE = ScopeKey.workspace(WORKSPACE_ID)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[TransferBench]:
    with transfer_bench(tmp_path / "b", seed=9) as found:
        yield found


def put(bench: TransferBench, *entries: MemoryEntry) -> None:
    with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add(entries)
        unit.commit()


def active(bench: TransferBench) -> dict[str, MemoryEntry]:
    with bench.world.store.read(WORKSPACE_ID) as view:
        return {one.content: one for one in view.memories.active_of_conversation(HERE)}


def file_of(path: Path, *entries: MemoryEntry, **fields: Any) -> Path:
    """An export of these memories, made by another store."""
    with transfer_bench(path.with_suffix("")) as source:
        put(source, *entries)
        source.export(path)
    if fields:
        document = json.loads(path.read_text(encoding="utf-8"))
        for row in document["workspaces"][0]["memories"]:
            row.update(fields)
        path.write_text(json.dumps(document), encoding="utf-8")
    return path


def memory_rows(bench: TransferBench, path: Path) -> list[ImportRow]:
    return [row for row in bench.preview(path).rows if row.kind is RowKind.MEMORY]


def test_each_row_has_its_status_and_nothing_changes_by_looking(
    bench: TransferBench, tmp_path: Path
) -> None:
    mine = a_memory("Moonlight is permitted twice.", memory_id=bench.new_id())
    same = a_memory("British spelling throughout.", memory_id=bench.new_id())
    gone = a_memory("Forgotten here.", forgotten_at=NOON, forgotten_reason="wrong")
    put(bench, mine, same, gone)
    file = file_of(
        tmp_path / "x.json",
        replace(mine, content="Moonlight is permitted three times."),
        a_memory("  british  SPELLING throughout."),
        replace(gone, forgotten_at=None, forgotten_reason=None),
        a_memory("Wren hears the bell-buoys."),
        a_memory("Never active.", forgotten_at=NOON),
    )
    before = bench.dumps()
    preview = bench.preview(file)
    rows = [row for row in preview.rows if row.kind is RowKind.MEMORY]

    assert [(row.status, row.reason) for row in rows] == [
        (ImportStatus.CONFLICT, ImportReason.CHANGED),
        (ImportStatus.DUPLICATE, ImportReason.SAME_TEXT),
        (ImportStatus.DUPLICATE, ImportReason.FORGOTTEN_HERE),
        (ImportStatus.NEW, ImportReason.NEW),
    ]
    assert rows[0].mine is not None
    assert rows[0].mine.content == mine.content
    assert preview.n_forgotten == 1
    assert not preview.is_restore
    assert bench.dumps() == before


def test_a_duplicate_adds_its_tags_and_other_tags_make_another_memory(
    bench: TransferBench, tmp_path: Path
) -> None:
    put(bench, a_memory("Keeps the light.", tags=("Mara", "people")))
    file = file_of(
        tmp_path / "x.json",
        a_memory("Keeps the light.", tags=("people", "harbour")),
        a_memory("Keeps the light!", tags=("Orrin",)),
    )
    preview = bench.preview(file)
    rows = [row for row in preview.rows if row.kind is RowKind.MEMORY]
    assert [(row.status, row.reason, row.default) for row in rows] == [
        (ImportStatus.DUPLICATE, ImportReason.MORE_TAGS, Decision.TAKE),
        (ImportStatus.NEW, ImportReason.NEW, Decision.BOTH),
    ]
    done = bench.apply(preview)
    assert {one.content: one.tags for one in active(bench).values()} == {
        "Keeps the light.": ("Mara", "people", "harbour"),
        "Keeps the light!": ("Orrin",),
    }
    assert {row.reason for row in memory_rows(bench, file)} == {ImportReason.SAME_TEXT}
    bench.asked.withdraw_import(done.run_id)
    assert [one.tags for one in active(bench).values()] == [("Mara", "people")]


def test_meaning_is_compared_where_both_have_vectors(bench: TransferBench, tmp_path: Path) -> None:
    mine = a_memory("The toll is paid in glass.")
    put(bench, mine)
    with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.put_vectors(MODEL, [(mine.id, mine.content, np.eye(4, dtype="f4")[0])])
        unit.commit()
    for cosine, status in ((0.97, "conflict"), (0.93, "conflict"), (0.8, "new")):
        path = tmp_path / f"{cosine}.json"
        other = a_memory(f"Glass pays the toll, {status}.")
        with transfer_bench(tmp_path / str(cosine)) as source:
            put(source, other)
            vector = np.array([cosine, np.sqrt(1 - cosine**2), 0, 0], "f4")
            with source.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.memories.put_vectors(MODEL, [(other.id, other.content, vector)])
                unit.commit()
            source.export(path)
        (row,) = memory_rows(bench, path)
        assert row.status == status
        assert row.likeness == (None if status == "new" else cosine)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("The bell of Wend rings three times.", "The bell of Wend rings four times."),
        ("The bell of Wend rings at noon.", "The bell of Wend never rings at noon."),
        ("Of gulls and tides. " * 80 + "It burned.", "Of gulls and tides. " * 80 + "It stood."),
    ],
    ids=["number", "negation", "longer than the model reads"],
)
def test_what_a_vector_is_deaf_to_is_for_the_author_to_decide(
    bench: TransferBench, tmp_path: Path, mine: str, theirs: str
) -> None:
    alike = np.eye(4, dtype="f4")[0]
    here, other = a_memory(mine), a_memory(theirs)
    with transfer_bench(tmp_path / "theirs") as source:
        for place, entry in ((bench, here), (source, other)):
            put(place, entry)
            with place.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.memories.put_vectors(MODEL, [(entry.id, entry.content, alike)])
                unit.commit()
        source.export(tmp_path / "x.json")
    (row,) = memory_rows(bench, tmp_path / "x.json")
    assert (row.status, row.reason) == (ImportStatus.CONFLICT, ImportReason.ALIKE)


def test_what_comes_in_is_an_import_and_keeps_whose_it_was(
    bench: TransferBench, tmp_path: Path
) -> None:
    put(bench, a_memory("Something of mine."))
    theirs = a_memory("Bea reads in April.", curator=Curator.AUTHOR, access_count=900, pinned=True)
    done = bench.bring_in(file_of(tmp_path / "x.json", theirs))
    entry = active(bench)[theirs.content]

    assert (done.n_added, done.n_entries, done.is_restore) == (1, 0, False)
    assert entry.id == theirs.id
    assert (entry.curator, entry.imported_curator) == (Curator.IMPORT, Curator.AUTHOR)
    assert (entry.imported_at, entry.run_id) == (NOON, done.run_id)
    assert (entry.access_count, entry.pinned, entry.locked) == (0, False, False)
    assert [one.workspace_id for one in done.backups] == [WORKSPACE_ID]
    with bench.world.store.read(WORKSPACE_ID) as view:
        (event,) = view.events.latest(1)
    assert event.kind is EventKind.IMPORTED
    assert (event.ids, event.counts["added"]) == ((), 1)


@pytest.mark.parametrize("decision", [Decision.KEEP, Decision.TAKE, Decision.BOTH])
def test_a_conflict_is_decided_row_by_row(
    bench: TransferBench, tmp_path: Path, decision: Decision
) -> None:
    mine = a_memory("Moonlight twice.", curator=Curator.AUTHOR)
    put(bench, mine)
    file = file_of(tmp_path / "x.json", replace(mine, content="Moonlight thrice.", importance=0.9))
    preview = bench.preview(file)
    (row,) = preview.rows
    bench.apply(preview, {row.number: decision})
    found = active(bench)

    wanted = {
        Decision.KEEP: {"Moonlight twice."},
        Decision.TAKE: {"Moonlight thrice."},
        Decision.BOTH: {"Moonlight twice.", "Moonlight thrice."},
    }
    assert set(found) == wanted[decision]
    if decision is Decision.TAKE:
        taken = found["Moonlight thrice."]
        assert (taken.id, taken.version, taken.curator) == (mine.id, 2, Curator.IMPORT)
        assert taken.imported_curator is Curator.AUTHOR
        with bench.world.store.read(WORKSPACE_ID) as view:
            assert view.memories.history(mine.id)[0].content == mine.content
    if decision is Decision.BOTH:
        assert found["Moonlight thrice."].id != mine.id


def test_named_entries_need_consent(bench: TransferBench, tmp_path: Path) -> None:
    put(bench, a_memory("Something of mine."))
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        source.export(file)
    preview = bench.preview(file)
    rows = [row for row in preview.rows if row.kind is RowKind.NAMED_ENTRY]
    assert rows
    assert all(row.default is Decision.KEEP for row in rows)
    assert bench.apply(preview).n_entries == 0
    with bench.world.store.read(WORKSPACE_ID) as view:
        assert [one.name for one in view.entries.entries()] == ["VOICE"]


@pytest.mark.parametrize("name", ["V0ICE", "V\u039fICE", "voice", "S0UL"])
def test_a_look_alike_of_voice_is_refused_with_its_own_reason(
    bench: TransferBench, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        source.export(file)
    document = json.loads(file.read_text())
    entries = document["workspaces"][0]["named_entries"]
    other = next(one for one in entries if one["name"] != "VOICE")
    other["name"] = name
    file.write_text(json.dumps(document))
    with pytest.raises(ImportRefusedError) as refused:
        bench.preview(file)
    assert refused.value.reason == "look_alike"
    assert "looks like VOICE or SOUL and is neither" in refusal_sentence(refused.value)
    assert "looks like VOICE or SOUL and is neither" in refusal_of(refused.value)[1]


@pytest.mark.parametrize("is_built_in", [True, False])
def test_a_second_voice_is_refused_by_name_and_nothing_comes_in(
    bench: TransferBench, tmp_path: Path, *, is_built_in: bool
) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        source.export(file)
    document = json.loads(file.read_text())
    entries = document["workspaces"][0]["named_entries"]
    first = next(n for n, one in enumerate(entries, start=1) if one["name"] == "VOICE")
    voice = entries[first - 1]
    entries.append(voice | {"id": OTHER_WORKSPACE_ID, "is_built_in": is_built_in})
    file.write_text(json.dumps(document))

    with pytest.raises(ImportRefusedError) as refused:
        bench.preview(file)

    where = f"workspaces 1.named_entries {len(entries)}.name"
    error = refused.value
    assert (error.reason, error.where, error.limit) == ("second_voice", where, first)
    told = (
        f"This file has a second VOICE ({where}). A workspace has one, and number {first} of its"
        " named entries is it already. Take one of the two out of the file, or export it again."
    )
    assert refusal_sentence(error) == told
    title, text = refusal_of(error)
    assert title == "This file has a second VOICE"
    assert text.startswith("Nothing was changed. There can be only one:")
    assert f"number {first} and another" in text
    assert active(bench) == {}


def test_an_import_is_withdrawn_in_one_step(bench: TransferBench, tmp_path: Path) -> None:
    kept, changed = a_memory("Something of mine."), a_memory("Moonlight twice.")
    put(bench, kept, changed)
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3, n_memories=30)
        put(source, replace(changed, content="Moonlight thrice.", curator=Curator.AUTHOR))
        source.export(file)
    before = {one.id: one for one in active(bench).values()}
    preview = bench.preview(file)
    wanted = {
        row.number: row.choices[-1] if row.kind is RowKind.NAMED_ENTRY else Decision.TAKE
        for row in preview.rows
        if row.kind is RowKind.NAMED_ENTRY or row.status is ImportStatus.CONFLICT
    }
    done = bench.apply(preview, wanted)
    assert (done.n_taken, done.n_entries > 0, done.n_added > 10) == (1, True, True)

    taken_back = bench.asked.withdraw_import(done.run_id[:8])

    assert taken_back.n_removed == done.n_added
    assert taken_back.n_left == 0
    with bench.world.store.read(WORKSPACE_ID) as view:
        counts = view.memories.active_counts()
        names = [one.name for one in view.entries.entries()]
        open_rooms = view.conversations.channels(include_archived=False)
        (event,) = view.events.latest(1)
    assert counts == {HERE: 2}
    assert names == ["VOICE"]
    assert [one.name for one in open_rooms] == ["general"]
    assert event.kind is EventKind.IMPORT_WITHDRAWN
    for after in active(bench).values():
        was = before[after.id]
        assert replace(after, version=1, edited_at=None) == replace(was, edited_at=None)
    with pytest.raises(ConflictError):
        bench.asked.withdraw_import(done.run_id)
    with pytest.raises(NotFoundError):
        bench.asked.withdraw_import("ffffffff")


def reweigh(unit: UnitOfWork, entry: MemoryEntry) -> None:
    unit.memories.save(
        replace(entry, importance=0.9),
        expected_version=1,
        action=MemoryAction.REWEIGHTED,
        changed_by="Ada",
        door="window",
        changed_at=NOON,
    )


def test_what_was_changed_since_stays_and_a_withdrawn_file_can_come_again(
    bench: TransferBench, tmp_path: Path
) -> None:
    put(bench, a_memory("Something of mine."))
    theirs = a_memory("Bea reads in April.")
    file = file_of(tmp_path / "x.json", theirs, a_memory("Tomas marks every comma."))
    done = bench.bring_in(file)
    with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        reweigh(unit, unit.memories.get_many([theirs.id])[theirs.id])
        unit.commit()
    taken_back = bench.asked.withdraw_import(done.run_id)
    assert (taken_back.n_removed, taken_back.n_left) == (1, 1)
    assert set(active(bench)) == {"Something of mine.", theirs.content}

    again = bench.bring_in(file)
    assert again.n_added == 1
    assert len(active(bench)) == 3
    with bench.world.store.read(WORKSPACE_ID) as view:
        gone = view.transfers.memories(scopes=None, ids=None, forgotten=True, after=0, limit=9)
    assert [one.entry.forgotten_reason for one in gone].count(WITHDRAWN_REASON) == 1


def test_rooms_that_hold_what_was_changed_since_stay_open(
    bench: TransferBench, tmp_path: Path
) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3, n_memories=30)
        source.export(file)
    put(bench, a_memory("Something of mine."))
    done = bench.bring_in(file)
    with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (room,) = (
            one
            for one in unit.conversations.conversations(channel_id=None, include_archived=False)
            if one.state is ConversationState.ACTIVE
        )
        scope = ScopeKey.conversation(WORKSPACE_ID, room.id)
        reweigh(unit, unit.memories.active_of_conversation(scope)[0])
        unit.commit()
    assert bench.asked.withdraw_import(done.run_id).n_left == 1
    with bench.world.store.read(WORKSPACE_ID) as view:
        rooms = view.conversations.conversations(channel_id=None, include_archived=False)
        channels = view.conversations.channels(include_archived=False)
    assert [(one.id, one.ended_at) for one in rooms] == [(room.id, None)]
    assert room.channel_id in {one.id for one in channels}


def test_an_import_that_would_replace_nearly_everything_is_refused(
    bench: TransferBench, tmp_path: Path
) -> None:
    mine = [a_memory(f"Mine {number}.") for number in range(12)]
    put(bench, *mine)
    file = file_of(
        tmp_path / "x.json", *(replace(one, content=f"{one.content} no") for one in mine)
    )
    preview = bench.preview(file)
    before = bench.dumps()
    every = {
        row.number: Decision.TAKE for row in preview.rows if row.status is ImportStatus.CONFLICT
    }

    with pytest.raises(ImportRefusedError) as refused:
        bench.apply(preview, every)

    assert refused.value.reason == "replaces_most"
    assert bench.dumps() == before
    some = dict(list(every.items())[:10])
    assert bench.apply(preview, some).n_taken == 10


def test_a_preview_that_is_out_of_date_writes_nothing(bench: TransferBench, tmp_path: Path) -> None:
    put(bench, a_memory("Something of mine."))
    file = file_of(tmp_path / "x.json", a_memory("Bea reads in April."))
    preview = bench.preview(file)
    put(bench, a_memory("bea reads in april."))
    before = bench.dumps()

    with pytest.raises(ImportRefusedError) as refused:
        bench.apply(preview)

    assert refused.value.reason == "changed"
    assert bench.dumps() == before


def test_a_full_scope_takes_nothing_more_and_the_preview_says_so(
    bench: TransferBench, tmp_path: Path
) -> None:
    put(bench, a_memory("Mine."))
    texts = [f"Row {n}." for n in range(3)]
    file = file_of(tmp_path / "x.json", *map(a_memory, texts))
    bench.cap = 3
    before = bench.dumps()
    preview = bench.preview(file)
    chosen = decided(preview.rows, {})
    (scope,) = tight_scopes(preview)
    assert (scope.tier, scope.n_held, scope.n_after(chosen), scope.n_over(chosen)) == (
        Tier.WORKSPACE,
        1,
        4,
        1,
    )
    with pytest.raises(ImportRefusedError) as caught:
        bench.apply(preview)
    assert (caught.value.reason, caught.value.limit) == ("overfull", 3)
    assert bench.dumps() == before
    fewer = {scope.numbers[0]: Decision.KEEP}
    assert scope.n_over(decided(preview.rows, fewer)) == 0
    assert bench.apply(preview, fewer).n_added == 2


def test_room_that_was_taken_since_the_preview_is_not_filled_twice(
    bench: TransferBench, tmp_path: Path
) -> None:
    file = file_of(tmp_path / "x.json", a_memory("From the file."))
    put(bench, a_memory("Mine."))
    bench.cap = 2
    preview = bench.preview(file)
    assert tight_scopes(preview) == ()
    put(bench, a_memory("Written since."))
    before = bench.dumps()
    with pytest.raises(ImportRefusedError) as caught:
        bench.apply(preview)
    assert caught.value.reason == "overfull"
    assert bench.dumps() == before


def test_a_place_that_is_too_full_already_hinders_no_other(
    bench: TransferBench, tmp_path: Path
) -> None:
    put(bench, a_memory("Mine."), a_memory("Mine as well."))
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        with source.world.store.write(None, initiator="Ada") as unit:
            unit.memories.add([replace(a_memory("Of the account."), scope=ScopeKey.account())])
            unit.commit()
        source.export(file)
    bench.cap = 1
    assert bench.bring_in(file).n_added == 1


def test_a_restore_counts_no_forgotten_memory_as_taking_room(tmp_path: Path) -> None:
    file = file_of(tmp_path / "x.json", a_memory("Active."), a_memory("Gone.", forgotten_at=NOON))
    with transfer_bench(tmp_path / "empty", workspace_ids=()) as bench:
        bench.cap = 1
        preview = bench.preview(file)
        assert preview.is_restore
        assert tight_scopes(preview) == ()
        assert bench.apply(preview).n_added == 2


def test_a_file_above_the_size_is_not_read_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as handle:
        handle.truncate(MAX_FILE_BYTES + 1)

    def opened(*_args: object, **_options: object) -> object:
        raise AssertionError

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(ImportRefusedError) as caught:
        LocalExportFiles().read(file, MAX_FILE_BYTES)
    assert (caught.value.reason, caught.value.limit) == ("too_large", MAX_FILE_BYTES)


def test_rows_that_break_a_rule_stay_out_and_say_why(bench: TransferBench, tmp_path: Path) -> None:
    put(bench, a_memory("Something of mine."))
    file = file_of(tmp_path / "x.json", a_memory("Bea reads."), content=" ", importance=1.4)
    (row,) = memory_rows(bench, file)

    assert row.status is ImportStatus.REFUSED
    assert [(one.field, one.rule) for one in row.faults] == [
        ("content", "empty"),
        ("importance", "range"),
    ]
    assert row.choices == (Decision.KEEP,)
    with pytest.raises(ImportRefusedError):
        bench.apply(bench.preview(file), {row.number: Decision.BOTH})


def test_unknown_fields_are_named(bench: TransferBench, tmp_path: Path) -> None:
    file = file_of(tmp_path / "x.json", a_memory("Bea reads."), mood="blue", **{"odd name": 1})
    assert bench.preview(file).document.unknown == ("memory.?", "memory.mood")


def test_the_ids_of_another_scope_are_never_taken_over(
    bench: TransferBench, tmp_path: Path
) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 6, n_memories=30)
        source.export(file)
    document = json.loads(file.read_text(encoding="utf-8"))
    rows = document["workspaces"][0]["memories"]
    room = next(row for row in rows if row["tier"] == "channel" and not row["forgotten_at"])
    mine = a_memory("Something of mine.", memory_id=room["id"])
    put(bench, mine)

    bench.bring_in(file)

    with bench.world.store.read(WORKSPACE_ID) as view:
        assert view.memories.get_many([mine.id])[mine.id].content == mine.content
        every = view.transfers.memories(scopes=None, ids=None, forgotten=False, after=0, limit=99)
    assert room["content"] in {one.entry.content for one in every}


def test_a_file_of_one_workspace_goes_into_another(tmp_path: Path) -> None:
    ids = (WORKSPACE_ID, OTHER_WORKSPACE_ID)
    file = file_of(tmp_path / "x.json", a_memory("Bea reads in April."))
    with transfer_bench(tmp_path / "b", seed=9, workspace_ids=ids) as bench:
        preview = bench.preview(file, into=OTHER_WORKSPACE_ID)
        bench.apply(preview)
        with bench.world.store.read(OTHER_WORKSPACE_ID) as view:
            (entry,) = view.memories.active_of_conversation(ScopeKey.workspace(OTHER_WORKSPACE_ID))
        again = bench.preview(file, into=OTHER_WORKSPACE_ID)
    assert entry.content == "Bea reads in April."
    assert entry.curator is Curator.IMPORT
    assert again.rows[0].status is ImportStatus.DUPLICATE
