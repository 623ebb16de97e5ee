"""Trials of the agent's door: clients that this program plays itself, in data roots made for it.

Each opens a data root of its own, which only the composition root can; it hands in how.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.wiring import server_program

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import TypeAlias

    from inklings_desktop.domain.access.canary import DrillReport
    from inklings_desktop.domain.access.clients import Client, ClientKind, Right
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.connections import RehearsedStep
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Embedder

    OpenInklings: TypeAlias = Callable[..., AbstractContextManager[Inklings]]


def rehearsed(
    open_inklings: OpenInklings,
    client: str,
    kind: ClientKind,
    rights: Callable[[str], frozenset[Right]],
    is_stopped: Callable[[], bool],
) -> tuple[RehearsedStep, ...]:
    """Play a client against the real server; a ``Rehearsal`` once the opener is bound."""
    from inklings_desktop.embeddings.following_embedder import NullEmbedder
    from inklings_desktop.mcp_server.trials.rehearsal import StdioRehearsal

    opener = partial(open_inklings, embedder=NullEmbedder("none"), embed_writes=False)
    return StdioRehearsal(server_program, opener)(client, kind, rights, is_stopped)


def drilled(
    open_inklings: OpenInklings,
    embedder: Embedder,
    client: Client,
    workspace_id: str,
    progress: Progress,
) -> DrillReport:
    """Ask everything as a client among markers, with the model in use.

    A ``Drill`` once opener and model are bound.
    """
    from inklings_desktop.mcp_server.trials.canary_drill import drill

    def opened(root: Path, workspace: str | None) -> AbstractContextManager[Inklings]:
        return open_inklings(root, workspace=workspace, embedder=embedder, embed_writes=False)

    return drill(opened, client, workspace_id, progress)
