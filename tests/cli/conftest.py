"""A data root with one workspace, and a console on it; no embedding model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.program import Program
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.cli.console import Console
from tests.support.kept_roots import copied_or_made

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def console(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Console:
    """A console on a data root that does not exist yet."""

    def open_without_model(
        data_dir: Path | None, *, workspace: str | None, require_account: bool = True
    ) -> AbstractContextManager[Inklings]:
        return open_inklings(
            data_dir,
            workspace=workspace,
            embedder=NullEmbedder("none"),
            require_account=require_account,
        )

    program = Program(open_without_model, run_window, make_sample_world, serve_agent)
    return Console(program, data_dir, capsys, monkeypatch)


@pytest.fixture
def world(console: Console, kept_roots: Path) -> Console:
    """The console on a data root with the workspace Field notes."""
    copied_or_made(
        kept_roots / "field_notes",
        console.data_dir,
        lambda: console.document("workspace", "create", "Field notes"),
    )
    return console


@pytest.fixture
def memory(world: Console) -> dict[str, Any]:
    """One memory of the workspace tier."""
    document: dict[str, Any] = world.document(
        "memory", "add", "The harbour glass hums at low tide", "--tier", "workspace"
    )["memory"]
    return document
