"""Cuts the text of a Markdown page into blocks.

Only the rules for blocks are asked: what is in a line is not taken apart. Definitions of links are
left to be paragraphs, and what no rule covers becomes a block as well, so that every word of a
page is in one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from inklings_desktop.domain.world.pages import MAX_PASSAGE_CHARACTERS, BlockKind
from inklings_desktop.worldfiles.blocks import MAX_LINES, Part, own_id_of, paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

MAX_PARSED_CHARACTERS = 1024 * 1024
MAX_TOKENS = 36_000
"""A page of more characters, lines or marks is cut by its blank lines alone: 12,000 paragraphs are
read within a third of a second, and nobody who wants to stop a look waits for longer."""

_MAX_NESTING = 20
_MANY, _QUOTED = 10_000, 40
"""Of so many lines the quotes in quotes are counted, which the parser reads once for each mark."""
_KINDS = {
    "paragraph_open": BlockKind.PARAGRAPH,
    "heading_open": BlockKind.HEADING,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "blockquote_open": BlockKind.QUOTE,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "html_block": BlockKind.PLAIN,
}
_CALLOUT = re.compile(r"[ ]{0,3}>[ \t]*\[![^\]\n]+\]")
_DEFINITION = re.compile(r"[ ]{0,3}\[[^\]\n]+\]:[ \t]*\S")
_LINKED = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]")
_EMPHASIS = re.compile(r"\*+|~~|==|`+|(?<!\w)_+|_+(?!\w)")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    return parser.disable("reference")


def markdown_parts(lines: Sequence[str], first: int = 0) -> tuple[list[Part], str]:
    """The parts of a page from one line on (from 0), and its title if it begins with one."""
    text = "\n".join(lines[first:])
    n_quoted = sum(line.count(">", 0, _QUOTED) for line in lines) if len(lines) > _MANY else 0
    if len(text) >= MAX_PARSED_CHARACTERS or max(len(lines), n_quoted // 4) > MAX_LINES:
        return list(paragraphs(lines, first)), ""
    parser, tokens = _parser(), _Tokens()
    try:
        parser.block.parse(text, parser, {}, tokens)
    except OverflowError:
        return list(paragraphs(lines, first, is_coarse=True)), ""
    cutting = _Cutting(lines, first)
    for place, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map is not None:
            cutting.take(tokens, place)
    return cutting.ended(), cutting.title


class _Tokens(list["Token"]):
    """What the parser makes; it is ended where it makes too many, as of 100,000 headings."""

    def append(self, token: Token) -> None:
        if len(self) == MAX_TOKENS:
            raise OverflowError
        super().append(token)


class _Cutting:
    """Goes over the outer tokens of a page and keeps the headings above each."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self.title = ""
        self._lines, self._first = lines, first
        self._parts: list[Part] = []
        self._above: list[tuple[int, str]] = []
        self._heading = ""
        self._done = first

    def take(self, tokens: Sequence[Token], place: int) -> None:
        token = tokens[place]
        assert token.map is not None
        first, end = (self._first + line for line in token.map)
        self._add_uncovered(first)
        self._done = end
        kind = _KINDS.get(token.type)
        match kind:
            case None:
                pass  # a rule
            case BlockKind.HEADING:
                title = plain_line(tokens[place + 1].content)
                self._add_heading(int(token.tag[1:]), title, first, end)
            case BlockKind.LIST:
                for begin, last in self._items(tokens, place, end):
                    self._add(kind, begin, last)
            case BlockKind.PARAGRAPH if self._names_the_one_before(first, end):
                before = self._parts.pop()
                self._add(before.kind, before.first, end)
            case _:
                self._add(self._closer(kind, first, end), first, end)

    def ended(self) -> list[Part]:
        """All parts."""
        self._add_uncovered(len(self._lines))
        return self._parts

    def _add(self, kind: BlockKind, first: int, end: int) -> None:
        self._parts.append(Part(kind, first, end, self._heading))

    def _add_uncovered(self, until: int) -> None:
        if any(self._lines[number].strip() for number in range(self._done, until)):
            self._add(BlockKind.PLAIN, self._done, until)

    def _add_heading(self, level: int, title: str, first: int, end: int) -> None:
        if level == 1 and not self._parts:
            self.title = title
        self._above = [one for one in self._above if one[0] < level]
        self._heading = "/".join(name for _, name in self._above)
        self._add(BlockKind.HEADING, first, end)
        if title:
            self._above.append((level, title))
            self._heading = "/".join(name for _, name in self._above)

    def _names_the_one_before(self, first: int, end: int) -> bool:
        """Whether it is a ``^id`` alone, which Obsidian takes for the table or list before it."""
        if not self._parts or end - first > 1 or self._parts[-1].kind is BlockKind.HEADING:
            return False
        line = self._lines[first].strip()
        return line.startswith("^") and own_id_of(line) == line[1:]

    def _closer(self, kind: BlockKind, first: int, end: int) -> BlockKind:
        """The kind by what its lines say, where the rules of Markdown see no difference."""
        lines = self._lines
        begins, ends = lines[first].lstrip(), lines[end - 1].rstrip()
        if kind is BlockKind.QUOTE:
            return BlockKind.CALLOUT if _CALLOUT.match(lines[first]) else kind
        if kind is BlockKind.PLAIN:
            return BlockKind.COMMENT if begins.startswith("<!--") else kind
        if kind is BlockKind.PARAGRAPH:
            if begins.startswith("%%") and ends.endswith("%%"):
                return BlockKind.COMMENT
            if all(_DEFINITION.match(lines[number]) for number in range(first, end)):
                return BlockKind.PLAIN
        return kind

    def _items(self, tokens: Sequence[Token], place: int, end: int) -> Iterator[tuple[int, int]]:
        """Begin and end of each group of items: one with a ``^id`` is a group by itself.

        The others are together up to the length of a passage, so that a change of one item of a
        long list is not one of all.
        """
        begins = []
        for number in range(place + 1, len(tokens)):
            token = tokens[number]
            if token.level == 0:
                break
            if token.level == 1 and token.type == "list_item_open" and token.map is not None:
                begins.append(self._first + token.map[0])
        group, n_characters, had_id = begins[0], 0, False
        for begin, last in zip(begins, [*begins[1:], end], strict=True):
            text = "\n".join(self._lines[begin:last])
            has_id = bool(own_id_of(text) or own_id_of(self._lines[begin]))
            is_full = n_characters + len(text) > MAX_PASSAGE_CHARACTERS
            if begin > group and (is_full or has_id or had_id):
                yield group, begin
                group, n_characters = begin, 0
            n_characters += len(text)
            had_id = has_id
        yield group, end


def plain_line(text: str) -> str:
    """A heading as a person reads it: without marks of emphasis, links or a ``^id``."""
    if own_id := own_id_of(text):
        text = text.rstrip().removesuffix(f"^{own_id}")
    text = _LINKED.sub(r"\1", text) if "[[" in text else text
    return " ".join(_EMPHASIS.sub("", text).split())
