"""What several conversations repeat, and so could be a fact; whether it is one, the author says.

Words alone tell: two texts repeat each other if they share most of their words, name the same names
and numbers, and differ in nothing that ``differences`` knows. How near their vectors are decides
nothing here, for "left-handed" and "right-handed" are nearer than most repeats.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import ceil
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.differences import differences
from inklings_desktop.domain.likeness.grounding import content_words
from inklings_desktop.domain.likeness.rewording import repeats
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.memory import MemoryEntry

LEAST_CONVERSATIONS = 3
LEAST_WORDS = 2
MOST_COMPARED = 24
"""Notes that share the words of one, of which each is compared with it."""
ALIKE = 0.6
"""Share of the words of both that two texts must have in common."""


@dataclass(frozen=True, slots=True)
class CouldBeFact:
    """Notes of at least three conversations that say one thing.

    Attributes:
        notes: In order of writing.
    """

    notes: tuple[MemoryEntry, ...]

    @property
    def id(self) -> str:
        """That of its earliest note."""
        return self.notes[0].id

    @property
    def said(self) -> str:
        """The longest of its texts, the earliest of several: what a fact of it would say."""
        return max((one.content for one in self.notes), key=len)

    @property
    def n_conversations(self) -> int:
        """How many conversations say it."""
        return len({conversation_of(one) for one in self.notes})


def conversation_of(note: MemoryEntry) -> str | None:
    """Id of the conversation that a note comes from; None for one that comes from none."""
    is_of_one = note.scope.tier is Tier.CONVERSATION
    return note.scope.key if is_of_one else note.source_conversation


def say_alike(one: str, other: str) -> bool:
    """Whether two texts say one thing, as far as words tell."""
    is_near = _share_words(content_words(one), content_words(other))
    return is_near and repeats(one, other) and not differences(one, other)


def _share_words(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    n_shared = len(mine & theirs)
    return n_shared >= ALIKE * (len(mine) + len(theirs) - n_shared)


def repeated(notes: Sequence[MemoryEntry]) -> Iterator[CouldBeFact]:
    """What at least three conversations say, the earliest first; a note is in one of them at most.

    Args:
        notes: Of any conversations, in order of writing.
    """
    words = {one.id: content_words(one.content) for one in notes}
    uses = Counter(word for several in words.values() for word in several)
    # Two texts that share so many words share one of these of each: only such are compared.
    rarest = {
        id_: sorted(several, key=lambda word: (uses[word], word))[
            : len(several) - ceil(ALIKE * len(several)) + 1
        ]
        for id_, several in words.items()
        if len(several) >= LEAST_WORDS
    }
    by_word: defaultdict[str, dict[str, MemoryEntry]] = defaultdict(dict)
    for one in notes:
        for word in rarest.get(one.id, ()):
            by_word[word][one.id] = one
    taken = set[str]()
    for first in notes:
        if first.id in taken:
            continue
        near = {
            id_: one
            for word in rarest.get(first.id, ())
            for id_, one in by_word[word].items()
            if one.sequence >= first.sequence and id_ not in taken
            if _share_words(words[first.id], words[id_])
        }
        if len({conversation_of(one) for one in near.values()}) < LEAST_CONVERSATIONS:
            continue
        others = sorted(near.values(), key=lambda found: found.sequence)[:MOST_COMPARED]
        group = [first]
        for one in others:
            if one.id != first.id and all(say_alike(one.content, each.content) for each in group):
                group.append(one)
        found = CouldBeFact(tuple(sorted(group, key=lambda each: each.sequence)))
        if found.n_conversations >= LEAST_CONVERSATIONS:
            taken |= {one.id for one in group}
            yield found
