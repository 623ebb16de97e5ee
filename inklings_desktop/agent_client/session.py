"""A conversation as a talk leads it: first words with the agent, its problems, who is told."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import inklings_desktop
from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import dict_of, line_of, list_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.domain.errors import InklingsError

SIGN_IN_NEEDED: Final = "sign_in_needed"
AGENT_CANNOT: Final = "agent_cannot"
NO_ANSWER: Final = "no_answer"
MEMORY_UNUSED: Final = "memory_unused"
"""Word of the problem that an agent was handed our memory server and never came by it."""
MAX_WAYS_IN: Final = 5

_BY_CODE: Final = {
    words.AUTH_REQUIRED: SIGN_IN_NEEDED,
    words.METHOD_NOT_FOUND: AGENT_CANNOT,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that went wrong.

    Attributes:
        word: Which it is; a door that has no sentence for it takes that of ``agent_failed``.
        detail: Ids, figures or the agent's own last words; never text of a memory.
        retry: Whether the same may work a moment later.
        values: What a sentence may name, as told.
    """

    word: str
    detail: str = ""
    retry: bool = False
    values: Mapping[str, Any] | None = None


def ended(code: int | None, seconds: float, *, is_ready: bool) -> Problem:
    """That an agent's process ended, with this exit code after this time.

    Args:
        code: None where it is not known, or it never began.
        is_ready: Whether we had understood each other by then.
    """
    word = words.AGENT_GONE if is_ready else words.AGENT_FAILED_TO_START
    detail = "" if code is None else str(code)
    return Problem(word, detail, values={"seconds": round(seconds)})


def problem_of(error: Mapping[str, Any]) -> Problem:
    """What the error of an answer means."""
    data = dict_of(error.get("data"))
    said = data.get("detail")
    values = said if isinstance(said, dict) else None
    detail = line_of(said) if values is None else line_of(", ".join(map(str, values.values())))
    word = line_of(data.get("word"), 60)
    if not word:
        code = error.get("code")
        word = _BY_CODE.get(code, words.AGENT_FAILED) if isinstance(code, int) else ""
        detail = detail or line_of(error.get("message"))
    return Problem(word or words.AGENT_FAILED, detail, data.get("retry") is True, values)


