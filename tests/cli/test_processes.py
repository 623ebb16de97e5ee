"""The installed program as a shell sees it: streams, exit statuses, a folder without rights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.contract_report import REPOSITORY
from tests.cli.console import Console
from tests.cli.test_bad_input import snapshot
from tests.support.wide import mostly_wide

# A super-user ignores the modes of files; without these two rights it does not.
WITHOUT_PRIVILEGE = """
import ctypes, os, sys
if os.geteuid() == 0:
    libc = ctypes.CDLL(None, use_errno=True)
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "cannot drop a capability")
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def inklings(
    data_dir: Path, *arguments: str, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process without a super-user's rights over files."""
    program = ["-m", "inklings_desktop.cli", "--data-dir", str(data_dir), *arguments]
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_PRIVILEGE, *program],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=REPOSITORY,
        timeout=60,
        env={**os.environ, **variables},
    )


@pytest.fixture
def read_only(world: Console, memory: dict[str, Any]) -> Iterator[Path]:
    """A data root in which nothing may be written."""
    folders = [world.data_dir, *(path for path in world.data_dir.rglob("*") if path.is_dir())]
    files = [path for path in world.data_dir.rglob("*") if path.is_file()]
    for path in files:
        path.chmod(0o400)
    for path in reversed(folders):
        path.chmod(0o500)
    yield world.data_dir
    for path in folders:
        path.chmod(0o700)
    for path in files:
        path.chmod(0o600)


def test_stdout_holds_one_document_and_stderr_the_rest(tmp_path: Path) -> None:
    root = tmp_path / "root"
    created = inklings(root, "workspace", "create", "Field notes", "--json")
    assert created.returncode == 0, created.stderr
    assert created.stderr == b""
    assert json.loads(created.stdout)["workspace"]["name"] == "Field notes"

    text = "The harbour glass hums at low tide 港"
    added = inklings(
        root, "memory", "add", "-", "--tier", "workspace", "--json", stdin=text.encode()
    )
    assert added.returncode == 0, added.stderr
    memory = json.loads(added.stdout)["memory"]
    assert memory["content"] == text

    shown = json.loads(inklings(root, "memory", "show", memory["id"], "--json").stdout)["memory"]
    assert shown["content"] == text
    assert shown["embedding_model"], "the memory is embedded before the program ends"

    refused = inklings(root, "memory", "add", "x", "--tier", "workspace", "--importance", "2")
    assert refused.returncode == 1
    assert refused.stdout == b""
    assert refused.stderr.decode() == "Importance is a number from 0 to 1. Nothing was changed.\n"


def test_text_survives_a_terminal_that_lacks_its_characters(
    world: Console, memory: dict[str, Any]
) -> None:
    world.document("memory", "add", "港のガラス", "--tier", "account")
    listing = ("memory", "list", "--tier", "account")
    plain = inklings(world.data_dir, *listing, PYTHONIOENCODING="latin-1")
    assert plain.returncode == 0, plain.stderr
    assert rb"\u6e2f" in plain.stdout
    document = inklings(world.data_dir, *listing, "--json", PYTHONIOENCODING="latin-1")
    assert json.loads(document.stdout)["memories"][0]["content"] == "港のガラス"


@pytest.mark.parametrize(
    "arguments",
    mostly_wide(
        [
            (("memory", "add", "some text", "--tier", "workspace"),),
            (("memory", "forget", "{id}"),),
            (("channel", "create", "map-room"),),
            (("workspace", "create", "Tide tables"),),
            (("workspace", "rename", "Field notes", "Tide tables"),),
        ],
        every_day=lambda one: one[0][1] == "add",
    ),
)
def test_a_folder_that_may_not_be_written_is_named_and_left_alone(
    arguments: tuple[str, ...], read_only: Path, memory: dict[str, Any]
) -> None:
    before = snapshot(read_only)
    said = inklings(read_only, *(one.format(id=memory["id"]) for one in arguments), "--json")
    assert said.returncode == 3, said.stderr
    assert json.loads(said.stdout)["error"]["kind"] == "read_only"
    assert b"cannot be written to" in said.stderr
    assert b"Traceback" not in said.stderr
    assert snapshot(read_only) == before


@pytest.mark.parametrize(
    ("arguments", "said_of_it"),
    mostly_wide(
        [
            (("memory", "show", "{id}"), "harbour glass"),
            (("memory", "search", "glass", "--tier", "workspace"), "harbour glass"),
            (("export", "{copy}"), "Exported 1 memory"),
            (("log", "--verify"), "whole."),
            (("check",), "All is well."),
        ],
        every_day=lambda case: case[0][0] in {"export", "check"},
    ),
)
def test_a_folder_that_may_not_be_written_is_read_and_exported_from(
    arguments: tuple[str, ...],
    said_of_it: str,
    read_only: Path,
    memory: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    before = snapshot(read_only)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    elsewhere.chmod(0o777)
    copy = str(elsewhere / "copy.json")
    said = inklings(read_only, *(one.format(id=memory["id"], copy=copy) for one in arguments))
    assert said.returncode == 0, said.stderr
    assert said_of_it in said.stdout.decode()
    assert snapshot(read_only) == before


def test_a_data_root_that_may_not_be_made_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        said = inklings(tmp_path / "root", "workspace", "create", "Field notes")
    finally:
        tmp_path.chmod(0o700)
    assert said.returncode == 3
    assert b"cannot be written to" in said.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_leaves_early_is_no_error_to_shout_about(world: Console) -> None:
    for number in range(3):
        world.document("memory", "add", f"number {number} " + "x" * 60_000, "--tier", "account")
    arguments = ["--data-dir", str(world.data_dir), "memory", "list", "--tier", "account", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "inklings_desktop.cli", *arguments],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1
