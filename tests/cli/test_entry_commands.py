from __future__ import annotations

import codecs
import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.console import Console
from tests.support.damaging import MARKED, make_unreadable

HARD_BODIES = (
    b"",
    b"no line end",
    b"CR\rLF\nCR LF\r\n\r\n\n",
    "\ufeffBOM \u0085 \u2028 \u2029 \x0b\x0c".encode(),
    "\U0001f9d9\u200d\u2640\ufe0f \u05e9\u05b8\u05c1 \u202e\u0627 \u6e2f".encode(),
    "e\u0301 \u00e9 \x1b[31m\x07".encode(),
    b"# ".ljust(60_000, b"x"),
)


@pytest.fixture
def rules(world: Console) -> str:
    """A companion with a body."""
    world.document("entry", "new", "RULES", "-", stdin=b"# Rules\n\nOne custom costs.\n")
    return "RULES"


def test_voice_and_soul_are_listed_from_the_first_moment(world: Console) -> None:
    listed = world.document("entry", "list")["entries"]
    assert [(one["name"], one["tier"], one["template"]) for one in listed] == [
        ("VOICE", "workspace", True),
        ("SOUL", "account", True),
    ]
    text = world("entry", "list").out
    assert "template" in text
    assert text.endswith("Always in context: 0 characters, about 0 tokens.\n")


def test_soul_is_there_without_any_workspace(console: Console) -> None:
    shown = console.document("entry", "show", "SOUL")["entry"]
    assert shown["body"].startswith("# Who you are with me\n")
    assert console("entry", "show", "VOICE").status == 1


def test_a_template_says_that_the_agent_does_not_get_it(world: Console) -> None:
    said = world("entry", "show", "voice")
    assert said.out.startswith("# How this world sounds\n")
    assert "template" in said.err
    world("entry", "edit", "voice", "-", stdin=b"Close third.")
    assert world("entry", "show", "voice").err == ""


def test_an_entry_that_damage_left_a_part_of_says_so_until_it_is_written_anew(
    world: Console,
) -> None:
    world("entry", "edit", "voice", "-", stdin=b"Close third.")
    (path,) = world.data_dir.glob("workspaces/*/agents.db")
    make_unreadable(path, table="named_entries", column="body", where="name = 'VOICE'")
    said = world("entry", "show", "voice")
    assert (said.status, said.out) == (0, f"{MARKED}\n")
    assert said.err.startswith("Part of it can't be read, and agents don't get it.")
    world("entry", "edit", "voice", "-", stdin=b"Close third, again.")
    assert world("entry", "show", "voice").err == ""


@pytest.mark.parametrize("body", HARD_BODIES, ids=range(len(HARD_BODIES)))
@pytest.mark.parametrize("way", ["stdin", "file", "file-from-stdin"])
def test_a_body_goes_in_and_out_byte_for_byte(
    world: Console, tmp_path: Path, body: bytes, way: str
) -> None:
    source, target = tmp_path / "in.md", tmp_path / "out.md"
    source.write_bytes(body)
    if way == "stdin":
        said = world("entry", "edit", "VOICE", "-", stdin=body)
    elif way == "file":
        said = world("entry", "edit", "VOICE", "--from-file", str(source))
    else:
        said = world("entry", "edit", "VOICE", "--from-file", "-", stdin=body)
    assert said.out == "Saved VOICE, now revision 2.\n"

    shown = world.document("entry", "show", "VOICE")["entry"]
    kept = body.removeprefix(codecs.BOM_UTF8)  # a mark of the file, no part of its text
    assert shown["body"].encode() == kept
    assert world("entry", "show", "VOICE", "--to-file", str(target)).status == 0
    assert target.read_bytes() == kept


def test_showing_acts_on_no_terminal(world: Console) -> None:
    world("entry", "edit", "VOICE", "-", stdin="a\x1b[2Jb\r\n\u202ec\rd".encode())
    said = world("entry", "show", "VOICE")
    assert said.out == "a\\x1b[2Jb\n\\u202ec\\x0dd\n"


