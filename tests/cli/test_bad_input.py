"""Bad values and bad files: a clear sentence, the documented status, and nothing changed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.storage.engine.connecting import connect_raw
from tests.cli.console import Console

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
ADD = ("memory", "add", "some text", "--tier", "workspace")
USER_VERSION_OFFSET = 60


def snapshot(folder: Path) -> dict[str, str]:
    """Every file with the hash of its bytes; logs and SQLite's empty side files aside."""
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name != "logs" and not path.name.endswith("-shm")
    }
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if content or not name.endswith("-wal")
    }


BAD_VALUES = [
    ((*ADD, "--importance", "1.2"), 1, "Importance is a number from 0 to 1."),
    ((*ADD, "--importance=-0.1"), 1, "Importance is a number from 0 to 1."),
    ((*ADD, "--importance", "nan"), 1, "Importance is a number from 0 to 1."),
    ((*ADD, "--importance", "inf"), 1, "Importance is a number from 0 to 1."),
    ((*ADD, "--importance", "high"), 2, "--importance"),
    (("memory", "add", "", "--tier", "workspace"), 1, "A memory needs at least one word."),
    (("memory", "add", " \n\u200b", "--tier", "workspace"), 1, "A memory needs at least one word."),
    (("memory", "add", "x" * 70_000, "--tier", "workspace"), 1, "A memory can have at most 64 KiB"),
    (("memory", "add", "a\x00b", "--tier", "workspace"), 1, "can't contain the character NUL"),
    (("memory", "add", "x", "--tier", "galaxy"), 2, "galaxy"),
    (("memory", "add", "x"), 2, "--tier"),
    (("memory", "add", "x", "--tier", "conversation"), 2, "--conversation"),
    (("memory", "add", "x", "--tier", "conversation", "--conversation", "no"), 1, "no convers"),
    (("memory", "add", "x", "--tier", "channel", "--channel", "no"), 1, "no channel"),
    ((*ADD, "--lifetime", "conversation"), 1, "belongs to the conversation tier"),
    ((*ADD, "--lifetime", "forever"), 2, "forever"),
    ((*ADD, "--tag", ""), 1, "A tag needs at least one visible character."),
    ((*ADD, "--tag", "x" * 65), 1, "A tag has at most 64 characters."),
    ((*ADD, *(f"--tag=t{n}" for n in range(33))), 1, "at most 32 tags"),
    ((*ADD, "--source", ""), 1, "A source needs at least one visible character."),
    ((*ADD, "--source", "a\nb"), 1, "A source is a single line of text"),
    ((*ADD, "--workspace", "Nowhere"), 1, "There is no workspace “Nowhere” here."),
    (
        ("memory", "list", "--tier", "workspace", "--limit", "0"),
        1,
        "The limit is a number from 1 to",
    ),
    (("memory", "list", "--tier", "workspace", "--importance-min", "nan"), 1, "Importance is"),
    (("memory", "list", "--tier", "workspace", "--after", "junk"), 2, "--after"),
    (
        ("memory", "search", "x", "--tier", "workspace", "--limit", "5000"),
        1,
        "The limit is a number",
    ),
    (("memory", "edit", "{id}", "--importance", "nan"), 1, "Importance is a number from 0 to 1."),
    (("memory", "edit", "{id}", "--content", " "), 1, "A memory needs at least one word."),
    (("memory", "edit", "{id}", "--lifetime", "conversation"), 1, "belongs to the conversation"),
    (("memory", "show", "00000000-0000-4000-8000-000000000000"), 1, "No memory here"),
    (("memory", "forget", "{id}", "--reason", "a\nb"), 1, "is a single line of text"),
    (("memory", "confirm", "not an id"), 1, "No memory here"),
]


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"), BAD_VALUES, ids=range(len(BAD_VALUES))
)
def test_a_bad_value_is_refused_with_a_sentence_and_changes_nothing(
    arguments: tuple[str, ...],
    status: int,
    sentence: str,
    world: Console,
    memory: dict[str, Any],
) -> None:
    before = snapshot(world.data_dir)
    said = world(*(one.format(id=memory["id"]) for one in arguments))
    assert said.status == status
    assert sentence in said.err
    assert said.out == ""
    assert "Traceback" not in said.err
    assert snapshot(world.data_dir) == before


