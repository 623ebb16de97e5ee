"""A side file answers as the database does, or not at all."""

from __future__ import annotations

import os
import random
import shutil
import stat
import threading
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from inklings_desktop.domain.log.backup import Finding, FindingKind
from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import MemoryAction, ScopeKey
from inklings_desktop.domain.search.hits import NO_HITS, Hits, Trait, candidates
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.storage.databases import OpenFile
from inklings_desktop.storage.salvage.inspection import SqliteInspector
from inklings_desktop.storage.search import vector_base
from inklings_desktop.storage.search.postings import Segment
from inklings_desktop.storage.search.side_file import array_folder, base
from inklings_desktop.storage.search.side_file.folders import folder_of, numbered
from inklings_desktop.storage.search.side_file.side_file import OLDEST_SECONDS, SideFile
from inklings_desktop.storage.search.vector_base import (
    FEWEST_FOR_SHORT,
    NEEDED_RECALL,
    FileVectors,
    VectorBase,
    nearest,
    recall_of,
    rotation_of,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
ROOM = ScopeKey.conversation(WORKSPACE_ID, "harbour-talk")
WORDS = ("tide", "lighthouse", "keeper", "salt", "trust", "Corvin", "harbour", "dragon", "quay")
DIMENSION = 8


def directions(n: int, dimension: int = DIMENSION, seed: int = 3) -> npt.NDArray[np.float32]:
    found = np.random.default_rng(seed).standard_normal((n, dimension)).astype(np.float32)
    unit: npt.NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


@pytest.fixture
def filled(world: SqliteWorld) -> SqliteWorld:
    """Two places with memories and their vectors, and a side file of both."""
    chance = random.Random(7)  # noqa: S311 - the same every time
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for place, scope in enumerate((SCOPE, ROOM)):
            entries = [
                a_memory(
                    " ".join(chance.choices(WORDS, k=9)),
                    memory_id=f"{scope.tier.value}-{number:02}",
                    scope=scope,
                    tags=("Corvin",) if number % 3 else (),
                    agent_id="loom" if number % 5 == 0 else None,
                )
                for number in range(40)
            ]
            unit.memories.add(entries)
            vectors = directions(len(entries), seed=place)
            named = zip(entries, vectors, strict=True)
            unit.memories.put_vectors("m", [(one.id, one.content, v) for one, v in named])
        unit.commit()
    made(world)
    return world


def made(world: SqliteWorld) -> OpenFile:
    file = world.databases.file(WORKSPACE_ID)
    file.side_file.settle()
    file.side_file._fewest_rows = 1
    file.side_file.model_id = "m"
    file.words._asked_at = (0, 0)
    file.side_file.make()
    return file


Answers = tuple[dict[ScopeKey, Hits], dict[ScopeKey, Hits], object]


def answers(world: SqliteWorld, visible_to: frozenset[str] | None = None) -> Answers:
    """What is found by words and by meaning, and what ranking weighs of it."""
    with world.store.find(WORKSPACE_ID) as view:
        words: dict[ScopeKey, Hits] = {}
        near: dict[ScopeKey, Hits] = {}
        query = keyword_query("the dragon of the tide at the lighthouse")
        for scope in (SCOPE, ROOM):
            asked = {"where": EVERYTHING, "visible_to": visible_to, "limit": 12}
            words |= view.full_text.search([scope], query, **asked)  # type: ignore[arg-type]
            (vector,) = directions(1, seed=9)
            near |= view.vectors.nearest([scope], vector, "m", **asked)  # type: ignore[arg-type]
        traits: dict[str, Trait] = {}
        for scope, hits in near.items():
            traits |= view.traits.of(scope, candidates(NO_HITS, hits), "m", vector).by_id()
        return words, near, traits


def of_the_database(world: SqliteWorld, visible_to: frozenset[str] | None = None) -> Answers:
    """The same without any side file."""
    with sqlite_world(world.root) as other:
        other.databases.file(WORKSPACE_ID).side_file.close()
        return answers(other, visible_to)


def is_used(world: SqliteWorld) -> bool:
    file = world.databases.file(WORKSPACE_ID)
    with world.store.find(WORKSPACE_ID) as view:
        return file.side_file.base(view._snapshot) is not None


@pytest.mark.parametrize("visible_to", [None, frozenset({"loom"}), frozenset({"other"})])
def test_a_side_file_answers_as_the_database_does(
    filled: SqliteWorld, visible_to: frozenset[str] | None
) -> None:
    expected = of_the_database(filled, visible_to)
    assert answers(filled, visible_to) == expected
    with sqlite_world(filled.root) as other:
        other.databases.file(WORKSPACE_ID).words._asked_at = (0, 0)
        assert answers(other, visible_to) == expected
        assert is_used(other)


def test_what_comes_after_a_side_file_is_found_beside_it(filled: SqliteWorld) -> None:
    with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        gone, kept = (unit.memories.get_many([f"workspace-{n:02}"]).popitem()[1] for n in (1, 2))
        for entry, values in (
            (gone, {"forgotten_at": NOON, "forgotten_reason": ""}),
            (kept, {"content": "a dragon at the lighthouse"}),
        ):
            unit.memories.save(
                replace(entry, version=entry.version + 1, **values),
                expected_version=entry.version,
                action=MemoryAction.EDITED,
                changed_by="Ada",
                door="window",
                changed_at=NOON,
            )
        unit.memories.add([a_memory("a new dragon", memory_id="new", scope=SCOPE)])
        (near,) = directions(1, seed=9)
        unit.memories.put_vectors("m", [("new", "a new dragon", near)])
        unit.commit()

    found = answers(filled)

    assert found == of_the_database(filled)
    assert found[1][SCOPE][0].id == "new"
    assert is_used(filled)


@pytest.mark.parametrize("content", [b"\xff", b"\x00"])
def test_damaged_base_falls_back_to_fts5(content: bytes, filled: SqliteWorld) -> None:
    expected = of_the_database(filled)
    ((_, folder),) = numbered(filled.path())
    path = folder / array_folder.ARRAYS
    n_bytes = path.stat().st_size
    for damaged in (content * (n_bytes - 1), content * n_bytes):
        path.write_bytes(damaged)
        with sqlite_world(filled.root) as other:
            file = other.databases.file(WORKSPACE_ID)
            file.words._asked_at = (0, 0)
            assert answers(other) == expected
            assert file.side_file.trouble == "unfit"
            assert not is_used(other)


def test_a_copied_base_is_read_whole_before_it_is_used(filled: SqliteWorld) -> None:
    ((_, folder),) = numbered(filled.path())
    path = folder / array_folder.ARRAYS
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)
    with sqlite_world(filled.root) as other:
        assert is_used(other)


