"""Reads a project of novelWriter: what its pages are called, in which order, and what they say.

The project file knows titles, order and status; each text is a file of its own. The text is close
to Markdown and is not it: a line that begins with % is a remark, with @ a reference.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.pages import (
    BlockKind,
    FileStamp,
    LinkKind,
    PageLink,
    PageState,
    ReadPage,
)
from inklings_desktop.domain.world.path_rules import title_of_name
from inklings_desktop.worldfiles.blocks import Part, blocks_of
from inklings_desktop.worldfiles.folders import PROJECT_FILE
from inklings_desktop.worldfiles.markdown_blocks import plain_line
from inklings_desktop.worldfiles.page_text import each_once
from inklings_desktop.worldfiles.reading import DIGEST_BYTES, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from inklings_desktop.worldfiles.folders import Place
    from inklings_desktop.worldfiles.reading import FileText

PAGE_SUFFIX = ".nwd"
PAGES_FOLDER = "content/"

_META, _NAME = "%%~", "%%~name:"
_HEADING = re.compile(r"(#{1,4})!? +(.*)")
_REFERENCE = re.compile(r"@([a-z]+):(.*)")
_OWN_NAME = "tag"
_NOVEL, _ARCHIVE, _TRASH = "NOVEL", "ARCHIVE", "TRASH"


@dataclass(frozen=True, slots=True)
class ProjectItem:
    """What the project file says of one page.

    Attributes:
        title: As the author calls it; empty where only its file is known.
        front: Its status or importance, in the author's words.
        order: Its place in the tree, from 0; None where only its file is known.
        is_deleted: Whether it lies in the project's trash.
    """

    title: str = ""
    front: Mapping[str, object] | None = None
    order: int | None = None
    is_deleted: bool = False


_UNKNOWN = ProjectItem()


class Project:
    """The items of a project by the names of their files."""

    def __init__(self, items: Mapping[str, ProjectItem]) -> None:
        self._items = items

    def pages(self, stamps: Iterable[FileStamp]) -> list[FileStamp]:
        """Those of some files that are pages and not in the trash, as ``marked``."""
        pages = (one for one in stamps if one.path.startswith(PAGES_FOLDER))
        return [self.marked(one) for one in pages if not self.item(one.path).is_deleted]

    def item(self, path: str) -> ProjectItem:
        """What is known of a page, if only that it is there."""
        return self._items.get(title_of_name(path), _UNKNOWN)

    def marked(self, stamp: FileStamp) -> FileStamp:
        """A stamp that also changes with what the project file says of the page.

        Its title and order change without a change of its own file. The inode is free for that:
        it tells a renamed file, and no file of a project is ever renamed.
        """
        return stamp._replace(inode=int.from_bytes(_digest(self.item(stamp.path))[:7], "big"))


def project_in(root: Place) -> Project:
    """The project of a folder; without its file the titles are lost, the texts are not."""
    file = read_file(root, FileStamp(PROJECT_FILE, 0, 0, 1))
    # A project declares nothing, and a declaration could be a bomb.
    if file.state is not PageState.READ or "<!DOCTYPE" in file.text:
        return Project({})
    try:
        tree = ET.fromstring(file.text)  # noqa: S314  see above
    except (ET.ParseError, ValueError):
        return Project({})
    labels = {
        entry.get("key", ""): (entry.text or "").strip()
        for kind in ("status", "importance")
        for entry in tree.iterfind(f"settings/{kind}/entry")
    }
    items = {item.get("handle", ""): item for item in tree.iterfind("content/item")}
    handles = enumerate(_in_order(items))
    return Project({one: _item(items[one], labels, order) for order, one in handles})


def novel_page(file: FileText, item: ProjectItem) -> ReadPage:
    """The page that a file of the project is."""
    lines = file.text.split("\n")
    blocks = tuple(blocks_of(_parts(lines), lines))
    names: list[str] = []
    links: list[PageLink] = []
    for place, block in enumerate(blocks):
        if block.kind is not BlockKind.PLAIN:
            continue
        for line in block.text.split("\n"):
            word, targets = _reference(line)
            if word == _OWN_NAME:
                names += targets
            else:
                links += [PageLink(place, target, LinkKind.NOVELWRITER) for target in targets]
    named = (line.removeprefix(_NAME).strip() for line in lines if line.startswith(_NAME))
    return ReadPage(
        file.stamp,
        PageState.READ,
        _digest(file.digest, item),  # no project is ever written, and needs that of its bytes
        file.encoding,
        file.newline,
        item.title or next(named, "") or title_of_name(file.stamp.path),
        aliases=each_once(names),
        front=item.front or {},
        blocks=blocks,
        links=tuple(links),
        order=item.order,
    )


def _digest(*known: object) -> bytes:
    return blake2b(repr(known).encode("utf-8", "replace"), digest_size=DIGEST_BYTES).digest()


def _item(item: ET.Element, labels: Mapping[str, str], order: int) -> ProjectItem:
    name = item.find("name")
    if name is None:
        return ProjectItem(order=order)
    kind = item.get("class", "")
    key, mark = ("status", "status") if kind == _NOVEL else ("importance", "import")
    label = labels.get(name.get(mark, ""), "")
    front: dict[str, object] = {key: label} if label else {}
    if kind == _ARCHIVE:
        front["lifecycle"] = "retired"
    return ProjectItem((name.text or "").strip(), front, order, kind == _TRASH)


def _in_order(items: Mapping[str, ET.Element]) -> list[str]:
    """The handles as the author sees the tree; what hangs on nothing comes last."""
    below: dict[str, list[str]] = {}
    for handle, item in items.items():
        parent = item.get("parent", "")
        below.setdefault(parent if parent in items else "", []).append(handle)
    for handles in below.values():
        handles.sort(key=lambda one: items[one].get("order", "").zfill(9))
    found: dict[str, None] = {}
    waiting = below.get("", [])[::-1]
    while waiting:
        handle = waiting.pop()
        if handle not in found:
            found[handle] = None
            waiting += below.get(handle, [])[::-1]
    return [*found, *(one for one in items if one not in found)]


def _parts(lines: Sequence[str]) -> Iterator[Part]:
    """The parts of a page; the lines that novelWriter keeps for itself are in none."""
    above: dict[int, str] = {}
    heading, begin, kind = "", 0, None
    for number, line in enumerate([*lines, ""]):
        found = _HEADING.match(line)
        now = _kind(line, is_heading=found is not None)
        if now is not kind or kind is BlockKind.COMMENT:
            if kind is not None:
                yield Part(kind, begin, number, heading)
            begin, kind = number, now
        if found is not None:
            level = len(found[1])
            above = {one: title for one, title in above.items() if one < level}
            yield Part(BlockKind.HEADING, number, number + 1, "/".join(above.values()))
            above[level] = plain_line(found[2])
            heading = "/".join(above.values())


def _kind(line: str, *, is_heading: bool) -> BlockKind | None:
    """What a line begins or goes on with; None for one that is in no part, or is one itself."""
    if is_heading or not line.strip() or line.startswith(_META):
        return None
    if line.startswith("%"):
        return BlockKind.COMMENT
    return BlockKind.PLAIN if _REFERENCE.match(line) else BlockKind.PARAGRAPH


def _reference(line: str) -> tuple[str, list[str]]:
    """The word of a reference and what it names; of a name and how it is shown, both."""
    found = _REFERENCE.match(line)
    if found is None:
        return "", []
    parts = re.split(r"[,|]" if found[1] == _OWN_NAME else ",", found[2])
    return found[1], [tidy for part in parts if (tidy := part.strip())]
