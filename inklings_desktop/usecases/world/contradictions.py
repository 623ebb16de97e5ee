"""What plainly contradicts itself: two memories of one scope, or a memory and a page.

Found anew whenever it is asked for, among the memories that were written last; kept is only what
was decided, as digests in the log. Nothing is ever decided here.
"""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from hashlib import blake2b
from itertools import combinations
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.likeness.grounding import content_words
from inklings_desktop.domain.likeness.rewording import names_in
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.contradiction import LEAST_WORDS, contradicts, sentences_in
from inklings_desktop.domain.world.derivable import words_to_find
from inklings_desktop.usecases.memories.memories import Memories
from inklings_desktop.usecases.world.radar import world_event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.domain.likeness.differences import Difference
    from inklings_desktop.domain.log.events import Event
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.pages import Block, Page
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView
    from inklings_desktop.usecases.ports.world import WorldIndex

    _Compare = Callable[[str, str], Difference | None]

REASON = "contradicted"
FIRST, SECOND, BOTH, LATER = DECISIONS = ("first", "second", "both", "later")
_UNDONE = "undone"
N_COMPARED = 300
"""Memories of the workspace that are compared, those that were written last."""
_N_PASSAGES = 4
_MOST_DECISIONS = 1_000
_LATER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two texts of which at most one holds.

    Attributes:
        first: A memory.
        second: Another one of its scope; None where a page says otherwise.
        page: That page.
        block: The block of it.
        difference: What one says otherwise than the other.
    """

    first: MemoryEntry
    second: MemoryEntry | None
    page: Page | None
    block: Block | None
    difference: Difference

    @property
    def digest(self) -> str:
        """Tells the pair of texts from every other one, whichever was changed last."""
        whole = "\0".join(sorted((self.first.content, self.other_text)))
        return blake2b(whole.encode(), digest_size=16).hexdigest()

    @property
    def memories(self) -> tuple[MemoryEntry, ...]:
        """One or two."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def other_text(self) -> str:
        """What the other memory says, or the block of the page."""
        return self.second.content if self.second else self.block.text if self.block else ""

    def wrong(self, what: str) -> MemoryEntry | None:
        """The memory that is forgotten where this is decided; None for none."""
        return {FIRST: self.second, SECOND: self.first}.get(what)


def contradictions(asked: Asked, workspace_id: str) -> tuple[Contradiction, ...]:
    """Those that wait, memories among each other first."""
    index = asked.pages_of(workspace_id)
    caller = asked.caller
    with asked.store.read(workspace_id) as view:
        scopes = [one for one in view.memories.active_counts() if caller.may(Action.READ, one)]
        changed = {one.memory_id for one in view.world.derivations_changed()}
        latest = view.memories.latest_changed(scopes, N_COMPARED, caller.walls)
        decided = _decided(asked, view)
    compared = [one for one in latest if one.is_retrievable and one.id not in changed]
    compare = _comparing()
    found = [*_among(compared, compare)]
    if index is not None:
        found += _with_pages(compared, index, compare)
    return tuple(one for one in found if one.digest not in decided)


def decide_contradiction(
    asked: Asked, workspace_id: str, contradiction: Contradiction, what: str
) -> None:
    """The memory that is wrong is forgotten; what holds or waits is not listed again.

    Raises:
        ScopeDeniedError: The caller is not a person.
        InvalidValueError: ``what`` is no such word.
        NotFoundError: A page would have to change: that takes a proposal.
        ConflictError: One of the memories was changed or forgotten since.
    """
    authorize_person(asked.caller, Action.WRITE, Tier.WORKSPACE)
    if what not in DECISIONS:
        raise InvalidValueError("what", "unknown", ", ".join(DECISIONS))
    gone = contradiction.wrong(what)
    if gone is None and what in {FIRST, SECOND}:
        raise NotFoundError("memory", contradiction.digest)
    now = _as_they_are(asked, workspace_id, contradiction)
    if any(one.is_forgotten for one in now):
        raise ConflictError("contradiction", contradiction.digest)
    if gone is not None:
        seen = {one.id: one.version for one in now}
        Memories(asked.parts, asked.caller).forget([gone.ref], reason=REASON, expected=seen)
    _record(asked, workspace_id, contradiction, what)


