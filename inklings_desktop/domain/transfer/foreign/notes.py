"""Markdown, plain text and whatever else is a text with headings, as memories.

Each paragraph, list item, table, quotation and block of code is one memory, or each section, or the
whole file. The headings above it become its tags, and say in its text what it is about; so do the
``tags`` of a front matter. Plain text: each paragraph and list item; each line where none is blank.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from itertools import chain, pairwise, takewhile
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.foreign.found import (
    Finds,
    Found,
    LeftOut,
    about,
    can_be_tag,
    says,
)
from inklings_desktop.domain.transfer.foreign.note_heads import (
    NOVEL_WRITER,
    REFERENCE,
    cut_comments,
    head_of,
    title_in,
)
from inklings_desktop.domain.transfer.foreign.rows import OWN, found_in, tags_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.transfer.foreign.rows import Shape
    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_ITEM = re.compile(r"(\s*)(?:[-*+\u2022]|(\d{1,9})[.)])[ \t]+(?=\S)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_SENTENCE = re.compile(r".*[.!?\u2026\u3002][\"'\u201d\u00bb)*_]*")
_LONGEST_SUBJECT = 160
_LEAD = re.compile(r"[^\n]{1,160}[:\uff1a]")
"""What a list is about, said in the line before it."""
# No run of signs is looked through twice: whoever wrote the file may have wanted that.
_PICTURE = re.compile(r"!\[[^\[\]]*+\]\([^()]*+\)|!\[\[([^\[\]]*+)\]\]")
_IS_PICTURE = re.compile(r"[^|]*\.(?:png|jpe?g|gif|svg|webp|bmp|avif|tiff?)\b.*", re.IGNORECASE)
_FORM = re.compile(r"<%[^%]{0,400}%>|\{\{ *(?:title|date|time)\b[^{}]{0,60}\}\}")
_FORM_FOLDERS = frozenset({"templates", "template", "_templates"})


class Grain(StrEnum):
    """How much of a note is one memory."""

    PARAGRAPH = "paragraph"
    SECTION = "section"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a note.

    Attributes:
        line: Where it begins; 0 where lines say nothing.
        text: What it says.
        depth: Of a heading, from 1; 0 for any other.
        item: The text of a list item without its mark; empty for any other.
        number: That of an item in a list with numbers.
        tags: Words for everything up to the next heading; it has no text then.
    """

    line: int
    text: str
    depth: int = 0
    item: str = ""
    number: int | None = None
    tags: tuple[str, ...] = ()


def read_markdown(source: SourceFile, finds: Finds, by: Grain) -> None:
    """Take what a Markdown file says."""
    lines, head, shape = head_of(source, finds)
    if _FORM_FOLDERS & {one.casefold() for one in source.name.split("/")[:-1]}:
        finds.leave(LeftOut.TEMPLATE, source.text.strip(), source.name)
        return
    lines = cut_comments(lines, source.name, finds)
    front = found_in(finds, shape, head, source.name, 1)
    take_blocks(list(blocks_of(lines, shape)), source, finds, by, front, title_in(head))


def read_text(source: SourceFile, finds: Finds, by: Grain) -> None:
    """Take what a plain text says; its lines where none is blank."""
    lines = source.text.split("\n")
    if all(one.strip() for one in source.text.strip().split("\n")):
        some = [_block(number, one) for number, one in enumerate(lines, start=1) if one.strip()]
    else:
        some = list(_paragraphs(lines))
    take_blocks(some, source, finds, by)


def take_blocks(
    blocks: Sequence[Block],
    source: SourceFile,
    finds: Finds,
    by: Grain,
    front: Found | None = None,
    title: str = "",
) -> None:
    """Take the pieces of a note.

    Args:
        blocks: In their order.
        source: The file.
        finds: Takes them.
        by: How much of it is one memory.
        front: What the head of the file says of all of them; its content is a memory of its own.
        title: What the file is called.
    """
    front = front or Found("", file=source.name)
    stem = () if title or not can_be_tag(source.title) else (source.title,)
    if front.content:
        content = about([title or source.title], front.content)
        finds.add(replace(front, content=content, tags=(*front.tags, *stem)))
    told = [one for one in blocks if _is_told(one, source.name, finds)]
    sections = _sections(told, source.name, finds)
    for section in _whole(sections, title) if by is Grain.FILE else sections:
        tags = (*filter(can_be_tag, section.path), *section.tags)
        frame = replace(front, tags=(*(tags or stem), *front.tags))
        subjects = section.path or (title,)
        if by is not Grain.PARAGRAPH:
            whole = about(subjects, section.text)
            if _n_bytes(whole) <= MAX_CONTENT_BYTES:
                finds.add(replace(frame, content=whole, line=section.blocks[0].line))
                continue
            # Too long for one memory: it comes in by paragraphs, none of it is lost.
        lead: tuple[str, ...] = ()
        some = list(_unmarked(section.blocks))
        for block, following in zip(some, [*some[1:], None], strict=True):
            lead = lead if block.item else ()
            if following is not None and following.item and _LEAD.fullmatch(block.text):
                lead = (block.text[:-1].rstrip(),)  # it is said with each item
                continue
            content = about((*subjects, *lead), block.text)
            finds.add(replace(frame, content=content, line=block.line))


