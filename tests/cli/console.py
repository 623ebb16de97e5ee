"""A terminal for tests: runs one command line in this process and keeps what it said."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from inklings_desktop.cli.program import Program


@dataclass(frozen=True, slots=True)
class Said:
    """Exit status and both streams of one run."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


class _TypedInto(io.TextIOWrapper):
    """Standard input at which a person sits."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Console:
    """Runs command lines on one data root."""

    program: Program
    data_dir: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *arguments: str, stdin: bytes = b"", typed: bool = False) -> Said:
        """What this command line said, at a terminal or not."""
        wrapper = _TypedInto if typed else io.TextIOWrapper
        self.monkeypatch.setattr(sys, "stdin", wrapper(io.BytesIO(stdin), "utf-8"))
        self.capsys.readouterr()
        status = run(["--data-dir", str(self.data_dir), *arguments], self.program)
        said = self.capsys.readouterr()
        return Said(status, said.out, said.err)

    def document(self, *arguments: str, stdin: bytes = b"") -> Any:
        """The JSON document of a command that must succeed."""
        said = self(*arguments, "--json", stdin=stdin)
        assert said.status == 0, said.err
        return said.document
