"""Data that cannot be opened gets a clear sentence in the window, and not one byte is touched."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION
from tests.cli.test_bad_input import PNG, USER_VERSION_OFFSET, snapshot
from tests.cli.test_processes import WITHOUT_PRIVILEGE
from tests.support.processes import REPOSITORY
from tests.support.sqlite_store import raw
from tests.support.wide import mostly_wide

pytestmark = pytest.mark.end2end

EXIT_ENVIRONMENT = 3
NEWER = 99
DEADLINE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something wrong with a file, and what the window says of it.

    Attributes:
        make: Brings it about, given the database file.
        title: What happened.
        sentence: Part of what holds and what to do.
    """

    make: Callable[[Path], None]
    title: str
    sentence: str


def make_newer(database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[USER_VERSION_OFFSET : USER_VERSION_OFFSET + 4] = NEWER.to_bytes(4, "big")
    database.write_bytes(content)


def make_foreign(database: Path) -> None:
    database.unlink()
    with raw(database) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def make_read_only(database: Path) -> None:
    for path in (*database.parent.rglob("*"), database.parent):
        path.chmod(0o500 if path.is_dir() else 0o400)


DAMAGED = ("Part of the database could not be read.", "Nothing has been repaired yet.")
TROUBLES = {
    "picture": Trouble(lambda path: ignored(path.write_bytes(PNG)), *DAMAGED),
    "zero length": Trouble(lambda path: ignored(path.write_bytes(b"")), *DAMAGED),
    "newer": Trouble(
        make_newer,
        "This database is from a newer Inklings",
        f"It was last written with schema {NEWER}. This version understands schema"
        f" {SCHEMA_VERSION} and earlier",
    ),
    "another program's": Trouble(make_foreign, "This file does not belong here", "was not touched"),
    "read-only": Trouble(
        make_read_only, "Read-only: the disk cannot be written to.", "Make the data folder writable"
    ),
}


def ignored(_count: int) -> None:
    """For lambdas that answer nothing."""


@dataclass(frozen=True, slots=True)
class Root:
    """A data root with one workspace in which one thing is remembered."""

    path: Path
    workspace_id: str

    @property
    def account(self) -> Path:
        """The account's file."""
        return self.path / "agents.db"

    @property
    def workspace(self) -> Path:
        """The workspace's file."""
        return self.path / "workspaces" / self.workspace_id / "agents.db"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    path = tmp_path / "root"
    with open_inklings(path, embedder=NullEmbedder("none")) as inklings:
        world = inklings.workspaces.create("Saltglass")
        draft = MemoryDraft(ScopeKey.workspace(world.id), "Gulls keep accounts.")
        inklings.memories.put(draft)
    yield Root(path, world.id)
    make_writable(path)


def make_writable(folder: Path) -> None:
    folder.chmod(0o700)
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)


class PersonAtWindow:
    """Reads what the window shows and says what to press."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def sees(self) -> dict[str, Any]:
        """What is on show once the window has come to rest."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        assert line, self._process.stderr.read()
        shown: dict[str, Any] = json.loads(line)
        return shown

    def presses(self, word: str) -> None:
        """``retry``, ``copy``, ``look`` or ``close``."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def leaves(self) -> int:
        """Close the window; its exit status."""
        _, errors = self._process.communicate("close\n", timeout=DEADLINE_SECONDS)
        assert errors == ""
        return self._process.returncode


@contextmanager
def a_person_at_the_window(root: Path) -> Iterator[PersonAtWindow]:
    with subprocess.Popen(
        [sys.executable, "-c", WITHOUT_PRIVILEGE, "-m", "tests.end2end.window_process", str(root)],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield PersonAtWindow(process)
        finally:
            process.kill()


def tour(root: Path, pictures: Path) -> subprocess.CompletedProcess[str]:
    """Draw the pages of a data root, in a process without a super-user's rights over files."""
    arguments = ["-m", "inklings_desktop", "--data-dir", str(root), "--tour", str(pictures)]
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_PRIVILEGE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
        timeout=DEADLINE_SECONDS,
    )


@pytest.mark.parametrize(
    "kind",
    mostly_wide(
        (kind for kind in TROUBLES if kind != "read-only"), every_day=lambda kind: kind == "newer"
    ),
)
def test_the_window_says_why_the_account_cannot_be_opened(kind: str, root: Root) -> None:
    trouble = TROUBLES[kind]
    trouble.make(root.account)
    before = snapshot(root.path)

    with a_person_at_the_window(root.path) as person:
        shown = person.sees()
        assert shown["problem"][0] == trouble.title.rstrip(".")
        assert trouble.sentence in shown["problem"][1]
        assert any(line.startswith(f"File: {root.path}") for line in shown["problem"][2:])
        rescue = ["Export what can be read"] if trouble.title == DAMAGED[0] else []
        assert shown["buttons"] == [
            "Try again",
            *rescue,
            "Choose another folder\u2026",
            "Copy details",
        ]
        assert shown["dialogs"] == []
        assert person.leaves() == EXIT_ENVIRONMENT

    assert snapshot(root.path) == before


def test_a_disk_that_cannot_be_written_to_is_read_until_it_can_be(root: Root) -> None:
    make_read_only(root.account)
    before = snapshot(root.path)

    with a_person_at_the_window(root.path) as person:
        shown = person.sees()
        assert shown["title"] == "Memory, Saltglass - Inklings"
        assert shown["notice"].startswith("Read-only: the disk cannot be written to. You can read")
        assert shown["dialogs"] == []
        assert person.leaves() == 0

    assert snapshot(root.path) == before


