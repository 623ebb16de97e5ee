"""Agents of other makers: which there are, where their programs lie, and which may be started.

Nothing is installed, and nothing is started here. A program is looked for once, and is started by
the absolute path that the person saw and confirmed; a shell never reads a command.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.launching import clean_environment
from inklings_desktop.agent_client.session import Guest
from inklings_desktop.agent_settings import Preset
from inklings_desktop.domain.likeness.look_alikes import looks_like

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from inklings_desktop.domain.access.connections import ServerCommand

BUILT_IN: Final = (
    Preset("claude-code", "Claude Code", ("claude-agent-acp",), (), "claude-code"),
    Preset("codex", "Codex", ("codex-acp",), (), "codex"),
    Preset("gemini-cli", "Gemini CLI", ("gemini", "--experimental-acp"), (), "gemini-cli"),
    Preset("goose", "Goose", ("goose", "acp"), (), "goose"),
    Preset("opencode", "OpenCode", ("opencode", "acp"), (), "opencode"),
)
READY: Final = "ready"
FOUND: Final = "found"
"""It is here, and the person has not agreed yet that it is started."""
NOT_FOUND: Final = "not_found"
RELATIVE: Final = "relative"
IN_DATA: Final = "in_data"
SHARED: Final = "shared"
_REFUSED = frozenset({RELATIVE, IN_DATA, SHARED})
MAX_LINKS: Final = 40
_WRITE_ALL, _WRITE_GROUP, _STICKY = 0o002, 0o020, 0o1000


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent of another maker, as it is on this machine.

    Attributes:
        preset: What is known of it; its command is as it was given.
        program: The absolute path of its program; empty where none was found.
        state: ``ready``, ``found``, ``not_found``, or why it is never started: ``relative``,
            ``in_data`` for a place in the data folder, ``shared`` for one others may write to.
    """

    preset: Preset
    program: str
    state: str

    @property
    def id(self) -> str:
        """Of its preset."""
        return self.preset.id

    @property
    def title(self) -> str:
        """Its name, as a person reads it."""
        return self.preset.title

    @property
    def client(self) -> str:
        """The name under which it reaches memory."""
        return self.preset.client

    @property
    def started(self) -> list[str]:
        """What is shown of how it would be started: its program by path where one was found."""
        return [self.program or self.preset.command[0], *self.preset.command[1:]]

    @property
    def command(self) -> list[str] | None:
        """What starts it; None where it may not be started, or not before it is confirmed."""
        return self.started if self.state == READY else None

    @property
    def is_refused(self) -> bool:
        """Whether it is here, and never started where it lies."""
        return self.state in _REFUSED

    def confirmed(self) -> Agent:
        """The same once the person has agreed to its program, arguments and variables."""
        return replace(self, preset=replace(self.preset, command=tuple(self.started)), state=READY)

    def guest(self, server: ServerCommand, cwd: str) -> Guest:
        """It as a talk leads it, with our memory to be started by this command."""
        memory = {
            "name": words.MEMORY_SERVER, "command": server.command,
            "args": list(server.arguments), "env": [],
        }  # fmt: skip
        return Guest(self.client, self.title, (memory,), cwd)

    def row(self) -> dict[str, Any]:
        """It as a row of the settings file."""
        one = self.preset
        command, env = list(one.command), list(one.env)
        return {
            "id": one.id, "title": one.title, "command": command, "env": env, "client": one.client,
        }  # fmt: skip


def agents(settings: Iterable[Preset], data_dir: Path, path: str | None = None) -> list[Agent]:
    """Every agent that can be named: the usual ones, then those of the settings.

    One of the settings takes the place of the usual one with its id, unless its program is gone.
    Two may not go by one name, and none by that of the World Agent: its rights are its own.

    Args:
        settings: The presets of the settings file.
        data_dir: The data root, in which no program is started.
        path: Where a bare name is looked for, as in ``PATH``; None for that of this process.
    """
    usual = {one.id: located(one, data_dir, path) for one in BUILT_IN}
    found = dict(usual)
    for preset in settings:
        names = [one.client for id_, one in found.items() if id_ != preset.id]
        if any(looks_like(preset.client, name) for name in (*names, words.WORLD_AGENT)):
            continue
        if preset.id == words.WORLD_AGENT:
            continue
        one = located(preset, data_dir, path)
        if one.state != NOT_FOUND or preset.id not in usual:
            found[preset.id] = one
    return list(found.values())


def located(preset: Preset, data_dir: Path, path: str | None = None) -> Agent:
    """Find an agent's program, and say whether it may be started.

    A path of the settings was confirmed when it was written there; a bare name was not.
    """
    named = preset.command[0]
    if Path(named).is_absolute():
        program, state = named, READY
    elif not named or any(one in named for one in (os.sep, os.altsep) if one):
        return Agent(preset, "", RELATIVE)
    else:
        program, state = _looked_up(named, path), FOUND
    if not program or not os.access(program, os.X_OK) or not Path(program).is_file():
        return Agent(preset, "", NOT_FOUND)
    return Agent(preset, program, _refusal(Path(program), data_dir) or state)


def environment(base: Mapping[str, str], preset: Preset) -> dict[str, str]:
    """What of an environment an agent gets: the cleaned one, and the variables that it names."""
    return clean_environment(base) | {name: base[name] for name in preset.env if name in base}


def _looked_up(name: str, path: str | None) -> str:
    """The program of this name; a folder that depends on where one stands is passed over."""
    folders = (os.environ.get("PATH", "") if path is None else path).split(os.pathsep)
    absolute = os.pathsep.join(one for one in folders if Path(one).is_absolute())
    found = shutil.which(name, path=absolute) if absolute else None
    return found if found is not None and Path(found).is_absolute() else ""


def _refusal(program: Path, data_dir: Path) -> str:
    """Why a program is not started; empty where it may be."""
    links = list(_links(program))
    root = data_dir.resolve()
    if any(one.is_relative_to(root) for one in (program, *links)):
        return IN_DATA
    places = {place for one in links for place in (one, *one.parents)}
    return SHARED if any(map(_may_be_changed_by_others, places)) else ""


def _links(program: Path) -> Iterator[Path]:
    """The file that a path names, and before it every link on the way, by their real folders."""
    for _ in range(MAX_LINKS):
        here = program.parent.resolve() / program.name
        yield here
        if not here.is_symlink():
            return
        program = here.parent / here.readlink()


def _may_be_changed_by_others(place: Path) -> bool:
    """Whether another user than this one and the system's may put something else there."""
    if sys.platform == "win32":
        return False  # a list of rights, not bits; the folders of programs are the system's
    status = place.lstat()
    if status.st_uid not in {0, os.getuid()}:
        return True
    if place.is_symlink():
        return False  # its bits mean nothing; its folder is looked at as well
    is_kept_apart = bool(status.st_mode & _STICKY) and place.is_dir()
    if status.st_mode & _WRITE_ALL:
        return not is_kept_apart
    return bool(status.st_mode & _WRITE_GROUP) and not is_kept_apart and _is_shared(status.st_gid)


def _is_shared(group: int) -> bool:
    """Whether a group has other members than this user."""
    if sys.platform == "win32" or group == 0:
        return False
    import grp
    import pwd

    try:
        members = set(grp.getgrgid(group).gr_mem)
        mine = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return True
    return group != os.getgid() or bool(members - {mine})
