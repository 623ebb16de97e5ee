# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Makes the page that a package index shows from the README, as the package is built.

The README links to files beside it, so that it can be read in a checkout without a network. On an
index nothing lies beside it: there each link leads to the repository.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?!https?://|#)(?P<target>[^)\s]+)\)")


class PackagePage(MetadataHookInterface):
    """Called by hatchling, by the name of this file in ``pyproject.toml``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put the page into the metadata of the package."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": standing_alone(text, metadata["urls"]["Source"]),
        }


def standing_alone(text: str, source: str) -> str:
    """The text with every link to a file of the repository leading there."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link["image"] else "blob"
        return f"{link['image']}[{link['text']}]({source}/{kind}/main/{link['target']})"

    return _LINK.sub(absolute, text)