@pytest.mark.parametrize(
    "kind", mostly_wide(("picture", "newer"), every_day=lambda kind: kind == "picture")
)
def test_without_a_person_the_sentence_goes_to_the_terminal(
    kind: str, root: Root, tmp_path: Path
) -> None:
    trouble = TROUBLES[kind]
    trouble.make(root.account)
    before = snapshot(root.path)

    said = tour(root.path, tmp_path / "pictures")

    assert said.returncode == EXIT_ENVIRONMENT, said.stderr
    assert said.stderr.startswith(trouble.title)
    assert trouble.sentence in said.stderr
    assert said.stderr.count("\n") == 1
    assert not (tmp_path / "pictures").exists()
    assert snapshot(root.path) == before


@pytest.mark.parametrize(
    ("place", "kind"),
    mostly_wide(
        [("account", "picture"), ("workspace", "read-only")],
        every_day=lambda case: case[0] == "workspace",
    ),
)
def test_try_again_opens_the_data_once_the_cause_is_gone(kind: str, place: str, root: Root) -> None:
    database = root.account if place == "account" else root.workspace
    content = database.read_bytes()
    TROUBLES[kind].make(database)

    with a_person_at_the_window(root.path) as person:
        assert person.sees()["problem"][0] == TROUBLES[kind].title.rstrip(".")
        person.presses("retry")
        assert person.sees()["problem"][0] == TROUBLES[kind].title.rstrip(".")
        make_writable(root.path)
        database.write_bytes(content)
        person.presses("retry")
        assert person.sees() == {
            "title": "Memory, Saltglass - Inklings",
            "notice": "",
            "dialogs": [],
        }
        assert person.leaves() == 0


@pytest.mark.parametrize(
    ("place", "title"),
    mostly_wide(
        [
            ("account", "Another window is using this data"),
            ("workspace", "Another window is using this workspace"),
        ],
        every_day=lambda case: case[0] == "account",
    ),
)
def test_what_another_program_keeps_to_itself_is_opened_once_it_lets_go(
    place: str, title: str, root: Root
) -> None:
    database = root.account if place == "account" else root.workspace
    with raw(database) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with a_person_at_the_window(root.path) as person:
            shown = person.sees()
            assert shown["problem"][:2] == [
                title,
                "Close it, or wait, and try again. Nothing was changed.",
            ]
            assert shown["buttons"][0] == "Try again"
            other.close()
            person.presses("retry")
            assert person.sees()["title"] == "Memory, Saltglass - Inklings"
            assert person.leaves() == 0


@pytest.mark.parametrize(
    "place", mostly_wide(("account", "workspace"), every_day=lambda place: place == "workspace")
)
def test_the_copy_is_opened_where_nothing_else_can_be(place: str, root: Root) -> None:
    database = root.account if place == "account" else root.workspace
    with open_inklings(root.path, embedder=NullEmbedder("none")) as inklings:
        whose = None if place == "account" else root.workspace_id
        inklings.keeping.create_backup(whose)
    TROUBLES["picture"].make(database)

    with a_person_at_the_window(root.path) as person:
        shown = person.sees()
        assert shown["problem"][1].startswith(
            "Nothing has been repaired yet. The last good copy is from "
        )
        assert shown["buttons"][:3] == ["Try again", "Open the copy", "Export what can be read"]
        person.presses("copy")
        assert person.sees()["title"] == "Memory, Saltglass - Inklings"
        assert person.leaves() == 0

    (aside,) = (root.path / "backups").glob("*/*.damaged")
    assert aside.read_bytes() == PNG
    with open_inklings(root.path, embedder=NullEmbedder("none")) as inklings:
        page = inklings.listing.browse([ScopeKey.workspace(root.workspace_id)])
        assert [one.content for one in page.entries] == ["Gulls keep accounts."]


def test_a_damaged_workspace_does_not_close_the_others(root: Root) -> None:
    with open_inklings(root.path, embedder=NullEmbedder("none")) as inklings:
        inklings.workspaces.create("Tide tables")
    trouble = TROUBLES["picture"]
    trouble.make(root.workspace)
    before = root.workspace.read_bytes()

    with a_person_at_the_window(root.path) as person:
        shown = person.sees()
        assert shown["title"] == "Memory, Tide tables - Inklings"
        assert shown["dialogs"] == []
        while not shown["notice"].startswith(trouble.title):  # said once the copies are known
            person.presses("look")
            shown = person.sees()
        assert "It is the workspace Saltglass. Nothing has been repaired yet." in shown["notice"]
        assert "There is no good copy of it." in shown["notice"]
        assert person.leaves() == 0

    assert root.workspace.read_bytes() == before
    assert sorted(path.name for path in root.workspace.parent.iterdir()) == [
        "agents.db",
        "workspace.json",
    ]


def test_without_a_person_a_damaged_workspace_is_said_and_ends(root: Root, tmp_path: Path) -> None:
    trouble = TROUBLES["picture"]
    trouble.make(root.workspace)

    said = tour(root.path, tmp_path / "pictures")

    assert said.returncode == EXIT_ENVIRONMENT
    assert said.stderr.startswith(trouble.title)
    assert "Traceback" not in said.stderr