def test_a_base_that_rots_is_found_out_and_taken_away(filled: SqliteWorld) -> None:
    ((_, folder),) = numbered(filled.path())
    path = folder / array_folder.ARRAYS
    content, status = path.read_bytes(), path.stat()
    path.write_bytes(content[:900] + bytes([content[900] ^ 1]) + content[901:])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with sqlite_world(filled.root) as other:
        file = other.databases.file(WORKSPACE_ID)
        assert is_used(other)
        file.side_file.check_later()
        file.side_file.settle()
        assert file.side_file.trouble == "damaged"
        assert not is_used(other)
        assert not folder.exists()
        assert answers(other) == of_the_database(filled)


def test_arrays_that_make_no_sense_are_let_go_of_within_the_search(
    filled: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = of_the_database(filled)

    def nonsense(*_: object, **__: object) -> None:
        raise IndexError("out of bounds")

    for owner, name in (
        (Segment, "weighted"),
        (vector_base, "_highest_of_each"),
        (VectorBase, "known"),
    ):
        made(filled)
        assert is_used(filled)
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, nonsense)
            patched.setattr(SideFile, "make_later", lambda *_: None)  # else there is another soon
            assert answers(filled) == expected
        assert not is_used(filled)


def test_a_head_that_was_changed_is_refused(filled: SqliteWorld) -> None:
    ((_, folder),) = numbered(filled.path())
    head = folder / array_folder.HEAD
    head.write_bytes(head.read_bytes().replace(b'"change_seq"', b'"change_SEQ"'))
    with sqlite_world(filled.root) as other:
        assert not is_used(other)
        assert other.databases.file(WORKSPACE_ID).side_file.trouble == "unfit"
    head.unlink()
    with sqlite_world(filled.root) as other:
        assert not is_used(other)


