"""World folders that a test makes, and what reads them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inklings_desktop.domain.world.pages import FolderKind, FolderRules, WorldFolder
from inklings_desktop.worldfiles.local_files import LocalWorldFiles

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.world.pages import ReadPage

LINKED_AT = datetime(2026, 11, 28, tzinfo=UTC)


class WorldOnDisk:
    """A folder below a test's own, linked, and beside it a data root."""

    def __init__(self, below: Path, kind: FolderKind = FolderKind.PLAIN) -> None:
        self.path, self.data_root = below / "world", below / "root"
        self.path.mkdir()
        self.data_root.mkdir()
        self.files = LocalWorldFiles(self.data_root)
        self.folder = WorldFolder(
            "folder", "World", kind, str(self.path), "here", FolderRules(), False, LINKED_AT
        )

    def ignore(self, *patterns: str) -> None:
        """Leave alone what these patterns mean."""
        self.folder = replace(self.folder, rules=FolderRules(ignore=patterns))

    def write(self, path: str, text: str | bytes) -> Path:
        """Make a file, and the folders above it."""
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def paths(self) -> list[str]:
        """What a scan lists."""
        return [one.path for one in self.files.scan(self.folder)]

    def page(self, path: str) -> ReadPage:
        """A page that a scan lists."""
        stamps = {one.path: one for one in self.files.scan(self.folder)}
        return self.files.read(self.folder, stamps[path])

    def page_of(self, text: str | bytes, path: str = "page.md") -> ReadPage:
        """The page that a text is."""
        self.write(path, text)
        return self.page(path)
