"""A world with the agent let in, and agents at it."""

from __future__ import annotations

import os
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.storage.runs.run_state import SqliteRunState
from tests.support.acp_client import AcpClient
from tests.support.agent_process import WORLD_AGENT, Options, forked
from tests.support.checked_schemas import a_schema_is_checked_once
from tests.support.interpreters import compiled, interpreter
from tests.support.processes import kill_processes_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from multiprocessing.context import ForkServerProcess
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings

__all__ = ["a_schema_is_checked_once", "compiled", "interpreter"]

GONE_SECONDS = 10.0
"""How long a process has to end by itself, and then to be gone once it is killed."""


@dataclass(frozen=True, slots=True)
class Agent:
    """A process and the client that talks with it."""

    process: ForkServerProcess
    client: AcpClient

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join(GONE_SECONDS)


@dataclass(frozen=True, slots=True)
class World:
    """A data root with one workspace, the World Agent let in.

    Attributes:
        root: The data root.
        workspace: Id of the workspace.
    """

    root: Path
    workspace: str

    @contextmanager
    def agent(
        self,
        dies: str = "",
        script: tuple[Mapping[str, Any], ...] | None = None,
        *,
        chat: tuple[Mapping[str, Any], ...] | None = None,
        has_keys: bool = True,
        environment: tuple[tuple[str, str], ...] = (),
    ) -> Iterator[Agent]:
        """An agent that has said hello."""
        options = Options(
            self.root, self.workspace, script, chat, dies, has_keys=has_keys,
            environment=environment,
        )  # fmt: skip
        process, out, into = forked(options)
        client = AcpClient(
            os.fdopen(os.dup(out.fileno()), "wb"), os.fdopen(os.dup(into.fileno()), "rb")
        )
        out.close()
        into.close()
        try:
            client.begin()
            yield Agent(process, client)
        finally:
            client.hang_up()
            process.join(GONE_SECONDS)
            process.kill()  # one that is stuck must not hold its end while that is read to the end
            process.join(GONE_SECONDS)
            process.close()
            client.close()

    @contextmanager
    def inklings(self) -> Iterator[Inklings]:
        """The author's use cases."""
        with open_inklings(
            self.root, workspace=self.workspace, embedder=NullEmbedder("none"), embed_writes=False
        ) as opened:
            yield opened

    @property
    def scope(self) -> ScopeKey:
        """The workspace tier."""
        return ScopeKey.workspace(self.workspace)

    def memories(self) -> list[str]:
        """What the workspace tier says."""
        with self.inklings() as opened:
            page = opened.listing.browse([self.scope])
            return sorted(one.content for one in page.entries)

    def said(self, session: str) -> list[tuple[str, str]]:
        """Who said something in a conversation, and how it ended."""
        with self.inklings() as opened:
            found, more = opened.messages.list(self.workspace, session)
            while more:
                before = found[0].number
                page, more = opened.messages.list(self.workspace, session, before=before)
                found = (*page, *found)
            return [(one.role.value, one.state.value) for one in found]

    def runs(self) -> SqliteRunState:
        """The state of runs."""
        return SqliteRunState(self.root, self.workspace)


@pytest.fixture(scope="session")
def shared_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One data root: its host, which takes seconds to start, serves every world in it."""
    root = tmp_path_factory.mktemp("agent") / "root"
    yield root
    kill_processes_on(root)


@pytest.fixture(scope="session")
def shared_world(shared_root: Path) -> World:
    """One world for the tests that may share it."""
    return world_at(shared_root)


@pytest.fixture
def world(shared_root: Path) -> World:
    """A workspace of the test's own."""
    return world_at(shared_root)


@pytest.fixture
def lone_world(tmp_path: Path) -> Iterator[World]:
    """A data root of the test's own."""
    root = tmp_path / "root"
    yield world_at(root)
    kill_processes_on(root)


def world_at(root: Path) -> World:
    """Another workspace there; memory is searched by words alone, so that no model is loaded."""
    root.mkdir(parents=True, exist_ok=True)
    # Several tests share a root, and what each writes counts for the same client and minute.
    settings = '[embedding]\nmodel = "none"\n\n[agents]\nwrites_per_minute = 10000\n'
    (root / "settings.toml").write_text(settings, encoding="utf-8")
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        made = inklings.workspaces.create(f"Saltglass {uuid.uuid4().hex[:8]}")
        rights = preset_rights(ClientKind.WORLD_AGENT, made.id)
        inklings.clients.grant(WORLD_AGENT, rights, kind=ClientKind.WORLD_AGENT)
    return World(root, made.id)
