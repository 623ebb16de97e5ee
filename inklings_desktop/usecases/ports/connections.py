"""What connecting a client takes: its own files and tokens, a rehearsal, a drill, and the help."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from inklings_desktop.domain.access.canary import DrillReport
    from inklings_desktop.domain.access.clients import Client, ClientKind, Right
    from inklings_desktop.domain.access.connections import ClientProgram
    from inklings_desktop.usecases.ports.progress import Progress


class ServerProgram(Protocol):
    """Says how this program is started from outside."""

    def __call__(self) -> tuple[str, tuple[str, ...]]:
        """Absolute path of the executable, and what comes before our own arguments."""
        ...


class RehearsalStep(StrEnum):
    """What a rehearsal tries, in order."""

    START = "start"
    TOOLS = "tools"
    READ = "read"
    WRITE = "write"


class StepResult(StrEnum):
    """How a step of a rehearsal ended."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RehearsedStep:
    """One step of a rehearsal.

    Attributes:
        step: What was tried.
        result: How it ended; refused is as it should be where nothing is granted.
        seconds: How long it took.
        count: Tools that are listed, or entries that were handed out.
        reason: Why it failed, a stable word: ``not_started``, ``timeout``, ``ended``,
            ``refused``, ``protocol``; empty otherwise.
        said: What the server itself said of that, or the system where there was no server to
            say it; empty where nothing was said.
    """

    step: RehearsalStep
    result: StepResult
    seconds: float
    count: int = 0
    reason: str = ""
    said: str = ""


class Rehearsal(Protocol):
    """Plays a client against the real server over a data root of its own."""

    def __call__(
        self,
        client: str,
        kind: ClientKind,
        rights: Callable[[str], frozenset[Right]],
        is_stopped: Callable[[], bool],
    ) -> tuple[RehearsedStep, ...]:
        """What was tried, up to the first step that failed.

        Args:
            client: Name of the client.
            kind: What the author takes it for.
            rights: What it may do in a workspace with this id.
            is_stopped: Whether the person gave up; asked often.

        Raises:
            StoppedError: The person gave up.
            StorageError: There is no room for a data root to rehearse in.
        """
        ...


@dataclass(frozen=True, slots=True)
class ConnectionHelp:
    """What a person needs to connect one client.

    Attributes:
        configuration: The text to merge into the client's file.
        places: Where that file lies.
        hooks: The JSON that lets the client call our hooks; empty for one that has none.
        hook_places: Where that goes.
    """

    configuration: str
    places: Sequence[str]
    hooks: str
    hook_places: Sequence[str]


class ClientFiles(Protocol):
    """The files in which other programs of this user keep their configuration."""

    def place(self, program: ClientProgram) -> Path | None:
        """Where the file of a program lies, whether it is there or not; None if not known."""
        ...

    def is_installed(self, program: ClientProgram) -> bool:
        """Whether there is any sign of a program on this machine; nothing is started."""
        ...

    def read(self, path: Path) -> str | None:
        """What a file holds; None if it is not there.

        Raises:
            ClientFileError: It is no plain text of this user, or its folder is not there.
            StorageError: It cannot be read.
        """
        ...

    def replace(self, path: Path, before: str | None, after: str) -> Path | None:
        """Put another text in its place, whole or not at all; its mode stays.

        Args:
            path: The file.
            before: What it holds; None if it is not there.
            after: What it is to hold.

        Returns:
            A copy of the file as it was; None where there was none.

        Raises:
            ClientFileError: It holds something else by now, or ``read`` would refuse it.
            StorageError: It cannot be written; it is as it was.
        """
        ...


class ClientTokens(Protocol):
    """Keeps one bearer token for each client that was ever given one."""

    def get(self, client: str) -> str:
        """The token of a client, made at the first call.

        Raises:
            StorageError: It can be neither read nor made.
        """
        ...

    def renew(self, client: str) -> str:
        """A new token in the place of the one before, which is good for nothing from now on.

        Raises:
            StorageError: It cannot be kept; the one before stays.
        """
        ...

    def remove(self, client: str) -> bool:
        """Take the token of a client away; whether there was one.

        Raises:
            StorageError: It cannot be taken away.
        """
        ...

    def client_of(self, token: str) -> str | None:
        """Whose token this is; None for whatever is nobody's."""
        ...


class Drill(Protocol):
    """Plants markers in a store of its own and asks everything that can be asked, as a client."""

    def __call__(self, client: Client, workspace_id: str, progress: Progress) -> DrillReport:
        """What came of it.

        Args:
            client: Whose rights are tried.
            workspace_id: The workspace that it is bound to; nothing in it is touched.
            progress: Hears of every step.

        Raises:
            StoppedError: The person stopped it.
            StorageError: There is no room for a store.
        """
        ...