@pytest.mark.parametrize("mark", ["file", "tokenize", "sqlite"])
def test_base_of_other_file_or_tokenizer_is_refused(
    mark: str, filled: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = filled.databases.file(WORKSPACE_ID)
    marks = type(file.side_file)._marks
    monkeypatch.setattr(
        type(file.side_file), "_marks", lambda one, view: marks(one, view) | {mark: "another"}
    )
    made(filled)
    monkeypatch.undo()
    with sqlite_world(filled.root) as other:
        assert not is_used(other)
        assert answers(other) == of_the_database(filled)


def test_a_restored_file_refuses_what_was_made_of_the_other(filled: SqliteWorld) -> None:
    with raw(filled.path()) as connection:
        connection.execute("UPDATE meta SET reload_seq = reload_seq + 1")
    assert not is_used(filled)
    with raw(filled.path()) as connection:
        connection.execute("UPDATE meta SET reload_seq = 0, change_seq = 0")
    with sqlite_world(filled.root) as other:
        assert not is_used(other)


def test_crash_while_writing_base_leaves_the_old(
    filled: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = numbered(filled.path())

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(array_folder, "write_private", broken)
        with pytest.raises(OSError, match="No space"):
            made(filled)
    assert numbered(filled.path()) == before
    (folder_of(filled.path()) / "unfinished").mkdir()  # what a killed process leaves
    with sqlite_world(filled.root) as other:
        assert is_used(other)
        made(other)
        assert [number for number, _ in numbered(other.path())] == [2]
        assert [one.name for one in folder_of(other.path()).iterdir()] == ["2"]


def test_a_disk_that_refuses_is_asked_once_and_the_index_answers(
    filled: SqliteWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def full(*_: object) -> None:
        asked.append(1)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(array_folder, "write", full)
    with sqlite_world(filled.root) as other:
        file = other.databases.file(WORKSPACE_ID)
        file.side_file._fewest_rows = 1
        for _ in range(3):
            file.side_file.make_later(99)
            file.side_file.settle()
        assert len(asked) == 1
        assert file.side_file.trouble == "OSError"
        assert answers(other) == of_the_database(filled)


def test_side_files_are_the_owners_alone(filled: SqliteWorld) -> None:
    every = [folder_of(filled.path()), *folder_of(filled.path()).rglob("*")]
    assert len(every) == 4
    for path in every:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_a_base_that_is_opened_while_another_is_made_is_checked_later(
    filled: SqliteWorld,
) -> None:
    with sqlite_world(filled.root) as other:
        side_file = other.databases.file(WORKSPACE_ID).side_file
        assert is_used(other)
        side_file._is_checked = False
        is_made = threading.Event()

        def is_checked() -> bool:
            return side_file._is_checked

        assert side_file._has_started(is_made.wait)
        side_file.check_later()
        assert not is_checked()
        is_made.set()
        side_file.settle()
        side_file.check_later()
        assert is_checked()
        side_file.settle()


def test_a_check_names_damaged_side_files_and_a_repair_takes_them_away(
    filled: SqliteWorld,
) -> None:
    inspection = SqliteInspector(filled.databases, filled.publisher)
    ((_, folder),) = numbered(filled.path())
    assert inspection.left_over(remove=False) == ()
    with (folder / array_folder.ARRAYS).open("r+b") as file:
        file.write(b"\xff\xff\xff")
    name = folder.relative_to(filled.root).as_posix()
    expected = Finding(FindingKind.SIDE_FILE, None, 1, name)
    assert inspection.left_over(remove=False) == (expected,)
    assert inspection.left_over(remove=True) == (replace(expected, is_repaired=True),)
    assert inspection.left_over(remove=False) == ()


def test_a_sealed_file_gets_no_side_file(filled: SqliteWorld) -> None:
    for _, folder in numbered(filled.path()):
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    filled.databases.close()
    with sqlite_world(filled.root, is_sealed=True) as sealed:
        file = sealed.databases.file(WORKSPACE_ID)
        file.side_file._fewest_rows = 1
        answers(sealed)
        answers(sealed)
        assert file.side_file._working is None
        assert numbered(file.path) == []


def test_what_was_forgotten_is_in_no_side_file_a_day_later(filled: SqliteWorld) -> None:
    file = filled.databases.file(WORKSPACE_ID)
    now = file.side_file._clock()
    file.side_file._clock = lambda: now + OLDEST_SECONDS + 1.0
    file.side_file.look_after()
    file.side_file.settle()
    assert [number for number, _ in numbered(file.path)] == [1]  # nothing changed since
    with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("something new")])
        unit.commit()
    file.side_file._clock = lambda: now + 3 * OLDEST_SECONDS
    file.side_file.look_after()
    file.side_file.settle()
    assert [number for number, _ in numbered(file.path)] == [2]
    assert answers(filled) == of_the_database(filled)


def test_what_another_process_has_made_is_used_and_not_made_again(filled: SqliteWorld) -> None:
    with sqlite_world(filled.root) as other:
        file = other.databases.file(WORKSPACE_ID)
        file.side_file._fewest_rows = 1
        for _, folder in numbered(filled.path()):
            shutil.rmtree(folder)
        assert not is_used(other)  # it has looked, and there was nothing
        made(filled)
        ((_, folder),) = numbered(filled.path())

        answers(other)
        answers(other)
        file.side_file.settle()

        assert [one for _, one in numbered(filled.path())] == [folder]
        assert is_used(other)
        assert answers(other) == of_the_database(filled)


def test_after_a_scrub_by_another_process_its_new_side_file_is_opened(filled: SqliteWorld) -> None:
    with sqlite_world(filled.root) as other:
        assert is_used(other)
        with filled.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit._transaction.require_reload()
            unit.commit()
        assert not is_used(other)
        made(filled)
        assert is_used(other)


def test_ids_of_no_program_of_ours_get_no_side_file(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("tide", memory_id="x" * 65)])
        unit.commit()
    with pytest.raises(base.UnfitFileError):
        made(world)
    assert numbered(world.path()) == []


