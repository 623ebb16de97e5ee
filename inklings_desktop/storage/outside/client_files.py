"""The files in which other programs of this user keep their configuration.

Source of the places: the documentation of each program.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.errors import ClientFileError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.connecting import FILE_MODE, sync_folder
from inklings_desktop.storage.engine.driver import outside_error

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_BYTES = 32 * 1024 * 1024
_BACKUP = "before-inklings"
_COMMANDS = {
    ClientProgram.CLAUDE_CODE: "claude",
    ClientProgram.CODEX: "codex",
    ClientProgram.GEMINI_CLI: "gemini",
}
"""Programs of the terminal: their folders outlive them."""


@dataclass(frozen=True, slots=True)
class LocalClientFiles:
    """The ``ClientFiles`` of a user.

    Attributes:
        environment: Variables by which programs are told of other folders.
        system: As ``sys.platform`` says it.
        user_id: Whose files may be written; None where the system does not say who owns a file.
    """

    home: Path
    environment: Mapping[str, str]
    system: str
    user_id: int | None

    @staticmethod
    def of_this_user() -> LocalClientFiles:
        """The files of whoever runs this program."""
        user_id = None if sys.platform == "win32" else os.geteuid()
        # Path.home() would refuse to open anything at all for a user without a home.
        home = Path(os.path.expanduser("~"))  # noqa: PTH111 - see above
        return LocalClientFiles(home, os.environ, sys.platform, user_id)

    def place(self, program: ClientProgram) -> Path | None:
        home = self.home
        config = self._folder("XDG_CONFIG_HOME", home / ".config")
        roaming = self._folder("APPDATA", home / "AppData" / "Roaming")
        applications = {
            "darwin": home / "Library" / "Application Support",
            "win32": roaming,
        }.get(self.system, config)
        zed = {"darwin": home / ".config" / "zed", "win32": roaming / "Zed"}
        return {
            ClientProgram.CLAUDE_DESKTOP: applications / "Claude" / "claude_desktop_config.json",
            ClientProgram.CLAUDE_CODE: self._folder("CLAUDE_CONFIG_DIR", home) / ".claude.json",
            ClientProgram.CURSOR: home / ".cursor" / "mcp.json",
            ClientProgram.VS_CODE: applications / "Code" / "User" / "mcp.json",
            ClientProgram.CODEX: self._folder("CODEX_HOME", home / ".codex") / "config.toml",
            ClientProgram.GEMINI_CLI: home / ".gemini" / "settings.json",
            ClientProgram.ZED: zed.get(self.system, config / "zed") / "settings.json",
        }.get(program)

    def is_installed(self, program: ClientProgram) -> bool:
        """Whether its command is in PATH, or the folder of its settings is there."""
        if program in _COMMANDS:
            path = self.environment.get("PATH", os.defpath)
            return shutil.which(_COMMANDS[program], path=path) is not None
        place = self.place(program)
        return place is not None and place.parent.is_dir()

    def read(self, path: Path) -> str | None:
        try:
            target = self._target(path)
            return self._text(path, target)
        except OSError as error:
            raise outside_error(error, path, is_reading=True) from error

    def replace(self, path: Path, before: str | None, after: str) -> Path | None:
        try:
            target = self._target(path)
            mode = FILE_MODE if before is None else stat.S_IMODE(target.stat().st_mode)
            fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
            backup = None
            try:
                _write_new(fresh, after, mode)
                if self._text(path, target) != before:
                    raise ClientFileError(path, "changed")
                if before is not None:
                    backup = _kept(target, before, mode)
                fresh.replace(target)
            except OSError:
                if backup is not None:
                    backup.unlink(missing_ok=True)
                raise
            finally:
                fresh.unlink(missing_ok=True)
        except OSError as error:
            raise outside_error(error, path, is_reading=False) from error
        sync_folder(target.parent)
        return backup

    def _folder(self, variable: str, usual: Path) -> Path:
        chosen = self.environment.get(variable)
        return Path(chosen) if chosen else usual

    def _target(self, path: Path) -> Path:
        """The file itself: a link of this user's own is followed, another one never."""
        if not path.parent.is_dir():
            raise ClientFileError(path, "no_folder")
        target = path.resolve()
        for one in (path, target, target.parent):
            if os.path.lexists(one) and not self._is_own(one):
                raise ClientFileError(path, "foreign")
        return target

    def _is_own(self, path: Path) -> bool:
        found = path.lstat()
        if self.user_id is None:
            return not stat.S_ISLNK(found.st_mode)
        return found.st_uid == self.user_id

    def _text(self, path: Path, target: Path) -> str | None:
        try:
            found = target.stat()
        except FileNotFoundError:
            return None
        # A pipe would be waited for without end.
        if not stat.S_ISREG(found.st_mode):
            raise ClientFileError(path, "foreign")
        if found.st_size > _MOST_BYTES:
            raise ClientFileError(path, "too_large")
        try:
            return target.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise ClientFileError(path, "unreadable") from error


def _write_new(path: Path, text: str, mode: int) -> None:
    """Write a new file, on the disk when this returns; nothing is left of one that fails."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        path.chmod(mode)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _kept(target: Path, text: str, mode: int) -> Path:
    """A copy under a name that nothing has yet."""
    for number in count(1):
        backup = target.with_name(f"{target.name}.{_BACKUP}-{number}")
        try:
            _write_new(backup, text, mode)
        except FileExistsError:
            continue
        return backup
    raise AssertionError  # there is always another number