def test_a_foreign_id_reaches_nothing(world: Console, memory: dict[str, Any]) -> None:
    world.document("workspace", "create", "Tide tables")
    before = snapshot(world.data_dir)
    for command in (("forget",), ("confirm",), ("edit", "--content", "taken over")):
        said = world("memory", command[0], memory["id"], *command[1:], "--workspace", "Tide tables")
        assert said.status == 1
        assert "No memory here" in said.err
        assert "harbour" not in said.err
    assert snapshot(world.data_dir) == before


@pytest.mark.parametrize("place", ["account", "workspace"])
@pytest.mark.parametrize(
    ("content", "kind", "sentence"),
    [
        (PNG, "damaged", "is damaged, or not a database. It was left exactly as it is."),
        (b"SQLite format 3\x00" + bytes(200), "damaged", "is damaged, or not a database."),
    ],
    ids=["png", "header only"],
)
def test_a_file_that_is_no_database_is_left_alone(
    place: str,
    content: bytes,
    kind: str,
    sentence: str,
    world: Console,
    memory: dict[str, Any],
) -> None:
    database = database_of(place, world, memory)
    database.write_bytes(content)
    before = snapshot(world.data_dir)
    for arguments in (("memory", "list"), ("memory", "add", "some text")):
        said = world(*arguments, "--tier", place, "--json")
        assert said.status == 3
        assert said.document["error"]["kind"] == kind
        assert sentence in said.err
        assert str(database) in said.err
    assert snapshot(world.data_dir) == before


@pytest.mark.parametrize("place", ["account", "workspace"])
def test_a_database_of_a_newer_program_is_never_written_to(
    place: str, world: Console, memory: dict[str, Any]
) -> None:
    database = database_of(place, world, memory)
    content = bytearray(database.read_bytes())
    content[USER_VERSION_OFFSET : USER_VERSION_OFFSET + 4] = (99).to_bytes(4, "big")
    database.write_bytes(content)
    before = snapshot(world.data_dir)
    for arguments in (("memory", "list"), ("memory", "add", "some text")):
        said = world(*arguments, "--tier", place, "--json")
        assert said.status == 3
        assert said.document["error"]["kind"] == "newer"
        assert said.document["error"]["found"] == 99
        assert "is from a newer Inklings" in said.err
    assert snapshot(world.data_dir) == before


def test_a_database_of_another_workspace_is_never_written_to(
    world: Console, memory: dict[str, Any]
) -> None:
    other = world.document("workspace", "create", "Tide tables")["workspace"]
    database = world.data_dir / "workspaces" / other["id"] / "agents.db"
    database.write_bytes(database_of("workspace", world, memory).read_bytes())
    before = snapshot(world.data_dir)
    said = world(*ADD, "--workspace", other["id"])
    assert said.status == 3
    assert "is a database, but not the one that belongs there." in said.err
    assert snapshot(world.data_dir) == before


def test_a_file_where_the_data_root_should_be_is_left_alone(console: Console) -> None:
    console.data_dir.write_bytes(PNG)
    said = console("workspace", "create", "Field notes")
    assert said.status == 3
    assert str(console.data_dir) in said.err
    assert console.data_dir.read_bytes() == PNG


def test_a_database_that_another_program_holds_is_left_alone(
    world: Console, memory: dict[str, Any]
) -> None:
    holder = connect_raw(database_of("workspace", world, memory))
    try:
        holder.execute("BEGIN IMMEDIATE")
        said = world(*ADD, "--json")
        listed = world.document("memory", "list", "--tier", "workspace")
    finally:
        holder.close()
    assert listed["total"] == 1
    assert said.status == 3
    assert said.document["error"]["kind"] == "busy"
    assert "Try again in a moment." in said.err


def database_of(place: str, world: Console, memory: dict[str, Any]) -> Path:
    """The account's file or that of the memory's workspace."""
    if place == "account":
        return world.data_dir / "agents.db"
    return world.data_dir / "workspaces" / str(memory["workspace_id"]) / "agents.db"
