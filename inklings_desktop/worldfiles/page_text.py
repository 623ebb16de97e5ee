"""Makes a page of the text of a file: its front matter, blocks, links and tags."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from inklings_desktop.domain.world.pages import BlockKind, LinkKind, PageLink, PageState, ReadPage
from inklings_desktop.domain.world.path_rules import title_of_name
from inklings_desktop.worldfiles.blocks import Part, blocks_of, paragraphs
from inklings_desktop.worldfiles.front_matter import front_matter_of, words_of
from inklings_desktop.worldfiles.links import links_of, tags_of
from inklings_desktop.worldfiles.markdown_blocks import markdown_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.world.pages import Block
    from inklings_desktop.worldfiles.front_matter import FrontMatter
    from inklings_desktop.worldfiles.reading import FileText


MAX_LINKS = 20_000
"""Of a page; what it names beyond is found by its words alone."""


def page_of(file: FileText) -> ReadPage:
    """The page that a file is, by the ending of its name."""
    lines = file.text.split("\n")
    if file.stamp.path.casefold().endswith(".txt"):
        return _whole(file, tuple(blocks_of(paragraphs(lines), lines)))
    front = front_matter_of(lines)
    parts, heading = markdown_parts(lines, front.n_lines)
    inner = [Part(BlockKind.FRONT, 1, front.n_lines - 1)] if front.n_lines else []
    blocks = tuple(blocks_of([*inner, *parts], lines))
    return _whole(file, blocks, front, heading, links_in(blocks))


def links_in(blocks: Sequence[Block]) -> list[PageLink]:
    """What the blocks of a Markdown page name; code names nothing."""
    found: list[PageLink] = []
    for place, block in enumerate(blocks):
        if len(found) >= MAX_LINKS:
            break
        if block.kind is BlockKind.CODE:
            continue
        found += [PageLink(place, target, kind) for target, kind in links_of(block.text)]
        if block.kind is not BlockKind.FRONT:  # where a # begins a remark
            found += [PageLink(place, tag, LinkKind.TAG) for tag in tags_of(block.text)]
    return found[:MAX_LINKS]


def _whole(
    file: FileText,
    blocks: tuple[Block, ...],
    front: FrontMatter | None = None,
    heading: str = "",
    links: Sequence[PageLink] = (),
) -> ReadPage:
    values = front.values if front else {}
    own_tags = [
        tag for one in words_of(values, "tags", "tag") for tag in one.replace("#", " ").split()
    ]
    titles = (str(values[key]).split() for key in values if key.casefold() == "title")
    title = " ".join(next(titles, []))
    in_text = (one.target for one in links if one.kind is LinkKind.TAG)
    return ReadPage(
        file.stamp,
        PageState.READ,
        file.digest,
        file.encoding,
        file.newline,
        title or heading or title_of_name(file.stamp.path),
        aliases=each_once(words_of(values, "aliases", "alias")),
        front=values,
        front_lines=front.lines if front else {},
        front_problem=front.problem if front else None,
        tags=each_once(chain(own_tags, in_text)),
        blocks=blocks,
        links=(*(PageLink(0, tag, LinkKind.TAG) for tag in own_tags), *links),
    )


def each_once(words: Iterable[str]) -> tuple[str, ...]:
    """Each word once, however it is written, as it is written first."""
    found: dict[str, str] = {}
    for word in words:
        found.setdefault(word.casefold(), word)
    return tuple(found.values())
