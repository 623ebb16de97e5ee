"""How an agent is started: as a list of arguments, without a shell, in a cleaned environment."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inklings_desktop.agent_settings import KEY_VARIABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROGRAM: Final = "inklings-agent"
MODULE: Final = "inklings_desktop.agent_program"
INSTALLING: Final = 'pip install "inklings-desktop[agent]"'
MAX_STARTS: Final = 3
STARTS_SECONDS: Final = 60.0

_NEEDED = ("acp", "langgraph", "mcp")
_KEPT = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMP", "TEMP",
        "TMPDIR", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA",
        "LOCALAPPDATA", "PROGRAMDATA", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
        "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
        "VIRTUAL_ENV", "PYTHONPATH", "PYTHONUTF8", "PYTHONIOENCODING", "LD_LIBRARY_PATH",
    }
)  # fmt: skip
_OWN = (*KEY_VARIABLES, "DBUS_SESSION_BUS_ADDRESS")
"""What leads to the keys of providers: to those in the environment, and to the keyring."""
_KEPT_BEGINNINGS = ("LC_", "XDG_", "INKLINGS_")
_SET: Final = {
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
}


def is_installed() -> bool:
    """Whether the World Agent can be started; none of its libraries is imported."""
    if getattr(sys, "frozen", False):  # they are in its own program, not in this one
        return _frozen_program().exists()
    return all(find_spec(name) is not None for name in _NEEDED)


def world_agent_command(data_dir: Path | None, workspace_id: str | None) -> list[str] | None:
    """The command that starts the World Agent on this data; None without its libraries."""
    if not is_installed():
        return None
    command = _program()
    if data_dir is not None:
        command += ["--data-dir", str(data_dir)]
    if workspace_id is not None:
        command += ["--workspace", workspace_id]
    return command


def clean_environment(base: Mapping[str, str]) -> dict[str, str]:
    """What of an environment an agent gets: nothing that could be a key of another's."""
    kept = {
        name: value
        for name, value in base.items()
        if name.upper() in _KEPT or name.upper().startswith(_KEPT_BEGINNINGS)
    }
    return kept | _SET


def own_environment(base: Mapping[str, str]) -> dict[str, str]:
    """What of an environment the World Agent gets: it alone is led to the keys of providers."""
    return clean_environment(base) | {name: base[name] for name in _OWN if name in base}


def empty_folder() -> Path:
    """A new folder of this user's alone, for an agent that works in one; `leave_folder` ends it."""
    return Path(tempfile.mkdtemp(prefix="inklings-agent-"))


def leave_folder(folder: Path | None) -> None:
    """Take such a folder away, unless something was put into it."""
    if folder is not None:
        with suppress(OSError):
            folder.rmdir()


def end_session(leader: int) -> None:
    """End what a process left behind in the session that it was given; nothing where it left none.

    A program from a package of scripts is often started by another one, which may go alone.
    """
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


class Starts:
    """At most so many starts of an agent in a minute: one that dies at once is not started on."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        most: int = MAX_STARTS,
        seconds: float = STARTS_SECONDS,
    ) -> None:
        self._clock = clock
        self._most = most
        self._seconds = seconds
        self._at: list[float] = []

    def take(self) -> bool:
        """Whether it may be started once more now, which counts as a start."""
        now = self._clock()
        self._at = [at for at in self._at if now - at < self._seconds]
        if len(self._at) >= self._most:
            return False
        self._at.append(now)
        return True

    def forget(self) -> None:
        """The person asks for it: count anew."""
        self._at = []


def _program() -> list[str]:
    """The agent's own program beside this one, else the module; never one found elsewhere."""
    if getattr(sys, "frozen", False):
        return [str(_frozen_program())]
    beside = shutil.which(PROGRAM, path=str(Path(sys.executable).parent))
    return [beside] if beside is not None else [sys.executable, "-m", MODULE]


def _frozen_program() -> Path:
    here = Path(sys.executable)
    return here.with_name(PROGRAM + here.suffix)
