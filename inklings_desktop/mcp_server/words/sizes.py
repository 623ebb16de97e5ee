"""How much one answer holds: a page of characters, and a long text a part at a time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.mcp_server.words.shapes import Hit, Memory, Note

PAGE_CHARACTERS = 20_000
"""Of one answer, as text and as structure each; a model pays for every one of them."""
_FRAME = 700
_KIB = 1024
_MOST_DIGITS = 15
One = TypeVar("One", "Hit", "Memory", Any)


@dataclass(frozen=True, slots=True)
class Room:
    """What an answer has room for, in characters as they are told.

    Attributes:
        page: All of it.
        text: One text among several.
    """

    page: int
    text: int

    def narrowed(self, most: int, taken: int) -> Room:
        """What is left beside so many characters that are taken, at most so many."""
        return Room(min(self.page - taken, most + _FRAME), self.text)

    def fitting(self, items: Sequence[One]) -> list[One]:
        """The first of these answers that a page has room for, one at least."""
        n_fitting, left = 0, self.page - _FRAME
        for item in items:
            left -= size_of(item)
            if left < 0 and n_fitting:
                break
            n_fitting += 1
        return list(items[:n_fitting])

    def shortened(self, memory: One) -> One:
        """A memory of a list; of a long text the beginning, and how to have the rest."""
        content = memory["content"]
        if len(content) > self.text:
            memory["content"] = content[: self.text]
            memory["more"] = f"{rest_of(content[self.text :])}, memory_get"
        return memory

    def page_of(self, items: Sequence[One], page: str) -> tuple[list[One], str | None]:
        """The answers of this page, and the word for the next one."""
        begin = number_of(page)
        told = self.fitting(items[begin:])
        ahead = begin + len(told)
        return told, str(ahead) if ahead < len(items) else None

    def whole(
        self, memories: Sequence[Hit], begin: int
    ) -> tuple[list[Hit], tuple[int, int] | None]:
        """Memories with all of their text, as far as a page goes, and where the next one begins.

        Args:
            memories: In their order.
            begin: Where in the text of the first one this page begins.
        """
        told: list[Hit] = []
        for number, memory in enumerate(memories):
            text, memory["content"] = memory["content"], ""
            part = self.part(text, begin, size_of([*told, memory]))
            left = text[begin + len(part) :]
            if told and left and len(part) < self.text:
                return told, (number, 0)
            memory["content"] = part
            told.append(memory)
            if left:
                memory["more"] = f"{rest_of(left)}, next"
                return told, (number, begin + len(part))
            begin = 0
        return told, None

    def cut_note(self, note: Note, begin: int) -> str | None:
        """Leave of a value that is too long a part of its JSON text; the word for the next one."""
        if size_of(note["value"]) <= self.page - _FRAME:
            return None
        text = json.dumps(note["value"], ensure_ascii=False)
        part = self.part(text, begin)
        note["value"] = part
        if not (left := text[begin + len(part) :]):
            return None
        note["more"] = f"{rest_of(left)}, next"
        return str(begin + len(part))

    def short_note(self, note: Note) -> Note:
        """A note of a list; of a long value the beginning of its JSON text."""
        if size_of(note["value"]) > self.text:
            text = json.dumps(note["value"], ensure_ascii=False)
            note["value"] = text[: self.text]
            note["more"] = f"{rest_of(text[self.text :])}, note_read with its key"
        return note

    def part(self, text: str, begin: int, taken: int = 0) -> str:
        """As much of a text from there on as a page has room for beside what is taken."""
        most = max(self.page - _FRAME - taken, 1)
        part = text[begin : begin + most]
        while (told := size_of(part)) > most and len(part) > 1:
            part = part[: max(len(part) * most // told, 1)]
        return part


FOR_MODELS = Room(PAGE_CHARACTERS, 1_500)
FOR_PROGRAM = Room(400_000, 70_000)
"""The World Agent's program reads whole texts; no model is given its answers as they are."""


def size_of(value: Any) -> int:
    """How long a value is when it is told."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(spelled_out(text))


def rest_of(text: str) -> str:
    """How much more there is: ``51 KB more``."""
    n_bytes = len(text.encode())
    return f"{round(n_bytes / _KIB)} KB more" if n_bytes >= _KIB else f"{n_bytes} bytes more"


def number_of(page: str) -> int:
    """The word ``next`` of an answer, where it is a number.

    Raises:
        InvalidValueError: No answer gave it.
    """
    if not page:
        return 0
    if not (page.isascii() and page.isdigit() and len(page) <= _MOST_DIGITS):
        raise InvalidValueError("page", "unknown")
    return int(page)
