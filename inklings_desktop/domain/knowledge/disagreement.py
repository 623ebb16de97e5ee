"""Whether two facts of one topic say something else; nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.facts import Disagreement, Fact
from inklings_desktop.domain.likeness.differences import Difference, differences
from inklings_desktop.domain.likeness.grounding import content_words
from inklings_desktop.domain.likeness.rewording import names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ALIKE = 0.5
"""Share of the shorter one's words that the other must have: both speak of their topic anyway."""
MOST_COMPARED = 20
"""The latest facts of a topic that are compared with each other."""
_REPLACED = (Difference.NUMBERS, Difference.DATES)
"""Left out they say nothing else: only another one in their place does."""


def disagrees(one: str, other: str) -> Difference | None:
    """In what two facts of a topic differ; None where they don't, as far as words tell."""
    mine, theirs = content_words(one), content_words(other)
    least = ALIKE * min(len(mine), len(theirs))
    if not least or len(mine & theirs) < least:
        return None
    for found in differences(one, other):
        is_in_both = found in differences(one, "") and found in differences(other, "")
        if found not in _REPLACED or is_in_both:
            return found
    left, right = mine - theirs, theirs - mine
    is_renamed = left and right and left <= names_in(one) and right <= names_in(other)
    return Difference.NAME if is_renamed else None


def disagreements_of(facts: Sequence[Fact]) -> Iterator[Disagreement]:
    """Facts of one topic that disagree, of the latest, in order.

    What is said of other chapters alone says nothing against a fact.
    """
    latest = facts[-MOST_COMPARED:]
    for place, first in enumerate(latest):
        for second in latest[place + 1 :]:
            if first.details.story.meets(second.details.story):
                found = disagrees(first.memory.content, second.memory.content)
                if found is not None:
                    yield Disagreement(first, second, found)
