"""What a reader finds in a file that is no export of ours, and what it has to leave out.

Nothing is dropped in silence: a value without a place here is named, a row that cannot be kept is
refused with its line, and what is left out is counted under its reason.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import Fault, ImportRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from inklings_desktop.domain.memory import Lifetime

MAX_FOUND = 100_000
IMPORTANCE_OF_A_RULE = 0.9
"""Of what its author wants said at every turn: a lorebook's constant entries."""


class LeftOut(StrEnum):
    """Why something of a file does not become a memory."""

    REPEATED = "repeated"
    """Says the same as another row of the file."""
    EMPTY = "empty"
    """An entry without a text."""
    HEADING = "heading"
    """A heading with nothing under it."""
    KEYWORD = "keyword"
    """A keyword that cannot be a tag: too long, a pattern, or one too many."""
    PICTURE = "picture"
    """A picture that a note shows; its words stay."""
    OTHER_FILE = "other_file"
    """A file in a folder that is neither Markdown nor plain text."""


@dataclass(frozen=True, slots=True)
class Found:
    """One memory as a file tells it; its values are checked later.

    Attributes:
        content: Its text.
        line: Where it begins in its file; 0 where lines say nothing.
        file: The file it stands in, as a person would name it.
        tags: Words to find it by.
        importance: As the file says.
        lifetime: As the file says; None when it says nothing.
        source: Who produced it; empty when the file says nothing.
        created_at: When it was written; None when the file says nothing.
        edited_at: When it was last changed.
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
        memories: What was found, in order.
        unknown: Names of fields and columns that have no place here.
        left_out: How often something was left out, by reason.
        is_guessed: Whether a file told no encoding and was read as Windows-1252.
    """

    hear: Callable[[int], None] = lambda _n: None
    memories: list[Found] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    is_guessed: bool = False

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

    def leave(self, reason: LeftOut, n: int = 1) -> None:
        """Count what is left out."""
        if n:
            self.left_out[reason] += n

    def drop(self, names: Iterable[str]) -> None:
        """Name fields that have no place here."""
        self.unknown.update(names)