def test_a_file_that_is_there_is_not_overwritten(world: Console, tmp_path: Path) -> None:
    target = tmp_path / "mine.md"
    target.write_text("mine")
    said = world("entry", "show", "SOUL", "--to-file", str(target))
    assert said.status == 3
    assert target.read_text() == "mine"


def test_text_that_is_no_text_is_refused(world: Console, tmp_path: Path) -> None:
    assert world("entry", "edit", "VOICE", "-", stdin=b"\xff\xfe").status == 1
    nul = world("entry", "edit", "VOICE", "-", stdin=b"a\x00b")
    assert (nul.status, "NUL" in nul.err) == (1, True)
    long = world("entry", "edit", "VOICE", "-", stdin=b"x" * (256 * 1024 + 1))
    assert (long.status, "at most 256 KiB" in long.err) == (1, True)
    missing = world("entry", "edit", "VOICE", "--from-file", str(tmp_path / "none.md"))
    assert missing.status == 3
    assert world.document("entry", "show", "VOICE")["entry"]["version"] == 1


def test_the_same_text_makes_no_revision(world: Console, rules: str) -> None:
    body = b"# Rules\n\nOne custom costs.\n"
    said = world("entry", "edit", rules, "-", stdin=body)
    assert said.out == "RULES is as it was: nothing changed.\n"


def test_a_body_is_edited_in_the_persons_editor(
    world: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import sys, pathlib\npathlib.Path(sys.argv[1]).write_bytes(b'# New\\r\\nbody\\n')\n"
    )
    monkeypatch.setenv("VISUAL", shlex.join([sys.executable, str(editor)]))
    assert world("entry", "edit", "SOUL").out == "Saved SOUL, now revision 2.\n"
    assert world.document("entry", "show", "SOUL")["entry"]["body"] == "# New\r\nbody\n"


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("new", "V0ICE"), 1, "This name looks like another entry's."),
        (("new", "VOICE"), 1, "There is already a named entry called “VOICE”."),
        (("new", "SOUL", "--tier", "workspace"), 1, "There is already a named entry"),
        (("new", "lower"), 1, "Use only capitals, digits and underscores in the name of an entry."),
        (("new", "A"), 1, "The name of an entry needs at least 2 characters."),
        (("new", "A" * 41), 1, "A name has at most 40 characters."),
        (("new", "RULE_S"), 0, ""),
        (
            ("show", "NOTHING"),
            1,
            "There is no named entry “NOTHING” here. See",
        ),
        (("show", "VOICE", "--revision", "7"), 1, "There is no revision “7” here."),
        (("show", "VOICE", "--tier", "account"), 1, "There is no named entry"),
        (("show", "VOICE", "--tier", "channel"), 2, ""),
        (("edit", "VOICE", "text"), 2, "Give the body with --from-file FILE"),
        (("edit", "VOICE", "-", "--from-file", "-"), 2, "Give the body with --from-file FILE"),
        (("edit", "VOICE", "--json"), 2, "Say where the body comes from"),
        (("edit", "VOICE", "-", "--if-version", "4"), 1, "Somebody saved a newer version"),
        (("restore", "VOICE", "9"), 1, "There is no revision “9” here."),
        (("delete", "VOICE"), 1, "VOICE and SOUL can be emptied, not deleted."),
        (("delete", "SOUL"), 1, "VOICE and SOUL can be emptied, not deleted."),
        (("undelete", "RULES"), 1, "There is no deleted companion “RULES” here."),
    ],
)
def test_what_is_refused_says_why(
    arguments: tuple[str, ...], status: int, sentence: str, world: Console
) -> None:
    said = world("entry", *arguments)
    assert said.status == status
    assert said.err.startswith(sentence)


