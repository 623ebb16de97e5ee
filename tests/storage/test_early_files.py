"""Files of versions before the first release, whose tables changed while their number did not."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.engine.connecting import FILE_MODE, FOLDER_MODE
from inklings_desktop.storage.migrations.lineage import EARLY, LINEAGE
from inklings_desktop.storage.schema.marks import (
    FINGERPRINTS,
    SCHEMA_VERSION,
    FileKind,
    fingerprint,
)
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.storage.freeze_schema import FIXTURES
from tests.storage.sample_files import opened
from tests.support.builders import a_person
from tests.support.sqlite_store import raw

EARLY_ROOTS = sorted(FIXTURES.glob("early_*.zip"))
KEPT = "SELECT id, content, curator, lifetime, created_at, forgotten_at FROM memories ORDER BY id"
VERSIONS = "SELECT memory_id, version, content FROM memory_versions ORDER BY memory_id, version"
ENTRIES = "SELECT name, body FROM named_entries ORDER BY name"
FROZEN = {
    1: {
        FileKind.ACCOUNT: "09b6fa8aa39caa743d2ff0839201ee5022103e50981416e6a363c66751e4305e",
        FileKind.WORKSPACE: "4f4430b1b403363b422909402c4d1c81992e67b973cdb98bfa76f4bd47eb816f",
    },
    2: {
        FileKind.ACCOUNT: "a969cfdcb778aa1a58a79e439797245fb206e6f0aba51206b74f0773c318c9a0",
        FileKind.WORKSPACE: "17a15d3fbee49f07ce026f2bb3e3cff767fa3d324444baac2d37240b9892542c",
    },
    3: {
        FileKind.ACCOUNT: "e8d564aee8058266a0b10d2a698abc05da05204502e58e159c55db84c1c476ac",
        FileKind.WORKSPACE: "a966d0a61c2e9fffcb348f905ab372cbd841a96783be83106b10353fa22ae961",
    },
    4: {
        FileKind.ACCOUNT: "8c6fb998b756d0450fa967b6a1ec7f285d7f1492a6c5b9d71b9399db5585e657",
        FileKind.WORKSPACE: "6962e51e62adfd7fd1770b5f1f7765e0b65e8b7f037aa2466e24fa1f8d480300",
    },
    5: {
        FileKind.ACCOUNT: "0fc7bc1b9aff5f1109cd3a7bb0c3502f3d85073bde1596a4c59ad7eae40053bc",
        FileKind.WORKSPACE: "fd9746618196076ec70639bb8d41f69041505f58e881707d7c8869d913627de9",
    },
}
"""What each schema number is. Add a line with a new number; never change one that is here."""


@pytest.fixture(params=EARLY_ROOTS, ids=lambda one: one.stem)
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with ZipFile(request.param) as packed:
        packed.extractall(tmp_path)
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(FOLDER_MODE if path.is_dir() else FILE_MODE)
    return tmp_path


def files_of(root: Path) -> dict[FileKind, Path]:
    [workspace] = root.glob("workspaces/*/agents.db")
    return {FileKind.ACCOUNT: root / "agents.db", FileKind.WORKSPACE: workspace}


def rows_of(path: Path) -> list[list[tuple[object, ...]]]:
    with raw(path) as connection:
        return [connection.execute(one).fetchall() for one in (KEPT, VERSIONS, ENTRIES)]


def fingerprint_of(path: Path) -> str:
    with raw(path) as connection:
        return fingerprint(connection)


def test_every_early_file_that_is_told_apart_has_a_fixture(tmp_path: Path) -> None:
    found: dict[FileKind, set[str]] = {kind: set() for kind in FileKind}
    for packed in EARLY_ROOTS:
        with ZipFile(packed) as archive:
            archive.extractall(tmp_path / packed.stem)
        for kind, path in files_of(tmp_path / packed.stem).items():
            found[kind].add(fingerprint_of(path))
    assert found == {kind: set(known) for kind, known in EARLY.items()}


def test_an_early_file_comes_up_to_date_with_all_that_was_written(root: Path) -> None:
    before = {kind: rows_of(path) for kind, path in files_of(root).items()}

    with opened(root) as inklings:
        as_person = inklings.as_caller(a_person())
        assert as_person.keeping.check_data().findings == ()
        assert all(one.is_whole for one in as_person.log.verify())
        scope = ScopeKey.workspace(files_of(root)[FileKind.WORKSPACE].parent.name)
        hits = as_person.search.find([scope], SearchRequest("saltglass")).hits
        assert {hit.entry.content for hit in hits} == {
            row[1]
            for row in before[FileKind.WORKSPACE][0]
            if row[5] is None and "map room" not in str(row[1])
        }

    for kind, path in files_of(root).items():
        assert rows_of(path) == before[kind]
        assert fingerprint_of(path) == FINGERPRINTS[kind]


def test_what_it_was_is_kept_as_a_backup_that_can_be_restored(root: Path) -> None:
    path = files_of(root)[FileKind.WORKSPACE]
    before = rows_of(path)
    with opened(root) as inklings:
        as_person = inklings.as_caller(a_person())
        as_person.keeping.check_data()  # opens every file
        [kept] = [one for one in as_person.keeping.list_backups() if one.workspace_id is not None]
        as_person.keeping.restore_backup(kept.name)
    assert rows_of(path) == before
    assert fingerprint_of(path) == FINGERPRINTS[FileKind.WORKSPACE]


def test_a_schema_number_never_changes_its_tables() -> None:
    known = {one.to_version - 1: dict(one.starts_from) for one in LINEAGE.migrations}
    assert known | {SCHEMA_VERSION: dict(FINGERPRINTS)} == FROZEN


def test_a_file_of_ours_with_tables_of_no_version_is_said_to_be_one(root: Path) -> None:
    path = files_of(root)[FileKind.WORKSPACE]
    with raw(path) as connection:
        connection.execute("CREATE TABLE of_nobody (one TEXT)")
    before = path.read_bytes()
    with opened(root) as inklings:
        [found] = inklings.as_caller(a_person()).keeping.check_data().findings
    assert (found.kind, found.detail) == (FindingKind.UNREADABLE, "schema")
    assert path.read_bytes() == before
