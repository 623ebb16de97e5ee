"""World folders without a disk: the ``WorldFiles`` of tests that are not about files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import OutsideFileError
from inklings_desktop.domain.world.folding import digest_of
from inklings_desktop.domain.world.pages import (
    Block,
    BlockKind,
    FileStamp,
    FolderKind,
    FolderRules,
    LinkKind,
    PageLink,
    PageState,
    ReadPage,
    WorldFolder,
)
from tests.support.builders import NOON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

FOLDER = WorldFolder(
    "f0000000-0000-4000-8000-000000000001",
    "Harrowmere",
    FolderKind.VAULT,
    "/folders/harrowmere",
    "here",
    FolderRules(),
    False,
    NOON,
)
_LINK = re.compile(r"(!?)\[\[([^\]]+)\]\]")
_TAG = re.compile(r"(?<!\S)#(\w+)")
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


@dataclass
class PageFiles:
    """Files by path; whatever is put or moved gets stamps as a file system gives them."""

    texts: dict[str, str] = field(default_factory=dict)
    is_there: bool = True
    read_paths: list[str] = field(default_factory=list)
    hints: list[Callable[[str], None]] = field(default_factory=list)
    unreadable: set[str] = field(default_factory=set)
    _stamps: dict[str, FileStamp] = field(default_factory=dict)
    _count: int = 0

    def put(self, path: str, text: str) -> None:
        """Write a file in place, or a new one."""
        self._count += 1
        was = self._stamps.get(path)
        inode = self._count if was is None else was.inode
        self.texts[path] = text
        self._stamps[path] = FileStamp(path, len(text.encode()), self._count, inode)

    def move(self, path: str, to: str) -> None:
        """Give a file another name."""
        self.texts[to] = self.texts.pop(path)
        self._stamps[to] = self._stamps.pop(path)._replace(path=to)

    def remove(self, path: str) -> None:
        """Delete a file."""
        del self.texts[path], self._stamps[path]

    def stamps(self) -> list[FileStamp]:
        """Every file, by path."""
        return [self._stamps[path] for path in sorted(self._stamps)]

    def kind_of(self, path: Path) -> FolderKind:
        return FolderKind.VAULT

    def scan(self, folder: WorldFolder) -> Iterator[FileStamp]:
        if not self.is_there:
            raise OutsideFileError(folder.path, "not there", is_reading=True)  # type: ignore[arg-type]
        return iter(self.stamps())

    def read(self, folder: WorldFolder, stamp: FileStamp) -> ReadPage:
        self.read_paths.append(stamp.path)
        if stamp.path in self.unreadable:
            return ReadPage(stamp, PageState.UNREADABLE)
        return page_from(self.texts[stamp.path], self._stamps[stamp.path])

    def n_other(self, folder: WorldFolder) -> int:
        return 0

    def is_told(self, folder: WorldFolder) -> bool:
        return True

    def watch(
        self, folders: Sequence[WorldFolder], hint: Callable[[str], None]
    ) -> Callable[[], None]:
        self.hints.append(hint)
        return lambda: self.hints.remove(hint)


def page_from(text: str, stamp: FileStamp) -> ReadPage:
    """Paragraphs, headings, wiki links and tags of a text, and front matter of plain lines."""
    front: dict[str, object] = {}
    body = text
    if found := _FRONT.match(text):
        pairs = (line.split(":", 1) for line in found[1].splitlines())
        front = {key.strip(): value.strip() for key, value in pairs}
        body = text[found.end() :]
    blocks: list[Block] = []
    links: list[PageLink] = []
    above: list[str] = []
    tags: dict[str, None] = {}
    for part in re.split(r"\n\s*\n", body):
        if not (said := part.strip("\n")):
            continue
        kind = BlockKind.PARAGRAPH
        heading = "/".join(above)
        if said.startswith("#") and said.lstrip("#").startswith(" "):
            kind = BlockKind.HEADING
            above = [*above[: len(said) - len(said.lstrip("#")) - 1], said.lstrip("# ")]
        line = text[: text.index(said)].count("\n") + 1
        last = line + said.count("\n")
        blocks.append(Block("", kind, heading, said, digest_of(said), "", line, last))
        place = len(blocks) - 1
        links += (
            PageLink(place, target, LinkKind.EMBED if mark else LinkKind.WIKI)
            for mark, target in _LINK.findall(said)
        )
        links += (PageLink(place, tag, LinkKind.TAG) for tag in _TAG.findall(said))
        tags |= dict.fromkeys(_TAG.findall(said))
    return ReadPage(
        stamp,
        PageState.READ,
        blake2b(text.encode(), digest_size=16).digest(),
        "utf-8",
        "lf",
        str(front.get("title") or (above[0] if above else stamp.path.rsplit("/", 1)[-1][:-3])),
        (),
        front,
        dict.fromkeys(front, 1),
        None,
        tuple(tags),
        tuple(blocks),
        tuple(links),
    )
