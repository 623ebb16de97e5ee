"""The files of other programs: found where they keep them, written whole, never lost."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.access.connections import WITH_OWN_FILE, ClientProgram
from inklings_desktop.domain.errors import ClientFileError, OutsideFileError
from inklings_desktop.storage.outside.client_files import LocalClientFiles

HOME = Path("/srv/ada")
SUPPORT = "Library/Application Support"
ROAMING = "AppData/Roaming"


def files(home: Path, system: str = "linux", **environment: str) -> LocalClientFiles:
    return LocalClientFiles(home, environment, system, os.geteuid())


PLACES: Mapping[ClientProgram, tuple[str, str, str]] = {
    ClientProgram.CLAUDE_DESKTOP: (
        ".config/Claude/claude_desktop_config.json",
        f"{SUPPORT}/Claude/claude_desktop_config.json",
        f"{ROAMING}/Claude/claude_desktop_config.json",
    ),
    ClientProgram.CLAUDE_CODE: (".claude.json",) * 3,
    ClientProgram.CURSOR: (".cursor/mcp.json",) * 3,
    ClientProgram.VS_CODE: (
        ".config/Code/User/mcp.json",
        f"{SUPPORT}/Code/User/mcp.json",
        f"{ROAMING}/Code/User/mcp.json",
    ),
    ClientProgram.CODEX: (".codex/config.toml",) * 3,
    ClientProgram.GEMINI_CLI: (".gemini/settings.json",) * 3,
    ClientProgram.ZED: (
        ".config/zed/settings.json",
        ".config/zed/settings.json",
        f"{ROAMING}/Zed/settings.json",
    ),
}


@pytest.mark.parametrize("program", ClientProgram)
def test_every_file_lies_where_its_program_keeps_it(program: ClientProgram) -> None:
    found = tuple(files(HOME, one).place(program) for one in ("linux", "darwin", "win32"))
    places = PLACES.get(program)
    assert found == ((None,) * 3 if places is None else tuple(HOME / one for one in places))
    assert (places is not None) is (program in WITH_OWN_FILE)


def test_a_program_that_is_told_of_another_folder_is_followed_there() -> None:
    told = {
        ClientProgram.CLAUDE_CODE: ("CLAUDE_CONFIG_DIR", ".claude.json"),
        ClientProgram.CODEX: ("CODEX_HOME", "config.toml"),
        ClientProgram.ZED: ("XDG_CONFIG_HOME", "zed/settings.json"),
    }
    for program, (variable, name) in told.items():
        assert files(HOME, **{variable: "/srv/mine"}).place(program) == Path("/srv/mine") / name


def test_a_file_keeps_its_mode_and_a_copy_of_how_it_was(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xef\xbb\xbf{}\r\n")
    path.chmod(0o640)
    own = files(tmp_path)
    for number, text in ((1, "first\r\n"), (2, "second")):
        before = path.read_bytes()
        read = own.read(path)
        backup = own.replace(path, read, text)
        assert backup == tmp_path / f"settings.json.before-inklings-{number}"
        assert (backup.read_bytes(), path.read_bytes()) == (before, text.encode())
        assert {one.stat().st_mode & 0o777 for one in (backup, path)} == {0o640}
    assert len(list(tmp_path.iterdir())) == 3


def test_a_file_that_was_not_there_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    assert files(tmp_path).read(path) is None
    assert files(tmp_path).replace(path, None, "{}") is None
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("{}", 0o600)


@pytest.mark.parametrize("before", [None, "{}"])
def test_what_was_changed_meanwhile_is_left_alone(tmp_path: Path, before: str | None) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("theirs")
    with pytest.raises(ClientFileError) as caught:
        files(tmp_path).replace(path, before, "ours")
    assert caught.value.reason == "changed"
    assert [one.read_text() for one in tmp_path.iterdir()] == ["theirs"]


def test_a_link_of_ones_own_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real, link = tmp_path / "dotfiles" / "zed.json", tmp_path / "settings.json"
    real.write_text("{}")
    link.symlink_to(real)
    files(tmp_path).replace(link, "{}", "ours")
    assert (link.is_symlink(), real.read_text()) == (True, "ours")


@pytest.mark.parametrize("user_id", [os.geteuid() + 1, None])
def test_a_link_of_somebody_else_is_never_followed(tmp_path: Path, user_id: int | None) -> None:
    real, link = tmp_path / "real.json", tmp_path / "settings.json"
    real.write_text("{}")
    link.symlink_to(real)
    theirs = replace(files(tmp_path), user_id=user_id)
    for attempt in (lambda: theirs.read(link), lambda: theirs.replace(link, "{}", "ours")):
        with pytest.raises(ClientFileError) as caught:
            attempt()
        assert caught.value.reason == "foreign"
    assert real.read_text() == "{}"
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_no_text_of_a_program_that_was_started_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bytes").write_bytes(b"\xff")
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(33 * 1024 * 1024)
    reasons = {
        "pipe": "foreign",
        "bytes": "unreadable",
        "huge": "too_large",
        "not there/settings.json": "no_folder",
    }
    for name, reason in reasons.items():
        with pytest.raises(ClientFileError) as caught:
            files(tmp_path).read(tmp_path / name)
        assert caught.value.reason == reason


def test_a_file_that_cannot_be_written_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}")

    def refuse(_self: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OutsideFileError):
        files(tmp_path).replace(path, "{}", "ours")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("mcp.json", "{}")]


def test_a_program_is_found_by_its_command_or_its_folder_and_never_started(tmp_path: Path) -> None:
    command = tmp_path / "bin" / "codex"
    command.parent.mkdir()
    command.write_text("#!/bin/sh\nexit 1\n")
    command.chmod(0o755)
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".gemini").mkdir()  # what its settings lay in; the program is gone
    here = files(tmp_path, PATH=str(command.parent))
    found = {one for one in WITH_OWN_FILE if here.is_installed(one)}
    assert found == {ClientProgram.CODEX, ClientProgram.CURSOR}
