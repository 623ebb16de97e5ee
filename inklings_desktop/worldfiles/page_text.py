"""Makes a page of the text of a file: its front matter, blocks, links and tags."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import unquote

from inklings_desktop.domain.world.pages import BlockKind, LinkKind, PageLink, PageState, ReadPage
from inklings_desktop.domain.world.path_rules import title_of_name
from inklings_desktop.worldfiles.blocks import Part, blocks_of, paragraphs
from inklings_desktop.worldfiles.front_matter import front_matter_of, words_of
from inklings_desktop.worldfiles.markdown_blocks import markdown_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inklings_desktop.domain.world.pages import Block
    from inklings_desktop.worldfiles.front_matter import FrontMatter
    from inklings_desktop.worldfiles.reading import FileText

# Each pattern goes over a text once: none tries again what another start has tried.
_WIKI = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_MARKDOWN = re.compile(
    r"(!?)\[[^\[\]\n]*\]\("
    r"(?:<([^<>\n]+)>|([^()\s<>]+(?:\([^()\s<>]*\)[^()\s<>]*)?))"
    r"(?:[ \t][^()\n]*)?\)"
)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
# Letters of any script and emoji; no marks of ASCII but - _ /, and no marks of print.
_TAG = re.compile(r"(?<!\S)#([^\s!-,.:-@\[-^`{-~\u2000-\u200c\u200e-\u206f\u3000-\u303f]+)")
_TICKS = re.compile(r"`+")


def links_of(text: str) -> Iterator[tuple[str, LinkKind]]:
    """Target and kind of each, in the order of kinds; what leads out of the folder is none."""
    if "`" in text:
        text = _without_code(text)
    if "[[" in text:
        for mark, target in _WIKI.findall(text):
            # A table's cell has to write the bar with a backslash before it.
            if tidy := target.rstrip("\\").strip():
                yield tidy, LinkKind.EMBED if mark else LinkKind.WIKI
    if "](" in text:
        for mark, pointed, plain in _MARKDOWN.findall(text):
            target = unquote(pointed or plain).strip()
            if target and not _ELSEWHERE.match(target):
                yield target, LinkKind.EMBED if mark else LinkKind.MARKDOWN


def tags_of(text: str) -> Iterator[str]:
    """The tags in a text without ``#``; a number alone is none."""
    if "#" not in text:
        return
    for tag in _TAG.findall(_without_code(text) if "`" in text else text):
        if not tag.strip("/-_").isdecimal() and (tidy := tag.strip("/")):
            yield tidy


def _without_code(text: str) -> str:
    """The text with blanks in place of what stands between backticks."""
    runs = [found.span() for found in _TICKS.finditer(text)]
    following: dict[int, int] = {}
    closing = [0] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        begin, end = runs[number]
        closing[number] = following.get(end - begin, 0)
        following[end - begin] = number
    kept, place, number = [], 0, 0
    while number < len(runs):
        if last := closing[number]:
            kept.append(text[place : runs[number][0]])
            place, number = runs[last][1], last
        number += 1
    return " ".join([*kept, text[place:]])


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
