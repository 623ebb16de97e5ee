"""A program that remembers through one of the doors and says what it was told is saved.

It begins once it is told to, by a line.

Arguments: data root, workspace, door (``cli`` or ``window``), how many (0 means for ever).
"""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import sys
import uuid
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.app import run
from inklings_desktop.cli.program import Program
from tests.support.fake_embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.usecases.bundle import Inklings

READY = "ready"


def say(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def ready() -> None:
    """Say so, and begin when told to."""
    say(READY)
    sys.stdin.readline()


@contextmanager
def opened(
    data_dir: Path | None, *, workspace: str | None = None, require_account: bool = True
) -> Iterator[Inklings]:
    """The data root, with a model that costs nothing; what is written is embedded as usual."""
    with open_inklings(data_dir, workspace=workspace, embedder=FakeEmbedder()) as inklings:
        yield inklings


def write_by_command_line(root: Path, workspace: str, times: int) -> None:
    """``inklings memory add``, again and again."""
    program = Program(opened, run_window, make_sample_world, serve_agent)
    ready()
    for _ in _counted(times):
        answer = io.StringIO()
        arguments = ["--data-dir", str(root), "--workspace", workspace, "--json"]
        with redirect_stdout(answer):
            status = run(["memory", "add", _text(), "--tier", "workspace", *arguments], program)
        if status != 0:
            sys.exit(status)
        say(json.loads(answer.getvalue())["memory"]["id"])


def write_by_window(root: Path, workspace: str, times: int) -> None:
    """*New memory*, text, *Save*, again and again."""
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    from inklings_desktop.settings import Appearance
    from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.window.main_window import MainWindow

    app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(app)

    async def write(inklings: Inklings) -> None:
        background = Background(_raise)
        window = MainWindow(theme, root, Appearance())
        window.show()
        await window.attach(background, inklings)
        assert window.memory is not None
        subject = window.memory.subject
        (scope,) = window.memory.list.request.scopes
        ready()
        for _ in _counted(times):
            subject.start_new(scope)
            subject.edit(content=_text())
            if await subject.save() and subject.current_ref is not None:
                say(subject.current_ref.id)
        window.detach()
        await background.close()

    with (
        opened(root, workspace=workspace) as inklings,
        asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner,
    ):
        runner.run(write(inklings))


def _counted(times: int) -> Iterator[int]:
    return iter(range(times)) if times else itertools.count()


def _text() -> str:
    return f"The keeper counts {uuid.uuid4().hex} tides."


def _raise(error: BaseException) -> None:
    raise error


def main(root: str, workspace: str, door: str, times: str) -> None:
    """Write through the door."""
    write = {"cli": write_by_command_line, "window": write_by_window}[door]
    write(Path(root), workspace, int(times))


if __name__ == "__main__":
    main(*sys.argv[1:])
