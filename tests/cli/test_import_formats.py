"""``inklings import`` with files of other programs and of one's own hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.console import Console

SAMPLES = Path(__file__).parents[1] / "data" / "imports"


def memories(world: Console, *where: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.document("memory", "list", *where)["memories"]
    return found


def test_a_lorebook_comes_in_as_standing_memories_of_the_only_workspace(world: Console) -> None:
    file = str(SAMPLES / "world_info.json")
    looked = world("import", file, "--preview")
    assert "sillytavern: 2 memories in 1 file. Nothing has changed yet." in looked.out
    assert "Not imported: depth, name, order, position" in looked.err
    assert "Left out: one without a text (" in looked.err
    assert memories(world, "--tier", "workspace") == []
    done = world.document("import", file)["import"]
    assert (done["added"], done["formats"], done["restore"]) == (2, ["sillytavern"], False)
    first = {one["content"]: one for one in memories(world, "--tier", "workspace")}[
        "The toll at the Wend Gate is paid in glass."
    ]
    assert first["lifetime"] == "long_term"
    assert first["curator"] == "import"
    assert first["source"] == "SillyTavern"
    assert world.document("import", file)["import"]["added"] == 0, "a second time all are here"
    world("import", "--withdraw", done["run"][:8])
    assert memories(world, "--tier", "workspace") == []


def test_a_folder_stands_for_its_notes(world: Console) -> None:
    done = world.document("import", str(SAMPLES / "notes"))["import"]
    assert (done["added"], done["files"], done["left_out"]) == (3, 2, {"other_file": 1})
    sources = {one["content"]: one["source"] for one in memories(world, "--tier", "workspace")}
    assert sources["Wren never learned to swim."] == "people/wren.txt"


def test_several_files_and_a_place(world: Console) -> None:
    world("channel", "create", "map-room")
    files = [str(SAMPLES / "lines.txt"), str(SAMPLES / "mem0.json")]
    done = world.document("import", *files, "--tier", "channel", "--channel", "map-room")
    assert done["import"]["added"] == 5
    assert len(memories(world, "--tier", "channel", "--channel", "map-room")) == 5
    world("import", str(SAMPLES / "chatgpt.txt"), "--tier", "account")
    assert {one["source"] for one in memories(world, "--tier", "account")} == {"ChatGPT"}


def test_rows_that_cannot_come_in_are_told_with_their_place(world: Console, tmp_path: Path) -> None:
    file = tmp_path / "half.jsonl"
    file.write_text('{"content": "whole"}\n{"content": "\\ud83d"}\n{"content": "last"}\n')
    said = world("import", str(file), "--preview")
    assert "line 2 cannot be imported: content (encoding)" in said.out
    rows = world.document("import", str(file), "--preview")["preview"]["rows"]
    assert [(one["line"], one["status"]) for one in rows] == [
        (1, "new"),
        (2, "refused"),
        (3, "new"),
    ]
    assert world.document("import", str(file))["import"]["added"] == 2


def test_it_is_no_success_when_nothing_comes_in(world: Console, tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    file.write_text('["' + "x" * 70_000 + '"]')
    said = world("import", str(file))
    assert said.status == 1
    assert "Row 1: cannot be imported: content (too long)." in said.err
    assert world("import", str(SAMPLES / "lines.txt")).status == 0
    assert world("import", str(SAMPLES / "lines.txt")).status == 0, "all of it is here already"


def test_what_the_author_forgot_stays_out(world: Console) -> None:
    world("import", str(SAMPLES / "lines.txt"))
    gone = memories(world, "--tier", "workspace")[0]
    world("memory", "forget", gone["id"])
    again = world.document("import", str(SAMPLES / "lines.txt"), "--preview")["preview"]
    assert again["would_write"] == 0
    assert {one["reason"] for one in again["rows"]} == {"same_text", "forgotten_here"}
    assert (
        "forgotten by you, left out" in world("import", str(SAMPLES / "lines.txt"), "--preview").out
    )


def test_how_a_file_is_read_can_be_chosen(world: Console, tmp_path: Path) -> None:
    note = tmp_path / "Odo.md"
    note.write_text("# Brother Odo\n\n- cannot swim\n- counts the dead\n")
    world("import", str(note))
    world("import", str(note), "--by", "section", "--tier", "account")
    said = {one["content"] for one in memories(world, "--tier", "workspace")}
    assert said == {"Brother Odo: cannot swim", "Brother Odo: counts the dead"}
    (whole,) = memories(world, "--tier", "account")
    assert whole["content"] == "Brother Odo:\n- cannot swim\n- counts the dead"
    table = tmp_path / "leute.csv"
    table.write_bytes("Wer;Beschreibung\nMara;H\u00fctet das Licht.\n".encode("cp1252"))
    columns = ("--column", "text=Beschreibung", "--column", "title=Wer")
    world("import", str(table), *columns, "--encoding", "cp1252")
    assert "Mara: H\u00fctet das Licht." in {
        one["content"] for one in memories(world, "--tier", "workspace")
    }
    assert world("import", str(table), "--column", "colour=Wer").status == 2
    assert world("import", str(table), "--encoding", "utf-8").status == 1
    assert world("import", str(table), "--encoding", "klingon").status == 1


def test_a_format_can_be_named(world: Console, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("Words of a page.\n\nMore words.\n")
    assert world("import", str(page)).status == 1
    assert world.document("import", str(page), "--format", "text")["import"]["added"] == 2
    wrong = world("import", str(SAMPLES / "minimal.json"), "--format", "mem0")
    assert wrong.status == 1
    assert "not of the format that was named" in wrong.err


def test_an_export_names_its_own_places_and_comes_alone(world: Console, tmp_path: Path) -> None:
    file = str(tmp_path / "x.inklings.json")
    world("export", file)
    assert world("import", file, "--tier", "account").status == 2
    both = world("import", file, str(SAMPLES / "lines.txt"))
    assert both.status == 1
    assert "import it alone" in both.err
    for more in (("--tier", "conversation"), ("--into", "Field notes", "--tier", "account")):
        assert world("import", str(SAMPLES / "lines.txt"), *more).status == 2


@pytest.mark.parametrize("more", [(), ("--into", "Second")])
def test_among_several_workspaces_one_is_named(world: Console, more: tuple[str, ...]) -> None:
    world("workspace", "create", "Second")
    said = world("import", str(SAMPLES / "lines.txt"), *more)
    assert said.status == (0 if more else 1)
    assert more or "Say where these memories go" in said.err
