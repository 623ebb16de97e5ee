"""Why a search found the checked memories: one line for each, for a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from inklings_desktop.domain.search.explanation import Explanation
    from inklings_desktop.usecases.search.search_memories import SearchResult

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One memory of the table.

    Attributes:
        name: How its text begins.
        by: What it was found by: words, meaning or both.
    """

    name: str
    by: str


def found_lines(results: Iterable[SearchResult], ids: AbstractSet[str]) -> tuple[FoundLine, ...]:
    """The lines of these memories, in the order of the hits."""
    return tuple(
        FoundLine(excerpt(hit.entry.content)[:_LONGEST], _found_by(hit.explanation))
        for result in results
        for hit in result.hits
        if hit.entry.id in ids
    )


def found_title(sought: str) -> str:
    """What stands above the table."""
    shown = sought if len(sought) <= _LONGEST // 2 else f"{sought[: _LONGEST // 2 - 1]}\u2026"
    return tr("Why \u201c{text}\u201d found these").format(text=shown)


def _found_by(explanation: Explanation) -> str:
    if explanation.keyword_rank is None:
        return tr("meaning")
    return tr("words") if explanation.semantic_rank is None else tr("words and meaning")
