"""What the commands reach for outside, and what they hand back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.transfer.sample_world import SampleWorldLoaded


class Opener(Protocol):
    """Opens a data root."""

    def __call__(
        self, data_dir: Path | None, *, workspace: str | None, require_account: bool = True
    ) -> AbstractContextManager[Inklings]:
        """The wired use cases of a data root; None is the person's own.

        Without ``require_account`` a damaged account file is no reason not to open the rest.
        """
        ...


class WindowRunner(Protocol):
    """Opens the window and stays until it is closed."""

    def __call__(
        self, data_dir: Path | None, *, demo: bool, tour: Path | None, smoke_test: bool, link: str
    ) -> int:
        """The exit status."""
        ...


class AgentServer(Protocol):
    """Serves one client of the agent's door until it leaves, or over HTTP every one."""

    def __call__(
        self,
        data_dir: Path | None,
        workspace: str | None,
        client: str | None,
        *,
        port: int | None,
        say: Callable[[str, str | None], None],
        failing: Callable[[InklingsError], str],
        linger: float | None,
    ) -> None:
        """Over standard input and output, or with a port over HTTP on the loopback.

        ``say`` hears the address of the latter, and the bearer token of its only client; without
        a name it serves every client that has a token, and tells what fails by ``failing``.
        Through the host of the data root where it is said how long that stays after its last
        client, else in this process.
        """
        ...


@dataclass(frozen=True, slots=True)
class Program:
    """The composition root as the commands see it.

    Attributes:
        open_inklings: Opens a data root.
        run_window: Opens the window.
        make_sample_world: Writes the sample world into a new data root.
        serve_agent: Serves an agent.
        agent_command: What starts the agent that one talks with, on a data root and a workspace;
            it answers None where that is not installed. None: the World Agent of this program.
    """

    open_inklings: Opener
    run_window: WindowRunner
    make_sample_world: Callable[[Path], SampleWorldLoaded]
    serve_agent: AgentServer
    agent_command: Callable[[Path, str], list[str] | None] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one command has to say, in both forms.

    Attributes:
        lines: The same for a person; control characters already made visible.
        notes: Diagnostics, in either form.
    """

    document: Mapping[str, Any]
    lines: Sequence[str]
    notes: Sequence[str] = ()
    status: int = 0
