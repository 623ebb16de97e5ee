# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Packs the bundle for programs that take an MCP server as one file, and describes it.

    python packaging/mcp_bundle.py FOLDER OUTPUT.mcpb [NAME ADDRESS]

FOLDER is what ``build_bundle.sh`` made. With the name in a registry (``io.github.OWNER/inklings``)
and the address that OUTPUT will be fetched from, ``server.json`` is written beside it.

Source: version 0.3 of the MCPB manifest, and the schema of server.json of 2025-12-11.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

from inklings_desktop import __version__
from inklings_desktop.domain.access.connections import ClientProgram, ServerCommand

_SERVER = ServerCommand(
    command="${__dirname}/server/inklings",
    before=(),
    data_dir="",
    workspace="${user_config.workspace}",
    client=ClientProgram.CLAUDE_DESKTOP.value,
)
WHAT = "Long-term memory for world-building agents, on the author's own machine."


def manifest() -> dict[str, Any]:
    """What a client reads first; it asks the person for the workspace."""
    return {
        "manifest_version": "0.3",
        "name": "inklings",
        "display_name": "Inklings Desktop",
        "version": __version__,
        "description": WHAT,
        "author": {"name": "The Inklings Desktop developers"},
        "license": "Apache-2.0",
        "server": {
            "type": "binary",
            "entry_point": "server/inklings",
            "mcp_config": {
                "command": _SERVER.command,
                "args": _SERVER.arguments,
                "env": {},
            },
        },
        "tools_generated": True,
        "compatibility": {"platforms": [sys.platform]},
        "user_config": {
            "workspace": {
                "type": "string",
                "title": "Workspace",
                "description": "Name of the workspace in Inklings Desktop that it may ask about.",
                "required": True,
            }
        },
    }


def server_json(name: str, address: str, bundle: Path) -> dict[str, Any]:
    """What a registry of servers is told of the packed bundle."""
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": name,
        "title": "Inklings Desktop",
        "description": WHAT,
        "version": __version__,
        "packages": [
            {
                "registryType": "mcpb",
                "identifier": address,
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                "transport": {"type": "stdio"},
            }
        ],
    }


def pack(folder: Path, bundle: Path) -> None:
    """Write the bundle; a program in it stays one that may be started."""
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", _text(manifest()))
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            packed.write(path, Path("server") / path.relative_to(folder))


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    folder, output, *published = sys.argv[1:]
    pack(Path(folder), Path(output))
    if published:
        name, address = published
        described = server_json(name, address, Path(output))
        Path(output).with_name("server.json").write_text(_text(described), encoding="utf-8")
