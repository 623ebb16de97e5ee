"""The rows of the memory list, ready to be shown: headings, memories and working notes."""

import unicodedata
from typing import Literal

from inklings_desktop.domain.plain_data import dataclass

CuratorName = Literal["author", "agent", "import"]

_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_STRONG = _RIGHT_TO_LEFT | {"L"}


@dataclass(frozen=True, slots=True)
class HeadingRow:
    """A line above a group of rows; ``captions`` names the columns of figures beside it."""

    id: str
    text: str
    detail: str
    captions: bool = False


@dataclass(frozen=True, slots=True)
class CurveNumbers:
    """What a decay curve is drawn from.

    Relevance ``h`` hours after the base instant is ``start * rate_per_hour ** h``; a rate of 1
    means that nothing fades.
    """

    hours_since_base: float
    start: float
    rate_per_hour: float

    @property
    def level(self) -> bool:
        """Whether the curve never falls."""
        return self.rate_per_hour >= 1.0


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One memory as the list shows it; every text is final.

    ``highlights`` are start and length of the matches inside ``excerpt``. ``agent_id`` is set for
    a memory that belongs to one agent alone. ``version`` changes whenever the memory does.
    """

    id: str
    version: int
    excerpt: str
    curator: CuratorName
    writer_label: str
    source: str
    lifetime_label: str
    age_label: str
    relevance: float
    importance: float
    curve: CurveNumbers
    accessible_description: str
    rtl: bool = False
    highlights: tuple[tuple[int, int], ...] = ()
    tags: tuple[str, ...] = ()
    tooltip: str = ""
    access_count: int = 0
    derivation_count: int = 0
    has_embedding: bool = True
    check_source: bool = False
    agent_id: str | None = None
    forgotten: bool = False
    forgotten_label: str = ""
    paused: bool = False
    unreadable: bool = False
    pinned: bool = False
    locked: bool = False


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One working note as the list shows it; ``value_line`` is its JSON on one line."""

    id: str
    key: str
    value_line: str
    age_label: str
    accessible_description: str = ""


Row = HeadingRow | MemoryRow | NoteRow


def reads_right_to_left(text: str) -> bool:
    """Whether a text begins, weak characters aside, in a script written from the right."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in _STRONG:
            return direction in _RIGHT_TO_LEFT
    return False