def test_history_diff_and_restore(world: Console, rules: str) -> None:
    body = b"# Rules\r\n\nEvery custom costs.\nThe sea wants nothing."
    world.document("entry", "edit", rules, "-", stdin=body)
    heads = world.document("entry", "history", rules)["revisions"]
    assert [(one["number"], one["action"], one["door"]) for one in heads] == [
        (2, "saved", "cli"),
        (1, "created", "cli"),
    ]
    assert "body" not in heads[0]
    assert world("entry", "history", rules).out.count("\n") == 2

    said = world("entry", "diff", rules, "1", "2")
    assert said.out == (
        "RULES: revision 1 to 2\n"
        "    1 - # Rules  (LF)\n"
        "    1 + # Rules  (CR LF)\n"
        "    2   \n"
        "    3 - [-One-] custom costs.\n"
        "    3 + {+Every+} custom costs.\n"
        "    4 + The sea wants nothing.  (no line end)\n"
    )
    document = world.document("entry", "diff", rules, "1")
    assert document["newer"]["number"] == 2
    assert document["newer"]["body"].encode() == body
    assert world("entry", "diff", rules, "2", "2").out.endswith("They read the same.\n")

    assert world("entry", "restore", rules, "1").out == "Saved RULES, now revision 3.\n"
    assert world.document("entry", "show", rules)["entry"]["body"].startswith("# Rules\n")
    shown = world.document("entry", "show", rules, "--revision", "2")["entry"]
    assert (shown["number"], shown["body"].encode()) == (2, body)


def test_a_long_unchanged_passage_is_left_out_of_a_diff(world: Console) -> None:
    lines = [f"Line {number}" for number in range(40)]
    world("entry", "edit", "VOICE", "-", stdin="\n".join(lines).encode())
    lines[20] = "Changed entirely"
    world("entry", "edit", "VOICE", "-", stdin="\n".join(lines).encode())
    out = world("entry", "diff", "VOICE", "2").out.splitlines()
    assert out[1] == out[-1] == "..."
    assert len(out) == 1 + 2 + 2 * 3 + 2


def test_a_companion_is_deleted_and_brought_back(world: Console, rules: str) -> None:
    said = world("entry", "delete", rules)
    assert said.out == "Deleted RULES. Restore it with: inklings entry undelete RULES\n"
    assert world("entry", "show", rules).status == 1
    (deleted,) = world.document("entry", "list", "--deleted")["entries"]
    assert deleted["deleted_at"] is not None
    assert world("entry", "undelete", "rules").out == "RULES is back.\n"
    assert world("entry", "list", "--deleted").out == "No companion is deleted.\n"


def test_a_name_in_both_tiers_is_told_apart_by_its_tier(world: Console, rules: str) -> None:
    world.document("entry", "new", rules, "--tier", "account")
    said = world("entry", "show", rules)
    assert (said.status, "--tier" in said.err) == (1, True)
    shown = world.document("entry", "show", rules, "--tier", "account")["entry"]
    assert (shown["tier"], shown["workspace_id"], shown["body"]) == ("account", None, "")
    for tier in ("workspace", "account"):
        assert world("entry", "delete", rules, "--tier", tier).status == 0
    assert world("entry", "undelete", rules).status == 2
    assert world("entry", "undelete", rules, "--tier", "account").status == 0


def test_with_several_workspaces_the_workspace_is_named(world: Console) -> None:
    world.document("workspace", "create", "Saltglass")
    assert world("entry", "show", "VOICE").status == 2
    assert world("entry", "new", "RULES").status == 2
    shown = world.document("entry", "show", "VOICE", "--workspace", "Saltglass")["entry"]
    assert shown["template"]
    assert world("entry", "list").status == 0


def test_the_json_of_a_refusal_is_for_scripts(world: Console) -> None:
    said = world("entry", "new", "V0ICE", "--json")
    error = json.loads(said.out)["error"]
    assert (error["kind"], error["field"], error["rule"]) == (
        "invalid_value",
        "name",
        "look_alike",
    )
