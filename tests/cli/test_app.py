from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Never

import pytest

import inklings_desktop
from inklings_desktop.cli.app import run
from inklings_desktop.cli.program import Program
from inklings_desktop.domain.errors import DatabaseBusyError, InklingsError, NotFoundError
from inklings_desktop.usecases.bundle import Inklings
from tests.architecture.fresh_interpreter import run_fresh

HEAVY = {"sqlalchemy", "numpy", "onnxruntime", "tokenizers", "pysqlite3", "PySide6", "rich"}

START = """
import json, sys
from inklings_desktop.cli import __main__
sys.argv = ["inklings", {argument!r}]
try:
    __main__.main()
except SystemExit as end:
    assert end.code == 0, end.code
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""


class FakeProgram:
    """Notes with which data root and workspace it was opened, then refuses."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.opened: list[tuple[Path | None, str | None]] = []
        self.program = Program(
            self.open_inklings, self.run_window, self.make_sample_world, self.serve_agent
        )

    def open_inklings(
        self, data_dir: Path | None, *, workspace: str | None, require_account: bool = True
    ) -> AbstractContextManager[Inklings]:
        self.opened.append((data_dir, workspace))
        raise self.error

    def run_window(
        self, data_dir: Path | None, *, demo: bool, tour: Path | None, smoke_test: bool, link: str
    ) -> Never:
        raise self.error

    def make_sample_world(self, data_dir: Path) -> Never:
        raise self.error

    def serve_agent(
        self,
        data_dir: Path | None,
        workspace: str | None,
        client: str | None,
        *,
        port: int | None,
        say: Callable[[str, str | None], None],
        failing: Callable[[InklingsError], str],
        linger: float | None,
    ) -> Never:
        raise self.error


@pytest.fixture
def fake() -> FakeProgram:
    return FakeProgram(NotFoundError("workspace", "Nowhere"))


def test_version_is_told(fake: FakeProgram, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"], fake.program) == 0
    assert capsys.readouterr().out == f"Inklings Desktop {inklings_desktop.__version__}\n"
    assert run(["--version", "--json"], fake.program) == 0
    assert json.loads(capsys.readouterr().out) == {"version": inklings_desktop.__version__}
    assert fake.opened == []


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_cost_no_heavy_library(argument: str) -> None:
    imported = set(run_fresh(START.format(argument=argument)))
    assert "inklings_desktop" in imported
    assert imported & HEAVY == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--data-dir", "root", "--workspace", "Nowhere", "--json", "workspace", "list"],
        ["workspace", "list", "--data-dir", "root", "--workspace", "Nowhere", "--json"],
        ["--data-dir", "other", "workspace", "list", "--data-dir", "root", "--workspace=Nowhere"],
    ],
)
def test_common_options_stand_before_or_after_the_command(
    arguments: list[str], fake: FakeProgram, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments, fake.program) == 1
    ((data_dir, workspace),) = fake.opened
    assert (str(data_dir), workspace) == ("root", "Nowhere")
    said = capsys.readouterr()
    assert ("--json" in arguments) == bool(said.out)
    assert said.err == "There is no workspace “Nowhere” here. See inklings workspace list.\n"


def test_a_failure_is_a_document_for_scripts_and_a_sentence_for_people(
    fake: FakeProgram, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["workspace", "list", "--json"], fake.program) == 1
    said = capsys.readouterr()
    assert json.loads(said.out) == {
        "error": {
            "kind": "not_found",
            "message": said.err.strip(),
            "what": "workspace",
            "key": "Nowhere",
        }
    }


def test_the_environments_fault_has_a_status_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["workspace", "list"], FakeProgram(DatabaseBusyError()).program) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "Try again in a moment." in said.err


@pytest.mark.parametrize(
    ("arguments", "about"),
    [
        (["memory", "list"], "--tier"),
        (["memory", "add", "text"], "--tier"),
        (["memory", "search", "text"], "--tier"),
        (["memory", "list", "--tier", "galaxy"], "galaxy"),
        (["memory", "add"], "TEXT"),
        (["memory", "add", "text", "--tier", "account", "--importance", "much"], "--importance"),
        (["memory", "list", "--tier", "account", "--sort", "size"], "size"),
        (["memory", "list", "--tier", "account", "--curator", "nobody"], "nobody"),
        (["memory", "search", "x", "--tier", "account", "--mode", "psychic"], "psychic"),
        (["memory", "restore"], "ID"),
        (["note", "list"], "--conversation"),
        (["memory", "dream"], "dream"),
        (["--colour", "memory", "list"], "--colour"),
        (["open", "--workspace", "x"], "--workspace"),
        (["demo", "--workspace", "x"], "--workspace"),
        (["integrate", "--workspace", "x"], "--workspace"),
        (["--json"], "command"),
        (["--data-dir", "", "workspace", "list"], "--data-dir"),
        (["workspace", "create", "\udcff"], "UTF-8"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_wrong_usage_ends_with_two_and_names_what_is_wrong(
    arguments: list[str],
    about: str,
    fake: FakeProgram,
    capsys: pytest.CaptureFixture[str],
    *,
    as_json: bool,
) -> None:
    given = [*arguments, "--json"] if as_json else arguments
    assert run(given, fake.program) == 2
    said = capsys.readouterr()
    assert about in said.err
    assert "Traceback" not in said.err
    assert fake.opened == []
    if "--json" in given:
        error = json.loads(said.out)["error"]
        assert error["kind"] == "usage"
        assert about in error["message"]
    else:
        assert said.out == ""


@pytest.mark.parametrize("arguments", [[], ["memory"], ["conversation"]])
def test_a_bare_group_shows_its_help(
    arguments: list[str], fake: FakeProgram, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments, fake.program) == 2
    assert "Commands:" in capsys.readouterr().err


def test_bugs_are_not_dressed_up_as_refusals() -> None:
    with pytest.raises(ZeroDivisionError):
        run(["workspace", "list"], FakeProgram(ZeroDivisionError()).program)


def test_an_interrupted_command_ends_quietly(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["workspace", "list"], FakeProgram(KeyboardInterrupt()).program) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_has_gone_is_no_bug() -> None:
    assert run(["workspace", "list"], FakeProgram(BrokenPipeError()).program) == 1


def test_what_the_system_refuses_is_the_environments_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = PermissionError(13, "Permission denied", "settings.toml")
    assert run(["workspace", "list", "--json"], FakeProgram(error).program) == 3
    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["path"] == "settings.toml"
    assert said.err.startswith("settings.toml cannot be used: Permission denied.")
