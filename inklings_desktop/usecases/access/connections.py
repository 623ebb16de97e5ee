"""Help to connect a client: what its configuration needs, and a rehearsal of the whole road."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.access.access import Action, Caller, authorize_management
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.access.connections import (
    PLACES,
    ServerCommand,
    configuration_text,
    hooks_text,
)
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory_values import checked_agent
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from inklings_desktop.domain.access.connections import ClientProgram
    from inklings_desktop.usecases.ports.store import Store


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


@dataclass(frozen=True, slots=True)
class DescribeConnection:
    """Say what a client needs in its configuration to reach a workspace."""

    program: ServerProgram
    data_dir: Path

    def __call__(
        self, caller: Caller, client: str, workspace_id: str, program: ClientProgram
    ) -> ConnectionHelp:
        """The exact text, and where it goes.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name of the client cannot be kept.
        """
        authorize_management(caller)
        server = self.server(client, workspace_id)
        text = configuration_text(program, server)
        return ConnectionHelp(text, PLACES[program], *hooks_text(program, server))

    def server(self, client: str, workspace_id: str) -> ServerCommand:
        """How a client starts the server.

        Raises:
            InvalidValueError: The name of the client cannot be kept.
        """
        return ServerCommand(
            *self.program(),
            data_dir=str(self.data_dir.absolute()),
            workspace=workspace_id,
            client=checked_agent(client),
        )


@dataclass(frozen=True, slots=True)
class RehearseConnection:
    """Try the whole road that a client takes, in a data root made for it; nothing real is read."""

    store: Store
    rehearsal: Rehearsal

    def __call__(
        self, caller: Caller, client: str, workspace_id: str, is_stopped: Callable[[], bool]
    ) -> tuple[RehearsedStep, ...]:
        """What was tried with the rights that the client has here, up to what failed first.

        A client that is not let in has the rights that it would be given.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name of the client cannot be kept.
            StoppedError: The person gave up.
            StorageError: There is no room for a data root to rehearse in.
        """
        authorize_management(caller)
        name = checked_agent(client)
        with self.store.read(None) as view:
            try:
                known = view.clients.get(name)
            except NotFoundError:
                known = None
        if known is None or known.kind is ClientKind.UNKNOWN:
            kind, held = ClientKind.EXTERNAL, preset_rights(ClientKind.EXTERNAL, workspace_id)
        else:
            kind = known.kind
            held = known.rights_in(workspace_id) | known.rights_in(None)

        def rights(rehearsed_id: str) -> frozenset[Right]:
            """The same rights in the workspace of the rehearsal; its rooms are others."""
            return frozenset(
                Right(one.tier, one.workspace_id and rehearsed_id, Action(one.action))
                for one in held
                if one.channel_id is None
            )

        return self.rehearsal(name, kind, rights, is_stopped)
