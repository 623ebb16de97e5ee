# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Describes the World Agent for the registry of agents that editors read.

    python packaging/acp_registry.py FOLDER

Writes ``FOLDER/inklings-world-agent`` as the registry keeps an agent: ``agent.json``, ``icon.svg``.

Source: the format of the registry's entries, FORMAT.md and agent.schema.json of the registry of the
Agent Client Protocol, as of 2026.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from inklings_desktop import __version__
from inklings_desktop.agent_client.launching import PROGRAM

_HERE = Path(__file__).parents[1]
_ICON = (
    "resources/share/icons/hicolor/symbolic/apps/io.github.inklings_desktop.inklings-symbolic.svg"
)
ID = "inklings-world-agent"


def entry() -> dict[str, Any]:
    """How an editor names the agent, and starts it from the package index."""
    project = tomllib.loads((_HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "id": ID,
        "name": "World Agent",
        "version": __version__,
        "description": "Long-term memory for world-building: it keeps, finds and quotes what you"
        " tell it, on your own machine, with or without a model.",
        "repository": project["urls"]["Source"],
        "authors": [one["name"] for one in project["authors"]],
        "license": project["license"],
        "distribution": {
            "uvx": {"package": f"{project['name']}[full]=={__version__}", "cmd": PROGRAM}
        },
    }


def write(folder: Path) -> None:
    """Write the entry as the registry keeps it."""
    place = folder / ID
    place.mkdir(parents=True, exist_ok=True)
    text = json.dumps(entry(), ensure_ascii=False, indent=2) + "\n"
    (place / "agent.json").write_text(text, encoding="utf-8")
    icon = (_HERE / _ICON).read_text(encoding="utf-8")
    # The registry wants one colour, which is that of whoever shows it.
    (place / "icon.svg").write_text(icon.replace("#2e3436", "currentColor"), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
