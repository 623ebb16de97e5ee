"""The rows of the orientation preview, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.kit.lists.memory_rows import CuratorName


class LineKind(Enum):
    """What a thin line between memories says."""

    CUT = "cut"
    TURN = "turn"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class SectionRow:
    """The head of the standing slice or of one tier.

    Attributes:
        id: Unique in the list.
        text: Its name.
        detail: Its ranking rule and how much of it is sent.
        tier: Whose mark stands before it; the standing slice has none.
        link: What revealing or hiding the rest is called; empty where nothing is hidden.
        is_open: Whether the rest is on show.
    """

    id: str
    text: str
    detail: str
    tier: Tier | None = None
    link: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One named entry, folded to its first line.

    Attributes:
        id: Of the entry.
        name: In capitals.
        first_line: How it begins, without marks.
        figure: How many characters it takes.
        tier: Workspace or account.
        accessible_description: What a screen reader says beside the name.
        is_open: Whether its text stands below.
    """

    id: str
    name: str
    first_line: str
    figure: str
    tier: Tier
    accessible_description: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class BodyRow:
    """The whole text of the named entry above, as it is sent."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One memory of a section.

    Attributes:
        id: Of the memory.
        rank: Its place in the section.
        phrase: How it is introduced.
        excerpt: Its text on one line.
        curator: For the mark.
        curator_label: Who vouches for it.
        figure: Its age, score or relevance.
        figure_tip: What the figure is.
        is_sent: Whether the agent gets it.
        remark: Why it is not sent, where the line above does not say so.
        accessible_description: Everything beside the text.
    """

    id: str
    rank: str
    phrase: str
    excerpt: str
    curator: CuratorName
    curator_label: str
    figure: str
    figure_tip: str
    is_sent: bool
    remark: str
    accessible_description: str


@dataclass(frozen=True, slots=True)
class LineRow:
    """Something said between memories."""

    id: str
    kind: LineKind
    text: str


PreviewRow = SectionRow | EntryRow | BodyRow | CandidateRow | LineRow


def is_stop(row: PreviewRow) -> bool:
    """Whether the keyboard stops at a row: something can be opened or explained there."""
    return isinstance(row, EntryRow | CandidateRow) or (
        isinstance(row, SectionRow) and bool(row.link)
    )
