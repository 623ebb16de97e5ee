"""The file that a client installs as an MCP server, and what a registry is told of it."""

from __future__ import annotations

import hashlib
import json
import re
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import inklings_desktop
from tests.architecture.contract_report import REPOSITORY

ADDRESS = "https://example.org/releases/inklings.mcpb"


def packed(tmp_path: Path, *published: str) -> Path:
    """A bundle of a program that only says what it was asked."""
    program = tmp_path / "built" / "inklings"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (program.parent / "_internal").mkdir()
    (program.parent / "_internal" / "data").write_bytes(b"\0")
    bundle = tmp_path / "inklings.mcpb"
    script = REPOSITORY / "packaging" / "mcp_bundle.py"
    paths = (str(one) for one in (script, program.parent, bundle))
    subprocess.run([sys.executable, *paths, *published], check=True, timeout=60)
    return bundle


def test_a_client_starts_our_command_from_the_bundle(tmp_path: Path) -> None:
    home = tmp_path / "extensions" / "inklings"
    with zipfile.ZipFile(packed(tmp_path)) as bundle:
        bundle.extractall(home)
        modes = {one.filename: one.external_attr >> 16 for one in bundle.infolist()}
    said = json.loads((home / "manifest.json").read_text(encoding="utf-8"))
    # These, and the kind of server and where it begins, are what the format requires.
    assert {"manifest_version", "name", "version", "description", "author", "server"} <= set(said)
    assert said["manifest_version"] == "0.3"
    assert said["version"] == inklings_desktop.__version__
    assert said["author"]["name"]
    assert said["server"]["type"] == "binary"
    assert modes[said["server"]["entry_point"]] & stat.S_IXUSR
    assert "server/_internal/data" in modes
    (asked,) = said["user_config"].items()
    assert (asked[0], asked[1]["type"], asked[1]["required"]) == ("workspace", "string", True)
    known = {"${__dirname}": str(home), "${user_config.workspace}": "Salt glass"}
    config = said["server"]["mcp_config"]
    words = [config["command"], *config["args"]]
    for variable, value in known.items():
        words = [one.replace(variable, value) for one in words]
    assert words[0] == str(home / said["server"]["entry_point"])
    (home / said["server"]["entry_point"]).chmod(0o755)  # as a client does by the mode in the file
    told = subprocess.run(words, capture_output=True, check=True, timeout=60, text=True).stdout
    wanted = ["--workspace", "Salt glass", "mcp", "serve", "--client", "claude-desktop"]
    assert told.splitlines() == wanted


def test_a_registry_is_told_what_it_requires(tmp_path: Path) -> None:
    bundle = packed(tmp_path, "io.example/inklings", ADDRESS)
    said = json.loads((tmp_path / "server.json").read_text(encoding="utf-8"))
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", said["name"])
    assert 1 <= len(said["description"]) <= 100
    assert said["version"] == inklings_desktop.__version__
    assert said["packages"] == [
        {
            "registryType": "mcpb",
            "identifier": ADDRESS,
            "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
            "transport": {"type": "stdio"},
        }
    ]


def test_no_server_is_described_before_it_has_an_address(tmp_path: Path) -> None:
    assert packed(tmp_path).with_name("server.json").exists() is False
