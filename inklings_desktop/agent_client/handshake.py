"""The first words with an agent: who it is, what it can, and whether we understand each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import inklings_desktop
from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import dict_of, line_of
from inklings_desktop.agent_client.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "inklings-desktop"
TITLE = "Inklings Desktop"


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """What an agent says of itself.

    Attributes:
        name: Its name; empty for not told.
        version: Its version as a line; empty for not told.
        own_version: The version of Inklings that it belongs to; empty for another's agent.
        can_load: Whether it tells a conversation again.
        can_resume: Whether it goes on with one without telling it again.
        records: Whether it stores its messages itself.
        is_mechanical: Whether it answers without a model.
    """

    name: str = ""
    version: str = ""
    own_version: str = ""
    can_load: bool = False
    can_resume: bool = False
    records: bool = False
    is_mechanical: bool = False

    @property
    def is_of_another_minor(self) -> bool:
        """Whether it belongs to a version that understands this one, and is not this one."""
        mine = inklings_desktop.__version__
        return bool(self.own_version) and _numbers(self.own_version)[:2] != _numbers(mine)[:2]


def opening() -> dict[str, Any]:
    """What is said to an agent first. No files and no terminal: it gets none from us."""
    return {
        "protocolVersion": words.PROTOCOL_VERSION,
        "clientCapabilities": {
            "fs": {"readTextFile": False, "writeTextFile": False},
            "terminal": False,
        },
        "clientInfo": {
            "name": NAME,
            "title": TITLE,
            "version": inklings_desktop.__version__,
        },
        "_meta": {words.OWN: {words.VERSION: inklings_desktop.__version__}},
    }


def facts_of(answer: Mapping[str, Any]) -> AgentFacts:
    """What an agent answered to the opening."""
    can = dict_of(answer.get("agentCapabilities"))
    sessions = dict_of(can.get("sessionCapabilities"))
    info, own = dict_of(answer.get("agentInfo")), parts.own_of(answer)
    return AgentFacts(
        line_of(info.get("title") or info.get("name"), 120),
        line_of(info.get("version"), 60),
        line_of(own.get(words.VERSION), 60),
        can.get("loadSession") is True,
        isinstance(sessions.get("resume"), dict),
        own.get(words.RECORDS) is True,
        own.get(words.MECHANICAL) is True,
    )


def misunderstanding(answer: Mapping[str, Any]) -> Problem | None:
    """Why we do not stay; None where we do.

    Its detail is ``agent`` or ``window``: which of the two is older, and must be updated.
    """
    version = answer.get("protocolVersion")
    if version != words.PROTOCOL_VERSION:
        is_newer = isinstance(version, int) and version > words.PROTOCOL_VERSION
        return Problem(words.AGENT_SPEAKS_OTHERWISE, "window" if is_newer else "agent")
    theirs = facts_of(answer).own_version
    if not theirs:
        return None
    major, mine = _numbers(theirs)[:1], _numbers(inklings_desktop.__version__)[:1]
    if major == mine:
        return None
    return Problem(words.AGENT_SPEAKS_OTHERWISE, "window" if major > mine else "agent")


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdecimal() else -1 for part in version.split(".")[:3]]
