from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    DatabaseTooNewError,
    DatabaseTooOldError,
    MigrationFailedError,
    StorageError,
)
from inklings_desktop.ui.window.problem_help import opening_problem

pytestmark = pytest.mark.usefixtures("qapp")

FILE = Path("data") / "agents.db"


@pytest.mark.parametrize(
    ("error", "title", "words"),
    [
        (
            DatabaseTooNewError(FILE, 9, 7),
            "This database is from a newer Inklings",
            "schema 9. This version understands schema 7",
        ),
        (
            DatabaseTooOldError(FILE, 1, 3),
            "This database is from an earlier Inklings",
            "schema 1, and this version needs schema 3.",
        ),
        (
            MigrationFailedError(FILE, "no such table: notes", 1, 2, "account/20260314.db"),
            "This database could not be brought up to date",
            "a copy is kept as the backup account/20260314.db.",
        ),
    ],
)
def test_a_file_of_another_version_is_told_with_both_versions_and_the_way_on(
    error: StorageError, title: str, words: str
) -> None:
    message = opening_problem(error, Path("data"))

    assert message.title == title
    assert words in message.text
    assert message.is_environment
