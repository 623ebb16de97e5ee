"""Search and replace in memories: every change it would make, before any is made.

Deterministic and without side effects. What is typed is looked for as it stands, never as a
pattern, in composed and in decomposed spelling alike.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.domain.memory_values import checked_content
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef

MAX_SOUGHT_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class ReplacementWish:
    """What is to be replaced by what.

    Attributes:
        sought: Text that is looked for, blanks included; at most 1,000 characters.
        put: What takes its place; empty takes it away.
        match_case: Whether capitals count.
        whole_words: Whether it must stand alone, not inside a longer word.

    Raises:
        InvalidValueError: Nothing is looked for, or too much, or NUL stands in it.
    """

    sought: str
    put: str = ""
    match_case: bool = False
    whole_words: bool = False

    def __post_init__(self) -> None:
        if not self.sought:
            raise InvalidValueError("sought", "empty")
        for name, text in (("sought", self.sought), ("put", self.put)):
            if "\x00" in text:
                raise InvalidValueError(name, "nul")
            if len(text) > MAX_SOUGHT_CHARACTERS:
                raise InvalidValueError(name, "too_long", MAX_SOUGHT_CHARACTERS)


@dataclass(frozen=True, slots=True)
class Replacement:
    """What would become of one memory.

    Attributes:
        version: The version that was looked at.
        before: Its text.
        after: Its text afterwards.
        n_matches: How often it says what is looked for.
        fault: Rule that the new text would break (``empty``, ``too_long``, ``use_supersede`` of a
            fact, ...); None if it can be kept.
    """

    ref: MemoryRef
    version: int
    before: str
    after: str
    n_matches: int
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class ReplacementPlan:
    """Every change of one search and replace.

    Attributes:
        changes: Memories whose text would be another one, in the order given.
        refused: Memories whose new text could not be kept; they would stay as they are.
        n_looked_at: Memories that were looked at.
    """

    changes: tuple[Replacement, ...]
    refused: tuple[Replacement, ...]
    n_looked_at: int

    @property
    def n_matches(self) -> int:
        """Places that would change."""
        return sum(one.n_matches for one in self.changes)


def plan_replacements(entries: Iterable[MemoryEntry], wish: ReplacementWish) -> ReplacementPlan:
    """What replacing would do to these memories; nothing is changed."""
    pattern = _pattern(wish)
    changes: list[Replacement] = []
    refused: list[Replacement] = []
    n_looked_at = 0
    for entry in entries:
        n_looked_at += 1
        # A function, because a replacement text knows no back references.
        after, n_matches = pattern.subn(lambda _match: wish.put, entry.content)
        if after == entry.content:
            continue
        fault = "use_supersede" if entry.kind is MemoryKind.FACT else _fault(after)
        one = Replacement(entry.ref, entry.version, entry.content, after, n_matches, fault)
        (changes if fault is None else refused).append(one)
    return ReplacementPlan(tuple(changes), tuple(refused), n_looked_at)


def _pattern(wish: ReplacementWish) -> re.Pattern[str]:
    spellings = dict.fromkeys(
        (
            wish.sought,
            unicodedata.normalize("NFC", wish.sought),
            unicodedata.normalize("NFD", wish.sought),
        )
    )
    # A combining mark after the match would belong to another letter than the one sought.
    found = "|".join(re.escape(one) for one in spellings)
    text = rf"(?:{found})(?![\u0300-\u036f])"
    if wish.whole_words:
        text = rf"(?<!\w){text}(?!\w)"
    return re.compile(text, 0 if wish.match_case else re.IGNORECASE)


def _fault(text: str) -> str | None:
    try:
        checked_content(text)
    except InvalidValueError as error:
        return error.rule
    return None
