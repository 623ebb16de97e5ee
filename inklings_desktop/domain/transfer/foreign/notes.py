"""Markdown and plain text as memories.

Markdown: each paragraph, list item, table, quotation and block of code is one memory; the headings
above it become its tags, and so do the ``tags`` of a front matter. Plain text: each paragraph and
each list item; where no line is blank, each line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE, Lifetime
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.foreign.found import Finds, Found, LeftOut
from inklings_desktop.domain.transfer.foreign.source import time_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_ITEM = re.compile(r"(\s*)(?:[-*+\u2022]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
# No run of signs is looked through twice: whoever wrote the file may have wanted that.
_PICTURE = re.compile(r"!\[[^\[\]]*+\]\([^()]*+\)|!\[\[[^\[\]]*+\]\]")
_FIELD = re.compile(r"([A-Za-z_][\w -]*):[ \t]*(.*)$")
_FRONT = "---"
_TAGS, _CREATED = (
    frozenset({"tags", "tag", "keywords"}),
    frozenset({"created", "created_at", "date"}),
)
_PLACED = _TAGS | _CREATED | {"lifetime", "importance", "title"}


@dataclass(frozen=True, slots=True)
class _Block:
    line: int
    text: str


def read_markdown(source: SourceFile, finds: Finds) -> None:
    """Take the paragraphs and list items of a Markdown file."""
    lines = source.text.split("\n")
    front, begin = _front_matter(lines)
    finds.drop(sorted(set(front) - _PLACED))
    tags = tuple(tag for name in ("title", *sorted(_TAGS)) for tag in _words(front.get(name, [])))
    created = next(filter(None, (_time(front.get(name)) for name in sorted(_CREATED))), None)
    lifetime = _lifetime(front.get("lifetime"))
    path: list[str] = []
    is_bare = False
    for block in _blocks(lines, begin):
        heading = _HEADING.match(block.text)
        if heading is not None and "\n" not in block.text:
            finds.leave(LeftOut.HEADING, is_bare)
            depth = len(heading[1])
            words = block.text[heading.end() :].strip()
            bare = words.rstrip("#")  # a heading may be closed by as many signs
            words = bare.rstrip() if bare[-1:] in {"", " ", "\t"} else words
            path[depth - 1 :] = [""] * (depth - 1 - len(path)) + [words]
            is_bare = True
            continue
        is_bare = False
        shown, n_pictures = _PICTURE.subn("", block.text)
        finds.leave(LeftOut.PICTURE, n_pictures)
        if n_pictures and not shown.strip():
            continue
        finds.add(
            Found(
                block.text,
                block.line,
                source.name,
                (*filter(None, path), *tags),
                _importance(front.get("importance")),
                lifetime,
                created_at=created,
            )
        )
    finds.leave(LeftOut.HEADING, is_bare)


def read_text(source: SourceFile, finds: Finds) -> None:
    """Take the paragraphs and list items of a plain text; its lines where none is blank."""
    lines = source.text.split("\n")
    is_lines = not any(not one.strip() for one in source.text.strip().split("\n"))
    blocks = (
        (_Block(number, line) for number, line in enumerate(lines, start=1) if line.strip())
        if is_lines
        else _paragraphs(lines)
    )
    for block in blocks:
        finds.add(Found(_without_mark(block.text), block.line, source.name))


def _paragraphs(lines: list[str]) -> Iterator[_Block]:
    """Runs of lines between blank ones; an item of a list begins one of its own."""
    begin, some = 0, list[str]()
    for number, line in enumerate([*lines, ""], start=1):
        if some and (not line.strip() or _ITEM.match(line)):
            yield _Block(begin, "\n".join(some))
            some = []
        if line.strip():
            begin = begin if some else number
            some.append(line.rstrip())


def _blocks(lines: list[str], begin: int) -> Iterator[_Block]:
    """The blocks of a Markdown text in order, headings as one line with their ``#``."""
    number = begin
    while number < len(lines):
        line = lines[number]
        end = number + 1
        fence = _FENCE.match(line)
        if not line.strip() or (_RULE.match(line) and not _ITEM.match(line)):
            number = end
            continue
        if _HEADING.match(line):
            yield _Block(number + 1, line.strip())
        elif fence is not None:
            while end < len(lines) and not lines[end].lstrip().startswith(fence[1]):
                end += 1
            end = min(end + 1, len(lines))
            yield _Block(number + 1, "\n".join(lines[number:end]).rstrip())
        elif (item := _ITEM.match(line)) is not None:
            end = _end_of_item(lines, number, len(item[1].expandtabs(4)))
            text = _without_mark("\n".join(lines[number:end]))
            yield _Block(number + 1, text)
        else:
            while end < len(lines) and _goes_on(lines[end]):
                end += 1
                if _UNDERLINE.match(lines[end - 1]):
                    break
            underline = _UNDERLINE.match(lines[end - 1]) if end - number > 1 else None
            if underline is not None:
                mark = "#" if underline[1][0] == "=" else "##"
                words = " ".join(one.strip() for one in lines[number : end - 1])
                yield _Block(number + 1, f"{mark} {words}")
            else:
                yield _Block(number + 1, "\n".join(one.rstrip() for one in lines[number:end]))
        number = end


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


def _without_mark(text: str) -> str:
    """A list item without its dash or number; what is indented under it moves left with it."""
    item = _ITEM.match(text)
    if item is None:
        return text.strip("\n").rstrip()
    first, *rest = text[item.end() :].split("\n")
    depth = min((_indent(one) for one in rest if one.strip()), default=0)
    return "\n".join([first, *(one.expandtabs(4)[depth:].rstrip() for one in rest)]).rstrip()


def _front_matter(lines: list[str]) -> tuple[dict[str, list[str]], int]:
    """The fields between two lines of ``---`` at the top, and where the text begins.

    Only what people write there is read: ``name: value``, ``name: [a, b]`` and lists of ``- a``.
    """
    if lines[0].strip("\ufeff \t") != _FRONT:
        return {}, 0
    end = next((n for n, one in enumerate(lines[1:], 1) if one.strip() in {_FRONT, "..."}), 0)
    fields: dict[str, list[str]] = {}
    name = ""
    for line in lines[1:end]:
        match = _FIELD.match(line)
        if match is not None:
            name = match[1].strip().casefold()
            fields[name] = [match[2].strip()] if match[2].strip() else []
        elif name and line.strip().startswith("- "):
            fields[name].append(line.strip()[2:].strip())
    return fields, end + 1 if end else 0


def _words(values: list[str]) -> list[str]:
    """The single words of a field: a list in brackets, or with commas between."""
    found = [part for one in values for part in one.strip("[]").split(",")]
    return [one.strip().strip("\"'").strip() for one in found if one.strip().strip("\"'").strip()]


def _time(values: list[str] | None) -> datetime | None:
    return time_in(values[0].strip("\"'")) if values else None


def _lifetime(values: list[str] | None) -> Lifetime | None:
    named = values[0].strip("\"'") if values else ""
    return Lifetime(named) if named in {"long_term", "short_term"} else None


def _importance(values: list[str] | None) -> object:
    try:
        return float(values[0]) if values else DEFAULT_IMPORTANCE
    except ValueError:
        return DEFAULT_IMPORTANCE