@dataclass(slots=True)
class _Section:
    """What is under one heading, up to the next."""

    path: tuple[str, ...]
    blocks: list[Block]
    tags: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        text = self.blocks[0].text
        for before, block in pairwise(self.blocks):
            text += ("\n" if before.item and block.item else "\n\n") + block.text
        return text


def _sections(blocks: Sequence[Block], file: str, finds: Finds) -> list[_Section]:
    """The sections that say something; a heading that nothing follows is named."""
    found: list[_Section] = []
    path: list[Block] = []
    unused: list[Block] = []

    def leave(depth: int) -> None:
        for one in path[depth:]:
            if one in unused:
                unused.remove(one)
                finds.leave(LeftOut.HEADING, one.text, file, one.line)
        del path[depth:]

    section = _Section((), [])
    for block in blocks:
        # One too long to be said with each piece is a text like others.
        is_heading = bool(block.depth) and len(block.text) <= _LONGEST_SUBJECT
        if block.depth:
            leave(block.depth - 1)
            if is_heading:
                path += [*[Block(0, "")] * (block.depth - 1 - len(path)), block]
            if is_heading and block.text:
                unused.append(block)
            section = _Section(tuple(one.text for one in path if one.text), [])
        if block.tags:
            section.tags += block.tags
        elif not is_heading:
            if not section.blocks:
                found.append(section)
            section.blocks.append(block)
            unused.clear()
    leave(0)
    return found


def _whole(sections: Sequence[_Section], title: str) -> Sequence[_Section]:
    """All sections as one, with their headings in it, where one memory can hold that."""
    blocks: list[Block] = []
    before: tuple[str, ...] = ()
    for section in sections:
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(section.path, before, strict=False))
        same = len(list(shared))
        for depth, words in enumerate(section.path[same:], start=same + 1):
            blocks.append(Block(section.blocks[0].line, f"{'#' * depth} {words}"))
        blocks += section.blocks
        before = section.path
    told = chain.from_iterable([*(one.path for one in sections), *(one.tags for one in sections)])
    whole = _Section((), blocks, tuple(dict.fromkeys(told)))
    fits = blocks and _n_bytes(whole.text) + _n_bytes(title) < MAX_CONTENT_BYTES
    return [whole] if fits else sections


def _n_bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _is_told(block: Block, file: str, finds: Finds) -> bool:
    """Whether a piece is its author's words; what it shows of others is named."""
    for one in _PICTURE.finditer(block.text):
        is_embed = one[1] is not None and not _IS_PICTURE.fullmatch(one[1])
        finds.leave(LeftOut.EMBED if is_embed else LeftOut.PICTURE, one[0], file, block.line)
    if _FORM.search(block.text):
        finds.leave(LeftOut.TEMPLATE, block.text, file, block.line)
        return False
    return bool(block.depth or block.tags) or says(_PICTURE.sub("", block.text))


def _unmarked(blocks: Sequence[Block]) -> Iterator[Block]:
    """List items without their marks; numbers stay unless they count from one on."""
    at = 0
    while at < len(blocks):
        end = at + 1
        while end < len(blocks) and _counts_on(blocks[end - 1].number, blocks[end].number):
            end += 1
        run = blocks[at:end]
        is_list = len(run) > 1 and run[0].number in {0, 1}
        for one in run:
            is_mark = one.number is None or is_list
            yield replace(one, text=one.item) if one.item and is_mark else one
        at = end


def _counts_on(before: int | None, number: int | None) -> bool:
    """Whether one number follows another; some write 1 before every item."""
    return before is not None and (number == before + 1 or number == before == 1)


