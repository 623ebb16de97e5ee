"""Filters that the author saves under a name: what a list was asked to show, to be asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemorySort
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.query_text import MAX_QUERY_CHARACTERS, SearchMode
from inklings_desktop.domain.words.text_rules import says_nothing

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import Tier

MAX_FILTER_NAME_CHARACTERS = 60
MAX_SAVED_FILTERS = 200
"""In one file; a list of more is no help to anybody."""


@dataclass(frozen=True, slots=True)
class FilterWords:
    """What a list was asked to show, wherever in its tier.

    Attributes:
        where: What a memory must be.
        text: What was searched for; empty while browsing.
        mode: By words and meaning, or by words alone.
        sort: Order while browsing.

    Raises:
        InvalidValueError: The text is longer than a search may be.
    """

    where: MemoryFilter = EVERYTHING
    text: str = ""
    mode: SearchMode = SearchMode.HYBRID
    sort: MemorySort = MemorySort.NEWEST

    def __post_init__(self) -> None:
        if len(self.text) > MAX_QUERY_CHARACTERS:
            raise InvalidValueError("query", "too_long", MAX_QUERY_CHARACTERS)

    @property
    def asks_nothing(self) -> bool:
        """Whether every memory is shown: nothing worth a name."""
        return not self.text.strip() and self.where == EVERYTHING


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """A filter under its name.

    Attributes:
        id: Random UUID.
        workspace_id: Whose list it is; None for the account's.
        tier: The tier that it was saved in.
        room: The channel or conversation that it was saved in; None for all of the tier.
        name: 1 to 60 characters, different from every other one in the file.
        words: What it asks for.
        is_readable: Whether what it asks for could be read; if not, ``words`` ask for nothing.

    Raises:
        InvalidValueError: The name says nothing or is too long.
    """

    id: str
    workspace_id: str | None
    tier: Tier
    room: str | None
    name: str
    words: FilterWords
    created_at: datetime
    is_readable: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", checked_filter_name(self.name))


def checked_filter_name(name: str) -> str:
    """A name without blanks around it.

    Raises:
        InvalidValueError: It says nothing or is too long.
    """
    tidy = " ".join(name.split())
    if "\x00" in tidy or says_nothing(tidy):
        raise InvalidValueError("filter_name", "empty")
    if len(tidy) > MAX_FILTER_NAME_CHARACTERS:
        raise InvalidValueError("filter_name", "too_long", MAX_FILTER_NAME_CHARACTERS)
    return tidy
