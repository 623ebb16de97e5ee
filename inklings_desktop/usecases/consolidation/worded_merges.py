"""Merged texts in a model's words, where they may be: else as they are merged without one.

What the author wrote is never reworded. The sources of a worded text are forgotten, not lost: they
can be restored, and the review shows them beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.merging import merged_text
from inklings_desktop.domain.likeness.rewording import fault_of
from inklings_desktop.domain.memory import AUTHOR, Curator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.tasks import Wording

MOST_A_RUN = 20
"""Texts that a model is asked for in one run, or one review; the others are merged without it."""


class WordedConsolidator:
    """The ``Consolidator`` that asks a model, and takes only what it can check."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording
        self._left = MOST_A_RUN

    def merged(self, members: Sequence[MemoryEntry]) -> str:
        texts = [one.content for one in members]
        plain = merged_text(texts)
        if plain == texts[0] or any(map(_is_authors, members)) or not self._left:
            return plain
        worded = self._wording.worded(members[0].scope.workspace_id, texts)
        # One that gave none now will hardly give one to the next group of this run.
        self._left = 0 if worded is None else self._left - 1
        return plain if worded is None or fault_of(worded, texts) else worded


def _is_authors(entry: MemoryEntry) -> bool:
    return entry.curator is Curator.AUTHOR or entry.written_by == AUTHOR