def _paragraphs(lines: list[str]) -> Iterator[Block]:
    """Runs of lines between blank ones; an item of a list begins one of its own."""
    begin, some = 0, list[str]()
    for number, line in enumerate([*lines, ""], start=1):
        if some and (not line.strip() or _ITEM.match(line)):
            yield _block(begin, "\n".join(some))
            some = []
        if line.strip():
            begin = begin if some else number
            some.append(line.rstrip())


def blocks_of(lines: list[str], shape: Shape = OWN) -> Iterator[Block]:
    """The blocks of a Markdown text in order; novelWriter's references are tags."""
    number = 0
    while number < len(lines):
        line = lines[number]
        end = number + 1
        fence = _FENCE.match(line)
        if not says(line):
            number = end
            continue
        heading = _HEADING.match(line)
        if shape is NOVEL_WRITER and (reference := REFERENCE.match(line)) is not None:
            yield Block(number + 1, "", tags=tuple(tags_in(reference[2])))
        elif heading is not None:
            words = line[heading.end() :].strip()
            bare = words.rstrip("#")  # a heading may be closed by as many signs
            words = bare.rstrip() if bare[-1:] in {"", " ", "\t"} else words
            yield Block(number + 1, words, len(heading[1]))
        elif fence is not None:
            while end < len(lines) and not lines[end].lstrip().startswith(fence[1]):
                end += 1
            end = min(end + 1, len(lines))
            yield Block(number + 1, "\n".join(lines[number:end]).rstrip())
        elif (item := _ITEM.match(line)) is not None:
            end = _end_of_item(lines, number, len(item[1].expandtabs(4)))
            yield _block(number + 1, "\n".join(lines[number:end]))
        else:
            end = _end_of_paragraph(lines, number)
            yield _paragraph(number + 1, lines[number:end])
        number = end


def _end_of_paragraph(lines: list[str], begin: int) -> int:
    end = begin + 1
    while end < len(lines) and _goes_on(lines[end]):
        end += 1
        if _UNDERLINE.match(lines[end - 1]):
            break
    return end


def _paragraph(line: int, lines: list[str]) -> Block:
    """A paragraph, or a heading with a line below it."""
    underline = _UNDERLINE.match(lines[-1]) if len(lines) > 1 else None
    words = " ".join(one.strip() for one in lines[:-1])
    if underline is not None and not (underline[1][0] == "-" and _SENTENCE.fullmatch(words)):
        return Block(line, words, 1 if underline[1][0] == "=" else 2)
    # A sentence is no heading: the line below it is a rule.
    kept = lines if underline is None else lines[:-1]
    return Block(line, "\n".join(one.rstrip() for one in kept))


def _block(line: int, text: str) -> Block:
    """A paragraph or an item of a list."""
    item = _ITEM.match(text)
    if item is None:
        return Block(line, text.strip("\n").rstrip())
    first, *rest = text[item.end() :].split("\n")
    depth = min((_indent(one) for one in rest if one.strip()), default=0)
    bare = "\n".join([first, *(one.expandtabs(4)[depth:].rstrip() for one in rest)]).rstrip()
    number = None if item[2] is None else int(item[2])
    mark = text[len(item[1]) : item.end()]
    indent = " " * (2 if number is None else len(mark))
    raw = mark + bare.replace("\n", f"\n{indent}")
    return Block(line, raw, item=bare, number=number)


def _goes_on(line: str) -> bool:
    """Whether a paragraph goes on with this line."""
    if not line.strip() or _HEADING.match(line) or _FENCE.match(line) or _ITEM.match(line):
        return False
    return _UNDERLINE.match(line) is not None or not _RULE.match(line)


def _end_of_item(lines: list[str], begin: int, indent: int) -> int:
    """Where an item of a list ends: items below it and lines indented under it belong to it."""
    end = begin + 1
    while end < len(lines):
        line = lines[end]
        if not line.strip():
            follows = end
            while follows < len(lines) and not lines[follows].strip():
                follows += 1
            if follows == len(lines) or _indent(lines[follows]) <= indent:
                return end
            end = follows
        elif _indent(line) <= indent and (_ITEM.match(line) or not _goes_on(line)):
            break
        end += 1
    return end


def _indent(line: str) -> int:
    plain = line.expandtabs(4)
    return len(plain) - len(plain.lstrip())