def clustered(n: int, dimension: int, seed: int) -> npt.NDArray[np.float32]:
    """Vectors as texts have them: most of how they differ lies in few directions."""
    source = np.random.default_rng(seed)
    spread = 1.0 / np.sqrt(1.0 + np.arange(dimension))
    turned, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((dimension, dimension)))
    found = (source.standard_normal((n, dimension)) * spread) @ turned
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    plain: npt.NDArray[np.float32] = found.astype(np.float32)
    return plain


def a_file_of(long: npt.NDArray[np.float32]) -> FileVectors:
    n_rows = len(long)
    short, rotation = base._shortened(long)
    ids = np.array([f"id{number:05}".encode() for number in range(n_rows)], np.bytes_)
    return FileVectors(
        "m",
        ids,
        [("workspace", "w")],
        [0, n_rows],
        np.arange(n_rows, dtype=np.int64),
        np.zeros(n_rows, np.int32),
        (),
        ["[[], null]"],
        np.zeros(n_rows, np.int32),
        np.zeros((n_rows, 8), np.uint8),
        long,
        short,
        rotation,
    )


def test_short_scan_finds_998_of_1000() -> None:
    long = clustered(FEWEST_FOR_SHORT + 1_000, 384, seed=2)
    vectors = a_file_of(long).of_scope("workspace", "w")
    assert len(vectors.file.short)
    mask = np.ones(len(long), np.bool_)
    n_wanted, n_found = 25, 0
    for query in clustered(40, 384, seed=5):
        (found,) = nearest([vectors], [mask], query, n_wanted)
        exact = {f"id{row:05}" for row in np.argsort(-(long @ query))[:n_wanted].tolist()}
        n_found += len(exact & {one.id for one in found})
        assert [one.figure for one in found] == sorted((one.figure for one in found), reverse=True)
    assert n_found >= 998


def test_where_short_rows_find_too_little_every_vector_is_compared() -> None:
    long = directions(FEWEST_FOR_SHORT, 384)
    assert recall_of(long, long @ rotation_of(long)) < NEEDED_RECALL
    vectors = a_file_of(long).of_scope("workspace", "w")
    assert not len(vectors.file.short)
    mask = np.ones(len(long), np.bool_)
    mask[7] = False
    (found,) = nearest([vectors], [mask], long[7], 3)
    order = np.argsort(-(long @ long[7]))
    assert [one.id for one in found] == [f"id{row:05}" for row in order[1:4].tolist()]


def test_few_vectors_are_compared_whole() -> None:
    long = directions(400, 384)
    # Short rows that would mislead.
    file = replace(a_file_of(long), short=np.zeros((400, 96), np.float32))
    (found,) = nearest([file.of_scope("workspace", "w")], [np.ones(400, np.bool_)], long[7], 3)
    order = np.argsort(-(long @ long[7]))
    assert [one.id for one in found] == [f"id{row:05}" for row in order[:3].tolist()]
    assert len(file.of_scope("channel", "other")) == 0


def test_scope_keys_are_compared_together() -> None:
    long = clustered(FEWEST_FOR_SHORT + 1_000, 384, seed=2)
    n_first = 1_500  # fewer than are compared by short rows alone
    file = replace(
        a_file_of(long),
        scopes=[("channel", "a"), ("channel", "b")],
        bounds=[0, n_first, len(long)],
    )
    bases = [file.of_scope("channel", key) for key in "ab"]
    masks = [np.ones(len(one), np.bool_) for one in bases]
    n_wanted, n_found = 25, 0
    for query in clustered(40, 384, seed=5):
        found = nearest(bases, masks, query, n_wanted)
        exact = {f"id{row:05}" for row in np.argsort(-(long @ query))[:n_wanted].tolist()}
        assert all(one.sequence < n_first for one in found[0])
        assert all(one.sequence >= n_first for one in found[1])
        n_found += len(exact & {one.id for hits in found for one in hits})
    assert n_found >= 998
