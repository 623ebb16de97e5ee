from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.schema.marks import (
    APPLICATION_ID,
    FINGERPRINTS,
    SCHEMA_VERSION,
    FileKind,
    fingerprint,
)
from inklings_desktop.storage.schema.schema_rules import (
    create_schema,
    expected_fingerprint,
    is_expected_schema,
    schema_statements,
)
from tests.support.sqlite_store import raw

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", FileKind)
def test_a_fresh_schema_has_the_expected_fingerprint(kind: FileKind, tmp_path: Path) -> None:
    with raw(tmp_path / "new.db") as connection:
        create_schema(connection, kind, "w", 0)

        assert fingerprint(connection) == expected_fingerprint(kind)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_the_fingerprint_is_the_same_in_every_process() -> None:
    program = (
        "from inklings_desktop.storage.schema.schema_rules import *\n"
        "print(*(expected_fingerprint(kind) for kind in FileKind))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=REPOSITORY,
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()[0]
        for seed in ("1", "2")
    }

    assert seen == {expected_fingerprint(FileKind.ACCOUNT)}


@pytest.mark.parametrize("kind", FileKind)
def test_the_noted_fingerprint_is_that_of_the_schema(kind: FileKind) -> None:
    assert FINGERPRINTS[kind] == expected_fingerprint(kind), "note the new one"
    assert is_expected_schema(kind, expected_fingerprint(kind))
    assert not is_expected_schema(kind, "0" * 64)


def test_the_kinds_differ() -> None:
    account, workspace = (expected_fingerprint(kind) for kind in FileKind)

    assert account != workspace


def test_a_schema_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    with raw(tmp_path / "new.db") as connection:
        create_schema(connection, FileKind.WORKSPACE, "first", 0)
        create_schema(connection, FileKind.WORKSPACE, "second", 0)

        assert connection.execute("SELECT workspace_id FROM meta").fetchall() == [("first",)]


def test_a_schema_is_made_whole_or_not_at_all(tmp_path: Path) -> None:
    with raw(tmp_path / "new.db") as connection:
        connection.execute("CREATE TABLE proposals (taken)")

        with pytest.raises(sqlite_module().OperationalError):
            create_schema(connection, FileKind.ACCOUNT, "", 0)

        names = connection.execute("SELECT name FROM sqlite_schema").fetchall()
        assert names == [("proposals",)]
        assert connection.execute("PRAGMA application_id").fetchone() == (0,)


def test_no_statement_replaces_rows() -> None:
    for kind in FileKind:
        for statement in schema_statements(kind):
            assert re.search(r"\bREPLACE\b", statement.upper()) is None
