from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.migrations.lineage import LINEAGE
from inklings_desktop.storage.schema import SCHEMA_VERSION
from inklings_desktop.storage.schema_rules import FileKind
from tests.storage.freeze_schema import fixture, thaw
from tests.storage.later_schema import AFTER_NEXT, LATER
from tests.storage.sample_files import opened
from tests.support.builders import WORKSPACE_ID, FixedClock, a_person, a_template
from tests.support.dumps import Dump, logical_dump
from tests.support.sqlite_store import integrity_faults, raw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.storage.migrations.lineage import Lineage

FILES = (None, WORKSPACE_ID)
CHANGED = {"memories", "saved_filters", "weather"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root of the schema version in use."""
    thaw(SCHEMA_VERSION, tmp_path / "data")
    return tmp_path / "data"


@contextmanager
def later(root: Path, lineage: Lineage = LATER, **options: bool) -> Iterator[Databases]:
    """A program that is ahead, over a data root."""
    databases = Databases(root, FixedClock(), template_of=a_template, lineage=lineage, **options)
    with closing(databases):
        yield databases


def path_of(root: Path, workspace_id: str | None) -> Path:
    folder = root if workspace_id is None else root / "workspaces" / workspace_id
    return folder / "agents.db"


def version_of(path: Path) -> int:
    with raw(path) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def migrations_of(path: Path) -> list[tuple[str, str]]:
    with raw(path) as connection:
        return connection.execute(
            "SELECT counts, marks FROM events WHERE kind = 'schema.migrated' ORDER BY seq"
        ).fetchall()


def unmigrated(dump: Dump) -> Dump:
    """What a file of the later version holds in the words of this one."""
    before = {name: rows for name, rows in dump.items() if name != "weather"}
    before["memories"] = [row[1:] for row in dump["memories"]]
    before["saved_filters"] = [row[:-1] for row in dump["saved_filters"]]
    return before


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
def test_every_schema_version_has_a_fixture_that_comes_up_to_date(
    version: int, tmp_path: Path
) -> None:
    assert fixture(version).is_file(), "run python -m tests.storage.freeze_schema"
    thaw(version, tmp_path / "data")

    with opened(tmp_path / "data") as inklings:
        report = inklings.check_data(a_person())

    assert report.findings == ()
    assert (report.n_files, report.n_memories > 20) == (2, True)
    assert [version_of(path_of(tmp_path / "data", one)) for one in FILES] == [SCHEMA_VERSION] * 2


@pytest.mark.parametrize("lineage", [LINEAGE, LATER])
def test_steps_are_in_order_and_every_name_is_there_once(lineage: Lineage) -> None:
    steps = lineage.migrations

    assert [one.to_version for one in steps] == list(range(2, lineage.version + 1))
    assert len({one.name for one in steps}) == len(steps)
    assert all(set(one.starts_from) == set(one.statements) == set(FileKind) for one in steps)
    assert LINEAGE.version == SCHEMA_VERSION


@pytest.mark.parametrize("workspace_id", FILES)
def test_a_file_of_an_earlier_version_is_brought_up_to_date_when_it_is_opened(
    root: Path, workspace_id: str | None
) -> None:
    path = path_of(root, workspace_id)
    before = logical_dump(path)

    with later(root) as databases:
        databases.file(workspace_id)

    after = logical_dump(path)
    assert version_of(path) == AFTER_NEXT
    assert unmigrated(after) == before
    assert {row[0] for row in after["memories"]} == {"calm"}
    assert {row[-1] for row in after["saved_filters"]} == {"blue"}
    assert after["weather"] == []
    assert integrity_faults(path) == []
