"""Why a search found the checked memories: one line for each, for a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from inklings_desktop.usecases.search.search_memories import SearchResult

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One memory of the table.

    Attributes:
        name: How its text begins.
        keyword: Its place by words; a dash where it has none.
        meaning: Its place by meaning likewise.
        score: What ordered the list, two decimals.
    """

    name: str
    keyword: str
    meaning: str
    score: str


def found_lines(results: Iterable[SearchResult], ids: AbstractSet[str]) -> tuple[FoundLine, ...]:
    """The lines of these memories, in the order of the hits."""
    return tuple(
        FoundLine(
            excerpt(hit.entry.content)[:_LONGEST],
            _place(hit.explanation.keyword_rank),
            _place(hit.explanation.semantic_rank),
            decimal(hit.score, 2),
        )
        for result in results
        for hit in result.hits
        if hit.entry.id in ids
    )


def found_title(sought: str) -> str:
    """What stands above the table."""
    shown = sought if len(sought) <= _LONGEST // 2 else f"{sought[: _LONGEST // 2 - 1]}\u2026"
    return tr("Why \u201c{text}\u201d found these").format(text=shown)


def _place(rank: int | None) -> str:
    from inklings_desktop.ui.kit.why.facts import ordinal  # with all of ranking

    return "\u2013" if rank is None else ordinal(rank)
