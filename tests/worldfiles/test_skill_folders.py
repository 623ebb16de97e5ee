"""Skills as folders and archives: ordinary ones come back byte for byte, hostile ones stay out.

Tests 53 and 54 of the agent's design.
"""

from __future__ import annotations

import os
import random
import stat
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import ConflictError, InvalidValueError, OutsideFileError
from inklings_desktop.domain.skills.folder import checked_files, contents_of
from inklings_desktop.domain.skills.skill import MAIN_FILE, Contents
from inklings_desktop.worldfiles.skill_folders import SHIPPED, LocalSkillFolders

HEAD = b"---\nname: tide-tables\ndescription: Reads tides.\n---\n"
FOLDERS = LocalSkillFolders()


def lay_out(folder: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return folder


def understood(place: Path) -> Contents:
    found = FOLDERS.read(place)
    files = checked_files(found.files)
    return contents_of(files, FOLDERS.head(files[MAIN_FILE]), found.name)


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {
        one.relative_to(folder).as_posix(): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file()
    }


ORDINARY = {
    "SKILL.md": HEAD.replace(b"\n", b"\r\n") + b"\r\n# Steps\r\n\r\nRead.",
    "scripts/deep/run.py": b"def main(inputs):\n\treturn {}\n",
    "references/zw\u00f6lf.md": "Zw\u00f6lf \u2028 Stunden\n".encode(),
    "assets/empty.txt": b"",
    "LICENSE": b"\xef\xbb\xbfFree.\n\n\n",
}


@pytest.mark.parametrize("packed", [False, True])
def test_what_comes_in_goes_out_byte_for_byte(tmp_path: Path, *, packed: bool) -> None:
    source = lay_out(tmp_path / "tide-tables", ORDINARY)
    (tmp_path / "out").mkdir()
    files = understood(source).files
    made = FOLDERS.write("tide-tables", files, tmp_path / "out", packed=packed)
    if packed:
        assert understood(made).digest == understood(source).digest
        with zipfile.ZipFile(made) as archive:
            archive.extractall(tmp_path / "unpacked")
        made = tmp_path / "unpacked" / "tide-tables"
    assert bytes_below(made) == ORDINARY


@given(
    st.dictionaries(
        st.from_regex(r"(references|scripts|assets)/[a-z0-9_]{1,8}\.(md|py|txt)", fullmatch=True),
        st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\n\t\r")),
        max_size=5,
    ),
    st.text("ab\n#-: "),
)
def test_any_text_goes_there_and_back(files: dict[str, str], body: str) -> None:
    whole = {"SKILL.md": HEAD + body.encode()} | {k: v.encode() for k, v in files.items()}
    checked = checked_files(whole)
    of = contents_of(checked, FOLDERS.head(checked[MAIN_FILE]))
    assert {path: text.encode() for path, text in of.files.items()} == whole


HOSTILE = {
    "no main file": {"README.md": b"x"},
    "too many": {"SKILL.md": HEAD} | {f"references/{n}.md": b"x" for n in range(32)},
    "too long": {"SKILL.md": HEAD} | {f"references/{n}.md": b"x" * 65_000 for n in range(5)},
    "one too long": {"SKILL.md": HEAD, "a.md": b"x" * 65_537},
    "no text": {"SKILL.md": HEAD, "a.bin": b"\xff\xfe"},
    "nul": {"SKILL.md": HEAD, "a.txt": b"a\0b"},
    "no head": {"SKILL.md": b"# Steps\n"},
    "head without end": {"SKILL.md": b"---\nname: tide-tables\n"},
    "head that grows": {"SKILL.md": b"---\na: &x [1]\nb: [*x, *x]\n---\n"},
    "head that makes objects": {"SKILL.md": b"---\na: !!python/object:os.system x\n---\n"},
    "head of 20 KiB": {"SKILL.md": b"---\nname: tide-tables\nx: " + b"y" * 20_000 + b"\n---\n"},
    "another name": {"SKILL.md": HEAD.replace(b"tide-tables", b"other")},
    "bad name": {"SKILL.md": HEAD.replace(b"tide-tables", b"../up")},
    "too deep": {"SKILL.md": HEAD, "a/b/c/d/e/f.md": b"x"},
}


@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_folder_is_refused_whole(tmp_path: Path, files: dict[str, bytes]) -> None:
    with pytest.raises(InvalidValueError):
        understood(lay_out(tmp_path / "tide-tables", files))


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need rights there")
@pytest.mark.parametrize("kind", ["file", "folder", "pipe", "main"])
def test_links_and_pipes_are_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.md").write_bytes(HEAD)
    folder = lay_out(tmp_path / "tide-tables", {} if kind == "main" else {"SKILL.md": HEAD})
    folder.mkdir(exist_ok=True)
    match kind:
        case "file":
            (folder / "a.md").symlink_to(tmp_path / "secret" / "key.md")
        case "folder":
            (folder / "references").symlink_to(tmp_path / "secret")
        case "main":
            (folder / "SKILL.md").symlink_to(tmp_path / "secret" / "key.md")
        case "pipe":
            os.mkfifo(folder / "a.md")
    with pytest.raises(InvalidValueError) as caught:
        understood(folder)
    assert caught.value.rule == ("no_text" if kind == "pipe" else "link")


PLACES = ["../up.md", "/etc/x.md", "a/../../x.md", "a//b.md", "c:x.md", "a\\b.md", "con.md",
          "nul", "a./x", "a/b.", "x" * 201]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_an_archive_that_reaches_out_is_refused(tmp_path: Path, place: str) -> None:
    packed = tmp_path / "x.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("SKILL.md", HEAD)
        entry = zipfile.ZipInfo()
        entry.filename = place
        archive.writestr(entry, b"x")
    with pytest.raises(InvalidValueError) as caught:
        FOLDERS.read(packed)
    assert caught.value.rule == "place"


@pytest.mark.parametrize(
    "names", [["a.md", "A.md"], ["\u00e4.md", "a\u0308.md"], ["a", "a/b.md"], ["A", "a/b.md"]]
)
def test_names_that_some_system_cannot_tell_apart_are_refused(
    tmp_path: Path, names: list[str]
) -> None:
    packed = tmp_path / "x.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("tide-tables/SKILL.md", HEAD)
        for name in names:
            archive.writestr(f"tide-tables/{name}", b"x")
    with pytest.raises(InvalidValueError) as caught:
        understood(packed)
    assert caught.value.rule == "clash"


def test_an_archive_with_links_doubles_or_lies_is_refused(tmp_path: Path) -> None:
    packed = tmp_path / "link.zip"
    entry = zipfile.ZipInfo("tide-tables/a.md")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("tide-tables/SKILL.md", HEAD)
        archive.writestr(entry, b"/etc/passwd")
    with pytest.raises(InvalidValueError) as caught:
        FOLDERS.read(packed)
    assert caught.value.rule == "link"
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tide-tables/SKILL.md", HEAD + b" " * 50_000_000)
    with pytest.raises(InvalidValueError) as caught:
        understood(bomb)
    assert caught.value.rule == "file_too_long"
    twice = tmp_path / "twice.zip"
    with zipfile.ZipFile(twice, "w") as archive:
        archive.writestr("SKILL.md", HEAD)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("SKILL.md", HEAD)
    with pytest.raises(InvalidValueError):
        FOLDERS.read(twice)


def test_any_damage_to_an_archive_is_refused_or_harmless(tmp_path: Path) -> None:
    source = tmp_path / "x.zip"
    with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tide-tables/SKILL.md", HEAD + b"Read.")
    sound, chance = source.read_bytes(), random.Random(5)  # noqa: S311  it only picks places
    n_refused = 0
    for _ in range(200):
        data = bytearray(sound)
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
        source.write_bytes(data)
        try:
            understood(source)
        except (InvalidValueError, OutsideFileError):
            n_refused += 1
    assert n_refused > 100


def test_what_a_system_leaves_is_left_out_and_named(tmp_path: Path) -> None:
    files = {"SKILL.md": HEAD, ".DS_Store": b"\0", "scripts/__pycache__/a.pyc": b"\0"}
    found = FOLDERS.read(lay_out(tmp_path / "tide-tables", files))
    assert list(found.files) == ["SKILL.md"]
    assert sorted(found.left_out) == [".DS_Store", "scripts/__pycache__"]


def test_nothing_is_written_over_and_nothing_half(tmp_path: Path) -> None:
    files = {"SKILL.md": HEAD.decode()}
    written = FOLDERS.write("tide-tables", files, tmp_path, packed=False)
    with pytest.raises(ConflictError):
        FOLDERS.write("tide-tables", files, tmp_path, packed=False)
    with pytest.raises(OutsideFileError):
        FOLDERS.write("tide-tables", files, written / "SKILL.md", packed=True)
    assert [one.name for one in tmp_path.rglob("*")] == ["tide-tables", "SKILL.md"]
    with pytest.raises(OutsideFileError):
        FOLDERS.read(tmp_path / "gone")


def test_a_catalogue_names_each_skill_once(tmp_path: Path) -> None:
    for place in ("b/two", "a/one", "a/one/inner", ".git/three", "c/d/e/f/g/deep"):
        lay_out(tmp_path / place, {"SKILL.md": HEAD})
    found = [one.relative_to(tmp_path).as_posix() for one in FOLDERS.catalogue(tmp_path)]
    assert found == ["a/one", "b/two"]
    with pytest.raises(OutsideFileError):
        FOLDERS.catalogue(tmp_path / "gone")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_line_of_a_head_is_said_anew_and_the_rest_stays(end: str) -> None:
    text = "---\n# mine\nname: old  # why\nmetadata:\n  a: 1.10\nversion: 1.10\n---\nBody\n"
    text = text.replace("\n", end)
    renamed = FOLDERS.with_head(text, "name", "new")
    assert renamed == text.replace("name: old  # why", "name: new")
    assert FOLDERS.with_head(text, "metadata", None) == text.replace(
        f"metadata:{end}  a: 1.10{end}", ""
    )
    added = FOLDERS.with_head(text, "license", "MIT: or so")
    assert FOLDERS.head(added) == {**FOLDERS.head(text), "license": "MIT: or so"}
    assert added.replace(f"license: 'MIT: or so'{end}", "") == text


def test_the_skills_of_the_program_are_sound() -> None:
    found = FOLDERS.shipped()
    assert [one.name for one in found] == list(SHIPPED)
    assert all(any(file.assertions for file in one.artifacts) for one in found)
    assert all(one.allowed_tools for one in found)
