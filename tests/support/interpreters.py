"""The interpreter of scripts, compiled once for all tests of a run: that takes 10 s and more."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any

import filelock
import pytest

from inklings_desktop.agent.scripts.artifact import NOTED, Artifact
from inklings_desktop.agent.scripts.executor import Interpreter

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder with what was compiled, and in it the note of its hash."""
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":  # the processes of one run have it in common
        shared = shared.parent
    folder = shared / "interpreter"
    folder.mkdir(exist_ok=True)
    with filelock.FileLock(folder / "lock"):
        Artifact(folder, folder).read(lambda: None)
    return folder


@pytest.fixture
def interpreter(compiled: Path) -> Interpreter:
    return Interpreter(compiled, compiled)


def know(compiled: Path, data_root: Path) -> None:
    """Let a data root trust what was compiled."""
    (data_root / NOTED).write_bytes((compiled / NOTED).read_bytes())


def looped(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that awaits, in an event loop of its own."""

    @functools.wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(test(*given, **named))

    return run