def undo_contradiction(
    asked: Asked, workspace_id: str, contradiction: Contradiction, what: str
) -> None:
    """Takes back what was decided: the memory that was forgotten is there again, and both wait.

    Raises:
        ScopeDeniedError: The caller is not a person.
        ConflictError: The forgotten memory was changed since.
        CapReachedError: Its scope is full.
    """
    authorize_person(asked.caller, Action.WRITE, Tier.WORKSPACE)
    gone = contradiction.wrong(what)
    if gone is not None:
        now = _as_they_are(asked, workspace_id, contradiction)
        if not any(one.id == gone.id and one.forgotten_reason == REASON for one in now):
            raise ConflictError("contradiction", contradiction.digest)
        seen = {one.id: one.version for one in now}
        Memories(asked.parts, asked.caller).restore([gone.ref], expected=seen)
    _record(asked, workspace_id, contradiction, _UNDONE)


def _as_they_are(
    asked: Asked, workspace_id: str, contradiction: Contradiction
) -> Sequence[MemoryEntry]:
    """The memories of a pair as they are now, if they still say what was compared."""
    with asked.store.read(workspace_id) as view:
        now = view.memories.get_many([one.id for one in contradiction.memories])
    if any(
        one.id not in now or now[one.id].content != one.content for one in contradiction.memories
    ):
        raise ConflictError("contradiction", contradiction.digest)
    return tuple(now.values())


def _record(asked: Asked, workspace_id: str, contradiction: Contradiction, what: str) -> None:
    ids = tuple(one.id for one in contradiction.memories)
    marks = {"pair": contradiction.digest}
    kind = EventKind.CONTRADICTION_DECIDED
    with asked.writing(workspace_id) as unit:
        decided = world_event(asked.caller, workspace_id, kind, ids, what, marks)
        unit.events.append(decided, asked.clock())
        unit.commit()


def _decided(asked: Asked, view: StoreView) -> set[str]:
    """Pairs that hold, and those that were put off a short time ago."""
    where = EventFilter(kinds=frozenset({EventKind.CONTRADICTION_DECIDED}))
    since = asked.clock() - _LATER
    last: dict[str, Event] = {}
    for one in view.events.latest(_MOST_DECISIONS, where=where):
        last.setdefault(one.marks["pair"], one)
    return {
        pair
        for pair, one in last.items()
        if BOTH in one.counts or (LATER in one.counts and one.at is not None and one.at > since)
    }


def _among(entries: Sequence[MemoryEntry], compare: _Compare) -> Iterator[Contradiction]:
    words = {one.id: frozenset(content_words(one.content)) for one in entries}
    for second, first in combinations(entries, 2):  # the one that was written later is the second
        is_near = len(words[first.id] & words[second.id]) >= LEAST_WORDS - 1
        if first.scope == second.scope and is_near:
            difference = compare(first.content, second.content)
            if difference is not None:
                yield Contradiction(first, second, None, None, difference)


def _with_pages(
    entries: Sequence[MemoryEntry], index: WorldIndex, compare: _Compare
) -> Iterator[Contradiction]:
    for one in entries:
        words = words_to_find(one.content)
        for block_id, text in index.passages_sharing(words, _N_PASSAGES) if words else ():
            difference = compare(one.content, text)
            if difference is not None:
                page, block = index.blocks([block_id])[block_id]
                yield Contradiction(one, None, page, block, difference)
                break


def _comparing() -> _Compare:
    """Compares two texts, of which each is read once as long as this is kept."""
    read, names = cache(sentences_in), cache(names_in)

    def compare(one: str, other: str) -> Difference | None:
        return contradicts(one, other, names(one) | names(other), read)

    return compare
