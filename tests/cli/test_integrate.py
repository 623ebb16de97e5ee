"""The menu entry that ``inklings integrate`` makes for who installed with pip."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inklings_desktop.cli.window.window_commands import ENTRY, desktop_files
from inklings_desktop.resource_files import resource
from tests.cli.console import Console


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's own folder of shared files, on a Linux desktop that has nothing else."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "usr"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path / "share"


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def words_of(line: str) -> list[str]:
    """One ``Exec`` as a desktop splits it: the string unescaped, then its quoted words."""
    text = line.partition("=")[2].replace("\\\\", "\0").replace("\0", "\\")
    words, word, inside = [], "", False
    letters = iter(text)
    for letter in letters:
        if letter == '"':
            inside = not inside
        elif letter == "\\" and inside:
            word += next(letters)
        elif letter == " " and not inside:
            words.append(word)
            word = ""
        else:
            word += letter
    return [one.replace("%%", "%") for one in [*words, word]]


def exec_lines(entry: bytes) -> list[list[str]]:
    lines = entry.decode("utf-8").splitlines()
    return [words_of(line) for line in lines if line.startswith("Exec=")]


def test_the_window_comes_into_the_menu_with_its_icon_and_by_an_absolute_command(
    console: Console, share: Path
) -> None:
    said = console("integrate")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(f"Inklings Desktop is in the menu now, by {share / ENTRY}.")
    there = files_in(share)
    assert ENTRY.as_posix() in there
    assert {name.partition("/")[0] for name in there} == {"applications", "icons", "metainfo"}
    opened, sample = exec_lines(there[ENTRY.as_posix()])
    assert Path(opened[0]).is_absolute()
    assert opened[-3:] == ["--data-dir", str(console.data_dir), "%u"]
    assert sample[-1] == "--demo"
    assert "--data-dir" not in sample
    assert not console.data_dir.exists()


def test_doing_it_again_changes_nothing_and_what_was_changed_is_mended(
    console: Console, share: Path
) -> None:
    console("integrate")
    before = files_in(share)
    assert "as it should be. Nothing was changed." in console("integrate").out
    (share / ENTRY).write_text("[Desktop Entry]\n", encoding="utf-8")
    assert console.document("integrate") == {"written": [str(share / ENTRY)], "removed": []}
    assert files_in(share) == before


def test_the_menu_entry_goes_again_and_nothing_else_does(console: Console, share: Path) -> None:
    mine = share / "applications" / "mine.desktop"
    mine.parent.mkdir(parents=True)
    mine.write_text("[Desktop Entry]\n", encoding="utf-8")
    console("integrate")
    assert console("integrate", "--remove").out.startswith("Removed the menu entry, ")
    assert list(files_in(share)) == ["applications/mine.desktop"]
    assert "You have no menu entry" in console("integrate", "--remove").out


def test_an_entry_that_a_package_brought_is_left_alone(
    console: Console, share: Path, tmp_path: Path
) -> None:
    theirs = tmp_path / "usr" / ENTRY
    theirs.parent.mkdir(parents=True)
    theirs.write_text("[Desktop Entry]\n", encoding="utf-8")
    said = console("integrate")
    assert said.out == (
        f"Inklings Desktop is in the menu already, by {theirs}. Nothing was changed.\n"
    )
    assert not share.exists()


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_are_told_how_to_open_the_window(
    console: Console, share: Path, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    said = console("integrate")
    assert said.status == 1
    assert said.err == (
        "A menu entry can be made on Linux only. Nothing was changed. Here the window opens with: "
        "inklings open\n"
    )
    assert not share.exists()


def test_a_folder_of_any_name_is_started_as_it_is_called() -> None:
    odd = '/ho me/"q"/$HOME/`x`/50%/back\\slash/inklings-desktop'
    data = Path('/a b/100%"$')
    entry = desktop_files([odd], data)[ENTRY]
    assert exec_lines(entry) == [[odd, "--data-dir", str(data), "%u"], [odd, "--demo"]]


def test_packages_ship_the_entry_with_the_bare_name() -> None:
    shipped = resource(f"share/{ENTRY.as_posix()}").read_bytes()
    assert exec_lines(shipped) == [["inklings-desktop", "%u"], ["inklings-desktop", "--demo"]]
