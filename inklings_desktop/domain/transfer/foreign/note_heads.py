"""What a note says of itself before its text, and what its author marked as not to be read.

Heads: the front matter of Obsidian and others between ``---``, that of newer novelWriter
between ``+++``, novelWriter's ``%%~name:`` lines, and Manuskript's ``title:`` and ``ID:`` lines.
Between two rules there is a head only if every line reads as a key; else it is a text like others.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from inklings_desktop.domain.transfer.foreign.found import Finds, LeftOut, as_text
from inklings_desktop.domain.transfer.foreign.rows import OWN, OWN_ROLES, Shape

if TYPE_CHECKING:
    from inklings_desktop.domain.transfer.foreign.rows import Fields
    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_FIELD = re.compile(r"([^\W\d][\w .-]{0,60}?)[ \t]*[:=](?:[ \t]+(.*)|)$")
_ONE_WORD = re.compile(r"[\w.-]+")
_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_META = re.compile(r"%%~ ?(\w+):[ \t]*(.*)$")
_TOLD = re.compile(
    r"%[ \t]*(synopsis|short|summary|story|note|footnote)(\.[\w .-]+)?:", re.IGNORECASE
)
REFERENCE = re.compile(r"@(\w+)(?:\.[\w.-]+)?:[ \t]*(.+)$")
_HARD_HEADING = re.compile(r"#{1,4}! ")
_BREAK = re.compile(r"\[(?:new ?page|vspace(?::\d+)?)\]$", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENTS = {"%%": "%%", "<!--": "-->"}
_OPENER = re.compile("%%|<!--")
_DRAWING = re.compile(r"compressed-json|\"type\":\s*\"excalidraw\"")

NOVEL_WRITER = Shape(
    {"name": "title", "title": "title"},
    frozenset(
        {"path", "kind", "hash", "date", "parent", "handle", "class", "layout", "texthash"}
        | {"createddate", "updateddate", "created", "updated"}
    ),
    keeps_rest=False,
)
_MANUSKRIPT = Shape(
    {"title": "title", "name": "title"},
    frozenset(
        {"id", "type", "compile", "charcount", "wordcount", "setgoal", "pov", "label", "status"}
        | {"importance", "color", "position"}
    ),
)
_OBSIDIAN = Shape(
    {name: role for name, role in OWN_ROLES.items() if role != "content"},
    OWN.silent | {"cssclass", "cssclasses", "publish", "excalidraw-plugin"},
)


def head_of(source: SourceFile, finds: Finds) -> tuple[list[str], Fields, Shape]:
    """The lines of a note without its head, which is empty lines then; its fields; their shape."""
    lines = source.text.lstrip("\ufeff").split("\n")
    if _META.match(lines[0]) or source.suffix == ".nwd":
        return _novel_writer(lines, source.name, finds)
    fence = lines[0].strip()
    if fence in _FENCES:
        ends = _FENCES[fence]
        end = next((n for n, one in enumerate(lines[1:], 1) if one.strip() in ends), 0)
        head = _fields(lines[1:end])
        if head is not None:
            names = {name.casefold() for name, _value in head}
            is_novel = fence == "+++" and "handle" in names
            body = [""] * (end + 1) + lines[end + 1 :]
            if not is_novel:
                return body, head, _OBSIDIAN
            return _marked(body, source.name, finds), head, NOVEL_WRITER
    end = next((n for n, one in enumerate(lines) if not one.strip()), len(lines))
    head = _fields(lines[:end])
    if head is not None and {"id", "title"} <= {name.casefold() for name, _value in head}:
        return [""] * end + lines[end:], head, _MANUSKRIPT
    return lines, (), _OBSIDIAN


def cut_comments(lines: list[str], file: str, finds: Finds) -> list[str]:
    """The lines without Obsidian's and HTML's comments, which are named; blocks of code stay."""
    found: list[str] = []
    fence = closer = ""
    held: list[str] = []
    begin = 0
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if not closer and (fence or mark is not None):
            if not fence and mark is not None:
                fence = mark[1]
            elif line.lstrip().startswith(fence):
                fence = ""
            found.append(line)
            continue
        kept, at = "", 0
        while at <= len(line):
            if closer:
                end = line.find(closer, at)
                held.append(line[at : end if end >= 0 else len(line)])
                if end < 0:
                    break
                _leave_comment("\n".join(held), file, begin, finds)
                at, closer = end + len(closer), ""
            else:
                opener = _OPENER.search(line, at)
                kept += line[at : opener.start() if opener is not None else len(line)]
                if opener is None:
                    break
                at, closer, held, begin = opener.end(), _COMMENTS[opener[0]], [], number
        found.append(kept)
    # What is never closed is no comment.
    return found if not closer else [*found[: begin - 1], *lines[begin - 1 :]]


def _leave_comment(text: str, file: str, line: int, finds: Finds) -> None:
    if _DRAWING.search(text):
        finds.leave(LeftOut.DRAWING, f"{len(text):,} characters", file, line)
    elif text.strip():
        finds.leave(LeftOut.COMMENT, text.strip(), file, line)


def _novel_writer(lines: list[str], file: str, finds: Finds) -> tuple[list[str], Fields, Shape]:
    """A document of a novelWriter project."""
    head = [(one[1], one[2]) for one in takewhile(bool, map(_META.match, lines)) if one]
    body = [""] * len(head) + lines[len(head) :]
    return _marked(body, file, finds), head, NOVEL_WRITER


def _marked(lines: list[str], file: str, finds: Finds) -> list[str]:
    """The text of novelWriter as Markdown: what is a note of its author's is told or named."""
    found = []
    for number, line in enumerate(lines, start=1):
        is_break = _BREAK.match(line.strip()) is not None
        if _HARD_HEADING.match(line):
            found.append(line.replace("!", "", 1))
        elif _TOLD.match(line):
            found.append(line[1:].strip())
        elif is_break or line.startswith("%"):
            reason = LeftOut.SETTING if is_break else LeftOut.COMMENT
            finds.leave(reason, line.lstrip("%~ ").strip(), file, number)
            found.append("")
        else:
            found.append(line)
    return found


def _fields(lines: list[str]) -> list[tuple[str, object]] | None:
    """The fields of a head; None where a line is none.

    Only what people write there is read: ``name: value``, ``name: [a, b]``, lists of ``- a``, and
    lines that are indented below a name.
    """
    fields: list[tuple[str, list[str]]] = []
    for line in lines:
        bare = line.strip()
        match = _FIELD.match(line)
        if match is not None:
            value = (match[2] or "").strip()
            fields.append(
                (match[1].strip(), [] if value in {"", "|", ">", "|-", ">-"} else [value])
            )
        elif fields and bare and (line[0] in " \t" or bare.startswith("- ")):
            fields[-1][1].append(bare.removeprefix("- ").strip())
        elif not bare or not bare.startswith("#"):
            return None
    if not any(_ONE_WORD.fullmatch(name) for name, _values in fields):
        return None
    return [(name, _value(values)) for name, values in fields]


def _value(values: list[str]) -> object:
    if len(values) == 1 and values[0][:1] == "[" and values[0][-1:] == "]":
        values = values[0][1:-1].split(",")
        return [one for one in map(_unquoted, values) if one]
    plain = [one for one in map(_unquoted, values) if one]
    return plain if len(plain) != 1 else plain[0]


def _unquoted(text: str) -> str:
    bare = text.strip()
    is_quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
    return (bare[1:-1] if is_quoted else bare).strip()


def title_in(head: Fields) -> str:
    """What a note is called, as far as its head says."""
    return next((as_text(one) for name, one in head if name.casefold() in {"title", "name"}), "")
