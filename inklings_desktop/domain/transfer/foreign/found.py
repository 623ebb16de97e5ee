"""What a reader finds in a file that is no export of ours, and what it has to leave out.

Every word of a file becomes part of a memory or is named here with its place: what cannot be a tag,
a date or a figure goes into the text, and what has no place at all is left out by name.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE
from inklings_desktop.domain.memory_values import MAX_TAG_CHARACTERS
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import Fault, ImportRefusedError, Left

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import Lifetime

MAX_FOUND = 100_000
IMPORTANCE_OF_A_RULE = 0.9
"""Of what its author wants said at every turn: a lorebook's constant entries."""

_BLOCK_SIGNS = ("```", "~~~", "|", ">", "- ", "* ", "+ ", "#")
_WORD = re.compile(r"\w")


class LeftOut(StrEnum):
    """Why something of a file does not become a memory."""

    REPEATED = "repeated"
    """A duplicate of another row: the same words in the same place."""
    EMPTY = "empty"
    """An entry without a text."""
    HEADING = "heading"
    """A heading with nothing under it."""
    KEYWORD = "keyword"
    """A keyword that cannot be a tag: too long, a pattern, or one too many."""
    PICTURE = "picture"
    """A picture that a note shows; its words stay."""
    EMBED = "embed"
    """Another note that a note shows."""
    COMMENT = "comment"
    """What its author marked as not to be read."""
    DRAWING = "drawing"
    """The data of a drawing."""
    TEMPLATE = "template"
    """A form that another program fills in."""
    SETTING = "setting"
    """A value that only another program can use."""
    STRAY = "stray"
    """A sign in a file of UTF-8 that is not UTF-8; it is shown as Windows-1252 has it."""
    OTHER_FILE = "other_file"
    """A file in a folder or an archive that is none that is read."""


@dataclass(frozen=True, slots=True)
class Found:
    """One memory as a file tells it; its values are checked later.

    Where the file says nothing of a lifetime, a source or a time there is none.

    Attributes:
        line: Where it begins in its file; 0 where lines say nothing.
        file: The file it comes from, as a person would name it.
        is_own: Whether a person wrote it or asked for it to be kept: it is meant to stay.
        is_paused: Whether it is switched off in the file.
        fault: Why it cannot be a memory.
    """

    content: str
    line: int = 0
    file: str = ""
    tags: tuple[str, ...] = ()
    importance: object = DEFAULT_IMPORTANCE
    lifetime: Lifetime | None = None
    source: str = ""
    created_at: datetime | None = None
    edited_at: datetime | None = None
    is_own: bool = True
    is_paused: bool = False
    fault: Fault | None = None


@dataclass(slots=True)
class Finds:
    """Takes what readers find, file after file.

    Attributes:
        hear: Hears how many were found so far; may raise to stop.
        unknown: Names of fields and columns that have no place here.
        left: What was left out, each with its place.
        columns: The headings of the tables, each once.
        encodings: Those that were guessed, each once.
    """

    hear: Callable[[int], None] = lambda _n: None
    memories: list[Found] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    left: list[Left] = field(default_factory=list)
    columns: dict[str, None] = field(default_factory=dict)
    encodings: dict[str, None] = field(default_factory=dict)

    def add(self, found: Found) -> None:
        """Take one.

        Raises:
            ImportRefusedError: There are more than one import takes.
        """
        if len(self.memories) >= MAX_FOUND:
            raise ImportRefusedError("too_many", limit=MAX_FOUND)
        self.hear(len(self.memories))
        self.memories.append(found)

    def refuse(self, content: str, line: int, field_name: str, rule: str, file: str) -> None:
        """Take a row that cannot be a memory, so that a person sees which."""
        self.add(Found(content, line, file, fault=Fault(field_name, rule)))

    def leave(self, reason: LeftOut, text: str, file: str = "", line: int = 0) -> None:
        """Name something that is left out."""
        sound = text.encode("utf-8", "replace").decode()
        self.left.append(Left(reason.value, sound, file, line))

    def drop(self, name: str, value: object = None, file: str = "", line: int = 0) -> None:
        """Name a field that has no place here, with its value where that says something."""
        self.unknown.add(name)
        told = as_text(value)
        if isinstance(value, str | list | dict) and says(told):
            self.leave(LeftOut.SETTING, f"{name}: {told}", file, line)

    def drop_rest(
        self, fields: Mapping[str, object], known: Collection[str], file: str, line: int = 0
    ) -> None:
        """Name the fields that are not among those a reader knows."""
        for name, value in fields.items():
            if name not in known:
                self.drop(name, value, file, line)

    @property
    def left_out(self) -> Counter[str]:
        """How often something was left out, by reason; values of named fields do not count."""
        return Counter(one.reason for one in self.left if one.reason != LeftOut.SETTING)


def says(text: str) -> bool:
    """Whether there is more in a text than blanks and the signs of rules and lists."""
    return bool(text.strip("-*_=~#.+|:>\\\u2022\u00b7\u2014\u2013 \t\n\ufeff\u200b"))


def as_text(value: object) -> str:
    """A value of a file in words; empty where it says nothing."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        told = ((str(name), as_text(one)) for name, one in value.items())
        return ", ".join(f"{name}: {one}" for name, one in told if one)
    if isinstance(value, list):
        return ", ".join(filter(None, map(as_text, value)))
    return "" if value is None else str(value)


def about(subjects: Iterable[str], content: str) -> str:
    """A text with whom it is about before it, unless it says so itself."""
    missing = [one for one in dict.fromkeys(subjects) if one and not _mentions(content, one)]
    if not missing:
        return content
    is_block = content.startswith(_BLOCK_SIGNS) or "\n\n" in content
    between = ":\n" if is_block else ": "
    return f"{', '.join(missing).rstrip(':')}{between}{content}"


def with_lines(content: str, pairs: Sequence[tuple[str, object]]) -> str:
    """A text, and below it a line for each value that has no other place."""
    told = ((name, as_text(value)) for name, value in pairs)
    lines = [f"{name}: {value}" if name else value for name, value in told if value]
    return "\n".join([*([content] if content else []), *lines])


def can_be_tag(word: str) -> bool:
    """Whether a heading is short enough for a tag."""
    return len(word) <= MAX_TAG_CHARACTERS


def _mentions(content: str, subject: str) -> bool:
    plain, wanted = content.casefold(), subject.casefold()
    at = plain.find(wanted)
    while at >= 0:
        around = plain[at - 1 : at] + plain[at + len(wanted) : at + len(wanted) + 1]
        if not _WORD.search(around):
            return True
        at = plain.find(wanted, at + len(wanted))
    return False