def problem_of_keeping(error: InklingsError) -> Problem:
    """Why what was said could not be kept, so that nobody was asked."""
    from inklings_desktop.domain.errors import InvalidValueError  # known to who met an error

    if isinstance(error, InvalidValueError):
        word = {"too_long": words.MESSAGE_TOO_LONG, "archived": words.CONVERSATION_ARCHIVED}.get(
            error.rule, words.AGENT_FAILED
        )
        return Problem(word, error.field)
    return Problem(words.MEMORY_UNREACHABLE, type(error).__name__, retry=True)


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
        sign_in: The ways in which it lets people sign in, in its own words, a line each.
    """

    name: str = ""
    version: str = ""
    own_version: str = ""
    can_load: bool = False
    can_resume: bool = False
    records: bool = False
    is_mechanical: bool = False
    sign_in: tuple[str, ...] = ()

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
            # Nothing is run for it: its command is shown to the person.
            "_meta": {"terminal-auth": True},
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
        tuple(map(_way_in, list_of(answer.get("authMethods"))[:MAX_WAYS_IN])),
    )


def _way_in(told: object) -> str:
    """One way to sign in: its name, what the agent says of it, and the command it wants run."""
    way = dict_of(told)
    terminal = dict_of(dict_of(way.get("_meta")).get("terminal-auth"))
    command = [line_of(one) for one in (terminal.get("command"), *list_of(terminal.get("args")))]
    said = (
        line_of(way.get("name")),
        line_of(way.get("description")),
        shlex.join(filter(None, command)),
    )
    return ": ".join(one.rstrip(".") for one in dict.fromkeys(said) if one)


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


UPDATES_PER_SECOND: Final = 2000
MAX_TURN_BYTES: Final = 64 * 1024 * 1024
MAX_WAITING_BYTES: Final = 64 * 1024 * 1024
MAX_OPEN_QUESTIONS: Final = 20
MAX_QUESTIONS_A_TURN: Final = 200


class UpdateRate:
    """So many updates at once, and as many again in each second; the others wait."""

    def __init__(self, clock: Callable[[], float], most: int = UPDATES_PER_SECOND) -> None:
        self._clock = clock
        self._most = most
        self._left = float(most)
        self._at = clock()

    def count(self) -> None:
        self._left -= 1

    def may_go_on(self) -> bool:
        """Whether the next may be worked through now."""
        if self._left < 1:
            now = self._clock()
            self._left = min(self._left + (now - self._at) * self._most, float(self._most))
            self._at = now
        return self._left >= 1


class TurnGuard:
    """How much one turn of an agent may send and ask."""

    def __init__(self, most_bytes: int = MAX_TURN_BYTES) -> None:
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._n_questions = 0

    def begin(self) -> None:
        self._n_bytes = self._n_questions = 0

    def takes(self, n_bytes: int) -> bool:
        """Count what came; whether it is still within bounds."""
        self._n_bytes += n_bytes
        return self._n_bytes <= self._most_bytes

    def may_ask(self, n_open: int) -> bool:
        """Count a question; whether it may be shown, with so many open already."""
        self._n_questions += 1
        return n_open < MAX_OPEN_QUESTIONS and self._n_questions <= MAX_QUESTIONS_A_TURN


@dataclass(frozen=True, slots=True)
class Guest:
    """Another's agent, as a talk leads it; it knows our conversations by ids of its own.

    Attributes:
        client: The name by which it reaches memory, and speaks in a conversation.
        title: What it is called.
        servers: The memory servers that it is told to start, as the protocol names them.
        cwd: The folder that it works in.
    """

    client: str
    title: str = ""
    servers: tuple[Mapping[str, Any], ...] = ()
    cwd: str = os.path.abspath(os.sep)  # noqa: PTH100 - a word of the protocol, no folder of ours

    def place(self) -> dict[str, Any]:
        """What a conversation is begun or opened with."""
        return {"cwd": self.cwd, "mcpServers": list(self.servers)}


OURS: Final = Guest(words.WORLD_AGENT)
"""The World Agent: it starts its own memory server, and works in no folder."""


class Keep(Protocol):
    """Stores what a person says, so that nothing that happens to the agent can lose it."""

    def __call__(
        self,
        session: str,
        turn: str,
        said: Sequence[Mapping[str, Any]],
        then: Callable[[Problem | None], None],
    ) -> None:
        """Keep it as the message of this turn.

        Args:
            turn: The turn that will answer it.
            then: Called once it is durable, or with why it cannot be kept.
        """


class Listener(Protocol):
    """Who is told what becomes of a talk. Every method is called from within `AgentLink.pump`."""

    def begun(self, facts: AgentFacts) -> None:
        """The agent is there, and we understand each other."""

    def opened(self, session: str) -> None:
        """A conversation was begun or opened: it can be talked in."""

    def changed(self, session: str) -> None:
        """What is shown of a conversation changed; called often, so note it and draw later."""

    def asked(self, session: str, permission_id: str) -> None:
        """The agent asks whether it may do something."""

    def ended(self, session: str) -> None:
        """A turn ended, however it did; its row says how."""

    def failed(self, session: str | None, problem: Problem) -> None:
        """What was asked for outside a turn did not work; None: it was about no conversation."""

    def lost(self, problem: Problem) -> None:
        """The agent is gone. Threads stay; `reconnect` over a new link goes on with them."""


@dataclass(slots=True)
class Session:
    """A conversation as this talk leads it; ``number`` counts its prompts.

    ``turn`` is what the turn that runs is kept under; empty where nothing of it was kept.
    ``said_as`` is the turn that the latest message was kept in.
    What is said while it is being opened waits in ``until_open``: the agent knows it only then.
    """

    thread: ThreadState
    guard: TurnGuard = field(default_factory=TurnGuard)
    number: int = 0
    turn: str = ""
    said_as: str = ""
    is_open: bool = False
    is_stopping: bool = False
    is_ignored: bool = False
    until_open: list[Callable[[], None]] | None = None
